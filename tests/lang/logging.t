# answers and errors are also written to a file, without colours
$ -batch --keep-going --color=always --allow-shell -ex "set logging file $T/log" -ex 'set logging enabled on' -ex 'print 1' -ex 'nosuch' -ex 'spark CrossEntropyLoss_output_0' -ex 'set logging enabled off' -ex 'print 2' -ex "shell cat $T/log" tests/trials/cnn_healthy
Copying output to $T/log.
$1 = 1
NAME                       WHAT  STEPS   FIRST        LAST  TREND
CrossEntropyLoss_output_0  -        15  3.1933  0.00026378  ▇▃▃▃▃▂▂▂▂▂▂▁▁▁▁
Done logging to $T/log.
$2 = 2
$1 = 1
smdbg: Undefined command: "nosuch".  Try "help".
NAME                       WHAT  STEPS   FIRST        LAST  TREND
CrossEntropyLoss_output_0  -        15  3.1933  0.00026378  ▇▃▃▃▃▂▂▂▂▂▂▁▁▁▁
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

# only there; behind what is there, or anew
$ -batch --allow-shell -ex "set logging file $T/log" -ex 'set logging redirect on' -ex 'set logging enabled' -ex 'print 1' -ex 'set logging enabled off' -ex 'set logging enabled on' -ex 'set logging enabled off' -ex "shell cat $T/log" -ex 'set logging overwrite' -ex 'set logging enabled on' -ex 'set logging enabled off' -ex "shell cat $T/log"
Redirecting output to $T/log.
Done logging to $T/log.
Redirecting output to $T/log.
Done logging to $T/log.
$1 = 1
Redirecting output to $T/log.
Done logging to $T/log.

$ -batch --keep-going -ex 'set logging file /nonexistent/log' -ex 'set logging enabled on' -ex 'show logging enabled' -ex 'set logging file tests/trials/cnn_healthy/log' -ex 'set logging enabled on' tests/trials/cnn_healthy
The current value of 'logging enabled' is "off".
! smdbg: /nonexistent/log: No such file or directory.
! smdbg: tests/trials/cnn_healthy/log: cannot write into a trial.
? 1

$ -batch -ex 'set title on' -ex 'show title'
The current value of 'title' is "on".

# what a full disk does not take is shown all the same, and told at the end
$ -batch --keep-going -ex 'set logging file /dev/full' -ex 'set logging redirect on' -ex 'set logging enabled on' -ex 'print 1' -ex 'set logging enabled off'
Redirecting output to /dev/full.
$1 = 1
! smdbg: /dev/full: could not write all of the log.
? 5
