# several trials: each is a line of its own
$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 -h 12 -w 70 -y log' tests/trials/cnn_healthy tests/trials/cnn_dead_relu tests/trials/cnn_unnormalized_input
CrossEntropyLoss_output_0
  100 +'.
      |  '.
      |    '.
    1 +''''..:::...:::::''+....::''''''    ''''''''
      |                 ''''''''.:....:::::....+...
      |                                           ''':...  ....
      | -- cnn_healthy TRAIN                           ''''   ..
 0.01 + =+ cnn_healthy EVAL                                     '''..
      | .. cnn_dead_relu                                            '
      | == cnn_unnormalized_input                                    +
      ++-----------+------------+-----------+------------+-----------+
       0          20           40          60           80         100

# those that are asked for; what one of them does not have is said
$ -batch --ascii -ex 'plot MSELoss_output_0 CrossEntropyLoss_output_0 -trials 1,mlp_exploding_tensor,3 -y log -h 12 -w 70' tests/trials/cnn_healthy tests/trials/mlp_exploding_tensor tests/trials/dtypes
1 cnn_healthy, 2 mlp_exploding_tensor, 3 dtypes
       |III..
     1 +...  ''''''''''''.+:::::..
       |                         '''''''''''::'+''..
   0.1 +                                          '':..
       |                                              '':...'''
       |                                                      ...
  0.01 + -- 1 TRAIN Cros...ss_output_0                           ''..
       | =+ 1 EVAL Cross...ss_output_0                              '
 0.001 + == 3 CrossEntro...ss_output_0
       | .. 2 MSELoss_output_0                                       +
       ++-xxxxxxxxxxxxx---------+------------+-----------+-----------+
        0          20          40           60          80         100
43 points in 70 columns; a column with several points shows their min and max
1 line leaves the chart (clipped); -no-clip shows all.

$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 mode train -trials current -h 4 -w 50' tests/trials/cnn_healthy tests/trials/mlp_overfit
  3.2 +'..                    -- CrossEn...tput_0
      |   ''....
 0.03 +         ''''''''''''''''''''''''''........
      +-------------------------------------------

$ -batch -ex 'plot CrossEntropyLoss_output_0 -trials 1,nosuch' tests/trials/cnn_healthy
! smdbg: No trial "nosuch".  Try "info trials".
? 4

$ -batch -ex 'plot nosuch' tests/trials/cnn_healthy tests/trials/mlp_overfit
! smdbg: No tensor "nosuch". Try "tensors".
? 4

# time relative to each one's own first value
$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 mode train -x relative -h 8 -w 60' tests/trials/cnn_healthy tests/trials/mlp_overfit
CrossEntropyLoss_output_0
 3 +:                                        -- cnn_healthy
   | :                                       .. mlp_overfit
 2 +  :
   |.  '.
 1 + :   '''...
   |     ...   :::''':.... ...   ...   ...   ...   ...   ...
   ++-------------+-------------+--------------+-----------+
   0s           0.1s          0.2s           0.3s     0.388s

# the same tensor of all trials together; a trial that is hidden is left out, unless it is current
$ -batch --ascii -ex 'spark *fc*weight reduce l2' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
TRIAL          NAME                     WHAT  STEPS   FIRST    LAST  TREND
cnn_healthy    CNN_fc0.weight           l2       15  6.9532  8.4405  ..:---=+****###
cnn_dead_relu  CNN_fc0.weight           l2        6  6.8471  6.8471  ======
cnn_healthy    CNN_fc1.weight           l2       15  2.9182  4.4585  ..:===+****####
cnn_dead_relu  CNN_fc1.weight           l2        6  3.1344  3.1344  ======
cnn_healthy    gradient/CNN_fc0.weight  l2        9  3.6636  2.1563  -:#:-:-.:
cnn_dead_relu  gradient/CNN_fc0.weight  l2        6       0       0  ======
cnn_healthy    gradient/CNN_fc1.weight  l2        9  2.3359  1.6302  ::#.:::.:
cnn_dead_relu  gradient/CNN_fc1.weight  l2        6       0       0  ======

$ -batch --ascii -ex 'trial 2 -hide -field name,shown -csv' -ex 'spark *Loss*' -ex 'trial 2 -csv -field name,shown' -ex 'spark *Loss*' -ex 'trial 2 -show -csv -field name,shown' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
name,shown
cnn_healthy,true
cnn_dead_relu,false
NAME                       WHAT  STEPS   FIRST        LAST  TREND
CrossEntropyLoss_output_0  -        15  3.1933  0.00026378  #----::::::....
name,shown
cnn_healthy,true
cnn_dead_relu,true
TRIAL          NAME                       WHAT  STEPS   FIRST        LAST  TREND
cnn_healthy    CrossEntropyLoss_output_0  -        15  3.1933  0.00026378  #----::::::....
cnn_dead_relu  CrossEntropyLoss_output_0  -         6  2.3026      2.3084  --.#==
name,shown
cnn_healthy,true
cnn_dead_relu,true

