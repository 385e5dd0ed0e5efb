# from a NaN loss to where it began
$ -batch -ex bt tests/trials/mlp_exploding_tensor
#0  step 23  MSELoss_output_0  NaN
#1  step 4   MSELoss_output_0  NaN           first NaN
#2  step 1   MSELoss_output_0  |x| 1.78e+03  x 4.2e+02 since 0  origin
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.

$ -batch -ex 'bt MLP_fc0.weight -json -field frame,step,tensor,problem,last_good_step' tests/trials/mlp_exploding_tensor
[{"frame":0,"step":23,"tensor":"MLP_fc0.weight","problem":"nan","last_good_step":1},{"frame":1,"step":4,"tensor":"MLP_fc0.weight","problem":"nan","last_good_step":1},{"frame":2,"step":2,"tensor":"MLP_fc0.weight","problem":"exploding","last_good_step":1},{"frame":3,"step":1,"tensor":"MSELoss_output_0","problem":"exploding","last_good_step":0}]

$ -batch -ex 'bt 1' -ex 'up' -ex 'frame origin' -ex 'print $_step' -ex 'down 9' tests/trials/mlp_exploding_tensor
#0  step 23  MSELoss_output_0  NaN
(More frames follow: 2.)
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
#1  step 4  MSELoss_output_0  NaN  first NaN
#2  step 1  MSELoss_output_0  |x| 1.78e+03  x 4.2e+02 since 0  origin
$1 = 1
#0  step 23  MSELoss_output_0  NaN

# a tensor of zeros, a gradient that vanishes
$ -batch -ex 'bt -1' tests/trials/mlp_all_zero
#2  step 0  MLP_fc0.weight  all 320 are 0  first zero  origin
MLP_fc0.weight has no good value before: its first saved value is bad. "layers zero step 0" shows all layers.

$ -batch -ex bt -ex 'layers abs_mean in gradient/*weight step 0' tests/trials/mlp_vanishing_gradient
#0  step 36  gradient/MLP_fc0.weight  mean |x| 1.33e-09
#1  step 0   gradient/MLP_fc0.weight  mean |x| 9.11e-10  first so small
#2  step 0   gradient/MLP_fc2.bias    mean |x| 7.34e-08  first so small  origin
gradient/MLP_fc2.bias has no good value before: its first saved value is bad. "layers abs_mean step 0" shows all layers.
abs_mean of 10 tensors at step 0, in the order of writing
 #  NAME                          VALUE                            PROBLEM
 1  gradient/MLP_out.weight     0.13714  ████████████████████████  -
 2  gradient/MLP_fc8.weight   0.0071921  ████████████████████      -
 3  gradient/MLP_fc7.weight  0.00095221  █████████████████         -
 4  gradient/MLP_fc6.weight  0.00014195  ███████████████           -
 5  gradient/MLP_fc5.weight  1.2717e-05  ████████████              -
 6  gradient/MLP_fc4.weight  1.7004e-06  ██████████                -
 7  gradient/MLP_fc3.weight   2.385e-07  ███████                   -
 8  gradient/MLP_fc2.weight  3.9073e-08  █████                     vanishing  mean |x| 3.91e-08
 9  gradient/MLP_fc1.weight  4.8092e-09  ███                       vanishing  mean |x| 4.81e-09
10  gradient/MLP_fc0.weight  9.1131e-10  █                         vanishing  mean |x| 9.11e-10

# nothing to find
$ -batch -ex bt -ex 'bt -json' -ex 'bt CNN_fc1.weight step 44' tests/trials/cnn_healthy
No value up to step 101 is NaN, infinite or exploding, and none is vanishing or zero at the end. Looked at: 349 values of 29 tensors at 16 steps.
[]
Nothing is wrong with CNN_fc1.weight at step 44 (train 40): max |x| 0.691. "bt -worst" starts at the worst tensor.

$ -batch -ex 'bt nosuch' tests/trials/cnn_healthy
! smdbg: No tensor "nosuch". Try "tensors".
? 4

$ -batch -ex up tests/trials/cnn_healthy
! smdbg: Nothing is wrong here: there are no frames.  Try "bt".
? 4

# layers of what was saved as reductions only, and at steps that have nothing
$ -batch -ex 'layers l2 in CNN_fc*' tests/trials/cnn_reductions
l2 of 4 tensors at step 22 (train 20), in the order of writing
#  NAME              VALUE                            PROBLEM
1  CNN_fc0.weight   6.2372  ████████████████████████  -
2  CNN_fc0.bias    0.23981  ██                        -
3  CNN_fc1.weight   2.9983  ███████████████████       -
4  CNN_fc1.bias    0.19331  █                         -

