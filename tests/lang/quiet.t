# healthy trials raise nothing, and the exit status is 0; "rule auto definition" does not forgive noise
$ -batch --rules auto -ex 'rule status -field status' tests/trials/many_steps
STATUS
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
NoIssuesFound
RULE                      STATUS         FIRST  LAST  FIRED
VanishingGradient         NoIssuesFound      -     -      0
ExplodingTensor           NoIssuesFound      -     -      0
PoorWeightInitialization  NoIssuesFound      -     -      0
WeightUpdateRatio         NoIssuesFound      -     -      0
AllZero                   NoIssuesFound      -     -      0
TensorVariance            NoIssuesFound      -     -      0
UnchangedTensor           NoIssuesFound      -     -      0
LossNotDecreasing         NoIssuesFound      -     -      0
Overfit                   NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining              NoIssuesFound      -     -      0
StalledTrainingRule       NoIssuesFound      -     -      0

$ -batch -ex 'rule auto definition' -ex 'rule status LossNotDecreasing' tests/trials/many_steps
Every rule whose tensors exist is attached.
RULE               STATUS       FIRST  LAST  FIRED
LossNotDecreasing  IssuesFound     30    30      1
    CrossEntropyLoss_output_0  0.0856928 (step 20) to 0.131392 (step 30, TRAIN), +53.3294%: rose too
    much, limits +5%, -0.1%, 3 checks

# a remark is shown, and does not count
$ -batch --rules auto -ex 'rule status ClassImbalance' tests/trials/cnn_class_imbalance
RULE            STATUS         FIRST  LAST  FIRED
ClassImbalance  NoIssuesFound      -     -      0
    remark: classes are imbalanced by more than 10 to 1: labels
Remark from step 30 on: classes are imbalanced by more than 10 to 1: labels
RULE                 STATUS         FIRST  LAST  FIRED
ExplodingTensor      NoIssuesFound      -     -      0
LossNotDecreasing    NoIssuesFound      -     -      0
Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining         NoIssuesFound      -     -      0
StalledTrainingRule  NoIssuesFound      -     -      0
ClassImbalance       NoIssuesFound      -     -      0
    remark: classes are imbalanced by more than 10 to 1: labels
Confusion            NoIssuesFound      -     -      0

$ -batch -ex 'rule auto' -ex 'rule status ClassImbalance -json' tests/trials/cnn_class_imbalance
Every rule whose tensors exist is attached.
[{"rule":"ClassImbalance","instance":"ClassImbalance","status":"NoIssuesFound","reason":null,"parameters":{"threshold_imbalance":10,"threshold_misprediction":0.69999999999999996,"samples":500,"argmax":false,"labels_regex":".*labels","predictions_regex":".*predictions"},"datapoints":20,"violations":0,"first_step":null,"last_step":null,"details":[],"triggered":0,"tensor":null,"what":"remark: classes are imbalanced by more than 10 to 1: labels","skipped":{},"worker":null,"not_judged":0,"not_judged_why":null,"remarks":[{"step":30,"tensor":"labels","worker":"worker_0","tensors":1,"text":"classes are imbalanced by more than 10 to 1: labels"}]}]

$ -batch -ex 'rule auto' -ex 'rule explain ClassImbalance' tests/trials/cnn_class_imbalance
Every rule whose tensors exist is attached.
ClassImbalance fires when after `samples` labels of all steps so far, the largest class is more than threshold_imbalance times the smallest one seen, or more than threshold_misprediction of a class is mispredicted. Values are rounded; of [n,k] scores for n labels the largest is taken.
Here it judges as under "rule auto": only integer labels of at most 50 classes, one for each sample,
are judged, after 100 steps and 500 predictions, over the newest half of them: it fires if a class
is more than 10 times as rare as the largest one and is recognised less than half as often as the
others (3 or more labels, binomial test, z > 3.5), of which two thirds are. Imbalance alone is a
remark.
  threshold_imbalance = 10
  threshold_misprediction = 0.7
  samples = 500
  argmax = False
  labels_regex = .*labels
  predictions_regex = .*predictions
The hook must save: labels and predictions: .*labels|.*predictions (500). This trial has tensors for it.
\
At step 38:
STEP  MODE   MODE-STEP  TENSOR  VALUE  LIMIT  WHAT
  38  TRAIN         38  labels    640    500  640 labels over 38…ed from 500 labels and 100 steps on
Remark from step 30 on: classes are imbalanced by more than 10 to 1: labels

# a rule judges as under rule auto if asked to
$ -batch -ex 'rule add unchanged_tensor judge=auto' -ex 'rule add unchanged_tensor judge=maybe' tests/trials/cnn_healthy
UnchangedTensor is attached.
! smdbg: Judge must be definition or auto, not "maybe".
? 1

# an error of a rule is no success
$ -batch --rules tests/lang/files/similar.json tests/trials/cnn_healthy
RULE         STATUS  FIRST  LAST  FIRED
like_before  Error       -     -      0
    tests/trials/no_such_run: no steps of a run are there
! smdbg: like_before judged nothing: tests/trials/no_such_run: no steps of a run are there
? 4

# no rule is attached that cannot judge: without gradients AllZero looks at outputs only
$ -batch -ex 'rule auto' -ex 'rule status AllZero' tests/trials/xgb_classifier
Every rule whose tensors exist is attached.
! smdbg: No rule "AllZero" is attached.  Try "rule status".
? 4

# a rule that is not attached: its definition, what "rule auto" does otherwise, and the tensors that it gives
$ -batch -ex 'rule explain all_zero' tests/trials/cnn_healthy
AllZero fires when at least threshold percent of a selected tensor's elements are 0 (-0.0 is zero, NaN is not).
This is the definition; "rule auto" judges otherwise: gradients and outputs of two or more axes are
judged: it fires if one is zero in 5 saved steps in a row. Zero biases are a remark.
  collection_names = gradients
  tensor_regex = _output
  threshold = 100
The hook must save: the tensors to inspect. This trial has tensors for it.
\
At step 100:
STEP  MODE  MODE-STEP  TENSOR                     VALUE  LIMIT  WHAT
 100  EVAL         10  CrossEntropyLoss_output_0      0    100  0.0% of 1 va…es are zero, limit 100%
