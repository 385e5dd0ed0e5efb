# TensorBoard's folders open as they are: each is a run
$ -batch -ex 'info trials -field name,steps,tensors' tests/trials/tensorboard
NAME   STEPS  TENSORS
EVAL       2        3
TRAIN      8        7

$ -batch -ex 'info trial -json -field name,kind,workers,steps,tensors' tests/trials/tensorboard
{"name":"EVAL","kind":"tensorboard","workers":["."],"steps":2,"tensors":3}

$ -batch -ex 'series CrossEntropyLoss_output_0 -csv -field step,value' tests/trials/tensorboard
step,value
10,1.4094564
21,0.63968444

$ -batch -ex 'plot CrossEntropyLoss_output_0 -csv -field step,value' tests/trials/tensorboard | head -3
step,value
10,1.4094563722610474
21,0.6396844387054443

# and single files
$ -batch -ex 'tensors -field name,steps' tests/trials/tensorboard/EVAL/000000000010_8815_vm.tfevents
NAME                       STEPS
CrossEntropyLoss_output_0      2
histograms/CNN_fc0.weight      2
histograms/CNN_fc1.weight      2

# a histogram is rows of left edge, right edge and count
$ -batch -ex 'tensor histograms/CNN_fc1.weight[1:3] step 10' -ex 'print sum(histograms/CNN_fc1.weight[:,2]@10)' tests/trials/tensorboard
histograms/CNN_fc1.weight[1:3]  step 10 (eval 10)  float64 (2, 3)
[[-0.62649163 -0.56953784  2.        ]
 [-0.56953784 -0.51776167  0.        ]]
$1 = 160

$ -batch README.md
! smdbg: README.md: neither a trial directory nor an archive (it begins with "# smdbg-tui").  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5

# scalars, losses and histograms are known by their names and values
$ -batch -ex 'info collections -field name,tensors' -ex 'tensors -field name,kind,collections' tests/trials/loggers/trainer
NAME        NAMES
histograms  fc.weight
losses      eval/loss,train/loss
scalars     eval/loss,train/learning_rate,train/loss,train/loss_scale
NAME                 KIND       COLLECTIONS
eval/loss            scalar     losses,scalars
fc.weight            histogram  histograms
train/learning_rate  scalar     scalars
train/loss           scalar     losses,scalars
train/loss_scale     scalar     scalars

$ -batch -ex 'tensors -field name,kind,modes,collections' tests/trials/loggers/keras
NAME                       KIND       MODES  COLLECTIONS
dense/kernel               histogram  TRAIN  histograms
epoch_accuracy             scalar     TRAIN  scalars
epoch_loss                 scalar     TRAIN  losses,scalars
validation/epoch_accuracy  scalar     TRAIN  scalars
validation/epoch_loss      scalar     TRAIN  losses,scalars

# a histogram has no mean of its edges and counts
$ -batch -ex 'tensors' tests/trials/loggers/trainer
NAME                 DTYPE    SHAPE    STEPS     MEAN  STD  NAN  TREND
eval/loss            float32  ()           5  0.41861    0    0  ▇▄▂▁▁
fc.weight            float64  (16, 3)      2        -    -    -
train/learning_rate  float32  ()          20    5e-05    0    0  ▇▆▅▄▃▃▂▁
train/loss           float32  ()          20  0.13844    0    0  ▇▅▄▂▂▁▁▁
train/loss_scale     float32  ()          20    65536    0    0  ▄▄▄▄▄▄▄▄

# it is drawn as it was saved, or with other bins
$ -batch -ex 'hist fc.weight step 50' -ex 'hist fc.weight step 50 -bins 4' tests/trials/loggers/trainer
fc.weight  step 50
[-3.8, -3.3)   1 █
[-3.3, -2.9)   2 ██
[-2.9, -2.4)   0
[-2.4, -1.9)   1 █
[-1.9, -1.5)   5 █████▌
[-1.5, -1.0)  24 ██████████████████████████
[-1.0, -0.6)  34 █████████████████████████████████████
[-0.6, -0.1)  37 ████████████████████████████████████████
[-0.1,  0.3)  31 █████████████████████████████████▌
[ 0.3,  0.8)  26 ████████████████████████████
[ 0.8,  1.2)  21 ██████████████████████▌
[ 1.2,  1.7)  10 ███████████
[ 1.7,  2.2)   3 ███
[ 2.2,  2.6)   3 ███
[ 2.6,  3.1]   2 ██
fc.weight  step 50
[-3.8, -2.1)   4 █▌
[-2.1, -0.4)  82 █████████████████████████████████
[-0.4,  1.4)  99 ████████████████████████████████████████
[ 1.4,  3.1]  15 ██████