$ -batch -ex 'layers step 7' tests/trials/cnn_healthy
! smdbg: None of these tensors was saved at step 7.
? 4

$ -batch -ex 'layers median' tests/trials/cnn_healthy
! smdbg: Undefined item "median" for layers.  Choose one of: abs_mean, abs_max, absmax, abs_min, abs_std, mean, std, variance, min, max, sum, prod, l1, l2, nan, inf, zero, size.
? 1

$ -batch -ex 'layers max in CNN_fc1.* step 10 -json' tests/trials/cnn_healthy
[{"layer":1,"name":"CNN_fc1.weight","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","statistic":"max","value":0.49514865875244141,"problem":null},{"layer":2,"name":"CNN_fc1.bias","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","statistic":"max","value":0.044053085148334503,"problem":null}]

# everything near a step
$ -batch -ex 'snapshot -around 40 -window 2' tests/trials/cnn_healthy
Steps 32 to 54, around 40
STEP  MODE   MODE-STEP  CrossEntropyLoss_output_0  scalar/accuracy  scalar/learning_rate
  32  EVAL           2                    0.93522             0.66                  0.02
  34  TRAIN         30                    0.69353            0.875                  0.02
  44  TRAIN         40                    0.39519           0.9375                  0.02
  54  TRAIN         50                    0.34978            0.875                  0.02
No rule is attached, so there are no findings. Try "rule auto".

$ -batch -ex 'snapshot -around 4 -window 1 -field step,value' -ex 'snapshot -around 3 -window 0 -json' tests/trials/mlp_exploding_tensor
STEP  VALUE
   3    inf
   4    nan
   5    nan
{"around":3,"first":3,"last":3,"scalars":[{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MSELoss_output_0","value":"inf"}],"bad_values":[{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_fc0.bias","problem":"exploding","what":"max |x| 9.07e+10"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_fc0.weight","problem":"exploding","what":"max |x| 1.22e+11"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_fc1.bias","problem":"exploding","what":"max |x| 3.51e+09"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_fc1.weight","problem":"exploding","what":"max |x| 3.39e+12"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_fc2.bias","problem":"exploding","what":"max |x| 6.19e+08"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_fc2.weight","problem":"exploding","what":"max |x| 4e+13"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_out.bias","problem":"exploding","what":"max |x| 5.59e+06"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MLP_out.weight","problem":"exploding","what":"max |x| 2.08e+12"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"MSELoss_output_0","problem":"inf","what":"Inf"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_fc0.bias","problem":"nan","what":"12 NaN of 12"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_fc0.weight","problem":"nan","what":"240 NaN of 240"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_fc1.bias","problem":"nan","what":"3 NaN of 12"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_fc1.weight","problem":"nan","what":"36 NaN of 144"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_fc2.bias","problem":"inf","what":"5 Inf of 12"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_fc2.weight","problem":"nan","what":"55 NaN of 144"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_out.bias","problem":"inf","what":"1 Inf of 3"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"gradient/MLP_out.weight","problem":"nan","what":"7 NaN of 36"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"relu0_input_0","problem":"exploding","what":"max |x| 5.58e+11"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"relu0_output_0","problem":"exploding","what":"max |x| 2.18e+11"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"relu1_input_0","problem":"exploding","what":"max |x| 9.9e+23"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"relu1_output_0","problem":"exploding","what":"max |x| 5.57e+19"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"relu2_input_0","problem":"exploding","what":"max |x| 6.28e+28"},{"step":3,"mode":"GLOBAL","mode_step":3,"worker":"worker_0","name":"relu2_output_0","problem":"exploding","what":"max |x| 2.43e+27"}],"findings":[],"problems":[]}

$ -batch -ex 'snapshot -window -1' tests/trials/cnn_healthy
! smdbg: Integer -1 out of range: 0 to 10000.
? 1

# two workers of one trial, and trials side by side
$ -batch -ex 'diff worker_0 worker_1 in MLP_*' -ex 'diff worker_0 worker_1 -field name,status -csv' tests/trials/ddp_two_workers
a: ddp_two_workers worker_0
b: ddp_two_workers worker_1
No divergence at 10 common steps.
6 equal, 0 close, 0 different, 0 incomparable.
name,status
gradient/MLP_fc1.weight,different
gradient/MLP_fc0.weight,different
gradient/MLP_out.weight,different
gradient/MLP_fc0.bias,different
gradient/MLP_fc1.bias,different
gradient/MLP_out.bias,different
CrossEntropyLoss_output_0,different
MLP_fc0.bias,equal
MLP_fc0.weight,equal
MLP_fc1.bias,equal
MLP_fc1.weight,equal
MLP_out.bias,equal
MLP_out.weight,equal

