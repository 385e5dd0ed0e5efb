# what there is
$ -batch -ex 'rule list vanishing_gradient'
VanishingGradient, vanishing_gradient (debugger).
Gradients are so small that layers stop learning.
\
Fires when the mean of |g| of any tensor of collection gradients is below threshold.
\
Under "rule auto" (judge=auto) gradients of two or more axes are judged by their size (root of the mean square) against the largest one of the step: it fires if one is below 1e-4 of that in 5 of 8 saved steps. Gradients that shrink together, as at the end of training, are no finding, nor are those of biases, which a normalisation or attention makes zero.
\
Parameters:
  threshold                   float, 1e-7
                                a gradient with a smaller mean absolute value is vanishing
  All rules also have mode, workers, start_step, end_step, policy, judge and action.
\
The hook must save: gradients (500).
When it fires: Use another activation or initialisation, batch normalisation, residual connections, or a larger learning rate for early layers.

$ -batch -ex 'rule list nosuch' -ex 'rule list overfitt'
! smdbg: No rule "nosuch".  Try "rule list".
? 4

$ -batch -ex 'help rule Gradient-Scale'
GradientScale, gradient_scale (extra).
Gradients of different layers differ by orders of magnitude.
\
Fires when the largest mean |g| of a step's gradients is more than max_ratio times the smallest; the ratio is infinite if the smallest is 0.
\
Parameters:
  collection_names            list, gradients
                                collections to inspect
  max_ratio                   float, 1e4
                                largest mean |g| over the smallest
  All rules also have mode, workers, start_step, end_step, policy, judge and action.
\
The hook must save: gradients.
When it fires: Use normalisation layers, another initialisation or a learning rate per layer.

# what is attached, and what it found
$ -batch -ex 'rule auto' -ex 'rule status -wait' tests/trials/mlp_poor_init
Every rule whose tensors exist is attached.
RULE                      STATUS         FIRST  LAST  FIRED
VanishingGradient         NoIssuesFound      -     -      0
ExplodingTensor           NoIssuesFound      -     -      0
DeadRelu                  NoIssuesFound      -     -      0
PoorWeightInitialization  IssuesFound        0     0      1
    MLP_fc0.weight  [weights] all of 16 units have the same weights
WeightUpdateRatio         NoIssuesFound      -     -      0
AllZero                   NoIssuesFound      -     -      0
TensorVariance            IssuesFound        0     0      1
    MLP_fc0.weight  all elements are equal (5 of 5 tensors)
UnchangedTensor           NoIssuesFound      -     -      0
LossNotDecreasing         NoIssuesFound      -     -      0
Overfit                   NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining              NoIssuesFound      -     -      0
    nothing was judged: no values to compare
StalledTrainingRule       NoIssuesFound      -     -      0

$ -batch -ex 'rule add overfit patience=2 as mine' -ex 'rule status mine -wait' -ex 'rule status mine -json' tests/trials/mlp_overfit
mine is attached.
RULE  STATUS       FIRST  LAST  FIRED
mine  IssuesFound     33    33      1
    CrossEntropyLoss_output_0  mean val 1.64518, mean train 0.00465134, ratio 352.7, limit 0.1 (2 in
    a row, patience 2)
