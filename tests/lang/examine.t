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
! smdbg: Elements of type string are not drawn as bars.
? 1
$ -batch -ex 'x/4m CNN_fc1.bias' tests/trials/cnn_healthy
! smdbg: x draws no heat map: "heatmap NAME" does.
? 1
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
