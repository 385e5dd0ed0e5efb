# x for programs, and its formats
$ -batch -ex 'x/2g CNN_fc1.bias step 10 -json' -ex 'x/2x CNN_fc1.bias step 10 -json' -ex 'x/2 CNN_fc1.bias step 10 -csv' -ex 'x -jsonl' tests/trials/cnn_healthy
{"name":"CNN_fc1.bias","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","elements":[{"index":0,"value":-0.0253201723},{"index":1,"value":0.0217096973}]}
{"name":"CNN_fc1.bias","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","elements":[{"index":0,"value":"0xbccf6c40"},{"index":1,"value":"0x3cb1d889"}]}
index,value
0,0xbccf6c40
1,0x3cb1d889
{"index":2,"value":"0x3c472e1d"}
$ -batch -ex 'x/12b CNN_fc1.bias' tests/trials/cnn_healthy
CNN_fc1.bias+0:  ▄▄▇▇▃▃▆▁▆▁
$ -batch -ex 'x/4u int8/signed' -ex 'x/4c uint8/image' -ex 'x/2u float32/special' -ex 'x/b string/list' tests/trials/dtypes
int8/signed+0:  128  255  0  1
uint8/image+0:  124 '|'  149 '\225'  141 '\215'  66 'B'
float32/special+0:  nan  inf
! smdbg: Elements of type string cannot be drawn.
? 1
$ -batch -ex 'x/4m CNN_fc1.bias' tests/trials/cnn_healthy
CNN_fc1.bias+0:  4 elements
········████████
········████████
-0.027 ···░░░░▒▒▒▓▓▓███ 0.160
$ -batch -ex 'print/c 39' -ex 'print/c 200' -ex 'print/u 3' -ex 'print/c 0.5'
$1 = 39 '\''
$2 = 200 '\310'
$3 = 3
$4 = 0 '\000'

# why for programs
$ -batch -ex 'why CNN_fc1.bias 33 -json' -ex 'why CNN_fc1.bias 30 -json' -ex 'why gradient/CNN_fc1.bias 30 -field step,saved,reason,nearest' tests/trials/cnn_healthy
{"name":"CNN_fc1.bias","step":33,"worker":null,"saved":false,"reason":"no-step","nearest":[32,34],"message":"No value of CNN_fc1.bias at step 33: nothing was saved at that step. Nearest: 32, 34."}
{"name":"CNN_fc1.bias","step":30,"worker":null,"saved":true,"reason":"saved","nearest":[20,32],"message":"CNN_fc1.bias has a value at step 30."}
STEP     30
SAVED    false
REASON   mode
NEAREST  20,34
$ -batch -ex 'why nosuch -json' tests/trials/cnn_healthy
! smdbg: No tensor "nosuch". Try "tensors".
? 4
$ -batch -ex 'why CNN_fc1.bias 13 -field saved,reason' tests/trials/cnn_reductions
SAVED   false
REASON  reductions-only

# print writes elements as x does: a whole number as such, others and what is stored as float32 by their bits
$ -batch -ex 'print/x CNN_fc1.bias@10[:3]' -ex 'x/3x CNN_fc1.bias step 10' -ex 'print/x CNN_fc1.bias@10[0]' -ex 'print/t 5' -ex 'print/t 0' -ex 'print/x 1.5' -ex 'print/x 16*16' -ex 'print/r 5' -ex 'print/d 1 == 1' -ex 'print/.3f CNN_fc1.bias@10[:3]' -ex 'print/.3g 1/3' tests/trials/cnn_healthy
$1 = float32 (3,)
[0xbccf6c40 0x3cb1d889 0x3c472e1d]
CNN_fc1.bias+0:  0xbccf6c40  0x3cb1d889  0x3c472e1d
$2 = 0xbccf6c40
$3 = 101
$4 = 0
$5 = 0x3ff8000000000000
$6 = 0x100
$7 = 05 00 00 00 00 00 00 00
$8 = 1
$9 = float32 (3,)
[-0.025  0.022  0.012]
$10 = 0.333

# drawings: of what is left, or of so many
$ -batch --keep-going -ex 'print/b CNN_fc1.bias@10' -ex 'print/b CrossEntropyLoss_output_0@all' -ex 'print/h CNN_fc1.weight@10' -ex 'x/20h CNN_fc1.weight step 10' -ex 'x/m CNN_conv0.weight[0,0] step 10' -ex 'print/h "a"' -ex 'display/h 1' tests/trials/cnn_healthy
$1 = float32 (10,)
▃▆▅▇▄▆▆▃▇▁
$2 = series of 15 points
▇▃▃▃▃▂▂▂▂▂▂▁▁▁▁
$3 = float32 (10, 24)
[-0.48, -0.38)   5 ████
[-0.38, -0.29)   9 ███████▌
[-0.29, -0.19)  27 ██████████████████████
[-0.19, -0.09)  35 ████████████████████████████▌
[-0.09, 0.007)  49 ████████████████████████████████████████
[0.007,  0.10)  43 ███████████████████████████████████
[ 0.10,  0.20)  31 █████████████████████████▌
[ 0.20,  0.30)  29 ███████████████████████▌
[ 0.30,  0.40)  10 ████████
[ 0.40,  0.50]   2 █▌
CNN_fc1.weight+0:  20 elements
[ -0.42,  -0.35)  1 ████████
[ -0.35,  -0.28)  0
[ -0.28,  -0.21)  3 ████████████████████████
[ -0.21,  -0.14)  1 ████████
[ -0.14,  -0.07)  3 ████████████████████████
[ -0.07, -0.004)  0
[-0.004,   0.07)  4 ████████████████████████████████
[  0.07,   0.13)  3 ████████████████████████
[  0.13,   0.20)  0
[  0.20,   0.27]  5 ████████████████████████████████████████
CNN_conv0.weight+0:  25 elements
▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▒▒▒▒········▓▓▓▓····
▒▒▒▒········▓▓▓▓····
░░░░░░░░▒▒▒▒░░░░████
░░░░░░░░▒▒▒▒░░░░████
▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓████
▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓████
-0.57 ···░░░░▒▒▒▓▓▓███ 0.50
! smdbg: A string cannot be drawn.
! smdbg: display does not draw: /h is for print and x.
? 1

# /f without a precision keeps the digits of the type, as in gdb
$ -batch -ex 'x/3f CNN_fc1.bias step 10' -ex 'print/f 1/3' -ex 'print/f 1e300' -ex 'print/.3f 1/3' -ex 'x/2.2f CNN_fc1.bias' -ex 'print/f 3' tests/trials/cnn_healthy
CNN_fc1.bias+0:  -0.0253201723  0.0217096973  0.0121569904
$1 = 0.33333333333333331
$2 = 1.0000000000000001e+300
$3 = 0.333
CNN_fc1.bias+0:  -0.03  0.02
$4 = 3
