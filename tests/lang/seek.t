# until: the next step at which it holds, one after another; else the point stays
$ -batch -ex 'goto 0' -ex 'until l2(CNN_fc1.weight) > 3.8' -ex 'until l2(CNN_fc1.weight) > 3.8' -ex 'until 1 < 0' tests/trials/cnn_healthy
step 0 (train 0)
step 44 (train 40)
step 54 (train 50)
! smdbg: The condition is not true at any later step.
? 4

$ -batch -ex 'goto 0' -ex '-until 1 < 0' -ex 'print $_step' -ex 'goto @eval:0' -ex 'until 1' tests/trials/cnn_healthy
step 0 (train 0)
$1 = 0
step 30 (eval 0)
step 32 (eval 2)
! smdbg: The condition is not true at any later step.

$ -batch -ex 'goto 0' -ex 'until 1 +' tests/trials/cnn_healthy
step 0 (train 0)
! smdbg: Unexpected end of the expression at column 4.
? 1

# bisect finds the same in fewer looks
$ -batch -ex 'display/.3f l2(CNN_fc1.weight)' -ex 'bisect l2(CNN_fc1.weight) > 3.8' -ex rs tests/trials/cnn_healthy
1: l2(CNN_fc1.weight) = 4.459
step 44 (train 40)
1: l2(CNN_fc1.weight) = 3.935
false at step 34, true here; tested 6 of 16 steps
step 34 (train 30)
1: l2(CNN_fc1.weight) = 3.565

$ -batch -ex 'bisect l2(CNN_fc1.weight) < 3.8 -json' tests/trials/cnn_healthy
{"step":44,"mode":"TRAIN","mode_step":40,"tensor":null,"displays":[],"before":34,"becomes":false,"looked_at":6}

$ -batch -ex 'goto 0' -ex 'until mean(MLP_fc1.weight) > -0.05' -ex 'bisect mean(MLP_fc1.weight) > -0.05' tests/trials/many_steps
step 0 (train 0)
step 600 (train 600)
step 600 (train 600)
false at step 595, true here; tested 9 of 240 steps

$ -batch -ex 'bisect l2(CNN_fc1.weight) > 3.8 -steps 0:40' tests/trials/cnn_healthy
! smdbg: The condition is false at both step 0 and step 34.
? 4

$ -batch -ex 'bisect l2(CNN_fc1.weight@7) > 3.8' tests/trials/cnn_healthy
! smdbg: The condition cannot be evaluated at any step.
? 4

# steps without the tensor are passed by
$ -batch -ex "tensors CNN_conv0.bias -field steps,last_step" -ex "bisect CNN_conv0.bias[3] > 0.1" tests/trials/cnn_healthy
STEPS  LAST
   15   100
step 88 (train 80)
false at step 78, true here; tested 6 of 16 steps

# a step that cannot be read is passed by, and told
$ -batch --keep-going --allow-shell -ex "shell cp -r tests/trials/cnn_healthy $T/d && cd $T/d/events && truncate -s 3000 */*54_worker_0.tfevents && rm */*68_worker_0.tfevents" -ex "open $T/d" -ex 'goto 44' -ex 'until norm(CNN_fc1.weight) > 4' -ex 'until norm(CNN_fc1.weight) > 9' -ex 'bisect norm(CNN_fc1.weight) > 4' -ex 'bisect norm(CNN_fc1.weight) > 4 -steps 54:60'
d: smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
step 44 (train 40)
step 64 (eval 4)
Skipped step 54: events/000000000054/000000000054_worker_0.tfevents at offset 16863: incomplete record header (0 of 12 bytes)
step 64 (eval 4)
false at step 44, true here; tested 5 of 16 steps
Skipped step 54: events/000000000054/000000000054_worker_0.tfevents at offset 16863: incomplete record header (0 of 12 bytes)
! smdbg: The condition is not true at any later step.  Skipped step 68: events/000000000068/000000000068_worker_0.tfevents at offset 16863: no such file.
! smdbg: The condition cannot be evaluated at any step.  Skipped step 54: events/000000000054/000000000054_worker_0.tfevents at offset 16863: incomplete record header (0 of 12 bytes).
? 4

# steps are global ones, of which those of the current mode count; a step of another mode leaves it
$ -batch --keep-going -ex 'goto @eval:2' -ex 'bisect $s > 32 -steps 0:70' -ex 'bookmark b 44' -ex 'goto b' -ex 'print $_mode' -ex step -ex 'bisect $s > 32 -steps 1000' -ex 'goto @eval:2' -ex 'tbreak step' -ex c -ex step tests/trials/cnn_healthy
step 32 (eval 2)
step 64 (eval 4)
false at step 32, true here; tested 4 of 4 steps
Bookmark b is step 44.
step 44 (train 40)
$1 = void
step 54 (train 50)
step 32 (eval 2)
Temporary breakpoint 1 at every step
\
Temporary breakpoint 1, step 34 (train 30)
step 44 (train 40)
! smdbg: The condition cannot be evaluated at any step.
? 4

# what no expression is, is told although there is no step to look at
$ -batch --keep-going --no-follow -ex 'until (' -ex 'bisect sqrt(1, 2)' -ex 'goto last' -ex 'until 1 +' tests/trials/killed_at_start
! smdbg: Unexpected end of the expression at column 2.
! smdbg: Too many arguments at column 9.
! smdbg: There are no steps yet.
! smdbg: Unexpected end of the expression at column 4.
? 1

$ -batch --keep-going -ex 'goto last' -ex 'until 1 +' -ex 'bisect 1 +' tests/trials/cnn_healthy
step 101 (eval 11)
! smdbg: Unexpected end of the expression at column 4.
! smdbg: Unexpected end of the expression at column 4.
? 1
