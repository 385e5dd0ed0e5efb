# a condition over all tensors skips those to which it does not apply, and says how many; it is not disabled by them
$ -batch -ex 'break * if max($t) > 5e38' -ex run -ex 'info b' -ex 'info b -json -field number,enabled,skipped' -ex 'run -json' tests/trials/dtypes
Breakpoint 1 at * (59 tensors)
step 3 (train 3)
Breakpoint 1: 5 tensors were skipped: complex64/x: max: its elements are not numbers at column 1
No breakpoint was hit up to the last step.
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  *
     stop only if max($t) > 5e38
     5 tensors were skipped: complex64/x: max: its elements are not numbers at column 1
[{"number":1,"enabled":true,"skipped":5}]
{"step":3,"mode":"TRAIN","mode_step":3,"tensor":null,"displays":[],"skipped":[{"number":1,"tensors":5,"steps":0,"reason":"complex64/x: max: its elements are not numbers at column 1"}],"reason":"last-step"}

$ -batch -ex 'break * if $t > 5' -ex run -ex 'info b' tests/trials/dtypes
Breakpoint 1 at * (59 tensors)
\
Breakpoint 1, float32/special at step 0 (train 0), worker_0 (and 21 more)
$t > 5
Breakpoint 1: 5 tensors were skipped: complex64/x: cannot calculate with elements of type complex64 at column 4
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       1  *
     stop only if $t > 5
     5 tensors were skipped: complex64/x: cannot calculate with elements of type complex64 at column 4

$ -batch -ex 'break * if $v > 1e30' -ex run -ex 'watch -ratio *' -ex run tests/trials/dtypes
Breakpoint 1 at * (59 tensors)
step 3 (train 3)
Breakpoint 1: 45 tensors gave it no value: it is not a single number
No breakpoint was hit up to the last step.
Watchpoint 2: -ratio * (59 tensors)
\
Watchpoint 2, CrossEntropyLoss_output_0 at step 1 (train 1), worker_0 (and 29 more)
norm($t - $prev) / norm($prev) = 0.291 > 0.1
Watchpoint 2: 5 tensors were skipped: complex64/x: cannot calculate with elements of type complex64 at column 9

# a condition that can never be evaluated is an error where it is made
$ -batch --keep-going -ex 'break * if nosuch > 5' -ex 'break step if max(nosuch) > 5' -ex 'watch nosuch > 5' -ex 'watch * if nosuch > 5' -ex 'tensors -where nosuch>5' -ex 'find where nosuch > 5' -ex 'tensor scalar/bool where nosuch > 5' -ex 'until nosuch > 5' -ex 'bisect nosuch > 5' -ex 'assert nosuch > 5' -ex 'display nosuch' -ex 'rule add expr "x > nosuch" tensor_regex=.*' -ex 'break scalar/bool' -ex 'condition 1 nosuch > 5' -ex 'info b' -ex 'info display' tests/trials/dtypes
Breakpoint 1 at scalar/bool (1 tensor)
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  scalar/bool
There are no auto-display expressions now.
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
! smdbg: No tensor "nosuch".
? 4

# or the run ends with status 1
$ -batch --keep-going -ex 'break string/* if max($t) > 3' -ex run -ex 'delete 1' -ex 'break * if $nosuch > 3' -ex run -ex 'delete 2' -ex 'break float* if $t[3,3,3] > 3' -ex run tests/trials/dtypes
Breakpoint 1 at string/* (3 tensors)
Breakpoint 2 at * (59 tensors)
Breakpoint 3 at float* (5 tensors)
! smdbg: Breakpoint 1 cannot be tested: string/list: max: its elements are not numbers at column 1.
! smdbg: Breakpoint 2 cannot be tested: CrossEntropyLoss_output_0: cannot calculate with a void value at column 9.
! smdbg: Breakpoint 3 cannot be tested: float16/matrix: slice at column 3: too many indices: the tensor has 2 dimensions, but 3 were indexed.
? 1

# a name that exists() asks for need not exist
$ -batch -ex 'break * if exists(nosuch) && nosuch > 3' -ex run -ex 'tensors scalar/* -where exists(nosuch)' tests/trials/dtypes
Breakpoint 1 at * (59 tensors)
step 3 (train 3)
No breakpoint was hit up to the last step.
No tensor matches.

# lists and searches skip them too, and fail if they apply to nothing
$ -batch -ex 'tensors -where max($t)>5e30' -ex 'find 77' -ex 'find where x == 77' -ex 'rule add expr "max(x) > 5e38" tensor_regex=.*' -ex 'rule status' tests/trials/dtypes
NAME             DTYPE    SHAPE  STEPS     MEAN       STD  NAN  TREND
float32/special  float32  (8,)       4  6.8e+37  1.36e+38    1  ✕✕✕✕
float64/special  float64  (8,)       4  6.8e+37  1.36e+38    1  ✕✕✕✕
5 tensors were skipped: complex64/x: max: expected a tensor of numbers at column 1
0 elements found in 54 tensors at the newest step of each.
5 tensors were skipped: complex64/x: elements of type complex64 are not ordered numbers
0 elements found in 54 tensors at the newest step of each.
5 tensors were skipped: complex64/x: elements of type complex64 are not ordered numbers
Expr is attached.
RULE  STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
Expr  NoIssuesFound      -     -      0  -       -

$ -batch --keep-going -ex 'tensors string/* -where max($t) > 3' -ex 'find nan in string/*' -ex 'tensor string/list where x > 3' -ex 'tensor string/list -r 3:4' tests/trials/dtypes
! smdbg: string/list: max: expected a tensor of numbers at column 1.
! smdbg: string/list: elements of type string are not ordered numbers.
! smdbg: Elements of type string are not ordered numbers.
! smdbg: Elements of type string are not ordered numbers.
? 1

# of complex numbers there are counts: they are not skipped where NaN is counted
$ -batch --keep-going -ex 'tensors complex* -where nan($t)>0 -field name,nan' -ex 'print nan(complex64/x)' -ex 'print nan(complex64/x@1) + zeros(complex64/x[0]@1)' -ex 'tensors complex* -where max($t)>0' "$(sh tests/lang/files/complex_nan.sh "$T")"
NAME         NAN
complex64/x    1
$1 = 1
$2 = 0
! smdbg: complex64/x: max: expected a tensor of numbers at column 1.
? 1
