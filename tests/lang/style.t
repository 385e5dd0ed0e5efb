# a person's own colours
$ TERM=xterm-256color -batch --color=always -ex 'set style dim 00ff00 default bold' -ex 'set print threshold 4' -ex 'set print edgeitems 1' -ex 'tensor CNN_fc1.bias step 10' tests/trials/cnn_healthy
CNN_fc1.bias  step 10 (train 10)  float32 (10,)
[-0.02532017 ... -0.07238223]
[0;1;38;5;46m10 elements; use -a to show all.[0m

$ -batch --keep-going -ex 'set style dim red' -ex 'show style dim' -ex 'set style dim' -ex 'show style dim' -ex 'set style dim mauve' -ex 'set style nosuch red'
The current value of 'style dim' is "red".
The current value of 'style dim' is "".
! smdbg: Undefined colour "mauve". Valid are default, black, red, green, yellow, blue, magenta, cyan, white, gray and rrggbb, such as ff8800.
! smdbg: Undefined set style command: "nosuch".  Try "help set style".
? 1
