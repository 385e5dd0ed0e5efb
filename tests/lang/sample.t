$ sample -o $T/p -- sh -c 'exit 3'
? 3

$ sample -o $T/p -- $T/nothing
! smdbg: $T/nothing: No such file or directory
? 127

$ sample -o $T/p -- /
! smdbg: /: Permission denied
? 126

$ sample -o /dev/null/p -- true
! smdbg: /dev/null/p: Not a directory
? 1

$ sample --interval 5
! smdbg: --interval requires a number from 100 to 60000, not "5"
! Try "smdbg-tui sample --help".
? 2

$ sample train.py
! smdbg: a program follows --, as in: sample -- train.py
! Try "smdbg-tui sample --help".
? 2

$ sample --help
Usage: smdbg-tui sample [OPTION]... [-- PROGRAM [ARG]...]
\
Records what this machine does as the system metrics of a profile: CPU, memory, disks,
network, GPUs, pressure, limits, and the program with its children. Without a program it
records until SIGINT or SIGTERM.
\
Options:
  -o, --out DIR               the profiler's directory (default ./profiler-output)
  -i, --interval MS           milliseconds between samples, 100 to 60000 (default 500)
  -p, --pid PID               follow this process with its children, and stop when it ends
  -n, --node N                number of this machine, from 1 (default: from the environment of the job, else 1)
  --sensors DIR               read DIR/proc and DIR/sys, for a container with those of its host
  -h, --help                  print this text and exit
\
Exit status: that of the program, 128 + N if signal N has ended it; 127 if it is not found.

# what was recorded is read
$ -batch -ex 'profile phases -csv -field phase,count' tests/samples/profile_slow_loader
phase,count
DataLoaderIter,240
others,239
Step:ModeKeys.TRAIN,240
Forward,240
Backward(post-forward),240
Optimizer,240
DataLoaderIterInitialize,30
