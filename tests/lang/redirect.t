# answers into files; nothing is left behind on stdout
$ -batch -ex "print 1 > $T/a" -ex "print 2 >> $T/a" --allow-shell -ex "shell cat $T/a"
$1 = 1
$2 = 2

$ -batch -ex 'print 1 > /nonexistent/a'
! smdbg: /nonexistent/a: No such file or directory.
? 1

# never into a trial
$ -batch -ex 'info trial > tests/trials/cnn_healthy/x' tests/trials/cnn_healthy
! smdbg: tests/trials/cnn_healthy/x: cannot write into a trial.
? 1

# never into a bucket
$ -batch -ex 'echo 1 > s3://bkt/a'
! smdbg: s3://bkt/a: nothing is written into buckets; name a file of this machine.
? 1

$ -batch -ex 'snapshot save s3://bkt/x.smdz' tests/trials/cnn_healthy
! smdbg: s3://bkt/x.smdz: nothing is written into buckets; name a file of this machine.
? 1

$ -batch -ex 'save s3://bkt/x.npy CNN_fc1.bias' tests/trials/cnn_healthy
! smdbg: s3://bkt/x.npy: nothing is written into buckets; name a file of this machine.
? 1

$ -batch -ex 'profile export s3a://bkt/x.json' tests/samples/profile_with_values
! smdbg: s3a://bkt/x.json: nothing is written into buckets; name a file of this machine.
? 1

$ -batch -ex 'profile report https://bkt.s3.amazonaws.com/r' tests/samples/profile_with_values
! smdbg: https://bkt.s3.amazonaws.com/r: nothing is written into buckets; name a file of this machine.
? 1

# as JSON, one line
$ -batch -ex 'info modes -json' -ex 'info modes -jsonl' -ex 'info modes -csv' tests/trials/cnn_healthy
[{"mode":"TRAIN","steps":9,"first":0,"last":80},{"mode":"EVAL","steps":7,"first":0,"last":11}]
{"mode":"TRAIN","steps":9,"first":0,"last":80}
{"mode":"EVAL","steps":7,"first":0,"last":11}
mode,steps,first,last
TRAIN,9,0,80
EVAL,7,0,11

$ -batch -ex 'save tests/trials/cnn_healthy/x.npy CNN_conv0.bias' tests/trials/cnn_healthy
! smdbg: tests/trials/cnn_healthy/x.npy: cannot write into a trial.
? 1

# not through a link either
$ -batch --allow-shell --keep-going -ex "shell cp -r tests/trials/shapes_only $T/t; ln -s t/new $T/a; ln -s t/training_job_end.ts $T/b.npy; touch $T/c; ln -s c $T/d" -ex "open $T/t" -ex "echo x\n > $T/a" -ex "echo x\n >> $T/b.npy" -ex "save $T/b.npy CNN_fc1.weight -f" -ex "snapshot save $T/b.npy -f" -ex "echo x\n > $T/d" -ex "shell cat $T/c; ls $T/t; wc -c < $T/t/training_job_end.ts"
t: smdebug trial, 1 worker, ended
4 steps (TRAIN 0..9), 15 tensors in 7 collections
x
collections
events
index
training_job_end.ts
0
! smdbg: $T/a: the target of the link does not exist.
! smdbg: $T/b.npy: cannot write into a trial.
! smdbg: $T/b.npy: cannot write into a trial.
! smdbg: $T/b.npy: cannot write into a trial.
? 1

$ -batch -ex 'echo x\n > /dev/stdout' tests/trials/shapes_only
x

# a file that may not grow is an error, as a full disk is
$ -batch --allow-shell -ex "shell ulimit -f 1; $SMDBG -n -batch --keep-going -ex 'stat * -json > $T/x' -ex 'echo on\n' tests/trials/cnn_healthy" -ex 'print $_shell_exitcode'
on
$1 = 1
! smdbg: $T/x: File too large.

# after an expression > "a" may be a comparison: it is refused; a name with a slash or a dot is a file
$ -batch --keep-going -ex 'print 1 > "a"' -ex "break step if \$s > 'a'" -ex 'tensor CNN_fc1.bias where x > 0 > "a"' -ex 'print (1 > "a")' -ex "print (dtype(CNN_fc1.bias) == \"float32\") > \"$T/b\"" -ex "print 1 > \"$T/c.txt\"" tests/trials/cnn_healthy
! smdbg: Is "a" a text to compare with or a file?  Write "> ./a" for the file, or put the comparison in parentheses.
! smdbg: Is "a" a text to compare with or a file?  Write "> ./a" for the file, or put the comparison in parentheses.
! smdbg: Is "a" a text to compare with or a file?  Write "> ./a" for the file, or put the comparison in parentheses.
! smdbg: Strings can only be compared with == and != at column 4.
? 1
