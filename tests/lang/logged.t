# rules and the verdict on numbers of loggers; losses of training and validation by their names
$ -batch --rules auto -ex verdict tests/lang/files/overfits.csv
CAUSE overfitting, since step 16
  val_loss: EVAL loss best, 0.75, at step 15  [series val_loss]
  val_loss: EVAL loss 1.995 at the end, TRAIN loss 0.02725  [series val_loss]
TRY Stop at the best EVAL loss; Use more data or augmentation, weight decay, dropout, or a smaller
    network
Looked at: 2 tensors, 60 steps, 120 values, 20 causes. Not saved: weights, gradients, inputs,
    labels.
RULE                 STATUS         FIRST  LAST  FIRED
ExplodingTensor      NoIssuesFound      -     -      0
LossNotDecreasing    IssuesFound       35    35      1
    val_loss  rose: median 1.185 of the last 12 values, 0.84 of those of steps 12 to 23, z 4.2,
    limit 3.5 (1 of 2 tensors)
Overfit              IssuesFound       20    20      1
    loss  EVAL was best, 0.75, 5 evaluations ago (before step 15), the last ones are 0.16 times as
    much above it, limit 0.1; z 2.6, limit 1.64; TRAIN was 0.47276 then, 0.2998 now
Overtraining         NoIssuesFound      -     -      0
    remark: improves neither in TRAIN nor in EVAL any more: loss
StalledTrainingRule  NoIssuesFound      -     -      0
? 3

$ -batch --rules auto -ex verdict tests/lang/files/learns.csv
No verdict: nothing wrong was found, but too little was saved
Looked at: 2 tensors, 60 steps, 120 values, 20 causes. Not saved: weights, gradients, inputs,
    labels.
RULE                 STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
ExplodingTensor      NoIssuesFound      -     -      0  -       -
LossNotDecreasing    NoIssuesFound      -     -      0  -       -
Overfit              NoIssuesFound      -     -      0  -       -
Overtraining         NoIssuesFound      -     -      0  -       -
StalledTrainingRule  NoIssuesFound      -     -      0  -       -

# by the definition; files at rest are not waited for
$ -batch --allow-shell -ex "shell mkdir $T/r && cp tests/lang/files/overfits.csv $T/r && touch -d 2020-01-01 $T/r/overfits.csv" -ex "open $T/r/overfits.csv > $T/answer" -ex 'rule add Overfit' -ex 'rule add Overtraining patience_train=1 patience_validation=3' -ex 'rule add ExplodingTensor' -ex 'rule status -wait'
Overfit is attached.
Overtraining is attached.
ExplodingTensor is attached.
RULE             STATUS         FIRST  LAST  FIRED
Overfit          IssuesFound        9     9      1
    loss  mean val 0.93, mean train 0.83726, ratio 0.110766, limit 0.1 (1 in a row, patience 1)
Overtraining     IssuesFound       25    25      1
    loss  no improvement > 0.01 for 1 saved TRAIN and 10 saved EVAL steps, limits 1 and 3 (best
    train 0.19238 @ 24, best val 0.75 @ 15)
ExplodingTensor  NoIssuesFound      -     -      0

$ -batch --allow-shell -ex "shell mkdir $T/r && cp tests/lang/files/learns.csv $T/r && touch -d 2020-01-01 $T/r/learns.csv" -ex "open $T/r/learns.csv > $T/answer" -ex 'rule auto' -ex 'rule status -wait'
Every rule whose tensors exist is attached.
RULE                 STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
ExplodingTensor      NoIssuesFound      -     -      0  -       -
LossNotDecreasing    NoIssuesFound      -     -      0  -       -
Overfit              NoIssuesFound      -     -      0  -       -
Overtraining         NoIssuesFound      -     -      0  -       -
StalledTrainingRule  NoIssuesFound      -     -      0  -       -

# a loss that is NaN from the first value: numbers alone do not say why
$ -batch --rules auto -ex verdict tests/lang/files/nan_at_first.csv
CAUSE unknown: NaN or infinity since step 0; its origin was not saved
  loss: nan at step 0, its first value  [series loss]
