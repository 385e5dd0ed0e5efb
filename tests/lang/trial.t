# what --check and --inspect say
$ --check tests/trials/cnn_healthy
cnn_healthy: smdebug trial, 1 worker, ended
369 records, 0 unreadable; 0 problems

$ --check tests/trials/killed_midrun | sed 's/live (\|stalled (/OPEN (/; s/newest data .* old/newest data AGE old/'
killed_midrun: smdebug trial, 1 worker, OPEN (newest data AGE old)
183 records, 0 unreadable; 0 problems

$ --check /nonexistent/trial
! smdbg: /nonexistent/trial: no such trial directory (--wait waits for it).
? 5

$ --check
! smdbg: no trial to check
? 5

$ --inspect tests/trials/ddp_two_workers 2>&1 | head -30
ddp_two_workers: smdebug trial, 2 workers, ended
10 steps (TRAIN 0..18), 13 tensors in 6 collections
122.9 KiB of values in 20 index files
\
Workers  worker_0, worker_1
\
Collections
  all           0 tensors
  biases        3 tensors
  default       0 tensors
  gradients     6 tensors
  losses        1 tensor
  weights       3 tensors
\
NAME                       DTYPE    SHAPE     STEPS         MEAN        STD  NAN  TREND
CrossEntropyLoss_output_0  float32  ()           10      0.96816          0    0  ▇▅▄▄▃▁▁▁
MLP_fc0.bias               float32  (16,)        10    -0.067026    0.12515    0  ▁▂▂▃▄▅▆▇
MLP_fc0.weight             float32  (16, 20)     10     0.006367    0.12466    0  ▇▆▆▅▃▃▂▁
MLP_fc1.bias               float32  (12,)        10    -0.036523    0.15064    0  ▁▂▃▄▅▅▆▇
MLP_fc1.weight             float32  (12, 16)     10    0.0020706    0.15025    0  ▁▃▃▄▄▅▆▇
MLP_out.bias               float32  (3,)         10    -0.058806    0.25105    0  ▁▃▃▇▇▇▇▄
MLP_out.weight             float32  (3, 12)      10    0.0015798    0.18415    0  ▁▂▆▄▅▅▄▇
gradient/MLP_fc0.bias      float32  (16,)        10   -0.0017705  0.0093433    0  ▃▇▃▇▄▂▁▃
gradient/MLP_fc0.weight    float32  (16, 20)     10  -0.00054584  0.0098313    0  ▂▃▅▂▇▆▁▁
gradient/MLP_fc1.bias      float32  (12,)        10     0.002339    0.01044    0  ▂▃▂▆▆▁▆▇
gradient/MLP_fc1.weight    float32  (12, 16)     10     0.001198   0.010845    0  ▂▅▁▆▃▁▃▇
gradient/MLP_out.bias      float32  (3,)         10  -2.4835e-09   0.055259    0  ▇▁▃▅▃▅▅▅
gradient/MLP_out.weight    float32  (3, 12)      10  -1.6714e-10   0.021062    0  ▇▆▁▆▁▂▆▃
MEAN and STD are of the first worker that has the value, by name; NAN and TREND count all.

$ --inspect tests/trials/killed_at_start | sed 's/newest data .* old/newest data AGE old/'
killed_at_start: smdebug trial, 0 workers, waiting
0 steps, 0 tensors in 0 collections
0 B of values in 0 index files

# a trial on the command line answers at once
$ -batch -ex 'info collections -csv -field name,tensors' tests/trials/mlp_overfit
name,tensors
all,
biases,"MLP_fc0.bias,MLP_fc1.bias,MLP_out.bias"
default,
gradients,
losses,CrossEntropyLoss_output_0
weights,

# what a file says again and again is one line with a number; each other place has its own
$ --check "$(sh tests/lang/files/damaged.sh "$T")"
damaged: smdebug trial, 1 worker, ended
index/000000000/000000000044_worker_0.json: invalid JSON at offset 100: parse error: premature EOF
events/000000000020/000000000020_worker_0.tfevents:68457: incomplete record (31543 of 37048 bytes)
events/000000000020/000000000020_worker_0.tfevents: incomplete record header (0 of 12 bytes) (19 records)
events/000000000078/000000000078_worker_0.tfevents: no such file (29 records)
340 records, 49 unreadable; 50 problems
? 5
