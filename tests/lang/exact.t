# Integers beyond 2^53, remainders, -0, medians and moments, as in Python and numpy. The trial `numbers` has the steps 0 to 2.

$ -batch -ex 'print 9007199254740993 > 9007199254740992' -ex 'print 9007199254740993 == 9007199254740992.0' -ex 'print 18446744073709551615' -ex 'print -9223372036854775808' -ex 'print 9223372036854775807 + 1' -ex 'print 18446744073709551615 % 10' -ex 'print abs(-9007199254740993)' -ex 'print/f 9007199254740993' -ex 'print/.2f 9007199254740993' -ex 'print/x 18446744073709551615' -ex 'print/d 18446744073709551615' -ex 'printf "%d %u %x\n", 18446744073709551615, 9007199254740993, -1'
$1 = true
$2 = false
$3 = 18446744073709551615
$4 = -9223372036854775808
$5 = 9223372036854775808
$6 = 5
$7 = 9007199254740993
$8 = 9007199254740993
$9 = 9007199254740993.00
$10 = 0xffffffffffffffff
$11 = 18446744073709551615
18446744073709551615 9007199254740993 ffffffffffffffff

$ -batch -ex 'print ucount' -ex 'print count@all' -ex 'print max(count@all)' -ex 'print count@0 == 9007199254740992' -ex 'print count@1 - count@0' -ex 'print count@all > 9007199254740993' -ex 'series ucount -csv -field step,value' tests/trials/numbers
$1 = 18446744073709551613
$2 = series of 3 points
STEP             VALUE
   0  9007199254740993
   1  9007199254740995
   2  9007199254740997
$3 = 9007199254740997
$4 = false
$5 = 2
$6 = series of 3 points
STEP  VALUE
   0      0
   1      1
   2      1
step,value
0,18446744073709551615
1,18446744073709551614
2,18446744073709551613

$ -batch -ex 'print i@0 > 9007199254740992' -ex 'print count(i@0 == 9007199254740993)' -ex 'print any(i@0 == 9007199254740994)' -ex 'print -i@0' -ex 'print u@0 - 9007199254740993' -ex 'print u@0 + 1' -ex 'print i@0 % 2' -ex 'print min(i)' -ex 'print max(u@0)' -ex 'print argmax(i@0)' -ex 'print abs(i@0)' -ex 'print changed(i@0, i@1)' -ex 'print changed(count@0, count@1, 1)' -ex 'print changed(count@0, count@1, 2)' tests/trials/numbers
$1 = bool (4,)
[ True False False False]
$2 = 1
$3 = false
$4 = int64 (4,)
[  -9007199254740993   -9007199254740992 4611686018427387905
                  -7]
$5 = float64 (3,)
[ 1.84377369e+19  0.00000000e+00 -9.00719925e+15]
$6 = float64 (3,)
[1.84467441e+19 9.00719925e+15 4.00000000e+00]
$7 = int64 (4,)
[1 0 1 1]
$8 = -4611686018427387905
$9 = 18446744073709551615
$10 = 0
$11 = int64 (4,)
[   9007199254740993    9007199254740992 4611686018427387905
                   7]
$12 = 1
$13 = 1
$14 = 0

$ -batch -ex 'find 9007199254740993' -ex 'find 9007199254740993:9007199254740993 in i' -ex 'find where x == 18446744073709551613' -ex 'tensor i -s -r 9007199254740993:9007199254740993' -ex 'tensor u where x > 18446744073709551612' -ex 'x/3d u step 0' -ex 'x/3f u' -ex 'x/2u u step 0' tests/trials/numbers
NAME  STEP  INDEX             VALUE
i        2  (0,)   9007199254740993
u        2  (1,)   9007199254740993
2 elements found in 11 tensors.
NAME  STEP  INDEX             VALUE
i        2  (0,)   9007199254740993
1 element found in 1 tensor.
NAME    STEP  INDEX                 VALUE
u          2  (0,)   18446744073709551613
ucount     2  ()     18446744073709551613
2 elements found in 11 tensors.
i  step 2  int64 (4,)
min -4611686018427387905  max 9007199254740993  mean -1.14842e+18  std 1.99952e+18  nan 0  inf 0  zero 0
1 of 4 elements in 9007199254740993:9007199254740993, flat index [0]=9007199254740993
u  step 2  uint64 (3,)
INDEX                 VALUE
(0,)   18446744073709551613
1 of 3 elements.
u+0:  18446744073709551615  9007199254740993  3
u+0:  18446744073709551615  9007199254740993  3
u+0:  18446744073709551615  9007199254740993

$ -batch -ex 'break count if $v == 9007199254740995' -ex 'break i if any($t == 9007199254740994)' -ex 'watch ucount' -ex 'run' -ex 'continue' -ex 'continue' tests/trials/numbers
Breakpoint 1 at count (1 tensor)
Breakpoint 2 at i (1 tensor)
Watchpoint 3: ucount (1 tensor)
\
Breakpoint 1, count at step 1, worker_0
$v = 9007199254740995 == 9007199254740995
Watchpoint 3, ucount at step 1, worker_0
Old value = 18446744073709551615
New value = 18446744073709551614
\
Watchpoint 3, ucount at step 2, worker_0
Old value = 18446744073709551614
New value = 18446744073709551613
step 2  ucount
No breakpoint was hit up to the last step.

