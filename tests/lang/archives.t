# archives of version 1 answer as they did
$ -batch -ex 'stat gradient/CNN_fc1.weight' -ex 'stat gradient/* -csv' -ex 'layers l2' -ex 'series gradient/CNN_fc1.bias reduce abs_max -csv -field step,value' -ex doctor tests/archives/version_1_stats.smdz
gradient/CNN_fc1.weight  step 10 (train 10)  float32
min          -0.651459    max          0.291413     mean         -1.91801e-10
std          0.0904005    variance     0.00817225   median       0.00839638
sum          -4.60323e-08 prod         0
l1           12.1474      l2           1.40048
abs_min      0            abs_max      0.651459     abs_mean     0.0506141
abs_std      0.0749031    abs_variance 0.00561047   abs_median   0.0208855
abs_sum      12.1474
p1           -0.295309    p5           -0.175636    p25          0
p75          0.0326805    p95          0.110523     p99          0.173952
size         240          zero         20           nan          0
pos          166          neg          54
pos_inf      0            neg_inf      0
name,step,mode,mode_step,worker,dtype,shape,size,nan,pos_inf,neg_inf,zero,min,max,mean,std,sum,l1,l2,abs_mean,abs_max,median,p5,p25,p75,p95,neg,pos,variance,prod,abs_min,abs_std,abs_variance,abs_sum,abs_median,p1,p99
gradient/CNN_fc1.bias,10,TRAIN,10,worker_0,float32,"(10,)",10,0,0,0,0,-0.09085337817668915,0.08812446892261505,8.381903171539307e-10,0.05980878015718103,8.381903171539307e-09,0.5260467762127519,0.18913196937297544,0.05260467762127519,0.09085337817668915,-0.008295646868646145,-0.07338116019964218,-0.05092829093337059,0.04876140132546425,0.08788251355290413,5,5,0.0035770901838900115,-8.090358137793612e-15,0.0027889693155884743,0.028457654089044687,0.0008098380762517218,0.5260467762127519,0.05175052583217621,-0.08735893458127976,0.08807607784867287
gradient/CNN_fc1.weight,10,TRAIN,10,worker_0,float32,"(10, 24)",240,0,0,0,20,-0.651459276676178,0.2914130687713623,-1.918010639201384e-10,0.09040050889711576,-4.603225534083322e-08,12.147372748305315,1.4004786617888192,0.05061405311793881,0.651459276676178,0.008396376855671406,-0.1756361372768879,0,0.03268050774931908,0.11052283048629753,54,166,0.008172252008857506,0,0,0.07490306826714094,0.0056104696358319755,12.147372748305315,0.020885461941361427,-0.29530934154987337,0.17395227685570688
l2 of 2 tensors at step 10 (train 10), in the order of writing
#  NAME                       VALUE                            PROBLEM
1  gradient/CNN_fc1.bias    0.18913  █                         -
2  gradient/CNN_fc1.weight   1.4005  ████████████████████████  -
step,value
0,0.23624926805496216
10,0.09085337817668915
PART         VERDICT  FINDING                                                           LIKELY CAUSE
archive      ok       of cnn_healthy, state ended; selection: gradient/CNN_fc1.bias     -
                      gradient/CNN_fc1.weight step 0:20 by its statistics
index        ok       2 steps, 2 tensors                                                -
collections  ok       11 collections, num_workers 1                                     -

$ -batch -ex 'stat gradient/CNN_fc1.weight -json' -ex 'print l2(gradient/CNN_fc1.weight)' -ex 'print gradient/CNN_fc1.weight[0, :3]' -ex doctor tests/archives/version_1.smdz
{"name":"gradient/CNN_fc1.weight","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","shape":[10,24],"size":240,"nan":0,"pos_inf":0,"neg_inf":0,"zero":20,"neg":54,"pos":166,"min":-0.65145927667617798,"max":0.2914130687713623,"mean":-1.9180106392013839e-10,"std":0.090400508897115761,"variance":0.0081722520088575064,"sum":-4.6032255340833217e-08,"prod":0,"l1":12.147372748305315,"l2":1.4004786617888192,"abs_min":0,"abs_max":0.65145927667617798,"abs_mean":0.050614053117938811,"abs_std":0.074903068267140938,"abs_variance":0.0056104696358319755,"abs_sum":12.147372748305315,"median":0.0083963768556714058,"abs_median":0.020885461941361427,"p1":-0.29530934154987337,"p5":-0.1756361372768879,"p25":0,"p75":0.032680507749319077,"p95":0.11052283048629753,"p99":0.17395227685570688,"saved":{}}
$1 = 1.4004786617888192
$2 = float32 (3,)
[ 0.0192597   0.02064618 -0.12552086]
PART         VERDICT  FINDING                                                           LIKELY CAUSE
archive      ok       of cnn_healthy, state ended; selection: gradient/CNN_fc1.bias     -
                      gradient/CNN_fc1.weight step 0:20
index        ok       2 steps, 2 tensors                                                -
collections  ok       11 collections, num_workers 1                                     -