[{"rule":"Overfit","instance":"mine","status":"IssuesFound","reason":"RuleEvaluationConditionMet: Evaluation of the rule Overfit at step 33 resulted in the condition being met. mine fired at step 33 (TRAIN 30): CrossEntropyLoss_output_0: mean val 1.64518, mean train 0.00465134, ratio 352.7, limit 0.1 (2 in a row, patience 2)","parameters":{"tensor_regex":null,"start_step":0,"patience":2,"ratio_threshold":0.10000000000000001},"datapoints":3,"violations":1,"first_step":33,"last_step":33,"details":[{"step":33,"mode":"TRAIN","mode_step":30,"worker":"worker_0","tensor":"CrossEntropyLoss_output_0","value":352.70012007595,"threshold":0.10000000000000001,"message":"mine fired at step 33 (TRAIN 30): CrossEntropyLoss_output_0: mean val 1.64518, mean train 0.00465134, ratio 352.7, limit 0.1 (2 in a row, patience 2)","fired":true,"text":"mean val 1.64518, mean train 0.00465134, ratio 352.7, limit 0.1 (2 in a row, patience 2)"}],"triggered":1,"tensor":"CrossEntropyLoss_output_0","what":"mean val 1.64518, mean train 0.00465134, ratio 352.7, limit 0.1 (2 in a row, patience 2)","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[]}]

$ -batch -ex 'rule status' -ex 'rule remove x' tests/trials/cnn_healthy
No rule is attached. Try "rule auto" or "rule add NAME".
! smdbg: No rule "x" is attached.  Try "rule status".
? 4

$ -batch --keep-going -ex 'rule add overfit patience=x' -ex 'info rules -field instance,status,reason' -ex 'rule remove all' -ex 'rule status -json' tests/trials/cnn_healthy
RULE     STATUS  reason
Overfit  Error   parameter patience: "x" is not of type int
[]
! smdbg: Parameter patience: "x" is not of type int.
? 1

$ -batch -ex 'rule test unchanged_tensor tensor_regex=fc0.weight' tests/trials/mlp_loss_not_decreasing
UnchangedTensor fires at 28 steps, first at 4, last at 58: 28 of 60 datapoints.
STEP  MODE    MODE-STEP  TENSOR          VALUE  LIMIT  WHAT
   4  GLOBAL          4  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
   6  GLOBAL          6  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
   8  GLOBAL          8  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  10  GLOBAL         10  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  12  GLOBAL         12  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  14  GLOBAL         14  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  16  GLOBAL         16  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  18  GLOBAL         18  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  20  GLOBAL         20  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  22  GLOBAL         22  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  24  GLOBAL         24  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  26  GLOBAL         26  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  28  GLOBAL         28  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  30  GLOBAL         30  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  32  GLOBAL         32  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  34  GLOBAL         34  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  36  GLOBAL         36  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  38  GLOBAL         38  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  40  GLOBAL         40  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  42  GLOBAL         42  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  44  GLOBAL         44  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  46  GLOBAL         46  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  48  GLOBAL         48  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  50  GLOBAL         50  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  52  GLOBAL         52  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  54  GLOBAL         54  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  56  GLOBAL         56  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)
  58  GLOBAL         58  MLP_fc0.weight      1      1  unchanged over … atol 1e-08) (1 of 2 tensors)

