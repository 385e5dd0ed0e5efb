# a trial in one file is the same trial
$ -batch -ex "snapshot save $T/a.smdz -json -field file,steps,tensors,values,unread,rules" -ex "add-trial $T/a.smdz" -ex 'diff 1 2' tests/trials/ddp_two_workers
{"file":"$T/a.smdz","steps":10,"tensors":13,"values":260,"unread":0,"rules":0}
Trial 2: a.smdz: archive of a smdebug trial, 2 workers, ended
10 steps (TRAIN 0..18), 13 tensors in 6 collections
a: ddp_two_workers
b: a.smdz
The configuration is the same.
No divergence at 10 common steps.
13 equal, 0 close, 0 different, 0 incomparable.

# and opens like one
$ -batch -ex "snapshot save $T/a.smdz -field values" -ex "open $T/a.smdz" -ex 'info trial -json -field name,kind,state,workers,steps,tensors,collections' -ex doctor tests/trials/cnn_healthy
values  369
a.smdz: archive of a smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
{"name":"a.smdz","kind":"snapshot","state":"ended","workers":["worker_0"],"steps":16,"tensors":29,"collections":11}
PART         VERDICT  FINDING                                             LIKELY CAUSE
archive      ok       of cnn_healthy, state ended; selection: everything  -
index        ok       16 steps, 29 tensors                                -
collections  ok       11 collections, num_workers 1                       -

# a part of it, by its statistics
$ -batch -ex "snapshot save $T/a.smdz +gradients step 0:60:10 mode train -stats-only -json -field steps,tensors,values,stats_only" -ex "open $T/a.smdz" -ex 'stat gradient/CNN_fc1.bias' -ex 'series mean(gradient/CNN_fc1.bias) -csv -field step,value' -ex 'health gradient/CNN_fc*' -ex doctor -ex 'tensor gradient/CNN_fc1.bias step 44' tests/trials/cnn_healthy
{"steps":6,"tensors":8,"values":48,"stats_only":48}
a.smdz: archive of a smdebug trial, 1 worker, ended
6 steps (TRAIN 0..50), 8 tensors in 11 collections
gradient/CNN_fc1.bias  step 54 (train 50)  float32
min          -0.0982656   max          0.0768973    mean         -1.19762e-09
std          0.042041     variance     0.00176745   median       0.000958885
sum          -1.19762e-08 prod         -2.49988e-23
l1           0.248052     l2           0.132945
abs_min      0.000204296  abs_max      0.0982656    abs_mean     0.0248052
abs_std      0.0339433    abs_variance 0.00115215   abs_median   0.00333043
abs_sum      0.248052
p1           -0.0914198   p5           -0.0640364   p25          -0.0026187
p75          0.00285432   p95          0.0601998    p99          0.0735578
size         10           zero         0            nan          0
pos          7            neg          3
pos_inf      0            neg_inf      0
step,value
0,1.1175870895385742e-09
10,8.381903171539307e-10
20,-2.262504494865425e-09
34,3.725290298461914e-09
44,-2.2118911147117615e-09
54,-1.1976226232945919e-09
gradient/CNN_fc0.bias   ▒▒▒▒░░░░░░░░░░░░········
gradient/CNN_fc0.weight ▒▒▒▒░░░░▒▒▒▒░░░░········
gradient/CNN_fc1.bias   ▓▓▓▓▒▒▒▒▓▓▓▓▒▒▒▒░░░░░░░░
gradient/CNN_fc1.weight ▓▓▓▓▒▒▒▒████░░░░░░░░░░░░
                         0                  54
                        0.0054 ···░░░░▒▒▒▓▓▓███ 0.300 abs_mean, log
PART         VERDICT  FINDING                                                           LIKELY CAUSE
archive      ok       of cnn_healthy, state ended; selection: +gradients step 0:60:10   -
                      mode train by its statistics
index        ok       6 steps, 8 tensors                                                -
collections  ok       11 collections, num_workers 1                                     -
! smdbg: The values are not in the archive, only their statistics.
? 4

