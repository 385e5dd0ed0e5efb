# the scripts of doc/cookbook.md
$ -batch -x doc/cookbook/gate.smdbg tests/trials/cnn_healthy --args CrossEntropyLoss_output_0
CrossEntropyLoss_output_0 fell from 3.193 to 0.0002638 over 15 steps

$ -batch -x doc/cookbook/gate.smdbg tests/trials/cnn_healthy --args CrossEntropyLoss_output_0 1e-6
! smdbg: doc/cookbook/gate.smdbg:10: Assertion failed: the loss has not fallen enough. (called from doc/cookbook/gate.smdbg:17)
? 3

$ -batch -x doc/cookbook/gate.smdbg tests/trials/mlp_exploding_tensor --args MSELoss_output_0
! smdbg: doc/cookbook/gate.smdbg:9: Assertion failed: the loss is NaN or infinite at some step. (called from doc/cookbook/gate.smdbg:15)
? 3

$ -batch -x doc/cookbook/gate.smdbg tests/trials/cnn_healthy --args nosuch
! smdbg: doc/cookbook/gate.smdbg:8: No tensor "nosuch". (called from doc/cookbook/gate.smdbg:15)
? 4

$ -batch -x doc/cookbook/origin.smdbg tests/trials/mlp_exploding_tensor
#0  step 23  MSELoss_output_0  NaN
#1  step 4   MSELoss_output_0  NaN           first NaN
#2  step 1   MSELoss_output_0  |x| 1.78e+03  x 4.2e+02 since 0  origin
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
Origin: MSELoss_output_0 at step 1.
abs_max of 23 tensors at step 1, in the order of writing
 #  NAME                       VALUE                            PROBLEM
 1  MLP_fc0.weight            1.7603  ██                        -
 2  MLP_fc0.bias              1.0731  █                         -
 3  MLP_fc1.weight            1.8194  ███                       -
 4  MLP_fc1.bias              1.1919  █                         -
 5  MLP_fc2.weight            2.7828  ████                      -
 6  MLP_fc2.bias             0.98054  █                         -
 7  MLP_out.weight              4.11  █████                     -
 8  MLP_out.bias             0.89327  █                         -
 9  relu0_input_0             6.7731  ██████                    -
10  relu0_output_0            6.7731  ██████                    -
11  relu1_input_0             19.869  ██████████                -
12  relu1_output_0            7.2135  ███████                   -
13  relu2_input_0              25.92  ██████████                -
14  relu2_output_0             25.92  ██████████                -
15  MSELoss_output_0          1779.9  ███████████████████████   exploding  |x| 1.78e+03
16  gradient/MLP_out.bias      32.34  ███████████               -
17  gradient/MLP_out.weight   489.52  ███████████████████       exploding  max |x| 490
18  gradient/MLP_fc2.bias     228.49  █████████████████         exploding  max |x| 228
19  gradient/MLP_fc2.weight   899.01  █████████████████████     exploding  max |x| 899
20  gradient/MLP_fc1.bias      540.6  ███████████████████       exploding  max |x| 541
21  gradient/MLP_fc1.weight     2256  ████████████████████████  exploding  max |x| 2.26e+03
22  gradient/MLP_fc0.bias     607.58  ████████████████████      exploding  max |x| 608
23  gradient/MLP_fc0.weight   519.58  ███████████████████       exploding  max |x| 520
? 3

$ -batch -x doc/cookbook/origin.smdbg tests/trials/cnn_healthy
No value up to step 101 is NaN, infinite or exploding, and none is vanishing or zero at the end. Looked at: 349 values of 29 tensors at 16 steps.

$ -batch -x doc/cookbook/gradients.smdbg tests/trials/mlp_vanishing_gradient --args gradient/MLP_fc0.weight gradient/MLP_fc7.weight
step    0  first 2.087e-08  last 2.039e-02  share 1.0e-06
step    4  first 2.645e-08  last 4.149e-03  share 6.4e-06
step    8  first 3.438e-08  last 3.567e-03  share 9.6e-06
step   12  first 2.791e-08  last 1.855e-02  share 1.5e-06
step   16  first 1.974e-08  last 1.018e-02  share 1.9e-06
step   20  first 3.280e-08  last 3.542e-03  share 9.3e-06
step   24  first 3.389e-08  last 8.701e-03  share 3.9e-06
step   28  first 1.678e-08  last 9.298e-03  share 1.8e-06
step   32  first 4.315e-08  last 1.121e-02  share 3.8e-06
step   36  first 3.290e-08  last 6.911e-04  share 4.8e-05
The smallest share was 1.0e-06.
! smdbg: doc/cookbook/gradients.smdbg:34: Assertion failed: the gradient of the first layer is too small.
? 3

