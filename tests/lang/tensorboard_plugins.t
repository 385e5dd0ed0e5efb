# what TensorBoard's plugins write: hyperparameters are the configuration
$ -batch -ex 'info config' tests/samples/tensorboard/hparams
KEY        VALUE
lr         0.01
batch      16
optimizer  adam
nesterov   0

$ -batch -ex 'info config' tests/samples/tensorboard/lightning
KEY    VALUE
act    tanh
lr     0.01
width  4

$ -batch -ex 'info config -json' tests/samples/tensorboard/lightning/version_1
{"act":"relu","lr":0.10000000000000001,"width":5}

# the session that add_hparams writes below a run is a part of the run: its hyperparameters and metrics
$ -batch -ex 'runs -field run,kind,last_step,path' -ex 'info config' tests/samples/tensorboard/x
RUN   KIND         STEP  PATH
exp1  tensorboard    19  exp1
KEY   VALUE
lr    0.25
flag  true
opt   adam
n     7

# whatever its folder is called, and also if it was written after each epoch; sessions that differ, or whose run has no events, are runs
$ -batch -ex 'runs -field run,first_step,last_step,newest,path' tests/samples/hparams_runs
RUN     FIRST  STEP   loss  PATH
epochs      0    80  1.125  epochs
sweep       -     -      -  sweep
tbx         0    80  0.625  tbx
torch       0    80  0.125  torch
pair_a     10    10      -  torch/pair_a
pair_b     10    10      -  torch/pair_b
try0        0     0      -  sweep/try0
try1        0     0      -  sweep/try1
try2        0     0      -  sweep/try2

$ -batch -ex 'runs -sort hparam/accuracy -field run,lr,opt' -ex 'runs hparam/accuracy > 0.8 -field run' tests/samples/hparams_runs
RUN       lr   opt
torch   0.25  adam
tbx     0.25  adam
epochs   0.5   sgd
try2     0.2     -
try1     0.1     -
try0       0     -
sweep      -     -
pair_a     -     -
pair_b     -     -
RUN
torch

# a scalar that the run has itself is not taken from its session
$ -batch -ex 'tensors -field name,steps' -ex 'series loss -field step,value' -ex 'series hparam/accuracy -field step,value' -ex 'info workers -field worker,steps' -ex 'info errors' tests/samples/hparams_runs/torch
NAME             STEPS
hparam/accuracy      1
loss                 8
STEP    VALUE
  10        1
  20      0.5
  30  0.33333
  40     0.25
  50      0.2
  60  0.16667
  70  0.14286
  80    0.125
STEP  VALUE
   0    0.9
WORKER  STEPS
.           9
No errors found.

$ -batch -ex 'series hparam/accuracy -field step,value' -ex 'info config' tests/samples/hparams_runs/epochs
STEP  VALUE
   0      0
   1   0.25
   2    0.5
KEY  VALUE
lr   0.5
opt  sgd

# a session without a value of the metric is not counted in groups
$ -batch -ex 'runs -group lr -jsonl -field group,runs' tests/samples/hparams_runs
{"group":"0","runs":0}
{"group":"0.1","runs":0}
{"group":"0.2","runs":0}
{"group":"0.25","runs":2}
{"group":"0.5","runs":1}
{"group":null,"runs":3}

# images are tensors of their pixels, texts are texts, a PR curve is a table with a chart
$ -batch -ex 'tensors -field name,kind,dtype,shape,steps' -ex 'image im -h 6' -ex 'tensor txt' -ex 'print count@36' tests/samples/tensorboard/tf2
NAME           KIND       DTYPE    SHAPE         STEPS
count          scalar     float32  ()               37
im             tensor     uint8    (2, 6, 6, 3)      4
loss           scalar     float32  ()               37
opt/grad norm  scalar     float32  ()               37
txt            text       string   (2,)              4
w              histogram  float64  (30, 3)           4
im  step 36  uint8 (2, 6, 6, 3)
░░▒▒▓▓░░▓▓░░ ··▒▒▒▒▒▒░░▓▓
▓▓░░░░░░▓▓░░ ▒▒▓▓▒▒░░▒▒░░
██░░▒▒░░▒▒▒▒ ▒▒░░░░··▓▓▒▒
▒▒····▓▓░░·· ▓▓▒▒▒▒▒▒··▒▒
░░██▓▓▒▒░░▒▒ ▒▒▓▓░░▒▒▒▒░░
▒▒▓▓░░░░░░▓▓ ▓▓░░░░▒▒▒▒░░
black 0  white 252
txt  step 36  string (2,)
['a' 'b']
$1 = 108