# what cannot be
$ -batch -keep-going -ex "snapshot save tests/trials/cnn_healthy/a.smdz" -ex "snapshot save $T/no/a.smdz" -ex "snapshot save $T/a.smdz nosuch" -ex "snapshot save $T/a.smdz step 5" -ex "snapshot save $T/a.smdz -level 99" -ex "snapshot save $T" -ex "snapshot save $T/a.smdz -field values" -ex "open $T/a.smdz" -ex "snapshot save $T/a.smdz" tests/trials/cnn_healthy
values  369
a.smdz: archive of a smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
! smdbg: tests/trials/cnn_healthy/a.smdz: cannot write into a trial.
! smdbg: $T/no/a.smdz: No such file or directory.
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: Nothing is chosen: no saved step has any of it.
! smdbg: Integer 99 out of range: 1 to 19.
! smdbg: $T is not a regular file.
! smdbg: $T/a.smdz: cannot write into a trial.
? 1

# a file that is there is written over with -f only
$ -batch -keep-going -ex "snapshot save $T/a.smdz -field values" -ex "snapshot save $T/a.smdz +losses -field values" -ex "snapshot save $T/a.smdz +losses -f -field values" tests/trials/cnn_healthy
values  369
values  15
! smdbg: $T/a.smdz already exists.  Use -f to overwrite it.
? 1

# what the rules had found is in it, also where the values are not
$ -batch -ex 'rule add vanishing_gradient' -ex 'rule add loss_not_decreasing as loss' -ex "snapshot save $T/a.smdz +losses -field rules" -ex "open $T/a.smdz" -ex 'rule status' -ex 'rule add loss_not_decreasing' -ex 'rule status' -ex 'rule status -json -field instance,status,from' -ex 'rule status loss -field instance,first_step' -ex 'rule status other' tests/trials/mlp_vanishing_gradient
VanishingGradient is attached.
loss is attached.
rules  2
a.smdz: archive of a smdebug trial, 1 worker, ended
10 steps (GLOBAL 0..36), 1 tensor in 8 collections
Findings stored in the archive when it was saved:
RULE               STATUS       FIRST  LAST  FIRED
VanishingGradient  IssuesFound      0     0      1
    gradient/MLP_fc0.bias  mean|g| = 1.67535e-09 < 1e-07 (6 of 20 tensors)
loss               IssuesFound     24    24      1
    CrossEntropyLoss_output_0  0.882952 (step 12) to 1.0955 (step 24, GLOBAL), +24.073%: rose too
    much, limits +5%, -0.1%, 3 checks
LossNotDecreasing is attached.
RULE               STATUS       FIRST  LAST  FIRED
LossNotDecreasing  IssuesFound     24    24      1
    CrossEntropyLoss_output_0  0.882952 (step 12) to 1.0955 (step 24, GLOBAL), +24.073%: rose too
    much, limits +5%, -0.1%, 3 checks
\
Findings stored in the archive when it was saved:
RULE               STATUS       FIRST  LAST  FIRED
VanishingGradient  IssuesFound      0     0      1
    gradient/MLP_fc0.bias  mean|g| = 1.67535e-09 < 1e-07 (6 of 20 tensors)
loss               IssuesFound     24    24      1
    CrossEntropyLoss_output_0  0.882952 (step 12) to 1.0955 (step 24, GLOBAL), +24.073%: rose too
    much, limits +5%, -0.1%, 3 checks
[{"instance":"LossNotDecreasing","status":"IssuesFound","from":null},{"instance":"VanishingGradient","status":"IssuesFound","from":"archive"},{"instance":"loss","status":"IssuesFound","from":"archive"}]
RULE  FIRST
loss     24
! smdbg: No rule "other" is attached.  Try "rule status".
? 4

