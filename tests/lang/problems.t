# rank 0 alone evaluates at the end: nobody is behind or lost
$ -batch -ex 'info workers' -ex 'info problems' -ex 'doctor -field part,verdict' -ex 'info events -field kind' tests/trials/ddp_rank0_evaluates
WORKER    STEPS  FIRST  LAST  ENDED
worker_0      5      0     8  true
worker_1      3      0     4  true
No problems in rules, files, steps, workers, or in the values of step 8.
Of all steps, no value is NaN or infinite. Looked at: 104 of 104.
PART         VERDICT
directory    ok
collections  ok
index        ok
job          ok
events       ok
KIND
end
session

$ -batch -ex 'info workers -json' -ex 'info problems -json' tests/trials/ddp_rank0_evaluates
[{"worker":"worker_0","steps":5,"first_step":0,"last_step":8,"ended":true},{"worker":"worker_1","steps":3,"first_step":0,"last_step":4,"ended":true}]
[]

# a worker that is lost: the same everywhere
$ -batch -ex 'info workers' -ex 'info problems' -ex 'doctor -csv -field part,finding' -ex 'info events -field kind,step,text' tests/trials/ddp_worker_lost
WORKER    STEPS  FIRST  LAST  ENDED  BEHIND
worker_0     10      0    18  true   -
worker_1      5      0     8  false  5: lost
STEP  KIND    TENSOR  PROBLEM
  10  worker  -       worker_1 is lost: nothing at step 10 and after it
part,finding
directory,exists
collections,"6 collections, num_workers 2"
index,"15 index files, 10 steps, 13 tensors"
workers,"worker_1 wrote up to step 8, others up to 18"
job,ended: the end marker exists
events,15 event files exist and are as long as the index says
KIND     STEP  WHAT
end        18  the job has ended
lost        8  worker_1 wrote nothing after step 8: 5 steps lack it
session     0  the job begins at step 0

$ -batch -ex 'info workers -json' -ex 'info problems -json' tests/trials/ddp_worker_lost
[{"worker":"worker_0","steps":10,"first_step":0,"last_step":18,"ended":true},{"worker":"worker_1","steps":5,"first_step":0,"last_step":8,"ended":false}]
[{"step":10,"kind":"worker","rule":null,"worker":"worker_1","tensor":null,"text":"worker_1 is lost: nothing at step 10 and after it"}]

# missing for two steps
$ -batch -ex 'info problems' "$(cp -r tests/trials/ddp_two_workers "$T" && rm "$T"/ddp_two_workers/index/000000000/00000000000[46]_worker_1.json && echo "$T"/ddp_two_workers)"
STEP  KIND    TENSOR  PROBLEM
   4  worker  -       worker_1 is missing at step 4 and 1 after it

# what rules found, and the values of the current step
$ -batch -ex 'rule add exploding_tensor tensor_regex=MSELoss' -ex 'rule status -wait -field instance' -ex 'info problems -csv -field step,kind,rule,tensor' tests/trials/mlp_exploding_tensor | head -9
ExplodingTensor is attached.
RULE
ExplodingTensor
step,kind,rule,tensor
3,rule,ExplodingTensor,MSELoss_output_0
23,value,,MLP_fc0.bias
23,value,,MLP_fc0.weight
23,value,,MLP_fc1.bias
23,value,,MLP_fc1.weight

