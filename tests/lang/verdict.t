# the cause first, with its evidence, effects and advice
$ -batch -ex verdict tests/trials/mlp_exploding_tensor
CAUSE learning rate too high, since step 1
  MLP_fc0.weight: update / weight 1.05 by step, median of 4 weights; 0.1 is much  [series
    MLP_fc0.weight]
  MSELoss_output_0: the loss jumps from 4.228 to 1780  [series MSELoss_output_0]
  MSELoss_output_0: loss 1780 at the start, 1780 at the end  [series MSELoss_output_0]
  then @3 NaN or infinity that arises in the network
TRY Lower the learning rate by 3 to 10 times, or warm it up; Clip the gradients by their norm
Looked at: 23 tensors, 24 steps, 552 values, 20 causes. Not saved: inputs, labels.

$ -batch -ex 'verdict -json' tests/trials/mlp_exploding_tensor
{"cause":"learning_rate_too_high","title":"learning rate too high","since":1,"mode":"GLOBAL","worker":"worker_0","tensor":"MLP_fc0.weight","evidence":[{"text":"update / weight 1.05 by step, median of 4 weights; 0.1 is much","step":1,"tensor":"MLP_fc0.weight","value":1.0452242493629456,"command":"series MLP_fc0.weight"},{"text":"the loss jumps from 4.228 to 1780","step":1,"tensor":"MSELoss_output_0","value":1779.8525390625,"command":"series MSELoss_output_0"},{"text":"loss 1780 at the start, 1780 at the end","step":23,"tensor":"MSELoss_output_0","value":1779.8525390625,"command":"series MSELoss_output_0"}],"effects":[{"id":"non_finite_value","since":3,"text":"infinite at step 3; finite before, at step 2"}],"try":["Lower the learning rate by 3 to 10 times, or warm it up","Clip the gradients by their norm"],"looked_at":{"steps":24,"tensors":23,"rules":20,"values":552,"unread":0},"missing":["inputs","labels"],"before":0}

# the other faults of the recorded runs
$ -batch -ex 'verdict -field cause' tests/trials/mlp_overfit
cause  overfitting

$ -batch -ex 'verdict -field cause' tests/trials/mlp_poor_init
cause  symmetric_initialization

$ -batch -ex 'verdict -field cause' tests/trials/cnn_dead_relu
cause  dead_relu

$ -batch -ex 'verdict -field cause' tests/trials/mlp_tanh_saturated
cause  poor_weight_scale

$ -batch -ex 'verdict -field cause' tests/trials/mlp_vanishing_gradient
cause  vanishing_gradients

$ -batch -ex 'verdict -field cause' tests/trials/mlp_loss_not_decreasing
cause  learning_rate_too_low

$ -batch -ex 'verdict -field cause' tests/trials/mlp_all_zero
cause  zero_initialization

$ -batch -ex 'verdict -field cause' tests/trials/cnn_class_imbalance
cause  class_imbalance

$ -batch -ex 'verdict -field cause' tests/trials/cnn_unnormalized_input
cause  unnormalized_input

# nothing wrong: what was looked at
$ -batch -ex verdict tests/trials/many_steps
Nothing wrong was found
Looked at: 60 tensors, 240 steps, 14400 values, 20 causes. Not saved: inputs, labels.

$ -batch -ex verdict tests/trials/ddp_two_workers
Nothing wrong was found
Looked at: 13 tensors, 10 steps, 260 values, 20 causes. Not saved: inputs, labels.

# not enough was saved to say so
$ -batch -ex verdict tests/trials/shapes_only
No verdict: nothing wrong was found, but too little was saved
Looked at: 3 tensors, 4 steps, 12 values, 20 causes. Not saved: weights, gradients, inputs, labels.

$ -batch -ex verdict tests/trials/killed_at_start
! smdbg: No step was saved yet, so there is no verdict.
? 4

