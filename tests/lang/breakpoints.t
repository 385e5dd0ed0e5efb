# a pattern, a condition of each tensor, forward, back, to both ends
$ -batch -ex 'break gradient/* if nan($t) > 0' -ex c -ex c -ex rc -ex rc -ex 'info b' tests/trials/mlp_exploding_tensor
Breakpoint 1 at gradient/* (8 tensors)
\
Breakpoint 1, gradient/MLP_out.weight at step 3, worker_0 (and 5 more)
nan($t) = 7 > 0
\
Breakpoint 1, gradient/MLP_out.bias at step 4, worker_0 (and 7 more)
nan($t) = 3 > 0
\
Breakpoint 1, gradient/MLP_out.weight at step 3, worker_0 (and 5 more)
nan($t) = 7 > 0
step 0  gradient/MLP_out.weight
No breakpoint was hit down to the first step.
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       3  gradient/*
     stop only if nan($t) > 0

# where no breakpoint is hit the last step becomes the current one, and then there is no later one
$ -batch -ex c -ex 'print $_step' -ex c tests/trials/cnn_healthy
step 101 (eval 11)
No breakpoint was hit up to the last step.
$1 = 101
! smdbg: There is no later step.  "run" starts at the first one, "reverse-continue" goes back.
? 4

# who has gone somewhere goes on from there; run begins again
$ -batch -ex 'break CNN_conv0.bias' -ex 'goto 20' -ex c -ex r -ex 'goto first' -ex c tests/trials/cnn_healthy
Breakpoint 1 at CNN_conv0.bias (1 tensor)
step 20 (train 20)
\
Breakpoint 1, CNN_conv0.bias at step 30 (eval 0), worker_0
\
Breakpoint 1, CNN_conv0.bias at step 0 (train 0), worker_0
step 0 (train 0)  CNN_conv0.bias
\
Breakpoint 1, CNN_conv0.bias at step 10 (train 10), worker_0

# each step, a collection, one stop only, the end of the job
$ -batch -ex 'break step if $s >= 30' -ex 'tbreak weights' -ex 'b end' -ex 'info b' -ex c -ex c -ex 'delete 1' -ex c -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at every step
Temporary breakpoint 2 at +weights (4 tensors)
Breakpoint 3 at the end of the job
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  step
     stop only if $s >= 30
2    breakpoint  del   y       0  +weights
3    breakpoint  keep  y       0  end
\
Temporary breakpoint 2, CNN_conv0.weight at step 0 (train 0), worker_0 (and 3 more)
\
Breakpoint 1, step 30 (eval 0)
$s = 30 >= 30
\
Breakpoint 3, end of the job at step 101 (eval 11)
Num  Type        Disp  Enb  Hits  What
3    breakpoint  keep  y       1  end

# the current tensor where none is named; a condition alone is about the step
$ -batch -ex 'tensor CNN_fc1.bias -s' -ex break -ex 'break if CrossEntropyLoss_output_0 < 0.1' -ex 'info b -field number,what,condition' -ex 'disable 1' -ex r tests/trials/cnn_healthy
CNN_fc1.bias  step 100 (eval 10)  float32 (10,)
min -0.169742  max 0.15975  mean -2.14204e-09  std 0.107751  nan 0  inf 0  zero 0
Breakpoint 1 at CNN_fc1.bias (1 tensor)
Breakpoint 2 at every step
Num  What          Condition
  1  CNN_fc1.bias  -
  2  step          CrossEntropyLoss_output_0 < 0.1
\
Breakpoint 2, step 78 (train 70)
CrossEntropyLoss_output_0 = 0.0292 < 0.1

# what it was before, in the same mode; a condition that looks at elements
$ -batch -ex 'break CrossEntropyLoss_output_0 if $v > $prev' -ex c -ex c -ex 'disable' -ex 'break weights if any($t > 0.8) && size($t) > 10' -ex r tests/trials/cnn_healthy
Breakpoint 1 at CrossEntropyLoss_output_0 (1 tensor)
\
Breakpoint 1, CrossEntropyLoss_output_0 at step 68 (train 60), worker_0
$v = 0.396 > $prev = 0.35
\
Breakpoint 1, CrossEntropyLoss_output_0 at step 88 (train 80), worker_0
$v = 0.0635 > $prev = 0.0292
Breakpoint 2 at +weights (4 tensors)
\
Breakpoint 2, CNN_conv0.weight at step 20 (train 20), worker_0
any($t > 0.8) && size($t) > 10

# steps of one mode
$ -batch -ex 'break CNN_conv0.bias mode eval' -ex c -ex c -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at CNN_conv0.bias (1 tensor)
\
Breakpoint 1, CNN_conv0.bias at step 30 (eval 0), worker_0
\
Breakpoint 1, CNN_conv0.bias at step 32 (eval 2), worker_0
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       2  CNN_conv0.bias mode EVAL

# counts: ignore, a count that is compared, continue N
$ -batch -ex 'break step' -ex 'ignore 1 2' -ex c -ex 'condition -hitcount 1 % 4' -ex c -ex c -ex 'condition -hitcount 1' -ex 'c 3' -ex 'ignore 1 0' -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at every step
Will ignore next 2 hits of breakpoint 1.
\
Breakpoint 1, step 20 (train 20)
\
Breakpoint 1, step 30 (eval 0)
\
Breakpoint 1, step 54 (train 50)
\
Breakpoint 1, step 68 (train 60)
Will stop next time breakpoint 1 is hit.
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y      11  step

# enable once, enable delete, disable, ranges
$ -batch -ex 'break step' -ex 'break step' -ex 'break step' -ex 'enable once 1' -ex 'enable delete 2' -ex 'disable 3' -ex c -ex 'info b' -ex c -ex 'delete 1-3' -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at every step
Breakpoint 2 at every step
Breakpoint 3 at every step
\
Breakpoint 1, step 0 (train 0)
Breakpoint 2, step 0 (train 0)
Num  Type        Disp  Enb  Hits  What
1    breakpoint  dis   n       1  step
3    breakpoint  keep  n       0  step
step 101 (eval 11)
No breakpoint was hit up to the last step.
No breakpoints.

# several at one step: all are told, the first one decides
$ -batch -ex 'break CNN_fc0.bias' -ex 'break *fc1* if absmax($t) > 0.3' -ex 'goto first' -ex c -ex 'print $_bpnum' -ex 'print $_tensor' -ex 'print $_hits' tests/trials/cnn_healthy
Breakpoint 1 at CNN_fc0.bias (1 tensor)
Breakpoint 2 at *fc1* (4 tensors)
step 0 (train 0)
\
Breakpoint 1, CNN_fc0.bias at step 10 (train 10), worker_0
Breakpoint 2, CNN_fc1.weight at step 10 (train 10), worker_0 (and 1 more)
absmax($t) = 0.495 > 0.3
$1 = 1
$2 = "CNN_fc0.bias"
$3 = 1

# values that cannot be read
$ -batch -ex 'break error' -ex c tests/trials/cnn_healthy
Breakpoint 1 at values that cannot be read
step 101 (eval 11)
No breakpoint was hit up to the last step.

# a job that was killed never ends, but it stalls
$ -batch -iex 'set stall 1s' -ex 'break stall' -ex 'break end' -ex c tests/trials/killed_midrun
Breakpoint 1 at a stall of the job
Breakpoint 2 at the end of the job
\
Breakpoint 1, no new data since step 18 (train 15)

# displays, JSON, status 3
$ -batch -ex 'break weights if norm($t - $prev) / norm($prev) > 0.05' -ex 'display $_hits' -ex c -ex 'c -json' -ex 'info b -json' -ex 'set batch-exit on' -ex c tests/trials/cnn_healthy
Breakpoint 1 at +weights (4 tensors)
1: $_hits = void
\
Breakpoint 1, CNN_conv0.weight at step 10 (train 10), worker_0 (and 3 more)
norm($t - $prev) / norm($prev) = 0.176 > 0.05
1: $_hits = 1
{"step":20,"mode":"TRAIN","mode_step":20,"tensor":"CNN_conv0.weight","displays":[{"number":1,"expr":"$_hits","value":2}],"reason":"breakpoint","bkpt":1,"value":0.19792308097242836}
[{"number":1,"type":"breakpoint","disposition":"keep","enabled":true,"hits":2,"what":"+weights","mode":null,"condition":"norm($t - $prev) / norm($prev) > 0.05","hit_condition":null,"ignore":0,"commands":[],"pending":false,"skipped":0}]
\
Breakpoint 1, CNN_conv0.weight at step 34 (train 30), worker_0 (and 3 more)
norm($t - $prev) / norm($prev) = 0.24 > 0.05
1: $_hits = 3
? 3

# a condition that makes no sense is an error, at the latest at the end of the run
$ -batch --keep-going -ex 'break step if 1 + "a" > 1' -ex 'break step if nosuch > 1' -ex c -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at every step
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  step
     stop only if 1 + "a" > 1
     16 steps were skipped: strings can only be compared with == and != at column 3
! smdbg: No tensor "nosuch".
! smdbg: Breakpoint 1 cannot be tested: strings can only be compared with == and != at column 3.
? 4

$ -batch --keep-going -ex 'break nosuch' -ex 'break no*such' -ex 'break weights if 1 +' -ex 'delete 7' -ex 'condition' -ex 'condition 1 $t' -ex 'break step' -ex 'condition -hitcount 1 often' -ex 'ignore 1' -ex 'c 2' -ex 'condition 1 )' -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at every step
No breakpoint has stopped yet: N is ignored.
\
Breakpoint 1, step 0 (train 0)
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       1  step
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: No tensor matches.
! smdbg: Unexpected end of the expression at column 4.
! smdbg: No breakpoint number 7.
! smdbg: Argument required (N).  Try "help condition".
! smdbg: No breakpoint number 1.
! smdbg: Expected a hit count such as "> 3" or "% 10", not "often".
! smdbg: Argument required (COUNT).  Try "help ignore".
! smdbg: Expected a value at column 1.
? 4

# a condition is taken away again
$ -batch -ex 'break step if $s > 10' -ex 'condition 1' -ex 'c' tests/trials/cnn_healthy
Breakpoint 1 at every step
Breakpoint 1 now unconditional.
\
Breakpoint 1, step 0 (train 0)

# without a trial they are made, too
$ -batch -ex 'break weights if $v > 1' -ex 'info b' -ex 'd' -ex 'info b'
Breakpoint 1 at weights, pending: No trial is open.
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  weights
     pending: the trial has no such tensor yet
     stop only if $v > 1
No breakpoints.

# a rule: each step at which it is violated, forward and back, with the numbers that it saw
$ -batch -ex 'break rule VanishingGradient' -ex c -ex c -ex 'c -json' -ex rc -ex 'info b' tests/trials/mlp_vanishing_gradient
Breakpoint 1 at rule VanishingGradient
\
Breakpoint 1, gradient/MLP_fc0.bias at step 0, worker_0
VanishingGradient: mean|g| = 1.67535e-09 < 1e-07 (6 of 20 tensors)
\
Breakpoint 1, gradient/MLP_fc0.bias at step 4, worker_0
VanishingGradient: mean|g| = 6.79503e-10 < 1e-07 (7 of 20 tensors)
{"step":8,"mode":"GLOBAL","mode_step":8,"tensor":"gradient/MLP_fc0.bias","displays":[],"reason":"breakpoint","bkpt":1,"value":7.0027311987325147e-10}
\
Breakpoint 1, gradient/MLP_fc0.bias at step 4, worker_0
VanishingGradient: mean|g| = 6.79503e-10 < 1e-07 (7 of 20 tensors)
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       4  rule VanishingGradient

# an attached rule with its parameters, a condition, other parameters, dprintf, saved and read
$ -batch -ex 'rule add exploding_tensor only_nan=True as boom' -ex 'break rule boom if $s > 4 && size($t) == 12' -ex 'tbreak rule weight_update_ratio large_threshold=1e9' -ex 'dprintf rule dead_relu,"dead %s",$_tensor' -ex c -ex 'disable 3' -ex c -ex "save breakpoints $T/b" -ex 'delete' -ex "source $T/b" -ex 'info b' -ex 'rc' tests/trials/mlp_exploding_tensor
boom is attached.
Breakpoint 1 at rule boom
Temporary breakpoint 2 at rule weight_update_ratio large_threshold=1e9
Dprintf 3 at rule dead_relu
dead relu2_output_0
dead relu1_output_0
\
Temporary breakpoint 2, MLP_fc1.weight at step 3, worker_0
WeightUpdateRatio: update/weight = 1.31519e+09 is too large, limits 1e-08 and 1e+09 (steps 2 to 3) (3 of 4 tensors)
dead relu1_output_0
\
Breakpoint 1, MLP_fc0.bias at step 5, worker_0
ExplodingTensor: 12 NaN, 0 +Inf, 0 -Inf of 12; first at [0] (23 of 23 tensors)
$s > 4 && size($t) == 12
Saved 2 breakpoints to $T/b.
Breakpoint 4 at rule boom
Dprintf 5 at rule dead_relu
Num  Type        Disp  Enb  Hits  What
4    breakpoint  keep  y       0  rule boom
     stop only if $s > 4 && size($t) == 12
5    dprintf     keep  n       0  rule dead_relu
     printf "dead %s",$_tensor
step 0  MLP_fc0.bias
No breakpoint was hit down to the first step.

# its condition is looked at for each tensor that the rule found, until it holds
$ -batch -ex 'break rule exploding_tensor if absmax($t) > 1e20' -ex c -ex c -ex c -ex 'condition 1 any(isnan($t) && $prev > 1e30)' -ex 'run -json' -ex 'condition 1 count(isnan($t)) == 36' -ex run -ex 'condition 1 size($t) == 7' -ex run tests/trials/mlp_exploding_tensor
Breakpoint 1 at rule exploding_tensor
\
Breakpoint 1, gradient/MLP_out.bias at step 3, worker_0
ExplodingTensor: 0 NaN, 1 +Inf, 0 -Inf of 3; first at [0]
absmax($t) = 5.35e+37 > 1e20
\
Breakpoint 1, MLP_out.bias at step 4, worker_0
ExplodingTensor: 0 NaN, 0 +Inf, 1 -Inf of 3; first at [0]
absmax($t) = 4.81e+37 > 1e20
step 23  MLP_out.bias
No breakpoint was hit up to the last step.
{"step":4,"mode":"GLOBAL","mode_step":4,"tensor":"MSELoss_output_0","displays":[],"reason":"breakpoint","bkpt":1,"value":null}
\
Breakpoint 1, gradient/MLP_fc1.weight at step 3, worker_0
ExplodingTensor: 36 NaN, 0 +Inf, 0 -Inf of 144; first at [1,0]
count(isnan($t)) = 36 == 36
step 23  gradient/MLP_fc1.weight
No breakpoint was hit up to the last step.

# more findings than a rule keeps
$ -batch -ex 'break rule expr "expr=absmax(x) >= 0" tensor_regex=.' -ex 'condition -hitcount 1 == 240' -ex c tests/trials/many_steps
Breakpoint 1 at rule expr "expr=absmax(x) >= 0" tensor_regex=.
\
Breakpoint 1, CrossEntropyLoss_output_0 at step 1195 (train 1195), worker_0
Expr: absmax(x) >= 0 is true

# rules that cannot be waited for
$ -batch --keep-going -ex 'break rule' -ex 'break rule VanishingGradeint' -ex 'break rule vanishing_gradient threshold=x' -ex 'break rule stalled_training_rule' -ex 'break rule tree_depth' -ex 'dprintf rule nosuch,"x"' tests/trials/cnn_healthy
Breakpoint 1 at rule tree_depth, pending: the trial has no tensors for this rule yet.
! smdbg: "rule" requires a value (RULE).
! smdbg: No rule "VanishingGradeint".  Did you mean "vanishing_gradient"?  Try "rule list".
! smdbg: Parameter threshold: "x" is not of type float.
! smdbg: StalledTrainingRule is judged by the clock, not step by step.  "break stall" stops when no new data arrives.
! smdbg: No rule "nosuch".  Try "rule list".
? 1

# as in gdb: a number behind continue means nothing before the first stop, info breakpoints takes some
$ -batch --keep-going -ex 'break CNN_fc1.weight if $s == 20' -ex 'break *Loss* if $s == 40' -ex 'watch mean(CNN_fc1.weight)' -ex 'continue 3' -ex 'info breakpoints 2' -ex 'info breakpoints 1-2 -field number' -ex 'info breakpoints 7' -ex 'info watchpoints 1' -ex 'info breakpoints x' tests/trials/cnn_healthy
Breakpoint 1 at CNN_fc1.weight (1 tensor)
Breakpoint 2 at *Loss* (1 tensor)
Watchpoint 3: mean(CNN_fc1.weight)
No breakpoint has stopped yet: N is ignored.
\
Watchpoint 3, mean(CNN_fc1.weight) at step 10 (train 10)
Old value = 0.0035879503434443905
New value = 0.00358795006480553
Num  Type        Disp  Enb  Hits  What
2    breakpoint  keep  y       0  *Loss*
     stop only if $s == 40
Num
  1
  2
No watchpoints.
! smdbg: No breakpoint number 7.
! smdbg: Invalid number "x".
? 1

# the word "breakpoints" may stand before the numbers; commands takes a range; $bpnum is the newest
$ -batch --keep-going -ex 'break step' -ex 'break end' -ex 'break stall' -ex 'print $bpnum' -ex 'commands 1-2' -ex 'echo hi\n' -ex end -ex 'disable breakpoints' -ex 'enable breakpoints once 2' -ex 'enable br delete 3' -ex 'delete breakpoints 1' -ex 'info b' -ex 'delete 7-9' -ex 'commands 7-9' -ex end -ex 'info b 7-9' -ex 'display 1' -ex 'display 2' -ex 'delete display 1' -ex 'info display' -ex 'delete nosuch' -ex 'd br' -ex 'info b' tests/trials/cnn_healthy
Breakpoint 1 at every step
Breakpoint 2 at the end of the job
Breakpoint 3 at a stall of the job
$1 = 3
Num  Type        Disp  Enb  Hits  What
2    breakpoint  dis   y       0  end
        echo hi\n
3    breakpoint  del   y       0  stall
1: 1 = 1
2: 2 = 2
NUM  FORMAT  EXPRESSION
  2  -       2
No breakpoints.
! smdbg: No breakpoint number 7.
! smdbg: No breakpoint number 7.
! smdbg: No breakpoint number 7.
! smdbg: Invalid number "nosuch".
? 1

# run counts anew
$ -batch -ex 'break step' -ex 'condition -hitcount 1 == 3' -ex run -ex run -ex 'info b -field hits' tests/trials/cnn_healthy
Breakpoint 1 at every step
\
Breakpoint 1, step 20 (train 20)
\
Breakpoint 1, step 20 (train 20)
Hits
   3

# a slice is for the condition; a time that is none
$ -batch --keep-going -ex 'break CNN_fc1.bias[0]' -ex 'watch -stuck CNN_fc1.bias[0]' -ex 'break nosuch[0]' -ex 'continue -timeout soon' -ex 'until -timeout soon $s' -ex 'tbreak CrossEntropyLoss_output_0 if $v < -$prev + 5' -ex c tests/trials/cnn_healthy
Temporary breakpoint 1 at CrossEntropyLoss_output_0 (1 tensor)
\
Temporary breakpoint 1, CrossEntropyLoss_output_0 at step 10 (train 10), worker_0
$v = 1.31 < -$prev + 5 = 1.81
! smdbg: A breakpoint is for a complete tensor: use "$t[...]" in its condition, or "watch".
! smdbg: A breakpoint is for a complete tensor: use "$t[...]" in its condition, or "watch".
! smdbg: No tensor matches.
! smdbg: Invalid duration "soon": expected a number with a unit, such as 500ms, 10s, 5m or 2h.
! smdbg: Invalid duration "soon": expected a number with a unit, such as 500ms, 10s, 5m or 2h.
? 1

# commands that go on do not pile up, however often they are run
$ -batch tests/trials/cnn_healthy
< set trace-commands on
< break step if $s >= 70 && $s < 90
< commands
< silent
< continue
< end
< if 1
< run
< echo there
< end
+break step if $s >= 70 && $s < 90
Breakpoint 1 at every step
+commands
+if 1
++run
+++silent
+++continue
+++silent
+++continue
step 101 (eval 11)
No breakpoint was hit up to the last step.
++echo there
there

# one step is for the condition
$ -batch --keep-going -ex 'tbreak step 20' -ex 'tbreak step if $s == 20' -ex c tests/trials/cnn_healthy
Temporary breakpoint 1 at every step
\
Temporary breakpoint 1, step 20 (train 20)
$s = 20 == 20
! smdbg: Use a condition to select a step: "tbreak step if $s == 20".
? 1
