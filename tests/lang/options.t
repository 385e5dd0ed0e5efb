# one dash or two, any beginning
$ --batch --eval-command='print 1' --eval 'print 2'
$1 = 1
$2 = 2

$ -batch -ex 'print 1' --s
! smdbg: ambiguous option --s: --stop-on-error, --steps, --shard, --symbols, --seed, --speed, --size
! Try "smdbg-tui --help".
? 2

$ --color=red
! smdbg: --color requires auto|always|never, not "red"
! Try "smdbg-tui --help".
? 2

$ --steps 5:3
! smdbg: --steps requires A:B[:S], not "5:3"
! Try "smdbg-tui --help".
? 2

$ --interpreter=xml
! smdbg: -i requires console|tui|json, not "xml"
! Try "smdbg-tui --help".
? 2

# restrictions
$ -batch --steps 0:50:10 -ex 'info steps -csv -field step,mode' tests/trials/cnn_healthy
step,mode
0,TRAIN
10,TRAIN
20,TRAIN
30,EVAL

$ -batch --mode eval -ex 'info modes' tests/trials/cnn_healthy
MODE  STEPS  FIRST  LAST
EVAL      7      0    11

$ -batch --worker worker_1 --steps :6 -ex 'info steps -csv -field step,workers' tests/trials/ddp_two_workers
step,workers
0,worker_1
2,worker_1
4,worker_1

# several trials; the first is current
$ -batch -ex 'trial -csv -field number,name,current' tests/trials/cnn_healthy tests/trials/many_steps
number,name,current
1,cnn_healthy,true
2,many_steps,false

# ./debug-output is not there, SMDEBUG_OUT is
$ SMDEBUG_OUT=tests/trials/cnn_healthy -batch -ex 'info trial -json -field name'
{"name":"cnn_healthy"}

# nothing is said where everything was asked to be silent
$ -batch-silent -ex 'print 1' -ex "print 2 > $T/x" -ex nosuch
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

# no dashboard without a terminal
$ --tui -ex 'print 1'
$1 = 1
! smdbg: stdin or stdout is not a terminal: cannot show the dashboard

# shell commands need leave
$ -batch -ex 'shell echo hello'
! smdbg: Shell commands are refused in a batch without --allow-shell.
? 1

$ -batch --allow-shell -ex 'shell echo hello' -ex 'print 1 | cat -n' -ex '!exit 3' -ex 'print $_shell_exitcode'
hello
     1	$1 = 1
$2 = 3

$ -batch --allow-shell --readonly -ex 'shell echo hello'
! smdbg: Shell commands are refused with --readonly.
? 1

# a shell command does not eat the script
$ --allow-shell
< shell cat
< print 1
$1 = 1

# an address of a bucket opens, too
$ -batch --allow-shell -ex "help open > $T/a" -ex "shell grep -o s3://.*prefix $T/a"
s3://bucket/prefix
