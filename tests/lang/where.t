# elements by a condition
$ -batch -ex 'tensor CNN_conv0.bias where x < 0' tests/trials/cnn_healthy
CNN_conv0.bias  step 100 (eval 10)  float32 (4,)
INDEX     VALUE
(0,)   -0.18923
(1,)    -0.1187
(2,)    -0.2367
3 of 4 elements.

$ -batch -ex 'tensor CNN_conv0.weight[0] step 10 where x > 0.4 && x < 0.6' tests/trials/cnn_healthy
CNN_conv0.weight[0]  step 10 (train 10)  float32 (1, 5, 5)
INDEX        VALUE
(0, 3, 4)  0.50385
1 of 25 elements.

$ -batch -ex 'tensor CNN_conv0.bias where x>gradient/CNN_conv0.bias@88 -json' tests/trials/cnn_healthy
[{"index":[3],"value":0.128667638}]

$ -batch -ex 'tensor CNN_conv0.bias where CNN_conv1.bias > 0' tests/trials/cnn_healthy
! smdbg: The condition must have a value for each element x, such as x > 1e3.
? 1

$ -batch -ex 'find in CNN* where abs(x) > 0.9' tests/trials/cnn_healthy
NAME            STEP  INDEX      VALUE
CNN_fc1.weight   100  (1, 1)   0.93954
CNN_fc1.weight   100  (8, 23)  0.94004
2 elements found in 8 tensors.

$ -batch -ex 'find 0.5:0.51 in CNN*' tests/trials/cnn_healthy
NAME              STEP  INDEX           VALUE
CNN_conv0.weight   100  (0, 0, 3, 4)  0.50534
1 element found in 8 tensors.

$ -batch -ex 'find' tests/trials/cnn_healthy
! smdbg: Argument required (VALUE, or where CONDITION).  Try "help find".
? 1

# a comparison is no redirection
$ -batch -ex 'tensors -where mean($t) > 0.01 && nan($t) == 0 CNN* -field name' tests/trials/cnn_healthy
NAME
CNN_conv0.weight

# names as other frameworks write them
$ -batch -ex 'tensor conv0_weight' tests/trials/cnn_healthy
! smdbg: No tensor "conv0_weight". Did you mean "CNN_conv0.weight"?
? 4
