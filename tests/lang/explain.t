# no rule is attached: all that fit are judged; bt goes on from the finding
$ -batch -ex explain -ex bt tests/trials/mlp_vanishing_gradient
VanishingGradient fires: gradient/MLP_fc4.weight at step 16 (and 4 more)
size 1.613e-06 is 2.19e-05 times that of gradient/MLP_out.weight, limit 0.0001; below it in 5 saved steps of the last 8 (5 of 10 tensors)
Use another activation or initialisation, batch normalisation, residual connections, or a larger
learning rate for early layers.
It fires when the mean of |g| of any tensor of collection gradients is below threshold.
Here it judges as under "rule auto": gradients of two or more axes are judged by their size (root of
the mean square) against the largest one of the step: it fires if one is below 1e-4 of that in 5 of
8 saved steps. Gradients that shrink together, as at the end of training, are no finding, nor are
those of biases, which a normalisation or attention makes zero.
"rule explain vanishing_gradient 16" lists all numbers that it tested.
Now at gradient/MLP_fc4.weight, step 16. "stat" shows its statistics.
Nothing is wrong with gradient/MLP_fc4.weight at step 16: max |x| 3.82e-06. "bt -worst" starts at the worst tensor.

# attached ones; a step; another rule; JSON; nothing that bt would follow
$ -batch -ex 'rule add exploding_tensor as boom' -ex 'explain' -ex 'explain boom 7 -json' -ex 'bt 2' -ex 'explain overfit' -ex 'explain dead_relu 1' tests/trials/mlp_exploding_tensor
boom is attached.
ExplodingTensor fires: MSELoss_output_0 at step 3 (and 8 more)
0 NaN, 1 +Inf, 0 -Inf of 1 (9 of 23 tensors)
Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.
It fires when an element of a selected tensor is NaN, or infinite unless only_nan is set; by default
all tensors except those of collection trees are selected. Saved reductions are used where no value
was saved.
"rule explain boom 3" lists all numbers that it tested.
Now at MSELoss_output_0, step 3. "bt" shows the origin.
{"rule":"ExplodingTensor","instance":"boom","step":7,"fires":true,"mode":"GLOBAL","mode_step":7,"worker":"worker_0","tensor":"MLP_fc0.bias","value":12,"threshold":0,"message":"12 NaN, 0 +Inf, 0 -Inf of 12; first at [0] (23 of 23 tensors)","fires_when":"an element of a selected tensor is NaN, or infinite unless only_nan is set; by default all tensors except those of collection trees are selected. Saved reductions are used where no value was saved","advice":"Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.","automatic_differs":null}
#0  step 7  MLP_fc0.bias  12 NaN of 12
#1  step 4  MLP_fc0.bias  12 NaN of 12  first NaN
(More frames follow: 2.)
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
Overfit judged nothing at step 23: no EVAL step was saved, so there is nothing to compare with.
It fires when (E - T)/|T| > ratio_threshold at `patience` consecutive evaluations; T and E are the
means of a loss in TRAIN and EVAL since the last evaluation, and an evaluation takes place at the
first saved TRAIN step after EVAL steps. A loss of EVAL belongs to the one of the same name in
TRAIN, else the names tell: a loss and its val_loss, train/X and eval/X, train-X and validation-X.
Where both are in TRAIN or there are no modes, each value of validation is an evaluation.
"rule explain overfit 23" lists all numbers that it tested.
DeadRelu fires: relu2_output_0 at step 1
58.33% of 12 ReLUs inactive (<1% of samples), limit 50% (1 of 3 tensors)
Lower the learning rate, use leaky ReLU or ELU or He initialisation; check biases and the scale of
inputs.
It fires when more than threshold_layer percent of a layer's units have an output above 0 in less
than threshold_inactivity percent of the step's samples (axis 0).
"rule explain dead_relu 1" lists all numbers that it tested.
Now at relu2_output_0, step 1. "stat" shows its statistics.

# nothing, and what is not known
$ -batch --keep-going -ex explain -ex 'explain nosuch' -ex 'explain overfit 21' -ex 'explain tree_depth' tests/trials/cnn_healthy
No rule has fired among all that apply to this trial. "explain RULE" shows the result of a rule of "rule list".
Overfit does not fire at step 21.
It fires when (E - T)/|T| > ratio_threshold at `patience` consecutive evaluations; T and E are the
means of a loss in TRAIN and EVAL since the last evaluation, and an evaluation takes place at the
first saved TRAIN step after EVAL steps. A loss of EVAL belongs to the one of the same name in
TRAIN, else the names tell: a loss and its val_loss, train/X and eval/X, train-X and validation-X.
Where both are in TRAIN or there are no modes, each value of validation is an evaluation.
"rule explain overfit 21" lists all numbers that it tested.
TreeDepth does not fire at step 101.
It fires when floor(log2(largest node id)) of a step's tree is more than depth; the message also
gives the true depth.
"rule explain tree_depth 101" lists all numbers that it tested.
! smdbg: No rule "nosuch".  Try "rule list".
? 4

# a rule that does not fire: the newest step at which it tests something, not the newest step
$ -batch -ex 'rule explain overfit' tests/trials/cnn_healthy
Overfit fires when (E - T)/|T| > ratio_threshold at `patience` consecutive evaluations; T and E are the means of a loss in TRAIN and EVAL since the last evaluation, and an evaluation takes place at the first saved TRAIN step after EVAL steps. A loss of EVAL belongs to the one of the same name in TRAIN, else the names tell: a loss and its val_loss, train/X and eval/X, train-X and validation-X. Where both are in TRAIN or there are no modes, each value of validation is an evaluation.
This is the definition; "rule auto" judges otherwise: the gap alone is no finding: it fires if EVAL
was best 4 or more evaluations ago and rises since then (Mann-Kendall, z > 1.64), the last three are
above that best one by twice the noise and their median by ratio_threshold of it, and TRAIN falls
since then; or if after 10 evaluations EVAL has never fallen (z > -1.64, 3%) while TRAIN fell by
half of ratio_threshold (by all of it where names tell EVAL from TRAIN; there at most 64 means of
evaluations are compared); or if after 8 evaluations no EVAL cross entropy was 3% below that of
guessing by how often each label occurs, while TRAIN is below it by half of ratio_threshold.
  tensor_regex = none
  start_step = 0
  patience = 1
  ratio_threshold = 0.1
The hook must save: losses, TRAIN and EVAL (100/10). This trial has tensors for it.
\
At step 68:
STEP  MODE   MODE-STEP  TENSOR                        VALUE  LIMIT  WHAT
  68  TRAIN         60  CrossEntropyLoss_output_0  -0.39887    0.1  mean val 0.…n a row, patience 1)

# rules are completed, attached or not
$ -batch -ex 'rule add overfit as vanity' -ex 'complete break rule van' -ex 'complete explain overf' -ex 'complete rule explain van' -ex 'complete rule remove v' tests/trials/cnn_healthy
vanity is attached.
break rule vanishing_gradient
break rule vanity
explain overfit
rule explain vanishing_gradient
rule explain vanity
rule remove vanity