$ -batch -ex 'rule explain exploding_tensor 3' tests/trials/mlp_exploding_tensor
ExplodingTensor fired at step 3: MSELoss_output_0: 0 NaN, 1 +Inf, 0 -Inf of 1 (9 of 23 tensors)
Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.
\
ExplodingTensor fires when an element of a selected tensor is NaN, or infinite unless only_nan is set; by default all tensors except those of collection trees are selected. Saved reductions are used where no value was saved.
This is the definition; "rule auto" judges otherwise: the tensors of a step are judged in the order
in which they were written, so that the first finding is where it began; state of callbacks
(Lightning's best score is infinite at first) is left out.
  collection_names = none
  tensor_regex = none
  only_nan = False
The hook must save: the tensors to inspect. This trial has tensors for it.
\
At step 3:
STEP  MODE    MODE-STEP  TENSOR                   VALUE  LIMIT  WHAT
   3  GLOBAL          3  MSELoss_output_0             1      0  0 NaN, 1 +In… of 1 (9 of 23 tensors)
   3  GLOBAL          3  gradient/MLP_fc0.bias       12      0  12 NaN, 0 +I…Inf of 12; first at [0]
   3  GLOBAL          3  gradient/MLP_fc0.weight    240      0  240 NaN, 0 +… of 240; first at [0,0]
   3  GLOBAL          3  gradient/MLP_fc1.bias        3      0  3 NaN, 0 +In…Inf of 12; first at [1]
   3  GLOBAL          3  gradient/MLP_fc1.weight     36      0  36 NaN, 0 +I… of 144; first at [1,0]
   3  GLOBAL          3  gradient/MLP_fc2.bias        5      0  0 NaN, 4 +In…Inf of 12; first at [0]
   3  GLOBAL          3  gradient/MLP_fc2.weight     60      0  55 NaN, 4 +I… of 144; first at [0,0]
   3  GLOBAL          3  gradient/MLP_out.bias        1      0  0 NaN, 1 +In…-Inf of 3; first at [0]
   3  GLOBAL          3  gradient/MLP_out.weight     22      0  7 NaN, 10 +I…f of 36; first at [0,0]
   3  GLOBAL          3  MLP_fc0.bias                 0      0  0 NaN, 0 +Inf, 0 -Inf of 12
   3  GLOBAL          3  MLP_fc0.weight               0      0  0 NaN, 0 +Inf, 0 -Inf of 240
   3  GLOBAL          3  MLP_fc1.bias                 0      0  0 NaN, 0 +Inf, 0 -Inf of 12
   3  GLOBAL          3  MLP_fc1.weight               0      0  0 NaN, 0 +Inf, 0 -Inf of 144
   3  GLOBAL          3  MLP_fc2.bias                 0      0  0 NaN, 0 +Inf, 0 -Inf of 12
   3  GLOBAL          3  MLP_fc2.weight               0      0  0 NaN, 0 +Inf, 0 -Inf of 144
   3  GLOBAL          3  MLP_out.bias                 0      0  0 NaN, 0 +Inf, 0 -Inf of 3
   3  GLOBAL          3  MLP_out.weight               0      0  0 NaN, 0 +Inf, 0 -Inf of 36
   3  GLOBAL          3  relu0_input_0                0      0  0 NaN, 0 +Inf, 0 -Inf of 192
   3  GLOBAL          3  relu0_output_0               0      0  0 NaN, 0 +Inf, 0 -Inf of 192
   3  GLOBAL          3  relu1_input_0                0      0  0 NaN, 0 +Inf, 0 -Inf of 192
   3  GLOBAL          3  relu1_output_0               0      0  0 NaN, 0 +Inf, 0 -Inf of 192
   3  GLOBAL          3  relu2_input_0                0      0  0 NaN, 0 +Inf, 0 -Inf of 192
   3  GLOBAL          3  relu2_output_0               0      0  0 NaN, 0 +Inf, 0 -Inf of 192
Now at MSELoss_output_0, step 3. "bt" shows the origin.

$ -batch -ex 'rule needs confusion' tests/trials/xgb_classifier
RULE       READY  WHAT THE HOOK MUST SAVE
confusion  true   labels and predictions (500)

# conditions of one's own
$ -batch -ex "rule add expr 'max(abs(x)) > 1000' tensor_regex=fc0 message='at most {max(abs(x))}'" -ex 'rule status -wait' tests/trials/mlp_exploding_tensor
Expr is attached.
RULE  STATUS       FIRST  LAST  FIRED  TENSOR                 WHAT
Expr  IssuesFound      2     2      1  gradient/MLP_fc0.bias  at most 1.00788e+11

$ -batch -ex "rule add expr 'max(x) >'" tests/trials/mlp_exploding_tensor
! smdbg: Unexpected end of the expression at column 9.
? 1

$ -batch -ex 'rule load doc/rules/large_mean.rule' -ex 'rule load doc/rules/loss_bounds.rule' -ex 'rule status -wait' tests/trials/mlp_exploding_tensor
large_mean is attached.
loss_bounds is attached.
RULE         STATUS       FIRST  LAST  FIRED  TENSOR                 WHAT
large_mean   IssuesFound      1     1      1  gradient/MLP_fc0.bias  mean of |x| is 154.77, limit 10
loss_bounds  IssuesFound      2     2      1  MSELoss_output_0       the loss is 1.27553e+14

$ -batch -ex 'rule load nosuch.rule' tests/trials/mlp_exploding_tensor
! smdbg: nosuch.rule: No such file or directory.
? 1

$ -batch -ex 'rule load tests/lang/files/rules.json' -ex 'rule status -wait -field instance,status,first_step' tests/trials/mlp_vanishing_gradient
gradients is attached.
losses is attached.
RULE       STATUS       FIRST
gradients  IssuesFound     36
losses     IssuesFound     24

# actions
$ -batch -ex "rule add overfit action='explode'" tests/trials/mlp_overfit
! smdbg: Unknown action "explode": expected print, bell, break, log FILE, stop, shell CMD or notify.
? 1

$ -batch -ex "rule add overfit action='shell echo never'" -ex 'rule status -wait -field instance' -ex 'info events -field step,text' tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit
STEP  WHAT
  22  action refused: "set rule-actions on" allows it
  22  Overfit fired at step 22 (TRAIN…in 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)
 332  the job has ended
   0  the job begins at step 0

$ -batch -ex 'set rule-actions on' -ex "rule add overfit action='log $T/log; shell echo \$SMDBG_RULE \$SMDBG_STEP'" -ex 'rule status -wait -field instance' -ex 'info events -field step,text' -ex "!cat $T/log" --allow-shell tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit
STEP  WHAT
  22  "echo $SMDBG_RULE $SMDBG_STEP" ended with status 0: Overfit 22
  22  Overfit fired at step 22 (TRAIN…in 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)
 332  the job has ended
   0  the job begins at step 0
Overfit fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)