$ -batch -ex 'tensors -field name,kind,dtype,shape,steps' -ex 'tensor notes/text_summary' -ex 'tensor pr/x' -ex 'print min(picture)' -ex 'info trial -field errors' tests/samples/tensorboard/x
NAME                KIND    DTYPE    SHAPE      STEPS
acc                 scalar  float32  ()             1
loss                scalar  float32  ()            20
notes/text_summary  text    string   (1,)           1
picture             tensor  uint8    (6, 8, 3)      1
pr/x                tensor  float32  (6, 9)         1
notes/text_summary  step 3  string (1,)
# Title
\
second *line*
third
pr/x  step 5  float32 (6, 9)
THRESHOLD        TP        FP        TN        FN  PRECISION     RECALL
        0        55        45         0         0       0.55          1
    0.125        40        41         4        15    0.49383    0.72727
     0.25        35        34        11        20    0.50725    0.63636
    0.375        33        29        16        22    0.53226        0.6
      0.5        25        29        16        30    0.46296    0.45455
    0.625        16        20        25        39    0.44444    0.29091
     0.75        12        13        32        43       0.48    0.21818
    0.875         5        10        35        50    0.33333   0.090909
        1         0         0        45        55          0          0
 0.55 ┤                                                                                    ⢀⣀⣀⠤⠤⠔⠒⠊⠉
      │                                                 ⣀⠤⠒⠑⠢⡀                    ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁
 0.50 ┤                                             ⣀⠤⠒⠉     ⠈⠑⠒⠢⠤⠤⢄⣀⣀⡀  ⢀⣀⡠⠤⠤⠒⠒⠊⠉⠁
      │             ⡀                           ⣀⠤⠒⠉                  ⠈⠉⠉⠁
      │           ⢀⠎⠈⠑⠢⢄⡀                 ⣀⣀⣀⠤⠒⠉
 0.45 ┤         ⢀⠔⠁     ⠈⠑⠢⢄⣀⣀⠤⠤⠤⠤⠒⠒⠒⠒⠉⠉⠉⠉
      │        ⡠⠊
      │      ⢀⠜
 0.40 ┤     ⡰⠁
      │   ⡠⠊
 0.35 ┤ ⢀⠔⠁
      │⡠⠃                                                                  ── precision over recall
      └┬──────────┬───────────────────┬────────────────────┬───────────────────┬───────────────────┬
     0.09        0.2                 0.4                  0.6                 0.8               1.00
$1 = 0
errors  0

# numbers are read with their steps, so that their places are not kept
$ -batch -ex 'info location hp_metric 0' -ex 'info location hp_metric 0 -json' tests/samples/tensorboard/lightning/version_1
events.out.tfevents.1790000067.host.77.0
read with its step: its place in the file is not kept
{"name":"hp_metric","step":0,"mode":"GLOBAL","mode_step":0,"worker":".","dtype":"float32","shape":[],"bytes":4,"file":"events.out.tfevents.1790000067.host.77.0","offset":null,"length":null,"crc":"unchecked","time":1795395314.313431}

# plot draws a PR curve as one, unless a statistic of it is asked for
$ -batch -ex 'plot pr/x -w 40' -ex 'plot pr/x -json' tests/samples/tensorboard/x/exp1
pr/x  step 5
THRESHOLD        TP        FP        TN        FN  PRECISION     RECALL
        0        55        45         0         0       0.55          1
    0.125        40        41         4        15    0.49383    0.72727
     0.25        35        34        11        20    0.50725    0.63636
    0.375        33        29        16        22    0.53226        0.6
      0.5        25        29        16        30    0.46296    0.45455
    0.625        16        20        25        39    0.44444    0.29091
     0.75        12        13        32        43       0.48    0.21818
    0.875         5        10        35        50    0.33333   0.090909
        1         0         0        45        55          0          0
 0.55 ┤                              ⣀⠔⠊
      │                 ⡰⠱⡀       ⡠⠔⠉
 0.50 ┤               ⢀⠜  ⠑⠢⢄⡀⢀⡠⠒⠉
      │    ⢀         ⢠⠊      ⠈⠁
      │    ⡎⢣      ⢀⡰⠁
 0.45 ┤   ⢰⠁ ⠱⣀⠤⠔⠒⠉⠁
      │   ⡇
      │  ⡸
 0.40 ┤ ⢀⠇
      │ ⡸
 0.35 ┤⢠⠃
      │⡜                 ── preci…ecall
      └┬─────────────┬─────────────────┬
     0.09           0.5             1.00
[{"name":"pr/x","mode":null,"reduction":"mean","points":[{"step":5,"value":16.811523226676165,"mode_step":5,"time":1795448016.2583218}],"trial":"exp1"}]

# a text of several lines is printed by lines; "NAME step N" is NAME@N
$ -batch --keep-going -ex 'print notes/text_summary step 3' -ex 'p loss step 4' -ex 'p loss@4 + 1' -ex 'p loss + 1 step 4' tests/samples/tensorboard/x
$1 = string (1,)
# Title
\
second *line*
third
$2 = 0.2
$3 = 1.2000000029802322
! smdbg: Expected an operator at column 10.
? 1
