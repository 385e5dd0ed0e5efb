# several steps: a row each
$ -batch -ex 'stat CNN_conv0.bias step 10:30 -field step,mode,size,nan' tests/trials/cnn_healthy
STEP  MODE   size  NAN
  10  TRAIN     4    0
  20  TRAIN     4    0

$ -batch -ex 'stat CNN_conv0.bias 10..30 -field step,mode,mode_step' tests/trials/cnn_healthy
STEP  MODE   MODE-STEP
  10  TRAIN         10
  20  TRAIN         20
  30  EVAL           0

$ -batch -ex 'stat CNN_conv0.bias@eval:2 -field step,mode_step' tests/trials/cnn_healthy
step       32
mode step  2

$ -batch -ex 'stat CNN_conv0.bias step 1:9' tests/trials/cnn_healthy
! smdbg: CNN_conv0.bias was not saved at any of the steps 1:9.
? 4

$ -batch -ex 'info steps 0:40 mode eval -field step,mode_step' tests/trials/cnn_healthy
STEP  MODE-STEP
  30          0
  32          2
  64          4
  66          6
  98          8
 100         10
 101         11

$ -batch -ex 'info steps 5:8' tests/trials/cnn_healthy
No such steps.

# tensors saved at any of them
$ -batch -ex 'tensors step 32..32 -field name' tests/trials/cnn_healthy
NAME
CNN_conv0.bias
CNN_conv0.weight
CNN_conv1.bias
CNN_conv1.weight
CNN_fc0.bias
CNN_fc0.weight
CNN_fc1.bias
CNN_fc1.weight
CrossEntropyLoss_output_0
labels
probabilities
scalar/accuracy
scalar/learning_rate

$ -batch -ex 'tensors step 3' tests/trials/cnn_healthy
! smdbg: No matching tensor was saved at step 3.
? 4

# a name and a place in one word
$ -batch -ex 'tensor CNN_conv0.bias@eval:2' tests/trials/cnn_healthy
CNN_conv0.bias  step 32 (eval 2)  float32 (4,)
[ 0.00466148 -0.06252931 -0.17895654  0.00970473]

$ -batch -ex 'tensor CNN_conv0.bias@10/worker_7' tests/trials/cnn_healthy
! smdbg: No worker "worker_7".  Workers: worker_0.
? 4

# in expressions
$ -batch -ex 'print CrossEntropyLoss_output_0@~33' -ex 'print CrossEntropyLoss_output_0@eval:~5' tests/trials/cnn_healthy
$1 = 0.935216
$2 = 0.2997318

$ -batch -ex 'print CrossEntropyLoss_output_0@10..30' -ex 'print CrossEntropyLoss_output_0@eval:0:4' tests/trials/cnn_healthy
$1 = series of 3 points
STEP    VALUE
  10     1.31
  20  0.96209
  30  0.94722
$2 = series of 2 points
STEP    VALUE
  30  0.94722
  32  0.93522

$ -batch -ex 'print CrossEntropyLoss_output_0@-99h == CrossEntropyLoss_output_0@first' tests/trials/cnn_healthy
$1 = true

# the modes of a series are told apart
$ -batch -ex 'series CrossEntropyLoss_output_0 mode eval -field step,mode,mode_step' tests/trials/cnn_healthy
STEP  MODE  MODE-STEP
  30  EVAL          0
  32  EVAL          2
  64  EVAL          4
  66  EVAL          6
  98  EVAL          8
 100  EVAL         10

# a step by the clock is known once the times are read
$ -batch -ex 'layers abs_max in *fc1* step @-100ms' tests/trials/cnn_healthy
abs_max of 4 tensors at step 34 (train 30), in the order of writing
#  NAME                       VALUE                            PROBLEM
1  CNN_fc1.weight           0.63551  ████████████████████████  -
2  CNN_fc1.bias             0.16375  ████████                  -
3  gradient/CNN_fc1.bias    0.08302  █                         -
4  gradient/CNN_fc1.weight  0.46008  ████████████████████      -

$ -batch -ex 'diff @30 @-100ms in CNN_conv0.bias' tests/trials/cnn_healthy
a: cnn_healthy step 30
b: cnn_healthy step 34
No divergence at 1 common step.
1 equal, 0 close, 0 different, 0 incomparable.

$ -batch -ex 'diff @-100ms @30 in CNN_conv0.bias -csv' tests/trials/cnn_healthy
name,step,max_abs,max_rel,ulp,beyond,size,status,why,worker,other,equal_as,like,transposed,shape_a,shape_b
CNN_conv0.bias,34,0,0,0,0,4,equal,,,,,,false,,

$ -batch -ex 'snapshot -around @-100ms -window 0' tests/trials/cnn_healthy
Steps 34 to 34, around 34
STEP  MODE   MODE-STEP  CrossEntropyLoss_output_0  scalar/accuracy  scalar/learning_rate
  34  TRAIN         30                    0.69353            0.875                  0.02
No rule is attached, so there are no findings. Try "rule auto".

$ -batch -ex 'bt 1 MSELoss_output_0 step @-99h' -ex 'bt 1 MSELoss_output_0 step @-100ms' tests/trials/mlp_exploding_tensor
Nothing is wrong with MSELoss_output_0 at step 0: |x| 4.23. "bt -worst" starts at the worst tensor.
#0  step 4  MSELoss_output_0  NaN
(More frames follow: 1.)
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