$ -batch --readonly -ex 'set rule-actions on' -ex "rule add overfit action=notify" -ex 'rule status -wait -field instance' -ex 'info events -field text' tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit
WHAT
action refused by --readonly
Overfit fired at step 22 (TRAIN 2… train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)
the job has ended
the job begins at step 0

# a verdict without a person
$ -batch --rules auto tests/trials/cnn_reductions
RULE                      STATUS         FIRST  LAST  FIRED
VanishingGradient         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
ExplodingTensor           NoIssuesFound      -     -      0
DeadRelu                  NoIssuesFound      -     -      0
PoorWeightInitialization  NoIssuesFound      -     -      0
    nothing was judged: no values to compare
WeightUpdateRatio         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
AllZero                   NoIssuesFound      -     -      0
TensorVariance            NoIssuesFound      -     -      0
    nothing was judged: no values to compare
UnchangedTensor           NoIssuesFound      -     -      0
    nothing was judged: no values to compare
LossNotDecreasing         NoIssuesFound      -     -      0
Overfit                   NoIssuesFound      -     -      0
Overtraining              NoIssuesFound      -     -      0
StalledTrainingRule       NoIssuesFound      -     -      0

$ -batch --rules tests/lang/files/rules.json tests/trials/mlp_vanishing_gradient tests/trials/cnn_healthy
TRIAL                   RULE       STATUS         FIRST  LAST  FIRED
mlp_vanishing_gradient  gradients  IssuesFound       36    36      1
    gradient/MLP_fc0.bias  mean|g| = 8.72575e-11 < 1e-10 (1 of 20 tensors)
mlp_vanishing_gradient  losses     IssuesFound       24    24      1
    CrossEntropyLoss_output_0  0.882952 (step 12) to 1.0955 (step 24, GLOBAL), +24.073%: rose too
    much, limits +5%, -0.1%, 3 checks
cnn_healthy             gradients  NoIssuesFound      -     -      0
cnn_healthy             losses     NoIssuesFound      -     -      0
    nothing was judged: no values to compare
? 3

$ -batch --rules doc/rules/large_mean.rule --json tests/trials/cnn_healthy
[{"rule":"large_mean","instance":"large_mean","status":"NoIssuesFound","reason":null,"parameters":{"threshold":10,"expr":"mean(abs(x)) > $threshold","collection_names":"gradients","tensor_regex":null,"message":"mean of |x| is {mean(abs(x))}, limit {$threshold}"},"datapoints":72,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":null,"skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"trial":"cnn_healthy"}]

$ -batch --rules nosuch.rule tests/trials/cnn_healthy
! smdbg: nosuch.rule: No such file or directory.
? 1

# rules by name; a file of that name wins
$ -batch --rules Overfit tests/lang/files/overfits.csv
RULE     STATUS       FIRST  LAST  FIRED
Overfit  IssuesFound      9     9      1
    loss  mean val 0.93, mean train 0.83726, ratio 0.110766, limit 0.1 (1 in a row, patience 1)
? 3

$ -batch --rules loss_not_decreasing,Overfit tests/lang/files/overfits.csv
RULE               STATUS       FIRST  LAST  FIRED
LossNotDecreasing  IssuesFound     20    20      1
    val_loss  0.9 (step 10) to 0.9 (step 20, GLOBAL), 0%: fell too little, limits +5%, -0.1%, 3
    checks (1 of 2 tensors)
