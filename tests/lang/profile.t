# a profiler's tree alone is a run
$ -batch -ex 'info trials -field name,steps,tensors' -ex 'profile summary' tests/samples/profile
NAME     STEPS  TENSORS
profile      0        0
5.50 s, 2 nodes, 12 TRAIN steps, half of them within 300 ms.
NODE    METRIC      UNIT    MEAN   P50    P90    P95    P99    MAX   MIN
algo-1  CPU         %      51.75  51.5   53.9     54     54     54    50
algo-1  I/O wait    %       1.25  1.25   1.25   1.25   1.25   1.25  1.25
algo-1  GPU         %     53.125    60   67.5   67.5   67.5   67.5  3.75
algo-1  GPU memory  %       35.5  35.5   39.9  40.45  40.89     41    30
algo-1  CPU memory  %       12.5  12.5   12.5   12.5   12.5   12.5  12.5
algo-1  Network     B/s     6000  6000  10400  10950  11390  11500   500
algo-2  CPU         %      51.75  51.5   53.9     54     54     54    50
algo-2  I/O wait    %       1.25  1.25   1.25   1.25   1.25   1.25  1.25
algo-2  GPU         %     53.125    60   67.5   67.5   67.5   67.5  3.75
algo-2  GPU memory  %       35.5  35.5   39.9  40.45  40.89     41    30
algo-2  CPU memory  %       12.5  12.5   12.5   12.5   12.5   12.5  12.5
algo-2  Network     B/s     6000  6000  10400  10950  11390  11500   500
1 line could not be read.

# every metric of every node; numbers that are none, bad and torn lines are left out
$ -batch -ex 'profile summary -csv' tests/samples/profile
node,type,name,dimension,unit,count,min,mean,p50,p90,p95,p99,max
algo-1,cpu,cpu0,CPUUtilization,%,12,40,41.75,41.5,43.9,44,44,44
algo-1,cpu,cpu1,CPUUtilization,%,12,60,61.75,61.5,63.9,64,64,64
algo-1,cpu,cpu0,I/OWaitPercentage,%,12,0,0,0,0,0,0,0
algo-1,cpu,cpu1,I/OWaitPercentage,%,12,2.5,2.5,2.5,2.5,2.5,2.5,2.5
algo-1,gpu,gpu0,GPUMemoryUtilization,%,12,30,35.5,35.5,39.9,40.45,40.89,41
algo-1,gpu,gpu1,GPUMemoryUtilization,%,12,30,35.5,35.5,39.9,40.45,40.89,41
algo-1,gpu,gpu0,GPUUtilization,%,12,5,70.83333333333333,80,90,90,90,90
algo-1,gpu,gpu1,GPUUtilization,%,12,2.5,35.416666666666664,40,45,45,45,45
algo-1,memory,MemoryUsedPercent,,%,12,12.5,12.5,12.5,12.5,12.5,12.5,12.5
algo-1,network,ReceiveBytesPerSecond,Algorithm,B/s,12,0,5500,5500,9900,10450,10890,11000
algo-1,network,TransmitBytesPerSecond,Algorithm,B/s,12,500,500,500,500,500,500,500
algo-2,cpu,cpu0,CPUUtilization,%,12,40,41.75,41.5,43.9,44,44,44
algo-2,cpu,cpu1,CPUUtilization,%,12,60,61.75,61.5,63.9,64,64,64
algo-2,cpu,cpu0,I/OWaitPercentage,%,12,0,0,0,0,0,0,0
algo-2,cpu,cpu1,I/OWaitPercentage,%,12,2.5,2.5,2.5,2.5,2.5,2.5,2.5
algo-2,gpu,gpu0,GPUMemoryUtilization,%,12,30,35.5,35.5,39.9,40.45,40.89,41
algo-2,gpu,gpu1,GPUMemoryUtilization,%,12,30,35.5,35.5,39.9,40.45,40.89,41
algo-2,gpu,gpu0,GPUUtilization,%,12,5,70.83333333333333,80,90,90,90,90
algo-2,gpu,gpu1,GPUUtilization,%,12,2.5,35.416666666666664,40,45,45,45,45
algo-2,memory,MemoryUsedPercent,,%,12,12.5,12.5,12.5,12.5,12.5,12.5,12.5
algo-2,network,ReceiveBytesPerSecond,Algorithm,B/s,12,0,5500,5500,9900,10450,10890,11000
algo-2,network,TransmitBytesPerSecond,Algorithm,B/s,12,500,500,500,500,500,500,500

