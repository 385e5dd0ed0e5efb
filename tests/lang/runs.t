# a directory is a list of runs
$ -batch -ex 'runs' -ex 'runs -json -field run,path,kind,metric,best_step,trend' tests/trials/tensorboard
   RUN    STATE  STEP  CrossEntropyLoss_output_0     BEST  AT  TREND    RULES
*  EVAL   ended    21                    0.63968  0.63968  21  -        -
   TRAIN  ended    22                    0.79385  0.79385  22  falling  -
[{"run":"EVAL","path":"EVAL","kind":"tensorboard","metric":"CrossEntropyLoss_output_0","best_step":21,"trend":null},{"run":"TRAIN","path":"TRAIN","kind":"tensorboard","metric":"CrossEntropyLoss_output_0","best_step":22,"trend":"falling"}]

# fields, names, and words that are a part of a name
$ -batch -ex 'runs run == TRAIN -field run' -ex 'runs eval -field run' -ex 'runs !eval && newest < 1 || (steps >= 100) -field run' -ex 'runs state = ended -field run' tests/trials/tensorboard
RUN
TRAIN
RUN
EVAL
RUN
TRAIN
RUN
EVAL
TRAIN

$ -batch -keep-going -ex 'runs lr > 1e-4 && (' -ex 'runs newest <' -ex 'runs eval train' tests/trials/tensorboard
! smdbg: Expected a name at column 15.
! smdbg: Expected a name at column 9.
! smdbg: Expected an operator at column 6.
? 1

# the best come first, whatever is better; what a run does not have comes last
$ -batch -ex 'runs -sort best -field run,best' -ex 'runs -sort best -r -field run,best' -ex 'set metric epoch_accuracy' -ex 'runs -sort best -field run,best' tests/trials/loggers/keras
RUN         BEST
train        0.1
validation   0.2
RUN         BEST
validation   0.2
train        0.1
RUN         BEST
train        0.9
validation   0.9

# a run is chosen by its name
$ -batch -ex 'trial TRAIN' -ex 'info config' -ex 'info summary' -ex 'log' tests/trials/tensorboard
   NUM  NAME   STATE  STEPS  TENSORS     LOSS  NOTE  PATH
     1  EVAL   ended      2        3  0.63968  -     tests/trials/tensorboard/EVAL
*    2  TRAIN  ended      8        7  0.79385  -     tests/trials/tensorboard/TRAIN
No configuration was logged.
No summary was logged.
The run has no console output.

# a trial is one run
$ -batch -ex 'runs -json -field run,path' tests/trials/cnn_healthy
[{"run":"cnn_healthy","path":"."}]

# the best come first, unless sorted by another key; keys of configurations sort as numbers
$ -batch -ex 'runs -best 2 -field run,best' -ex 'runs -best 3 -sort lr -r -field run,lr' -ex 'runs lr > 1e-3 && best < 0.1 -field run' tests/samples/sweep
RUN        BEST
run-6  0.041512
run-5   0.13037
RUN      lr
run-6  0.03
run-5  0.01
run-4  0.01
RUN
run-6
run-7

# repetitions of a configuration are one group
$ -batch -keep-going -ex 'runs -group lr' -ex 'runs lr > 1e-3 -group batch -json' -ex 'runs -group nothing' tests/samples/sweep
lr      RUNS      MEAN        STD       MIN       MAX  BEST MEAN      BEST  RUN    DIVERGED
0.0001     2    1.9057   0.034841    1.8811    1.9303     1.9057    1.8811  run-0         0
0.001      4   0.97535   0.091244   0.90379    1.0781    0.97253   0.90379  run-2         1
0.01       2   0.13228  0.0026962   0.13037   0.13418    0.13228   0.13037  run-5         0
0.03       2  0.058853          0  0.058853  0.058853   0.041512  0.041512  run-6         1
2 runs diverged and are left out of the numbers.
[{"group":"32","runs":2,"mean":0.13227656483650208,"std":0.0026961971195146577,"min":0.13037006556987762,"max":0.13418306410312653,"best_mean":0.13227656483650208,"best":0.13037006556987762,"best_run":"run-5","not_finite":0,"diverged":0},{"group":"64","runs":2,"mean":0.058852657675743103,"std":0,"min":0.058852657675743103,"max":0.058852657675743103,"best_mean":0.04151168093085289,"best":0.04151168093085289,"best_run":"run-6","not_finite":1,"diverged":1}]
! smdbg: No run has "nothing".
? 4

