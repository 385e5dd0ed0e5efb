# Files of tensors: a folder of steps is a trial. The samples are in tests/samples/checkpoints.
$ -n -batch --no-follow -ex 'tensors' tests/samples/checkpoints/lora
NAME                           DTYPE    SHAPE   STEPS        MEAN       STD  NAN  TREND
layers.0.q_proj.lora_A.weight  float32  (2, 4)      3    0.031408   0.42339    0  ▇▁▁
layers.0.q_proj.lora_B.weight  float32  (4, 2)      3  -0.0072656  0.023875    0  ▇▄▁
layers.0.v_proj.lora_A.weight  float32  (2, 4)      3    -0.24529   0.35283    0  ▇▂▁
layers.0.v_proj.lora_B.weight  float32  (4, 2)      3    0.011115   0.01883    0  ▁▇▆
layers.1.q_proj.lora_A.weight  float32  (2, 4)      3   -0.090571   0.41064    0  ▄▄▄
layers.1.q_proj.lora_B.weight  float32  (4, 2)      3           0         0    0  ▄▄▄
layers.1.v_proj.lora_A.weight  float32  (2, 4)      3    -0.27543   0.66524    0  ▄▄▄
layers.1.v_proj.lora_B.weight  float32  (4, 2)      3           0         0    0  ▄▄▄

$ -n -batch --no-follow -ex 'info tensor layers.0.q_proj.lora_A.weight' -ex 'info config' -ex 'info collections' tests/samples/checkpoints/lora
name         layers.0.q_proj.lora_A.weight
kind         tensor
collections  weights
dtype        float32
shape        (2, 4)
steps        3
first step   10
last step    30
modes        GLOBAL
workers      .
reductions   -
STEP  MODE    MODE-STEP  WORKER  DTYPE    SHAPE   BYTES  OFFSET  LENGTH  CRC
  10  GLOBAL         10  .       float32  (2, 4)   32 B       0      92  unwritten
  20  GLOBAL         20  .       float32  (2, 4)   32 B       0      92  unwritten
  30  GLOBAL         30  .       float32  (2, 4)   32 B       0      92  unwritten
