# a tensor with one element: both values; of others how many elements are others
$ -batch -ex 'watch CrossEntropyLoss_output_0' -ex c -ex c -ex 'c -json' -ex delete -ex 'watch weights' -ex r -ex 'info b' tests/trials/cnn_healthy
Watchpoint 1: CrossEntropyLoss_output_0 (1 tensor)
\
Watchpoint 1, CrossEntropyLoss_output_0 at step 10 (train 10), worker_0
Old value = 3.1932964
New value = 1.3099978
\
Watchpoint 1, CrossEntropyLoss_output_0 at step 20 (train 20), worker_0
Old value = 1.3099978
New value = 0.96209407
{"step":32,"mode":"EVAL","mode_step":2,"tensor":"CrossEntropyLoss_output_0","displays":[],"reason":"breakpoint","bkpt":1,"value":0.93521601}
Watchpoint 2: +weights (4 tensors)
\
Watchpoint 2, CNN_conv0.weight at step 10 (train 10), worker_0 (and 3 more)
changed($t, $prev) = 100 > 0
Num  Type        Disp  Enb  Hits  What
2    watchpoint  keep  y       1  +weights

# by more than a tolerance, and with a condition; an eval step is compared with eval steps
$ -batch -ex 'watch -tol 0.3 CrossEntropyLoss_output_0 if $v < $prev' -ex c -ex c -ex c -ex 'info b' tests/trials/cnn_healthy
Watchpoint 1: -tol 0.3 CrossEntropyLoss_output_0 (1 tensor)
\
Watchpoint 1, CrossEntropyLoss_output_0 at step 10 (train 10), worker_0
Old value = 3.1932964
New value = 1.3099978
\
Watchpoint 1, CrossEntropyLoss_output_0 at step 20 (train 20), worker_0
Old value = 1.3099978
New value = 0.96209407
\
Watchpoint 1, CrossEntropyLoss_output_0 at step 64 (eval 4), worker_0
Old value = 0.935216
New value = 0.2997318
Num  Type        Disp  Enb  Hits  What
1    watchpoint  keep  y       3  -tol 0.3 CrossEntropyLoss_output_0
     stop only if $v < $prev

# an expression, once for each step; steps at which it cannot be told are passed by
$ -batch -ex 'watch norm(CNN_fc1.weight) > 4' -ex 'watch -tol 0.5 CrossEntropyLoss_output_0 * 2' -ex c -ex c -ex 'delete 2' -ex c -ex 'info b' tests/trials/cnn_healthy
Watchpoint 1: norm(CNN_fc1.weight) > 4
Watchpoint 2: -tol 0.5 CrossEntropyLoss_output_0 * 2
\
Watchpoint 2, CrossEntropyLoss_output_0 * 2 at step 10 (train 10)
Old value = 6.386592864990234
New value = 2.619995594024658
\
Watchpoint 2, CrossEntropyLoss_output_0 * 2 at step 20 (train 20)
Old value = 2.619995594024658
New value = 1.9241881370544434
\
Watchpoint 1, norm(CNN_fc1.weight) > 4 at step 54 (train 50)
Old value = false
New value = true
Num  Type        Disp  Enb  Hits  What
1    watchpoint  keep  y       1  norm(CNN_fc1.weight) > 4

# an expression that looks at elements goes to the workers
$ -batch -ex 'watch count(conv0_input_0 > 1) > 1900' -ex c -ex c tests/trials/cnn_healthy
Watchpoint 1: count(conv0_input_0 > 1) > 1900
step 101 (eval 11)
No breakpoint was hit up to the last step.
! smdbg: There is no later step.  "run" starts at the first one, "reverse-continue" goes back.
? 4

# outputs that die, weights that do not move
$ -batch -ex 'watch -dead *relu*' -ex c -ex c tests/trials/cnn_dead_relu
Watchpoint 1: -dead *relu* (6 tensors)
\
Watchpoint 1, relu1_output_0 at step 0, worker_0 (and 1 more)
zeros($t) = 576 == size($t)
step 20  relu1_output_0
No breakpoint was hit up to the last step.

$ -batch -ex 'watch -stuck CNN_fc1.bias' -ex c -ex c -ex 'info b -json' tests/trials/cnn_healthy
Watchpoint 1: -stuck CNN_fc1.bias (1 tensor)
\
Watchpoint 1, CNN_fc1.bias at step 32 (eval 2), worker_0
changed($t, $prev) = 0 == 0
\
Watchpoint 1, CNN_fc1.bias at step 66 (eval 6), worker_0
changed($t, $prev) = 0 == 0
[{"number":1,"type":"watchpoint","disposition":"keep","enabled":true,"hits":2,"what":"-stuck CNN_fc1.bias","mode":null,"condition":null,"hit_condition":null,"ignore":0,"commands":[],"pending":false,"skipped":0}]