# a column is chosen by its name or header; what is none is an error that lists them
$ -batch -keep-going -ex 'runs -sort AT -field run,best_step' -ex 'runs -sort nothing' -ex 'runs -sort batch -best 2 -field run' tests/samples/sweep
RUN     AT
run-3  100
run-7  180
run-8  220
run-6  230
run-0  240
run-1  240
run-2  240
run-4  240
run-5  240
run-9  240
RUN
run-5
run-6
! smdbg: No column "nothing".  Columns: run, state, age, steps, step, rate, newest, best, best_step, trend, rules, issues, kind, path, errors, first_step, lr, batch, seed.
? 4

# the worst finding comes first: what spoils a run, then what fired first
$ -batch -ex "trial run-3 > $T/x" -ex 'rule add loss_limit limit=1' -ex "trial run-7 > $T/x" -ex 'rule add loss_limit limit=0.5' -ex 'rule add exploding_tensor' -ex 'rule status -wait -all -field trial,first_step' -ex 'runs lr > 0.001 -sort rules -field run,worst_rule,issues' -ex 'runs rules ~ Loss -field run' tests/samples/sweep
LossLimit is attached.
LossLimit is attached.
ExplodingTensor is attached.
TRIAL  FIRST
run-3      0
run-7      0
run-7    190
RUN    RULES            ISSUES
run-7  ExplodingTensor       2
run-4  -                     0
run-5  -                     0
run-6  -                     0
RUN
run-3

# runs are left out of the table, and put back
$ -batch -keep-going -ex 'runs lr == 0.001 -hide -field run,hidden,marked' -ex 'runs -field run' -ex 'runs -all -best 3 -field run,hidden' -ex 'runs batch == 32 -show -field run' -ex 'runs -field run' -ex 'runs -hide' -ex 'runs run-1 -hide -show' tests/samples/sweep
RUN    hidden  marked
run-2  true    false
run-3  true    false
run-8  true    false
run-9  true    false
RUN
run-0
run-1
run-4
run-5
run-6
run-7
RUN    hidden
run-6  false
run-5  false
run-4  false
RUN
run-0
run-1
run-4
run-5
run-8
run-9
RUN
run-0
run-1
run-4
run-5
run-6
run-7
run-8
run-9
! smdbg: -hide needs a FILTER: which runs to hide.
! smdbg: -hide and -show contradict each other.
? 1

# a name that no run has is said where nothing matches
$ -batch -ex 'runs lrr > 0.02' -ex 'runs lr > 100' -ex 'runs lr > 0 && !(val/lss < 2) && lr > 100' tests/samples/sweep
None of 10 runs matches: none has "lrr".
None of 10 runs matches.
None of 10 runs matches: none has "val/lss".

# names that no run has are said, also where others match
$ -batch -ex 'runs nosuch != 3 -best 1' -ex 'set metric nosuch' -ex 'runs run-1' tests/samples/sweep
   RUN    STATE  STEP  val/loss      BEST   AT  TREND    lr  batch  seed  RULES
   run-6  ended   240  0.058853  0.041512  230  flat   0.03     64     0  -
No run has "nosuch".
No run has a series "nosuch"; "set metric" without a name: a loss.
   RUN    STATE  STEP  NEWEST  BEST  AT  TREND      lr  batch  seed  RULES
   run-1  ended   240       -     -   -  -      0.0001     32     1  -
No run has a series "nosuch"; "set metric" without a name: a loss.