KEY             VALUE
peft_type       LORA
r               2
lora_alpha      4
target_modules  ["q_proj", "v_proj"]
NAME       TENSORS  SAVES  REGEX                                                          REDUCTIONS
biases           0  -      ^(?!optimizer\.|(?:[…^./]*(?:\.[0-9]+)?(?:\.high_precision)?$  -
gradients        0  -      ^(?!optimizer\.).*(?i:grad)                                    -
losses           0  -      ^(?!best|.*scale)(?:….|stats\.|logs\.)?[^./]*(?i:loss)[^./]*$  -
optimizer        0  -      ^(?:[^/]*/)?optimizer\.                                        -
weights          8  -      ^(?!optimizer\.|(?:[…ght)?(?:\.[0-9]+)?(?:\.high_precision)?$  -

# element types of 8, 6 and 4 bits
$ -n -batch --no-follow -ex 'tensors' -ex 'tensor e4m3' -ex 'stat e5m2' tests/samples/checkpoints/types
NAME            DTYPE          SHAPE   STEPS      MEAN        STD  NAN  TREND
bf16            bfloat16       (3,)        1    0.1224     1.0534    0  ▄
bool            bool           (2,)        1       0.5        0.5    0  ▄
c64             complex64      (1,)        1         -          -    0
e4m3            float8_e4m3fn  (16,)       1  0.014648  0.0090035    0  ▄
e5m2            float8_e5m2    (16,)       1         0       2902    0  ▄
empty           float32        (0, 3)      1         -          -    0
esc\x1b[31mape  float32        (1,)        1         1          0    0  ▄
half            float16        (2, 2)      1   0.56698     1.2748    0  ▄
scalar          int64          ()          1         7          0    0  ▄
e4m3  step 0  float8_e4m3fn (16,)
[0.         0.00195312 0.00390625 0.00585938 0.0078125  0.00976562
 0.01171875 0.01367188 0.015625   0.01757812 0.01953125 0.02148438
 0.0234375  0.02539062 0.02734375 0.02929688]
e5m2  step 0  float8_e5m2
min          -8192        max          8192         mean         0
std          2901.98      variance     8.4215e+06   median       0
sum          0            prod         0
l1           17476.3      l2           11607.9
abs_min      0            abs_max      8192         abs_mean     1092.27
abs_std      2688.58      abs_variance 7.22846e+06  abs_median   1.0625
abs_sum      17476.3
p1           -7040        p5           -2432        p25          -0.59375
p75          0.59375      p95          2432         p99          7040
size         16           zero         2            nan          0
pos          7            neg          7
pos_inf      0            neg_inf      0

$ -n -batch --no-follow -ex 'print f4' -ex 'print f6' -ex 'tensors' tests/samples/checkpoints/types_packed
$1 = float4_e2m1fn (4,)
[ 0.5  1.   6.  -0.5]
$2 = float6_e2m3fn (4,)
[0.125 0.125 0.25  0.375]
NAME  DTYPE          SHAPE  STEPS     MEAN      STD  NAN  TREND
f4    float4_e2m1fn  (4,)       1     1.75   2.5125    0  ▄
f6    float6_e2m3fn  (4,)       1  0.21875  0.10364    0  ▄

# a file alone is opened by its name
$ -n -batch --no-follow -ex 'tensors' tests/samples/checkpoints/lora/checkpoint-20/adapter_model.safetensors
NAME                           DTYPE    SHAPE   STEPS        MEAN       STD  NAN  TREND
layers.0.q_proj.lora_A.weight  float32  (2, 4)      1    0.031593   0.42382    0  ▄
layers.0.q_proj.lora_B.weight  float32  (4, 2)      1  -0.0043687  0.018804    0  ▄
layers.0.v_proj.lora_A.weight  float32  (2, 4)      1    -0.24385   0.35392    0  ▄
layers.0.v_proj.lora_B.weight  float32  (4, 2)      1    0.012852  0.016395    0  ▄
layers.1.q_proj.lora_A.weight  float32  (2, 4)      1   -0.090571   0.41064    0  ▄
layers.1.q_proj.lora_B.weight  float32  (4, 2)      1           0         0    0  ▄
layers.1.v_proj.lora_A.weight  float32  (2, 4)      1    -0.27543   0.66524    0  ▄
layers.1.v_proj.lora_B.weight  float32  (4, 2)      1           0         0    0  ▄

# Fortran order, big endian, deflated, texts
$ -n -batch --no-follow -ex 'print fortran - plain' -ex 'print big - plain' -ex 'tensor words' tests/samples/checkpoints/arrays
$1 = float64 (3, 4)
[[0. 0. 0. 0.]
 [0. 0. 0. 0.]
 [0. 0. 0. 0.]]
$2 = float64 (3, 4)
[[0. 0. 0. 0.]
 [0. 0. 0. 0.]
 [0. 0. 0. 0.]]
words  step 2  string (2,)
['' 'two words']

$ -n -batch --no-follow -ex 'print fortran[1:,:2]' -ex 'print sum(plain@1)' -ex 'print sum(plain)' tests/samples/checkpoints/arrays
$1 = float32 (2, 2)
[[ 8. 10.]
 [16. 18.]]
$2 = 66
$3 = 132

# what is wrong with a file hides none beside it
$ -n -batch --no-follow -ex 'info errors' -ex 'tensor w step 1' -ex 'tensor w step 22' tests/samples/checkpoints/damaged
FILE                       OFFSET  TIMES  MESSAGE
step_2/model.safetensors      120      1  tensor v overlaps with the one before
step_3/model.safetensors       64      1  tensor w: ends at 864, but the file has 72 bytes
step_4/model.safetensors      100      1  tensor w: a shape of too many elements
step_5/model.safetensors       62      1  tensor w: its elements do not lie in its storage, which
                                          has 8 bytes
step_6/model.safetensors        8      1  tensor w: elements of type F31 are not read
step_7/model.safetensors        8      1  invalid JSON at offset 21: parse error: premature EOF
step_7/model.safetensors        8      1  tensor w: dtype, shape or data_offsets are missing
step_8/model.safetensors        8      1  offset 1: the header is a list, or a tensor is one
step_9/model.safetensors        8      1  tensor w: a size or offset that is negative, fractional or
                                          too large
step_10/model.safetensors       8      1  tensor w: its offsets go backward
step_11/model.safetensors       8      1  tensor w: the name is there twice
step_12/model.safetensors      70      1  4 bytes at the end belong to no tensor
step_20/model.safetensors       0      1  a header of 100000000000 bytes in a file of 10 bytes
step_21/model.safetensors       0      1  the file is too short for safetensors
w  step 1  float32 (2,)
[1. 2.]
w  step 22  float32 (2,)
[1. 2.]

# a shard that the index names
$ -n -batch --no-follow -ex 'info errors' -ex 'tensors' tests/samples/checkpoints/sharded
FILE                              OFFSET  TIMES  MESSAGE
model-00002-of-00003.safetensors       -      1  the shard is missing: model.safetensors.index.json
                                                 names it
NAME      DTYPE    SHAPE   STEPS      MEAN      STD  NAN  TREND
a.weight  float32  (2, 2)      1   -0.1481  0.52419    0  ▄
c.weight  float32  (2, 2)      1  -0.21315   1.1897    0  ▄

# shards of two ranks are put together
$ -n -batch --no-follow -ex 'tensors *layers.0.up*' -ex 'info errors' tests/samples/checkpoints_torch/dcp
NAME                                     DTYPE    SHAPE    STEPS        MEAN         STD  NAN  TREND
model.layers.0.up.bias                   float32  (11,)        1   0.0017785      0.2691    0  ▄
model.layers.0.up.weight                 float32  (11, 5)      1  -0.0097398     0.24818    0  ▄
optimizer.sta….layers.0.up.bias.exp_avg  float32  (11,)        1  -0.0048557   0.0093433    0  ▄
optimizer.sta…yers.0.up.bias.exp_avg_sq  float32  (11,)        1  4.2901e-06  6.0033e-06    0  ▄
optimizer.state.layers.0.up.bias.step    float32  ()           1          10           0    0  ▄
optimizer.sta…ayers.0.up.weight.exp_avg  float32  (11, 5)      1   0.0031208    0.010053    0  ▄
optimizer.sta…rs.0.up.weight.exp_avg_sq  float32  (11, 5)      1  4.7012e-06  6.4411e-06    0  ▄
optimizer.state.layers.0.up.weight.step  float32  ()           1          10           0    0  ▄
No errors found.

# ranks are workers
$ -n -batch --no-follow -ex 'info tensor model.decoder.final_layernorm.weight' -ex 'tensors *final*' tests/samples/checkpoints_torch/megatron
name         model.decoder.final_layernorm.weight
kind         tensor
collections  weights
dtype        float32
shape        (6,)
steps        1
first step   5
last step    5
modes        GLOBAL
workers      rank_0,rank_1
reductions   -
STEP  MODE    MODE-STEP  WORKER  DTYPE    SHAPE  BYTES  OFFSET  LENGTH  CRC
   5  GLOBAL          5  rank_0  float32  (6,)    24 B     889      75  ok
   5  GLOBAL          5  rank_1  float32  (6,)    24 B     889      75  ok
NAME                                  DTYPE    SHAPE  STEPS  MEAN  STD  NAN  TREND
model.decoder.final_layernorm.weight  float32  (6,)       1     1    0    0  ▄
MEAN and STD are of the first worker that has the value, by name; NAN and TREND count all.

$ -n -batch --no-follow -ex 'tensors *fc1*' tests/samples/checkpoints_torch/te
NAME                                         DTYPE     SHAPE   STEPS       MEAN      STD  NAN  TREND
model_layers_0…c1_activation.high_precision  bfloat16  (3, 4)      2    0.25465  0.73851    0  ▁▇
model_layers_0_fc1_weight.high_precision     bfloat16  (3, 4)      2  -0.020009  0.87205    0  ▇▁
model_layers_0_fc1_weight.quantized._data    uint8     (3, 4)      2      97.75   69.244    0  ▇▁
model_layers_0…_weight.quantized._scale_inv  float32   (1,)        2          1        0    0  ▄▄
model_layers_0_fc1_wgrad.high_precision      float32   (3, 4)      2   -0.37221  0.60101    0  ▇▁
MEAN and STD are of the first worker that has the value, by name; NAN and TREND count all.

# state of the optimizer is a collection; the numbers of trainer_state.json are its series
$ -n -batch --no-follow -ex 'tensors *loss' -ex 'tensors optimizer.*lm_head*' -ex 'tensors *lm_head*' tests/samples/checkpoints_torch/hf
NAME       DTYPE    SHAPE  STEPS    MEAN  STD  NAN  TREND
eval_loss  float64  ()         2  3.3942    0    0  ▇▁
loss       float64  ()         2  3.4357    0    0  ▇▁
NAME                                    DTYPE    SHAPE    STEPS         MEAN         STD  NAN  TREND
optimizer.state.lm_head.weight.exp_avg  float32  (32, 8)      2  -1.4086e-10   0.0095215    0  ▇▁
optimizer.sta…m_head.weight.exp_avg_sq  float32  (32, 8)      2   1.5076e-05  1.4857e-05    0  ▁▇
optimizer.state.lm_head.weight.step     float32  ()           2           10           0    0  ▁▇
NAME                                    DTYPE    SHAPE    STEPS         MEAN         STD  NAN  TREND
lm_head.weight                          float32  (32, 8)      2   0.00073165    0.038319    0  ▇▁
optimizer.state.lm_head.weight.exp_avg  float32  (32, 8)      2  -1.4086e-10   0.0095215    0  ▇▁
optimizer.sta…m_head.weight.exp_avg_sq  float32  (32, 8)      2   1.5076e-05  1.4857e-05    0  ▁▇
optimizer.state.lm_head.weight.step     float32  ()           2           10           0    0  ▁▇

# a run of Lightning: numbers of metrics.csv, tensors of checkpoints
$ -n -batch --no-follow -ex 'tensors' tests/samples/checkpoints_torch/lightning
NAME                                     DTYPE    SHAPE   STEPS        MEAN         STD  NAN  TREND
callbacks.Mod…nterval': None}.kth_value  float32  ()          2           -           -    0  ↑↑
encoder.0.bias                           float32  (6,)        2    -0.22527      0.1627    0  ▇▁
encoder.0.weight                         float32  (6, 4)      2    0.027535     0.31164    0  ▁▇
epoch                                    float64  ()          6           2           0    0  ▁▁▄▄▇▇
head.bias                                float32  (1,)        2    -0.24716           0    0  ▁▇
head.weight                              float32  (1, 6)      2    0.075119      0.1469    0  ▁▇
optimizer.0.s…te.encoder.0.bias.exp_avg  float32  (6,)        2  -0.0021992     0.11944    0  ▇▁
optimizer.0.s…encoder.0.bias.exp_avg_sq  float32  (6,)        2  0.00067465  0.00055989    0  ▁▇
optimizer.0.state.encoder.0.bias.step    float32  ()          2           8           0    0  ▁▇
optimizer.0.s….encoder.0.weight.exp_avg  float32  (6, 4)      2   -0.064214     0.14481    0  ▇▁
optimizer.0.s…coder.0.weight.exp_avg_sq  float32  (6, 4)      2   0.0012565   0.0014786    0  ▁▇
optimizer.0.state.encoder.0.weight.step  float32  ()          2           8           0    0  ▁▇
optimizer.0.state.head.bias.exp_avg      float32  (1,)        2    -0.32196           0    0  ▇▁
optimizer.0.state.head.bias.exp_avg_sq   float32  (1,)        2    0.041335           0    0  ▁▇
optimizer.0.state.head.bias.step         float32  ()          2           8           0    0  ▁▇
optimizer.0.state.head.weight.exp_avg    float32  (1, 6)      2    -0.14196     0.29314    0  ▇▁
optimizer.0.s…te.head.weight.exp_avg_sq  float32  (1, 6)      2   0.0092864   0.0076315    0  ▁▇
optimizer.0.state.head.weight.step       float32  ()          2           8           0    0  ▁▇
scale                                    float32  (1,)        2           2           0    0  ▄▄
train_loss                               float64  ()          6      2.3687           0    0  ▇▂▆▂▅▁

# statistics without values
$ -n -batch --no-follow -ex 'stat Functional.relu.0.forward.output.0' -ex 'info tensor Functional.relu.0.forward.output.0' tests/samples/checkpoints_torch/msprobe
Functional.relu.0.forward.output.0  step 0  saved reductions only
min          -            max          -            mean         -
std          -            variance     -            median       -
sum          -            prod         -
l1           -            l2           -
abs_min      -            abs_max      -            abs_mean     -
abs_std      -            abs_variance -            abs_median   -
abs_sum      -
p1           -            p5           -            p25          -
p75          -            p95          -            p99          -
size         -            zero         -            nan          -
pos          -            neg          -
pos_inf      -            neg_inf      -
saved max          0.770505
saved min          0
saved mean         0.212453
saved l2           1.64222
name         Functional.relu.0.forward.output.0
kind         reductions
collections  -
dtype        -
shape        (3, 8)
steps        1
first step   0
last step    0
modes        GLOBAL
workers      rank_0
reductions   min,max,mean,l2
STEP  MODE    MODE-STEP  WORKER  DTYPE  SHAPE   BYTES  OFFSET  LENGTH  CRC
   0  GLOBAL          0  rank_0  -      (3, 8)      -       -       -  -

# two checkpoints of other names and types
$ -n -batch --no-follow -ex 'diff source target -pairs tests/samples/checkpoints/converted/pairs.txt' tests/samples/checkpoints/converted
a: source
b: target
The configuration is the same.
First divergence: step 0, layers.1.attn.weight: max |a - b| 2.81, 16 of 16 beyond the limits.
NAME                  STEP  MAX-ABS  MAX-REL  ULP  BEYOND  SIZE  STATUS     NAME-IN-B
layers.2.attn.weight     0    2.805   19.835    -      16    16  different  …2.self_attn.kernel
layers.1.attn.weight     0   2.8078   7.4968    -      16    16  different  …1.self_attn.kernel
IN-A                  HAS-THE-VALUES-IN-B-OF
layers.2.attn.weight  model.layers.1.self_attn.kernel
layers.1.attn.weight  model.layers.2.self_attn.kernel
5 equal (5 as bfloat16), 0 close, 2 different, 0 incomparable.

$ -n -batch --no-follow --keep-going -ex 'diff source target -pairs tests/samples/checkpoints/converted/none.txt' -ex 'diff source target -pairs tests/lang/checkpoints.t' -ex 'diff source target' tests/samples/checkpoints/converted
a: source
b: target
The configuration is the same.
Nothing can be compared: no tensor has the same name; "diff 1 2 -pairs FILE" reads pairs of names.
IN-A                  HAS-THE-VALUES-IN-B-OF
embed.weight          model.embed.weight
layers.0.attn.weight  model.layers.0.self_attn.kernel
layers.0.norm.weight  model.layers.0.norm.weight
layers.1.attn.weight  model.layers.2.self_attn.kernel
layers.1.norm.weight  model.layers.1.norm.weight
layers.2.attn.weight  model.layers.1.self_attn.kernel
layers.2.norm.weight  model.layers.2.norm.weight
0 equal, 0 close, 0 different, 14 incomparable, 14 of these under another name or transposed.
! smdbg: tests/samples/checkpoints/converted/none.txt: No such file or directory.
! smdbg: tests/lang/checkpoints.t: Line 2 is not two names.
? 1

# how far tensors moved between two checkpoints
$ -n -batch --no-follow -ex 'updates' -ex 'updates from 20 to 30 in *q_proj*B* -jsonl' tests/samples/checkpoints/lora
From step 10 to step 30:
NAME                             UPDATE      NORM   GROWTH  SIZE  STATE
layers.0.q_proj.lora_B.weight    1.2923  0.070586    1.938     8  moved
layers.0.v_proj.lora_B.weight    1.2598  0.061845   1.9535     8  moved
layers.0.q_proj.lora_A.weight  0.043759    1.2008  0.99962     8  moved
layers.0.v_proj.lora_A.weight  0.037489    1.2154    1.024     8  moved
layers.1.q_proj.lora_A.weight         0    1.1894        1     8  unchanged
layers.1.q_proj.lora_B.weight         0         0        -     8  zero
layers.1.v_proj.lora_A.weight         0    2.0365        1     8  unchanged
layers.1.v_proj.lora_B.weight         0         0        -     8  zero
2 of 8 did not change: layers.1.q_proj.lora_A.weight, layers.1.v_proj.lora_A.weight.
2 of 8 are all zero at both steps: layers.1.q_proj.lora_B.weight, layers.1.v_proj.lora_B.weight.
{"name":"layers.0.q_proj.lora_B.weight","update":0.60748792586191713,"norm":0.070586113041705464,"growth":1.2927488757580561,"size":8,"state":"moved","same_as":null,"same_by":null}
{"name":"layers.1.q_proj.lora_B.weight","update":0,"norm":0,"growth":null,"size":8,"state":"zero","same_as":null,"same_by":null}

$ -n -batch --no-follow --keep-going -ex 'updates' -ex 'updates from 300 to 300' -ex 'updates in nosuch' tests/samples/checkpoints/nan
From step 100 to step 500:
NAME             UPDATE    NORM   GROWTH  SIZE  STATE
block1.weight         -       -        -    16  not finite
block2.weight  0.052645  3.6555  0.99926    16  moved
block0.weight  0.035264  4.3654   1.0032    16  moved
frozen.weight         0  2.4873        1     9  unchanged
1 of 4 did not change: frozen.weight.
1 of 4 have NaN or infinity: block1.weight.
! smdbg: Both steps are the same.
! smdbg: No tensor "nosuch". Try "tensors".
? 1

# sizes by module and type
$ -n -batch --no-follow -ex 'info size -by module -depth 1' -ex 'info size -by dtype' -ex 'info size -jsonl' tests/samples/checkpoints/types
NAME            TENSORS  ELEMENTS  BYTES  SHARE-%  DTYPES
e4m3                  1        16   16 B       25  float8_e4m3fn
e5m2                  1        16   16 B       25  float8_e5m2
c64                   1         1    8 B     12.5  complex64
half                  1         4    8 B     12.5  float16
scalar                1         1    8 B     12.5  int64
bf16                  1         3    6 B    9.375  bfloat16
bool                  1         2    2 B    3.125  bool
empty                 1         0    0 B        0  float32
esc\x1b[31mape        1         0    0 B        0  float32
Step 0: 9 tensors, 43 elements, 64 B, those of all workers.
1 with the elements of another one in the file, which are counted once.
NAME           TENSORS  ELEMENTS  BYTES  SHARE-%  DTYPES
float8_e4m3fn        1        16   16 B       25  float8_e4m3fn
float8_e5m2          1        16   16 B       25  float8_e5m2
complex64            1         1    8 B     12.5  complex64
float16              1         4    8 B     12.5  float16
int64                1         1    8 B     12.5  int64
bfloat16             1         3    6 B    9.375  bfloat16
bool                 1         2    2 B    3.125  bool
float32              2         0    0 B        0  float32
Step 0: 9 tensors, 43 elements, 64 B, those of all workers.
1 with the elements of another one in the file, which are counted once.
{"name":"biases","tensors":0,"values":0,"bytes":0,"elements":null,"share":null,"dtypes":[],"tied":null}
{"name":"gradients","tensors":0,"values":0,"bytes":0,"elements":null,"share":null,"dtypes":[],"tied":null}
{"name":"losses","tensors":0,"values":0,"bytes":0,"elements":null,"share":null,"dtypes":[],"tied":null}
{"name":"optimizer","tensors":0,"values":0,"bytes":0,"elements":null,"share":null,"dtypes":[],"tied":null}
{"name":"weights","tensors":0,"values":0,"bytes":0,"elements":null,"share":null,"dtypes":[],"tied":null}


# weights that are one storage of the file, and those that are only equal
$ -n -batch --no-follow -ex 'updates' tests/samples/checkpoints/tied
From step 1 to step 2:
NAME            UPDATE    NORM  GROWTH  SIZE  STATE      SAME-AS         BY
rows            1.9278  3.3046  1.6491     4  moved      -               -
copy.weight     1.3327   4.975   1.502     6  moved      lm_head.weight  equal
lm_head.weight  1.3327   4.975   1.502     6  moved      -               -
wte.weight      1.3327   4.975   1.502     6  moved      lm_head.weight  storage
ln1.weight           0       2       1     4  unchanged  -               -
ln2.weight           0       2       1     4  unchanged  ln1.weight      equal
2 of 6 did not change: ln1.weight, ln2.weight.

# a file that is given by its path is looked at by its content: names that other programs use, too
$ -n -batch --no-follow -ex 'tensors' tests/samples/torch/plain_4.pkl
NAME       DTYPE    SHAPE   STEPS       MEAN      STD  NAN  TREND
fc.bias    float32  (2,)        1     0.2557  0.21376    0  ▄
fc.weight  float32  (2, 3)      1  -0.011269  0.24829    0  ▄
mean       float32  (2,)        1          1        0    0  ▄

# the second matrix of a low-rank adapter starts at zero: that one never moves is the cause
$ -n -batch --no-follow -ex 'verdict' tests/samples/checkpoints/lora
CAUSE a layer that is not trained, since step 10
  layers.1.q_proj.lora_A.weight: unchanged over 3 saved steps; so 4 of 8 weights  [series
    layers.1.q_proj.lora_A.weight]
  layers.1.q_proj.lora_A.weight: no gradient of it was saved  [tensors
    layers.1.q_proj.lora_A.weight]
TRY Check that the optimizer has the parameter, requires_grad, and that no detach() or no_grad()
    cuts the graph
Looked at: 8 tensors, 3 steps, 24 values, 20 causes. Not saved: losses, gradients, inputs, labels.

# the checkpoint that brought the NaN is said first, though another weight never moves
$ -n -batch --no-follow -ex 'verdict' tests/samples/checkpoints/nan
CAUSE NaN or infinity that arises in the network, since step 301 to 400
  block1.weight: 1 NaN and 0 infinite of 16 elements, the first in write order  [tensor
    block1.weight step 400]
TRY Look at the operation that gives this tensor: a logarithm, root, division or overflow; Add a
    small constant below the root or in the divisor; use float32 or scale the loss
Looked at: 4 tensors, 5 steps, 20 values, 20 causes. Not saved: losses, gradients, inputs, labels.

# the log of the run has steps without checkpoints, and random states lie beside the weights
$ -n -batch --no-follow -ex 'updates' -ex 'tensors optimizer*wte* -field name' -ex 'verdict' tests/samples/checkpoints/trainer
From step 10 to step 40:
NAME                                  UPDATE      NORM   GROWTH  SIZE  STATE
transformer.ln_f.bias                 1.3701   0.45127   2.3257     8  moved
transformer.wte.weight                1.1474    1.6757   2.1032   128  moved
transformer.h.0.attn.c_attn.bias     0.97513   0.12647   1.2593    24  moved
transformer.wpe.weight               0.96305   0.29871   1.6641    64  moved
transformer.h.1.attn.c_attn.weight    0.8993     1.029   1.6935   192  moved
transformer.h.0.attn.c_attn.weight   0.87558   0.77742   1.3651   192  moved
transformer.h.0.attn.c_proj.bias     0.82226  0.024819      1.1     8  moved
transformer.h.1.attn.c_attn.bias     0.79165  0.099088   1.2994    24  moved
transformer.h.0.attn.c_proj.weight   0.76113   0.28364   1.3245    64  moved
transformer.h.1.mlp.c_proj.bias      0.70329  0.077626   1.5167     8  moved
transformer.h.1.attn.c_proj.bias      0.6735  0.054874   1.4961     8  moved
transformer.h.0.mlp.c_proj.bias      0.61326  0.045351   1.3739     8  moved
transformer.h.1.mlp.c_fc.weight      0.56179     1.101   1.4316   256  moved
transformer.h.0.mlp.c_fc.weight      0.55882     1.204   1.4336   256  moved
transformer.h.1.ln_2.bias            0.55823  0.071135   1.3897     8  moved
transformer.h.1.mlp.c_fc.bias        0.54096   0.17696   1.2848    32  moved
transformer.h.1.mlp.c_proj.weight    0.51776   0.98331   1.3983   256  moved
transformer.h.0.mlp.c_proj.weight    0.51582    1.1195   1.4196   256  moved
transformer.h.0.mlp.c_fc.bias        0.51118   0.11433   1.1277    32  moved
transformer.h.1.attn.c_proj.weight    0.4281   0.29135   1.2052    64  moved
transformer.h.0.ln_1.bias             0.2989  0.068035   1.0584     8  moved
transformer.h.1.ln_1.bias            0.21161  0.078801   1.0733     8  moved
transformer.h.0.ln_2.bias            0.21071  0.059994   1.0606     8  moved
transformer.ln_f.weight                0.121    3.3488    1.121     8  moved
transformer.h.0.ln_2.weight         0.044835    3.0374    1.035     8  moved
transformer.h.1.ln_2.weight         0.035059     3.016   1.0313     8  moved
transformer.h.0.ln_1.weight         0.019231    2.7961  0.99466     8  moved
transformer.h.1.ln_1.weight          0.01515    2.8042  0.99563     8  moved
NAME
optimizer.state.transformer.wte.weight.exp_avg
optimizer.state.transformer.wte.weight.exp_avg_sq
optimizer.state.transformer.wte.weight.step
Nothing wrong was found
Looked at: 118 tensors, 20 steps, 530 values, 20 causes. Not saved: inputs, labels.

# two optimizers of Lightning, which share a shape: what one has leaves less to the other
$ -n -batch --no-follow -ex 'tensors *exp_avg *buffer -field name,shape' tests/samples/checkpoints/lightning
NAME                                           SHAPE
optimizer.0.state.body.0.bias.exp_avg          (3,)
optimizer.0.state.body.0.weight.exp_avg        (3, 4)
optimizer.0.state.body.1.bias.exp_avg          (3,)
optimizer.0.state.body.1.weight.exp_avg        (3,)
optimizer.1.state.head.bias.momentum_buffer    (3,)
optimizer.1.state.head.weight.momentum_buffer  (3, 3)

# a conversion: transposed, another shape, only on one side; names that are found by their values
$ -n -batch --no-follow -ex 'diff source target' -ex 'diff source target -jsonl -field name,status,why,like,transposed,shape_a,shape_b' tests/samples/checkpoints/transposed/source tests/samples/checkpoints/transposed/target
a: source
b: target
The configuration is the same.
First divergence: step 0, square.weight: max |a - b| 2.86, 12 of 16 beyond the limits.
NAME           STEP  MAX-ABS  MAX-REL         ULP  BEYOND  SIZE  STATUS
square.weight     0   2.8562   7.9476  2137889048      12    16  different
IN-A           HAS-THE-VALUES-IN-B-OF  TRANSPOSED
square.weight  square.weight           TRANSPOSED
up.weight      up.weight               TRANSPOSED
INCOMPARABLE  WHY          IN-A    IN-B
embed.weight  other shape  (5, 2)  (8, 2)
gone          only in a    -       -
other.weight  only in b    -       -
1 equal, 0 close, 1 different, 4 incomparable, 1 of these under another name or transposed.
{"name":"square.weight","status":"different","why":null,"like":null,"transposed":true,"shape_a":null,"shape_b":null}
{"name":"bias","status":"equal","why":null,"like":null,"transposed":false,"shape_a":null,"shape_b":null}
{"name":"embed.weight","status":"incomparable","why":"other shape","like":null,"transposed":false,"shape_a":[5,2],"shape_b":[8,2]}
{"name":"gone","status":"incomparable","why":"only in a","like":null,"transposed":false,"shape_a":null,"shape_b":null}
{"name":"up.weight","status":"incomparable","why":"other shape","like":null,"transposed":true,"shape_a":[2,3],"shape_b":[3,2]}
{"name":"other.weight","status":"incomparable","why":"only in b","like":null,"transposed":false,"shape_a":null,"shape_b":null}

# the model apart from what lies beside it; what is one in the file is counted once; lists on one line
$ -n -batch --no-follow -ex 'info size -by module' -ex 'info size -by module -depth 1 -jsonl -field name,tensors,elements,tied' tests/samples/checkpoints/trainer
NAME              TENSORS  ELEMENTS     BYTES  SHARE-%  DTYPES
optimizer.state        84      3932  15.4 KiB   50.592  float32
rng_state               1      5056   4.9 KiB   16.264  uint8
transformer.h.0        12       872   3.4 KiB    11.22  float32
transformer.h.1        12       872   3.4 KiB    11.22  float32
rng_state.numpy         1       624   2.4 KiB   8.0288  uint32
transformer.wte         1       128     512 B   1.6469  float32
transformer.wpe         1        64     256 B  0.82347  float32
transformer.ln_f        2        16      64 B  0.20587  float32
Step 40: 114 tensors, 11,564 elements, 30.4 KiB, those of all workers.
Without state of optimizers and random numbers: 28 tensors, 1,952 elements, 7.6 KiB.
{"name":"optimizer","tensors":84,"elements":3932,"tied":0}
{"name":"transformer","tensors":28,"elements":1952,"tied":0}
{"name":"rng_state","tensors":2,"elements":5680,"tied":0}

$ -n -batch --no-follow -ex 'info config' tests/samples/checkpoints/trainer | grep '^architectures'
architectures                                                  ["GPT2LMHeadModel"]

$ -n -batch --no-follow -ex 'info size -by module' -ex 'info size -by dtype -jsonl -field name,tied,elements' tests/samples/checkpoints/tied
NAME     TENSORS  ELEMENTS  BYTES  SHARE-%  DTYPES
copy           1         6   24 B       25  float32
lm_head        1         6   24 B       25  float32
ln1            1         4   16 B   16.667  float32
ln2            1         4   16 B   16.667  float32
rows           1         4   16 B   16.667  float32
wte            1         0    0 B        0  float32
Step 2: 6 tensors, 24 elements, 96 B, those of all workers.
1 with the elements of another one in the file, which are counted once.
{"name":"float32","tied":1,"elements":24}

$ -n -batch --no-follow --keep-going -ex 'info size -by dtype step 200 -jsonl -field name,tensors' -ex 'info size step 200' -ex 'info size -by dtype step 7' tests/samples/checkpoints/nan
{"name":"float32","tensors":4}
! smdbg: A step needs -by module or -by dtype.
! smdbg: No step 7 is saved.
? 1

# the best score of a callback is infinite at first
$ -n -batch --no-follow -ex 'rule auto' -ex 'rule status -wait -jsonl -field rule,status,first_step' tests/samples/checkpoints/lightning | grep Exploding
{"rule":"ExplodingTensor","status":"NoIssuesFound","first_step":null}

# state of the optimizer comes behind the weights
$ -n -batch --no-follow -ex 'health *ln_1* *ln_2*' tests/samples/checkpoints/trainer
transformer.h.0.ln_1.bias                ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
transformer.h.0.ln_1.weight              ████████████████
transformer.h.0.ln_2.bias                ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
transformer.h.0.ln_2.weight              ████████████████
transformer.h.1.ln_1.bias                ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
transformer.h.1.ln_1.weight              ████████████████
transformer.h.1.ln_2.bias                ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
transformer.h.1.ln_2.weight              ████████████████
optimizer.sta…rmer.h.0.ln_1.bias.exp_avg ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
optimizer.sta…r.h.0.ln_1.bias.exp_avg_sq ················
optimizer.sta…sformer.h.0.ln_1.bias.step ████████████████
optimizer.sta…er.h.0.ln_1.weight.exp_avg ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
optimizer.sta…h.0.ln_1.weight.exp_avg_sq ················
optimizer.sta…ormer.h.0.ln_1.weight.step ████████████████
optimizer.sta…rmer.h.0.ln_2.bias.exp_avg ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
optimizer.sta…r.h.0.ln_2.bias.exp_avg_sq ········░░░░░░░░
optimizer.sta…sformer.h.0.ln_2.bias.step ████████████████
optimizer.sta…er.h.0.ln_2.weight.exp_avg ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
optimizer.sta…h.0.ln_2.weight.exp_avg_sq ············░░░░
optimizer.sta…ormer.h.0.ln_2.weight.step ████████████████
optimizer.sta…rmer.h.1.ln_1.bias.exp_avg ▒▒▒▒░░░░░░░░▒▒▒▒
optimizer.sta…r.h.1.ln_1.bias.exp_avg_sq ················
optimizer.sta…sformer.h.1.ln_1.bias.step ████████████████
optimizer.sta…er.h.1.ln_1.weight.exp_avg ▒▒▒▒░░░░▒▒▒▒░░░░
optimizer.sta…h.1.ln_1.weight.exp_avg_sq ················
optimizer.sta…ormer.h.1.ln_1.weight.step ████████████████
optimizer.sta…rmer.h.1.ln_2.bias.exp_avg ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
optimizer.sta…r.h.1.ln_2.bias.exp_avg_sq ················
optimizer.sta…sformer.h.1.ln_2.bias.step ████████████████
optimizer.sta…er.h.1.ln_2.weight.exp_avg ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
optimizer.sta…h.1.ln_2.weight.exp_avg_sq ················
optimizer.sta…ormer.h.1.ln_2.weight.step ████████████████
                                         10          40
                                         3.28e-09 ···░░░░▒▒▒▓▓▓███ 40.0 abs_mean, log

# a tensor without elements is the same at both steps
$ -n -batch --no-follow -ex 'updates' "$(for s in 1 2; do mkdir -p "$T/empty/step_$s" && cp tests/samples/checkpoints/types/model.safetensors "$T/empty/step_$s/"; done; echo "$T/empty")"
From step 1 to step 2:
NAME            UPDATE      NORM  GROWTH  SIZE  STATE
bf16                 0    1.8368       1     3  unchanged
bool                 0         1       1     2  unchanged
c64                  0    2.2361       1     1  unchanged
e4m3                 0  0.068777       1    16  unchanged
e5m2                 0     11608       1    16  unchanged
empty                0         0       -     0  zero
esc\x1b[31mape       0         1       1     1  unchanged
half                 0    2.7904       1     4  unchanged
scalar               0         7       1     1  unchanged
8 of 9 did not change: bf16, bool, c64, e4m3, e5m2, ....
1 of 9 are all zero at both steps: empty.

# the kind of a run of checkpoints is that of its files; numbers beside the weights are no metric
$ -n -batch --no-follow -ex 'runs -field kind,parts,metric -json' tests/samples/checkpoints_torch/hf
[{"kind":"trainer_state","parts":["trainer_state","safetensors","torch"],"metric":"eval_loss"}]
$ -n -batch --no-follow -ex 'runs -field kind,parts,metric -json' tests/samples/deepspeed
[{"kind":"torch","parts":["torch"],"metric":null}]
$ -n -batch --no-follow -ex 'info trial -field kind,parts -json' tests/samples/checkpoints_torch/te
{"kind":"te_dump","parts":["te_dump"]}
$ -n -batch --no-follow -ex 'info trial -field kind,parts -json' tests/samples/dcp/grid
{"kind":"dcp","parts":["dcp"]}

# texts have no norm
$ -n -batch --no-follow -ex 'updates in words' tests/samples/checkpoints/arrays
From step 1 to step 2:
NAME   UPDATE  NORM  GROWTH  SIZE  STATE
words       -     -       -     2  no numbers

# element types that are not read are listed by their shapes, named, and hide nothing
$ -n -batch --no-follow -ex 'tensors -csv -field name,kind,dtype,shape' -ex 'info errors' tests/samples/checkpoints_torch/unread_types.pt
name,kind,dtype,shape
after,tensor,float32,"(2, 2)"
before,tensor,float32,"(3,)"
bits,shape,,"(4,)"
half_complex,shape,,"(2,)"
q,tensor,int8,"(2, 2)"
q4,shape,,"(2, 4)"
FILE             OFFSET  TIMES  MESSAGE
unread_types.pt       -      1  half_complex: elements of type torch.complex32 are not read
unread_types.pt       -      1  q4: elements of type torch.QUInt4x2Storage are not read
unread_types.pt       -      1  bits: elements of type torch.bits8 are not read
$ -n -batch --no-follow -ex 'tensors -csv -field name,kind,dtype,shape' -ex 'info errors' "$(f=$T/new.safetensors; h='{"a":{"dtype":"F9_NEW","shape":[2],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}}'; printf "\\$(printf %03o ${#h})\\0\\0\\0\\0\\0\\0\\0%s\\1\\2\\3\\4\\6" "$h" > "$f"; echo "$f")"
name,kind,dtype,shape
a,shape,,"(2,)"
b,tensor,uint8,"(2,)"
FILE             OFFSET  TIMES  MESSAGE
new.safetensors       8      1  tensor a: elements of type F9_NEW are not read

# numbers of a training's own state are series, and its loss is the metric of the run
$ -n -batch --no-follow -ex 'tensors -csv -field name,steps' -ex 'tensors +losses -csv -field name' -ex 'runs -field metric,newest -json' tests/samples/checkpoints_torch/train_state
name,steps
best_loss,3
loss_scale,3
model.weight,3
train_state.loss,3
train_state.step,3
name
train_state.loss
[{"metric":"train_state.loss","newest":0.10000000000000001}]

# the rule says so, too
$ -n -batch --no-follow -ex 'rule auto' -ex 'rule explain UnchangedTensor' tests/samples/checkpoints/lora
Every rule whose tensors exist is attached.
UnchangedTensor fired at step 20: layers.1.q_proj.lora_B.weight: never changed in 1 saved step and is all zero, as an adapter starts, limit 1 (2 of 8 tensors)
Check whether the parameter is trained (frozen, not given to the optimizer, zero gradient) and whether the loss is stuck.
\
UnchangedTensor fires when each of the last num_steps saved values of a tensor is allclose to the current one; only TRAIN steps, if there are any.
Here it judges as under "rule auto": weights of two or more axes are judged, in the order of the
layers, once each was compared 5 times with its value before, or twice in checkpoints. It fires if
one never changed (not a bit) although it has a gradient, or its gradient is zero, or it has none
and lies behind a layer that is trained; or if none changed at all; or, at its second value, if it
is lora_B of an adapter and is still zero at step 5 or later. A part at the beginning without
gradients is frozen: a remark, unless the values of all its weights are spread evenly (largest below
1.9 times the standard deviation), as before any training, or the loss has fallen by less than 10%
in 100 steps.
  collection_names = weights
  tensor_regex = none
  num_steps = 3
  rtol = 1e-5
  atol = 1e-8
  equal_nan = False
The hook must save: the tensors to inspect. This trial has tensors for it.
\
At step 20:
STEP  MODE    MODE-STEP  TENSOR                         VALUE  LIMIT  WHAT
  20  GLOBAL         20  layers.1.q_proj.lora_B.weight      1      1  never chan… 1 (2 of 8 tensors)
  20  GLOBAL         20  layers.1.v_proj.lora_B.weight      1      1  never chan…ter starts, limit 1
  20  GLOBAL         20  layers.0.q_proj.lora_A.weight      1      2  changed in…saved step, limit 2
  20  GLOBAL         20  layers.0.q_proj.lora_B.weight      1      2  changed in…saved step, limit 2
  20  GLOBAL         20  layers.0.v_proj.lora_A.weight      1      2  changed in…saved step, limit 2
  20  GLOBAL         20  layers.0.v_proj.lora_B.weight      1      2  changed in…saved step, limit 2
  20  GLOBAL         20  layers.1.q_proj.lora_A.weight      1      2  never chan…saved step, limit 2
  20  GLOBAL         20  layers.1.v_proj.lora_A.weight      1      2  never chan…saved step, limit 2
Now at layers.1.q_proj.lora_B.weight, step 20. "bt" shows the origin.

# an index of shards, and a file that names the last checkpoint, open their folder
$ -n -batch --no-follow -ex 'info trials -csv -field name,steps,tensors,path' tests/samples/checkpoints/sharded/model.safetensors.index.json
name,steps,tensors,path
sharded,1,2,tests/samples/checkpoints/sharded

$ -n -batch --no-follow -ex 'info trials -csv -field name,steps,tensors,path' tests/samples/deepspeed/latest
name,steps,tensors,path
deepspeed,2,11,tests/samples/deepspeed

$ -n -batch --no-follow -ex 'open tests/samples/deepspeed/latest' -ex 'info trials -csv -field name,steps,path'
deepspeed: checkpoints and tensor dumps, 2 workers, ended
2 steps (GLOBAL 2..4), 11 tensors in 5 collections
name,steps,path
deepspeed,2,tests/samples/deepspeed

# two checkpoints of other steps: the last step of each; nothing compared is exit status 4
$ -n -batch --no-follow -ex 'diff 1 2 in *0.q_proj*' -ex 'diff 1 2 in *0.q_proj* -json' tests/samples/checkpoints/lora/checkpoint-10 tests/samples/checkpoints/lora/checkpoint-30
a: checkpoint-10 step 10
b: checkpoint-30 step 30
No step in common: compared at the last steps, 10 and 30.
The configuration is the same.
First divergence: step 10, layers.0.q_proj.lora_A.weight: max |a - b| 0.037, 8 of 8 beyond the limits.
NAME                           STEP   MAX-ABS  MAX-REL         ULP  BEYOND  SIZE  STATUS
layers.0.q_proj.lora_B.weight    10  0.032402   15.733  2015269461       8     8  different
layers.0.q_proj.lora_A.weight    10  0.037037  0.17213     2485478       8     8  different
0 equal, 0 close, 2 different, 0 incomparable.
{"a":"checkpoint-10 step 10","b":"checkpoint-30 step 30","config":[],"first_divergence":{"step":10,"tensor":"layers.0.q_proj.lora_A.weight","worker":null},"tensors":[{"name":"layers.0.q_proj.lora_B.weight","step":10,"max_abs":0.032402334734797478,"max_rel":15.733126204580467,"ulp":2015269461,"status":"different","beyond":8,"size":8,"steps":1,"why":null,"worker":null,"other":null,"equal_as":null,"like":null,"transposed":false,"shape_a":null,"shape_b":null},{"name":"layers.0.q_proj.lora_A.weight","step":10,"max_abs":0.037036508321762085,"max_rel":0.17213032046163884,"ulp":2485478,"status":"different","beyond":8,"size":8,"steps":1,"why":null,"worker":null,"other":null,"equal_as":null,"like":null,"transposed":false,"shape_a":null,"shape_b":null}]}

$ -n -batch --no-follow --keep-going -ex 'diff 1 2 -field status' -ex 'diff 1 2 in *norm*' -ex 'print $_exitcode' tests/samples/checkpoints/converted
STATUS
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
incomparable
a: source
b: target
The configuration is the same.
Nothing can be compared: no tensor has the same name; "diff 1 2 -pairs FILE" reads pairs of names.
INCOMPARABLE          WHY
layers.0.norm.weight  only in a
layers.1.norm.weight  only in a
layers.2.norm.weight  only in a
0 equal, 0 close, 0 different, 3 incomparable.
$1 = 4
? 4

# paths as sides are opened; those that are open already are not opened again
$ -n -batch --no-follow -ex 'diff tests/samples/checkpoints/lora/checkpoint-10 tests/samples/checkpoints/lora/checkpoint-30 in *0.q_proj.lora_A* -field name,max_abs' -ex 'diff tests/samples/checkpoints/lora/checkpoint-10 2 in *0.q_proj.lora_A* -field max_abs' -ex 'info trials -csv -field number,name,current'
NAME                            MAX-ABS
layers.0.q_proj.lora_A.weight  0.037037
 MAX-ABS
0.037037
number,name,current
1,checkpoint-10,true
2,checkpoint-30,false

$ -n -batch --no-follow --keep-going -ex 'diff tests/samples/checkpoints/lora@20 1@30 in *0.q_proj.lora_A* -field name,max_abs' -ex 'diff tests/nowhere' -ex 'diff nowhere' -ex 'diff tests/samples/checkpoints/converted 1' tests/samples/checkpoints/lora/checkpoint-30
NAME                            MAX-ABS
layers.0.q_proj.lora_A.weight  0.024696
! smdbg: tests/nowhere: no such trial directory (--wait waits for it).
! smdbg: No trial, worker or mode "nowhere".  Steps are written @100.
! smdbg: tests/samples/checkpoints/converted has 2 runs, which are now open: name two of them.  Try "info trials".
? 5

$ -n -batch -ex 'diff 1 2'
! smdbg: No trial is open.  Use "open PATH".
? 1
