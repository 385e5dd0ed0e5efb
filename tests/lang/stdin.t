# commands on stdin: no prompt, no echo; a number for each line
$
< print 1
< # a comment
<
< print 2
$1 = 1
$2 = 2

$
< print 1
< nosuch
< print 3
$1 = 1
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
? 1

$ --keep-going
< print 1
< nosuch
< print 3
$1 = 1
$2 = 3
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
? 1

# a line goes on behind a backslash, and lines are counted all the same
$ --keep-going
< print 1 + \
< 2
< nosuch
$1 = 3
! smdbg: <stdin>:3: Undefined command: "nosuch".  Try "help".
? 1

# the end of the input needs no end of line, and nothing at all is fine
$

# -x - reads it, too; with -x FILE or in a batch with -ex it is not read
$ -batch -x -
< print 5
< nosuch
$1 = 5
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -ex 'print 1'
< nosuch
$1 = 1

# without -batch, -ex comes first
$ -ex 'print 1'
< print 2
$1 = 1
$2 = 2

# CRLF and a byte order mark
$ -batch -x tests/lang/files/crlf.cmd
$1 = 1
$2 = 5

# with rules, too, commands come first and what the rules found comes last
$ -n --no-tui --rules auto tests/trials/mlp_all_zero
< print 1+2
$1 = 3
RULE                      STATUS         FIRST  LAST  FIRED
VanishingGradient         IssuesFound        0     0      1
    gradient/MLP_fc0.bias  mean|g| = 0 < 1e-07
ExplodingTensor           NoIssuesFound      -     -      0
DeadRelu                  IssuesFound        0     0      1
    relu0_output_0  100.00% of 16 ReLUs inactive (<1% of samples), limit 50%
PoorWeightInitialization  IssuesFound        0     0      1
    relu0_input_0  [variance] 0 .. relu0_input_0 0, ratio inf, limit 10
WeightUpdateRatio         IssuesFound        4     4      1
    MLP_fc0.weight  update/weight = 0 is too small (steps 0 to 4), previous weights were all zero
AllZero                   IssuesFound        0     0      1
    gradient/MLP_fc0.bias  100.0% of 16 values are zero, limit 100%
TensorVariance            IssuesFound        0     0      1
    MLP_fc0.weight  variance 0 < 1e-05
UnchangedTensor           IssuesFound        8     8      1
    MLP_fc0.weight  unchanged over 3 saved steps, 0 to 8 (rtol 1e-05 atol 1e-08)
LossNotDecreasing         NoIssuesFound      -     -      0
Overfit                   NoIssuesFound      -     -      0
    nothing was judged: no values to compare
Overtraining              NoIssuesFound      -     -      0
    nothing was judged: no values to compare
StalledTrainingRule       NoIssuesFound      -     -      0
? 3

# what is left of a line that is too long is no line
$ -batch --allow-shell -ex "shell { head -c 1100000 /dev/zero | tr '\000' 1; echo; echo print 5; } | $SMDBG -n --keep-going"
$1 = 5
! smdbg: <stdin>:1: The line is longer than 1048576 bytes.
