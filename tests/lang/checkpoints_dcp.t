# torch.distributed.checkpoint: four ranks in a grid; what is no tensor is configuration
$ -n -batch --no-follow -ex 'tensors' -ex 'info config' -ex 'info errors' tests/samples/dcp/grid
NAME                      DTYPE     SHAPE   STEPS  MEAN     STD  NAN  TREND
model.odd                 bfloat16  (5,)        1     2  1.4142    0  ▄
model.weight              float32   (8, 6)      1  23.5  13.853    0  ▄
model.whole               float32   (3,)        1     1  0.8165    0  ▄
train_state.ntokens_seen  int64     ()          1  1280       0    0  ▄
train_state.step          float64   ()          1    10       0    0  ▄
KEY                 VALUE
train_state.step    10
train_state.losses  [2.5, 2.25]
No errors found.

# the same from the writer of safetensors
$ -n -batch --no-follow -ex 'tensors' -ex 'print weight' -ex 'info errors' tests/samples/dcp/huggingface
NAME    DTYPE     SHAPE   STEPS  MEAN     STD  NAN  TREND
odd     bfloat16  (5,)        1     2  1.4142    0  ▄
weight  float32   (8, 6)      1  23.5  13.853    0  ▄
whole   float32   (3,)        1     1  0.8165    0  ▄
$1 = float32 (8, 6)
[[ 0.  1.  2.  3.  4.  5.]
 [ 6.  7.  8.  9. 10. 11.]
 [12. 13. 14. 15. 16. 17.]
 [18. 19. 20. 21. 22. 23.]
 [24. 25. 26. 27. 28. 29.]
 [30. 31. 32. 33. 34. 35.]
 [36. 37. 38. 39. 40. 41.]
 [42. 43. 44. 45. 46. 47.]]
No errors found.

# each rank has metadata of its own
$ -n -batch --no-follow -ex 'tensors' -ex 'info errors' tests/samples/dcp/ranks
NAME          DTYPE     SHAPE   STEPS  MEAN     STD  NAN  TREND
model.odd     bfloat16  (5,)        1     2  1.4142    0  ▄
model.weight  float32   (8, 6)      1  23.5  13.853    0  ▄
model.whole   float32   (3,)        1     1  0.8165    0  ▄
No errors found.

# one shard alone
$ -n -batch --no-follow -ex 'tensors' -ex 'info errors' tests/samples/dcp/huggingface/step-10/shard-00003-model-00001-of-00001.safetensors
NAME    DTYPE     SHAPE   STEPS  MEAN     STD  NAN  TREND
odd     bfloat16  (1,)        1     4       0    0  ▄
weight  float32   (2, 6)      1  41.5  3.4521    0  ▄
No errors found.
