# what was asked of buckets: nothing
$ -batch -ex 'info session' tests/trials/cnn_healthy
requests                    0
lists among them            0
fetched                     0 B
read from the disk instead  0 B
requests for credentials    0
runs followed               0
lists/s to follow, at most  1
cost                        0

$ -batch -ex 'info session -json' -ex 'show s3-price-lists'
{"requests":0,"lists":0,"bytes":0,"kept_bytes":0,"logins":0,"followed":0,"follow_rate":1,"cost":0}
The current value of 's3-price-lists' is "0.005".

$ -batch -ex 'set s3-price-gets -1'
! smdbg: -1 is out of range: 0 to 1e+09.
? 1

$ -batch -ex 'set s3-follow-rate 10' -ex 'info session -json' -ex 'set s3-follow-rate 0'
{"requests":0,"lists":0,"bytes":0,"kept_bytes":0,"logins":0,"followed":0,"follow_rate":10,"cost":0}
! smdbg: 0 is out of range: 0.01 to 100.
? 1
