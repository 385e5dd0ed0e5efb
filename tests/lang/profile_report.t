# an attached ProfilerReport writes the files of "profile report" when the data have ended
$ -batch -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex "profile report $T/b" -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep -v 'no JSON\|has ended'; diff -r "$T/a" "$T/b" && ls "$T/a"
<
ProfilerReport is attached.
RULE            STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
ProfilerReport  NoIssuesFound      -     -      0  -       -
Wrote the report to $T/b: profiler-report.html and profiler-reports.
WHAT
report written to $T/a
profiler-report.html
profiler-reports

# and of a run that is still written at the end of the session, with all data that are there
$ -batch -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a LowGPUUtilization_patience=4 LowGPUUtilization_window=4" tests/samples/profile | cut -c1-99; grep -o '"RuleTriggered":[0-9]*' "$T"/a/profiler-reports/LowGPUUtilization.json
ProfilerReport is attached.
"RuleTriggered":2

# it is not written without being allowed, into a trial, or over a report that is there
$ -batch -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep report; ls "$T"
no report in $T/a: "set rule-actions on" allows it

$ -batch -ex 'set rule-actions on' -ex "rule add ProfilerReport output=tests/samples/profile/report" -ex 'rule status' -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep report; ls tests/samples/profile
no report in tests/samples/profile/report: tests/samples/profile/report: cannot write into a trial.
framework
system

$ -batch -ex "profile report $T/a" -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex 'info events -field text' tests/samples/profile 2>/dev/null | cut -c1-150 | grep -c 'already exists'
1

$ -batch -readonly -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep report; ls "$T"
no report in $T/a: Writing files is refused with --readonly.

# a report of the service, found from the folder of its rules: the last one, with Python's NaN
$ -batch -ex 'profile report -read tests/samples/profile_service' | cut -c1-200
Profiling report
Made from the results of the rules of a profile. Recommendations are hints, not certain.
\
Training job summary
Start 12:26:40 09/13/2020, end 15:31:51 09/13/2020 UTC, duration 11111 s.
Training loop: 12:31:40 09/13/2020 to 15:30:00 09/13/2020 UTC, 10700 s. Initialization 299 s,
finalization 111 s.
Share of the job
  Initialization                 2.00 %  #
  Training loop                 96.00 %  ######################################
  Finalization                   1.00 %
\
System usage statistics
node    metric      unit  max         p99         p95     p50        min
algo-1  Network     B/s   1234567.50  1111110.75  987654  617283.75  0
algo-1  GPU         %     97          87.30       77.60   48.50      0
algo-1  CPU         %     55.50       49.95       44.40   27.75      0
algo-1  CPU memory  %     21          18.90       16.80   10.50      0
algo-1  GPU memory  %     88          79.20       70.40   44         0
algo-1  I/O         %     12.50       11.25       10      6.25       0
algo-1: the median of GPU is 48.5 %, of CPU 27.75 %.
\
Framework metrics summary
Steps and the time between them
  Step:ModeKeys.TRAIN           81.50 %  #################################
  others                        18.50 %  #######
Forward and backward pass
  Backward pass                 65.00 %  ##########################
  Forward pass                  35.00 %  ##############
Operators of CPU and GPU
  cpu_functions                 62.50 %  #########################
  gpu_functions-dev:0           37.50 %  ###############
Other phases
  DataLoaderIter                90.00 %  ####################################
  DataLoaderIterInitialize      10.00 %  ####
Horovod
  NCCL_ALLREDUCE               100.00 %  ########################################
\
  Overview: CPU operators
percentage  cumulative time in microseconds  operator
77.19       710000                           conv2d
22.81       209926                           CudnnConvolutionBackward
The most expensive operator is conv2d with 77.19 %.
\
  Overview: GPU operators
percentage  cumulative time in microseconds  operator
100         512345                           volta_sgemm_128x64
The most expensive operator is volta_sgemm_128x64 with 100 %.
\
Rules summary
rule                   fired  datapoints  description         recommendation      parameters
LowGPUUtilization      31     22209       A GPU is little     look for            threshold_p95:70,
                                          used, or its use    bottlenecks and     threshold_p5:10,
                                          swings between      blocking calls;     window:500,
                                          high and low        change the          patience:1000
                                                              distribution; use
                                                              a larger batch