# a run that has diverged is not the best one, whatever its best value was
$ -batch -ex 'runs -sort best -field run,best,newest' -ex 'runs -best 1 -field run' tests/samples/sweep
RUN        BEST    val/loss
run-6  0.041512    0.058853
run-5   0.13037     0.13037
run-4   0.13418     0.13418
run-2   0.90379     0.90379
run-9   0.94417     0.94417
run-8    1.0696      1.0781
run-0    1.8811      1.8811
run-1    1.9303      1.9303
run-7  0.028332         nan
run-3    1.4219  8.8752e+06
RUN
run-6

# a metric that no run has is said where it is set
$ -batch -ex 'set metric nosuch' -ex 'set metric train/loss' -ex 'set metric' tests/samples/sweep
No run has a series "nosuch"; "set metric" without a name: a loss.

# a run with another metric has nothing in the columns of the metric: it comes last
$ -batch -ex "runs -sort best -field run,best,metric" tests/samples/tensorboard
RUN             BEST  METRIC
tf2         0.018081  loss
exp1            0.05  loss
hparams       4.3282  loss
version_0          -  val/loss
version_1          -  val/loss
train              -  epoch_loss
validation         -  evaluation_loss_vs_iterations

# filter and order look at the newest value of any series; alone its name is a part of a run's name
$ -batch -ex 'runs train/loss < 0.5 && val/loss < 2 -field run' -ex 'runs -sort train/loss -best 3 -field run' -ex 'runs nix < 3' -ex 'runs train/loss' tests/samples/sweep
RUN
run-4
run-5
run-6
RUN
run-6
run-5
run-4
None of 10 runs matches: none has "nix".
None of 10 runs matches.

$ -batch -ex 'runs scalar/accuracy > 0.5 -field run' -ex 'runs -sort scalar/accuracy -field run' tests/trials/cnn_dead_relu tests/trials/cnn_healthy
RUN
cnn_healthy
RUN
cnn_healthy
cnn_dead_relu

# a regular expression finds runs by their names, or is compared with a value
$ -batch -keep-going -ex 'runs /RUN-[12]$/ -field run' -ex 'runs run !~ /[0-7]$/ && !/9/ -field run' -ex 'runs path ~ /run-3/ -field run' -ex 'runs /(/' -ex 'runs run ~ /run' tests/samples/sweep
RUN
run-1
run-2
RUN
run-8
RUN
run-3
None of 10 runs matches.
! smdbg: Invalid regular expression "(": missing closing parenthesis at character 2.
? 1

# runs in folders that are called alike have their paths as names from the first command on
$ -batch -ex 'trial "b/seed 0/log.csv" > /dev/null' -ex 'print loss' -ex 'diff "a/seed 0/log.csv" "b/seed 0/log.csv" -field name,max_abs -csv' "$(for i in a b; do mkdir -p "$T/alike/$i/seed 0" && printf 'step,loss\n0,%d\n' "0x$i" >"$T/alike/$i/seed 0/log.csv"; done; echo $T/alike)"
$1 = 11
name,max_abs
loss,1

# the series that sorts is a column; others can be added, keys and series
$ -batch -keep-going -ex 'runs -sort train/loss -best 2' -ex 'runs -columns seed,train/loss -best 2 -sort state' -ex 'runs -columns train/loss,lr -best 2 -json -field run,columns' -ex 'runs -columns train/loss -best 1 -csv -field run,train/loss' -ex 'runs -columns nix' -ex 'runs -columns a,b,c,d,e,f,g,h,i' tests/samples/sweep
   RUN    STATE  STEP  val/loss      BEST   AT  TREND    train/loss    lr  batch  seed  RULES
   run-6  ended   240  0.058853  0.041512  230  flat      0.0080479  0.03     64     0  -
   run-5  ended   240   0.13037   0.13037  240  falling    0.073064  0.01     32     1  -
   RUN    STATE  STEP  val/loss      BEST   AT  TREND    seed  train/loss    lr  batch  RULES
   run-6  ended   240  0.058853  0.041512  230  flat        0   0.0080479  0.03     64  -
   run-5  ended   240   0.13037   0.13037  240  falling     1    0.073064  0.01     32  -
