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
