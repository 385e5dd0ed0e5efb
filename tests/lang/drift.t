# what it is
$ -batch -ex 'rule list data_drift'
DataDrift, data_drift (extra).
Inputs of EVAL, PREDICT or another run differ from TRAIN.
\
Fires when for a feature of the inputs the two-sample Kolmogorov-Smirnov test of EVAL, PREDICT or another run against TRAIN gives p below threshold_p / number of features, and the population stability index over the deciles of TRAIN is above threshold_psi + (bins - 1) (1/n + 1/m). A feature is an index of axis 1; of images and sequences it is the mean and the standard deviation of a sample's channel. Samples that are equal count as one for n and m; both must be at least `samples`. Of each group a random choice of 512 to 4096 different samples is kept, and up to 1024 features; it is tested when a group has grown by a tenth. A run without TRAIN is compared with TRAIN of the other.
\
Parameters:
  tensor_regex                regex list
                                patterns of the model's inputs; default: collection model_input
  other_trials                list
                                directories or s3:// addresses of finished runs whose inputs are compared, too
  samples                     int in samples, 100 (10 to 500)
                                different samples that both must have
  threshold_p                 float, 0.001 (0 to 0.3)
                                limit of the chance of the distance, divided by the number of features
  threshold_psi               float, 0.1
                                limit of the stability index, above what chance alone gives
  channel                     int, 0 (-8 to 8)
                                axis of the features or channels, negative from the end; 0: by the shape
  All rules also have mode, workers, start_step, end_step, policy, judge and action.
\
The hook must save: the model's input, in TRAIN and in EVAL or PREDICT.
When it fires: Compare how both are loaded and normalised; if the data itself has changed, train with new data.

# inputs of EVAL against those of TRAIN: 16 samples of EVAL are too few unless the user says otherwise
$ -batch -ex 'rule add data_drift tensor_regex=conv0_input_0' -ex 'rule status -wait' -ex 'info rule DataDrift' tests/trials/cnn_healthy
DataDrift is attached.
RULE       STATUS         FIRST  LAST  FIRED
DataDrift  NoIssuesFound      -     -      0
    nothing was judged: too few different samples yet
RULE       STATUS         FIRST  LAST  FIRED
DataDrift  NoIssuesFound      -     -      0
    nothing was judged: too few different samples yet
DataDrift: no inputs of EVAL, PREDICT or another run yet, 3 times
DataDrift: too few different samples yet, 13 times

$ -batch -ex 'rule add data_drift tensor_regex=conv0_input_0 samples=10' -ex 'rule status -wait' -ex 'goto 44' -ex 'rule explain DataDrift' tests/trials/cnn_healthy
DataDrift is attached.
RULE       STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
DataDrift  NoIssuesFound      -     -      0  -       -
step 44 (train 40)
DataDrift fires when for a feature of the inputs the two-sample Kolmogorov-Smirnov test of EVAL, PREDICT or another run against TRAIN gives p below threshold_p / number of features, and the population stability index over the deciles of TRAIN is above threshold_psi + (bins - 1) (1/n + 1/m). A feature is an index of axis 1; of images and sequences it is the mean and the standard deviation of a sample's channel. Samples that are equal count as one for n and m; both must be at least `samples`. Of each group a random choice of 512 to 4096 different samples is kept, and up to 1024 features; it is tested when a group has grown by a tenth. A run without TRAIN is compared with TRAIN of the other.
  tensor_regex = conv0_input_0
  other_trials = none
  samples = 10
  threshold_p = 0.001
  threshold_psi = 0.1
  channel = 0
The hook must save: the model's input, in TRAIN and in EVAL or PREDICT. This trial has tensors for it.
\
At step 88:
STEP  MODE   MODE-STEP  TENSOR           VALUE    LIMIT  WHAT
  88  TRAIN         80  conv0_input_0  0.11111  0.33844  channel 0 std …(p 0.76), PSI 0.207 <= 0.349
  88  TRAIN         80  conv0_input_0  0.10139  0.33844  channel 0 mean…(p 0.85), PSI 0.196 <= 0.349
DataDrift: no inputs of EVAL, PREDICT or another run yet, 3 times