Overfit            IssuesFound      9     9      1
    loss  mean val 0.93, mean train 0.83726, ratio 0.110766, limit 0.1 (1 in a row, patience 1)
? 3

$ -batch --rules Overfit tests/lang/files/learns.csv
RULE     STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
Overfit  NoIssuesFound      -     -      0  -       -

$ -batch --rules tests/lang/files/rules.json,Overfit -ex 'rule status -field rule' tests/lang/files/learns.csv
rule
VanishingGradient
LossNotDecreasing
Overfit
RULE       STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
gradients  NoIssuesFound      -     -      0  -       0 tensors matched; this result means nothing
losses     NoIssuesFound      -     -      0  -       -
Overfit    NoIssuesFound      -     -      0  -       -
! smdbg: gradients judged nothing: 0 tensors matched; this result means nothing
? 4

$ -batch --rules auto,Overfit -ex 'rule status -wait -field rule' tests/lang/files/learns.csv
rule
ExplodingTensor
LossNotDecreasing
Overfit
Overtraining
StalledTrainingRule
Overfit
RULE                 STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
ExplodingTensor      NoIssuesFound      -     -      0  -       -
LossNotDecreasing    NoIssuesFound      -     -      0  -       -
Overfit              NoIssuesFound      -     -      0  -       -
Overtraining         NoIssuesFound      -     -      0  -       -
StalledTrainingRule  NoIssuesFound      -     -      0  -       -
Overfit_2            NoIssuesFound      -     -      0  -       -

$ -batch --rules Overfitt tests/lang/files/learns.csv
! smdbg: No rule "Overfitt".  Did you mean "overfit"?  Try "rule list".
? 4

$ -batch --rules Overfit,loss tests/lang/files/learns.csv
! smdbg: No rule "loss".  Did you mean "loss_not_decreasing", "loss_limit", "loss_plateau"?  Try "rule list".
? 4

$ -batch --rules Overfit, tests/lang/files/learns.csv
! smdbg: No rule "".  Try "rule list".
? 4

$ -batch -ex 'rule load -all Overfit' -ex 'rule load -define Overfit' tests/lang/files/learns.csv
Overfit is attached.
! smdbg: Overfit: No such file or directory.
? 1

$ --version >/dev/null && (P=$(realpath "$SMDBG") D=$PWD && cp doc/rules/large_mean.rule $T/Overfit && cd $T && "$P" -n -batch --rules Overfit -ex 'rule status -field rule' "$D/tests/trials/cnn_healthy")
rule
large_mean
RULE        STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
large_mean  NoIssuesFound      -     -      0  -       -

$ -batch --rules auto $T/nothing
! smdbg: $T/nothing: no such trial directory (--wait waits for it).
? 5

$ --json tests/trials/cnn_healthy
! smdbg: --json is for -batch --rules
! Try "smdbg-tui --help".
? 2

# a summary of the run
$ -batch -ex report tests/trials/mlp_poor_init
CAUSE units that start equal, since step 0
  MLP_fc0.weight: 5 of 5 weights have equal rows at the first step  [tensor MLP_fc0.weight step 0]
  CrossEntropyLoss_output_0: loss 1.057 at the start, 0.9849 at the end, 1.099 by chance  [series
    CrossEntropyLoss_output_0]
  then @0 vanishing gradients
TRY Initialise the weights randomly; units with equal weights get equal gradients and stay equal
Looked at: 29 tensors, 15 steps, 435 values, 20 causes. Not saved: inputs, labels.
\
mlp_poor_init: ended. 15 steps (GLOBAL 0..28), 29 tensors in 8 collections.
\
LOSS                       MODE    STEPS   FIRST    BEST  AT     LAST
CrossEntropyLoss_output_0  GLOBAL     15  1.0986  0.8988  10  0.90447
\
PoorWeightInitialization fired at step 0: MLP_fc0.weight: [weights] all of 16 units have the same weights
  Use Xavier or He initialisation; never one constant for all weights.
TensorVariance fired at step 0: MLP_fc0.weight: all elements are equal (5 of 5 tensors)
  Too high leads to saturation or explosion; too low means that neurons hardly differ.
