# of what was opened nothing can be read: said with the reason, also by the exit status, and never called waiting
$ -n -batch --no-follow -ex 'info trial -field kind,state,errors' -ex 'info errors -field file,message' "$(printf 'no array at all' >$T/a.npy; echo $T/a.npy)"
kind    npy
state   unreadable
errors  1
FILE   MESSAGE
a.npy  no array of numpy
! smdbg: $T: a.npy: no array of numpy
? 5

$ -n -batch --no-follow -ex 'info trial -field kind,state,errors' "$(head -c 64 tests/samples/checkpoints/types/model.safetensors >$T/m.safetensors; echo $T)"
kind    safetensors
state   unreadable
errors  1
! smdbg: $T: m.safetensors: a header of 592 bytes in a file of 64 bytes
? 5

$ -n -batch --no-follow -ex 'info trial -field kind,state,errors' "$(mkfifo $T/events.out.tfevents.1700000000.host; echo $T)"
kind    tensorboard
state   unreadable
errors  1
! smdbg: $T: events.out.tfevents.1700000000.host: not a regular file
? 5

$ -n -batch --no-follow -ex 'info trial -field kind,state' "$(mkdir -p $T/run/events.out.tfevents.1700000000.host; echo $T/run)"
! smdbg: $T/run: no run in 0 files of 2 folders (events.out.tfevents.1700000000.host/).  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5

# one that can be read, beside one that is damaged
$ -n -batch --no-follow -ex 'info trial -field kind,state,errors' "$(printf 'no array at all' >$T/step_1.npy; cp tests/samples/checkpoints/types/model.safetensors $T/step_2.safetensors; echo $T)"
kind    safetensors
state   live
errors  1

# what the search for runs has left out
$ -n -batch --no-follow "$(mkdir -p $T/1/2/3/4/5/6/7/run; printf 'step,loss\n1,2\n2,1\n' >$T/1/2/3/4/5/6/7/run/metrics.csv; echo $T)"
! smdbg: $T: no run in 0 files of 7 folders (1/); left out: folders more than 6 levels down.  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5

# the directory of a program that keeps all in a hidden folder is not a trial that waits
$ -n -batch --no-follow "$(mkdir $T/.aim; echo $T)"
! smdbg: $T: no run in 0 files of 1 folder (.aim/).  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5
