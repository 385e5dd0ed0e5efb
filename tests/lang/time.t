# along the steps, forward and back; N of them; as far as there are
$ -batch -ex 'goto first' -ex step -ex 'step 3' -ex s -ex rs -ex 'rs 100' tests/trials/cnn_healthy
step 0 (train 0)
step 10 (train 10)
step 32 (eval 2)
step 34 (train 30)
step 32 (eval 2)
step 0 (train 0)
No earlier step.

$ -batch -ex 'goto first' -ex rs tests/trials/cnn_healthy
step 0 (train 0)
! smdbg: There is no earlier step.
? 4

$ -batch -ex step tests/trials/cnn_healthy
! smdbg: There is no later step.
? 4

$ -batch -ex 'step 0' tests/trials/cnn_healthy
! smdbg: Integer 0 out of range: 1 to 9223372036854775807.
? 1

# next looks at the current tensor only
$ -batch -ex 'tensor CNN_conv0.bias step 30 -s' -ex next -ex 'n 2' -ex 'reverse-next' -ex 'n 100' tests/trials/cnn_healthy
CNN_conv0.bias  step 30 (eval 0)  float32 (4,)
min -0.178957  max 0.00970473  mean -0.0567799  std 0.0760846  nan 0  inf 0  zero 0
step 32 (eval 2)  CNN_conv0.bias
step 44 (train 40)  CNN_conv0.bias
step 34 (train 30)  CNN_conv0.bias
step 100 (eval 10)  CNN_conv0.bias
No later step.

$ -batch -ex next tests/trials/cnn_healthy
! smdbg: There is no current tensor.  Use "tensor NAME", or "step" for any step.
? 1

# a mode that is current leaves the other steps out
$ -batch -ex 'goto @eval:2' -ex step -ex rs -ex 'print $_mode' tests/trials/cnn_healthy
step 32 (eval 2)
step 64 (eval 4)
step 32 (eval 2)
$1 = "EVAL"

$ -batch -ex 'goto 30 mode train' -ex step -ex 'print $_step' tests/trials/cnn_healthy
step 34 (train 30)
step 44 (train 40)
$1 = 44

# goto takes every kind of step, and says which is near
$ -batch -ex 'goto ~33' -ex 'goto +1' -ex 'goto -2' -ex 'goto @10' tests/trials/cnn_healthy
step 32 (eval 2)
step 34 (train 30)
step 30 (eval 0)
step 10 (train 10)

$ -batch -ex 'goto 33' tests/trials/cnn_healthy
! smdbg: There is no step 33 (nearest 32).
? 4

$ -batch -ex 'goto 0:10' tests/trials/cnn_healthy
! smdbg: Expected one step, not "0:10".
? 1

$ -batch -ex 'goto @' tests/trials/cnn_healthy
! smdbg: Expected a step after "@".
? 1

# displays stand behind each stop; what cannot be told is no failure
$ -batch -ex 'goto 10' -ex 'display/.3f mean(CNN_fc1.weight)' -ex 'display CNN_conv0.bias' -ex 'display 1 + "a"' -ex step tests/trials/cnn_healthy
step 10 (train 10)
1: mean(CNN_fc1.weight) = 0.004
2: CNN_conv0.bias = float32 (4,)
[ 0.004521   -0.00398684 -0.08378921 -0.02587149]
3: 1 + "a": strings can only be compared with == and != at column 3
step 20 (train 20)
1: mean(CNN_fc1.weight) = 0.004
2: CNN_conv0.bias = float32 (4,)
[ 0.01866611  0.04725297 -0.15212938 -0.02280691]
3: 1 + "a": strings can only be compared with == and != at column 3

$ -batch -ex 'display 1+1' -ex 'display/x 255' -ex 'undisplay 1' -ex 'display' -ex 'info display' -ex 'undisplay' -ex 'goto 0' -ex 'display 3' tests/trials/cnn_healthy
1: 1+1 = 2
2: 255 = 0xff
2: 255 = 0xff
NUM  FORMAT  EXPRESSION
  2  x       255
