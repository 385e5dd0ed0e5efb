# commands on stdin: no prompt, no echo; a number for each line
$
< print 1
< # a comment
<
< print 2
$1 = 1
$2 = 2

$
< print 1
< nosuch
< print 3
$1 = 1
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
? 1

$ --keep-going
< print 1
< nosuch
< print 3
$1 = 1
$2 = 3
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
? 1

# a line goes on behind a backslash, and lines are counted all the same
$ --keep-going
< print 1 + \
< 2
< nosuch
$1 = 3
! smdbg: <stdin>:3: Undefined command: "nosuch".  Try "help".
? 1

# the end of the input needs no end of line, and nothing at all is fine
$

# -x - reads it, too; with -x FILE or in a batch with -ex it is not read
$ -batch -x -
< print 5
< nosuch
$1 = 5
! smdbg: <stdin>:2: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -ex 'print 1'
< nosuch
$1 = 1

# without -batch, -ex comes first
$ -ex 'print 1'
< print 2
$1 = 1
$2 = 2

# CRLF and a byte order mark
$ -batch -x tests/lang/files/crlf.cmd
$1 = 1
$2 = 5