$ -batch -ex 'stat i step 0 -json' -ex 'stat u step 0' -ex 'print sum(i)' -ex 'print sum(i) -json' -ex 'print max(i) -json' tests/trials/numbers
{"name":"i","step":0,"mode":"GLOBAL","mode_step":0,"worker":"worker_0","dtype":"int64","shape":[4],"size":4,"nan":0,"pos_inf":0,"neg_inf":0,"zero":0,"neg":1,"pos":3,"min":-4611686018427387905,"max":9007199254740993,"mean":-1.1484179049794765e+18,"std":1.9995221587872991e+18,"variance":3.9980888634814209e+36,"sum":-4.5936716199179059e+18,"prod":-2.619010934096978e+51,"l1":4.6297004169368699e+18,"l2":4.6117036105798779e+18,"abs_min":7,"abs_max":4611686018427387905,"abs_mean":1.1574251042342175e+18,"abs_std":1.9943218586896353e+18,"abs_variance":3.9773196760472816e+36,"abs_sum":4.6297004169368699e+18,"median":4503599627370500,"abs_median":9007199254740992,"p1":-4.4733354378745661e+18,"p5":-3.9199331156632796e+18,"p25":-1.152921504606847e+18,"p75":9007199254740992,"p95":9007199254740992,"p99":9007199254740992,"saved":{},"inexact":true}
u  step 0  uint64
min          3            max          18446744073709551615 mean         6.15192e+18
std          8.69376e+18  variance     7.55814e+37  median       9.0072e+15
sum          1.84558e+19  prod         4.9846e+35
l1           1.84558e+19  l2           1.84467e+19
abs_min      3            abs_max      18446744073709551615 abs_mean     6.15192e+18
abs_std      8.69376e+18  abs_variance 7.55814e+37  abs_median   9.0072e+15
abs_sum      1.84558e+19
p1           1.80144e+14  p5           9.0072e+14   p25          4.5036e+15
p75          9.22788e+18  p95          1.6603e+19   p99          1.8078e+19
size         3            zero         0            nan          0
pos          3            neg          0
pos_inf      0            neg_inf      0
Integers beyond 2^53: min, max and abs_max are exact, sums and the numbers made of them are rounded.
$1 = -4.593671619917906e+18
Rounded: integers beyond 2^53 took part.
{"expr":"sum(i)","type":"number","value":-4.5936716199179059e+18,"rounded":true}
{"expr":"max(i)","type":"number","value":9007199254740993}

$ -batch -ex 'print 1 % 0.1' -ex 'print 5.5 % inf' -ex 'print -5.5 % inf' -ex 'print 5 % -inf' -ex 'print -7 % 3' -ex 'print 7.5 % -2' -ex 'print 1e300 % 7' -ex 'print 1 % 0' -ex 'print inf % 2' -ex 'print x % 0.5'  tests/trials/numbers
$1 = 0.09999999999999995
$2 = 5.5
$3 = inf
$4 = -inf
$5 = 2
$6 = -0.5
$7 = 1
$8 = nan
$9 = nan
$10 = float64 (3,)
[0. 0. 0.]

$ -batch -ex 'print -0' -ex 'print -0.0' -ex 'print -0.0 -json' -ex 'print 3 * -0.0' -ex 'print -0 + 5' -ex 'print 0 == -0' -ex 'print -0 > 1' -ex 'find in flags where -0 == x' -ex 'output -0.0' tests/trials/numbers
$1 = 0
$2 = -0
{"expr":"-0.0","type":"number","value":-0.0}
$4 = -0
$5 = 5
$6 = true
$7 = false
NAME   STEP  INDEX  VALUE
flags     2  (1,)   false
1 element found in 1 tensor.
-0

$ -batch -ex 'print -0 x' -ex 'print x -0' tests/trials/numbers | tr '\0' '|'
x|x|

$ -batch -ex 'tensor w where x > 15' -ex 'find in w where x >= 20 && max(x) == 30' -ex 'find in w where x == `x`[0] * 10' -ex 'find in w where x > x@0[1] * 25' -ex 'find in w where x == 40' tests/trials/numbers
w  step 2  float32 (1, 3)
INDEX   VALUE
(0, 1)     20
(0, 2)     30
2 of 3 elements.
NAME  STEP  INDEX   VALUE
w        2  (0, 1)     20
w        2  (0, 2)     30
2 elements found in 1 tensor.
NAME  STEP  INDEX   VALUE
w        2  (0, 0)     10
1 element found in 1 tensor.
0 elements found in 1 tensor at the newest step of each.
0 elements found in 1 tensor at the newest step of each.

$ -batch -ex 'print median(middle)' -ex 'print q(middle, 0.5)' -ex 'stat middle -field median,abs_median' -ex 'print median(half)' -ex 'print var(huge)' -ex 'print std(huge)' -ex 'stat huge -field mean,variance,abs_std' tests/trials/numbers
$1 = 0.034834363
$2 = 0.0348343551158905
median      0.034834
|x| median  0.89057
$3 = -0.06512451
$4 = inf
$5 = inf
mean      1e+300
variance  inf
|x| std   inf
