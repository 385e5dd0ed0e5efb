# TensorBoard's folders open as they are
$ -batch -ex 'info trial -json -field name,kind,workers,steps,tensors' tests/trials/tensorboard
{"name":"tensorboard","kind":"tensorboard","workers":["EVAL","TRAIN"],"steps":8,"tensors":6}

$ -batch -ex 'series CrossEntropyLoss_output_0 worker EVAL -csv -field step,value' tests/trials/tensorboard
step,value
10,1.4094564
21,0.63968444

$ -batch -ex 'plot CrossEntropyLoss_output_0 -csv -field step,value' tests/trials/tensorboard | head -3
step,value
10,1.4094563722610474
21,0.6396844387054443

# and single files
$ -batch -ex 'tensors -field name,steps' tests/trials/tensorboard/EVAL/000000000010_8815_vm.tfevents
NAME                       STEPS
CrossEntropyLoss_output_0      2
histograms/CNN_fc0.weight      2
histograms/CNN_fc1.weight      2

# a histogram is rows of left edge, right edge and count
$ -batch -ex 'tensor histograms/CNN_fc1.weight[1:3] step 10' -ex 'print sum(histograms/CNN_fc1.weight[:,2]@10)' tests/trials/tensorboard
histograms/CNN_fc1.weight[1:3]  step 10 (eval 10)  EVAL  float64 (2, 3)
[[-0.62649163 -0.56953784  2.        ]
 [-0.56953784 -0.51776167  0.        ]]
$1 = 160

$ -batch README.md
! smdbg: README.md is neither a trial directory nor an archive
? 5