# an unknown statistic is ignored
$ -batch -ex 'stat gradient/CNN_fc1.weight -json' -ex doctor tests/archives/more_statistics_stats.smdz
{"name":"gradient/CNN_fc1.weight","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","shape":[10,24],"size":240,"nan":0,"pos_inf":0,"neg_inf":0,"zero":20,"neg":54,"pos":166,"min":-0.65145927667617798,"max":0.2914130687713623,"mean":-1.9180106392013839e-10,"std":0.090400508897115761,"variance":0.0081722520088575064,"sum":-4.6032255340833217e-08,"prod":0,"l1":12.147372748305315,"l2":1.4004786617888192,"abs_min":0,"abs_max":0.65145927667617798,"abs_mean":0.050614053117938811,"abs_std":0.074903068267140938,"abs_variance":0.0056104696358319755,"abs_sum":12.147372748305315,"median":0.0083963768556714058,"abs_median":0.020885461941361427,"p1":-0.29530934154987337,"p5":-0.1756361372768879,"p25":0,"p75":0.032680507749319077,"p95":0.11052283048629753,"p99":0.17395227685570688,"saved":{}}
PART         VERDICT  FINDING                                                           LIKELY CAUSE
archive      ok       of cnn_healthy, state ended; selection: gradient/CNN_fc1.bias     -
                      gradient/CNN_fc1.weight step 0:20 by its statistics
index        ok       2 steps, 2 tensors                                                -
collections  ok       11 collections, num_workers 1                                     -

# one that was not saved is not 0
$ -batch -keep-going -ex 'stat gradient/CNN_fc1.weight' -ex 'stat gradient/* -json -field name,l1,l2,p1,p5' -ex 'layers l2' -ex 'layers l2 -json -field value' -ex 'print l2(gradient/CNN_fc1.weight)' -ex 'series gradient/CNN_fc1.weight reduce l2' -ex 'health l2' -ex 'spark gradient/* reduce l2' -ex 'break if l2(gradient/CNN_fc1.weight) == 0' -ex run -ex doctor tests/archives/fewer_statistics_stats.smdz
gradient/CNN_fc1.weight  step 10 (train 10)  float32
min          -0.651459    max          0.291413     mean         -1.91801e-10
std          0.0904005    variance     0.00817225   median       0.00839638
sum          -4.60323e-08 prod         0
l1           12.1474      l2           -
abs_min      0            abs_max      0.651459     abs_mean     0.0506141
abs_std      0.0749031    abs_variance 0.00561047   abs_median   0.0208855
abs_sum      12.1474
p1           -            p5           -0.175636    p25          0
p75          0.0326805    p95          0.110523     p99          0.173952
size         240          zero         20           nan          0
pos          166          neg          54
pos_inf      0            neg_inf      0
-: the archive has neither this statistic nor the values to compute it.
[{"name":"gradient/CNN_fc1.bias","l1":0.52604677621275187,"l2":null,"p1":null,"p5":-0.073381160199642179},{"name":"gradient/CNN_fc1.weight","l1":12.147372748305315,"l2":null,"p1":null,"p5":-0.1756361372768879}]
l2 of 2 tensors at step 10 (train 10), in the order of writing
#  NAME                     VALUE    PROBLEM
1  gradient/CNN_fc1.bias        -    -
2  gradient/CNN_fc1.weight      -    -
-: l2 was not saved in the archive, nor the values to compute it from.
[{"value":null},{"value":null}]
Breakpoint 1 at every step
step 10 (train 10)  gradient/CNN_fc1.weight
Breakpoint 1: it had no value: l2 was not saved in the archive, nor the values to compute it from
No breakpoint was hit up to the last step.
PART         VERDICT  FINDING                                                           LIKELY CAUSE
archive      ok       of cnn_healthy, state ended; selection: gradient/CNN_fc1.bias     -
                      gradient/CNN_fc1.weight step 0:20 by its statistics
index        ok       2 steps, 2 tensors                                                -
collections  ok       11 collections, num_workers 1                                     -
! smdbg: l2 was not saved in the archive, nor the values to compute it from.
! smdbg: gradient/CNN_fc1.weight: l2 was not saved in the archive, nor the values to compute it from.
! smdbg: l2 was not saved in the archive, nor the values to compute it from.
? 4

# but it is computed where the values are
$ -batch -ex 'stat gradient/CNN_fc1.weight -field l2,p1' -ex 'print l2(gradient/CNN_fc1.weight)' -ex 'layers l2' tests/archives/fewer_statistics.smdz
l2   1.4005
1 %  -0.29531
$1 = 1.4004786617888192
l2 of 1 tensor at step 10 (train 10), in the order of writing
#  NAME                      VALUE                PROBLEM
1  gradient/CNN_fc1.weight  1.4005  ████████████  -

# what an archive does not have, an archive of it has not either
$ -batch -keep-going -ex "snapshot save $T/b.smdz -field values" -ex "open $T/b.smdz" -ex 'print l2(gradient/CNN_fc1.weight)' -ex 'print l1(gradient/CNN_fc1.weight)' tests/archives/fewer_statistics_stats.smdz
values  4
b.smdz: archive of a smdebug trial, 1 worker, ended
2 steps (TRAIN 0..10), 2 tensors in 11 collections
$1 = 12.147372748305315
! smdbg: l2 was not saved in the archive, nor the values to compute it from.
? 4