step 0 (train 0)
3: 3 = 3

$ -batch -ex 'display 1+' -ex 'display 2' tests/trials/cnn_healthy
! smdbg: Unexpected end of the expression at column 3.
? 1

$ -batch -ex 'undisplay 3'
! smdbg: There is no display number 3.  Try "info display".
? 1

$ -batch -ex 'display 0.5' -ex 'display 1 > 2' -ex 'display "a"' -ex 'display 1 + "a"' -ex 'goto 10 -json' tests/trials/cnn_healthy
1: 0.5 = 0.5
2: 1 > 2 = false
3: "a" = "a"
4: 1 + "a": strings can only be compared with == and != at column 3
{"step":10,"mode":"TRAIN","mode_step":10,"tensor":null,"displays":[{"number":1,"expr":"0.5","value":0.5},{"number":2,"expr":"1 > 2","value":false},{"number":3,"expr":"\"a\"","value":"\"a\""},{"number":4,"expr":"1 + \"a\"","value":null,"problem":"strings can only be compared with == and != at column 3"}]}

# a command at another step, and back; also when it fails or moves, and with its place in a mode
$ -batch --keep-going -ex 'tensor CNN_fc1.bias -s step 10' -ex 'at 20 -- print $_step' -ex 'at last -- output mean(CNN_fc1.weight)' -ex 'at -1 -- step' -ex 'at 10 mode train -- print $_step' -ex 'at @eval:2 -- print $_mode' -ex 'at 20 -- tensor nosuch' -ex 'at 20 -- at 30 -- print $_step' -ex 'at 30 -- tensors CNN_fc0* -json -field name > /dev/null' -ex 'print $_step' -ex 'print $_tensor' -ex 'print $_mode' tests/trials/cnn_healthy
CNN_fc1.bias  step 10 (train 10)  float32 (10,)
min -0.0723822  max 0.0440531  mean 0  std 0.0348978  nan 0  inf 0  zero 0
$1 = 20
0.0035879380903376537step 10 (train 10)  CNN_fc1.bias
$2 = 10
$3 = "EVAL"
$4 = 30
$5 = 10
$6 = "CNN_fc1.bias"
$7 = void
! smdbg: No tensor "nosuch". Try "tensors".
? 4

# what at does not take
$ -batch --keep-going -ex 'at' -ex 'at 20' -ex 'at 20 --' -ex 'at -- print 1' -ex 'at 21 -- print 1' -ex 'at 20 30 -- print 1' -ex 'at 20 mode x -- print 1' tests/trials/cnn_healthy
! smdbg: Argument required (STEP).  Try "help at".
! smdbg: Usage: at STEP [mode MODE] -- COMMAND
! smdbg: Usage: at STEP [mode MODE] -- COMMAND
! smdbg: Usage: at STEP [mode MODE] -- COMMAND
! smdbg: There is no step 21 (nearest 20).
! smdbg: Usage: at STEP [mode MODE] -- COMMAND
! smdbg: Undefined mode "x".  Choose one of: train, eval, predict, global.
? 1

# the step in a condition
$ -batch -ex 'until $s > 40' -ex 'bisect $s > 60' tests/trials/cnn_healthy
step 44 (train 40)
step 64 (eval 4)
false at step 54, true here; tested 6 of 16 steps

# what is read once does not go on
$ -batch --keep-going --no-follow -ex 'wait step 15' -ex 'wait step 1000' -ex 'wait 0' -ex 'wait end' tests/trials/killed_midrun
step 18 (train 15)
! smdbg: --no-follow reads no new steps: there is nothing to wait for.
! smdbg: --no-follow reads no new steps: there is nothing to wait for.
! smdbg: --no-follow reads no new steps: there is nothing to wait for.
? 4
