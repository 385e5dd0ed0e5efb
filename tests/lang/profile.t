# a profiler's tree alone is a run
$ -batch -ex 'info trials -field name,steps,tensors' -ex 'profile summary' tests/samples/profile
NAME     STEPS  TENSORS
profile      0        0
CAUSE GPU underused, since step 2
  the GPUs are used to 57 %: one to 76 %, another to 38 % (12:27:00 to 12:27:05)  [profile heat]
  1.0 of 2 cores are used (algo-1, 12:27:00 to 12:27:05)  [profile system]
TRY Use larger batches or mixed precision; wait less often for the GPU (item(), prints); Use fewer
    or smaller GPUs
Not recorded: more steps
5.50 s, 2 nodes, 12 TRAIN steps, half of them within 300 ms.
NODE    METRIC      UNIT    MEAN   P50    P90    P95    P99    MAX   MIN
algo-1  CPU         %      51.75  51.5   53.9     54     54     54    50
algo-1  I/O wait    %       1.25  1.25   1.25   1.25   1.25   1.25  1.25
algo-1  GPU         %     53.125    60   67.5   67.5   67.5   67.5  3.75
algo-1  GPU memory  %       35.5  35.5   39.9  40.45  40.89     41    30
algo-1  CPU memory  %       12.5  12.5   12.5   12.5   12.5   12.5  12.5
algo-1  Network     B/s     5.9K  5.9K  10.2K  10.7K  11.1K  11.2K   500
algo-2  CPU         %      51.75  51.5   53.9     54     54     54    50
algo-2  I/O wait    %       1.25  1.25   1.25   1.25   1.25   1.25  1.25
algo-2  GPU         %     53.125    60   67.5   67.5   67.5   67.5  3.75
algo-2  GPU memory  %       35.5  35.5   39.9  40.45  40.89     41    30
algo-2  CPU memory  %       12.5  12.5   12.5   12.5   12.5   12.5  12.5
algo-2  Network     B/s     5.9K  5.9K  10.2K  10.7K  11.1K  11.2K   500
1 line could not be read; see "info profiler".

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
{"verdict":"gpu_underused","since":2,"evidence":[{"text":"the GPUs are used to 57 %: one to 76 %, another to 38 %","step":null,"value":0.57374999999999998,"command":"profile heat","node":null,"last_step":null,"from_ns":1600000020551434567,"to_ns":1600000025503234568},{"text":"1.0 of 2 cores are used","step":null,"value":0.52000000000000002,"command":"profile system","node":"algo-1","last_step":nul

$ -batch -ex 'profile phases' -ex 'profile phases -csv' tests/samples/profile
step 378 ms = data 46.2 ms + forward 108 ms + backward 162 ms + other 63.1 ms
PHASE                     COUNT    TOTAL     MEAN      P50      P95      MAX
Step:ModeKeys.TRAIN          12   4.20 s   350 ms   300 ms   570 ms   900 ms
Backward(post-forward)       12   2.10 s   175 ms   150 ms   285 ms   450 ms
Forward                      12   1.40 s   117 ms   100 ms   190 ms   300 ms
others                       11   1.10 s   100 ms   100 ms   100 ms   100 ms
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
others,11,1100000000,100000000,100000000,100000000,100000000,100000000,1600000020400000000,1600000025100000000
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
others                   1

$ -batch -ex 'runs -json' tests/samples/profile_of_a_run | cut -c1-90
[{"run":"profile_of_a_run","path":"metrics.csv","kind":"csv","parts":["csv","profile"],"st

# over time
$ -batch -ex 'profile system -buckets 12' -ex 'profile system -node algo-2 -steps 3:5 -buckets 3 -field node,metric,now' tests/samples/profile
NODE    METRIC      UNIT    NOW    MEAN    P95    MAX  OVER TIME
algo-1  CPU         %        51   51.75     54     54  ▁▃▄▆▇▁▃▄▆▇▁▃
algo-1  I/O wait    %      1.25    1.25   1.25   1.25  ▄▄▄▄▄▄▄▄▄▄▄▄
algo-1  GPU         %      67.5  53.125   67.5   67.5  ▁▆▆▆▁▆▆▆▇▇▇▇
algo-1  GPU memory  %        41    35.5  40.45     41  ▁▂▂▃▃▄▄▅▅▆▆▇
algo-1  CPU memory  %      12.5    12.5   12.5   12.5  ▄▄▄▄▄▄▄▄▄▄▄▄
algo-1  Network     B/s   11.2K    5.9K  10.7K  11.2K  ▁▂▂▃▃▄▄▅▅▆▆▇
algo-2  CPU         %        51   51.75     54     54  ▁▃▄▆▇▁▃▄▆▇▁▃
algo-2  I/O wait    %      1.25    1.25   1.25   1.25  ▄▄▄▄▄▄▄▄▄▄▄▄
algo-2  GPU         %      67.5  53.125   67.5   67.5  ▁▆▆▆▁▆▆▆▇▇▇▇
algo-2  GPU memory  %        41    35.5  40.45     41  ▁▂▂▃▃▄▄▅▅▆▆▇
algo-2  CPU memory  %      12.5    12.5   12.5   12.5  ▄▄▄▄▄▄▄▄▄▄▄▄
algo-2  Network     B/s   11.2K    5.9K  10.7K  11.2K  ▁▂▂▃▃▄▄▅▅▆▆▇
1 line could not be read; see "info profiler".
NODE    METRIC       NOW
algo-2  CPU           54
algo-2  I/O wait    1.25
algo-2  GPU         3.75
algo-2  GPU memory    34
algo-2  CPU memory  12.5
algo-2  Network     4.4K

$ -batch -ex 'profile system -last 1s -buckets 2 -json' tests/samples/profile | cut -c1-220
[{"node":"algo-1","metric":"CPU","unit":"%","now":51,"from_ns":1600000024503234568,"width_ns":500000000,"values":[50,51],"mean":50.5,"p95":50.950000000000003,"max":51},{"node":"algo-1","metric":"I/O wait","unit":"%","now

$ -batch -ex 'profile heat -w 60' -ex 'profile heat -w 40 -node algo-1 -csv' tests/samples/profile
algo-1 cpu0                 |==============================|
algo-1 cpu1                 |******************************|
algo-1 gpu0                 |  %%%%%%%%   %%%%%%%%@@@@@@@@@|
algo-1 gpu1                 |  ========   =================|
algo-1 gpu0 memory          |---------------------------===|
algo-1 gpu1 memory          |---------------------------===|
algo-2 cpu0                 |==============================|
algo-2 cpu1                 |******************************|
algo-2 gpu0                 |  %%%%%%%%   %%%%%%%%@@@@@@@@@|
algo-2 gpu1                 |  ========   =================|
algo-2 gpu0 memory          |---------------------------===|
algo-2 gpu1 memory          |---------------------------===|
Each character is the mean of 183 ms: " .:-=+*#%@" are 0 to 100 %, ? is nothing.
node,device,metric,mean,max
algo-1,cpu0,CPU,41.75,44
algo-1,cpu1,CPU,61.75,64
algo-1,gpu0,GPU,70.83333333333333,90
algo-1,gpu1,GPU,35.416666666666664,45
algo-1,gpu0,GPU memory,35.5,41
algo-1,gpu1,GPU memory,35.5,41

# operators: of CPU and GPU, if the profile has such phases
$ -batch -ex 'profile ops' -ex 'profile ops cpu re*' -ex 'profile ops all -n 2' -ex 'profile ops gpu -json' -ex 'profile ops cpu x' tests/samples/profile
PERCENT    TOTAL  COUNT     MEAN      MAX  OPERATOR  PHASE
    100   480 ms     12  40.0 ms  40.0 ms  sgemm     gpu_functions-dev:0
 80.004   240 ms     12  20.0 ms  20.0 ms  conv2d    cpu_functions
 19.996  60.0 ms     12  5.00 ms  5.00 ms  relu      cpu_functions
PERCENT    TOTAL  COUNT     MEAN      MAX  OPERATOR  PHASE
 19.996  60.0 ms     12  5.00 ms  5.00 ms  relu      cpu_functions
PERCENT   TOTAL  COUNT    MEAN     MAX  OPERATOR             PHASE
 46.563  4.20 s     12  350 ms  900 ms  Step:ModeKeys.TRAIN  Step:ModeKeys.TRAIN
 23.282  2.10 s     12  175 ms  450 ms  Net                  Backward(post-forward)
9 more operators; use -n.
[{"device":"gpu","operator":"sgemm","phase":"gpu_functions-dev:0","percentage":100,"total_ns":480000000,"count":12,"mean_ns":40000000,"min_ns":40000000,"max_ns":40000000}]
No operator matches.

$ -batch -ex 'profile ops -field operator,percentage' tests/samples/profile_of_a_run
OPERATOR             PERCENT
Step:ModeKeys.TRAIN      100

# steps
$ -batch -ex 'profile steps' -ex 'profile steps -outliers' -ex 'profile steps -outliers -stddev 9' -ex 'profile steps -list -last 500ms -csv' tests/samples/profile
NODE       MODE   STEPS    MEAN     P50     P95     P99     MAX  OUTLIERS   LIMIT
algo-2-42  EVAL       1  120 ms  120 ms  120 ms  120 ms  120 ms         0  120 ms
algo-1-41  TRAIN     12  350 ms  300 ms  570 ms  834 ms  900 ms         1  847 ms
NODE       MODE   STEP  DURATION  TIMES
algo-1-41  TRAIN     7    900 ms      3
No step takes longer than the mean and 9 standard deviations.
node,mode,step,start_ns,duration_ns,times
algo-1-41,TRAIN,11,1600000025100000000,300000000,1

# what is asked for must be there
$ -batch -ex 'profile steps -node algo-3' tests/samples/profile
! smdbg: The profile has no node "algo-3".
? 4

$ -batch -ex 'profile system -steps 7:x' tests/samples/profile
! smdbg: "7:x" is no range of steps; use FIRST:LAST.
? 1

$ -batch -ex 'profile system -steps 70:' tests/samples/profile
! smdbg: The profile has no TRAIN steps 70:.
? 4

# all of it as a trace, which can be read again
$ -batch -ex "profile export $T/t.json" -ex "profile export $T/t.json" tests/samples/profile
Wrote 89 events and 144 samples to $T/t.json (21430 bytes).
! smdbg: $T/t.json already exists.  Use -f to overwrite it.
? 1

$ -batch -ex "profile export $T/t.json -node algo-2" -ex "shell cat $T/t.json" --allow-shell tests/samples/profile | cut -c1-150 | head -12
Wrote 4 events and 72 samples to $T/t.json (6438 bytes).
[
{"name":"process_name","ph":"M","pid":0,"args":{"start_time_since_epoch_in_micros":1600000020000000}},
{"name":"process_name","ph":"M","pid":1,"args":{"name":"Checkpoint"}},
{"name":"process_labels","ph":"M","pid":1,"args":{"labels":"algo-2-42"}},
{"name":"Save","ph":"X","pid":1,"tid":0,"ts":2000000,"dur":500000,"args":{"step_num":5}},
{"name":"fsync","ph":"X","pid":1,"tid":0,"ts":2100000,"dur":100000,"args":{}},
{"name":"epoch","ph":"i","s":"p","pid":1,"tid":0,"ts":2600000,"args":{}},
{"name":"process_name","ph":"M","pid":2,"args":{"name":"Step:ModeKeys.EVAL"}},
{"name":"process_labels","ph":"M","pid":2,"args":{"labels":"algo-2-42"}},
{"name":"Step:ModeKeys.EVAL","ph":"X","pid":2,"tid":0,"ts":5000000,"dur":120000.500,"args":{"step_num":0}},
{"name":"process_name","ph":"M","pid":3,"args":{"name":"system"}},

# what was asked for, and what is there
$ -batch -ex 'info profiler' tests/samples/profile
WHAT                 ASKED FOR  FOUND
system metrics       -          264 rows (files: 4)
framework metrics    -          89 events (files: 3)
interval of metrics  -          500 ms
detailed             -          36 events of operators
data loader          -          13 events
Python               -          nothing
SMDataParallel       -          nothing
There is no profilerconfig.json beside the run: what was asked for is not known.
1 value is NaN, infinite or null and left out.
system/incremental/2020091312/1600000020.algo-1.json, offset 11049: a line that is no JSON (bad lines: 1)

# profiles of Python are listed by what their paths say
$ --version >/dev/null; cp -r tests/samples/profile "$T/py"; for x in pyinstrument/41-algo-1/train-9-stepstart-1600000021000000_train-9-forwardpassend-1600000021250000 cProfile/1600000022000000_1600000022500000_42-algo-2_10 cProfile/odd; do mkdir -p "$T/py/framework/pytorch/$x"; touch "$T/py/framework/pytorch/$x/python_stats"; done; LC_ALL=C.UTF-8 COLUMNS=200 "$SMDBG" -n -batch -ex 'info profiler' -ex 'info profiler -json' "$T/py" | grep -iE 'python|"root"' | sed 's/.*"python"/"python"/'
Python               -          3 files, which are not read
pyinstrument of algo-1-41, train step 9 stepstart to train step 9 forwardpassend, 250 ms: framework/pytorch/pyinstrument/41-algo-1/train-9-stepstart-1600000021000000_train-9-forwardpassend-1600000021250000/python_stats
cProfile of algo-2-42, step 10, 500 ms: framework/pytorch/cProfile/1600000022000000_1600000022500000_42-algo-2_10/python_stats
"python":[{"file":"framework/pytorch/pyinstrument/41-algo-1/train-9-stepstart-1600000021000000_train-9-forwardpassend-1600000021250000/python_stats","profiler":"pyinstrument","node":"algo-1-41","mode":"train","step":9,"phase":"stepstart","from_ns":1600000021000000000,"to_mode":"train","to_step":9,"to_phase":"forwardpassend","to_ns":1600000021250000000},{"file":"framework/pytorch/cProfile/odd/python_stats","profiler":null,"node":null,"mode":null,"step":null,"phase":null,"from_ns":null,"to_mode":null,"to_step":null,"to_phase":null,"to_ns":null},{"file":"framework/pytorch/cProfile/1600000022000000_1600000022500000_42-algo-2_10/python_stats","profiler":"cProfile","node":"algo-2-42","mode":null,"step":10,"phase":null,"from_ns":1600000022000000000,"to_mode":null,"to_step":null,"to_phase":null,"to_ns":1600000022500000000}]}

$ -batch -ex 'info profiler' tests/samples/profile_of_a_run
WHAT               ASKED FOR                                     FOUND
system metrics     yes                                           nothing
framework metrics  yes                                           2 events (files: 1)
detailed           steps 5 to 6                                  nothing
data loader        60 s from 1600000030                          nothing
Python             off: not valid, or both by steps and by time  nothing
SMDataParallel     no                                            nothing

# its problems are those of the run, once it is read; its kinds are the run's parts
$ -batch -ex 'profile phases' -ex 'info errors' tests/samples/profile
step 378 ms = data 46.2 ms + forward 108 ms + backward 162 ms + other 63.1 ms
PHASE                     COUNT    TOTAL     MEAN      P50      P95      MAX
Step:ModeKeys.TRAIN          12   4.20 s   350 ms   300 ms   570 ms   900 ms
Backward(post-forward)       12   2.10 s   175 ms   150 ms   285 ms   450 ms
Forward                      12   1.40 s   117 ms   100 ms   190 ms   300 ms
others                       11   1.10 s   100 ms   100 ms   100 ms   100 ms
DataLoaderIter               12   600 ms  50.0 ms  50.0 ms  50.0 ms  50.0 ms
Checkpoint                    2   600 ms   300 ms   300 ms   480 ms   500 ms
gpu_functions-dev:0          12   480 ms  40.0 ms  40.0 ms  40.0 ms  40.0 ms
cpu_functions                24   300 ms  12.5 ms  12.5 ms  20.0 ms  20.0 ms
Step:ModeKeys.EVAL            1   120 ms   120 ms   120 ms   120 ms   120 ms
DataLoaderIterInitialize      1  20.0 us  20.0 us  20.0 us  20.0 us  20.0 us
FILE                                                  OFFSET  TIMES  MESSAGE
system/incremental/2020091312/1600000020.algo-1.json   11049      1  a line that is no JSON (bad
                                                                     lines: 1)

$ -batch -ex 'info trial -field kind,parts' tests/samples/profile_of_a_run
kind   csv
parts  csv,profile

# a run without a profile
$ -batch -ex 'profile summary' tests/trials/dtypes
! smdbg: The run has no profile: there is no profiler-output, system or framework in its directory, and no profiler-output beside it.
? 4

# a rate is known from its second sample on: nothing is drawn before it
$ -batch -ex 'profile system -buckets 40 -field metric,values' tests/samples/profile_slow_loader | head -3
METRIC        OVER TIME
CPU             ▅▅▆▆▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▆▆▇▇▇▇▇▇▄▄▃▃▄▄▄▄▄▁▁
I/O wait        ▇▇▂▂▂▂▂▂▁▁▁▁▁▁▁▁▁▁▁▄▄▄▄▂▂▄▄▁▁▁▁▁▁▁▁▁▁▃

# what holds a run up comes first
$ -batch -ex 'profile summary' tests/samples/profile_slow_loader
CAUSE input-bound, since step 0
  the data loader is waited for in 93 % of the time of a step: 55.2 ms of 59.1 ms (algo-1-831, steps
    3 to 239)  [profile phases]
  the loader works in the process that trains (num_workers 0) (algo-1-831, steps 3 to 239)  [profile
    phases]
  the program uses 1.0 of 4 cores, all programs use 3.5 (algo-1, steps 3 to 239)  [profile system]
TRY Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory); Prepare
    it once and keep it (a cache, smaller images), or on the GPU
Not recorded: GPU metrics
18.9 s, 1 node, 240 TRAIN steps, half of them within 3.64 ms.
NODE    METRIC        UNIT     MEAN     P50     P90     P95     P99     MAX     MIN
algo-1  CPU           %      84.218  94.892  97.577  98.329   99.06  99.243  43.738
algo-1  I/O wait      %     0.93079    0.26  2.2975   2.745   4.239  4.6125       0
algo-1  CPU memory    %       5.624    5.93   6.335  6.3805  6.3881    6.39    3.35
algo-1  Network       B/s         0       0       0       0       0       0       0
algo-1  Disks         B/s     38.4M    3.5M   89.0M    116M    202M    223M   51.9K
algo-1  Program       %      94.489   95.02  100.12   100.3  101.08  101.27   79.04
algo-1  Program mem   B        684M    750M    750M    750M    751M    751M    132K
algo-1  CPU waits     %      32.712   35.82  60.254  64.665  70.389   71.82    2.02
algo-1  Disk waits    %      2.7389    1.26   7.556   8.754  10.583   11.04    0.01
algo-1  Memory waits  %           0       0       0       0       0       0       0
No metrics of GPUs were recorded.

# a kill for lack of memory ends the training: it is the cause, and one of the events
$ -batch -ex 'profile summary' tests/samples/profile_killed
CAUSE memory pressure, since step 135
  1 process was killed for lack of memory (algo-1, steps 3 to 135)  [profile summary]
  the memory of the program grows all the time, from 915.8 MiB to 1.4 GiB (algo-1, steps 3 to 135)
    [profile system]
  up to 92 % of the memory limit of the control group is used (algo-1, steps 3 to 135)  [profile
    summary]
  up to 22 % of the memory of the machine is used (algo-1, steps 3 to 135)  [profile summary]
TRY Use less memory: smaller batches, fewer loader processes, no copies that are kept; Raise the
    limit of the control group, or use a machine with more memory
Not recorded: GPU metrics
19.0 s, 1 node, 136 TRAIN steps, half of them within 52.7 ms.
NODE    METRIC        UNIT     MEAN     P50     P90     P95     P99    MAX    MIN
algo-1  CPU           %         100     100     100     100     100    100    100
algo-1  I/O wait      %           0       0       0       0       0      0      0
algo-1  CPU memory    %      18.307   18.17  20.956  21.586  22.012  22.13  13.87
algo-1  Network       B/s      966K       0     534    5.8M   16.4M  18.6M      0
algo-1  Disks         B/s     36.1M    1.6M   73.5M    168M    460M   474M  24.0K
algo-1  Program       %       36.52      38  46.092  46.808  50.589  51.82  16.47
algo-1  Program mem   B        806M    699M    1.3G    1.4G    1.5G   1.5G   132K
algo-1  CPU waits     %      96.807  97.985     100     100     100    100  75.96
algo-1  Disk waits    %      6.8095   1.545  21.752  35.706  47.167  52.58   0.05
algo-1  Memory waits  %     0.59447   0.005   1.761  3.8305  6.1065   6.31      0
algo-1  Memory limit  %      43.203   32.66  85.238  92.446  98.034  99.66   0.17
algo-1 cgroup: OomKills 1, at 11:22:56 UTC
No metrics of GPUs were recorded.

$ -batch -ex 'profile summary -json' tests/samples/profile_killed | sed 's/.*"events"/"events"/' | cut -c1-200
"events":[{"node":"algo-1","name":"cgroup","event":"OomKills","times":1,"value":1,"first_ns":1795864976429073000,"last_ns":1795864976429073000}]}

# Horovod's timeline is not what SMDataParallel was asked for
$ -batch -ex 'info profiler' -ex 'profile phases' -ex 'profile ops all' tests/samples/profile_horovod
WHAT               ASKED FOR  FOUND
system metrics     -          nothing
framework metrics  -          12 events (files: 1)
detailed           -          nothing
data loader        -          nothing
Python             -          nothing
SMDataParallel     -          nothing
Horovod            -          9 events
There is no profilerconfig.json beside the run: what was asked for is not known.
PHASE                   COUNT    TOTAL     MEAN      P50      P95      MAX
allreduce.conv0.weight      9  99.0 ms  11.0 ms  14.0 ms  16.0 ms  16.0 ms
PERCENT    TOTAL  COUNT     MEAN      MAX  OPERATOR             PHASE
 48.485  48.0 ms      3  16.0 ms  16.0 ms  ALLREDUCE            allreduce.conv0.weight
 42.424  42.0 ms      3  14.0 ms  14.0 ms  NCCL_ALLREDUCE       allreduce.conv0.weight
 9.0909  9.00 ms      3  3.00 ms  3.00 ms  NEGOTIATE_ALLREDUCE  allreduce.conv0.weight

# the profile is read before it is said that there are no errors
$ -batch -ex 'info errors' tests/samples/profile
FILE                                                  OFFSET  TIMES  MESSAGE
system/incremental/2020091312/1600000020.algo-1.json   11049      1  a line that is no JSON (bad
                                                                     lines: 1)

# and that it is fast
$ -batch -ex 'profile summary' tests/samples/profile_computes
SPEED balanced
  the data loader is waited for in 1 % of the time of a step (steps 3 to 215)  [profile phases]
  the program uses 1.0 of 4 cores, all programs use 3.9 (algo-1, steps 3 to 215)  [profile system]
Not recorded: GPU metrics
12.8 s, 1 node, 216 TRAIN steps, half of them within 33.6 ms.
NODE    METRIC        UNIT    MEAN     P50     P90     P95     P99     MAX    MIN
algo-1  CPU           %     89.194      98  99.515   99.88     100     100  50.53
algo-1  I/O wait      %     1.8221   0.495    4.43  4.8694  11.074  13.133      0
algo-1  CPU memory    %     6.2941    6.23    7.11   7.245  7.3122    7.32   4.97
algo-1  Network       B/s        0       0       0       0       0       0      0
algo-1  Disks         B/s    24.2M    4.8M   72.3M   93.7M    113M    119M  80.0K
algo-1  Program       %     101.11  100.03  101.81  101.94  127.86  136.04  95.86
algo-1  Program mem   B       752M    857M    882M    882M    902M    908M   156K
algo-1  CPU waits     %       22.9   26.61   30.79  31.142  31.383   31.45   0.47
algo-1  Disk waits    %     2.9915    1.15    6.93  7.5275  14.015   16.16   0.56
algo-1  Memory waits  %          0       0       0       0       0       0      0
No metrics of GPUs were recorded.

# the rules of profiles: twelve points are too few for most; parameters are checked
$ -batch -ex 'profile rules' tests/samples/profile
RULE                     STATUS         FIRED  VIOLATIONS  POINTS  WHAT
CPUBottleneck            NoIssuesFound      0           0      12  -
IOBottleneck             NoIssuesFound      0           0      12  -
LowGPUUtilization        NoIssuesFound      0           0      12  -
StepOutlier              NoIssuesFound      0           0      13  -
GPUMemoryIncrease        NoIssuesFound      0           0      12  -
BatchSize                NoIssuesFound      0           0      12  -
MaxInitializationTime    NoIssuesFound      0           0      13  -
LoadBalancing            NoIssuesFound      0           0      12  -
OverallSystemUsage       NoIssuesFound      0           0      12  -
Dataloader               NoIssuesFound      0           0      12  -
OverallFrameworkMetrics  NoIssuesFound      0           0      89  -
1 line could not be read; see "info profiler".

$ -batch -ex 'profile rules preset doc -csv -field rule,rule_parameters' tests/samples/profile
rule,rule_parameters
CPUBottleneck,"threshold:50
cpu_threshold:90
gpu_threshold:10
patience:100"
IOBottleneck,"threshold:50
io_threshold:50
gpu_threshold:70
patience:1000"
LowGPUUtilization,"threshold_p95:70
threshold_p5:10
window:500
patience:1000"
StepOutlier,"stddev:5
mode:None
n_outliers:10"
GPUMemoryIncrease,"increase:10
patience:100
window:500"
BatchSize,"cpu_threshold_p95:70
gpu_threshold_p95:70
gpu_memory_threshold_p95:70
patience:100
window:500"
MaxInitializationTime,threshold:20
LoadBalancing,"threshold:0.5
patience:10"
OverallSystemUsage,
Dataloader,"min_threshold:70
max_threshold:200"
OverallFrameworkMetrics,

$ -batch -ex 'profile rule dataloader' -ex 'profile rule step_outlier -json' tests/samples/profile | cut -c1-700
Dataloader: NoIssuesFound, fired 0 times, 0 violations of 12 datapoints.
Parameters: min_threshold:70 max_threshold:200.
Far fewer or more processes load data than there are cores. Advice: set num_workers to about the
number of cores, and pin_memory if it is off.
pin_memory               no
num_workers              2
prefetch                 no
cores                    2
dataloaders              1
dataloading_time
  p25                    0.05
  p50                    0.05
  p95                    0.05
  probs                  |                         @                        |
  binedges               -0.45 to 0.55
{"rule":"StepOutlier","status":"NoIssuesFound","rule_triggered":0,"violations":0,"datapoints":13,"rule_parameters":"stddev:3\nmode:None\nn_outliers:10","description":"Some steps take far longer than usual","recommendation":"look for bottlenecks of CPU and I/O at the times of these steps","first_ns":null,"last_ns":null,"node":null,"what":null,"findings":[],"details":{"step_details":{"algo-1-41":{"step_stats":{"mean":0.34999999999999992,"max":0.90000000000000002,"p99":0.8340000000000003,"p95":0.56999999999999962,"p50":0.29999999999999999,"min":0.29999999999999999},"number_of_outliers":0,"phase":"Step:ModeKeys.TRAIN","stddev":0.17000000000000001,"probs":[11,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

$ -batch -ex 'rule test low_gpu_utilization patience=4 window=4' -ex 'rule explain low_gpu_utilization' tests/samples/profile
LowGPUUtilization fires 2 times: 2 violations, 12 datapoints.
STEP  MODE   MODE-STEP  NODE    TENSOR  VALUE  LIMIT  WHAT
   -  TRAIN          0  algo-1  -          45     70  gpu1: p95 of the last 4 points is 45 % < 70 %
   -  TRAIN          0  algo-2  -          45     70  gpu1: p95 of the last 4 points is 45 % < 70 %
! smdbg: LowGPUUtilization judges the profile, not steps: see "profile rule LowGPUUtilization".
? 1

$ -batch -ex 'rule add cpu_bottleneck threshold=101' tests/samples/profile
! smdbg: Parameter threshold must be between 0 and 100, not 101.
? 1

$ -batch -ex 'profile rule overfit' tests/samples/profile
! smdbg: There is no such rule of a profile: see "profile rules".
? 1

# as of other rules: exit status 3, and JSON with the range of time and the node
$ -batch --no-follow --rules tests/lang/files/profiler_rules.json tests/samples/profile
RULE  STATUS       FIRST  LAST  FIRED  TENSOR  WHAT
Idle  IssuesFound      -     -      2  -       gpu1: p95 of the last 4 points is 45 % < 70 %
? 3

$ -batch --no-follow --rules tests/lang/files/profiler_rules.json --json tests/samples/profile | cut -c1-1100
[{"rule":"LowGPUUtilization","instance":"Idle","status":"IssuesFound","reason":"RuleEvaluationConditionMet: Evaluation of the rule LowGPUUtilization resulted in the condition being met. Idle fired at 2020-09-13 12:27:00 (TRAIN 0) node algo-1: gpu1: p95 of the last 4 points is 45 % < 70 %","parameters":{"threshold_p95":70,"threshold_p5":10,"window":4,"patience":4,"scan_interval_us":60000000},"datapoints":12,"violations":2,"first_step":null,"last_step":null,"details":[{"step":null,"mode":"TRAIN","mode_step":0,"worker":null,"tensor":null,"value":45,"threshold":70,"message":"Idle fired at 2020-09-13 12:27:00 (TRAIN 0) node algo-1: gpu1: p95 of the last 4 points is 45 % < 70 %","fired":true,"text":"gpu1: p95 of the last 4 points is 45 % < 70 %","node":"algo-1","from_ns":1600000020001000000,"to_ns":1600000080001000000},{"step":null,"mode":"TRAIN","mode_step":0,"worker":null,"tensor":null,"value":45,"threshold":70,"message":"Idle fired at 2020-09-13 12:27:00 (TRAIN 0) node algo-2: gpu1: p95 of the last 4 points is 45 % < 70 %","fired":true,"text":"gpu1: p95 of the last 4 points is 45 % < 70

$ -batch -ex 'rule auto' -ex 'rule status -field instance,datapoints' tests/samples/profile
Every rule whose tensors exist is attached.
RULE                     DATAPOINTS
StalledTrainingRule               0
CPUBottleneck                    12
IOBottleneck                     12
LowGPUUtilization                12
StepOutlier                      13
GPUMemoryIncrease                12
BatchSize                        12
MaxInitializationTime            13
LoadBalancing                    12
OverallSystemUsage               12
Dataloader                       12
OverallFrameworkMetrics          89

# the report as text, as files, and of files; a file that is there is kept
$ -batch -ex 'profile report' tests/samples/profile
Profiling report
Made from the results of the rules of a profile. Recommendations are hints, not certain.
\
What holds the run up
CAUSE GPU underused, since step 2
- the GPUs are used to 57 %: one to 76 %, another to 38 % (12:27:00 to 12:27:05)
- 1.0 of 2 cores are used (algo-1, 12:27:00 to 12:27:05)
Try: Use larger batches or mixed precision; wait less often for the GPU (item(), prints).
Try: Use fewer or smaller GPUs.
Not recorded: more steps.
\
Training job summary
Start 12:27:00 09/13/2020, end 12:27:05 09/13/2020 UTC, duration 5 s.
Training loop: 12:27:00 09/13/2020 to 12:27:05 09/13/2020 UTC, 5 s. Initialization 0 s, finalization
0 s.
Share of the job
  Initialization                 1.00 %
  Training loop                 90.00 %  ####################################
  Finalization                   7.00 %  ###
\
System usage statistics
node    metric      unit  max    p99    p95    p50    min
algo-1  Network     B/s   11500  11390  10950  6000   500
algo-2  Network     B/s   11500  11390  10950  6000   500
algo-1  GPU         %     67.50  67.50  67.50  60     3.75
algo-2  GPU         %     67.50  67.50  67.50  60     3.75
algo-1  CPU         %     54     54     54     51.50  50
algo-2  CPU         %     54     54     54     51.50  50
algo-1  CPU memory  %     12.50  12.50  12.50  12.50  12.50
algo-2  CPU memory  %     12.50  12.50  12.50  12.50  12.50
algo-1  GPU memory  %     41     40.89  40.45  35.50  30
algo-2  GPU memory  %     41     40.89  40.45  35.50  30
algo-1  I/O         %     1.25   1.25   1.25   1.25   1.25
algo-2  I/O         %     1.25   1.25   1.25   1.25   1.25
algo-1 is little used: the 95th percentile of GPU is 67.5 %, of CPU 54 %. A smaller machine would
do, or a larger batch.
algo-2 is little used: the 95th percentile of GPU is 67.5 %, of CPU 54 %. A smaller machine would
do, or a larger batch.
\
Framework metrics summary
Steps and the time between them
  Step:ModeKeys.TRAIN           79.25 %  ################################
  others                        18.49 %  #######
  Step:ModeKeys.EVAL             2.26 %  #
Operators of CPU and GPU
  gpu_functions-dev:0           61.53 %  #########################
  cpu_functions                 38.47 %  ###############
Other phases
  Backward(post-forward)        44.68 %  ##################
  Forward                       29.79 %  ############
  DataLoaderIter                12.77 %  #####
  Checkpoint                    12.77 %  #####
  DataLoaderIterInitialize       0.00 %
\
  Overview: CPU operators
percentage  cumulative time in microseconds  operator
80.00       240066                           conv2d
20.00       60000                            relu
The most expensive operator is conv2d with 80 %.
\
  Overview: GPU operators
percentage  cumulative time in microseconds  operator
100         480000                           sgemm
The most expensive operator is sgemm with 100 %.
\
Rules summary
rule                   fired  datapoints  description         recommendation      parameters
CPUBottleneck          0      12          GPUs are idle       use more workers    threshold:50,
                                          while cores are     of the data         cpu_threshold:90,
                                          busy                loader, and         gpu_threshold:10,
                                                              prefetch            patience:1000
IOBottleneck           0      12          GPUs are idle       prefetch; use       threshold:50,
                                          while cores wait    binary files and    io_threshold:50,
                                          for I/O             faster storage      gpu_threshold:10,
                                                                                  patience:1000
LowGPUUtilization      0      12          A GPU is little     look for            threshold_p95:70,
                                          used, or its use    bottlenecks and     threshold_p5:10,
                                          swings between      blocking calls;     window:500,
                                          high and low        change the          patience:1000
                                                              distribution; use
                                                              a larger batch
StepOutlier            0      13          Some steps take     look for            stddev:3,
                                          far longer than     bottlenecks of CPU  mode:None,
                                          usual               and I/O at the      n_outliers:10
                                                              times of these
                                                              steps
GPUMemoryIncrease      0      12          The memory that is  look for leaks;     increase:5,
                                          used of a GPU       use a GPU with      patience:1000,
                                          jumps               more memory if it   window:10
                                                              is near its
                                                              maximum
BatchSize              0      12          CPU, GPU and GPU    use a larger        cpu_threshold_p95:
                                          memory are all      batch, or a         70,
                                          little used         smaller machine     gpu_threshold_p95:
                                                                                  70,
                                                                                  gpu_memory_thresho
                                                                                  ld_p95:70,
                                                                                  patience:1000,
                                                                                  window:500
MaxInitializationTime  0      13          The first step      stream the data     threshold:20
                                          comes late          instead of copying
                                                              them first
LoadBalancing          0      12          GPUs have           change the          threshold:0.5,
                                          different profiles  strategy of         patience:1000
                                          of load             distribution
Dataloader             0      12          Far fewer or more   set num_workers to  min_threshold:70,
                                          processes load      about the number    max_threshold:200
                                          data than there     of cores, and
                                          are cores           pin_memory if it
                                                              is off
No rule fired.
\
Analysis of the training loop
\
  Step durations
algo-1-41: mean 0.35 s, max 0.9, p99 0.834, p95 0.57, p50 0.3, min 0.3; 0 outliers, standard
deviation 0.17 s.
algo-2-42: mean 0.12 s, max 0.12, p99 0.12, p95 0.12, p50 0.12, min 0.12; 0 outliers, standard
deviation 0 s.
Durations in seconds of steps that are no outliers (0.12 to 0.9)
  algo-1-41                    |         @                             .|
  algo-2-42                    |@                                       |
\
  GPU utilization analysis
LowGPUUtilization did not fire.
\
  Batch size
BatchSize did not fire.
\
  GPU memory
GPUMemoryIncrease did not fire.
\
  Workload balancing
Use in % of the GPUs of algo-1 (0 to 100)
  gpu0                         |  -                             @   *   |
  gpu1                         | -              @ *                     |
Use in % of the GPUs of algo-2 (0 to 100)
  gpu0                         |  -                             @   *   |
  gpu1                         | -              @ *                     |
\
  Dataloading analysis
Cores: 2; processes that load data in a second: 1: more workers may help.
pin_memory is off: switch it on.
Loading takes p25 0.05 s, p50 0.05 s, p95 0.05 s.
Loading times in seconds
        0.05       12  ########################################
\
  CPUBottleneck
At 0 of 12 times, 0 %, a GPU was low because of CPU, below the limit; the rule did not fire.
\
  IOBottleneck
At 0 of 12 times, 0 %, a GPU was low because of I/O, below the limit; the rule did not fire.

$ -batch -ex "profile report $T/o" tests/samples/profile >"$T/log"; grep -oE '<path class="c[0-9]|<rect class="k c[0-9]' "$T"/o/profiler-report.html | sort | uniq -c | sed 's/^ *//'
3 <path class="c0
3 <path class="c1
3 <rect class="k c0
3 <rect class="k c1

$ -batch -ex "profile report $T/r" -ex "profile report -read $T/r" -ex "profile report $T/r" tests/samples/profile | sed "s|$T|T|" | head -5
Wrote the report to T/r: profiler-report.html and profiler-reports.
Profiling report
Made from the results of the rules of a profile. Recommendations are hints, not certain.
\
Training job summary
! smdbg: $T/r/profiler-reports/CPUBottleneck.json already exists.  Use -f to overwrite it.

# one HTML file without links and scripts, whatever names are in the files
$ -batch -ex "profile report -read tests/samples/profile_report $T/h" | cut -c1-200 | sed "s|$T|T|"; grep -c "<svg" "$T"/h/profiler-report.html; grep -ciE "<script|src=|href=|url" "$T"/h/profiler-report.html; ls "$T"/h/profiler-reports
Wrote the report to T/h: profiler-report.html and profiler-reports.
4
0
BatchSize.json
IOBottleneck.json
MaxInitializationTime.json
OverallSystemUsage.json

$ -batch -ex 'profile report -read tests/samples/profile_report' | head -40
Profiling report
Made from the results of the rules of a profile. Recommendations are hints, not certain.
\
Training job summary
Start 12:26:40 09/13/2020, end 12:36:40 09/13/2020 UTC, duration 600 s.
Training loop: 12:27:40 09/13/2020 to 12:35:40 09/13/2020 UTC, 480 s. Initialization 60 s,
finalization 60 s.
Share of the job
  Initialization                10.00 %  ####
  Training loop                 80.00 %  ################################
  Finalization                  10.00 %  ####
\
System usage statistics
node    metric  unit  max    p99  p95    p50  min
algo-1  CPU     %     99.50  98   95.25  40   1
algo-1  GPU     %     50     49   45     20   0
algo-1: the GPUs wait for the CPUs: the 95th percentile of GPU is 45 %, of CPU 95.25 %.
\
Framework metrics summary
Framework profiling was not enabled: there are no events.
\
Rules summary
rule                   fired  datapoints  description         recommendation      parameters
BatchSize              31     22208       CPU, GPU and GPU    use a larger        cpu_threshold_p95:
                                          memory are all      batch, or a         70,
                                          little used         smaller machine     gpu_threshold_p95:
                                                                                  70,
                                                                                  gpu_memory_thresho
                                                                                  ld_p95:70,
                                                                                  patience:4000,
                                                                                  window:1000
IOBottleneck           1      10          GPUs are idle       prefetch; use       threshold:50
                                          while cores wait    binary files and
                                          for I/O             faster storage
MaxInitializationTime  0      480         The first step      stream the data     threshold:20
                                          comes late          instead of copying
                                                              them first
BatchSize fired most often: 31 times, of 22208 datapoints.
\
Analysis of the training loop

$ -batch -ex 'profile report -read tests/samples/profile'
! smdbg: tests/samples/profile has no report: no files such as profiler-reports/BatchSize.json.
? 1

# the last window is judged when nothing comes for long, and its report before
$ -batch --allow-shell -ex "shell cp -r tests/samples/profile_of_a_run $T/p" -ex "open $T/p" -ex 'profile rule StepOutlier -field status,datapoints' -ex "profile report" tests/samples/profile | grep -E '^ +Step:|^StepOutlier|Progress'
status      InProgress
  Step:ModeKeys.TRAIN           94.74 %  ######################################
StepOutlier            0      2           Some steps take     look for            stddev:3,

$ -batch --allow-shell -ex "shell cp -r tests/samples/profile_of_a_run $T/p" -ex "shell find $T/p -exec touch -d 2020-01-01 {} +" -ex "open $T/p" -ex 'profile rules -field rule,status,datapoints' tests/samples/profile | tail -n +3
RULE                     STATUS         POINTS
CPUBottleneck            NoData              0
IOBottleneck             NoData              0
LowGPUUtilization        NoData              0
StepOutlier              NoIssuesFound       2
GPUMemoryIncrease        NoData              0
BatchSize                NoData              0
MaxInitializationTime    NoIssuesFound       2
LoadBalancing            NoData              0
OverallSystemUsage       NoData              0
Dataloader               NoData              0
OverallFrameworkMetrics  NoIssuesFound       2

# a report without metrics: each section says why it is empty
$ -batch -ex 'profile report' tests/samples/profile_of_a_run
Profiling report
Made from the results of the rules of a profile. Recommendations are hints, not certain.
\
What holds the run up
SPEED cannot tell: too little was recorded
Not recorded: metrics of the machine, more steps.
\
Training job summary
The times of the job are not known.
\
System usage statistics
No metrics of the system were recorded.
\
Framework metrics summary
Steps and the time between them
  Step:ModeKeys.TRAIN           94.74 %  ######################################
  others                         5.26 %  ##
\
Rules summary
rule                   fired  datapoints  description         recommendation      parameters
CPUBottleneck          0      0           GPUs are idle       use more workers    threshold:50,
                                          while cores are     of the data         cpu_threshold:90,
                                          busy                loader, and         gpu_threshold:10,
                                                              prefetch            patience:1000
IOBottleneck           0      0           GPUs are idle       prefetch; use       threshold:50,
                                          while cores wait    binary files and    io_threshold:50,
                                          for I/O             faster storage      gpu_threshold:10,
                                                                                  patience:1000
LowGPUUtilization      0      0           A GPU is little     look for            threshold_p95:70,
                                          used, or its use    bottlenecks and     threshold_p5:10,
                                          swings between      blocking calls;     window:500,
                                          high and low        change the          patience:1000
                                                              distribution; use
                                                              a larger batch
StepOutlier            0      2           Some steps take     look for            stddev:3,
                                          far longer than     bottlenecks of CPU  mode:None,
                                          usual               and I/O at the      n_outliers:10
                                                              times of these
                                                              steps
GPUMemoryIncrease      0      0           The memory that is  look for leaks;     increase:5,
                                          used of a GPU       use a GPU with      patience:1000,
                                          jumps               more memory if it   window:10
                                                              is near its
                                                              maximum
BatchSize              0      0           CPU, GPU and GPU    use a larger        cpu_threshold_p95:
                                          memory are all      batch, or a         70,
                                          little used         smaller machine     gpu_threshold_p95:
                                                                                  70,
                                                                                  gpu_memory_thresho
                                                                                  ld_p95:70,
                                                                                  patience:1000,
                                                                                  window:500
MaxInitializationTime  0      2           The first step      stream the data     threshold:20
                                          comes late          instead of copying
                                                              them first
LoadBalancing          0      0           GPUs have           change the          threshold:0.5,
                                          different profiles  strategy of         patience:1000
                                          of load             distribution
Dataloader             0      0           Far fewer or more   set num_workers to  min_threshold:70,
                                          processes load      about the number    max_threshold:200
                                          data than there     of cores, and
                                          are cores           pin_memory if it
                                                              is off
No rule fired.
\
Analysis of the training loop
\
  Step durations
7-host: mean 0.9 s, max 0.9, p99 0.9, p95 0.9, p50 0.9, min 0.9; 0 outliers, standard deviation 0 s.
Durations in seconds of steps that are no outliers
         0.9        2  ########################################
\
  GPU utilization analysis
There are no metrics of GPUs: LowGPUUtilization judges nothing.
\
  Batch size
There are no metrics of GPUs: BatchSize judges nothing.
\
  GPU memory
There are no metrics of GPUs: GPUMemoryIncrease judges nothing.
\
  Workload balancing
There are no metrics of GPUs: LoadBalancing judges nothing.
\
  Dataloading analysis
There are no events of data loaders.
\
  CPUBottleneck
There are no datapoints.
\
  IOBottleneck
There are no datapoints.

# operators by a regular expression
$ -batch -ex 'profile ops all /^conv|^relu$/ -field operator' -ex 'profile ops all /(/' tests/samples/profile_with_values
OPERATOR
conv2d
relu
! smdbg: Invalid regular expression "(": missing closing parenthesis at character 2.
? 1

# what a step is made of: waits for other workers are no part of the backward pass in which they lie; names of phases come late
$ -batch -ex 'profile phases' -ex 'verdict' tests/samples/profile_waiting
step 56.0 ms = data 2.00 ms + forward 10.0 ms + backward 20.0 ms + optimizer 3.00 ms + waiting 20.0
    ms + other 1.00 ms
PHASE                   COUNT    TOTAL     MEAN      P50      P95      MAX
Step:ModeKeys.TRAIN        32   1.73 s  54.0 ms  54.0 ms  54.0 ms  54.0 ms
Backward(post-forward)     32   1.28 s  40.0 ms  40.0 ms  40.0 ms  40.0 ms
Communication              32   640 ms  20.0 ms  20.0 ms  30.0 ms  30.0 ms
Forward                    32   320 ms  10.0 ms  10.0 ms  10.0 ms  10.0 ms
Optimizer                  32  96.0 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms
DataLoaderIter             32  64.0 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms
others                     30  60.0 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms
CAUSE straggling worker, since step 0
  algo-1-42: 46.0 ms of its own work in a step, the others 26.0 ms (algo-1-42, steps 3 to 15)
    [profile steps]
TRY Look at that machine: other programs, heat, a slower disk, an uneven share of the data; Give
    each worker the same work; leave the machine out
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 26 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

# the device may be left out; a number of deviations is not negative
$ -batch -ex 'profile ops re* -field operator' -ex 'profile ops /^conv/ -field operator,phase' -ex 'profile ops re* x' tests/samples/profile
OPERATOR
relu
OPERATOR  PHASE
conv2d    cpu_functions
! smdbg: Too many patterns: "x".
? 1

$ -batch -ex 'profile steps -stddev -1' tests/samples/profile
! smdbg: -stddev must be at least 0, not -1.
? 1

# steps shorter than the interval of the metrics: the sample before them holds
$ -batch -ex 'profile system -steps 5:6 -field metric,now -csv' -ex 'profile heat -steps 5:6 -field device,max -csv' tests/samples/profile_slow_loader | head -3
metric,now
CPU,96.11
I/O wait,1.03

# a malformed configuration is named
$ --version >/dev/null; cp -r tests/samples/profile "$T/bad"; echo '[' > "$T/bad/profilerconfig.json"; "$SMDBG" -n -batch -ex 'info profiler' "$T/bad" | sed "s|$T|T|" | grep profilerconfig
T/bad/profilerconfig.json: not a JSON object
