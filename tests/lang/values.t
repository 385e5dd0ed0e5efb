# printf: numbers, texts, widths; the line end comes by itself
$ -batch -ex 'printf "%d|%5.2f|%-6s|%06d|%+d|%x|%%|%s\n", 3, 1.005, "ab", -42, 7, 255, 0.1' -ex 'printf "no arguments\n"'
3| 1.00|ab    |-00042|+7|ff|%|0.1
no arguments

$ -batch -ex 'goto 10' -ex 'printf "mean %.4f at step %d of %s\n", mean(CNN_fc1.weight), $_step, CNN_conv0.bias' tests/trials/cnn_healthy
step 10 (train 10)
mean 0.0036 at step 10 of float32 (4,)

$ -batch --keep-going -ex 'printf "%d\n", 1, 2' -ex 'printf "%d %d\n", 1' -ex 'printf "%q\n", 1' -ex 'printf "%d\n", "x"' -ex 'printf hello' -ex 'printf "%d\n", nan' -ex 'printf "%s\n" 1'
! smdbg: Wrong number of arguments for the format: expected 1, got 2.
! smdbg: Wrong number of arguments for the format: expected 2, got 1.
! smdbg: Bad format "%q": use %d %u %x %o %c %f %e %g %s or %%.
! smdbg: %d needs a number, not x.
! smdbg: Expected a format in double quotes: printf "%g\n", EXPR.
! smdbg: %d needs a number of 64 bits, not nan.
! smdbg: Expected a comma after the format.
? 1

# output keeps nothing
$ -batch -ex 'output/.3f 2.5' -ex 'output CNN_conv0.bias@10' -ex 'print 1' tests/trials/cnn_healthy
2.500float32 (4,)
[ 0.004521   -0.00398684 -0.08378921 -0.02587149]
$1 = 1

# assert: status 3 says that a claim is wrong, others that it could not be looked at
$ -batch -ex 'assert 1 < 2' -ex 'assert mean(CNN_fc1.weight) > 1, "too small"' tests/trials/cnn_healthy
! smdbg: Assertion failed: too small.
? 3

$ -batch -ex 'assert q(CNN_conv0.bias, 0.5) > 3' tests/trials/cnn_healthy
! smdbg: Assertion failed: q(CNN_conv0.bias, 0.5) > 3.
? 3

$ -batch -ex 'assert nan == nan, nan is no number'
! smdbg: Assertion failed: nan is no number.
? 3

$ -batch -ex 'assert CNN_conv0.bias@5 > 1' tests/trials/cnn_healthy
! smdbg: CNN_conv0.bias was not saved at step 5 (nearest 0, 10).
? 4

$ -batch -ex 'assert 1 +'
! smdbg: Unexpected end of the expression at column 4.
? 1

# with: for one command, also when that fails
$ -batch -ex 'with print precision 3 -- tensor CNN_conv0.bias step 10' -ex 'show print precision' tests/trials/cnn_healthy
CNN_conv0.bias  step 10 (train 10)  float32 (4,)
[ 0.005 -0.004 -0.084 -0.026]
The current value of 'print precision' is "8".

$ -batch --keep-going -ex 'with print precision 3 -- nosuch' -ex 'show print precision'
The current value of 'print precision' is "8".
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -ex '-with print precision 3 -- nosuch' -ex 'with print elements 5 -- with print precision 2 -- show print precision' -ex 'show print elements'
The current value of 'print precision' is "2".
The current value of 'print elements' is "200".
! smdbg: Undefined command: "nosuch".  Try "help".

$ -batch --keep-going -ex 'with print precision 3' -ex 'with nosuch 3 -- print 1' -ex 'with print precision many -- print 1'
! smdbg: Usage: with SETTING VALUE -- COMMAND
! smdbg: Undefined set command: "nosuch".  Try "help set".
! smdbg: Invalid number "many".
? 1

# the last ten values, or ten around one
$ -batch -ex 'p 1' -ex 'p 2' -ex 'p 3' -ex 'p 4' -ex 'p 5' -ex 'p 6' -ex 'p 7' -ex 'p 8' -ex 'p 9' -ex 'p 10' -ex 'p 11' -ex 'show values' -ex 'show values 1 -json'
$1 = 1
$2 = 2
$3 = 3
$4 = 4
$5 = 5
$6 = 6
$7 = 7
$8 = 8
$9 = 9
$10 = 10
$11 = 11
$2 = 2
$3 = 3
$4 = 4
$5 = 5
$6 = 6
$7 = 7
$8 = 8
$9 = 9
$10 = 10
$11 = 11
[{"name":"$1","type":"number","value":"1"},{"name":"$2","type":"number","value":"2"},{"name":"$3","type":"number","value":"3"},{"name":"$4","type":"number","value":"4"},{"name":"$5","type":"number","value":"5"}]