# another run: it names the channels and the figures
$ -batch -ex 'rule add data_drift tensor_regex=relu0_input_0 other_trials=tests/trials/cnn_dead_relu samples=30' -ex 'rule status -wait' -ex 'goto 10' -ex 'rule explain DataDrift' tests/trials/cnn_healthy
DataDrift is attached.
RULE       STATUS       FIRST  LAST  FIRED
DataDrift  IssuesFound     10    10      1
    relu0_input_0  channel 1 std of TRAIN of run cnn_dead_relu against TRAIN, 4 of 8 drift (1 std, 2
    std, 0 std, 3 std), 36 and 32 different samples: D 1 > 0.535 (p 3.9e-15), PSI 7.84 > 0.631
step 10 (train 10)
DataDrift fired at step 10 (TRAIN 10): relu0_input_0: channel 1 std of TRAIN of run cnn_dead_relu against TRAIN, 4 of 8 drift (1 std, 2 std, 0 std, 3 std), 36 and 32 different samples: D 1 > 0.535 (p 3.9e-15), PSI 7.84 > 0.631
Compare how both are loaded and normalised; if the data itself has changed, train with new data.
\
DataDrift fires when for a feature of the inputs the two-sample Kolmogorov-Smirnov test of EVAL, PREDICT or another run against TRAIN gives p below threshold_p / number of features, and the population stability index over the deciles of TRAIN is above threshold_psi + (bins - 1) (1/n + 1/m). A feature is an index of axis 1; of images and sequences it is the mean and the standard deviation of a sample's channel. Samples that are equal count as one for n and m; both must be at least `samples`. Of each group a random choice of 512 to 4096 different samples is kept, and up to 1024 features; it is tested when a group has grown by a tenth. A run without TRAIN is compared with TRAIN of the other.
  tensor_regex = relu0_input_0
  other_trials = tests/trials/cnn_dead_relu
  samples = 30
  threshold_p = 0.001
  threshold_psi = 0.1
  channel = 0
The hook must save: the model's input, in TRAIN and in EVAL or PREDICT. This trial has tensors for it.
\
At step 10:
STEP  MODE   MODE-STEP  TENSOR           VALUE    LIMIT  WHAT
  10  TRAIN         10  relu0_input_0        1  0.53451  channel 1 std …p 3.9e-15), PSI 7.84 > 0.631
  10  TRAIN         10  relu0_input_0        1  0.53451  channel 2 std …p 3.9e-15), PSI 8.41 > 0.631
  10  TRAIN         10  relu0_input_0   0.9375  0.53451  channel 0 std …p 2.3e-13), PSI 8.41 > 0.631
  10  TRAIN         10  relu0_input_0  0.72222  0.53451  channel 3 std …p 4.2e-08), PSI 5.57 > 0.631
  10  TRAIN         10  relu0_input_0  0.45139  0.53451  channel 1 mean… (p 0.002), PSI 4.89 > 0.631
  10  TRAIN         10  relu0_input_0  0.44444  0.53451  channel 2 mean…(p 0.0025), PSI 3.38 > 0.631
  10  TRAIN         10  relu0_input_0  0.32639  0.53451  channel 0 mean… (p 0.054), PSI 1.87 > 0.631
  10  TRAIN         10  relu0_input_0  0.19097  0.53451  channel 3 mean…5 (p 0.57), PSI 1.79 > 0.631
DataDrift: too few different samples yet, 1 times
Now at relu0_input_0, step 10. "stat" shows its statistics.

# a run that is not there
$ -batch -ex 'rule add data_drift tensor_regex=conv0_input_0 other_trials=tests/trials/nosuch' -ex 'rule status -wait' tests/trials/cnn_healthy
DataDrift is attached.
RULE       STATUS  FIRST  LAST  FIRED  TENSOR  WHAT
DataDrift  Error       -     -      0  -       tests/trials/nosuch: no steps of a run are there

$ -batch -ex 'rule add similar_across_runs other_trials=tests/trials/nosuch' -ex 'rule status -wait' tests/trials/cnn_healthy
SimilarAcrossRuns is attached.
RULE               STATUS  FIRST  LAST  FIRED
SimilarAcrossRuns  Error       -     -      0
    tests/trials/nosuch: no steps of a run are there
