# where an expression takes its numbers from
$ -batch -ex 'info expr mean(CNN_fc1.weight) / l2(CNN_fc1.bias@10)' -ex 'info expr CNN_fc1.weight[0] * size(CNN_fc1.bias) + slope(CNN_fc1.bias, 3)' -ex 'info expr std(gradient/CNN_fc1.bias@30)' tests/trials/cnn_healthy
TENSOR          ASKED  STEP  WORKER  FROM
CNN_fc1.weight  mean    100  -       statistics
CNN_fc1.bias    l2       10  -       statistics
TENSOR          ASKED  STEP  WORKER  FROM
CNN_fc1.weight  -       100  -       payload
CNN_fc1.bias    size    100  -       head
CNN_fc1.bias    slope     -  -       series
TENSOR                 ASKED  STEP  WORKER  FROM     WHY
gradient/CNN_fc1.bias  std      30  -       nowhere  gradient/CNN_fc1.bias was not saved at step 30
                                                     (nearest 20, 34)
$ -batch -ex 'info expr mean(CNN_fc1.bias) + std(CNN_fc1.bias)' -ex 'info expr mean(CNN_fc1.bias) -json' tests/trials/cnn_reductions
TENSOR        ASKED  STEP  WORKER  FROM             WHY
CNN_fc1.bias  mean     22  -       saved reduction  -
CNN_fc1.bias  std      22  -       nowhere          CNN_fc1.bias has no value at step 22, only
                                                    reductions or its shape
[{"tensor":"CNN_fc1.bias","asked":"mean","step":22,"worker":null,"from":"saved reduction","why":null}]
$ -batch -ex 'info expr mean(MLP_fc1.bias@0/worker_1)' -ex 'info expr 1 + 2' tests/trials/ddp_two_workers
TENSOR        ASKED  STEP  WORKER    FROM
MLP_fc1.bias  mean      0  worker_1  statistics
$ -batch --keep-going -ex 'info expr' -ex 'info expr nosuch' -ex 'info expr 1 +' tests/trials/cnn_healthy
! smdbg: Argument required (EXPR).  Try "help expr".
! smdbg: No tensor "nosuch".
! smdbg: Unexpected end of the expression at column 4.
? 1

# what fills the disk, and what a tensor is
$ -batch -ex 'info size' -ex 'ptype CNN_fc1.bias' tests/trials/cnn_healthy
COLLECTION            TENSORS  VALUES      BYTES
all                         0       0        0 B
biases                      4      60    8.9 KiB
conv0_tensors               6      68    1.0 MiB
custom_labels               1      20    7.3 KiB
custom_probabilities        1      20   29.7 KiB
default                     0       0        0 B
gradients                   8      72  161.0 KiB
losses                      1      15    1.5 KiB
relu_input                  3      30  556.4 KiB
relu_output                 3      30  556.5 KiB
weights                     4      60  256.2 KiB
29 tensors, 16 steps, 2679437 bytes of records: 167464 per step. A tensor counts in each of its collections.
type         float32
shape        (10,)
collections  biases
saves        biases every 10 steps of TRAIN,biases every 2 steps of EVAL,biases every step of PREDICT,biases every 10 steps of GLOBAL
reductions   -
modes        TRAIN,EVAL
steps        15
$ -batch -ex 'info size -csv' tests/trials/cnn_reductions
name,tensors,values,bytes
activations,3,144,193514
all,0,0,0
biases,4,512,57664
default,0,0,0
gradients,8,528,64264
histograms,4,460,54094
losses,1,8,793
weights,4,512,58688

# watchpoints are told from breakpoints
$ -batch -ex 'info watchpoints' -ex 'break step' -ex 'watch CNN_fc1.bias' -ex 'info watchpoints' -ex 'info watchpoints -field number,type' tests/trials/cnn_healthy
No watchpoints.
Breakpoint 1 at every step
Watchpoint 2: CNN_fc1.bias (1 tensor)
Num  Type        Disp  Enb  Hits  What
2    watchpoint  keep  y       0  CNN_fc1.bias
Num  Type
  2  watchpoint

# the environment, and colours that are forced
$ TMUX=x -batch --allow-shell -ex 'info environment | grep -E "TERM|TMUX|characters|HOME"'
characters       UTF-8         of the locale; decides how plots are drawn
LC_ALL           C.UTF-8       characters and their width
TERM             dumb          the type of the terminal; the dashboard needs a known type
COLORTERM        -             truecolor or 24bit: all colours
TMUX             x             set: sixel and kitty graphics only on request
HOME             /nonexistent  init file, rules, history
XDG_CONFIG_HOME  -             init file, rules, layouts, keys; $HOME/.config
XDG_STATE_HOME   -             history and the state of the dashboard; $HOME/.local/state
$ TERM=xterm-256color CLICOLOR_FORCE=1 NO_COLOR=1 -batch -ex 'heatmap CNN_fc1.weight[:2,:2] step 10 -w 4 -h 3' tests/trials/cnn_healthy
CNN_fc1.weight[:2,:2]  step 10 (train 10)  float32 (2, 2)
[0;38;5;60m[48;5;60m▀▀[0;38;5;53m[48;5;53m▀▀[0m
[0;38;5;30m[48;5;30m▀▀[0;38;5;220m[48;5;220m▀▀[0m
\
$ TERM=xterm-256color CLICOLOR_FORCE=0 -batch -ex 'heatmap CNN_fc1.weight[:2,:2] step 10 -w 4 -h 3' tests/trials/cnn_healthy
CNN_fc1.weight[:2,:2]  step 10 (train 10)  float32 (2, 2)
░░··
▒▒██
\