9 of 12 rules found nothing. 1 judged nothing, Overfit: no EVAL step was saved, so there is nothing to compare with.
\
TENSOR WITH A PROBLEM  SINCE  RULE                      WHAT
MLP_fc0.weight             0  PoorWeightInitialization  [weights] all o… units have the same weights
MLP_fc1.weight             0  PoorWeightInitialization  [weights] all o… units have the same weights
MLP_fc2.weight             0  PoorWeightInitialization  [weights] all o… units have the same weights
MLP_fc3.weight             0  PoorWeightInitialization  [weights] all o… units have the same weights
MLP_out.weight             0  PoorWeightInitialization  [weights] all o… units have the same weights

$ -batch -ex 'rule add overfit as mine' -ex report tests/trials/mlp_overfit
mine is attached.
CAUSE overfitting, since step 11 to 21
  CrossEntropyLoss_output_0: EVAL loss best, 0.8758, at step 10  [series CrossEntropyLoss_output_0]
  CrossEntropyLoss_output_0: EVAL loss 2.439 at the end, TRAIN loss 1.794e-06  [series
    CrossEntropyLoss_output_0]
TRY Stop at the best EVAL loss; Use more data or augmentation, weight decay, dropout, or a smaller
    network
Looked at: 5 tensors, 63 steps, 309 values, 20 causes. Not saved: weights, gradients, inputs,
    labels.
\
mlp_overfit: ended. 63 steps (TRAIN 0..290, EVAL 0..29, PREDICT 0..2), 5 tensors in 6 collections.
\
LOSS                       MODE   STEPS    FIRST        BEST   AT        LAST
CrossEntropyLoss_output_0  TRAIN     30   1.0888  1.3411e-06  319  1.3411e-06
CrossEntropyLoss_output_0  EVAL      30  0.87583     0.87583   10      2.4446
\
mine fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)
  Regularise, use more data, augmentation or early stopping.
0 of 1 rules found nothing.
\
TENSOR WITH A PROBLEM      SINCE  RULE  WHAT
CrossEntropyLoss_output_0     22  mine  mean val 1.23027, me…931, limit 0.1 (1 in a row, patience 1)

$ -batch -ex 'report -json' tests/trials/shapes_only
{"name":"shapes_only","state":"ended","steps":4,"modes":{"TRAIN":4},"losses":[{"name":"CrossEntropyLoss_output_0","mode":"TRAIN","steps":4,"first":1.2828972339630127,"best":1.054621696472168,"best_step":9,"last":1.054621696472168}],"rules":[{"rule":"VanishingGradient","instance":"VanishingGradient","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"threshold":9.9999999999999995e-08},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"ExplodingTensor","instance":"ExplodingTensor","status":"NoIssuesFound","reason":null,"parameters":{"collection_names":null,"tensor_regex":null,"only_nan":false},"datapoints":20,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":null,"skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"DeadRelu","instance":"DeadRelu","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"tensor_regex":".*relu_output","threshold_inactivity":1,"threshold_layer":50,"unit":"position"},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"PoorWeightInitialization","instance":"PoorWeightInitialization","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"activation_inputs_regex":".*relu_input","threshold":10,"distribution_range":0.001,"patience":5,"steps":10},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"WeightUpdateRatio","instance":"WeightUpdateRatio","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"num_steps":null,"large_threshold":10,"small_threshold":1e-08,"epsilon":1.0000000000000001e-09,"skip_zero_previous":false},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"AllZero","instance":"AllZero","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"collection_names":"gradients","tensor_regex":"_output","threshold":100},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"TensorVariance","instance":"TensorVariance","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"collection_names":"weights","tensor_regex":null,"max_threshold":10,"min_threshold":1.0000000000000001e-05},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"UnchangedTensor","instance":"UnchangedTensor","status":"NoIssuesFound","reason":"nothing was judged: no values to compare","parameters":{"collection_names":"weights","tensor_regex":null,"num_steps":3,"rtol":1.0000000000000001e-05,"atol":1e-08,"equal_nan":false},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no values to compare","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"LossNotDecreasing","instance":"LossNotDecreasing","status":"NoIssuesFound","reason":null,"parameters":{"collection_names":null,"tensor_regex":null,"use_losses_collection":true,"num_steps":10,"diff_percent":0.10000000000000001,"increase_threshold_percent":5,"mode":"auto","stall_checks":3},"datapoints":4,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":null,"skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"Overfit","instance":"Overfit","status":"NoIssuesFound","reason":"nothing was judged: no EVAL step was saved, so there is nothing to compare with","parameters":{"tensor_regex":null,"start_step":0,"patience":1,"ratio_threshold":0.10000000000000001},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"nothing was judged: no EVAL step was saved, so there is nothing to compare with","skipped":{"no EVAL step was saved, so there is nothing to compare with":4},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"Overtraining","instance":"Overtraining","status":"NoIssuesFound","reason":null,"parameters":{"patience_train":5,"patience_validation":10,"delta":0.01},"datapoints":4,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":null,"skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null},{"rule":"StalledTrainingRule","instance":"StalledTrainingRule","status":"NoIssuesFound","reason":null,"parameters":{"threshold":1800,"stop_training_on_fire":false,"training_job_name_prefix":null},"datapoints":0,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":null,"skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[],"advice":null}],"tensors":[],"verdict":{"cause":"unknown","title":"unknown: not enough was saved","since":null,"mode":null,"worker":null,"tensor":null,"evidence":[],"effects":[],"try":[],"looked_at":{"steps":4,"tensors":3,"rules":20,"values":12,"unread":0},"missing":["weights","gradients","inputs","labels"],"before":null}}

