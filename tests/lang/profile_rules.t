# every rule of a profile says what its definition, written a second time in Python, says of the same files
$ --version >/dev/null; for t in profile profile_many_cores profile_horovod profile_slow_loader profile_straggler profile_killed; do python3 tests/rules/profiler_rules.py "$SMDBG" tests/samples/$t; done
11 passed, 0 failed
11 passed, 0 failed
11 passed, 0 failed
11 passed, 0 failed
11 passed, 0 failed
11 passed, 0 failed

$ --version >/dev/null; python3 tests/rules/profiler_rules.py "$SMDBG" tests/samples/profile CPUBottleneck_patience=2 CPUBottleneck_threshold=10 CPUBottleneck_cpu_threshold=60 CPUBottleneck_gpu_threshold=60 LowGPUUtilization_patience=4 LowGPUUtilization_window=6 GPUMemoryIncrease_patience=2 GPUMemoryIncrease_increase=0.5 GPUMemoryIncrease_window=3 BatchSize_patience=4 BatchSize_window=4 LoadBalancing_patience=2
11 passed, 0 failed

$ --version >/dev/null; for t in profile_straggler profile_slow_loader; do python3 tests/rules/profiler_rules.py "$SMDBG" tests/samples/$t StepOutlier_n_outliers=1 StepOutlier_stddev=2 StepOutlier_mode=TRAIN Dataloader_min_threshold=100 IOBottleneck_patience=2; done
11 passed, 0 failed
11 passed, 0 failed

# "preset doc" has the parameters of the service's guide, attached and not: one judgement
$ -batch -ex 'rule auto preset doc' -ex 'profile rules preset doc -csv -field rule,rule_triggered,rule_parameters' -ex 'rule auto preset x' tests/samples/profile
Every rule whose tensors exist is attached.
rule,rule_triggered,rule_parameters
CPUBottleneck,0,"threshold:50
cpu_threshold:90
gpu_threshold:10
patience:100"
IOBottleneck,0,"threshold:50
io_threshold:50
gpu_threshold:70
patience:1000"
LowGPUUtilization,0,"threshold_p95:70
threshold_p5:10
window:500
patience:1000"
StepOutlier,0,"stddev:5
mode:None
n_outliers:10"
GPUMemoryIncrease,0,"increase:10
patience:100
window:500"
BatchSize,0,"cpu_threshold_p95:70
gpu_threshold_p95:70
gpu_memory_threshold_p95:70
patience:100
window:500"
MaxInitializationTime,0,threshold:20
LoadBalancing,3,"threshold:0.5
patience:10"
OverallSystemUsage,0,
Dataloader,0,"min_threshold:70
max_threshold:200"
OverallFrameworkMetrics,0,
! smdbg: Undefined item "x" for preset.  Choose one of: service, doc.
? 1

$ -batch -ex 'help rule gpu_memory_increase' tests/samples/profile | grep preset
  With "preset doc", as the service's guide has them: increase=10 patience=100 window=500.

# an attached rule is shown with its own parameters
$ -batch -ex 'rule add StepOutlier stddev=1 n_outliers=2' -ex 'profile rule StepOutlier' -ex 'profile rule StepOutlier preset service' tests/samples/profile_straggler | grep -E "^(StepOutlier|Parameters|With)"
StepOutlier is attached.
StepOutlier: IssuesFound, fired 2 times, 36 violations of 294 datapoints.
Parameters: stddev:1 mode:None n_outliers:2.
With the parameters of the attached rule StepOutlier.
StepOutlier: NoIssuesFound, fired 0 times, 0 violations of 294 datapoints.
Parameters: stddev:3 mode:None n_outliers:10.

$ -batch -ex 'rule explain ProfilerReport' tests/samples/profile
! smdbg: ProfilerReport judges the profile, not steps: see "profile report" and "profile rules".
? 1