$ -batch -ex 'rule add dead_relu' -ex 'rule add vanishing_gradient' -ex "snapshot save $T/a.smdz -stats-only -field rules" -ex "open $T/a.smdz" -ex 'explain DeadRelu' -ex 'print $_tensor' -ex 'explain DeadRelu 2' -ex 'snapshot -around 1 -window 0' -ex report -ex "snapshot save $T/b.smdz -field rules" tests/trials/mlp_exploding_tensor
DeadRelu is attached.
VanishingGradient is attached.
rules  2
a.smdz: archive of a smdebug trial, 1 worker, ended
24 steps (GLOBAL 0..23), 23 tensors in 8 collections
DeadRelu judged nothing at step 23: values are not in the archive.
It fired before the archive was saved: relu2_output_0 at step 1
58.33% of 12 ReLUs inactive (<1% of samples), limit 50% (1 of 3 tensors)
Lower the learning rate, use leaky ReLU or ELU or He initialisation; check biases and the scale of
inputs.
It fires when more than threshold_layer percent of a layer's units have an output above 0 in less
than threshold_inactivity percent of the step's samples (axis 0).
"rule explain DeadRelu 23" lists all numbers that it tested.
Now at relu2_output_0, step 1. "stat" shows its statistics.
$1 = "relu2_output_0"
DeadRelu judged nothing at step 2: values are not in the archive.
It fires when more than threshold_layer percent of a layer's units have an output above 0 in less
than threshold_inactivity percent of the step's samples (axis 0).
"rule explain DeadRelu 2" lists all numbers that it tested.
Steps 1 to 1, around 1
STEP  MODE    MODE-STEP  MSELoss_output_0
   1  GLOBAL          1            1779.9
STEPS  BAD VALUES OF            WHAT
1      MSELoss_output_0         |x| 1.78e+03
1      gradient/MLP_fc0.bias    max |x| 608
1      gradient/MLP_fc0.weight  max |x| 520
1      gradient/MLP_fc1.bias    max |x| 541
1      gradient/MLP_fc1.weight  max |x| 2.26e+03
1      gradient/MLP_fc2.bias    max |x| 228
1      gradient/MLP_fc2.weight  max |x| 899
1      gradient/MLP_out.weight  max |x| 490
STEP  RULE      TENSOR          WHAT
   1  DeadRelu  relu2_output_0  58.33% of 12 ReLUs inactive (<1% of samples), limit 50% (1 of 3
                                tensors)
The findings were saved with the archive. "rule auto" judges it again.
CAUSE learning rate too high, since step 1
  MSELoss_output_0: the loss jumps from 4.228 to 1780  [series MSELoss_output_0]
  MSELoss_output_0: loss 1780 at the start, 1780 at the end  [series MSELoss_output_0]
  then @3 NaN or infinity that arises in the network
TRY Lower the learning rate by 3 to 10 times, or warm it up; Clip the gradients by their norm
Looked at: 23 tensors, 24 steps, 552 values, 20 causes. Not saved: inputs, labels, values.
\
a.smdz: ended. 24 steps (GLOBAL 0..23), 23 tensors in 8 collections.
\
LOSS              MODE    STEPS   FIRST    BEST  AT  LAST
MSELoss_output_0  GLOBAL     24  4.2281  4.2281   0   nan
\
ExplodingTensor fired at step 3: MSELoss_output_0: 0 NaN, 1 +Inf, 0 -Inf of 1 (1 of 15 tensors)
  Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.
TensorVariance fired at step 2: MLP_fc0.weight: variance 1.129e+04 is 6.99e+04 times the first one, limit 100 (4 of 4 tensors)
  Too high leads to saturation or explosion; too low means that neurons hardly differ.
LossNotDecreasing fired at step 3: MSELoss_output_0: inf is not finite; 1.27553e+14 before, at step 2
  Check learning rate, order of the data and labels; if it stays flat, stop early.
5 of 12 rules found nothing. 3 judged nothing, DeadRelu WeightUpdateRatio UnchangedTensor: values are not in the archive. 1 judged nothing, Overfit: no EVAL step was saved, so there is nothing to compare with.
\
When the archive was saved:
RULE      STATUS       FIRST  LAST  FIRED
DeadRelu  IssuesFound      1     1      1
    relu2_output_0  58.33% of 12 ReLUs inactive (<1% of samples), limit 50% (1 of 3 tensors)
