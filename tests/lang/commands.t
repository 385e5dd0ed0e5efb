# lines that run at a stop; $t is the tensor there
$ -batch -ex 'break CNN_fc1.bias' -ex 'commands' -ex 'print norm($t)' -ex 'print $_bpnum' -ex 'end' -ex 'info b' -ex c tests/trials/cnn_healthy
Breakpoint 1 at CNN_fc1.bias (1 tensor)
Num  Type        Disp  Enb  Hits  What
1    breakpoint  keep  y       0  CNN_fc1.bias
        print norm($t)
        print $_bpnum
\
Breakpoint 1, CNN_fc1.bias at step 0 (train 0), worker_0
$1 = 0
$2 = 1

# silent, and on again from within
$ -batch -ex 'break CNN_fc1.bias' -ex 'commands 1' -ex silent -ex 'printf "%d %s\n",$_step,$_tensor' -ex 'if $_step < 20' -ex continue -ex end -ex end -ex c -ex 'display $_hits' -ex c -ex 'commands 1' -ex end -ex c tests/trials/cnn_healthy
Breakpoint 1 at CNN_fc1.bias (1 tensor)
0 CNN_fc1.bias
10 CNN_fc1.bias
20 CNN_fc1.bias
1: $_hits = 3
30 CNN_fc1.bias
\
Breakpoint 1, CNN_fc1.bias at step 32 (eval 2), worker_0
1: $_hits = 5

# two at one step run theirs in turn; one for a single stop still runs them
$ -batch -ex 'tbreak CNN_fc1.bias' -ex 'break CNN_fc0.bias' -ex 'commands 1 2' -ex 'echo here\n' -ex end -ex 'commands 2' -ex 'echo there\n' -ex end -ex c -ex 'info b' tests/trials/cnn_healthy
Temporary breakpoint 1 at CNN_fc1.bias (1 tensor)
Breakpoint 2 at CNN_fc0.bias (1 tensor)
\
Temporary breakpoint 1, CNN_fc1.bias at step 0 (train 0), worker_0
Breakpoint 2, CNN_fc0.bias at step 0 (train 0), worker_0
here
there
Num  Type        Disp  Enb  Hits  What
2    breakpoint  keep  y       1  CNN_fc0.bias
        echo there\n

# dprintf prints and goes on, also on the way back; where something stops it stops
$ -batch -ex 'dprintf CNN_fc1.weight,"%s step %d norm %.3f",$_tensor,$_step,norm($t)' -ex 'condition 1 $s > 20' -ex 'break step if $s==44' -ex c -ex 'info b' -ex 'delete 2' -ex rc -ex 'dprintf step,"%d",$_step' -ex 'c -json' -ex 'ignore 1 100' tests/trials/cnn_healthy
Dprintf 1 at CNN_fc1.weight (1 tensor)
Breakpoint 2 at every step
CNN_fc1.weight step 30 norm 3.565
CNN_fc1.weight step 32 norm 3.565
CNN_fc1.weight step 34 norm 3.565
\
Breakpoint 2, step 44 (train 40)
$s = 44 == 44
CNN_fc1.weight step 44 norm 3.935
Num  Type        Disp  Enb  Hits  What
1    dprintf     keep  y       4  CNN_fc1.weight
     stop only if $s > 20
     printf "%s step %d norm %.3f",$_tensor,$_step,norm($t)
2    breakpoint  keep  y       1  step
     stop only if $s==44
CNN_fc1.weight step 34 norm 3.565
CNN_fc1.weight step 32 norm 3.565
CNN_fc1.weight step 30 norm 3.565
step 0 (train 0)  CNN_fc1.weight
No breakpoint was hit down to the first step.
Dprintf 3 at every step
10
20
CNN_fc1.weight step 30 norm 3.565
30
CNN_fc1.weight step 32 norm 3.565
32
CNN_fc1.weight step 34 norm 3.565
34
CNN_fc1.weight step 44 norm 3.935
44
CNN_fc1.weight step 54 norm 4.116
54
CNN_fc1.weight step 64 norm 4.220
64
CNN_fc1.weight step 66 norm 4.220
66
CNN_fc1.weight step 68 norm 4.220
68
CNN_fc1.weight step 78 norm 4.333
78
CNN_fc1.weight step 88 norm 4.414
88
CNN_fc1.weight step 98 norm 4.459
98
CNN_fc1.weight step 100 norm 4.459
100
101
{"step":101,"mode":"EVAL","mode_step":11,"tensor":"CNN_fc1.weight","displays":[],"reason":"last-step"}
Will ignore next 100 hits of breakpoint 1.

