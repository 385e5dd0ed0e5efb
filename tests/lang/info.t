# every info subcommand answers as text
$ -batch -ex 'info collection weights' -ex 'info modes' -ex 'info workers -field worker' tests/trials/cnn_healthy
NAME     TENSORS  SAVES                                            REGEX                  REDUCTIONS
weights        4  TRAIN every 10, …EDICT every 1, GLOBAL every 10  ^(?!gradient).*weight  -
names  CNN_conv0.weight,CNN_conv1.weight,CNN_fc0.weight,CNN_fc1.weight
MODE   STEPS  FIRST  LAST
TRAIN      9      0    80
EVAL       7      0    11
WORKER
worker_0

$ -batch -ex 'info collection'
! smdbg: Argument required (NAME).  Try "help info collection".
? 1

$ -batch -ex 'open /nonexistent/trial'
! smdbg: /nonexistent/trial: no such trial directory (--wait waits for it).
? 5

$ -batch -ex 'why nosuch' tests/trials/cnn_healthy
! smdbg: No tensor "nosuch". Try "tensors".
? 4

$ -batch -ex 'save /nonexistent/w.npy CNN_fc1.bias' tests/trials/cnn_healthy
! smdbg: /nonexistent/w.npy: No such file or directory.
? 1

$ -batch -ex 'x/2r labels step 0' tests/trials/cnn_healthy
labels+0:  00 00 00 00 00 00 00 00  03 00 00 00 00 00 00 00

$ -batch -ex 'tensors CNN_fc1* -stats -csv -field name,mean,nan' tests/trials/cnn_healthy
name,mean,nan
CNN_fc1.bias,-2.1420419216156004e-09,0
CNN_fc1.weight,0.0035879380903376537,0

$ -batch -ex 'plot CrossEntropyLoss_output_0 mode eval -json' tests/trials/cnn_healthy | cut -c1-150
[{"name":"CrossEntropyLoss_output_0","mode":"EVAL","reduction":null,"points":[{"step":30,"value":0.94722223281860352,"mode_step":0,"time":1795229271.2

# statistics of what has none
$ -batch -ex 'stat complex64/x' tests/trials/dtypes
complex64/x  step 3 (train 3)  complex64
min          -            max          -            mean         -
std          -            variance     -            median       -
sum          -            prod         -
l1           -            l2           -
abs_min      -            abs_max      -            abs_mean     -
abs_std      -            abs_variance -            abs_median   -
abs_sum      -
p1           -            p5           -            p25          -
p75          -            p95          -            p99          -
size         1            zero         0            nan          0
pos          0            neg          0
pos_inf      0            neg_inf      0
No statistics: no element is a finite real number.

# reductions are shown in the types they were saved in
$ -batch -ex 'stat complex' -ex 'stat labels' -ex 'stat flags' tests/trials/typed_reductions | grep saved
complex  step 1 (train 1)  saved reductions only
saved min          -1-2j
saved mean         1+0.666667j
saved sum          3+2j
saved abs_max      5
labels  step 1 (train 1)  saved reductions only
saved min          1
saved mean         5.76461e+17
saved sum          1152921504606846978
saved abs_max      1152921504606846977
flags  step 1 (train 1)  saved reductions only
saved min          False
saved mean         0.5
saved sum          1
saved abs_max      True

# times are those of the events, not of the files, wherever steps are told or asked for by time
$ -batch -ex 'info steps 101 -json' tests/trials/cnn_healthy
[{"step":101,"mode":"EVAL","mode_step":11,"workers":["worker_0"],"complete":true,"tensors":2,"time":1795229271.320827}]

$ -batch -ex 'info sessions -json' tests/trials/cnn_healthy
[{"session":0,"first_step":0,"last_step":101,"steps":16,"begin":1795229271.143621,"end":1795229271.320827}]

$ -batch -ex 'goto @-100ms' tests/trials/cnn_healthy
step 34 (train 30)

$ -batch -ex 'series l2(CNN_conv0.bias) mode eval -csv -field step,time' tests/trials/cnn_healthy
step,time
30,2026-11-21T02:47:51.202699+00:00
32,2026-11-21T02:47:51.208786+00:00
64,2026-11-21T02:47:51.259211+00:00
66,2026-11-21T02:47:51.262852+00:00
98,2026-11-21T02:47:51.312478+00:00
100,2026-11-21T02:47:51.316735+00:00