1 of 2 rules had found nothing.
\
TENSOR WITH A PROBLEM  SINCE  RULE             WHAT
MSELoss_output_0           3  ExplodingTensor  0 NaN, 1 +Inf, 0 -Inf of 1 (1 of 15 tensors)
MLP_fc0.weight             2  TensorVariance   variance 1.129e+04…st one, limit 100 (4 of 4 tensors)
MLP_fc1.weight             2  TensorVariance   variance 5.037e+04…+05 times the first one, limit 100
MLP_fc2.weight             2  TensorVariance   variance 7357 is 3…+04 times the first one, limit 100
MLP_out.weight             2  TensorVariance   variance 8896 is 4…+04 times the first one, limit 100
rules  2

# in a script a snapshot tells of all that rules find
$ -batch -ex 'rule auto' -ex 'snapshot -around 1 -window 0' tests/trials/mlp_exploding_tensor
Every rule whose tensors exist is attached.
Steps 1 to 1, around 1
STEP  MODE    MODE-STEP  MSELoss_output_0
   1  GLOBAL          1            1779.9
STEPS  BAD VALUES OF            WHAT
1      MSELoss_output_0         |x| 1.78e+03
1      gradient/MLP_fc0.bias    max |x| 608
1      gradient/MLP_fc0.weight  max |x| 520
1      gradient/MLP_fc1.bias    max |x| 541
1      gradient/MLP_fc1.weight  max |x| 2.26e+03
1      gradient/MLP_fc2.bias    max |x| 228
1      gradient/MLP_fc2.weight  max |x| 899
1      gradient/MLP_out.weight  max |x| 490
STEP  RULE               TENSOR          WHAT
   1  WeightUpdateRatio  MLP_fc0.weight  moved by 0.8743 of its size in each of 1 steps, limit 0.5
                                         (4 of 4 tensors)
   1  WeightUpdateRatio  MLP_fc1.weight  moved by 0.6012 of its size in each of 1 steps, limit 0.5
   1  WeightUpdateRatio  MLP_fc2.weight  moved by 0.6317 of its size in each of 1 steps, limit 0.5
   1  WeightUpdateRatio  MLP_out.weight  moved by 2.898 of its size in each of 1 steps, limit 0.5

# what stays bad has one row; where it is bad in another way it has another
$ -batch -ex 'snapshot -around 3 -window 1' tests/trials/mlp_exploding_tensor | grep -e STEPS -e MLP_out.weight -e Loss
STEP  MODE    MODE-STEP  MSELoss_output_0
STEPS  BAD VALUES OF            WHAT
2..3   MLP_out.weight           max |x| 436
2      MSELoss_output_0         |x| 1.28e+14
2      gradient/MLP_out.weight  max |x| 2.31e+12
3      MSELoss_output_0         Inf
3..4   gradient/MLP_out.weight  7 NaN of 36
4      MLP_out.weight           7 NaN of 36
4      MSELoss_output_0         NaN

# of several workers each says what is its own
$ -batch -ex 'snapshot -around 14 -window 0' tests/trials/ddp_two_workers
Steps 14 to 14, around 14
STEP  MODE   MODE-STEP  WORKER    NAME                        VALUE
  14  TRAIN         14  worker_0  CrossEntropyLoss_output_0  0.8825
  14  TRAIN         14  worker_1  CrossEntropyLoss_output_0  0.8982
No rule is attached, so there are no findings. Try "rule auto".

# one that was cut is read as far as it goes
$ -batch --allow-shell -ex "snapshot save $T/a.smdz -field values" -ex "shell head -c 40000 $T/a.smdz >$T/b.smdz" -ex "open $T/b.smdz" -ex 'info trial -json -field steps,tensors,errors' -ex 'info errors -csv -field file,offset | sed "s/[0-9][0-9]*/N/"' -ex 'stat CNN_conv0.weight step 0 -field mean' -ex 'stat gradient/CNN_fc1.weight step 0' tests/trials/cnn_healthy
values  369
b.smdz: archive of a smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
{"steps":16,"tensors":29,"errors":2}
file,offset
b.smdz,N
b.smdz,N
mean  0.055917
! smdbg: events/000000000000/000000000000_worker_0.tfevents at offset 200870: b.smdz has not the whole record.
? 5
