# a NaN on any worker but the first: lists, counts and rules look at every worker
$ -batch --rules auto "$(sh tests/lang/files/one_nan.sh "$T")"
RULE                      STATUS         FIRST  LAST  FIRED
VanishingGradient         NoIssuesFound      -     -      0
ExplodingTensor           IssuesFound       10    10      1
    worker_1  CrossEntropyLoss_output_0  1 NaN, 0 +Inf, 0 -Inf of 1 (1 of 26 tensors)
PoorWeightInitialization  NoIssuesFound      -     -      0
WeightUpdateRatio         NoIssuesFound      -     -      0
AllZero                   NoIssuesFound      -     -      0
TensorVariance            NoIssuesFound      -     -      0
UnchangedTensor           NoIssuesFound      -     -      0
LossNotDecreasing         IssuesFound       10    10      1
    worker_1  CrossEntropyLoss_output_0  nan is not finite; 0.999874 before, at step 8 (1 of 2
    tensors)
Overfit                   NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining              NoIssuesFound      -     -      0
StalledTrainingRule       NoIssuesFound      -     -      0
? 3

$ -batch -ex 'find nan' -ex 'tensors *loss* *Loss*' -ex 'tensors -where "isnan(max($t))" -field name' -ex 'info problems' "$(sh tests/lang/files/one_nan.sh "$T")"
NAME                       STEP  WORKER    INDEX  VALUE
CrossEntropyLoss_output_0    18  worker_1  ()       nan
1 element found in 26 values.
NAME                       DTYPE    SHAPE  STEPS     MEAN  STD  NAN  TREND
CrossEntropyLoss_output_0  float32  ()        10  0.96816    0    1  ▇▄▁▁✕✕✕✕
MEAN and STD are of the first worker that has the value, by name; NAN and TREND count all.
CrossEntropyLoss_output_0 on worker_1: 1 NaN.
NAME
CrossEntropyLoss_output_0
STEP  KIND   TENSOR                     PROBLEM
  18  value  CrossEntropyLoss_output_0  CrossEntropyLoss_output_0 at step 18: 1 NaN on worker_1
Of all steps, 5 values of 1 tensor are NaN or infinite, first at step 10; "bt -worst" starts at the worst.

# where one worker is shown, what the others have is said
$ -batch -ex 'stat CrossEntropyLoss_output_0 -field name,worker,nan' -ex 'tensor CrossEntropyLoss_output_0' -ex 'series CrossEntropyLoss_output_0' -ex 'plot CrossEntropyLoss_output_0 -h 4' "$(sh tests/lang/files/one_nan.sh "$T")"
name    CrossEntropyLoss_output_0
worker  worker_0
nan     0
CrossEntropyLoss_output_0  step 18 (train 18)  worker_0  float32 ()
0.9681624
Not shown: worker_1: 1 NaN.
STEP  MODE   MODE-STEP  TIME                         VALUE
   0  TRAIN          0  2026-11-21T02:48:29+00:00   1.1021
   2  TRAIN          2  2026-11-21T02:48:29+00:00   1.0584
   4  TRAIN          4  2026-11-21T02:48:29+00:00   1.0574
   6  TRAIN          6  2026-11-21T02:48:29+00:00   1.0076
   8  TRAIN          8  2026-11-21T02:48:29+00:00   1.0127
  10  TRAIN         10  2026-11-21T02:48:29+00:00  0.98963
  12  TRAIN         12  2026-11-21T02:48:29+00:00   1.0091
  14  TRAIN         14  2026-11-21T02:48:29+00:00   0.8825
  16  TRAIN         16  2026-11-21T02:48:29+00:00  0.95008
  18  TRAIN         18  2026-11-21T02:48:29+00:00  0.96816
The values are of the first of 2 workers that has the step, by name.
Not shown: worker_1: 5 NaN, from step 10 on.
 1.10 ┤⠉⠉⠉⠒⠒⠒⠒⠒⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⢄⣀⣀⣀                                      ── CrossEntropyLoss_output_0
      │                          ⠉⠉⠉⠑⠒⠒⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠤⠤⠤⠤⠤⠤⠤⠤⠒⠒⠒⠒⠒⠢⠤⢄⣀                     ⢀⣀⣀⣀⣀⣀
 0.88 ┤                                                                  ⠉⠉⠒⠢⠤⢄⣀⣀⠤⠤⠤⠔⠒⠒⠊⠉⠉⠉⠉⠉⠉⠁
      └─────────────────────────────────────────────────────────────────────────────────────────────
The values are of the first of 2 workers that has the step, by name.
Not shown: worker_1: 5 NaN, from step 10 on.