# how much they change, for themselves
$ -batch -ex 'watch -ratio weights if $s > 30' -ex 'watch -ratio -tol 0.23 CNN_fc1.weight' -ex c -ex c -ex 'info b' tests/trials/cnn_healthy
Watchpoint 1: -ratio +weights (4 tensors)
Watchpoint 2: -ratio -tol 0.23 CNN_fc1.weight (1 tensor)
\
Watchpoint 2, CNN_fc1.weight at step 20 (train 20), worker_0
norm($t - $prev) / norm($prev) = 0.294 > 0.23
\
Watchpoint 1, CNN_conv0.weight at step 34 (train 30), worker_0 (and 3 more)
norm($t - $prev) / norm($prev) = 0.24 > 0.1
Watchpoint 2, CNN_fc1.weight at step 34 (train 30), worker_0
norm($t - $prev) / norm($prev) = 0.381 > 0.23
Num  Type        Disp  Enb  Hits  What
1    watchpoint  keep  y       1  -ratio +weights
     stop only if $s > 30
2    watchpoint  keep  y       2  -ratio -tol 0.23 CNN_fc1.weight

$ -batch --keep-going -ex 'watch' -ex 'watch -dead -stuck weights' -ex 'watch -dead 1 + 2' -ex 'watch -tol x weights' -ex 'watch -dead -tol 1 weights' -ex 'watch 1 + if 2' -ex 'watch 1 + 2 if 3' -ex 'watch -stuck nosuch' -ex 'watch norm(CNN_fc1.weight)' -ex 'condition 1 $s > 3' -ex 'watch weights if )' -ex 'info b' tests/trials/cnn_healthy
Watchpoint 1: 1 + 2
Watchpoint 2: norm(CNN_fc1.weight)
Num  Type        Disp  Enb  Hits  What
1    watchpoint  keep  y       0  1 + 2
     stop only if $s > 3
2    watchpoint  keep  y       0  norm(CNN_fc1.weight)
! smdbg: Argument required (EXPR [if COND]).  Try "help watch".
! smdbg: -dead and -stuck cannot be used together.
! smdbg: No tensor "1". Try "tensors".
! smdbg: Invalid number "x".
! smdbg: -dead takes no tolerance.
! smdbg: Unexpected end of the expression at column 4.
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: Expected a value at column 1.
? 1

# a name or pattern is of tensors: there are none, or they may come; a collection that comes with the trial counts as well
$ -batch --keep-going -ex 'watch nosuch' -ex 'watch nosuch*' -ex 'watch CNN_fc1.bias nosuch' -ex 'watch 1+' -ex 'watch collection nosuch' -ex 'watch -stuck collection biases' -ex 'watch mean(nosuch)' -ex 'info watchpoints' -ex c tests/trials/cnn_healthy
Watchpoint 1: -stuck +biases (4 tensors)
Num  Type        Disp  Enb  Hits  What
1    watchpoint  keep  y       0  -stuck +biases
\
Watchpoint 1, CNN_conv0.bias at step 32 (eval 2), worker_0 (and 3 more)
changed($t, $prev) = 0 == 0
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: No tensor matches.
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: Unexpected end of the expression at column 3.
! smdbg: No collection "nosuch".  Try "info collections".
! smdbg: No tensor "nosuch".
? 4

$ -batch -ex 'break weights if absmax($t) > 0.7' -ex 'watch CNN_fc1*' -ex 'dprintf collection losses,"loss %g",$v' -ex 'info b' -ex 'open tests/trials/cnn_healthy' -ex c -ex c
Breakpoint 1 at weights, pending: No trial is open.
Watchpoint 2: CNN_fc1*, pending: No trial is open.
Dprintf 3 at +losses, pending: No trial is open.
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  weights
     pending: the trial has no such tensor yet
     stop only if absmax($t) > 0.7
2    watchpoint  keep  y       0  CNN_fc1*
     pending: the trial has no such tensor yet
3    dprintf     keep  y       0  +losses
     pending: the trial has no such tensor yet
     printf "loss %g",$v
cnn_healthy: smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
\
Breakpoint 1, CNN_conv0.weight at step 0 (train 0), worker_0
absmax($t) = 0.775 > 0.7
loss 3.1933
\
Watchpoint 2, CNN_fc1.weight at step 10 (train 10), worker_0 (and 1 more)
changed($t, $prev) = 240 > 0
loss 1.31

# a condition, also of an expression, and one that looks at many elements
$ -batch -ex 'watch mean(CNN_fc1.weight) if $s > 40' -ex 'watch norm(CNN_fc1.weight) if mean(CNN_fc0.weight * CNN_fc0.weight) > 0.0145' -ex c -ex c -ex 'condition 2 $s > 90 && exists(CNN_fc1.bias)' -ex 'condition 1' -ex "save breakpoints $T/b" -ex 'delete' -ex "source $T/b" -ex 'info b' tests/trials/cnn_healthy
Watchpoint 1: mean(CNN_fc1.weight)
Watchpoint 2: norm(CNN_fc1.weight)
\
Watchpoint 2, norm(CNN_fc1.weight) at step 10 (train 10)
Old value = 2.9182047829724618
New value = 2.895258781852928
\
Watchpoint 2, norm(CNN_fc1.weight) at step 20 (train 20)
Old value = 2.895258781852928
New value = 3.138034837567975
Breakpoint 1 now unconditional.
Saved 2 breakpoints to $T/b.
Watchpoint 3: mean(CNN_fc1.weight)
Watchpoint 4: norm(CNN_fc1.weight)
Num  Type        Disp  Enb  Hits  What
3    watchpoint  keep  y       0  mean(CNN_fc1.weight)
4    watchpoint  keep  y       0  norm(CNN_fc1.weight)
     stop only if $s > 90 && exists(CNN_fc1.bias)