Looked at: 2 tensors, 3 steps, 6 values, 20 causes. Not saved: weights, gradients, inputs, labels.
RULE                 STATUS         FIRST  LAST  FIRED
ExplodingTensor      IssuesFound        0     0      1
    loss  1 NaN, 0 +Inf, 0 -Inf of 1 (1 of 2 tensors)
LossNotDecreasing    IssuesFound        0     0      1
    loss  nan is not finite; no finite one came before
Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
StalledTrainingRule  NoIssuesFound      -     -      0
? 3

# a gradient norm that stays NaN is seen before the loss; an infinite one that passes is not
$ -batch -ex verdict -ex 'verdict signals' tests/lang/files/norm_lost.csv
CAUSE unknown: NaN or infinity since step 41 to 50; its origin was not saved
  grad_norm: nan at step 50; finite before, at step 40  [series grad_norm]
Looked at: 4 tensors, 9 steps, 36 values, 20 causes. Not saved: weights, gradients, inputs, labels.
NAME       ROLE           MODE    WORKER  FIRST  LAST  VALUES
loss       loss           GLOBAL  .           0    80       9
grad_norm  other          GLOBAL  .           0    80       9
lr         learning rate  GLOBAL  .           0    80       9
time       other          GLOBAL  .           0    80       9

# of numbers that no cause looks at, where they stop and begin to be finite
$ -batch -ex 'verdict signals -json' tests/lang/files/norm_lost.csv
[{"name":"loss","role":"loss","mode":"GLOBAL","worker":".","first_step":0,"last_step":80,"values":9,"points":[{"step":0,"mode_step":0,"written":0,"nan":0,"inf":0,"mean":2,"std":0,"abs_max":2,"l2":2,"zero":0,"own":["nan","nan","nan"]},{"step":10,"mode_step":10,"written":0,"nan":0,"inf":0,"mean":1.60000002,"std":0,"abs_max":1.60000002,"l2":1.60000002,"zero":0,"own":["nan","nan","nan"]},{"step":20,"mode_step":20,"written":0,"nan":0,"inf":0,"mean":1.29999995,"std":0,"abs_max":1.29999995,"l2":1.29999995,"zero":0,"own":["nan","nan","nan"]},{"step":30,"mode_step":30,"written":0,"nan":0,"inf":0,"mean":1.10000002,"std":0,"abs_max":1.10000002,"l2":1.10000002,"zero":0,"own":["nan","nan","nan"]},{"step":40,"mode_step":40,"written":0,"nan":0,"inf":0,"mean":1,"std":0,"abs_max":1,"l2":1,"zero":0,"own":["nan","nan","nan"]},{"step":50,"mode_step":50,"written":0,"nan":0,"inf":0,"mean":0.899999976,"std":0,"abs_max":0.899999976,"l2":0.899999976,"zero":0,"own":["nan","nan","nan"]},{"step":60,"mode_step":60,"written":0,"nan":0,"inf":0,"mean":0.899999976,"std":0,"abs_max":0.899999976,"l2":0.899999976,"zero":0,"own":["nan","nan","nan"]},{"step":70,"mode_step":70,"written":0,"nan":1,"inf":0,"mean":"nan","std":"nan","abs_max":"nan","l2":"nan","zero":0,"own":["nan","nan","nan"]},{"step":80,"mode_step":80,"written":0,"nan":1,"inf":0,"mean":"nan","std":"nan","abs_max":"nan","l2":"nan","zero":0,"own":["nan","nan","nan"]}]},{"name":"grad_norm","role":"other","mode":"GLOBAL","worker":".","first_step":0,"last_step":80,"values":9,"points":[{"step":0,"mode_step":0,"written":1,"nan":0,"inf":0,"mean":1.5,"std":0,"abs_max":1.5,"l2":1.5,"zero":0,"own":["nan","nan","nan"]},{"step":10,"mode_step":10,"written":1,"nan":0,"inf":1,"mean":"nan","std":"nan","abs_max":"nan","l2":"nan","zero":0,"own":["nan","nan","nan"]},{"step":20,"mode_step":20,"written":1,"nan":0,"inf":0,"mean":1.39999998,"std":0,"abs_max":1.39999998,"l2":1.39999998,"zero":0,"own":["nan","nan","nan"]},{"step":40,"mode_step":40,"written":1,"nan":0,"inf":0,"mean":1.20000005,"std":0,"abs_max":1.20000005,"l2":1.20000005,"zero":0,"own":["nan","nan","nan"]},{"step":50,"mode_step":50,"written":1,"nan":1,"inf":0,"mean":"nan","std":"nan","abs_max":"nan","l2":"nan","zero":0,"own":["nan","nan","nan"]},{"step":80,"mode_step":80,"written":1,"nan":1,"inf":0,"mean":"nan","std":"nan","abs_max":"nan","l2":"nan","zero":0,"own":["nan","nan","nan"]}]},{"name":"lr","role":"learning rate","mode":"GLOBAL","worker":".","first_step":0,"last_step":80,"values":9,"points":[{"step":0,"mode_step":0,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":10,"mode_step":10,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":20,"mode_step":20,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":30,"mode_step":30,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":40,"mode_step":40,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":50,"mode_step":50,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":60,"mode_step":60,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":70,"mode_step":70,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":80,"mode_step":80,"written":2,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]}]},{"name":"time","role":"other","mode":"GLOBAL","worker":".","first_step":0,"last_step":80,"values":9,"points":[{"step":0,"mode_step":0,"written":3,"nan":0,"inf":0,"mean":0.100000001,"std":0,"abs_max":0.100000001,"l2":0.100000001,"zero":0,"own":["nan","nan","nan"]},{"step":80,"mode_step":80,"written":3,"nan":0,"inf":0,"mean":0.899999976,"std":0,"abs_max":0.899999976,"l2":0.899999976,"zero":0,"own":["nan","nan","nan"]}]}]