BatchSize              31     22208       CPU, GPU and GPU    use a larger        cpu_threshold_p95:
                                          memory are all      batch, or a         70,
                                          little used         smaller machine     gpu_threshold_p95:
                                                                                  70,
                                                                                  gpu_memory_thresho
                                                                                  ld_p95:70,
                                                                                  patience:4000,
                                                                                  window:1000
StepOutlier            25     12519       Some steps take     look for            threshold:3,
                                          far longer than     bottlenecks of CPU  mode:None,
                                          usual               and I/O at the      n_outliers:10,
                                                              times of these      stddev:3
                                                              steps
LoadBalancing          9      22000       GPUs have           change the          threshold:0.5,
                                          different profiles  strategy of         patience:1000
                                          of load             distribution
CPUBottleneck          4      10200       GPUs are idle       use more workers    threshold:50,
                                          while cores are     of the data         cpu_threshold:90,
                                          busy                loader, and         gpu_threshold:10,
                                                              prefetch            patience:1000
GPUMemoryIncrease      2      22000       The memory that is  look for leaks;     increase:5,
                                          used of a GPU       use a GPU with      patience:1000,
                                          jumps               more memory if it   window:10
                                                              is near its
                                                              maximum
Dataloader             1      84          Far fewer or more   set num_workers to  min_threshold:40,
                                          processes load      about the number    max_threshold:200
                                          data than there     of cores, and
                                          are cores           pin_memory if it
                                                              is off
IOBottleneck           0      22249       GPUs are idle       prefetch; use       threshold:50,
                                          while cores wait    binary files and    io_threshold:50,
                                          for I/O             faster storage      gpu_threshold:10,
                                                                                  patience:1000
MaxInitializationTime  0      4100        The first step      stream the data     threshold:20
                                          comes late          instead of copying
                                                              them first
LowGPUUtilization fired most often: 31 times, of 22209 datapoints.
\
Analysis of the training loop
\
  Step durations
0001-algo-1: mean 0.12 s, max 4.5, p99 0.5, p95 0.2, p50 0.1, min 0.09; 60 outliers, standard
deviation 0.21 s.
Durations in seconds of steps that are no outliers
        0.09       90  ########################################
       0.095        8  ####
         0.1        2  #
Steps and the time between them
  Step:ModeKeys.TRAIN           81.50 %  #################################
  others                        18.50 %  #######
Forward and backward pass
  Backward pass                 65.00 %  ##########################
  Forward pass                  35.00 %  ##############
Operators of CPU and GPU
  cpu_functions                 62.50 %  #########################
  gpu_functions-dev:0           37.50 %  ###############
Other phases
  DataLoaderIter                90.00 %  ####################################
  DataLoaderIterInitialize      10.00 %  ####
Horovod
  NCCL_ALLREDUCE               100.00 %  ########################################
\
  GPU utilization analysis
Fired last at 15:30:00 09/13/2020 UTC.
algo-1
  gpu0                         0 |-------[===|===]-----------|            100  median 30 %
algo-1, gpu0: at most 97 %; little used, 95 % of the time below the limit; 5 % of the time nearly
unused; it swings between high and low.
\
  Batch size
Fired last at 15:30:00 09/13/2020 UTC.
algo-1
  cpu                          0    |-|]--|                               100  median 14 %
  gpu0                         0 |-------[===|===]-----------|            100  median 30 %
  gpu0_memory                  0    ||]|                                  100  median 11 %
\
  GPU memory
Fired last at 14:56:40 09/13/2020 UTC.
algo-1
  gpu0                         0 |---[===========|======]---------------| 100  median 40 %
algo-1, gpu0: at most 88 %; it swings between high and low.
\
  Workload balancing
Use in % of the GPUs of algo-1 (0 to 98)
  gpu0                         |                                 @+++@++|
  gpu1                         |@                                      -|
algo-1: gpu0 and gpu1 differ by 0.8326.
\
  Dataloading analysis
Cores: 8; processes that load data in a second: 2: more workers may help.
pin_memory is off: switch it on.
Loading takes p25 0.011 s, p50 0.0135 s, p95 0.5 s.
Loading times in seconds
        0.98        3  ########################################
        0.99        1  #############
\
  CPUBottleneck
