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
