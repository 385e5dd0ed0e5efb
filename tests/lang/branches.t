$ -batch -x tests/lang/files/loop.cmd
1
3
4
left at 5

# bodies on the command line go on from one -ex to the next
$ -batch -ex 'if 2 > 1' -ex 'echo yes\n' -ex else -ex 'echo no\n' -ex end -ex 'echo behind\n'
yes
behind

$ -batch -ex 'if nan' -ex 'echo yes\n' -ex else -ex 'echo no\n' -ex end
no

$ -batch -ex 'if mean(CNN_fc1.weight@last) < 1' -ex 'echo small\n' -ex end tests/trials/cnn_healthy
small

# a condition that cannot be answered is a failure, not false
$ -batch -ex 'if nosuch > 1' -ex 'echo yes\n' -ex end tests/trials/cnn_healthy
! smdbg: No tensor "nosuch".
? 4

$ -batch -ex 'if exists(nosuch) && nosuch > 1' -ex 'echo yes\n' -ex else -ex 'echo no\n' -ex end tests/trials/cnn_healthy
no

# errors say where the line stands
$ -batch -x tests/lang/files/nested.cmd
! smdbg: tests/lang/files/nested.cmd:3: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -x tests/lang/files/open.cmd
! smdbg: tests/lang/files/open.cmd:2: "if 1" in line 1 has no "end".
? 1

$ -batch -ex 'source tests/lang/files/open.cmd' -ex 'echo not reached\n'
! smdbg: tests/lang/files/open.cmd:2: "if 1" in line 1 has no "end".
? 1

$ -batch -ex 'source tests/lang/files/branch.cmd a "b c"' -ex 'source tests/lang/files/branch.cmd a'
b c
other

# a line that begins with - is forgiven with all that is in it
$ -batch -ex '-if 1' -ex nosuch -ex end -ex 'echo behind\n'
behind
! smdbg: Undefined command: "nosuch".  Try "help".

$ -batch -ex '-source tests/lang/files/fails.cmd' -ex 'echo behind\n' -ex 'print $_exitcode'
before
behind
$1 = 0
! smdbg: tests/lang/files/fails.cmd:2: Undefined command: "nosuch".  Try "help".

$ --keep-going
< if 1
<   nosuch
<   echo goes on\n
< end
< end
< else
< if 1
< echo never\n
goes on
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
! smdbg: <stdin>:5: "end" outside of a command with a body.
! smdbg: <stdin>:6: "else" outside of a command with a body.
! smdbg: "if 1" in line 7 has no "end".
? 1

$ -batch -ex loop_break
! smdbg: This line is not in the body of a "while".
? 1

$ -batch -ex 'if 1' -ex 'if 0' -ex 'else' -ex 'else'
! smdbg: "else" without "if".
? 1

$ -batch -ex 'set trace-commands on' -ex 'if 1' -ex 'while 0' -ex end -ex end
+if 1
++while 0

$ -batch -ex 'if' -ex 'end'
! smdbg: Argument required (COND).  Try "help if".
? 1

# what is left open at the end is told
$ -batch -ex 'if 1' -ex 'echo never\n'
! smdbg: "if 1" has no "end".
? 1

$ -batch -ex 'if 1' -x tests/lang/files/hello.cmd
! smdbg: "if 1" has no "end".
? 1

$ -batch -iex 'set stop-on-error off' -x tests/lang/files/fails.cmd -ex 'echo behind\n'
before
not reached
behind
! smdbg: tests/lang/files/fails.cmd:2: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -ex 'help scripts' -ex 'complete help scr'
Control flow in scripts.
\
if COND ... else ... end         runs the lines of one branch
while COND ... end               repeats the lines while COND is true; loop_break leaves the loop,
                                 loop_continue tests COND again
define NAME ... end              a new command; its lines use $arg0 $arg1 ... $argc
document NAME ... end            its help; hook-NAME runs before a command, hookpost-NAME after it
-COMMAND                         errors are reported, then ignored; $_exitcode is the exit status
\
"else" and "end" need a line of their own. An error ends the script, unless stop-on-error is off.
help screen
help scripts
