# TensorBoard's folders open as they are
$ -batch -ex 'info trial -json -field name,kind,workers,steps,tensors' tests/trials/tensorboard
{"name":"tensorboard","kind":"tensorboard","workers":["EVAL","TRAIN"],"steps":8,"tensors":2}

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

$ -batch README.md
! smdbg: README.md is not a trial directory
? 5
