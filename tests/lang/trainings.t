# trainings of which the fault is known (tests/archives/trainings/README)
$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/data_not_shuffled.smdz
cause  data_not_shuffled
since  0

$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/layer_not_trained.smdz
cause  layer_not_trained
since  0

$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/worker_diverged.smdz
cause  worker_diverged
since  15

$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/non_finite_input.smdz
cause  non_finite_input
since  141

$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/learning_rate_too_high.smdz
cause  learning_rate_too_high
since  1

$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/unnormalized_input.smdz
cause  unnormalized_input
since  0

$ -batch -ex 'verdict -field cause,since' tests/archives/trainings/healthy.smdz
cause  none
since  -

# and nothing is raised by rules, either
$ -batch --rules auto -ex 'rule status -wait -field rule,status' tests/archives/trainings/healthy.smdz
rule                      STATUS
VanishingGradient         NoIssuesFound
ExplodingTensor           NoIssuesFound
PoorWeightInitialization  NoIssuesFound
WeightUpdateRatio         NoIssuesFound
AllZero                   NoIssuesFound
TensorVariance            NoIssuesFound
UnchangedTensor           NoIssuesFound
LossNotDecreasing         NoIssuesFound
Overfit                   NoIssuesFound
Overtraining              NoIssuesFound
StalledTrainingRule       NoIssuesFound
ClassImbalance            NoIssuesFound
CheckInputImages          NoIssuesFound
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
ClassImbalance            NoIssuesFound      -     -      0
CheckInputImages          NoIssuesFound      -     -      0