$ -batch -ex 'diff train eval in *bias' tests/trials/cnn_healthy
a: cnn_healthy TRAIN
b: cnn_healthy EVAL
First divergence: step 0, CNN_conv0.bias: max |a - b| 0.179, 4 of 4 beyond the limits.
NAME            STEP   MAX-ABS  MAX-REL         ULP  BEYOND  SIZE  STATUS
CNN_conv0.bias     0   0.17896        1  1043808354       4     4  different
CNN_conv1.bias     0  0.061667        1  1031575154       8     8  different
CNN_fc0.bias       0  0.053126        1  1029282508      24    24  different
CNN_fc1.bias       0   0.16375        1  1042787949      10    10  different
INCOMPARABLE             WHY
gradient/CNN_conv0.bias  no step in common
gradient/CNN_conv1.bias  no step in common
gradient/CNN_fc0.bias    no step in common
gradient/CNN_fc1.bias    no step in common
0 equal, 0 close, 4 different, 4 incomparable.

$ -batch -ex 'diff train eval in *fc1.bias' tests/trials/cnn_reductions
a: cnn_reductions TRAIN
b: cnn_reductions EVAL
Nothing can be compared.
INCOMPARABLE           WHY
CNN_fc1.bias           only reductions or shapes saved
gradient/CNN_fc1.bias  only reductions or shapes saved
0 equal, 0 close, 0 different, 2 incomparable.
? 4

$ -batch -ex 'set batch-exit on' -ex 'diff @10 @20 in CNN_fc1.bias -json' tests/trials/cnn_healthy
{"a":"cnn_healthy step 10","b":"cnn_healthy step 20","config":[],"first_divergence":{"step":10,"tensor":"CNN_fc1.bias","worker":null},"tensors":[{"name":"CNN_fc1.bias","step":10,"max_abs":0.066305249929428101,"max_rel":0.64233575646685759,"ulp":12040810,"status":"different","beyond":10,"size":10,"steps":1,"why":null,"worker":null,"other":null,"equal_as":null,"like":null,"transposed":false,"shape_a":null,"shape_b":null}]}
? 3

$ -batch -ex 'add-trial tests/trials/many_steps as many' -ex 'trial many -field current,name' -ex 'remove-trial 1' -ex 'info trials -csv -field number,name' tests/trials/cnn_healthy
Trial 2, many: many_steps: smdebug trial, 1 worker, ended
240 steps (TRAIN 0..1195), 60 tensors in 7 collections
   NAME
   cnn_healthy
*  many
Closed cnn_healthy.
number,name
1,many

# integers may be large, trees say NaN where a feature is missing; no steps, no numbers
$ -batch -ex bt tests/trials/typed_reductions
No value up to step 1 is NaN, infinite or exploding, and none is vanishing or zero at the end. Looked at: 10 values of 5 tensors at 2 steps.

$ -batch -ex bt tests/trials/xgb_classifier
No value up to step 20 is NaN, infinite or exploding, and none is vanishing or zero at the end. Looked at: 315 values of 63 tensors at 5 steps; 35 without numbers.

$ -batch --keep-going -ex bt -ex layers -ex snapshot tests/trials/killed_at_start
! smdbg: There are no steps yet.
! smdbg: There are no steps yet.
! smdbg: There are no steps yet.
? 4

$ -batch -ex bt -ex 'layers -field value' tests/trials/shapes_only
No value up to step 9 is NaN, infinite or exploding, and none is vanishing or zero at the end. Looked at: 12 values of 3 tensors at 4 steps.
 VALUE
     -
     -
1.0546

# a complex tensor has no largest |x|
$ -batch -ex "snapshot save $T/c.smdz complex64/x" -ex "open $T/c.smdz" -ex bt "$(sh tests/lang/files/complex_nan.sh "$T")" | grep -v Saved
No rule is attached, so no findings are in it. Try "rule auto" before.
c.smdz: archive of a smdebug trial, 1 worker, ended
4 steps (TRAIN 0..3), 1 tensor in 6 collections
#0  step 3  complex64/x  NaN  origin
Last good: complex64/x at step 2, no NaN or Inf. "goto 2" goes there, "layers nan step 3" shows all layers.

# what could not be read is said once
$ -batch --allow-shell -ex "shell cp -R tests/trials/killed_midrun $T/u" -ex "shell printf XXXX | dd of=$T/u/events/000000000003/000000000003_worker_0.tfevents conv=notrunc bs=1 seek=30 status=none" -ex "open $T/u" -ex bt | tail -n +3
No value up to step 18 is NaN, infinite or exploding, and none is vanishing or zero at the end. Looked at: 183 values of 23 tensors at 9 steps.
1 of 183 could not be read; see "info errors".
