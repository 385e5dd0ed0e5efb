# answers into files; nothing is left behind on stdout
$ -batch -ex "print 1 > $T/a" -ex "print 2 >> $T/a" --allow-shell -ex "shell cat $T/a"
$1 = 1
$2 = 2

$ -batch -ex 'print 1 > /nonexistent/a'
! smdbg: /nonexistent/a: No such file or directory.
? 1

# never into a trial
$ -batch -ex 'info trial > tests/trials/cnn_healthy/x' tests/trials/cnn_healthy
! smdbg: tests/trials/cnn_healthy/x: nothing is written into a trial.
? 1

# as JSON, one line
$ -batch -ex 'info modes -json' -ex 'info modes -jsonl' -ex 'info modes -csv' tests/trials/cnn_healthy
[{"mode":"TRAIN","steps":9,"first":0,"last":80},{"mode":"EVAL","steps":7,"first":0,"last":11}]
{"mode":"TRAIN","steps":9,"first":0,"last":80}
{"mode":"EVAL","steps":7,"first":0,"last":11}
mode,steps,first,last
TRAIN,9,0,80
EVAL,7,0,11

$ -batch -ex 'save tests/trials/cnn_healthy/x.npy CNN_conv0.bias' tests/trials/cnn_healthy
! smdbg: tests/trials/cnn_healthy/x.npy: nothing is written into a trial.
? 1