# the loss itself shows why
$ -batch -ex verdict tests/lang/files/jumps.csv
CAUSE learning rate too high, since step 96 to 100
  loss: the loss jumps from 0.7547 to 50  [series loss]
  loss: loss 1.9 at the start, 1350 at the end  [series loss]
  then @125 NaN or infinity that arises in the network
TRY Lower the learning rate by 3 to 10 times, or warm it up; Clip the gradients by their norm
Looked at: 2 tensors, 40 steps, 80 values, 20 causes. Not saved: weights, gradients, inputs, labels.

# it grows from step to step, without a jump
$ -batch -ex verdict tests/lang/files/runs_away.csv
CAUSE learning rate too high, since step 311 to 320
  loss: the loss had fallen to 0.1556, rises from here on, and reaches 4.368e+05  [series loss]
  loss: loss 1.824 at the start, 4.368e+05 at the end  [series loss]
  then @700 NaN or infinity that arises in the network
TRY Lower the learning rate by 3 to 10 times, or warm it up; Clip the gradients by their norm
Looked at: 2 tensors, 73 steps, 146 values, 20 causes. Not saved: weights, gradients, inputs,
    labels.

# a table never says that it is complete: silent for hours it is stalled, for more than a day it has ended, or was stopped; neither alarms
$ -batch -ex 'info trials -field name,state' -ex 'rule add StalledTrainingRule' -ex 'rule status -wait -field instance,status' "$(for i in 3h 3d; do mkdir $T/$i && cp tests/lang/files/learns.csv $T/$i/log.csv; done; touch -d '3 hours ago' $T/3h/*; touch -d '3 days ago' $T/3d/*; echo $T)"
NAME  STATE
3d    ended
3h    stalled
StalledTrainingRule is attached.
RULE                 STATUS
StalledTrainingRule  NoIssuesFound

$ -batch -ex 'info trial' -ex 'info events -field text' "$(cp tests/lang/files/learns.csv $T/log.csv; touch -d '3 days ago' $T/log.csv; echo $T/log.csv)"
name              log
kind              csv
state             ended
workers           .
workers expected  1
steps             60
first step        0
last step         59
tensors           2
collections       3
payload           0 B
errors            0
mode              GLOBAL: 60 steps, 0 to 59
end               not logged: ended, or stopped; nothing has come for 3d00h
WHAT
ended, or stopped: nothing has come for 3d00h
the job begins at step 0

$ --check "$(cp tests/lang/files/learns.csv $T/log.csv; touch -d '3 days ago' $T/log.csv; echo $T/log.csv)"
log: table of metrics, 1 run, ended, or stopped (newest data 3d00h old)
120 records, 0 unreadable; 0 problems