# of one name: by their numbers
$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 mode train -h 8 -w 50' tests/trials/cnn_healthy tests/trials/cnn_healthy
CrossEntropyLoss_output_0
 3 +'.                           -- 1 cnn_healthy
   |  '.                         .. 2 cnn_healthy
 2 +   '.
   |     '...
 1 +         ''''''......
   |                     ''''''''''''''''.........
   ++---------------------------+----------------+
    0                          50               80

# the baseline
$ -batch -ex 'trial 2 -baseline -tsv -field number,name,loss,baseline,last_step' -ex 'trial -no-baseline -jsonl -field name,baseline,shown,loss' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
number	name	loss	baseline	last_step
1	cnn_healthy	0.06350702792406082	false	101
2	cnn_dead_relu	2.3084099292755127	true	20
{"name":"cnn_healthy","baseline":false,"shown":true,"loss":0.063507027924060822}
{"name":"cnn_dead_relu","baseline":false,"shown":true,"loss":2.3084099292755127}

$ -batch -ex 'trial 1 -base -csv -field baseline' -ex 'remove-trial 1' -ex 'trial' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
baseline
true
false
Closed cnn_healthy.
   NUM  NAME           STATE  STEPS  TENSORS    LOSS  NOTE  PATH
*    1  cnn_dead_relu  ended      6       23  2.3084  -     tests/trials/cnn_dead_relu

# one object a line of the chart
$ -batch -ex 'plot CrossEntropyLoss_output_0 mode eval -json -trials current' -ex 'plot CrossEntropyLoss_output_0 mode eval -csv' tests/trials/cnn_healthy tests/trials/cnn_reductions
[{"name":"CrossEntropyLoss_output_0","mode":"EVAL","reduction":null,"points":[{"step":30,"value":0.94722223281860352,"mode_step":0,"time":1795229271.2065327},{"step":32,"value":0.93521600961685181,"mode_step":2,"time":1795229271.2104757},{"step":64,"value":0.2997317910194397,"mode_step":4,"time":1795229271.2606733},{"step":66,"value":0.27675199508666992,"mode_step":6,"time":1795229271.2645192},{"step":98,"value":0.0056099728681147099,"mode_step":8,"time":1795229271.3143516},{"step":100,"value":0.00026378114125691354,"mode_step":10,"time":1795229271.317951}],"trial":"cnn_healthy"}]
name,mode,step,value,trial
CrossEntropyLoss_output_0,EVAL,30,0.9472222328186035,cnn_healthy
CrossEntropyLoss_output_0,EVAL,32,0.9352160096168518,cnn_healthy
CrossEntropyLoss_output_0,EVAL,64,0.2997317910194397,cnn_healthy
CrossEntropyLoss_output_0,EVAL,66,0.2767519950866699,cnn_healthy
CrossEntropyLoss_output_0,EVAL,98,0.00560997286811471,cnn_healthy
CrossEntropyLoss_output_0,EVAL,100,0.00026378114125691354,cnn_healthy
CrossEntropyLoss_output_0,EVAL,10,1.4094563722610474,cnn_reductions
CrossEntropyLoss_output_0,EVAL,21,0.6396844387054443,cnn_reductions

# histograms over each other, on bins that are the same for all; the place where one stands stays
$ -batch --ascii -ex 'goto 10' -ex 'hist CNN_fc1.weight step last -trials all -h 10 -w 70' -ex 'print $_trial' tests/trials/cnn_healthy tests/trials/cnn_dead_relu tests/trials/mlp_overfit
step 10 (train 10)
CNN_fc1.weight: share of the elements in 30 bins
 0.10 +                   ..:  ...   ''.             -- cnn_healthy
      |                  .:. :     ..                .. cnn_dead_relu
      |                  :'  '.  .'  :  .
      |             .   .'    : :     :  :
 0.05 +          .'''. .'      :       :.
      |        .'  . ':'                 '''.
      |  .    :.  .'                        ':'...:.  ....    ...
    0 +:'''''''                                     ''... ''::.  ':..'
      ++------------------------+-------------------+----------------+
     -0.63                      0                  0.5            0.91
Not in mlp_overfit.
$1 = "cnn_healthy"