# what was looked at
$ -batch -ex 'verdict signals' tests/trials/mlp_exploding_tensor
NAME                     ROLE              MODE    WORKER    FIRST  LAST  VALUES
MLP_fc0.weight           weight            GLOBAL  worker_0      0    23      24
MLP_fc0.bias             bias              GLOBAL  worker_0      0    23      24
MLP_fc1.weight           weight            GLOBAL  worker_0      0    23      24
MLP_fc1.bias             bias              GLOBAL  worker_0      0    23      24
MLP_fc2.weight           weight            GLOBAL  worker_0      0    23      24
MLP_fc2.bias             bias              GLOBAL  worker_0      0    23      24
MLP_out.weight           weight            GLOBAL  worker_0      0    23      24
MLP_out.bias             bias              GLOBAL  worker_0      0    23      24
relu0_input_0            activation input  GLOBAL  worker_0      0    23      24
relu0_output_0           relu              GLOBAL  worker_0      0    23      24
relu1_input_0            activation input  GLOBAL  worker_0      0    23      24
relu1_output_0           relu              GLOBAL  worker_0      0    23      24
relu2_input_0            activation input  GLOBAL  worker_0      0    23      24
relu2_output_0           relu              GLOBAL  worker_0      0    23      24
MSELoss_output_0         loss              GLOBAL  worker_0      0    23      24
gradient/MLP_out.bias    gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_out.weight  gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_fc2.bias    gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_fc2.weight  gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_fc1.bias    gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_fc1.weight  gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_fc0.bias    gradient          GLOBAL  worker_0      0    23      24
gradient/MLP_fc0.weight  gradient          GLOBAL  worker_0      0    23      24


$ -batch -ex 'verdict signals -json' -ex 'verdict -json' tests/trials/shapes_only
[{"name":"relu0_output_0","role":"relu","mode":"TRAIN","worker":"worker_0","first_step":0,"last_step":9,"values":4,"points":[{"step":0,"mode_step":0,"written":0,"nan":0,"inf":0,"mean":0.27037549,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]},{"step":3,"mode_step":3,"written":0,"nan":0,"inf":0,"mean":0.234788343,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]},{"step":6,"mode_step":6,"written":0,"nan":0,"inf":0,"mean":0.259255439,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]},{"step":9,"mode_step":9,"written":0,"nan":0,"inf":0,"mean":0.165386006,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]}]},{"name":"relu1_output_0","role":"relu","mode":"TRAIN","worker":"worker_0","first_step":0,"last_step":9,"values":4,"points":[{"step":0,"mode_step":0,"written":0,"nan":0,"inf":0,"mean":0.178603083,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]},{"step":3,"mode_step":3,"written":0,"nan":0,"inf":0,"mean":0.158433229,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]},{"step":6,"mode_step":6,"written":0,"nan":0,"inf":0,"mean":0.149055734,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]},{"step":9,"mode_step":9,"written":0,"nan":0,"inf":0,"mean":0.123261943,"std":"nan","abs_max":"nan","l2":"nan","zero":"nan","own":["nan","nan","nan"]}]},{"name":"CrossEntropyLoss_output_0","role":"loss","mode":"TRAIN","worker":"worker_0","first_step":0,"last_step":9,"values":4,"points":[{"step":0,"mode_step":0,"written":4,"nan":0,"inf":0,"mean":1.28289723,"std":0,"abs_max":1.28289723,"l2":1.28289723,"zero":0,"own":["nan","nan","nan"]},{"step":3,"mode_step":3,"written":4,"nan":0,"inf":0,"mean":1.12402129,"std":0,"abs_max":1.12402129,"l2":1.12402129,"zero":0,"own":["nan","nan","nan"]},{"step":6,"mode_step":6,"written":4,"nan":0,"inf":0,"mean":1.11496162,"std":0,"abs_max":1.11496162,"l2":1.11496162,"zero":0,"own":["nan","nan","nan"]},{"step":9,"mode_step":9,"written":4,"nan":0,"inf":0,"mean":1.0546217,"std":0,"abs_max":1.0546217,"l2":1.0546217,"zero":0,"own":["nan","nan","nan"]}]}]
{"cause":"unknown","title":"unknown: not enough was saved","since":null,"mode":null,"worker":null,"tensor":null,"evidence":[],"effects":[],"try":[],"looked_at":{"steps":4,"tensors":3,"rules":20,"values":12,"unread":0},"missing":["weights","gradients","inputs","labels"],"before":null}

# an archive of statistics, and saved reductions: what they say alone, and that the values are missing
$ -batch -ex "snapshot save $T/a.smdz -stats-only -field values" -ex "open $T/a.smdz" -ex verdict tests/trials/cnn_dead_relu
values  138
a.smdz: archive of a smdebug trial, 1 worker, ended
6 steps (GLOBAL 0..20), 23 tensors in 8 collections
CAUSE dead ReLUs, since step 0
  relu1_output_0: 100 % of the units are zero for every sample  [tensor relu1_output_0 step 0]
  CrossEntropyLoss_output_0: loss 2.303 at the start, 2.309 at the end, 2.303 by chance  [series
    CrossEntropyLoss_output_0]
TRY Check the biases and the scale of the weights before the layer; use leaky ReLU; Lower the
    learning rate
Looked at: 23 tensors, 6 steps, 138 values, 20 causes. Not saved: inputs, labels, values.