# a breakpoint that is silent does not silence another one at the same step
$ -batch -ex 'break step if $s>=1000' -ex 'commands 1' -ex silent -ex 'echo one\n' -ex end -ex 'break step if $s>=1000' -ex c -ex 'disable 2' -ex c -ex 'print $_step' tests/trials/many_steps
Breakpoint 1 at every step
Breakpoint 2 at every step
\
Breakpoint 2, step 1000 (train 1000)
$s = 1000 >= 1000
one
one
$1 = 1005

# saved, and made again by source
$ -batch -ex 'break gradient/* *bias mode train if nan($t) > 0' -ex 'tbreak end' -ex 'watch -ratio -tol 0.3 weights if $s > 3' -ex 'watch -tol 2 1 + max(CNN_fc1.bias)' -ex 'dprintf step,"%d",$_step' -ex 'commands 1' -ex 'if 1' -ex 'echo x\n' -ex end -ex end -ex 'condition -hitcount 1 >= 2' -ex 'ignore 2 1' -ex 'enable once 3' -ex 'disable 4' -ex 'condition 5 $s > 9' -ex "save breakpoints $T/b" -ex 'delete' -ex "source $T/b" -ex 'info b' -ex "save breakpoints $T/c" -ex "shell cmp $T/b $T/c && echo same" -ex "shell cat $T/b" --allow-shell tests/trials/cnn_healthy
Breakpoint 1 at gradient/* *bias (12 tensors)
Temporary breakpoint 2 at the end of the job
Watchpoint 3: -ratio -tol 0.3 +weights (4 tensors)
Watchpoint 4: -tol 2 1 + max(CNN_fc1.bias)
Dprintf 5 at every step
Will ignore next 1 hit of breakpoint 2.
Saved 5 breakpoints to $T/b.
Breakpoint 6 at gradient/* *bias (12 tensors)
Temporary breakpoint 7 at the end of the job
Will ignore next 1 hit of breakpoint 7.
Watchpoint 8: -ratio -tol 0.3 +weights (4 tensors)
Watchpoint 9: -tol 2 1 + max(CNN_fc1.bias)
Dprintf 10 at every step
Num  Type        Disp  Enb  Hits  What
6    breakpoint  keep  y       0  gradient/* *bias mode TRAIN
     stop only if nan($t) > 0
     stop only if hits >= 2
        if 1
          echo x\n
        end
7    breakpoint  del   y       0  end
     ignore next 1 hits
8    watchpoint  dis   y       0  -ratio -tol 0.3 +weights
     stop only if $s > 3
9    watchpoint  keep  n       0  -tol 2 1 + max(CNN_fc1.bias)
10   dprintf     keep  y       0  step
     stop only if $s > 9
     printf "%d",$_step
Saved 5 breakpoints to $T/c.
same
break gradient/* *bias mode TRAIN if nan($t) > 0
condition -hitcount $bpnum >= 2
commands $bpnum
  if 1
    echo x\n
  end
end
tbreak end
ignore $bpnum 1
watch -ratio -tol 0.3 +weights
condition $bpnum $s > 3
enable once $bpnum
watch -tol 2 1 + max(CNN_fc1.bias)
disable $bpnum
dprintf step,"%d",$_step
condition $bpnum $s > 9

$ -batch --keep-going -ex "save breakpoints $T/b" -ex 'commands' -ex end -ex 'commands 3' -ex end -ex 'dprintf weights' -ex 'dprintf nosuch,"x"' -ex 'dprintf "a,"x"' -ex silent tests/trials/cnn_healthy
! smdbg: There are no breakpoints to save.
! smdbg: No breakpoints specified.
! smdbg: No breakpoint number 3.
! smdbg: Usage: dprintf LOC,"FORMAT",EXPR...
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: Usage: dprintf LOC,"FORMAT",EXPR...
? 4

# a file that is there is written over when asked to only
$ -batch --keep-going -ex 'break step' -ex "save breakpoints $T/b" -ex 'break end' -ex "save breakpoints $T/b" -ex "shell cat $T/b" -ex "save breakpoints -f $T/b" -ex "shell cat $T/b" -ex "save $T/x.bin CNN_fc1.bias step 10" -ex "save $T/x.bin CNN_fc1.bias step 20" -ex "save $T/x.bin CNN_fc1.bias step 20 -f" --allow-shell tests/trials/cnn_healthy
Breakpoint 1 at every step
Saved 1 breakpoint to $T/b.
Breakpoint 2 at the end of the job
break step
Saved 2 breakpoints to $T/b.
break step
break end
CNN_fc1.bias  step 10 (train 10)  float32 (10,)
Saved to $T/x.bin (40 bytes).
CNN_fc1.bias  step 20 (train 20)  float32 (10,)
Saved to $T/x.bin (40 bytes).
! smdbg: $T/b already exists.  Use -f to overwrite it.
! smdbg: $T/x.bin already exists.  Use -f to overwrite it.
? 1

# many that go on by themselves, to the last step
$ -batch -ex 'dprintf step,"step %d",$_step' -ex 'condition 1 $s % 50 == 0' -ex c -ex c tests/trials/many_steps
Dprintf 1 at every step
step 0
step 50
step 100
step 150
step 200
step 250
step 300
step 350
step 400
step 450
step 500
step 550
step 600
step 650
step 700
step 750
step 800
step 850
step 900
step 950
step 1000
step 1050
step 1100
step 1150
step 1195 (train 1195)
No breakpoint was hit up to the last step.
! smdbg: There is no later step.  "run" starts at the first one, "reverse-continue" goes back.
? 4

# what only prints goes on with what was asked of the answer
$ -batch -ex 'dprintf step,"%d \"%s\"\\",$s,$_mode' -ex 'tbreak step if $s > 15' -ex 'run -json' -ex 'ignore 1 100' -ex 'c -jsonl -field step,reason -timeout 1h' tests/trials/cnn_healthy
Dprintf 1 at every step
Temporary breakpoint 2 at every step
0 "void"\
10 "void"\
{"step":20,"mode":"TRAIN","mode_step":20,"tensor":null,"displays":[],"reason":"breakpoint","bkpt":2,"value":20}
20 "void"\
Will ignore next 100 hits of breakpoint 1.
{"step":101,"reason":"last-step"}

# a text that cannot be made
$ -batch --keep-going -ex 'dprintf step,"%d",nosuch' -ex 'dprintf step,"%d","text"' -ex 'tbreak step if $s > 5' -ex run -ex 'info b -field number,enabled' tests/trials/cnn_healthy
Dprintf 1 at every step
Temporary breakpoint 2 at every step
Dprintf 1 is disabled: %d needs a number, not text.
\
Temporary breakpoint 2, step 10 (train 10)
$s = 10 > 5
Num  Enb
  1  false
! smdbg: No tensor "nosuch".
? 4

# a format that cannot be right is refused; what dprintf takes for a place
$ -batch --keep-going -ex 'dprintf step,"%d"' -ex 'dprintf step,"",1' -ex 'dprintf step,"%q",1' -ex 'dprintf step,"%d",1+' -ex 'dprintf end,"ended at %d",$s' -ex 'dprintf error,"bad"' -ex 'dprintf stall,"stalled"' -ex c -ex 'c' -ex 'tbreak end' -ex 'break end' -ex run -ex 'run -json' -ex 'info b -field number,type,hits,what' tests/trials/cnn_healthy
Dprintf 1 at the end of the job
Dprintf 2 at values that cannot be read
Dprintf 3 at a stall of the job
step 101 (eval 11)
No breakpoint was hit up to the last step.
ended at 101
Temporary breakpoint 4 at the end of the job
Breakpoint 5 at the end of the job
\
Temporary breakpoint 4, end of the job at step 101 (eval 11)
Breakpoint 5, end of the job at step 101 (eval 11)
ended at 101
{"step":101,"mode":"EVAL","mode_step":11,"tensor":null,"displays":[],"reason":"breakpoint","bkpt":5,"value":null}
ended at 101
Num  Type        Hits  What
  1  dprintf        1  end
  2  dprintf        0  error
  3  dprintf        0  stall
  5  breakpoint     1  end
! smdbg: Wrong number of arguments for the format: expected 1, got 0.
! smdbg: Wrong number of arguments for the format: expected 0, got 1.
! smdbg: Bad format "%q": use %d %u %x %o %c %f %e %g %s or %%.
! smdbg: Unexpected end of the expression at column 3.
! smdbg: There is no later step.  "run" starts at the first one, "reverse-continue" goes back.
? 1
