# a W&B directory is its runs; the link latest-run is none
$ -batch -ex 'info trials -field state,steps,tensors' tests/samples/wandb_0_31
STATE  STEPS  TENSORS
ended     13        5
ended     13        5

$ -batch -ex 'info trials -field state,steps,tensors' tests/samples/wandb_0_17
STATE  STEPS  TENSORS
ended     13        5
ended     13        5

# names are joined by a point, define_metric's axis is the step of what it names; histograms are no scalars
$ -batch -ex 'tensors -field name,steps' -ex 'series val/acc -csv -field step,value' -ex 'series loss -csv -field step,value' tests/samples/wandb_0_31/wandb/latest-run
NAME     STEPS
epoch        3
loss        12
ok          12
opt.lr      12
val/acc      3
step,value
0,0.75
1,0.875
2,0.9166666666666666
step,value
0,4
2,3.804917698002856
4,3.619349672143838
6,3.4428319057002312
8,3.2749230123119273
10,nan
12,2.9632728827268715
14,2.8187523588748538
16,2.6812801841425573
18,2.5505126064870933
20,2.4261226388505337
22,2.3077992415219466

$ -batch -ex 'tensors -field name,steps' -ex 'series val/acc -csv -field step,value' tests/samples/wandb_0_17/wandb/offline-run-20261123_150135-aaaa0001/run-aaaa0001.wandb
NAME     STEPS
epoch        3
loss        12
ok          12
opt.lr      12
val/acc      3
step,value
0,0.75
1,0.875
2,0.9166666666666666