At 6 of 10200 times, 0.05882 %, a GPU was low because of CPU, below the limit; the rule fired.
Share of the time
  GPU above threshold           31.37 %  #############
  GPU below threshold           68.57 %  ###########################
  GPU low because of CPU         0.06 %
Steps and the time between them
  Step:ModeKeys.TRAIN           81.50 %  #################################
  others                        18.50 %  #######
Forward and backward pass
  Backward pass                 65.00 %  ##########################
  Forward pass                  35.00 %  ##############
Operators of CPU and GPU
  cpu_functions                 62.50 %  #########################
  gpu_functions-dev:0           37.50 %  ###############
Other phases
  DataLoaderIter                90.00 %  ####################################
  DataLoaderIterInitialize      10.00 %  ####
Horovod
  NCCL_ALLREDUCE               100.00 %  ########################################
\
  IOBottleneck
At 1 of 22249 times, 0.004495 %, a GPU was low because of I/O, below the limit; the rule did not
fire.

# it is converted without loss
$ -batch -ex "profile report -read tests/samples/profile_service $T/a" | cut -c1-99; for f in tests/samples/profile_service/rule-output/ProfilerReport-1600000000/profiler-output/profiler-reports/*.json; do python3 -c 'import json, math, sys; a, b = [json.load(open(x), parse_constant=lambda x: None) for x in sys.argv[1:]]; assert a == b, sys.argv[1]' "$f" "$T/a/profiler-reports/${f##*/}"; done; ls "$T"/a/profiler-reports | wc -l
Wrote the report to $T/a: profiler-report.html and profiler-reports.
11

# --check reads a profile, too
$ --check tests/samples/profile
profile: profiler's tree, 0 runs, ended
0 records, 0 unreadable; 0 problems
system/incremental/2020091312/1600000020.algo-1.json:11049: a line that is no JSON (bad lines: 1)
profile: 264 metrics, 89 events, 1 unreadable; CAUSE GPU underused, since step 2
? 5

$ --check tests/samples/profile_slow_loader
profile_slow_loader: profiler's tree, 0 runs, ended
0 records, 0 unreadable; 0 problems
profile: 492 metrics, 1230 events, 0 unreadable; CAUSE input-bound, since step 0

# a report alone is a run: that of the service, too
$ -batch -ex 'info trials -field number,name,state' -ex 'profile rules' -ex 'profile rules -csv -field rule,rule_triggered,rule_parameters' -ex 'profile report' -ex 'profile summary' tests/samples/profile_report | head -24
NUM  NAME            STATE
  1  profile_report  ended
RULE                   STATUS         FIRED  VIOLATIONS  POINTS  WHAT
IOBottleneck           IssuesFound        1           2      10  -
BatchSize              IssuesFound       31          31   22208  -
MaxInitializationTime  NoIssuesFound      0           0     480  -
OverallSystemUsage     NoIssuesFound      0           0    1200  -
rule,rule_triggered,rule_parameters
IOBottleneck,1,threshold:50
BatchSize,31,"cpu_threshold_p95:70
gpu_threshold_p95:70
gpu_memory_threshold_p95:70
patience:4000
window:1000"
MaxInitializationTime,0,threshold:20
OverallSystemUsage,0,
Profiling report
Made from the results of the rules of a profile. Recommendations are hints, not certain.
\
Training job summary
Start 12:26:40 09/13/2020, end 12:36:40 09/13/2020 UTC, duration 600 s.
Training loop: 12:27:40 09/13/2020 to 12:35:40 09/13/2020 UTC, 480 s. Initialization 60 s,
finalization 60 s.
Share of the job
! smdbg: The run has no profile, but a report: see "profile report" and "profile rules".

