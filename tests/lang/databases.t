# MLflow's database: deleted runs are left out, and runs of deleted experiments
$ -batch -ex 'runs -field run,state,steps,newest' tests/samples/mlflow_3_17
RUN                                                                          STATE    STEPS     loss
first                                                                        ended        7  0.33333
failed: 'it' # broke, and…a name that is so long that PyYAML folds its line  failed       6  0.33333
goes on                                                                      stalled      6  0.33333

$ -batch -ex 'runs -field run,state,steps,newest' tests/samples/mlflow_2_9
RUN                                                                          STATE    STEPS     loss
first                                                                        ended        7  0.33333
failed: 'it' # broke, and…a name that is so long that PyYAML folds its line  failed       6  0.33333
goes on                                                                      stalled      6  0.33333

# the later time counts where a step was written twice; infinity is stored as a number
$ -batch -ex 'trial first' -ex 'series val/odd -csv -field step,value' -ex 'info config -json' -ex 'info summary' tests/samples/mlflow_3_17
   NUM  NAME                       STATE    STEPS  TENSORS     LOSS  NOTE  PATH
*    1  first                      ended        7        2  0.33333  -     tests/samples/mlflow_3_17
     2  failed: …L folds its line  failed       6        1  0.33333  -     tests/samples/mlflow_3_17
     3  goes on                    stalled      6        1  0.33333  -     tests/samples/mlflow_3_17
step,value
1,7
2,-1.7976931348623157e+308
3,0.75
9,1.5
{"lr":0.01,"model/depth":4,"opt":"adam"}
KEY         VALUE
status      FINISHED
experiment  alpha
tags.team   vision

# folders have infinities; the name is the tag, not what YAML folds
$ -batch -ex 'runs -field run,state,steps,newest' tests/samples/mlflow_2_9_files
RUN                                                                          STATE    STEPS     loss
goes on                                                                      stalled      6  0.33333
failed: 'it' # broke, and…a name that is so long that PyYAML folds its line  failed       6  0.33333
first                                                                        ended        7  0.33333

$ -batch -ex 'trial first' -ex 'series val/odd -csv -field step,value' -ex 'info config -json' -ex 'info summary' tests/samples/mlflow_2_9_files
   NUM  NAME                       STATE    STEPS  TENSORS     LOSS  NOTE  PATH
     1  goes on                    stalled      6        1  0.33333  -     tests/sa…ad6d5aad6337d14c
     2  failed: …L folds its line  failed       6        1  0.33333  -     tests/sa…aae18bd0bb58c46f
*    3  first                      ended        7        2  0.33333  -     tests/sa…92c439fc02812252
step,value
1,7
2,-inf
3,0.75
9,1.5
{"lr":0.01,"model/depth":4,"opt":"adam"}
KEY        VALUE
status     FINISHED
tags.team  vision

# trackio, with and without ids of runs; no texts, booleans and histograms
$ -batch -ex 'runs -field run,steps,newest' -ex 'tensors -field name,steps' -ex 'series loss -csv -field step,value' -ex 'series inf -csv -field step,value' -ex 'info config -json' tests/samples/trackio_0_43
RUN  STEPS     loss
one      6  0.33333
two      6  0.33333
NAME       STEPS
inf            6
loss           6
nan            6
train/acc      6
step,value
0,2
2,1
4,99
6,0.5
8,0.4
10,0.3333333333333333
step,value
0,2
2,2
4,2
6,2
8,-inf
10,2
{"lr":0.10000000000000001,"arch.depth":3,"opt":"adam"}

$ -batch -ex 'runs -field run,steps,newest' -ex 'tensors -field name,steps' -ex 'series loss -csv -field step,value' tests/samples/trackio_0_2
RUN  STEPS     loss
one      6  0.33333
two      6  0.33333
NAME       STEPS
loss           6
train/acc      6
step,value
0,2
2,1
4,99
6,0.5
8,0.4
10,0.3333333333333333

# one file
$ -batch -ex 'info trial -field name,kind' tests/samples/trackio_0_2/proj.db.zst
name  one
kind  trackio

# MLflow's metrics of the machine have a time and no step of the training
$ -batch -ex 'trial first' -ex 'info system' -ex 'tensors -field name' tests/samples/mlflow_3_17
   NUM  NAME                       STATE    STEPS  TENSORS     LOSS  NOTE  PATH
*    1  first                      ended        7        2  0.33333  -     tests/samples/mlflow_3_17
     2  failed: …L folds its line  failed       6        1  0.33333  -     tests/samples/mlflow_3_17
     3  goes on                    stalled      6        1  0.33333  -     tests/samples/mlflow_3_17
NAME                SAMPLES  NEWEST  MIN  MEAN  MAX  TREND
system/cpu_percent        6      55   50  52.5   55  ▁▂▃▅▆▇
NAME
loss
val/odd
$ -batch -ex 'trial first' -ex 'info system cpu_percent -json -field name,count,min,max' tests/samples/mlflow_2_9_files
   NUM  NAME                       STATE    STEPS  TENSORS     LOSS  NOTE  PATH
     1  goes on                    stalled      6        1  0.33333  -     tests/sa…ad6d5aad6337d14c
     2  failed: …L folds its line  failed       6        1  0.33333  -     tests/sa…aae18bd0bb58c46f
*    3  first                      ended        7        2  0.33333  -     tests/sa…92c439fc02812252
[{"name":"system/cpu_percent","count":6,"min":50,"max":55}]

# alerts of one of two runs
$ -batch --no-follow -iex 'set stall 11000d' -ex 'trial 2' -ex 'info events -csv -field kind,step,text' tests/samples/trackio_alerts
   NUM  NAME  STATE  STEPS  TENSORS  LOSS  NOTE  PATH
     1  one   live       4        1     1  -     tests/samples/trackio_alerts
*    2  two   live       4        1     1  -     tests/samples/trackio_alerts
kind,step,text
session,0,the job begins at step 0
alert,20,warn: Title alone
alert,20,error: Diverged: loss is 2
