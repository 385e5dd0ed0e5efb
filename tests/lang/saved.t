# reductions that the hook saved are named as such

$ -batch --ascii -ex 'series CNN_conv0.bias -csv -field step,value' -ex 'series CNN_conv0.bias' -ex 'spark CNN_conv*' -ex 'plot CNN_conv0.bias reduce max -h 4 -w 40' -ex 'print max(CNN_conv0.bias)' -ex 'print CNN_conv0.bias@0..4' tests/trials/cnn_reductions
step,value
0,0
4,-0.02944035828113556
8,-0.03718505799770355
10,-0.03699948638677597
13,-0.036542803049087524
17,-0.0339377224445343
21,-0.026840204373002052
22,-0.026840204373002052
STEP  MODE   MODE-STEP  TIME                           VALUE
   0  TRAIN          0  2026-11-21T02:47:54+00:00          0
   4  TRAIN          4  2026-11-21T02:47:54+00:00   -0.02944
   8  TRAIN          8  2026-11-21T02:47:54+00:00  -0.037185
  10  EVAL           0  2026-11-21T02:47:54+00:00  -0.036999
  13  TRAIN         12  2026-11-21T02:47:54+00:00  -0.036543
  17  TRAIN         16  2026-11-21T02:47:54+00:00  -0.033938
  21  EVAL           1  2026-11-21T02:47:54+00:00   -0.02684
  22  TRAIN         20  2026-11-21T02:47:54+00:00   -0.02684
Saved by the job, not computed: the mean.
NAME              WHAT  STEPS       FIRST        LAST  TREND
CNN_conv0.bias    mean      8           0    -0.02684  #:...:--
CNN_conv0.weight  mean      8   -0.044912   -0.012233  .+###*++
CNN_conv1.bias    mean      8           0  -0.0062733  #-....--
CNN_conv1.weight  mean      8  9.0896e-05  -0.0084578  #-:::.::
Saved by the job, not computed: the mean of CNN_conv0.bias, the mean of CNN_conv0.weight, the mean of CNN_conv1.bias and of 1 more.
     0 +.                         ....''
       | ''.                .::'''
 -0.02 +    ''........:'''''
       +--------------------------------
Saved by the job, not computed: the max of CNN_conv0.bias.
$1 = 0.007309187
Saved by the job, not computed.
$2 = series of 2 points: the saved mean of each step
STEP     VALUE
   0         0
   4  -0.02944

$ -batch -ex 'plot CNN_conv0.bias reduce max mode eval -json' -ex 'series CNN_conv0.bias mode eval -json' -ex 'print max(CNN_conv0.bias) -json' -ex 'print CNN_conv0.bias@0..4 -json' tests/trials/cnn_reductions
[{"name":"CNN_conv0.bias","mode":"EVAL","reduction":"max","points":[{"step":10,"value":-0.020449390634894371,"mode_step":0,"time":1795229274.5382535},{"step":21,"value":0.0073091872036457062,"mode_step":1,"time":1795229274.6705582}],"trial":"cnn_reductions","saved":true}]
{"name":"CNN_conv0.bias","reduction":"mean","mode":"EVAL","worker":"worker_0","points":[{"step":10,"mode_step":0,"time":1795229274.5383813,"value":-0.03699948638677597,"mode":"EVAL"},{"step":21,"mode_step":1,"time":1795229274.6706967,"value":-0.026840204373002052,"mode":"EVAL"}],"unread":0,"saved":true}
{"expr":"max(CNN_conv0.bias)","type":"number","value":0.0073091872,"saved":true}
{"expr":"CNN_conv0.bias@0..4","type":"series","value":[{"step":0,"value":0},{"step":4,"value":-0.029440358281135559}],"unread":0,"reduction":"mean","saved":true}

$ -batch -ex 'series CNN_conv0.bias mode eval -json' -ex 'print max(CNN_conv0.bias) -json' tests/trials/cnn_healthy
{"name":"CNN_conv0.bias","reduction":"mean","mode":"EVAL","worker":"worker_0","points":[{"step":30,"mode_step":0,"time":1795229271.2026992,"value":-0.056779910228215158,"mode":"EVAL"},{"step":32,"mode_step":2,"time":1795229271.208786,"value":-0.056779910228215158,"mode":"EVAL"},{"step":64,"mode_step":4,"time":1795229271.2592115,"value":-0.099306031130254269,"mode":"EVAL"},{"step":66,"mode_step":6,"time":1795229271.2628522,"value":-0.099306031130254269,"mode":"EVAL"},{"step":98,"mode_step":8,"time":1795229271.3124788,"value":-0.10398973524570465,"mode":"EVAL"},{"step":100,"mode_step":10,"time":1795229271.3167353,"value":-0.10398973524570465,"mode":"EVAL"}],"unread":0}
{"expr":"max(CNN_conv0.bias)","type":"number","value":0.12866763770580292}