$ -batch -ex verdict tests/trials/cnn_reductions
Nothing wrong was found
Looked at: 21 tensors, 8 steps, 150 values, 20 causes. Not saved: inputs, labels, values.

# a profile alone: what holds the run up is the cause
$ -batch -ex verdict tests/samples/profile_slow_loader
CAUSE input-bound, since step 0
  the data loader is waited for in 93 % of the time of a step: 55.2 ms of 59.1 ms (algo-1-831, steps
    3 to 239)  [profile phases]
  the loader works in the process that trains (num_workers 0) (algo-1-831, steps 3 to 239)  [profile
    phases]
  the program uses 1.0 of 4 cores, all programs use 3.5 (algo-1, steps 3 to 239)  [profile system]
TRY Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory); Prepare
    it once and keep it (a cache, smaller images), or on the GPU
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 237 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

$ -batch -ex 'verdict -json' tests/samples/profile_slow_loader
{"cause":"input_bound","title":"input-bound","since":0,"mode":null,"worker":null,"tensor":null,"evidence":[{"text":"the data loader is waited for in 93 % of the time of a step: 55.2 ms of 59.1 ms (algo-1-831, steps 3 to 239)","step":3,"tensor":null,"value":0.93430161545698442,"command":"profile phases"},{"text":"the loader works in the process that trains (num_workers 0) (algo-1-831, steps 3 to 239)","step":3,"tensor":null,"value":0,"command":"profile phases"},{"text":"the program uses 1.0 of 4 cores, all programs use 3.5 (algo-1, steps 3 to 239)","step":3,"tensor":null,"value":0.23762321428571426,"command":"profile system"}],"effects":[],"try":["Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory)","Prepare it once and keep it (a cache, smaller images), or on the GPU"],"looked_at":{"steps":0,"tensors":0,"rules":20,"values":0,"unread":0},"missing":["losses","weights","gradients","inputs","labels"],"before":null,"performance":{"cause":"input_bound","since":0,"evidence":[{"text":"the data loader is waited for in 93 % of the time of a step: 55.2 ms of 59.1 ms","step":3,"value":0.93430161545698442,"command":"profile phases","node":"algo-1-831","last_step":239,"from_ns":1795458460650790000,"to_ns":1795458474672259000},{"text":"the loader works in the process that trains (num_workers 0)","step":3,"value":0,"command":"profile phases","node":"algo-1-831","last_step":239,"from_ns":1795458460650790000,"to_ns":1795458474672259000},{"text":"the program uses 1.0 of 4 cores, all programs use 3.5","step":3,"value":0.23762321428571426,"command":"profile system","node":"algo-1","last_step":239,"from_ns":1795458460650790000,"to_ns":1795458474672259000}],"title":"input-bound","since_ns":1795458460461921000,"try":["Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory)","Prepare it once and keep it (a cache, smaller images), or on the GPU"],"missing":["GPU metrics"],"looked_at":{"steps":237,"from_ns":1795458460650790000,"to_ns":1795458474672259000}}}

# a fast run, whose losses and weights are not known
$ -batch -ex verdict tests/samples/profile_computes
No verdict: nothing wrong was found, but too little was saved
SPEED balanced: the data loader is waited for in 1 % of the time of a step  [profile summary]
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 213 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

$ -batch -ex 'verdict -field cause,missing' tests/samples/profile_computes
cause    unknown
missing  losses,weights,gradients,inputs,labels

# what is wrong with the learning comes before what is slow
$ --allow-shell -batch -ex "shell cp -r tests/trials/mlp_exploding_tensor $T/a; cp -r tests/samples/profile_slow_loader $T/a/profiler-output" -ex "open $T/a" -ex verdict -ex 'verdict -field cause,since' tests/trials/mlp_overfit
a: smdebug trial, 1 worker, ended
24 steps (GLOBAL 0..23), 23 tensors in 8 collections
CAUSE learning rate too high, since step 1
  MLP_fc0.weight: update / weight 1.05 by step, median of 4 weights; 0.1 is much  [series
    MLP_fc0.weight]
  MSELoss_output_0: the loss jumps from 4.228 to 1780  [series MSELoss_output_0]
  MSELoss_output_0: loss 1780 at the start, 1780 at the end  [series MSELoss_output_0]
  then @3 NaN or infinity that arises in the network
TRY Lower the learning rate by 3 to 10 times, or warm it up; Clip the gradients by their norm
SPEED input-bound, since step 0 of the profile: the data loader is waited for in 93 % of the time of
    a step: 55.2 ms of 59.1 ms  [profile summary]
Looked at: 23 tensors, 24 steps, 552 values, 20 causes, 237 steps of the profile. Not saved: inputs,
    labels.