# damaged files
$ -batch -ex 'info problems -csv -field step,kind,text' -ex 'info events -csv -field kind,text' "$(sh tests/lang/files/damaged.sh "$T")" | sed 's/^error,.*/error/'
step,kind,text
20,file,damaged: conv0_output_0 at step 20: incomplete record (31543 of 37048 bytes)
20,file,damaged: relu0_input_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: relu0_output_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: relu1_input_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: relu1_output_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: relu2_input_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: relu2_output_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: CrossEntropyLoss_output_0 at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: labels at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: probabilities at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_fc1.bias at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_fc1.weight at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_fc0.bias at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_fc0.weight at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_conv1.weight at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_conv1.bias at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_conv0.weight at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: gradient/CNN_conv0.bias at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: scalar/accuracy at step 20: incomplete record header (0 of 12 bytes)
20,file,damaged: scalar/learning_rate at step 20: incomplete record header (0 of 12 bytes)
44,file,damaged: index/000000000/000000000044_worker_0.json at step 44: invalid JSON at offset 100: parse error: premature EOF
54,steps,1 saved step is missing before step 54
78,file,damaged: CNN_conv0.weight at step 78: no such file
78,file,damaged: CNN_conv0.bias at step 78: no such file
78,file,damaged: CNN_conv1.weight at step 78: no such file
78,file,damaged: CNN_conv1.bias at step 78: no such file
78,file,damaged: CNN_fc0.weight at step 78: no such file
78,file,damaged: CNN_fc0.bias at step 78: no such file
78,file,damaged: CNN_fc1.weight at step 78: no such file
78,file,damaged: CNN_fc1.bias at step 78: no such file
78,file,damaged: conv0_input_0 at step 78: no such file
78,file,damaged: conv0_output_0 at step 78: no such file
78,file,damaged: relu0_input_0 at step 78: no such file
78,file,damaged: relu0_output_0 at step 78: no such file
78,file,damaged: relu1_input_0 at step 78: no such file
78,file,damaged: relu1_output_0 at step 78: no such file
78,file,damaged: relu2_input_0 at step 78: no such file
78,file,damaged: relu2_output_0 at step 78: no such file
78,file,damaged: CrossEntropyLoss_output_0 at step 78: no such file
78,file,damaged: labels at step 78: no such file
78,file,damaged: probabilities at step 78: no such file
78,file,damaged: gradient/CNN_fc1.bias at step 78: no such file
78,file,damaged: gradient/CNN_fc1.weight at step 78: no such file
78,file,damaged: gradient/CNN_fc0.bias at step 78: no such file
78,file,damaged: gradient/CNN_fc0.weight at step 78: no such file
78,file,damaged: gradient/CNN_conv1.weight at step 78: no such file
78,file,damaged: gradient/CNN_conv1.bias at step 78: no such file
78,file,damaged: gradient/CNN_conv0.weight at step 78: no such file
78,file,damaged: gradient/CNN_conv0.bias at step 78: no such file
78,file,damaged: scalar/accuracy at step 78: no such file
78,file,damaged: scalar/learning_rate at step 78: no such file
kind,text
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
error
end,the job has ended
session,the job begins at step 0

# without a trial
$ -batch -ex 'info events -json' -ex 'info problems'
[]
! smdbg: No trial is open.  Use "open PATH".
? 1

# without an end marker: the job runs, or was killed
$ -batch -ex 'doctor -csv -field part,verdict,finding,cause' -ex 'info workers' "$(cp -r tests/trials/ddp_rank0_evaluates "$T/run" && rm "$T/run/training_job_end.ts" && echo "$T/run")" | grep -v '^job,'
part,verdict,finding,cause
directory,ok,exists,
collections,ok,"6 collections, num_workers 2",
index,ok,"8 index files, 5 steps, 13 tensors",
steps,note,2 steps were written by some workers only,the others do not save that mode; no worker is behind
events,ok,8 event files exist and are as long as the index says,
WORKER    STEPS  FIRST  LAST  ENDED
worker_0      5      0     8  false
worker_1      3      0     4  false

$ -batch -ex 'doctor -csv -field part,verdict,finding,cause' -ex 'info workers' "$(cp -r tests/trials/ddp_worker_lost "$T/run" && rm "$T/run/training_job_end.ts" && echo "$T/run")" | grep -v '^job,'
part,verdict,finding,cause
directory,ok,exists,
collections,ok,"6 collections, num_workers 2",
index,ok,"15 index files, 10 steps, 13 tensors",
steps,note,5 steps lack a worker,a worker is behind or was lost
workers,bad,"worker_1 wrote up to step 8, others up to 18","it was lost, hangs, or is slower"
events,ok,15 event files exist and are as long as the index says,
WORKER    STEPS  FIRST  LAST  ENDED  BEHIND
worker_0     10      0    18  false  -
worker_1      5      0     8  false  5

# what has no step is at none, for people
$ -batch -ex 'info events -field step,kind' -ex 'info events -json -field step' "$(sh tests/lang/files/damaged.sh "$T")" | grep -A1 'STEP\|error\|-1' | head -2
STEP  KIND
   -  error
