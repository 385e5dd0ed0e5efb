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

# the session that add_hparams writes below a run is a run; if it is the only one its hyperparameters are those of the run, too
$ -batch -ex 'runs -field run,kind,last_step,path' -ex 'info config' tests/samples/tensorboard/x
RUN                 KIND         STEP  PATH
exp1                tensorboard    19  exp1
1790000000.1234567  tensorboard     0  exp1/1790000000.1234567
KEY   VALUE
lr    0.25
flag  true
opt   adam
n     7

# a session without a value of the metric is not counted in groups
$ -batch -ex 'runs -group lr -jsonl -field group,runs' tests/samples/tensorboard/x
{"group":"0.25","runs":1}

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
