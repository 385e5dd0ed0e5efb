# NAME@all of a tensor with several elements: reductions are over all elements of all steps

$ -batch -ex 'print max(w@all)' -ex 'print min(w@all)' -ex 'print sum(w@all)' -ex 'print mean(w@all)' -ex 'print std(w@all)' -ex 'print nan(w@all)' -ex 'print size(w@all)' -ex 'print zeros(w@0:2)' -ex 'print any(w@all > 29)' -ex 'print any(w@all > 100)' -ex 'print all(i@all < 9007199254740994)' -ex 'print max(i@all)' -ex 'print max(w@all) > max(w@0)' tests/trials/numbers
$1 = 88
$2 = -8
$3 = 149
$4 = 10.642857142857142
$5 = 23.55724681602289
$6 = 1
$7 = 15
$8 = 0
$9 = true
$10 = false
$11 = true
$12 = 9007199254740993
$13 = true

$ -batch -ex 'print w@all' -ex 'print w@all -json' -ex 'print max(count@all)' -ex 'print any(count@all > 9007199254740996)' -ex 'print ema(w@all, 0)' -ex 'series max(w) -csv -field step,value' tests/trials/numbers
$1 = series of 3 points: the mean of each step
STEP  VALUE
   0    3.5
   1   13.6
   2     20
{"expr":"w@all","type":"series","value":[{"step":0,"value":3.5},{"step":1,"value":13.6},{"step":2,"value":20}],"unread":0,"reduction":"mean"}
$3 = 9007199254740997
$4 = true
$5 = series of 3 points: of the mean of each step
STEP  VALUE
   0    3.5
   1   13.6
   2     20
step,value
0,6
1,88
2,30

$ -batch --keep-going -ex 'print w@all > 3' -ex 'print median(w@all)' -ex 'print abs(w@all)' -ex 'print last(w@all)' -ex 'print shape(w@all)' -ex 'print count(w@all > 1)' -ex 'print max(w@100:200)' -ex 'print max(nosuch@all)' tests/trials/numbers
! smdbg: The tensor has several elements, and NAME@all is their mean at each step: write max(NAME@all) for all of them, or "series max(NAME)" for a number a step; at column 7.
! smdbg: The tensor has several elements, and NAME@all is their mean at each step: write max(NAME@all) for all of them, or "series max(NAME)" for a number a step; at column 1.
! smdbg: The tensor has several elements, and NAME@all is their mean at each step: write max(NAME@all) for all of them, or "series max(NAME)" for a number a step; at column 1.
! smdbg: The tensor has several elements, and NAME@all is their mean at each step: write max(NAME@all) for all of them, or "series max(NAME)" for a number a step; at column 1.
! smdbg: The tensor has several elements, and NAME@all is their mean at each step: write max(NAME@all) for all of them, or "series max(NAME)" for a number a step; at column 1.
! smdbg: The tensor has several elements, and NAME@all is their mean at each step: write max(NAME@all) for all of them, or "series max(NAME)" for a number a step; at column 13.
! smdbg: w has no value at these steps.
! smdbg: No tensor "nosuch".
? 1

$ -batch -ex 'info expr max(w@all)' -ex 'break w if max($t) > max(w@0:1)' -ex 'run' tests/trials/numbers
TENSOR  ASKED  STEP  WORKER  FROM
w       max       -  -       statistics
Breakpoint 1 at w (1 tensor)
\
Breakpoint 1, w at step 1, worker_0
max($t) = 88 > max(w@0:1) = 6

# equal elements are one bin of the axis over time, and their distribution is their value
$ -batch --ascii -ex 'hist constant step all -h 24 -w 40' -ex 'hist constant step all -as bands -h 8 -w 40' -ex 'hist constant step 0:1 -bins 2 -json' tests/trials/numbers
constant  3 steps, 0 to 2
      |
      |
      |
  0.6 +
      |
      |
      |
  0.4 +
      |
      |
      |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
  0.2 +
      |
      |
      |
    0 +
      |
      |
      |
 -0.2 +
      |
      ++---------------+---------------+
       0               1               2
       0 ..::--==++**##%@ 5.00 elements
constant  3 steps, 0 to 2
      |
      |
      |#################################
 0.25 +---------------------------------
      |
      |
      ++---------------+---------------+
       0               1               2
bands: all, and the middle 86, 68 and 38 % of the elements; the line is the median
{"name":"constant","step":0,"mode":"GLOBAL","mode_step":0,"worker":"worker_0","edges":[-0.25,0.25,0.75],"counts":[0,5],"nan":0,"pos_inf":0,"neg_inf":0}