$ -batch -ex 'profile summary -json' tests/samples/profile | cut -c1-400
{"verdict":"unknown","since":null,"evidence":[],"steps":{"count":12,"mean":350000000,"p50":300000000,"p95":570000000,"p99":834000000,"max":900000000,"mode":"TRAIN"},"nodes":["algo-1","algo-2"],"metrics":[{"node":"algo-1","type":"cpu","name":"cpu0","dimension":"CPUUtilization","unit":"%","count":12,"min":40,"mean":41.75,"p50":41.5,"p90":43.899999999999999,"p95":44,"p99":44,"max":44},{"node":"algo-1

$ -batch -ex 'profile phases' -ex 'profile phases -csv' tests/samples/profile
PHASE                     COUNT    TOTAL     MEAN      P50      P95      MAX
Step:ModeKeys.TRAIN          12   4.20 s   350 ms   300 ms   570 ms   900 ms
Backward(post-forward)       12   2.10 s   175 ms   150 ms   285 ms   450 ms
Forward                      12   1.40 s   117 ms   100 ms   190 ms   300 ms
DataLoaderIter               12   600 ms  50.0 ms  50.0 ms  50.0 ms  50.0 ms
Checkpoint                    2   600 ms   300 ms   300 ms   480 ms   500 ms
gpu_functions-dev:0          12   480 ms  40.0 ms  40.0 ms  40.0 ms  40.0 ms
cpu_functions                24   300 ms  12.5 ms  12.5 ms  20.0 ms  20.0 ms
Step:ModeKeys.EVAL            1   120 ms   120 ms   120 ms   120 ms   120 ms
DataLoaderIterInitialize      1  20.0 us  20.0 us  20.0 us  20.0 us  20.0 us
phase,count,total_ns,mean_ns,p50_ns,p95_ns,max_ns,min_ns,first_ns,last_ns
Step:ModeKeys.TRAIN,12,4200000000,350000000,300000000,570000000,900000000,300000000,1600000020100000000,1600000025400000000
Backward(post-forward),12,2100000000,175000000,150000000,285000000,450000000,150000000,1600000020200000000,1600000025350000000
Forward,12,1400000000,116666667,100000000,190000000,300000000,100000000,1600000020100000000,1600000025200000000
DataLoaderIter,12,600000000,50000000,50000000,50000000,50000000,50000000,1600000020050000000,1600000025100000000
Checkpoint,2,600000000,300000000,300000000,480000000,500000000,100000000,1600000022000000000,1600000022500000000
gpu_functions-dev:0,12,480000000,40000000,40000000,40000000,40000000,40000000,1600000020100020000,1600000025140020000
cpu_functions,24,300066000,12502750,12500000,20009850,20011000,5000000,1600000020100010000,1600000025135000000
Step:ModeKeys.EVAL,1,120000500,120000500,120000500,120000500,120000500,120000500,1600000025000000000,1600000025120000500
DataLoaderIterInitialize,1,20000,20000,20000,20000,20000,20000,1600000020001000000,1600000020001020000

# a profile in the folder of a run is a part of it
$ -batch -ex 'info trials -field name' -ex 'profile phases -field phase,count' tests/samples/profile_of_a_run
NAME
profile_of_a_run
PHASE                COUNT
Step:ModeKeys.TRAIN      2

$ -batch -ex 'runs -json' tests/samples/profile_of_a_run | cut -c1-90
[{"run":"profile_of_a_run","path":"metrics.csv","kind":"csv","parts":["csv","profile"],"st

# a run without a profile
$ -batch -ex 'profile summary' tests/trials/dtypes
! smdbg: The run has no profile: there is no profiler-output, system or framework in its directory, and no profiler-output beside it.
? 4
