$ -batch -x tests/lang/files/define.cmd -ex greet -ex 'greet a "b c"' -ex 'gre 1 2 # comment'
hello
hello a and "b c"
hello 1 and 2

$ -batch -x tests/lang/files/define.cmd -ex 'help greet' -ex 'help user-defined' -ex 'show user greet' -ex 'complete gre'
Say hello.
Usage: greet [ARG...]
\
With two arguments, to both.
Commands defined with define.
\
List of commands:
\
broken -- User-defined
deep -- User-defined
greet -- Say hello
\
Type "help" followed by command name for full documentation.
Command name abbreviations are allowed if unambiguous.
User command "greet":
  if $argc == 2
    echo hello $arg0 and $arg1\n
  else
    echo hello\n
  end
\
greet

$ -batch -x tests/lang/files/define.cmd -ex 'show user greet -json'
[{"name":"greet","summary":"Say hello","lines":"if $argc == 2\n  echo hello $arg0 and $arg1\\n\nelse\n  echo hello\\n\nend\n"}]

# where the line stands, and from where it was called
$ -batch -x tests/lang/files/calls.cmd
hello
! smdbg: tests/lang/files/define.cmd:13: Undefined command: "nosuch".  Try "help". (called from tests/lang/files/calls.cmd:3)
? 1

$ -batch -x tests/lang/files/define.cmd -ex '-broken' -ex '-broken 1' -ex 'greet'
hello
! smdbg: tests/lang/files/define.cmd:13: Missing argument 0 of broken.
! smdbg: tests/lang/files/define.cmd:13: Undefined command: "nosuch".  Try "help".

$ -batch -x tests/lang/files/define.cmd -ex deep
! smdbg: tests/lang/files/define.cmd:16: deep: commands call each other deeper than 1024. (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (called from tests/lang/files/define.cmd:16) (and 1015 more)
? 1

# what its lines answer can go into a file or a program
$ -batch --allow-shell -x tests/lang/files/define.cmd -ex 'greet a b | tr a-z A-Z' -ex "greet > $T/x" -ex "shell cat $T/x"
HELLO A AND B
hello

$ -batch -ex 'define step' -ex end
! smdbg: Cannot redefine the built-in command "step".  Try "help define".
? 1

$ -batch -ex 'define a.b' -ex end
! smdbg: Invalid command name "a.b": use letters, digits, "-" and "_".
? 1

$ -batch -ex 'document nosuch' -ex 'words' -ex end
! smdbg: There is no user-defined command "nosuch".
? 1

$ -batch -ex 'show user nosuch'
! smdbg: There is no user-defined command "nosuch".
? 1

# arguments inside arguments
$ -batch -ex 'define twice' -ex '$arg0 $arg1' -ex '$arg0 $arg1' -ex end -ex 'define say' -ex 'echo <$arg0> of $argc\n' -ex end -ex 'twice say "x y"'
<"x y"> of 1
<"x y"> of 1

# a command may define another
$ -batch -ex 'define make' -ex 'define made' -ex 'echo made it\n' -ex end -ex end -ex make -ex made
made it

# hooks run around a command, before and behind
$ -batch -ex 'define hook-echo' -ex 'printf "[\n"' -ex end -ex 'define hookpost-echo' -ex 'echo ]\n' -ex end -ex 'echo a\n' -ex 'echo b\n'
[
a
]
[
b
]

$ -batch --keep-going -ex 'define hookpost-goto' -ex 'echo behind\n' -ex end -ex 'goto nowhere' -ex 'goto 20' tests/trials/cnn_healthy
step 20 (train 20)
behind
! smdbg: Invalid step "nowhere": expected 100, first, last, ., +5, ~137 or @-10m.
? 1

$ -batch -ex 'define hook-stop' -ex 'printf "at %d\n", $_step' -ex end -ex 'define hookpost-stop' -ex 'echo shown\n' -ex end -ex 'goto 20' -ex 'next' tests/trials/cnn_healthy
at 20
step 20 (train 20)
shown
! smdbg: There is no current tensor.  Use "tensor NAME", or "step" for any step.
? 1

$ -batch -ex 'define hook-nosuch' -ex end
! smdbg: There is no command "nosuch" to hook.
? 1

$ -batch -ex 'define hook-p' -ex end
! smdbg: A hook needs the full name: "hook-print".
? 1

# aliases
$ -batch -ex 'alias elements = set print elements' -ex 'elements 7' -ex 'show print elements' -ex 'help aliases' -ex 'complete elem'
The current value of 'print elements' is "7".
Aliases defined with alias.
\
List of commands:
\
elements -- Alias for "set print elements"
\
Type "help" followed by command name for full documentation.
Command name abbreviations are allowed if unambiguous.
elements

$ -batch -ex 'alias -a ee = echo x' -ex 'alias ff = ee y' -ex 'ff z\n' -ex 'complete e'
x y z
echo
enable
eval
exit
explain

$ -batch -ex 'alias p = echo' -ex end
! smdbg: Cannot redefine the built-in command "p".  Try "help define".
? 1

$ -batch -ex 'alias q2 = nosuch'
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -ex 'alias iff = if'
! smdbg: "if" has a body: it cannot have an alias.
? 1

$ -batch -x tests/lang/files/define.cmd -ex 'set trace-commands on' -ex 'greet 1 2'
+greet 1 2
++if 2 == 2
+++echo hello 1 and 2\n
hello 1 and 2

$ -batch -ex 'source -v tests/lang/files/calls.cmd'
+source tests/lang/files/define.cmd
++define greet
++document greet
++define broken
++define deep
+greet
++if 0 == 2
+++echo hello\n
hello
+broken 1
++nosuch 1
! smdbg: tests/lang/files/define.cmd:13: Undefined command: "nosuch".  Try "help". (called from tests/lang/files/calls.cmd:3)
? 1

$ -batch -ex 'eval "print %d + %s", 2, "3"' -ex 'eval "nosuch"'
$1 = 5
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -x tests/lang/files/define.cmd -ex 'complete document ' -ex 'complete show user g' -ex 'complete show us'
document broken
document deep
document greet
show user greet
show user
