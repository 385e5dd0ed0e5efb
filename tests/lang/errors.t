# what is not a command, in gdb's words
$ -batch -ex nosuch
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

$ -batch -ex 'info nosuch'
! smdbg: Undefined info command: "nosuch".  Try "help info".
? 1

$ -batch -ex pritn
! smdbg: Undefined command: "pritn".  Try "help".  Did you mean "print"?
? 1

$ -batch -ex 'set nosuch 3'
! smdbg: Undefined set command: "nosuch".  Try "help set".
? 1

$ -batch -ex 'tensors -nosuch' tests/trials/cnn_healthy
! smdbg: Undefined option "-nosuch".  Try "help tensors".
? 1

# without a trial
$ -batch -ex tensors
! smdbg: No trial is open.  Use "open PATH".
? 1

# names that are not there, and nearly there
$ -batch -ex 'tensor CNN_conv0.wieght' tests/trials/cnn_healthy
! smdbg: No tensor "CNN_conv0.wieght". Did you mean "CNN_conv0.weight"?
? 4

$ -batch -ex 'tensor CNN_conv0.weight step 31' tests/trials/cnn_healthy
! smdbg: No value of CNN_conv0.weight at step 31: nothing was saved at that step. Nearest: 30, 32.
? 4

$ -batch -ex 'tensors +nosuch' tests/trials/cnn_healthy
! smdbg: No collection "nosuch".  Try "info collections".
? 4

# expressions say where
$ -batch -ex 'print 1 +'
! smdbg: Unexpected end of the expression at column 4.
? 1

$ -batch -ex 'print (2'
! smdbg: Expected ")" at column 3.
? 1

$ -batch -ex 'tensor CNN_conv0.weight[9]' tests/trials/cnn_healthy
! smdbg: Index 9 is out of bounds for axis 0 with size 4.
? 1

# a hostile line stays harmless
$ -batch -ex "$(printf 'no\033[31msuch')"
! smdbg: Undefined command: "no".  Try "help".
? 1

# one place, said twice
$ -batch -ex 'tensor CNN_conv0.bias 10 20' tests/trials/cnn_healthy
! smdbg: A step is given twice: "20".
? 1

$ -batch -ex 'stat CNN_conv0.bias @10 step 20' tests/trials/cnn_healthy
! smdbg: Duplicate step: "20".
? 1

$ -batch -ex 'info steps @10 -field step' tests/trials/cnn_healthy
STEP
  10

# a pattern that matches nothing at all is an error everywhere
$ -batch --keep-going -ex 'stat *loss* -json' -ex 'stat nosuch*' -ex 'stat /nosuch/ x*' -ex 'spark nosuch*' -ex 'find nan in *Los' -ex 'diff @0 @10 in nosuch*' -ex 'layers in nosuch*' -ex 'health nosuch*' -ex 'tensors nosuch* -json' tests/trials/cnn_healthy
! smdbg: No tensor "*loss*". Did you mean "CrossEntropyLoss_output_0"?
! smdbg: No tensor "nosuch*". Try "tensors".
! smdbg: No tensor "/nosuch/". Try "tensors".
! smdbg: No tensor "nosuch*". Try "tensors".
! smdbg: No tensor "*Los". Did you mean "CrossEntropyLoss_output_0"?
! smdbg: No tensor "nosuch*". Try "tensors".
! smdbg: No tensor "nosuch*". Try "tensors".
! smdbg: No tensor "nosuch*". Try "tensors".
! smdbg: No tensor "nosuch*". Try "tensors".
? 4

# a listing may be empty; a step that was asked for is there or not
$ -batch --keep-going -ex 'tensors +all' -ex 'tensors -where max($t)>1e30' -ex 'tensors step 102:110 -json' -ex 'tensors step 102' tests/trials/cnn_healthy
No tensor matches.
No tensor matches.
[]
! smdbg: No matching tensor was saved at step 102.
? 4
