# what the fingers of a gdb user type
$ -batch -ex 'goto first' -ex si -ex stepi -ex 'tensor CNN_fc1.bias -s' -ex ni -ex 'f' tests/trials/cnn_healthy
step 0 (train 0)
step 10 (train 10)
step 20 (train 20)
CNN_fc1.bias  step 20 (train 20)  float32 (10,)
min -0.138687  max 0.0844305  mean 1.21072e-09  std 0.0676073  nan 0  inf 0  zero 0
step 30 (eval 0)  CNN_fc1.bias
! smdbg: Nothing is wrong here: there are no frames.  Try "bt".
? 4

$ -batch -ex 'bt full' -ex 'bt 1 full MLP_out.bias' -ex f tests/trials/mlp_exploding_tensor
#0  step 23  MSELoss_output_0  NaN
#1  step 4   MSELoss_output_0  NaN           first NaN
#2  step 1   MSELoss_output_0  |x| 1.78e+03  x 4.2e+02 since 0  origin
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
#0  step 23  MLP_out.bias  3 NaN of 3
(More frames follow: 39.)
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
#0  step 23  MLP_out.bias  3 NaN of 3

$ -batch --keep-going -ex 'set var $v = 3' -ex 'p $v' -ex 'set variable $v=max(CNN_fc1.bias@10)' -ex 'p $v' -ex 'p $v = 4' -ex 'p $v == 4' -ex 'p $w=$v+1' -ex 'p $' -ex 'p $$2' -ex 'set var x = 3' -ex 'p $_step = 3' -ex 'p $1 = 3' tests/trials/cnn_healthy
$1 = 3
$2 = 0.0440530851483345
$3 = 4
$4 = true
$5 = 5
$6 = 5
$7 = true
! smdbg: Tensors cannot be changed; "set var $name = EXPR" sets a variable.
! smdbg: "$_step" cannot be set.
! smdbg: "$1" cannot be set.
? 1

# size letters, which must be those of the elements
$ -batch --keep-going -ex 'x/4fw CNN_fc1.bias' -ex 'x/2wf CNN_fc1.bias' -ex 'x/2xw CNN_fc1.bias' -ex 'x/2w CNN_fc1.bias' -ex 'x/2dg labels' -ex 'x/2xb CNN_fc1.bias' -ex 'print/xw 3' -ex 'x/2fq CNN_fc1.bias' tests/trials/cnn_healthy
CNN_fc1.bias+0:  -0.0274037067  -0.0141677307  0.134350225  0.159749538
CNN_fc1.bias+0:  -0.0274037067  -0.0141677307
CNN_fc1.bias+0:  0xbce07dbd  0xbc681fc5
CNN_fc1.bias+0:  0xbce07dbd  0xbc681fc5
labels+0:  3  8
! smdbg: Size letter b is 1 byte, the elements of CNN_fc1.bias have 4.
! smdbg: Size letters are meaningless in this command.
! smdbg: Invalid character "q" in /FMT.
? 1

# abbreviations of gdb; finish is not find
$ -batch --keep-going -ex 'b step' -ex 'dis' -ex 'en' -ex 'cond 1 $s > 10' -ex 'u $s > 10' -ex 'fin' -ex 'finish' -ex 'adv 3' -ex 'i b' -ex 'd' -ex 'i b' tests/trials/cnn_healthy
Breakpoint 1 at every step
step 20 (train 20)
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  step
     stop only if $s > 10
No breakpoints.
! smdbg: Undefined command: "fin".  Try "help".  "continue" goes to the next stop, "up" to the next frame of bt.
! smdbg: Undefined command: "finish".  Try "help".  "continue" goes to the next stop, "up" to the next frame of bt.
! smdbg: Undefined command: "adv".  Try "help".  "goto STEP" goes to a step, "until EXPR" to a condition.
? 1

# commands that only gdb has say what to use
$ -batch --keep-going -ex 'file x' -ex 'start' -ex 'catch throw' -ex 'info locals' -ex 'info args' -ex 'info threads' -ex 'thread 2' -ex 'call 3' -ex 'jump 4' -ex 'rwatch x'
! smdbg: Undefined command: "file".  Try "help".  "open PATH" opens a trial.
! smdbg: Undefined command: "start".  Try "help".  "run" begins at the first step, "goto first" only goes there.
! smdbg: Undefined command: "catch".  Try "help".  "break error" stops at values that cannot be read, "break rule NAME" at violations.
! smdbg: Undefined info command: "locals".  Try "help info".  "tensors step ." lists what was saved at the step.
! smdbg: Undefined info command: "args".  Try "help info".  "tensors step ." lists what was saved at the step.
! smdbg: Undefined info command: "threads".  Try "help info".  "info workers" lists the workers.
! smdbg: Undefined command: "thread".  Try "help".  "info workers" lists the workers, "@100/worker_1" selects one.
! smdbg: Undefined command: "call".  Try "help".  "print EXPR" evaluates an expression.
! smdbg: Undefined command: "jump".  Try "help".  "goto STEP" goes to a step.
! smdbg: Undefined command: "rwatch".  Try "help".  "watch" stops where a value changes.
? 1

# suggestions only for near words
$ -batch --keep-going -ex catch -ex make -ex edit -ex tensro -ex rpint -ex 'info tensrs' -ex 'help brekpoint' -ex 'set paginatoin off'
! smdbg: Undefined command: "catch".  Try "help".  "break error" stops at values that cannot be read, "break rule NAME" at violations.
! smdbg: Undefined command: "make".  Try "help".
! smdbg: Undefined command: "edit".  Try "help".
! smdbg: Undefined command: "tensro".  Try "help".  Did you mean "tensor"?
! smdbg: Undefined command: "rpint".  Try "help".  Did you mean "print"?
! smdbg: Undefined info command: "tensrs".  Try "help info".  Did you mean "tensors"?
! smdbg: Undefined command: "brekpoint".  Try "help".
! smdbg: Undefined set command: "paginatoin".  Try "help set".  Did you mean "pagination"?
? 1

# one name is wanted where a pattern is given
$ -batch --keep-going -ex 'tensor CNN_fc1*' -ex 'x/2g /bias/' -ex 'heatmap +weights' -ex 'tensor *nosuch*' -ex 'tensor CNN_fc1.w*' tests/trials/cnn_healthy
! smdbg: One name is wanted: "CNN_fc1*" matches 2 tensors, such as "CNN_fc1.bias".
! smdbg: One name is wanted: "/bias/" matches 8 tensors, such as "CNN_conv0.bias".
! smdbg: One name is wanted: "+weights" matches 4 tensors, such as "CNN_conv0.weight".
! smdbg: No tensor "*nosuch*". Try "tensors".
! smdbg: One name is wanted: "CNN_fc1.w*" matches only "CNN_fc1.weight".
? 1

# each command answers -help, also those with a body
$ -batch -ex 'commands -help' -ex 'shell -help'
Set commands to run when a breakpoint stops; "end" ends them.
Usage: commands [N...]
\
Without N the newest breakpoint is used; N may be a range such as 2-5. If the first line is
"silent", the stop itself is not reported. Without lines the commands are removed. $t is the tensor
of the hit, $_bpnum the number of the breakpoint.
\
Example: commands 1
See also: break, dprintf.
Run a shell command (also "!COMMAND"), or a shell.
Usage: shell [COMMAND]
\
Its exit status is in $_shell_exitcode.
\
Example: shell nvidia-smi
See also: pipe.