$ -batch -ex 'stat CrossEntropyLoss_output_0 worker 1' -ex 'tensor CrossEntropyLoss_output_0 worker 1' "$(sh tests/lang/files/one_nan.sh "$T")"
CrossEntropyLoss_output_0  step 18 (train 18)  worker_1  float32
min          -            max          -            mean         -
std          -            variance     -            median       -
sum          -            prod         -
l1           -            l2           -
abs_min      -            abs_max      -            abs_mean     -
abs_std      -            abs_variance -            abs_median   -
abs_sum      -
p1           -            p5           -            p25          -
p75          -            p95          -            p99          -
size         1            zero         0            nan          1
pos          0            neg          0
pos_inf      0            neg_inf      0
No statistics: no element is a finite real number.
CrossEntropyLoss_output_0  step 18 (train 18)  worker_1  float32 ()
nan

$ -batch -ex 'break *Loss* if isnan(max($t))' -ex run "$(sh tests/lang/files/one_nan.sh "$T")"
Breakpoint 1 at *Loss* (1 tensor)
\
Breakpoint 1, CrossEntropyLoss_output_0 at step 10 (train 10), worker_1
isnan(max($t))

# a worker was lost: without --follow every step counts as it is
$ -batch --rules auto "$(LOST=1 sh tests/lang/files/one_nan.sh "$T")"
RULE                      STATUS         FIRST  LAST  FIRED
VanishingGradient         NoIssuesFound      -     -      0
ExplodingTensor           IssuesFound       10    10      1
    worker_0  CrossEntropyLoss_output_0  1 NaN, 0 +Inf, 0 -Inf of 1 (1 of 13 tensors)
PoorWeightInitialization  NoIssuesFound      -     -      0
WeightUpdateRatio         NoIssuesFound      -     -      0
AllZero                   NoIssuesFound      -     -      0
TensorVariance            NoIssuesFound      -     -      0
UnchangedTensor           NoIssuesFound      -     -      0
LossNotDecreasing         IssuesFound       10    10      1
    worker_0  CrossEntropyLoss_output_0  nan is not finite; 1.01271 before, at step 8
Overfit                   NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining              NoIssuesFound      -     -      0
StalledTrainingRule       NoIssuesFound      -     -      0
? 3

# while more may come, what is not judged is said
$ -batch -ex 'rule add exploding_tensor' -ex 'rule status' -ex 'rule status -csv -field instance,status,datapoints,not_judged,not_judged_why' "$(LOST=1 sh tests/lang/files/one_nan.sh "$T")"
ExplodingTensor is attached.
RULE             STATUS      FIRST  LAST  FIRED
ExplodingTensor  InProgress      -     -      0
    6 steps not judged: waiting for worker_1, which wrote nothing after step 6; only the first
    worker was judged, workers=all judges every worker
instance,status,datapoints,not_judged,not_judged_why
ExplodingTensor,InProgress,52,6,"6 steps not judged: waiting for worker_1, which wrote nothing after step 6; only the first worker was judged, workers=all judges every worker"

# a rule looks at the first worker unless it is told to look at all, and says so
$ -batch -ex 'rule test exploding_tensor' -ex 'rule test exploding_tensor workers=all' -ex 'rule add exploding_tensor' -ex 'rule status' -ex 'rule status -csv -field status,not_judged,not_judged_why' "$(sh tests/lang/files/one_nan.sh "$T")"
ExplodingTensor does not fire: 130 datapoints.
ExplodingTensor: only the first worker was judged, workers=all judges every worker
ExplodingTensor fires at 5 steps, first at 10, last at 18: 5 of 260 datapoints.
STEP  MODE   MODE-STEP  WORKER    TENSOR                     VALUE  LIMIT  WHAT
  10  TRAIN         10  worker_1  CrossEntropyLoss_output_0      1      0  1 NaN, 0…1 of 26 tensors)
  12  TRAIN         12  worker_1  CrossEntropyLoss_output_0      1      0  1 NaN, 0…1 of 26 tensors)
  14  TRAIN         14  worker_1  CrossEntropyLoss_output_0      1      0  1 NaN, 0…1 of 26 tensors)
  16  TRAIN         16  worker_1  CrossEntropyLoss_output_0      1      0  1 NaN, 0…1 of 26 tensors)
  18  TRAIN         18  worker_1  CrossEntropyLoss_output_0      1      0  1 NaN, 0…1 of 26 tensors)
ExplodingTensor is attached.
RULE             STATUS         FIRST  LAST  FIRED
ExplodingTensor  NoIssuesFound      -     -      0
    only the first worker was judged, workers=all judges every worker