$ -batch -x doc/cookbook/gradients.smdbg tests/trials/cnn_healthy --args gradient/CNN_conv0.weight gradient/CNN_fc1.weight
step    0  first 2.411e+00  last 2.336e+00  share 1.0e+00
step   10  first 9.468e-01  last 1.400e+00  share 6.8e-01
step   20  first 1.498e+00  last 1.330e+01  share 1.1e-01
step   34  first 1.721e+00  last 1.003e+00  share 1.7e+00
step   44  first 9.581e-01  last 1.765e+00  share 5.4e-01
step   54  first 4.986e-01  last 1.486e+00  share 3.4e-01
step   68  first 1.690e+00  last 1.841e+00  share 9.2e-01
step   78  first 1.876e-01  last 1.857e-01  share 1.0e+00
step   88  first 1.274e+00  last 1.630e+00  share 7.8e-01
The smallest share was 1.1e-01.

$ -batch -x doc/cookbook/dead.smdbg tests/trials/cnn_dead_relu --args relu0_output_0 relu2_output_0
relu0_output_0
  step    0   50.7 %
  step    4   50.6 %
  step    8   50.1 %
  step   12   50.8 %
  step   16   49.2 %
  step   20   49.5 %
relu2_output_0
  step    0  100.0 %  dead
  step    4  100.0 %  dead
  step    8  100.0 %  dead
  step   12  100.0 %  dead
  step   16  100.0 %  dead
  step   20  100.0 %  dead

$ -batch -x doc/cookbook/updates.smdbg tests/trials/cnn_healthy --args CNN_fc1.weight
steps 0 to 10: 1.98e-02 per step
steps 10 to 20: 2.94e-02 per step
steps 20 to 30: 3.81e-02 per step
steps 30 to 32: 0.00e+00 per step
steps 32 to 34: 0.00e+00 per step
steps 34 to 44: 1.99e-02 per step
steps 44 to 54: 1.52e-02 per step
steps 54 to 64: 1.50e-02 per step
steps 64 to 66: 0.00e+00 per step
steps 66 to 68: 0.00e+00 per step
steps 68 to 78: 1.07e-02 per step
steps 78 to 88: 6.24e-03 per step
steps 88 to 98: 4.79e-03 per step
steps 98 to 100: 0.00e+00 per step

$ -batch -x doc/cookbook/workers.smdbg tests/trials/ddp_two_workers --args worker_0 worker_1 MLP_fc0.weight MLP_out.bias
MLP_fc0.weight: equal at 10 steps
MLP_out.bias: equal at 10 steps

$ -batch -x doc/cookbook/workers.smdbg tests/trials/ddp_two_workers --args worker_0 worker_1 MLP_fc0.weight gradient/MLP_fc0.weight
MLP_fc0.weight: equal at 10 steps
gradient/MLP_fc0.weight at step 0: worker_0 and worker_1 differ by 0.0272
? 3

# the end of the job is reported on stderr
$ -batch -x doc/cookbook/watch.smdbg tests/trials/cnn_healthy --args CrossEntropyLoss_output_0
step    0  loss 3.193
step   10  loss 1.31
step   20  loss 0.9621
step   30  loss 0.9472
step   32  loss 0.9352
step   34  loss 0.6935
step   44  loss 0.3952
step   54  loss 0.3498
step   64  loss 0.2997
step   66  loss 0.2768
step   68  loss 0.3964
step   78  loss 0.02915
step   88  loss 0.06351
step   98  loss 0.00561
step  100  loss 0.0002638
! smdbg: doc/cookbook/watch.smdbg:26: The job has ended: there is nothing to wait for. (called from doc/cookbook/watch.smdbg:34)

$ -batch -x doc/cookbook/watch.smdbg tests/trials/mlp_exploding_tensor --args MSELoss_output_0
step    0  loss 4.228
step    1  loss 1780
step    2  loss 1.276e+14
step    3  loss inf
step 4: the loss is NaN; its backtrace:
#0  step 4  MSELoss_output_0  NaN
#1  step 1  MSELoss_output_0  |x| 1.78e+03  x 4.2e+02 since 0  origin
Last good: MSELoss_output_0 at step 0, |x| 4.23. "goto 0" goes there, "layers abs_max step 1" shows all layers.
? 3

$ -batch -x doc/cookbook/overfit.smdbg tests/trials/mlp_overfit --args CrossEntropyLoss_output_0
NAME                       WHAT  STEPS   FIRST    LAST
CrossEntropyLoss_output_0  -        60  1.0888  2.4446
over the last 5 values: training -3.72e-08 per step, validation +5.88e-04 per step
best validation 0.8758, now 2.445
! smdbg: doc/cookbook/overfit.smdbg:12: Assertion failed: the validation loss rises while the training loss falls. (called from doc/cookbook/overfit.smdbg:16)
? 3