$ -batch -ex 'hist CNN_fc1.weight step 20 -trials 1,2 -bins 2 -csv' -ex 'hist CNN_fc1.bias step 20 -trials 2 -bins 1 -json' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
trial,left,right,count
cnn_healthy,-0.5359383225440979,0.007140100002288818,125
cnn_healthy,0.007140100002288818,0.5502185225486755,115
cnn_dead_relu,-0.6027802228927612,-0.07284624874591827,83
cnn_dead_relu,-0.07284624874591827,0.4570877254009247,157
[{"name":"CNN_fc1.bias","step":20,"mode":"GLOBAL","mode_step":20,"worker":"worker_0","edges":[-0.031126661226153374,0.031994082033634186],"counts":[10],"nan":0,"pos_inf":0,"neg_inf":0,"trial":"cnn_dead_relu"}]

$ -batch -ex 'hist CNN_fc1.weight step all -trials all' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
! smdbg: Several trials are compared at one step, such as "step last".
? 1

$ -batch -ex 'hist nosuch -trials all' tests/trials/cnn_healthy tests/trials/cnn_dead_relu
! smdbg: No tensor "nosuch". Try "tensors".
? 4

# steps as other commands name them
$ -batch --keep-going -ex 'diff step 0 10 in *fc1.bias' -ex 'diff 1 2 3' -ex 'diff step 0 10 20' tests/trials/cnn_healthy
a: cnn_healthy step 0
b: cnn_healthy step 10
First divergence: step 0, CNN_fc1.bias: max |a - b| 0.0724, 10 of 10 beyond the limits.
NAME                   STEP   MAX-ABS  MAX-REL         ULP  BEYOND  SIZE  STATUS
gradient/CNN_fc1.bias     0   0.14812   23.757  2054423987      10    10  different
CNN_fc1.bias              0  0.072382        1  1033125154      10    10  different
0 equal, 0 close, 2 different, 0 incomparable.
! smdbg: Too many arguments: "3".  Try "help diff".
! smdbg: Too many arguments: "20".  Try "help diff".
? 1

# in few columns BEYOND, then ULP, goes before the words that tell names apart
$ COLUMNS=80 -n -batch --no-follow -ex 'diff @10 @30' tests/samples/checkpoints/trainer
a: trainer step 10
b: trainer step 30
First divergence: step 10, epoch: max |a - b| 1, 1 of 1 beyond the limits.
NAME                      STEP     MAX-ABS  MAX-REL         ULP  SIZE  STATUS
…1.mlp.c_proj…exp_avg       10   0.0022439   1193.2  1958437620   256  different
…h.1.ln_1.weight.exp_avg    10  0.00034486   1034.6  1919524344     8  different
…0.mlp.c_proj…exp_avg       10   0.0022281   533.41  1965296297   256  different
…h.1.mlp.c_proj.weight      10    0.058723   418.25  2028673261   256  different
transformer.wpe.weight      10    0.056736   267.29  2023794381    64  different
…0.attn.c_attn…exp_avg      10   0.0061518   185.93  1989356140   192  different
…h.1.attn.c_attn.bias       10    0.039983   148.49  2019564354    24  different
…1.mlp.c_fc…exp_avg         10   0.0012728   108.16  1948345328   256  different
…1.attn.c_attn…exp_avg      10   0.0023207   104.83  1966091621   192  different
…h.0.attn.c_attn.weight     10    0.080132   78.143  2050355855   192  different
…0.mlp.c_fc…exp_avg         10   0.0026607   63.954  1969012109   256  different
optimize….weight.exp_avg    10    0.029667   63.903  2003818988   128  different
…h.0.attn.c_proj.weight     10    0.033322   62.672  2029546146    64  different
…0.attn.c_proj…exp_avg      10   0.0065331   49.358  1990993731    64  different
…h.0.ln_1.bias.exp_avg      10  0.00066648   47.662  1933924361     8  different
…1.attn.c_proj…exp_avg      10   0.0025203   43.348  1963678708    64  different
…0.mlp.c_fc.bias.exp_avg    10   0.0013132   33.811  1951941230    32  different
…1…c_proj.bias.exp_avg      10    0.017312   30.542  2004178399     8  different
…h.1.attn.c_attn.weight     10    0.077101   28.886  2047087629   192  different
…0…c_proj.bias.exp_avg      10    0.018283   28.033  1993420727     8  different
96 more; -all shows them.
INCOMPARABLE       WHY
rng_state.cpu      no step in common
rng_state.numpy.1  no step in common
0 equal, 2 close, 114 different, 2 incomparable.