[{"run":"run-6","columns":{"train/loss":0.0080478694289922714,"lr":0.029999999999999999}},{"run":"run-5","columns":{"train/loss":0.073063701391220093,"lr":0.01}}]
run,train/loss
run-6,0.008047869428992271
! smdbg: No run has "nix".
! smdbg: No run has "a".
? 4

# runs as points: the metric against a key; runs that diverged are counted, texts are numbered, any series may be y
$ -batch -keep-going --ascii -ex 'runs -scatter lr' -ex 'runs lr < 0.03 -scatter batch -y train/loss -jsonl -field run,x,y' -ex 'runs -scatter nix' -ex 'runs -scatter lr -y nix' tests/samples/sweep
val/loss by lr, log x, rank correlation -0.96, 2 diverged
     |o
     |
     |
 1.5 +
     |
     |
     |
 1.0 +                                      o
     |                                      o
     |
     |
     |
 0.5 +
     |
     |
     |                                                                           o                 o
     ++----------+--------------+-----------+----------+--------------+----------+----------+------+
    1e-4       2e-4           5e-4        1e-3       2e-3           5e-3       1e-2       2e-2  3e-2
{"run":"run-0","x":32,"y":1.664609432220459}
{"run":"run-1","x":32,"y":1.7094031572341919}
{"run":"run-2","x":64,"y":0.77617394924163818}
{"run":"run-3","x":64,"y":8068362}
{"run":"run-4","x":32,"y":0.076530054211616516}
{"run":"run-5","x":32,"y":0.073063701391220093}
{"run":"run-8","x":32,"y":0.93463736772537231}
{"run":"run-9","x":32,"y":0.81287944316864014}
! smdbg: No run has "nix".
! smdbg: No run has "nix".
? 4

$ -batch --ascii -ex 'runs -scatter opt' -ex 'runs -scatter opt -json' tests/samples/hparams_runs
loss by opt, 6 without
     |                                                                                             o
     |
 1.0 +
     |
     |
 0.8 +
     |
     |
 0.6 +o
     |
     |
 0.4 +
     |
     |
 0.2 +
     |o
     ++--------------------------------------------------------------------------------------------+
      0                                                                                            1
0 adam, 1 sgd
{"x":"opt","y":"loss","rank_correlation":null,"missing":6,"diverged":0,"points":[{"run":"epochs","x":"sgd","y":1.125},{"run":"tbx","x":"adam","y":0.625},{"run":"torch","x":"adam","y":0.125}]}

# those that are not shown are counted, too, and have their loss
$ -n -batch --no-follow -ex 'info trials -csv -field name,tensors,loss' tests/samples/checkpoints
name,tensors,loss
arrays,4,
converted/source,7,
converted/target,7,
damaged,2,
lightning,26,
lora,8,
nan,4,
sharded,2,
tied,6,
trainer,118,1.5460714101791382
transposed/source,5,
transposed/target,5,
types,9,
types_packed,2,

$ -n -batch --no-follow -ex 'info trials -csv -field name,tensors,loss' tests/samples/sweep
name,tensors,loss
run-0,3,1.664609432220459
run-1,3,1.709403157234192
run-2,3,0.7761739492416382
run-3,3,8068362
run-4,3,0.07653005421161652
run-5,3,0.07306370139122009
run-6,3,0.008047869428992271
run-7,3,nan
run-8,3,0.9346373677253723
run-9,3,0.8128794431686401

# the metric stays when runs with other names come: they have nothing there
$ -batch -ex 'runs -field run,newest,metric' -ex "add-trial $T/b/log.csv > $T/x" -ex "add-trial $T/c/log.csv > $T/x" -ex 'runs -field run,newest' -ex 'set metric loss' -ex 'runs -field run,newest' "$(for i in a b c; do mkdir $T/$i && cp tests/lang/files/learns.csv $T/$i/log.csv; done; sed -i '1s/.*/epoch,train\/loss,extra/' $T/a/log.csv; touch -d '3 days ago' $T/*/*; echo $T/a)"
RUN  train/loss  METRIC
a       0.03185  train/loss
RUN  train/loss
a       0.03185
log           -
log           -
RUN     loss
a          -
log  0.03185
log  0.03185
