# a W&B directory is its runs; the link latest-run is none
$ -batch -ex 'info trials -field name,state,steps,tensors' tests/samples/wandb_0_31
NAME    STATE   STEPS  TENSORS
first   ended      13        6
second  failed     13        6

$ -batch -ex 'info trials -field name,state,steps,tensors' tests/samples/wandb_0_17
NAME    STATE   STEPS  TENSORS
first   ended      13        6
second  failed     13        6

# names are joined by a point, define_metric's axis is the step of what it names; histograms are no scalars
$ -batch -ex 'tensors -field name,steps' -ex 'series val/acc -csv -field step,value' -ex 'series loss -csv -field step,value' tests/samples/wandb_0_31/wandb/latest-run
NAME     STEPS
epoch        3
loss        12
ok          12
opt.lr      12
val/acc      3
weights      2
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
weights      2
step,value
0,0.75
1,0.875
2,0.9166666666666666


# what else is said of a run: configuration that was set later, too, the summary, what the program printed
$ -batch -ex 'info config' -ex 'info summary' -ex log tests/samples/wandb_0_31/wandb/offline-run-20261123_150132-aaaa0001
KEY        VALUE
lr         0.5
net.depth  3
net.act    relu
layers     [4,4]
late.n     5
KEY             VALUE
_runtime        0.215393159
_timestamp      1.7954460933324683e+09
_step           22
loss            0.016347085753856266
opt.lr          0.041666666666666664
ok              false
word            w
weights._type   histogram
weights.values  [2,1,0,1]
weights.bins    [1,2.25,3.5,4.75,6]
val/acc         0.9166666666666666
epoch           2
best            0.125
epoch 0 of first
epoch 1 of first
epoch 2 of first

$ -batch -ex 'info config' -ex 'info summary' -ex log tests/samples/wandb_0_17/wandb/offline-run-20261123_150135-aaaa0001
KEY        VALUE
lr         0.5
net.depth  3
net.act    relu
layers     [4, 4]
late.n     5
KEY             VALUE
loss            0.016347085753856266
ok              false
word            w
weights._type   histogram
weights.values  [2, 1, 0, 1]
weights.bins    [1.0, 2.25, 3.5, 4.75, 6.0]
_timestamp      1795446095.446866
_runtime        0.08679604530334473
_step           22
val/acc         0.9166666666666666
epoch           2
best            0.125
epoch 0 of first
epoch 1 of first
epoch 2 of first

$ -batch -ex 'runs -json' tests/samples/wandb_0_31
[{"run":"first","path":"wandb/offline-run-20261123_150132-aaaa0001","kind":"wandb","parts":["wandb"],"state":"ended","steps":13,"first_step":0,"last_step":22,"metric":"loss","newest":0.016347085753856266,"best":0.016347085753856266,"best_step":22,"trend":"falling","issues":0,"worst_rule":null,"config":{"lr":0.5,"net.depth":3,"net.act":"relu","layers":[4,4],"late.n":5},"errors":0,"current":true,"rate":3968.2539682539682,"hidden":false,"marked":true,"exit_code":0,"about":false,"worst_step":null,"judged":false},{"run":"second","path":"wandb/offline-run-20261123_150133-aaaa0002","kind":"wandb","parts":["wandb"],"state":"ended","steps":13,"first_step":0,"last_step":22,"metric":"loss","newest":2.3077992415219466,"best":2.3077992415219466,"best_step":22,"trend":"falling","issues":0,"worst_rule":null,"config":{"lr":0.050000000000000003,"net.depth":4,"net.act":"relu","layers":[4,4],"late.n":5},"errors":0,"current":false,"rate":1148.3253588516745,"hidden":false,"marked":true,"exit_code":1,"about":false,"worst_step":null,"judged":false}]