# a script is told of all steps on disk; what came to nothing is no percentage
$ -batch -ex 'rule auto' -ex 'rule status -field rule,status' -ex 'rule status LossNotDecreasing -field what' tests/trials/mlp_exploding_tensor
Every rule whose tensors exist is attached.
rule                      STATUS
VanishingGradient         NoIssuesFound
ExplodingTensor           IssuesFound
DeadRelu                  NoIssuesFound
PoorWeightInitialization  NoIssuesFound
WeightUpdateRatio         IssuesFound
AllZero                   NoIssuesFound
TensorVariance            IssuesFound
UnchangedTensor           NoIssuesFound
LossNotDecreasing         IssuesFound
Overfit                   NoIssuesFound
Overtraining              NoIssuesFound
StalledTrainingRule       NoIssuesFound
WHAT
inf is not finite; 1.27553e+14 before, at step 2

# another run is opened on the way, nothing else brings news
$ -batch --no-follow -ex 'rule test similar_across_runs other_trials=tests/trials/cnn_healthy tensor_regex=^CNN_conv0 -field step,tensor,value' tests/trials/cnn_dead_relu
STEP  TENSOR              VALUE
   0  CNN_conv0.weight   1.1793
  20  CNN_conv0.bias    0.15213
  20  CNN_conv0.weight   1.2849

$ -batch --no-follow -ex 'break rule similar_across_runs other_trials=tests/trials/cnn_healthy' -ex run -ex continue tests/trials/cnn_dead_relu
Breakpoint 1 at rule similar_across_runs other_trials=tests/trials/cnn_healthy
\
Breakpoint 1, CNN_conv0.weight at step 0, worker_0
SimilarAcrossRuns: differs from run cnn_healthy: max |d| 1.179 at [1,0,3,1], 100 of 100 elements, limits rtol 1e-5, atol 1e-8 (21 of 23 tensors)
\
Breakpoint 1, CNN_conv0.bias at step 20, worker_0
SimilarAcrossRuns: differs from run cnn_healthy: max |d| 0.1521 at [2], 4 of 4 elements, limits rtol 1e-5, atol 1e-8 (23 of 23 tensors)

# without a collections file nobody knows when a step is complete: rules wait, and say so
$ -batch -ex 'rule auto' -ex 'rule status -field rule,status,reason' "$(cp -r tests/trials/mlp_overfit $T/w && rm -r $T/w/collections $T/w/training_job_end.ts && echo $T/w)"
Every rule whose tensors exist is attached.
rule                 STATUS      reason
ExplodingTensor      InProgress  waiting for a collections file with the number of workers
StalledTrainingRule  InProgress  -
