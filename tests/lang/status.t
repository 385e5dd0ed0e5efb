# INTERFACE.md 3: the first failure decides, quit N always wins
$ -batch -ex 'print 1'
$1 = 1

$ -batch -ex nosuch -ex 'print 2'
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

$ -batch --keep-going -ex nosuch -ex 'print 2'
$1 = 2
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

$ -batch --keep-going -ex 'tensor nosuch' -ex nosuch tests/trials/cnn_healthy
! smdbg: No tensor "nosuch". Try "tensors".
! smdbg: Undefined command: "nosuch".  Try "help".
? 4

$ -batch --keep-going -ex nosuch -ex 'quit 9'
! smdbg: Undefined command: "nosuch".  Try "help".
? 9

$ -batch -ex 'quit 3' -ex 'print 1'
? 3

$ -batch -ex quit -ex 'print 1'

# a failure that is forgiven
$ -batch -ex '-nosuch' -ex 'print $_exitcode'
$1 = 1
! smdbg: Undefined command: "nosuch".  Try "help".

$ -batch -ex 'set stop-on-error off' -ex nosuch -ex 'print $_failures'
$1 = 1
! smdbg: Undefined command: "nosuch".  Try "help".
? 1

# usage
$ --nosuch
! smdbg: unknown option --nosuch
! Try "smdbg-tui --help".
? 2

$ -x
! smdbg: -x requires a value: FILE
! Try "smdbg-tui --help".
? 2

# a tensor, a step that is not there
$ -batch -ex 'tensor nosuch' tests/trials/cnn_healthy
! smdbg: No tensor "nosuch". Try "tensors".
? 4

$ -batch -ex 'stat CNN_conv0.weight step 5' tests/trials/cnn_healthy
! smdbg: No value of CNN_conv0.weight at step 5: nothing was saved at that step. Nearest: 0, 10.
? 4

# a trial that is not there, and one that is not a trial
$ -batch -ex 'info trial' /nonexistent/trial
! smdbg: /nonexistent/trial: no such trial directory (--wait waits for it).
? 5

$ -batch -ex 'info trial' Makefile
! smdbg: Makefile: neither a trial directory nor an archive (it begins with "# SPDX-License-Identifie").  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5

# the last values of a run, without any step, are none
$ -batch -ex 'info trial' tests/samples/json_summary/test_results.json
! smdbg: tests/samples/json_summary/test_results.json: neither a trial directory nor an archive (JSON, but no rows with steps).  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5

$ -batch -ex 'info trial' tests/samples/json_summary
! smdbg: tests/samples/json_summary: no run in 1 file of 1 folder (test_results.json).  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
? 5

# one that may come yet
$ -batch --wait -ex 'info trial -json -field name,state' /nonexistent/trial
{"name":"trial","state":"waiting"}

# time
$ -batch -ex 'wait step 100000 -timeout 1ms' tests/trials/killed_midrun
! smdbg: Timed out after 1ms.
? 6

# data of other programs that is called .bin is no checkpoint
$ -batch -ex 'info trial' "$(printf hello >$T/tokens.bin; cd $T && pwd)/tokens.bin" 2>&1 | sed "s|$T/||"
smdbg: tokens.bin: neither a trial directory nor an archive (it begins with "hello").  Kinds that open: profile, trace, TensorBoard, W&B, MLflow, trackio, Trainer, CSV, JSONL, log, checkpoints, smdebug.
