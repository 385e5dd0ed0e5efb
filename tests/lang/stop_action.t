# a file is made at a stop, at the later ones too; not on the way back
$ -batch -ex "set stop-action file $T/f" -ex 'break step if $s >= 30' -ex 'goto first' -ex c -ex c -ex rc -ex 'info events -field rule,step,text' -ex "!ls $T" --allow-shell tests/trials/cnn_healthy
Breakpoint 1 at every step
step 0 (train 0)
\
Breakpoint 1, step 30 (eval 0)
$s = 30 >= 30
\
Breakpoint 1, step 32 (eval 2)
$s = 32 >= 30
\
Breakpoint 1, step 30 (eval 0)
$s = 30 >= 30
RULE          STEP  WHAT
Breakpoint 1    32  stop-action: the file was created
Breakpoint 1    30  stop-action: the file was created
-              101  the job has ended
-                0  the job begins at step 0
f

# a command: values in its environment, output and status in the log; a batch waits for it
$ -batch -ex 'set stop-action shell echo $SMDBG_BREAKPOINT $SMDBG_STEP $SMDBG_TENSOR $SMDBG_WORKER $SMDBG_VALUE $(basename $SMDBG_TRIAL); exit 3' -ex 'tbreak gradient/* if nan($t) > 0' -ex 'dprintf step,"at %d",$_step' -ex 'goto 2' -ex c -ex 'info events -csv -field rule,step,text' tests/trials/mlp_exploding_tensor
Temporary breakpoint 1 at gradient/* (8 tensors)
Dprintf 2 at every step
step 2
\
Temporary breakpoint 1, gradient/MLP_out.weight at step 3, worker_0 (and 5 more)
nan($t) = 7 > 0
at 3
rule,step,text
Temporary breakpoint 1,3,"""echo $SMDBG_BREAKPOINT $SMDBG_STEP $SMDBG_TENSOR $SMDBG_WORKER $SMDBG_VALUE $(basename $SMDBG_TRIAL); exit 3"" ended with status 3: 1 3 gradient/MLP_out.weight worker_0 7 mlp_exploding_tensor"
,23,the job has ended
,0,the job begins at step 0

# the message is what the stop is told with
$ -batch -ex 'set stop-action shell echo "$SMDBG_MESSAGE"' -ex 'break rule VanishingGradient' -ex c -ex 'info events -csv -field text' tests/trials/mlp_vanishing_gradient
Breakpoint 1 at rule VanishingGradient
\
Breakpoint 1, gradient/MLP_fc0.bias at step 0, worker_0
VanishingGradient: mean|g| = 1.67535e-09 < 1e-07 (6 of 20 tensors)
text
"""echo ""$SMDBG_MESSAGE"""" ended with status 0: Breakpoint 1, gradient/MLP_fc0.bias at step 0, worker_0
VanishingGradient: mean|g| = 1.67535e-09 < 1e-07 (6 of 20 tensors)"
the job has ended
the job begins at step 0

# none, unknown ones, a process that is not there, a file that cannot be made
$ -batch --keep-going -ex 'set stop-action explode' -ex 'set stop-action pid 1' -ex 'set stop-action pid 12 SIGSPAM' -ex 'set stop-action file' -ex 'set stop-action' -ex 'show stop-action' -ex 'break step' -ex c -ex 'set stop-action pid 2147483646 SIGSTOP' -ex c -ex 'set stop-action file /nonexistent/x' -ex c -ex 'info events -field text' tests/trials/cnn_healthy
The current value of 'stop-action' is "".
Breakpoint 1 at every step
\
Breakpoint 1, step 0 (train 0)
\
Breakpoint 1, step 10 (train 10)
\
Breakpoint 1, step 20 (train 20)
WHAT
stop-action: /nonexistent/x: No such file or directory
stop-action: process 2147483646: No such process
the job has ended
the job begins at step 0
! smdbg: Invalid stop action "explode": expected "pid N [SIGNAL]", "file PATH" or "shell CMD".  "set stop-action" alone removes it.
! smdbg: Invalid stop action "pid 1": expected "pid N [SIGNAL]", "file PATH" or "shell CMD".  "set stop-action" alone removes it.
! smdbg: Invalid stop action "pid 12 SIGSPAM": expected "pid N [SIGNAL]", "file PATH" or "shell CMD".  "set stop-action" alone removes it.
! smdbg: Expected an argument after "file".
? 1

# a debugger that only reads
$ -batch --readonly -ex "set stop-action file $T/f" -ex 'break step' -ex c -ex 'info events -field rule,text' tests/trials/cnn_healthy
Breakpoint 1 at every step
\
Breakpoint 1, step 0 (train 0)
RULE          WHAT
Breakpoint 1  stop-action: refused by --readonly
-             the job has ended
-             the job begins at step 0

# a pipe that belongs to the command stands in quotes
$ -batch --keep-going -ex 'set stop-action shell echo a b | wc -w' -ex 'set stop-action "shell echo a b | wc -w"' -ex 'set confirm off > /dev/null' -ex 'tbreak step' -ex c -ex 'info events -field text' tests/trials/cnn_healthy
Temporary breakpoint 1 at every step
\
Temporary breakpoint 1, step 0 (train 0)
WHAT
"echo a b | wc -w" ended with status 0: 2
the job has ended
the job begins at step 0
! smdbg: Shell commands are refused in a batch without --allow-shell.
! smdbg: set has no output for "|" or ">". Quote the value if they are part of it.
? 1

# neither a stop nor a rule writes into a trial
$ -batch -ex 'set rule-actions on' -ex 'set stop-action file tests/trials/mlp_exploding_tensor/stop' -ex "rule add exploding_tensor action='log tests/trials/mlp_exploding_tensor/log; stop'" -ex 'rule status -wait -field instance' -ex 'info events -field text' tests/trials/mlp_exploding_tensor
ExplodingTensor is attached.
RULE
ExplodingTensor
WHAT
stop-action: tests/trials/mlp_exploding_tensor/stop: cannot write into a trial.
log: tests/trials/mlp_exploding_tensor/log: cannot write into a trial.
ExplodingTensor fired at step 3: MSELoss_output_0: 0 NaN, 1 +Inf, 0 -Inf of 1 (9 of 23 tensors)
the job has ended
the job begins at step 0