$ -batch -ex 'hist dense/kernel step 5 -csv' -ex 'tensor dense/kernel step 5' tests/trials/loggers/keras
left,right,count
-2.9280901725683814,-2.3865928701842525,4
-2.3865928701842525,-1.8450955678001233,5
-1.8450955678001233,-1.303598265415994,17
-1.303598265415994,-0.7621009630318651,40
-0.7621009630318651,-0.22060366064773618,75
-0.22060366064773618,0.32089364173639323,65
0.32089364173639323,0.8623909441205222,58
0.8623909441205222,1.4038882465046512,23
1.4038882465046512,1.9453855488887801,7
1.9453855488887801,2.486882851272909,6
dense/kernel  step 5 (train 5)  float64 (10, 3)
a histogram of 300 values in 10 bins: left edge, right edge, count
[[-2.92809017 -2.38659287  4.        ]
 [-2.38659287 -1.84509557  5.        ]
 [-1.84509557 -1.30359827 17.        ]
 [-1.30359827 -0.76210096 40.        ]
 [-0.76210096 -0.22060366 75.        ]
 [-0.22060366  0.32089364 65.        ]
 [ 0.32089364  0.86239094 58.        ]
 [ 0.86239094  1.40388825 23.        ]
 [ 1.40388825  1.94538555  7.        ]
 [ 1.94538555  2.48688285  6.        ]]

$ -batch -ex 'hist dense/kernel step 5 -bins tb -csv' tests/trials/loggers/keras | tail -3
1.9453855488887801,2.12588464968349,2
2.12588464968349,2.3063837504781994,2
2.3063837504781994,2.486882851272909,2

# rules see the losses
$ -batch --rules auto tests/trials/loggers/trainer
RULE                 STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
ExplodingTensor      NoIssuesFound      -     -      0  -       -
LossNotDecreasing    NoIssuesFound      -     -      0  -       -
Overfit              NoIssuesFound      -     -      0  -       -
Overtraining         NoIssuesFound      -     -      0  -       -
StalledTrainingRule  NoIssuesFound      -     -      0  -       -

# a snapshot keeps what is what
$ -batch -ex "snapshot save $T/t.smdz" -ex "open $T/t.smdz" -ex 'tensors -field name,kind,collections' tests/trials/loggers/trainer | sed 1d
No rule is attached, so no findings are in it. Try "rule auto" before.
t.smdz: archive of a TensorBoard directory, 1 run, ended
20 steps (GLOBAL 0..95), 5 tensors in 3 collections
NAME                 KIND       COLLECTIONS
eval/loss            scalar     losses,scalars
fc.weight            histogram  histograms
train/learning_rate  scalar     scalars
train/loss           scalar     losses,scalars
train/loss_scale     scalar     scalars

# what a training validates is a run of its own, and read for the run of training, too
$ -batch -ex 'runs -field run,last_step,newest' -ex 'tensors -field name,steps' -ex 'rule add Overfit' -ex 'rule status -wait -field instance,status' -ex 'verdict -json' tests/samples/tensorboard/pair | cut -c1-120
RUN         STEP  epoch_loss
train         39    0.067129
validation   117      1.6671
NAME                   STEPS
epoch_learning_rate       40
epoch_loss                40
validation/epoch_loss     40
Overfit is attached.
RULE     STATUS
Overfit  IssuesFound
{"cause":"overfitting","title":"overfitting","since":14,"mode":"TRAIN","worker":".","tensor":"validation/epoch_loss","ev

# validation alone is a run like others
$ -batch -ex 'runs -field run,newest' -ex 'tensors -field name,steps' tests/samples/tensorboard/pair/validation
RUN         evaluation_loss_vs_iterations
validation                        0.31713
NAME                           STEPS
epoch_loss                        40
evaluation_loss_vs_iterations     40
