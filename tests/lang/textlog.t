# Plain logs of a terminal: a file, and a pipe.

$ -n -batch --no-follow -ex 'tensors' -ex 'series "lm loss"' -ex 'info errors' tests/samples/log/megatron.log
NAME                             DTYPE    SHAPE  STEPS        MEAN  STD  NAN  TREND
consumed samples                 float64  ()        11        7040    0    0  ▁▂▃▄▅▆▆▇
elapsed time per iteration (ms)  float64  ()        11       522.3    0    0  ▁▂▃▄▅▆▆▇
global batch size                float64  ()        11          64    0    0  ▄▄▄▄▄▄▄▄
grad norm                        float64  ()        11       2.364    0    0  ▇▅▅▃▃▂▁▁
learning rate                    float64  ()        11  7.3742e-05    0    0  ▇▆▅▄▃▂▂▁
lm loss                          float64  ()        11      1.5357    0    0  ▇▅▄▃▃▂▁▁
loss scale                       float64  ()        11       65536    0    0  ▄▄▄▄▄▄▄▄
num zeros                        float64  ()        11           0    0    0  ▄▄▄▄▄▄▄▄
number of nan iterations         float64  ()        10           0    0    0  ▄▄▄▄▄▄▄▄
number of skipped iterations     float64  ()        10           0    0    0  ▄▄▄▄▄▄▄▄
params norm                      float64  ()        10       108.5    0    0  ▁▂▃▄▅▆▆▇
STEP  MODE    MODE-STEP  TIME   VALUE
  10  GLOBAL         10  -      5.017
  20  GLOBAL         20  -     4.4356
  30  GLOBAL         30  -     3.9255
  40  GLOBAL         40  -     3.4775
  50  GLOBAL         50  -     3.0839
  60  GLOBAL         60  -     2.7377
  70  GLOBAL         70  -     2.4331
  80  GLOBAL         80  -     2.1648
  90  GLOBAL         90  -     1.9284
 100  GLOBAL        100  -     1.7198
 110  GLOBAL        110  -     1.5357
No errors found.

$ -n -batch --no-follow -ex 'log' tests/samples/log/epochs.log
Epoch 1/12 - 3.2s - loss: 2.7665 - val_loss: 1.8860 - lr: 1.0e-03
Epoch 2/12 - 3.2s - loss: 2.3129 - val_loss: 1.5744 - lr: 1.0e-03
Epoch 3/12 - 3.2s - loss: 1.9365 - val_loss: 1.3164 - lr: 1.0e-03
Epoch 4/12 - 3.2s - loss: 1.6238 - val_loss: 1.1026 - lr: 1.0e-03
Epoch 5/12 - 3.2s - loss: 1.3638 - val_loss: 0.9253 - lr: 1.0e-03
Epoch 6/12 - 3.2s - loss: 1.1472 - val_loss: 0.7780 - lr: 1.0e-03
Epoch 7/12 - 3.2s - loss: 0.9667 - val_loss: 0.6556 - lr: 1.0e-03
Epoch 8/12 - 3.2s - loss: 0.8160 - val_loss: 0.5536 - lr: 1.0e-03
Epoch 9/12 - 3.2s - loss: 0.6900 - val_loss: 0.4687 - lr: 1.0e-03
Epoch 10/12 - 3.2s - loss: 0.5846 - val_loss: 0.3978 - lr: 1.0e-03
Epoch 11/12 - 3.2s - loss: 0.4962 - val_loss: 0.3385 - lr: 1.0e-03
Epoch 12/12 - 3.2s - loss: 0.4221 - val_loss: 0.2890 - lr: 1.0e-03

# A file that is given opens, and says so if it has no values.
$ -n -batch --no-follow -ex 'tensors' tests/lang/files/no_values.log
! smdbg: no_values.log: no line has a step and a value that are known (set log-patterns FILE adds patterns).
? 5

# A pipe: a batch waits for its end, which is the end of the run. The last value may be torn.
$ -n -batch -ex 'info trial' -ex 'series loss' -ex 'log' -
< step 1 | loss 3
< step 2 | loss 2 | acc 1
name              stdin
kind              log
state             ended
workers           .
workers expected  1
steps             2
first step        1
last step         2
tensors           2
collections       3
payload           0 B
errors            0
mode              GLOBAL: 2 steps, 1 to 2
STEP  MODE    MODE-STEP  TIME  VALUE
   1  GLOBAL          1  -         3
   2  GLOBAL          2  -         2
step 1 | loss 3
step 2 | loss 2 | acc 1

$ -n -batch -ex 'info trial' -
< nothing in 3 lines
name              stdin
kind              log
state             ended
workers           -
workers expected  1
steps             0
first step        -
last step         -
tensors           0
collections       0
payload           0 B
errors            1

# Standard input cannot be the log and have commands too.
$ -n -batch -
< step 1 | loss 3
! smdbg: standard input is the log (-): give commands by -ex or -x FILE
? 2

$ -n -batch -x - -
< step 1 | loss 3
! smdbg: standard input is the log (-): it cannot have commands (-x -) too
? 2

$ -n -i json -
< step 1 | loss 3
! smdbg: standard input is the log (-): it cannot have requests too
? 2

$ -n -batch --keep-going -ex 'source -' -ex 'print 1' -
< step 1 | loss 3
$1 = 1
! smdbg: -: standard input is the log that is read.
? 1

# The user's own patterns.
$ -n -batch -iex 'set log-patterns tests/lang/files/log-patterns' -ex 'tensors' -ex 'series train/loss' -
< T=10 ce:0.5 [gn 3]
< T=20 ce:0.25 [gn 2]
NAME        DTYPE    SHAPE  STEPS  MEAN  STD  NAN  TREND
grad_norm   float64  ()         2     2    0    0  ▇▁
train/loss  float64  ()         2  0.25    0    0  ▇▁
STEP  MODE    MODE-STEP  TIME  VALUE
  10  GLOBAL         10  -       0.5
  20  GLOBAL         20  -      0.25

$ -n -batch -ex 'set log-patterns tests/lang/files/log-patterns-bad'
! smdbg: tests/lang/files/log-patterns-bad: line 3: at 11: missing closing parenthesis.
? 5

$ -n -batch -ex 'set log-patterns tests/lang/files/none'
! smdbg: tests/lang/files/none: No such file or directory.
? 5

$ XDG_CONFIG_HOME=$PWD/tests/lang/files/log_config -batch -ex 'tensors' -
< T=10 ce:0.5 [gn 3]
NAME        DTYPE    SHAPE  STEPS  MEAN  STD  NAN  TREND
grad_norm   float64  ()         1     3    0    0  ▄
train/loss  float64  ()         1   0.5    0    0  ▄

# a log whose lines have commas and quotes is no table, although it has nothing else
$ -batch -ex 'tensors -field name,steps -csv' "$(for s in 0 1 2 3; do printf 'INFO:root:{"step": %d, "train": {"loss": 0.5}, "nan": NaN}\n' $s; done >$T/quoted.log; echo $T/quoted.log)"
name,steps
nan,4
train/loss,4

# values of bars count if lines do not have them
$ -batch -ex 'tensors -field name,steps -csv' tests/samples/log/tqdm_bars.log
name,steps
mean,18