status,not_judged,not_judged_why
NoIssuesFound,0,"only the first worker was judged, workers=all judges every worker"
$ -batch -ex 'rule test exploding_tensor' tests/trials/mlp_overfit
ExplodingTensor does not fire: 309 datapoints.

# lists say whose values they show, and what the others have
$ -batch -ex 'stat *Loss* MLP_fc0.bias' -ex 'stat CrossEntropyLoss_output_0 step 6:12' -ex 'stat CrossEntropyLoss_output_0 step 6:12 worker worker_1' -ex 'stat *Loss* -csv -field name,nan' -ex report "$(sh tests/lang/files/one_nan.sh "$T")"
NAME                       STEP  SIZE      MIN      MAX       MEAN      STD  NAN  +INF  -INF  ZERO
CrossEntropyLoss_output_0    18     1  0.96816  0.96816    0.96816        0    0     0     0     0
MLP_fc0.bias                 18    16  -0.2156  0.17968  -0.067026  0.12515    0     0     0     0
The values are of the first of 2 workers that has the step, by name.
Not shown: CrossEntropyLoss_output_0 at step 18 of worker_1: 1 NaN.
STEP  MODE   MODE-STEP      MIN      MAX     MEAN  STD       L2  NAN  +INF  -INF  ZERO
   6  TRAIN          6   1.0076   1.0076   1.0076    0   1.0076    0     0     0     0
   8  TRAIN          8   1.0127   1.0127   1.0127    0   1.0127    0     0     0     0
  10  TRAIN         10  0.98963  0.98963  0.98963    0  0.98963    0     0     0     0
The values are of the first of 2 workers that has the step, by name.
Not shown: CrossEntropyLoss_output_0 at step 10 of worker_1: 1 NaN.
STEP  MODE   MODE-STEP      MIN      MAX     MEAN  STD       L2  NAN  +INF  -INF  ZERO
   6  TRAIN          6   1.0087   1.0087   1.0087    0   1.0087    0     0     0     0
   8  TRAIN          8  0.99987  0.99987  0.99987    0  0.99987    0     0     0     0
  10  TRAIN         10        -        -        -    -        -    1     0     0     0
name,nan
CrossEntropyLoss_output_0,0
CAUSE NaN or infinity that arises in the network, since step 9 to 10
  CrossEntropyLoss_output_0 of worker_1: nan at step 10; finite before, at step 8  [series
    CrossEntropyLoss_output_0 worker worker_1]
TRY Look at the operation that gives this tensor: a logarithm, root, division or overflow; Add a
    small constant below the root or in the divisor; use float32 or scale the loss
Looked at: 13 tensors, 10 steps, 260 values, 20 causes. Not saved: inputs, labels.
\
run: ended. 10 steps (TRAIN 0..18), 13 tensors in 6 collections.
\
LOSS                       MODE   WORKER    STEPS   FIRST     BEST  AT     LAST
CrossEntropyLoss_output_0  TRAIN  worker_0     10  1.1021   0.8825  14  0.96816
CrossEntropyLoss_output_0  TRAIN  worker_1     10  1.1244  0.99987   8      nan
\
ExplodingTensor fired at step 10 (TRAIN 10) worker worker_1: CrossEntropyLoss_output_0: 1 NaN, 0 +Inf, 0 -Inf of 1 (1 of 26 tensors)
  Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.
LossNotDecreasing fired at step 10 (TRAIN 10) worker worker_1: CrossEntropyLoss_output_0: nan is not finite; 0.999874 before, at step 8 (1 of 2 tensors)
  Check learning rate, order of the data and labels; if it stays flat, stop early.
8 of 11 rules found nothing. 1 judged nothing, Overfit: no EVAL step was saved, so there is nothing to compare with.
\
TENSOR WITH A PROBLEM      WORKER    SINCE  RULE             WHAT
CrossEntropyLoss_output_0  worker_1     10  ExplodingTensor  1 NaN, 0 +Inf…nf of 1 (1 of 26 tensors)

# so does the dashboard
$ TERM=xterm-256color -n --tui --wait --no-follow --rules auto --size 100x30 --keys "$(echo "wait save:$T/screen" >"$T/keys" && echo "$T/keys")" "$(sh tests/lang/files/one_nan.sh "$T")" >"$T/out"; grep -o 'CrossEntr[^ ]*  *worker_1: NaN at step 10\|worker_1: nan at step 10\|. worker_1: 1 NaN\|@10  worker_1: Cro' "$T/screen"
worker_1: nan at step 10
CrossEntropyLoss_output_0  worker_1: NaN at step 10
▲ worker_1: 1 NaN
@10  worker_1: Cro

