# a number asked for at each step
$ -batch -ex 'series l2(CNN_fc1.weight) mode eval -csv -field step,mode_step,value' tests/trials/cnn_healthy
step,mode_step,value
30,0,3.5650125724100037
32,2,3.5650125724100037
64,4,4.220185396373384
66,6,4.220185396373384
98,8,4.458507410232749
100,10,4.458507410232749

# a gap where something is not there
$ -batch -ex 'series l2(gradient/CNN_fc1.weight)/l2(CNN_fc1.weight) -csv -field step' tests/trials/cnn_healthy
step
0
10
20
34
44
54
68
78
88

# a series by itself
$ -batch -ex 'series ema(CrossEntropyLoss_output_0,0.6) -field step,value -csv' tests/trials/cnn_healthy | head -3
step,value
0,3.193296432495117
10,2.0162347853183746

$ -batch -ex 'series CNN_fc1.weight*2' tests/trials/cnn_healthy
! smdbg: "CNN_fc1.weight*2" is a tensor at a step, not a number.
? 1

# without a chosen step a name is the newest that there is
$ -batch -ex 'print l2(CNN_fc1.weight) == l2(CNN_fc1.weight@100)' tests/trials/cnn_healthy
$1 = true

# what cannot be read is left out, but not silently
$ -batch --allow-shell -ex "shell cp -R tests/trials/killed_midrun $T/x" -ex "shell printf XXXX | dd of=$T/x/events/000000000003/000000000003_worker_0.tfevents conv=notrunc bs=1 seek=30 status=none" -ex "open $T/x" -ex 'series CNN_conv0.weight' | tail -2
  18  TRAIN         15  2026-11-21T02:48:49+00:00  0.00065605
Step 3 could not be read and is omitted; see "info errors".

# so too when the number is computed, and when it is the newest that cannot be read
$ -batch --allow-shell -ex "shell cp -R tests/trials/killed_midrun $T/y" -ex "shell rm $T/y/events/000000000018/000000000018_worker_0.tfevents" -ex "shell touch $T/y/training_job_end.ts" -ex "open $T/y" -ex 'series l2(CNN_conv0.weight)' | tail -1
Step 18 could not be read and is omitted; see "info errors".

# and so do lists of them, charts and expressions
$ -batch --allow-shell -ex "shell cp -R tests/trials/killed_midrun $T/z" -ex "shell printf XXXX | dd of=$T/z/events/000000000003/000000000003_worker_0.tfevents conv=notrunc bs=1 seek=30 status=none" -ex "open $T/z" -ex 'spark CNN_conv0.*' -ex 'plot CNN_conv0.weight -h 3 -w 40 | tail -1' -ex 'print CNN_conv0.weight@all | tail -1' -ex 'spark CNN_conv0.* -field name,points,unread' -ex 'print CNN_conv0.weight@0:3 | tail -1' | tail -n +3
NAME              WHAT  STEPS     FIRST        LAST  TREND
CNN_conv0.bias    mean      9         0   -0.024143  ▇▂▂▁▁▁▂▃▃
CNN_conv0.weight  mean      8  0.036188  0.00065605  ▇▂▂▂▂▁▂▂
Step 3 of CNN_conv0.weight could not be read and is omitted; see "info errors".
Step 3 of CNN_conv0.weight could not be read and is omitted; see "info errors".
Step 3 could not be read and is omitted; see "info errors".
NAME              STEPS  unread
CNN_conv0.bias        9       0
CNN_conv0.weight      8       1
   0  0.036188