$ -batch -x doc/cookbook/overfit.smdbg tests/trials/cnn_healthy --args CrossEntropyLoss_output_0
NAME                       WHAT  STEPS   FIRST        LAST  TREND
CrossEntropyLoss_output_0  -        15  3.1933  0.00026378  ▇▃▃▃▃▂▂▂▂▂▂▁▁▁▁
over the last 5 values: training -8.61e-03 per step, validation -1.31e-02 per step
best validation 0.0002638, now 0.0002638

$ -batch -x doc/cookbook/judge.smdbg tests/trials/cnn_dead_relu --args $T
VanishingGradient is attached.
DeadRelu is attached.
ExplodingTensor is attached.
rule               STATUS         FIRST  VIOLATIONS
VanishingGradient  IssuesFound        0           7
DeadRelu           IssuesFound        0           2
ExplodingTensor    NoIssuesFound      -           0
written to $T

$ -batch -x doc/cookbook/take.smdbg -ex "source tests/lang/files/index.cmd $T" --allow-shell tests/trials/cnn_healthy --args $T CNN_fc1.weight CNN_conv0.weight
CNN_fc1.weight  step 100 (eval 10)  float32 (10, 24)
Saved to $T/1.npy (1088 bytes).
CNN_conv0.weight  step 100 (eval 10)  float32 (4, 1, 5, 5)
Saved to $T/2.npy (528 bytes).
2 tensors saved in $T
number,name,mean,std
1,CNN_fc1.weight,0.00358794,0.287773
2,CNN_conv0.weight,0.0244631,0.296394
1.npy
2.npy
index.csv

$ -batch --ascii -x doc/cookbook/compare.smdbg tests/trials/ddp_two_workers tests/trials/ddp_worker_lost --args CrossEntropyLoss_output_0
   NUM  NAME             STATE  STEPS  TENSORS     LOSS  NOTE      PATH
*    1  ddp_two_workers  ended     10       13  0.96816  baseline  tests/trials/ddp_two_workers
     2  ddp_worker_lost  ended     10       13  0.96891  -         tests/trials/ddp_worker_lost
CrossEntropyLoss_output_0
     |''.                                                  -- ddp_two_workers
 1.2 +      ..                                             .. ddp_worker_lost
     |        '
     |            '.
 1.1 +''...         '   .
     |     ''........... ''   ...         ..'
     |                  '''..       '..         .
 1.0 +                       '''''''''''''.......::'''.
     |                                                 '.   ..            ....
     |                                                ''':    '    ..'''''.
     |                                                    '.    ..'..   ''
 0.9 +                                                      '.''
     ++-------------------+------------------+-------------------+-----------+
      0                   5                 10                  15          18
The values are of the first of 2 workers that has the step, by name.
a: ddp_two_workers
b: ddp_worker_lost
The configuration is the same.
First divergence: step 0, MLP_fc0.weight, worker_0: max |a - b| 0.424, 320 of 320 beyond the limits.
NAME                       STEP   MAX-ABS  MAX-REL         ULP  BEYOND  SIZE  STATUS     WORKER
gradient/MLP_fc1.bias         0   0.11503      inf  2059707169      12    12  different  worker_0
gradient/MLP_fc1.weight       0  0.056682      inf  2042258529     189   192  different  worker_0
gradient/MLP_out.weight       0  0.072524      inf  2030021418      36    36  different  worker_0
MLP_fc0.weight                0   0.42448    12714  2092083940     320   320  different  worker_0
gradient/MLP_fc0.weight       0  0.030142   5272.7  2026625263     320   320  different  worker_0
MLP_fc1.weight                0    0.4488   371.15  2093715928     192   192  different  worker_0
gradient/MLP_fc0.bias         0  0.015595   80.742  2003069730      16    16  different  worker_1
MLP_out.bias                  0   0.20242   20.558    37138562       3     3  different  worker_0
MLP_out.weight                0   0.45849   17.255  2093631865      36    36  different  worker_0
MLP_fc0.bias                  0   0.34815   11.996  2086961782      16    16  different  worker_0
gradient/MLP_out.bias         0   0.12165    6.584  2050433322       3     3  different  worker_1
MLP_fc1.bias                  0   0.29951   3.6925  2080012232      12    12  different  worker_0
CrossEntropyLoss_output_0     0   0.13791  0.11122     1156899       1     1  different  worker_0
0 equal, 0 close, 13 different, 0 incomparable.
? 3

# without the required arguments
$ -batch -x doc/cookbook/dead.smdbg tests/trials/cnn_healthy
Give the tensors after --args.
? 2

$ -batch -x doc/cookbook/workers.smdbg tests/trials/ddp_two_workers --args worker_0
Give the workers and tensors after --args.
? 2

$ -batch -x doc/cookbook/gate.smdbg tests/trials/cnn_healthy
! smdbg: doc/cookbook/gate.smdbg:17: Missing argument 0 of the script: add arguments after --args (with -x) or after the file (with source).
? 1
