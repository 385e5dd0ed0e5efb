$ -batch -x tests/lang/files/hello.cmd
hello

# an error ends the script and says where it is
$ -batch -x tests/lang/files/fails.cmd
before
! smdbg: tests/lang/files/fails.cmd:2: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -x tests/lang/files/outer.cmd
before
! smdbg: tests/lang/files/fails.cmd:2: Undefined command: "nosuch".  Try "help". (sourced from tests/lang/files/outer.cmd:1)
? 1

$ -batch --keep-going -x tests/lang/files/fails.cmd
before
not reached
! smdbg: tests/lang/files/fails.cmd:2: Undefined command: "nosuch".  Try "help".
? 1

# a script that is not there is a failure
$ -batch -x tests/lang/files/nosuch.cmd -ex 'print 1'
! smdbg: tests/lang/files/nosuch.cmd: No such file or directory.
? 1

# in the order given
$ -batch -ex 'echo one\n' -x tests/lang/files/hello.cmd -ex 'echo two\n'
one
hello
two

$ -batch -ex 'source tests/lang/files/args.cmd first "the second"'
$1 = 2
first and "the second"

$ -batch -ex 'source -v tests/lang/files/hello.cmd'
+echo hello\n
hello

# nesting ends somewhere
$ -batch -x tests/lang/files/self.cmd 2>&1 | cut -c 1-60
smdbg: tests/lang/files/self.cmd:1: tests/lang/files/self.cm

# what follows --args are the arguments of -x files
$ -batch -x tests/lang/files/branch.cmd --args one 'two words'
two words

$ -batch -x tests/lang/files/branch.cmd --args
! smdbg: --args requires a value: ARG...
! Try "smdbg-tui --help".
? 2