# an element of each step is not in the series of the means: the reason is said, and what has it
$ -batch --keep-going -ex 'print CNN_fc0.weight[0,0]@all' -ex 'print max(CNN_fc0.weight[0]@0:40)' -ex 'print CrossEntropyLoss_output_0[0]@all' tests/trials/cnn_healthy
$1 = 3.193296432495117
! smdbg: Elements of NAME@all, of a tensor with several, are not available: write NAME[0]@100 for those of one step, or "series NAME[0]" for one at each step; at column 15.
! smdbg: Elements of NAME@all, of a tensor with several, are not available: write NAME[0]@100 for those of one step, or "series NAME[0]" for one at each step; at column 19.
? 1

# a range of steps is what tables, series and statistics look at
$ -batch -keep-going -ex 'range 20:60' -ex 'stat CNN_fc1.bias -field step,mode,mean' -ex 'stat CNN_fc1.bias mode eval -field step' -ex 'series CrossEntropyLoss_output_0 -field step,value' -ex 'spark CrossEntropyLoss_output_0' -ex 'stat CNN_fc1.bias step 10 -field step,max' -ex 'info location' -ex 'range 3:4' -ex 'stat CNN_fc1.bias' -ex 'range off' -ex 'range nothing' tests/trials/cnn_healthy
Tables, series and statistics look at steps 20..60.
NAME                       STEPS    FIRST     LAST      MIN      MAX     MEAN      STD  BAD
CrossEntropyLoss_output_0      6  0.96209  0.34978  0.34978  0.96209  0.71384  0.25807    0
STEP  MODE         MEAN
  20  TRAIN  1.2107e-09
  30  EVAL   2.2352e-09
  32  EVAL   2.2352e-09
  34  TRAIN  2.2352e-09
  44  TRAIN   1.071e-09
  54  TRAIN  2.6717e-09
STEP
  30
  32
STEP    VALUE
  20  0.96209
  30  0.94722
  32  0.93522
  34  0.69353
  44  0.39519
  54  0.34978
NAME                       WHAT  STEPS    FIRST     LAST  TREND
CrossEntropyLoss_output_0  -         6  0.96209  0.34978  ▇▇▇▄▁▁
Of steps 20..60 only; "range off" looks at all.
step  10
max   0.044053
events/000000000010/000000000010_worker_0.tfevents
offset 17958, length 144, by index/000000000/000000000010_worker_0.json
Tables, series and statistics look at steps 3..4.
NAME                       STEPS  FIRST  LAST  MIN  MAX  MEAN  STD  BAD
CrossEntropyLoss_output_0      0      -     -    -    -     -    -    0
No range is selected: all steps.
! smdbg: CNN_fc1.bias was not saved in steps 3..4.  "range off" looks at all.
! smdbg: Invalid step "nothing": expected 100, first, last, ., +5, ~137 or @-10m.
? 4

$ -batch -ex 'range 240..100' -ex 'runs -best 3 -field run,best,best_step,newest' -ex 'range 100..100 -json' tests/samples/sweep
Tables, series and statistics look at steps 100..240.
NAME        STEPS   FIRST    LAST     MIN     MAX    MEAN       STD  BAD
lr             15  0.0001  0.0001  0.0001  0.0001  0.0001         0    0
train/loss     15  1.8599  1.6646  1.6646  1.8599  1.7528  0.058687    0
val/loss       15  2.0959  1.8811  1.8811  2.0959  1.9781  0.064555    0
RUN        BEST   AT  val/loss
run-6  0.041512  230  0.058853
run-5   0.13037  240   0.13037
run-4   0.13418  240   0.13418
{"first_step":100,"last_step":100,"scalars":[{"name":"lr","points":1,"first":9.9999997473787516e-05,"last":9.9999997473787516e-05,"min":9.9999997473787516e-05,"max":9.9999997473787516e-05,"mean":9.9999997473787516e-05,"std":0,"not_finite":0},{"name":"train/loss","points":1,"first":1.8598767518997192,"last":1.8598767518997192,"min":1.8598767518997192,"max":1.8598767518997192,"mean":1.8598767518997192,"std":0,"not_finite":0},{"name":"val/loss","points":1,"first":2.0958642959594727,"last":2.0958642959594727,"min":2.0958642959594727,"max":2.0958642959594727,"mean":2.0958642959594727,"std":0,"not_finite":0}]}
