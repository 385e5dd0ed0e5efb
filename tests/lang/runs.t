# a directory is a list of runs
$ -batch -ex 'runs' -ex 'runs -json -field run,path,kind,metric,best_step,trend' tests/trials/tensorboard
   RUN    STATE    STEP  CrossEntropyLoss_output_0     BEST  AT  TREND  ISSUE
*  EVAL   stalled    21                    0.63968  0.63968  21  -      -
   TRAIN  stalled    22                    0.79385  0.79385  22  -      -
[{"run":"EVAL","path":"EVAL","kind":"tensorboard","metric":"CrossEntropyLoss_output_0","best_step":21,"trend":null},{"run":"TRAIN","path":"TRAIN","kind":"tensorboard","metric":"CrossEntropyLoss_output_0","best_step":22,"trend":null}]

# fields, names, and words that are a part of a name
$ -batch -ex 'runs run == TRAIN -field run' -ex 'runs eval -field run' -ex 'runs !eval && newest < 1 || (steps >= 100) -field run' -ex 'runs state = ended -field run' tests/trials/tensorboard
RUN
TRAIN
RUN
EVAL
RUN
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
   NUM  NAME   STATE    STEPS  TENSORS     LOSS  NOTE  PATH
     1  EVAL   stalled      2        3  0.63968  -     tests/trials/tensorboard/EVAL
*    2  TRAIN  stalled      6        6  0.79385  -     tests/trials/tensorboard/TRAIN
No configuration was logged.
No summary was logged.
The run has no console output.

# a trial is one run
$ -batch -ex 'runs -json -field run,path' tests/trials/cnn_healthy
[{"run":"cnn_healthy","path":"."}]

# the best come first, or stay in their order; keys of configurations sort as numbers
$ -batch -ex 'runs -best 2 -field run,best' -ex 'runs -best 3 -sort lr -r -field run,lr' -ex 'runs lr > 1e-3 && best < 0.1 -field run' tests/samples/sweep
RUN        BEST
run-6  0.041512
run-7  0.028332
RUN      lr
run-7  0.03
run-6  0.03
run-5  0.01
RUN
run-6
run-7

# repetitions of a configuration are one group
$ -batch -keep-going -ex 'runs -group lr' -ex 'runs lr > 1e-3 -group batch -json' -ex 'runs -group nothing' tests/samples/sweep
lr      RUNS        MEAN         STD       MIN         MAX  BEST MEAN      BEST  RUN    BAD
0.0001     2      1.9057    0.034841    1.8811      1.9303     1.9057    1.8811  run-0    0
0.001      4  2.2188e+06  4.4376e+06   0.90379  8.8752e+06     1.0849   0.90379  run-2    0
0.01       2     0.13228   0.0026962   0.13037     0.13418    0.13228   0.13037  run-5    0
0.03       2    0.058853           0  0.058853    0.058853   0.034922  0.028332  run-7    1
[{"group":"32","runs":2,"mean":0.13227656483650208,"std":0.0026961971195146577,"min":0.13037006556987762,"max":0.13418306410312653,"best_mean":0.13227656483650208,"best":0.13037006556987762,"best_run":"run-5","not_finite":0},{"group":"64","runs":2,"mean":0.058852657675743103,"std":0,"min":0.058852657675743103,"max":0.058852657675743103,"best_mean":0.034921852871775627,"best":0.028332024812698364,"best_run":"run-7","not_finite":1}]
! smdbg: No run has "nothing".
? 4
