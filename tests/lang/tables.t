# tables of metrics: several rows of one step, a column that came late, settings beside the table
$ -batch -ex 'runs -json -field run,path,kind,steps,last_step,metric,best_step' -ex 'series grad_scale -field step,value' -ex 'info config -json' tests/samples/lightning
[{"run":"version_0","path":"version_0/metrics.csv","kind":"csv","steps":11,"last_step":30,"metric":"val_loss","best_step":29}]
STEP  VALUE
  19    9.5
  23   11.5
  27   13.5
{"late":17,"lr":0.050000000000000003,"width":6}

# a file that was given; a restart: the later row counts
$ -batch -ex 'series loss -field step,value' tests/samples/tsv_restart/log.tsv
STEP   VALUE
   0  2.4421
 100  3.1718
 200   3.937
 300  4.7324
 400  5.5535
 500  10.397
 600  11.259
 700  12.137
 800  13.029
 900  13.934
1000  14.849

# lines of JSON: nested names, bare NaN, a torn end
$ -batch -ex 'tensors -field name,steps' -ex 'series "train/loss" -field step,value' -ex 'info errors' tests/samples/jsonl_nested
NAME          STEPS
epoch            12
train/loss       12
train/opt/lr     12
val/loss          1
STEP   VALUE
   0  5.0893
   5  4.4859
  10  3.9585
  15  3.4969
  20  3.0927
  25  2.7383
  30  2.4272
  35     nan
  40     inf
  45   1.702
  50  1.5154
  55  1.3509
No errors found.

# a file for each step
$ -batch -ex 'runs -json -field run,kind,last_step' -ex 'series "train/CE loss" -field step,value' tests/samples/olmo_metrics
[{"run":"olmo_metrics","kind":"jsonl","last_step":250}]
STEP   VALUE
  50  16.698
 100  14.466
 250     nan

# checkpoints of one training are one run; a checkpoint by itself is one, too
$ -batch -ex 'runs -json -field run,path,kind,state,steps,last_step' -ex 'series eval_loss -field step,value' -ex 'info config -json' -ex 'info summary' tests/samples/hf_trainer
[{"run":"hf_trainer","path":".","kind":"trainer_state","state":"ended","steps":12,"last_step":60}]
STEP   VALUE
  20  2.8396
  40  2.3815
  60  2.2387
{"eval_steps":20,"logging_steps":5,"max_steps":60,"num_train_epochs":4,"save_steps":20,"train_batch_size":16}
KEY                    VALUE
epoch                  3.75
global_step            60
num_input_tokens_seen  0
total_flos             607518720.0

$ -batch -ex 'runs -json -field run,path,kind,steps,last_step' tests/samples/hf_trainer/checkpoint-20
[{"run":"checkpoint-20","path":".","kind":"trainer_state","steps":4,"last_step":20}]

# the sessions of TensorBoard below the output folder are of the same run: each scalar of a step is there once
$ -batch -ex 'runs -json -field run,path,kind,last_step' -ex 'info trial -json -field parts,sources' -ex 'series loss -field step,value' -ex 'info config -json' tests/samples/hf_tensorboard
[{"run":"hf_tensorboard","path":".","kind":"trainer_state","last_step":55}]
{"parts":["trainer_state","tensorboard"],"sources":{"loss":"trainer_state, tensorboard","learning_rate":"trainer_state, tensorboard","epoch":"trainer_state, tensorboard","eval_loss":"trainer_state, tensorboard"}}
STEP   VALUE
   5  2.7145
  10  2.4562
  15  2.2225
  20   2.011
  25  1.8196
  30  1.6464
  35  1.4898
  40   1.348
  45  1.2197
  50  1.1036
  55  0.9986
{"logging_steps":5,"max_steps":60,"learning_rate":5.0000000000000002e-05,"seed":42,"optim_args":null}

# names that a terminal would obey
$ -batch -ex 'runs -field run,newest' -ex 'info config' tests/samples/csv_escapes
RUN  \x1b[31mloss
a               1
b               1
KEY        VALUE
lr\x1b[2J  1


# what has no time says so
$ -batch -ex 'series loss -json' -ex 'tensors loss -field name,steps' tests/samples/tsv_restart
{"name":"loss","reduction":null,"mode":null,"worker":".","points":[{"step":0,"mode_step":0,"time":null,"value":2.4420999999999999,"mode":"GLOBAL"},{"step":100,"mode_step":100,"time":null,"value":3.1718000000000002,"mode":"GLOBAL"},{"step":200,"mode_step":200,"time":null,"value":3.9369800000000001,"mode":"GLOBAL"},{"step":300,"mode_step":300,"time":null,"value":4.7323599999999999,"mode":"GLOBAL"},{"step":400,"mode_step":400,"time":null,"value":5.55349,"mode":"GLOBAL"},{"step":500,"mode_step":500,"time":null,"value":10.396699999999999,"mode":"GLOBAL"},{"step":600,"mode_step":600,"time":null,"value":11.258699999999999,"mode":"GLOBAL"},{"step":700,"mode_step":700,"time":null,"value":12.1371,"mode":"GLOBAL"},{"step":800,"mode_step":800,"time":null,"value":13.029400000000001,"mode":"GLOBAL"},{"step":900,"mode_step":900,"time":null,"value":13.9339,"mode":"GLOBAL"},{"step":1000,"mode_step":1000,"time":null,"value":14.8489,"mode":"GLOBAL"}],"unread":0}
NAME  STEPS
loss     11

# a metric may be called "nan"
$ -batch -ex 'tensors -field name,steps -csv' "$(mkdir $T/named && printf 'epoch,nan,step,val_loss\n0,,1,0.5\n0,nan,2,0.4\n' >$T/named/metrics.csv; echo $T/named)"
name,steps
epoch,2
nan,1
val_loss,2

# the table of Ultralytics, with its settings
$ -batch -ex 'series train/box_loss -csv -field step,value' -ex 'runs imgsz == 64 -field run' -ex 'tensors metrics/* -field name,steps -csv' tests/samples/ultralytics_csv
step,value
1,0.47589
2,0.92383
3,0.38462
4,0.12266
RUN
ultralytics_csv
name,steps
metrics/mAP50(B),4
metrics/mAP50-95(B),4
metrics/precision(B),4
metrics/recall(B),4

# a table for each series, as DVCLive writes them; a later one, and a row that is not whole
$ -batch --no-follow -ex 'runs -json -field run,path,kind,steps,last_step,metric' -ex 'tensors -csv -field name,steps,last_step' -ex 'info config -json' tests/samples/dvclive
[{"run":"dvclive","path":"plots/metrics/*.tsv","kind":"csv","steps":30,"last_step":29,"metric":"train/loss"}]
name,steps,last_step
acc,30,29
train/loss,30,29
{"lr":0.001,"batch":32,"opt.name":"adam"}

$ -batch --no-follow -ex 'series late -field step,value' "$(cp -r tests/samples/dvclive $T/d; printf 'timestamp\tstep\tlate\n1\t0\tnan\n2\t5\t2.5\n3\t6\t1' >$T/d/plots/metrics/late.tsv; echo $T/d)"
STEP  VALUE
   0    nan
   5    2.5
