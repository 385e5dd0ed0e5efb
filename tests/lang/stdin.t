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
VanishingGradient         NoIssuesFound      -     -      0
ExplodingTensor           NoIssuesFound      -     -      0
DeadRelu                  IssuesFound        8     8      1
    relu0_output_0  16 of 16 units (100%) are 0 for all samples of 3 saved steps in a row, limit 50%
    (3 of 3 tensors)
PoorWeightInitialization  NoIssuesFound      -     -      0
    remark: a weight starts at zero: MLP_fc0.weight and 3 more
WeightUpdateRatio         NoIssuesFound      -     -      0
    nothing was judged: no values to compare
AllZero                   IssuesFound       16    16      1
    gradient/MLP_out.weight  all zero in 5 saved steps in a row, limit 5 (7 of 7 tensors)
TensorVariance            IssuesFound        8     8      1
    MLP_fc0.weight  all elements are zero in 3 saved steps in a row, limit 3 (4 of 4 tensors)
UnchangedTensor           NoIssuesFound      -     -      0
LossNotDecreasing         NoIssuesFound      -     -      0
Overfit                   NoIssuesFound      -     -      0
    nothing was judged: no EVAL step was saved, so there is nothing to compare with
Overtraining              NoIssuesFound      -     -      0
    nothing was judged: no values to compare
StalledTrainingRule       NoIssuesFound      -     -      0
? 3

# what is left of a line that is too long is no line
$ -batch --allow-shell -ex "shell { head -c 1100000 /dev/zero | tr '\000' 1; echo; echo print 5; } | $SMDBG -n --keep-going"
$1 = 5
! smdbg: <stdin>:1: The line is longer than 1048576 bytes.