# the metrics of the machine, which have a time and no step; a run that has failed
$ -batch -ex 'info system' -ex 'info system proc.cpu.threads' -ex 'info system vda -json -field name,count,newest,trend' -ex 'info system nothing' tests/samples/wandb_0_31
NAME                     SAMPLES   NEWEST      MIN     MEAN      MAX  TREND
disk./.usageGB                 1   40.619   40.619   40.619   40.619  ▄
disk./.usagePercent            1   44.599   44.599   44.599   44.599  ▄
disk.vda.in                    1        0        0        0        0  ▄
disk.vda.out                   1        0        0        0        0  ▄
memory_percent                 1   3.3691   3.3691   3.3691   3.3691  ▄
network.recv                   1        0        0        0        0  ▄
network.sent                   1        0        0        0        0  ▄
network.tcpRetransmits         1        0        0        0        0  ▄
proc.cpu.threads               1        6        6        6        6  ▄
proc.memory.availableMB        1    23293    23293    23293    23293  ▄
proc.memory.percent            1  0.25583  0.25583  0.25583  0.25583  ▄
proc.memory.rssMB              1   61.668   61.668   61.668   61.668  ▄
TIME                       VALUE
2026-11-23T15:01:33+00:00      6
[{"name":"disk.vda.in","count":1,"newest":0,"trend":null},{"name":"disk.vda.out","count":1,"newest":0,"trend":null}]
! smdbg: No metric of the machine has "nothing" in its name; "info system" lists them.
? 4
$ -batch -ex 'trial second' -ex 'info system' tests/samples/wandb_0_31
   NUM  NAME    STATE   STEPS  TENSORS      LOSS  NOTE  PATH
     1  first   ended      13        6  0.016347  -     tests/samples/w…run-20261123_150132-aaaa0001
*    2  second  failed     13        6    2.3078  -     tests/samples/w…run-20261123_150133-aaaa0002
No metric of the machine was logged.
$ -batch -ex 'runs failed' -ex 'runs -json -field run,state,exit_code' -ex 'trial second' -ex 'info trial' tests/samples/wandb_0_31
   RUN     STATE   STEP    loss    BEST  AT  TREND      lr  net.depth  RULES
   second  failed    22  2.3078  2.3078  22  falling  0.05          4  -
[{"run":"first","state":"ended","exit_code":0},{"run":"second","state":"ended","exit_code":1}]
   NUM  NAME    STATE   STEPS  TENSORS      LOSS  NOTE  PATH
     1  first   ended      13        6  0.016347  -     tests/samples/w…run-20261123_150132-aaaa0001
*    2  second  failed     13        6    2.3078  -     tests/samples/w…run-20261123_150133-aaaa0002
name              second
kind              wandb
state             failed
workers           .
workers expected  1
steps             13
first step        0
last step         22
tensors           6
collections       3
payload           299 B
errors            0
mode              GLOBAL: 13 steps, 0 to 22
exit code         1: the run has failed

# the state of a filter is the one that is shown: a run that failed is not ended
$ -batch -ex 'runs state == failed -columns loss' -ex 'runs state ~ fail -json -field run' -ex 'runs ended -json -field run' -ex 'runs state == ended -json -field run' -ex 'runs !ended -json -field run' tests/samples/wandb_0_31
   RUN     STATE   STEP    loss    BEST  AT  TREND      loss    lr  net.depth  RULES
   second  failed    22  2.3078  2.3078  22  falling  2.3078  0.05          4  -
[{"run":"second"}]
[{"run":"first"}]
[{"run":"first"}]
[{"run":"second"}]

$ -batch -ex 'info trials' -ex 'info trials -json -field name,state' tests/samples/wandb_0_31
   NUM  NAME    STATE   STEPS  TENSORS      LOSS  NOTE  PATH
*    1  first   ended      13        6  0.016347  -     tests/samples/w…run-20261123_150132-aaaa0001
     2  second  failed     13        6    2.3078  -     tests/samples/w…run-20261123_150133-aaaa0002
[{"name":"first","state":"ended"},{"name":"second","state":"ended"}]

# alerts: with the step of the history before them; what would change colours is escaped
$ -batch --no-follow -ex 'info events -csv -field kind,step,text' tests/samples/wandb_alerts
kind,step,text
end,40,the job has ended
alert,20,WARN: Low accuracy: 0.1 is below 0.5 \x1b[31mred
session,0,the job begins at step 0
alert,-1,INFO: Started: nothing was logged yet