$ -batch -ex 'p 7' -ex 'p 8' -ex 'p $ + $$' -ex 'p $1 * $$2' -ex 'p $$0'
$1 = 7
$2 = 8
$3 = 15
$4 = 49
$5 = 49

$ -batch -ex 'x/3 CNN_fc1.bias' -ex 'print $_' -ex 'print $__' -ex 'x/2d labels step 10' -ex 'output $__' tests/trials/cnn_healthy
CNN_fc1.bias+0:  -0.027403707  -0.014167731  0.13435023
$1 = 2
$2 = 0.13435023
labels+0:  2  1
1

$ -batch -ex 'set $a = 2' -ex 'set $b = $a * 3' -ex 'show convenience -json -field name' -ex 'print $b'
[{"name":"$_trial"},{"name":"$_tensor"},{"name":"$_mode"},{"name":"$_worker"},{"name":"$_step"},{"name":"$_exitcode"},{"name":"$_failures"},{"name":"$a"},{"name":"$b"}]
$1 = 6

# a NaN has no sign, whatever the bits of the one that was saved
$ -batch -ex 'printf "%g|%8.2f|%+e|%-6g|%f\n", MSELoss_output_0@4, MSELoss_output_0@4, -inf, nan, inf' -ex 'p/f MSELoss_output_0@4' -ex 'x/1f MSELoss_output_0@4' -ex 'dprintf *Loss*,"%g\n",mean($t)' tests/trials/mlp_exploding_tensor
nan|     nan|-inf|nan   |inf
$1 = nan
MSELoss_output_0+0:  nan
Dprintf 1 at *Loss* (1 tensor)

# what the value history has not got is no void, but a value in it may be
$ -batch --keep-going -ex 'p $' -ex 'p $nosuch' -ex 'p $1' -ex 'p $3' -ex 'p $$1' -ex 'p $$9' -ex 'set $x = $99'
$1 = void
$2 = void
$3 = void
! smdbg: The history is empty.
! smdbg: History has not yet reached $3.
! smdbg: History does not go back to $$9.
! smdbg: History has not yet reached $99.
? 1

$ -batch -ex 'info display' -ex 'info display -json'
There are no auto-display expressions now.
[]

# as in gdb a line ends where \n stands: echo, printf and output make one together
$ -batch -ex 'set $i = 0' -ex 'while $i < 3' -ex 'printf "%d ", $i' -ex 'set $i = $i + 1' -ex end -ex 'echo \n' -ex 'echo sum=' -ex 'output 1 + 2' -ex 'echo \ and\n' -ex 'echo "a  b"\n' -ex 'echo say "x"\n' -ex 'echo open'
0 1 2 
sum=3 and
a  b
say "x"
open

# print elements limits what find and tensor ... where list; -a lists all; programs get at least 1000
$ -batch -ex 'set print elements 2' -ex 'find 0:1 in CNN_fc1.bias' -ex 'tensor CNN_fc1.bias where x > 0' -ex 'find 0:1 in CNN_fc1.bias -a' -ex 'find 0:1 in CNN_fc1.bias -json -field index' -ex 'set print elements unlimited' -ex 'find 0:1 in CNN_fc1.bias' tests/trials/cnn_healthy
NAME          STEP  INDEX    VALUE
CNN_fc1.bias   100  (2,)   0.13435
CNN_fc1.bias   100  (3,)   0.15975
4 elements found in 1 tensor; the first 2 are listed, -a or "set print elements" list more.
CNN_fc1.bias  step 100 (eval 10)  float32 (10,)
INDEX    VALUE
(2,)   0.13435
(3,)   0.15975
4 of 10 elements; the first 2 are listed, -a or "set print elements" list more.
NAME          STEP  INDEX     VALUE
CNN_fc1.bias   100  (2,)    0.13435
CNN_fc1.bias   100  (3,)    0.15975
CNN_fc1.bias   100  (6,)   0.080435
CNN_fc1.bias   100  (8,)   0.087515
4 elements found in 1 tensor.
[{"index":[2]},{"index":[3]},{"index":[6]},{"index":[8]}]
NAME          STEP  INDEX     VALUE
CNN_fc1.bias   100  (2,)    0.13435
CNN_fc1.bias   100  (3,)    0.15975
CNN_fc1.bias   100  (6,)   0.080435
CNN_fc1.bias   100  (8,)   0.087515
4 elements found in 1 tensor.

# settings without effect are accepted, as in old scripts, and not listed
$ -batch -ex 'set sessions all' -ex 'show sessions' -ex 'set tui start-mode command' -ex 'with sessions 3 -- print 1' -ex 'complete set sess'
The setting "sessions" has no effect.
The current value of 'sessions' is "all".
The setting "tui start-mode" has no effect.
$1 = 1
