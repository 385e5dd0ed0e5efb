# Megatron's ranks are parts of one model, not replicas that differ
$ -batch --no-follow -ex 'verdict -field cause' tests/samples/checkpoints_torch/megatron
cause  unknown

# nothing says what the ranks of TransformerEngine's dumps have; they were never the same
$ -batch --no-follow -ex 'verdict -field cause,since' tests/samples/checkpoints_torch/te
cause  learning_rate_too_high
since  4

# they were the same at step 2, and are not at step 4
$ -batch --no-follow -ex 'verdict -field cause,since,before,worker,tensor' "$(mkdir "$T/d"; for r in 0 1; do cp -r tests/samples/checkpoints_torch/te/rank_0 "$T/d/rank_$r"; done; cp "$T"/d/rank_0/iter_000002/*fc1_weight.pt "$T/d/rank_1/iter_000004/"; echo "$T/d")"
cause   worker_diverged
since   4
before  2
worker  rank_1
tensor  model_layers_0_fc1_weight.high_precision

# the same of ranks that are named as parts of a model
$ -batch --no-follow -ex 'verdict -field cause,worker' "$(mkdir "$T/d"; for r in 0 1; do cp -r tests/samples/checkpoints_torch/te/rank_0 "$T/d/mp_rank_0$r"; done; cp "$T"/d/mp_rank_00/iter_000002/*fc1_weight.pt "$T/d/mp_rank_01/iter_000004/"; echo "$T/d")"
cause   learning_rate_too_high
worker  rank_0

