# init file, -iex, trial, -x and -ex in their order
$ XDG_CONFIG_HOME=$PWD/tests/lang/files/config -batch -ex 'show print elements' -iex 'echo early' -x tests/lang/files/hello.cmd
init
early
The current value of 'print elements' is "17".
hello

$ XDG_CONFIG_HOME=$PWD/tests/lang/files/config -batch -n -ex 'show print elements'
The current value of 'print elements' is "200".

$ XDG_CONFIG_HOME=$PWD/tests/lang/files/config -batch --nh -ex 'show print elements'
The current value of 'print elements' is "200".

# relative values are ignored
$ XDG_CONFIG_HOME=tests/lang/files/config -batch -ex 'show print elements'
The current value of 'print elements' is "200".

# the command line stands above the init file, -iex above the command line
$ -batch --symbols block -ex 'show symbols' -iex 'set symbols ascii'
The current value of 'symbols' is "ascii".

# a trial is not open yet
$ -batch -iex 'info trial' tests/trials/cnn_healthy
! smdbg: No trial is open.  Use "open PATH".
? 1
