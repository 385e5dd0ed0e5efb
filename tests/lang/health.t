# a row a tensor, a column a step: NaN is marked where it began
$ -batch --ascii -ex 'health gradient/*weight -w 60' tests/trials/mlp_exploding_tensor
gradient/MLP_fc0.weight .:%xxxxxxxxxxxxxxxxxxxxx
gradient/MLP_fc1.weight .:@xxxxxxxxxxxxxxxxxxxxx
gradient/MLP_fc2.weight .:@xxxxxxxxxxxxxxxxxxxxx
gradient/MLP_out.weight .:@xxxxxxxxxxxxxxxxxxxxx
                        0                     23
                        0.275 ..::--==++**##%@ 375G  x NaN

# counts, by the number; what was not saved at a step stays empty
$ -batch --ascii -ex 'health zero relu* mode train -linear -w 60' tests/trials/cnn_healthy
relu0_input_0  ....................................
relu0_output_0 %%%%%%%%%%%%%%%%%%%%%%%%@@@@@@@@@@@@
relu1_input_0  ....................................
relu1_output_0 ::::::::::::::::::::::::::::::::::::
relu2_input_0  ....................................
relu2_output_0 ....................................
                0                              88
               0 ..::--==++**##%@ 5443 zero

$ -batch -ex 'health l2 CNN_fc1.bias -csv -w 3' tests/trials/cnn_healthy
name,step,value,looked_at
CNN_fc1.bias,32,0.27733238187993153,5
CNN_fc1.bias,54,0.36251671208667213,5
CNN_fc1.bias,68,0.33028760128042545,5

# saved reductions
$ -batch --ascii -ex 'health abs_max *weight -w 50 -h 6' tests/trials/cnn_reductions
CNN_conv0.weight     ************************
CNN_conv1.weight     ++++++++++++++++++++++++
CNN_fc0.weight       +++============+++++++++
+5 more
                      0                   22
                     0.173 ..::--==++**##%@ 1.50

$ -batch -ex 'health nan nothing*' tests/trials/cnn_healthy
! smdbg: No tensor "nothing*". Try "tensors".
? 4

# complex and empty values have no numbers, which is not NaN
$ -batch -ex 'health -w 40 complex* bool/mask' -ex 'health nan complex* bool/mask -csv' -ex 'tensors complex* bool/mask -stats' -ex 'health complex*' tests/trials/dtypes
bool/mask ████▓▓▓▓····░░░░
           0           3
          0.417 ···░░░░▒▒▒▓▓▓███ 0.75
\
\
\
name,step,value,looked_at
bool/mask,0,0,1
bool/mask,1,0,1
bool/mask,2,0,1
bool/mask,3,0,1
complex64/x,0,0,1
complex64/x,1,0,1
complex64/x,2,0,1
complex64/x,3,0,1
complex128/pair,0,0,1
complex128/pair,1,0,1
complex128/pair,2,0,1
complex128/pair,3,0,1
NAME             DTYPE       SHAPE   STEPS  MEAN  STD  NAN  TREND
bool/mask        bool        (3, 4)      4   0.5  0.5    0  ▇▆▁▃
complex64/x      complex64   (1,)        4     -    -    0
complex128/pair  complex128  (2,)        4     -    -    0
! smdbg: None of these values has real numbers.
? 4