cause  learning_rate_too_high
since  1

# a run that learns, and waits for its data
$ --allow-shell -batch -ex "shell cp -r tests/trials/cnn_healthy $T/a; cp -r tests/samples/profile_slow_loader $T/a/profiler-output" -ex "open $T/a" -ex verdict -ex 'verdict -field cause,since' tests/trials/mlp_overfit
a: smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
CAUSE input-bound, since step 0
  the data loader is waited for in 93 % of the time of a step: 55.2 ms of 59.1 ms (algo-1-831, steps
    3 to 239)  [profile phases]
  the loader works in the process that trains (num_workers 0) (algo-1-831, steps 3 to 239)  [profile
    phases]
  the program uses 1.0 of 4 cores, all programs use 3.5 (algo-1, steps 3 to 239)  [profile system]
TRY Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory); Prepare
    it once and keep it (a cache, smaller images), or on the GPU
Looked at: 29 tensors, 16 steps, 349 values, 20 causes, 237 steps of the profile. Not saved: inputs.
cause  input_bound
since  0

# weights are judged as those that training began with only if a name says that they are of step 0
$ -batch --no-follow -ex 'verdict -field cause' tests/samples/checkpoints_torch/hf/checkpoint-5/model.safetensors
cause  unknown

$ -batch --no-follow -ex 'verdict -field cause' "$(mkdir "$T/d"; cp -r tests/samples/checkpoints_torch/hf/checkpoint-5 "$T/d/checkpoint-0"; echo "$T/d")"
cause  poor_weight_scale

$ -batch --no-follow -ex 'verdict -field cause' "$(mkdir "$T/d"; cp -r tests/samples/checkpoints_torch/hf/checkpoint-5 "$T/d/epoch_0"; echo "$T/d")"
cause  unknown

# the rule says the same
$ -batch --no-follow -ex 'verdict -field cause' -ex 'rule auto' -ex 'info rules -field status PoorWeightInitialization' "$(mkdir "$T/d"; cp tests/samples/checkpoints_torch/train_state/step_10/checkpoint.pt "$T/d"; touch -d 2024-01-01 "$T/d/checkpoint.pt" "$T/d"; echo "$T/d")"
cause  none
Every rule whose tensors exist is attached.
STATUS
NoIssuesFound

$ -batch --no-follow -ex 'verdict -field cause' -ex 'rule auto' -ex 'info rules -field status PoorWeightInitialization' "$(mkdir "$T/d"; cp -r tests/samples/checkpoints_torch/train_state/step_10 "$T/d/step_0"; echo "$T/d")"
cause  symmetric_initialization
Every rule whose tensors exist is attached.
STATUS
IssuesFound

# the second matrix of a low-rank adapter starts at zero: two saved steps say that one was never trained; B comes first here
$ -batch --no-follow -ex verdict "$(h='{"fc.lora_B.weight":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]},"fc.lora_A.weight":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[4,8]}}'; for s in 5 10; do mkdir -p "$T/d/step_$s"; printf "\\$(printf %03o ${#h})\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\0%s" "$h" "$(printf 29%02d $s)" > "$T/d/step_$s/a.safetensors"; done; echo "$T/d")"
CAUSE a layer that is not trained, since step 5
  fc.lora_B.weight: all zero, as it starts, over 2 saved steps; so 1 of 2 weights  [series
    fc.lora_B.weight]
  fc.lora_B.weight: no gradient of it was saved  [tensors fc.lora_B.weight]
TRY Check that the optimizer has the parameter, requires_grad, and that no detach() or no_grad()
    cuts the graph
Looked at: 2 tensors, 2 steps, 4 values, 20 causes. Not saved: losses, gradients, inputs, labels.

# but not before training, nor if it moves
$ -batch --no-follow -ex 'verdict -field cause' "$(h='{"fc.lora_B.weight":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]},"fc.lora_A.weight":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[4,8]}}'; for s in 0 1; do mkdir -p "$T/d/step_$s"; printf "\\$(printf %03o ${#h})\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\0%s" "$h" "$(printf 29%02d $s)" > "$T/d/step_$s/a.safetensors"; done; echo "$T/d")"
cause  unknown

$ -batch --no-follow -ex 'verdict -field cause' "$(h='{"fc.lora_B.weight":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]},"fc.lora_A.weight":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[4,8]}}'; for s in 5 10; do mkdir -p "$T/d/step_$s"; printf "\\$(printf %03o ${#h})\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\%03o%s" "$h" $s "$(printf 29%02d $s)" > "$T/d/step_$s/a.safetensors"; done; echo "$T/d")"
cause  unknown