# beyond survey-limit not all values are read
$ -batch -iex 'set survey-limit 1' -ex 'tensors *out.bias*' tests/trials/mlp_overfit | sed -n '1p;$p'
NAME          DTYPE    SHAPE  STEPS
Statistics are omitted, because these values are larger than survey-limit. -stats reads them.
$ -batch -iex 'set survey-limit 5000' -ex 'tensors *out.bias*' tests/trials/mlp_overfit | tail -1
TREND is of a part of the values: the trial is larger than survey-limit. -stats reads all.
$ -batch -iex 'set survey-limit 1' -ex 'tensors *Loss* -stats' -ex 'tensors *Loss*' tests/trials/mlp_overfit
NAME                       DTYPE    SHAPE  STEPS    MEAN  STD  NAN  TREND
CrossEntropyLoss_output_0  float32  ()        60  2.4446    0    0  ▇▁▁▁▁▁▁▁
NAME                       DTYPE    SHAPE  STEPS    MEAN  STD  NAN  TREND
CrossEntropyLoss_output_0  float32  ()        60  2.4446    0    0  ▇▁▁▁▁▁▁▁

# nothing was judged
$ -batch --rules auto tests/trials/killed_at_start
RULE                 STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
StalledTrainingRule  NoIssuesFound      -     -      0  -       -
! smdbg: no rule judged anything: the trial has no steps
? 4

$ -batch -iex 'rule load -define doc/rules/loss_bounds.rule' --rules doc/rules/large_mean.rule tests/trials/xgb_classifier
loss_bounds can be added.
RULE        STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
large_mean  NoIssuesFound      -     -      0  -       0 tensors matched; this result means nothing
! smdbg: large_mean judged nothing: 0 tensors matched; this result means nothing
? 4

# all workers of a scalar in one chart, and in a list; the workers of a name that is not there are an error
$ -batch -ex 'plot Cross* worker * -h 6' -ex 'spark Cross* worker *' tests/trials/ddp_two_workers
 1.12 ┤⠛⠓⠤⠶⠤⢄⣤⣀⣀⡀                                                                       ── worker_0
      │         ⠉⠉⠉⠉⠉⠉⠉⠋⠉⠛⠋⠉⠛⠓⠒⠶⠖⠤⠤⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡀          ⣀⣀⣀⣀⣀⡀                  ┄┄ worker_1
      │                                    ⠈⠁ ⠉⠁ ⠉⠁ ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠒⠂ ⠒⠂⠈⠵⠖⠤⣄⡀             ⣀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤
 0.88 ┤                                                                   ⠉⠉⠒⠢⢄⣤⡤⠤⠤⠖⠒⠮⠍⠉⠤⠄ ⠤⠄ ⠤⠄ ⠤⠄
      └┬────────────────────────┬─────────────────────────┬─────────────────────────┬──────────────┬
       0                        5                        10                        15             18
NAME                       WORKER    WHAT  STEPS   FIRST     LAST  TREND
CrossEntropyLoss_output_0  worker_0  -        10  1.1021  0.96816  ▇▆▆▄▅▄▄▁▃▃
CrossEntropyLoss_output_0  worker_1  -        10  1.1244  0.90227  ▇▅▅▄▄▃▃▁▁▁

$ -batch --keep-going -ex 'plot Cross* worker 7' -ex 'series CrossEntropyLoss_output_0 worker *' tests/trials/ddp_two_workers
! smdbg: No worker "7".  Workers: worker_0, worker_1.
! smdbg: A series is of one worker; "plot" draws all.
? 4

# more than 8 as their mean and range
$ -batch -ex 'plot Cross* worker * -h 6' "$(sh tests/lang/files/many_workers.sh "$T")"
The mean of the workers, with their range.
 1.12 ┤⠉⠑⠒⠒⠤⠤⠤⣀⣀⡀                                         ── CrossEntropyLoss_output_0 (12 workers)
      │        ⠁⠈⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⢄⣀⣀⣀⣀⣀⣀⣀⡀⡀ ⡀ ⡀ ⡀ ⡀             ⡀ ⡀
      │                                    ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠤⠤⣀⣀⡀             ⡀ ⡀ ⡀⠄⡀⠄⡀⠄⡀⠄
 0.88 ┤                                                                   ⠉⠉⠒⠒⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒
      └┬────────────────────────┬─────────────────────────┬─────────────────────────┬──────────────┬
       0                        5                        10                        15             18
