# the trainings that are built in
$ --demo list
healthy                     learns ten drawn shapes
vanishing_gradient          ten layers of sigmoids: the first ones get almost no gradient
exploding_tensor            a learning rate far too large: parameters grow until they overflow
dead_relu                   biases so low that ReLUs are never active
poor_weight_initialization  all parameters start at one value: units never differ
saturated_activation        weights a thousand times too large: sigmoids are all 0 or 1
loss_not_decreasing         random labels: nothing to learn
overfit                     100 images, memorised
class_imbalance             half of the images show one shape, one in a hundred another
unnormalized_input          pixels from 0 to 255 are not normalised
stalled                     writes nothing after step 300
all_zero                    all parameters start at 0: gradients and activations stay 0
unchanged_tensor            one layer is never updated

$ --demo no_such
! smdbg: unknown demo "no_such"; "--demo list" lists the names
! Try "smdbg-tui --help".
? 2

$ --demo stalled other_trial
! smdbg: --demo cannot be used with a trial or with --replay
! Try "smdbg-tui --help".
? 2

# without a terminal it trains to its end; commands come after that
$ -batch --demo vanishing_gradient --out $T/run -ex 'print mean(abs(gradient/dense0_weight@0)) < 1e-7' -ex 'print mean(abs(gradient/dense10_weight@0)) > 1e-3'
$1 = true
$2 = true

$ -batch-silent --demo dead-relu --rules auto
? 3

# what came of it is told with what there is
$ --demo unchanged_tensor --speed 50 --out $T/run | sed -n '/fired/p; /smdebug trial/p; /^conv1_weight/p' | cut -c1-70
UnchangedTensor fired at step 51 (TRAIN 50): conv1_weight: never chang
conv1_weight              51  UnchangedTensor  never changed in 5…gr
run: smdebug trial, 1 worker, ended
conv1_weight               float32  (16, 8, 3, 3)      120    0.001931

# a program that follows sees it live
$ --interpreter=json --demo healthy --speed 50 </dev/null | cut -c1-15
{"type":"hello"

$ -batch --follow --demo healthy --speed 50 -ex 'wait step 20 -timeout 600s' -ex 'info trial -field state' | tail -n 1
state  live
