# rules judge every run of a directory, also those that are not shown: the table waits for them
$ -batch --rules auto -ex 'runs -field run,worst_rule,issues' "$(for i in 01 02 03 04 05 06 07 08 09 10 11 12; do mkdir $T/run_$i && awk -v r=$i 'BEGIN { print "step,loss"; for (s = 0; s < 120; s++) print s "," (r == 11 && s > 90 ? "nan" : 2 * exp(-s / 40) + 0.1 + 0.01 * (s * 7 % 5)) }' >$T/run_$i/log.csv; done; echo $T)"
RUN     RULES            ISSUES
run_01  -                     0
run_02  -                     0
run_03  -                     0
run_04  -                     0
run_05  -                     0
run_06  -                     0
run_07  -                     0
run_08  -                     0
run_09  -                     0
run_10  -                     0
run_11  ExplodingTensor       2
run_12  -                     0
TRIAL   RULE                 STATUS         FIRST  LAST  FIRED
run_01  ExplodingTensor      NoIssuesFound      -     -      0
run_01  LossNotDecreasing    NoIssuesFound      -     -      0
run_01  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_01  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_01  StalledTrainingRule  NoIssuesFound      -     -      0
run_02  ExplodingTensor      NoIssuesFound      -     -      0
run_02  LossNotDecreasing    NoIssuesFound      -     -      0
run_02  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_02  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_02  StalledTrainingRule  NoIssuesFound      -     -      0
run_03  ExplodingTensor      NoIssuesFound      -     -      0
run_03  LossNotDecreasing    NoIssuesFound      -     -      0
run_03  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_03  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_03  StalledTrainingRule  NoIssuesFound      -     -      0
run_04  ExplodingTensor      NoIssuesFound      -     -      0
run_04  LossNotDecreasing    NoIssuesFound      -     -      0
run_04  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_04  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_04  StalledTrainingRule  NoIssuesFound      -     -      0
run_05  ExplodingTensor      NoIssuesFound      -     -      0
run_05  LossNotDecreasing    NoIssuesFound      -     -      0
run_05  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_05  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_05  StalledTrainingRule  NoIssuesFound      -     -      0
run_06  ExplodingTensor      NoIssuesFound      -     -      0
run_06  LossNotDecreasing    NoIssuesFound      -     -      0
run_06  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_06  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_06  StalledTrainingRule  NoIssuesFound      -     -      0
run_07  ExplodingTensor      NoIssuesFound      -     -      0
run_07  LossNotDecreasing    NoIssuesFound      -     -      0
run_07  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_07  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_07  StalledTrainingRule  NoIssuesFound      -     -      0
run_08  ExplodingTensor      NoIssuesFound      -     -      0
run_08  LossNotDecreasing    NoIssuesFound      -     -      0
run_08  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_08  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_08  StalledTrainingRule  NoIssuesFound      -     -      0
run_09  ExplodingTensor      NoIssuesFound      -     -      0
run_09  LossNotDecreasing    NoIssuesFound      -     -      0
run_09  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_09  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_09  StalledTrainingRule  NoIssuesFound      -     -      0
run_10  ExplodingTensor      NoIssuesFound      -     -      0
run_10  LossNotDecreasing    NoIssuesFound      -     -      0
run_10  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_10  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_10  StalledTrainingRule  NoIssuesFound      -     -      0
run_11  ExplodingTensor      IssuesFound       91    91      1
    loss  1 NaN, 0 +Inf, 0 -Inf of 1
run_11  LossNotDecreasing    IssuesFound       91    91      1
    loss  nan is not finite; 0.310798 before, at step 90
run_11  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_11  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_11  StalledTrainingRule  NoIssuesFound      -     -      0
run_12  ExplodingTensor      NoIssuesFound      -     -      0
run_12  LossNotDecreasing    NoIssuesFound      -     -      0
run_12  Overfit              NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
run_12  Overtraining         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
run_12  StalledTrainingRule  NoIssuesFound      -     -      0
? 3

# what a rule of a file finds in any of many runs: events with the name of the run, and exit status 3
$ -batch --rules tests/lang/files/low.rule -ex 'rule status -wait -all -field trial,status,first_step' -ex 'info events -field rule,step,text' "$(for i in 01 02 03 04 05 06 07 08 09 10 11 12; do mkdir $T/run_$i && awk -v r=$i 'BEGIN { print "step,loss"; for (s = 0; s < 20; s++) print s "," (r == 11 && s > 9 ? -1 : 2 - s / 20) }' >$T/run_$i/log.csv; done; touch -d '2 days ago' $T/*/*; echo $T)"
TRIAL   STATUS         FIRST
run_01  NoIssuesFound      -
run_02  NoIssuesFound      -
run_03  NoIssuesFound      -
run_04  NoIssuesFound      -
run_05  NoIssuesFound      -
run_06  NoIssuesFound      -
run_07  NoIssuesFound      -
run_08  NoIssuesFound      -
run_09  NoIssuesFound      -
run_10  NoIssuesFound      -
run_11  IssuesFound       10
run_12  NoIssuesFound      -
RULE     STEP  WHAT
too_low    10  run_11: too_low fired at step 10: loss: it is -1
-          19  ended, or stopped: nothing has come for 2d00h
-           0  the job begins at step 0
TRIAL   RULE     STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
run_01  too_low  NoIssuesFound      -     -      0  -       -
run_02  too_low  NoIssuesFound      -     -      0  -       -
run_03  too_low  NoIssuesFound      -     -      0  -       -
run_04  too_low  NoIssuesFound      -     -      0  -       -
run_05  too_low  NoIssuesFound      -     -      0  -       -
run_06  too_low  NoIssuesFound      -     -      0  -       -
run_07  too_low  NoIssuesFound      -     -      0  -       -
run_08  too_low  NoIssuesFound      -     -      0  -       -
run_09  too_low  NoIssuesFound      -     -      0  -       -
run_10  too_low  NoIssuesFound      -     -      0  -       -
run_11  too_low  IssuesFound       10    10      1  loss    it is -1
run_12  too_low  NoIssuesFound      -     -      0  -       -
? 3

