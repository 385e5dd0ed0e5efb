# DeepSpeed: each rank has a part of the optimizer's state; the first one has the model
$ -n -batch --no-follow -ex 'info workers -field worker,steps,first_step,last_step' -ex 'tensors -field name,dtype,shape,steps' -ex 'info tensor optimizer.single_partition_of_fp32_groups.0' -ex 'info errors' tests/samples/deepspeed
WORKER  STEPS  FIRST  LAST
rank_0      2      2     4
rank_1      2      2     4
NAME                                                    DTYPE     SHAPE   STEPS
dp_world_size                                           float64   ()          2
global_samples                                          float64   ()          2
global_steps                                            float64   ()          2
module.0.bias                                           bfloat16  (3,)        2
module.0.weight                                         bfloat16  (3, 4)      2
module.1.bias                                           bfloat16  (2,)        2
module.1.weight                                         bfloat16  (2, 3)      2
mp_world_size                                           float64   ()          2
optimizer.base_optimizer_state.state.0.momentum_buffer  float32   (12,)       2
optimizer.single_partition_of_fp32_groups.0             float32   (12,)       2
skipped_steps                                           float64   ()          2
name         optimizer.single_partition_of_fp32_groups.0
kind         tensor
collections  optimizer
dtype        float32
shape        (12,)
steps        2
first step   2
last step    4
modes        GLOBAL
workers      rank_0,rank_1
reductions   -
STEP  MODE    MODE-STEP  WORKER  DTYPE    SHAPE  BYTES  OFFSET  LENGTH  CRC
   2  GLOBAL          2  rank_0  float32  (12,)   48 B     100     100  ok
   2  GLOBAL          2  rank_1  float32  (11,)   44 B     100      96  unwritten
   4  GLOBAL          4  rank_0  float32  (12,)   48 B     100     100  ok
   4  GLOBAL          4  rank_1  float32  (11,)   44 B     100      96  unwritten
No errors found.