$ -batch -ex 'runs -json' -ex 'profile rules -field rule,status,rule_triggered' tests/samples/profile_service/rule-output/ProfilerReport-1600000000 | cut -c1-120
[{"run":"ProfilerReport-1600000000","path":".","kind":"profile_report","parts":["profile_report"],"state":"ended","steps
RULE                     STATUS         FIRED
CPUBottleneck            IssuesFound        4
IOBottleneck             NoIssuesFound      0
LowGPUUtilization        IssuesFound       31
StepOutlier              IssuesFound       25
GPUMemoryIncrease        IssuesFound        2
BatchSize                IssuesFound       31
MaxInitializationTime    NoIssuesFound      0
LoadBalancing            IssuesFound        9
OverallSystemUsage       NoIssuesFound      0
Dataloader               IssuesFound        1
OverallFrameworkMetrics  NoIssuesFound      0

$ -batch -ex 'profile rules -field rule,status,rule_triggered' tests/samples/profile_service/rule-output
RULE                     STATUS         FIRED
CPUBottleneck            IssuesFound        4
IOBottleneck             NoIssuesFound      0
LowGPUUtilization        IssuesFound       31
StepOutlier              IssuesFound       25
GPUMemoryIncrease        IssuesFound        2
BatchSize                IssuesFound       31
MaxInitializationTime    NoIssuesFound      0
LoadBalancing            IssuesFound        9
OverallSystemUsage       NoIssuesFound      0
Dataloader               IssuesFound        1
OverallFrameworkMetrics  NoIssuesFound      0

# a file that is bad is left out, and said; of a report without a good one nothing is shown
$ -batch --allow-shell -ex "shell cp -r tests/samples/profile_report $T/r && echo '{' >$T/r/profiler-output/profiler-reports/LowGPUUtilization.json" -ex "profile report -read $T/r" | grep -o '^Left.*\|^Profiling report\|^BatchSize fired.*'
Left out: $T/r/profiler-output/profiler-reports/LowGPUUtilization.json: invalid JSON at offset 2: parse error: premature EOF
Profiling report
BatchSize fired most often: 31 times, of 22208 datapoints.

$ -batch --allow-shell -ex "shell mkdir $T/r && echo '{' >$T/r/BatchSize.json" -ex "profile report -read $T/r"
! smdbg: $T/r/BatchSize.json: invalid JSON at offset 2: parse error: premature EOF.
? 5

# the folder of a job that has nothing but what its rules have left is a run; so is a trial beside it
$ -batch -ex 'info trials -field name,state,tensors' -ex 'profile rules -field rule,rule_triggered' tests/samples/profile_service | head -4
NAME             STATE  TENSORS
profile_service  ended        0
RULE                     FIRED
CPUBottleneck                4

$ -batch -ex 'profile rule LowGPUUtilization' -ex 'profile rule GPUMemoryIncrease -json' -ex 'profile rule x' -ex 'profile phases' tests/samples/profile_service | cut -c1-120
LowGPUUtilization: IssuesFound, fired 31 times, 31 violations of 22209 datapoints.
Parameters: threshold_p95:70 threshold_p5:10 window:500 patience:1000.
A GPU is little used, or its use swings between high and low. Advice: look for bottlenecks and
blocking calls; change the distribution; use a larger batch.
algo-1
  gpu0                   0 |---------[====|====]---------------|              100  p50 30 p95 55
last_timestamp           1600011000000000
{"rule":"GPUMemoryIncrease","status":"IssuesFound","rule_triggered":2,"violations":2,"datapoints":22000,"rule_parameters
! smdbg: There is no such rule of a profile: see "profile rules".

$ -batch --allow-shell -ex "shell mkdir -p $T/j/rule-output && cp -r tests/trials/cnn_healthy $T/j/debug-output && cp -r tests/samples/profile_report/profiler-output $T/j/rule-output/ProfilerReport-1" -ex "open $T/j" -ex 'info trials -field name,tensors' -ex 'profile rules -field rule,rule_triggered' -ex 'profile rule LoadBalancing' -ex 'profile ops'
j: smdebug trial, 1 worker, ended
16 steps (TRAIN 0..80, EVAL 0..11), 29 tensors in 11 collections
NAME  TENSORS
j          29
RULE                   FIRED
IOBottleneck               1
BatchSize                 31
MaxInitializationTime      0
OverallSystemUsage         0
! smdbg: The report has nothing of LoadBalancing.
? 4

# the HTML marks the verdict and the rules that fired, and no others
$ -batch -ex "profile report $T/w" tests/samples/profile_slow_loader >/dev/null; grep -o '<section[^>]*>\|CAUSE input-bound\|<tr class="f"><td>[A-Za-z]*' "$T/w/profiler-report.html"
<section>
CAUSE input-bound
<tr class="f"><td>Dataloader
