# traces of torch.profiler are a run of ranks; one is torn, and one is missing
$ -batch -ex 'info trial -field kind,state,workers,num_workers,errors' -ex 'info errors' -ex 'profile summary' tests/samples/traces/ranks
kind              kineto
state             ended
workers           rank_0,rank_1,rank_2
workers expected  4
errors            1
FILE                 OFFSET  TIMES  MESSAGE
rank2_trace.json.gz   14584      1  the trace ends too early, after 67 events
CAUSE straggling worker
  the other ranks wait 33 % of the time for it in collective operations (rank_1, steps 10 to 13)
    [profile blame ranks]
  it spends more on waits for the data loader than the others: 3.80 ms in each step (rank_1, steps
    10 to 13)  [profile steps]
TRY Look at how this rank gets its data: its files, disk, loader processes and share of the data;
    Give each worker the same work; leave the machine out
Not recorded: traces of the other ranks
3 ranks, 235 events, 12 steps (10 to 13), half of them within 9.90 ms; NVIDIA A100-SXM4-40GB.
RANK  GPU TIME  COMPUTE      %    OTHER      %     IDLE      %
   0   39.6 ms  19.0 ms  48.05  19.1 ms  48.26  1.46 ms   3.69
   1   35.8 ms  19.0 ms  53.16  3.90 ms   10.9  12.9 ms  35.94
   2   29.6 ms  14.3 ms  48.23  14.3 ms  48.43   990 us   3.35
TYPE                                      TIME  PERCENT
COMPUTATION                            43.6 ms     48.6
COMMUNICATION                          35.3 ms     39.4
COMPUTATION overlapping COMMUNICATION  8.74 ms      9.8
MEMORY                                 1.98 ms      2.2
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.

$ -batch -ex 'profile summary -json' tests/samples/traces/ranks
{"verdict":"straggling_worker","since":null,"evidence":[{"text":"the other ranks wait 33 % of the time for it in collective operations","step":10,"value":0.33333333333333331,"command":"profile blame ranks","node":"rank_1","last_step":13,"from_ns":1700000000003000125,"to_ns":1700000000042900125},{"text":"it spends more on waits for the data loader than the others: 3.80 ms in each step","step":10,"value":0.38095238095238093,"command":"profile steps","node":"rank_1","last_step":13,"from_ns":1700000000003000125,"to_ns":1700000000042900125}],"steps":{"count":12,"mean":9900000,"p50":9900000,"p95":9900000,"p99":9900000,"max":9900000,"mode":null},"nodes":["rank_0","rank_1","rank_2"],"ranks":[0,1,2],"metrics":[],"temporal":[{"rank":0,"idle_time":1460000,"compute_time":19020000,"non_compute_time":19100000,"kernel_time":39580000,"idle_time_pctg":3.6899999999999999,"compute_time_pctg":48.049999999999997,"non_compute_time_pctg":48.259999999999998},{"rank":1,"idle_time":12860000,"compute_time":19020000,"non_compute_time":3900000,"kernel_time":35780000,"idle_time_pctg":35.939999999999998,"compute_time_pctg":53.159999999999997,"non_compute_time_pctg":10.9},{"rank":2,"idle_time":990000,"compute_time":14265000,"non_compute_time":14325000,"kernel_time":29580000,"idle_time_pctg":3.3500000000000001,"compute_time_pctg":48.229999999999997,"non_compute_time_pctg":48.43}],"overlap":[{"rank":0,"comm_time":21560000,"overlap_time":3180000,"comp_comm_overlap_pctg":14.75},{"rank":1,"comm_time":6360000,"overlap_time":3180000,"comp_comm_overlap_pctg":50},{"rank":2,"comm_time":16170000,"overlap_time":2385000,"comp_comm_overlap_pctg":14.75}],"kernel_types":[{"kernel_type":"COMPUTATION","sum":43560000,"percentage":48.600000000000001},{"kernel_type":"COMMUNICATION","sum":35345000,"percentage":39.399999999999999},{"kernel_type":"COMPUTATION overlapping COMMUNICATION","sum":8745000,"percentage":9.8000000000000007},{"kernel_type":"MEMORY","sum":1980000,"percentage":2.2000000000000002}],"world_size":4,"trace_events":235,"title":"straggling worker","since_ns":null,"try":["Look at how this rank gets its data: its files, disk, loader processes and share of the data","Give each worker the same work; leave the machine out"],"missing":["traces of the other ranks"],"looked_at":{"steps":12,"from_ns":1700000000003000125,"to_ns":1700000000042900125}}

$ -batch -ex 'profile summary -csv' -ex 'profile summary -hta -csv' tests/samples/traces/ranks
rank,kernel_time,compute_time,compute_time_pctg,non_compute_time,non_compute_time_pctg,idle_time,idle_time_pctg
0,39580000,19020000,48.05,19100000,48.26,1460000,3.69
1,35780000,19020000,53.16,3900000,10.9,12860000,35.94
2,29580000,14265000,48.23,14325000,48.43,990000,3.35
rank,kernel_time,compute_time,compute_time_pctg,non_compute_time,non_compute_time_pctg,idle_time,idle_time_pctg
0,29580000,14265000,48.23,14325000,48.43,990000,3.35
1,25780000,14265000,55.33,2925000,11.35,8590000,33.32
2,29580000,14265000,48.23,14325000,48.43,990000,3.35

$ -batch -ex verdict tests/samples/traces/ranks
CAUSE straggling worker
  the other ranks wait 33 % of the time for it in collective operations (rank_1, steps 10 to 13)
    [profile blame ranks]
  it spends more on waits for the data loader than the others: 3.80 ms in each step (rank_1, steps
    10 to 13)  [profile steps]
TRY Look at how this rank gets its data: its files, disk, loader processes and share of the data;
    Give each worker the same work; leave the machine out
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 12 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

$ -batch -ex 'verdict -json' tests/samples/traces/ranks | cut -c1-420
{"cause":"straggling_worker","title":"straggling worker","since":null,"mode":null,"worker":"rank_1","tensor":null,"evidence":[{"text":"the other ranks wait 33 % of the time for it in collective operations (rank_1, steps 10 to 13)","step":10,"tensor":null,"value":0.33333333333333331,"command":"profile blame ranks"},{"text":"it spends more on waits for the data loader than the others: 3.80 ms in each step (rank_1, step

$ -batch -ex 'profile steps -rank 1' -ex 'profile steps -rank 1 -json' tests/samples/traces/ranks
RANK  STEP  DURATION  DATA LOADER     %
   1    10   9.90 ms      4.00 ms  40.4
   1    11   9.90 ms      4.00 ms  40.4
   1    12   9.90 ms      4.00 ms  40.4
   1    13   9.90 ms      4.00 ms  40.4
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.
[{"rank":1,"step":10,"ts":3000125,"dur":9900000,"dataloader":4000000,"dataloader_pctg":40.399999999999999},{"rank":1,"step":11,"ts":13000125,"dur":9900000,"dataloader":4000000,"dataloader_pctg":40.399999999999999},{"rank":1,"step":12,"ts":23000125,"dur":9900000,"dataloader":4000000,"dataloader_pctg":40.399999999999999},{"rank":1,"step":13,"ts":33000125,"dur":9900000,"dataloader":4000000,"dataloader_pctg":40.399999999999999}]

$ -batch -ex 'profile ops -rank 0' -ex 'profile ops all aten* -rank 0 -csv' -ex 'profile ops gpu' tests/samples/traces/ranks
RANK     SELF    TOTAL  COUNT      MAX  OPERATOR
   0  37.6 ms  39.6 ms      4  9.90 ms  ProfilerStep*
   0  1.00 ms  1.00 ms      4   250 us  aten::addmm
   0   800 us   800 us      4   200 us  enumerate(DataLoader…_MultiProcessingDataLoaderIter.__next__
   0   200 us  1.20 ms      4   300 us  aten::linear
rank,self_cpu_time,cpu_time,count,max,name
0,1000000,1000000,4,250000,aten::addmm
0,200000,1200000,4,300000,aten::linear
! smdbg: Use "profile kernels" for the work of GPUs.
? 1

$ -batch -ex 'profile kernels -n 2' -ex 'profile kernels *gemm* -rank 1 -json' -ex 'profile kernels -types -csv' tests/samples/traces/ranks
RANK    TOTAL  SHARE %  COUNT     MEAN      MAX  TYPE           KERNEL
   0  21.6 ms     52.2      4  5.39 ms  5.39 ms  COMMUNICATION  ncclDevKerne…nelArgsStorage<4096ul>)
   0  19.0 ms    46.05     24   792 us   795 us  COMPUTATION    ampere_bf16_s16816gemm_bf16_128x128
   1  19.0 ms    72.87     24   792 us   795 us  COMPUTATION    ampere_bf16_s16816gemm_bf16_128x128
   1  6.36 ms    24.37      4  1.59 ms  1.59 ms  COMMUNICATION  ncclDevKerne…nelArgsStorage<4096ul>)
   2  16.2 ms     52.2      3  5.39 ms  5.39 ms  COMMUNICATION  ncclDevKerne…nelArgsStorage<4096ul>)
   2  14.3 ms    46.05     18   792 us   795 us  COMPUTATION    ampere_bf16_s16816gemm_bf16_128x128
3 more kernels; use -n.
[{"name":"ampere_bf16_s16816gemm_bf16_128x128","sum":19020000,"max":795000,"min":790000,"mean":792500,"stddev":1744.556751977294,"count":24,"kernel_type":"COMPUTATION","rank":1,"share":72.870000000000005}]
kernel_type,sum,percentage
COMPUTATION,43560000,48.6
COMMUNICATION,35345000,39.4
COMPUTATION overlapping COMMUNICATION,8745000,9.8
MEMORY,1980000,2.2

$ -batch -ex 'profile comms' -ex 'profile comms -rank 1 -json' -ex 'profile comms -overlap -csv' tests/samples/traces/ranks
RANK  GROUP  SIZE  COLLECTIVE  DTYPE     COUNT    BYTES     TIME  ALG GB/s  BUS GB/s
   0  0         4  allreduce   BFloat16      4  8.0 MiB  21.6 ms   0.38908   0.58362
   1  0         4  allreduce   BFloat16      4  8.0 MiB  6.36 ms     1.319    1.9784
   2  0         4  allreduce   BFloat16      3  6.0 MiB  16.2 ms   0.38908   0.58362
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.
[{"rank":1,"process_group":"0","collective":"allreduce","dtype":"BFloat16","group_size":4,"count":4,"bytes":8388608,"sum":6360000,"algbw_GBps":1.3189635220125786,"busbw_GBps":1.9784452830188679,"process_group_ranks":"[0, 1, 2, 3]"}]
rank,comm_time,overlap_time,comp_comm_overlap_pctg
0,21560000,3180000,14.75
1,6360000,3180000,50
2,16170000,2385000,14.75

$ -batch -ex 'profile idle -rank 1' -ex 'profile idle -rank 1 -delay 10 -csv' -ex 'profile idle -rank 1 -json' tests/samples/traces/ranks
RANK  STREAM  IDLE BECAUSE OF     TIME  SHARE  GAPS
   1       7  host_wait        15.0 ms   0.99     3
   1       7  kernel_wait       200 us   0.01    24
   1       7  other               0 ns      0     0
   1      20  host_wait        25.2 ms      1     3
   1      20  other               0 ns      0     0
rank,stream,idle_category,idle_time,idle_time_ratio,gaps
1,7,host_wait,15045000,0.99,3
1,7,other,200000,0.01,24
1,20,host_wait,25230000,1,3
1,20,other,0,0,0
[{"rank":1,"stream":7,"idle_category":"host_wait","idle_time":15045000,"idle_time_ratio":0.98999999999999999,"gaps":3},{"rank":1,"stream":7,"idle_category":"kernel_wait","idle_time":200000,"idle_time_ratio":0.01,"gaps":24},{"rank":1,"stream":7,"idle_category":"other","idle_time":0,"idle_time_ratio":0,"gaps":0},{"rank":1,"stream":20,"idle_category":"host_wait","idle_time":25230000,"idle_time_ratio":1,"gaps":3},{"rank":1,"stream":20,"idle_category":"other","idle_time":0,"idle_time_ratio":0,"gaps":0}]

$ -batch -ex 'profile launches' -ex 'profile launches -rank 1 -json' -ex 'profile launches -csv' tests/samples/traces/ranks
RANK  LAUNCHES      CPU      GPU  MEDIAN DELAY  SHORT KERNELS  LONG CALLS  LONG DELAYS
   0        32   128 us  41.3 ms       2.14 ms              0           0           28
   1        32   128 us  26.1 ms       2.14 ms              0           0           28
   2        24  96.0 us  31.0 ms       2.14 ms              0           0           21
[{"rank":1,"count":32,"cpu_duration":{"count":32,"mean":4000,"std":0,"min":4000,"25%":4000,"50%":4000,"75%":4000,"max":4000},"gpu_duration":{"count":32,"mean":815625,"std":360448.08583296038,"min":180000,"25%":790750,"50%":792500,"75%":794250,"max":1590000},"launch_delay":{"count":32,"mean":2117875,"std":1575514.1249968265,"min":11000,"25%":758500,"50%":2141000,"75%":3516000,"max":4116000},"cpu_duration_sum":128000,"gpu_duration_sum":26100000,"launch_delay_sum":67772000,"short_gpu_kernels":0,"runtime_outliers":0,"launch_delay_outliers":28,"launch_delay_median":2141000}]
rank,count,cpu_duration_sum,gpu_duration_sum,launch_delay_median,launch_delay_sum,short_gpu_kernels,runtime_outliers,launch_delay_outliers
0,32,128000,41300000,2141000,67772000,0,0,28
1,32,128000,26100000,2141000,67772000,0,0,28
2,24,96000,30975000,2141000,50829000,0,0,21

$ -batch -ex 'profile queue -rank 1' -ex 'profile queue -rank 1 -json' tests/samples/traces/ranks
RANK  STREAM  CHANGES    MEAN      STD  MIN  25%  50%  75%  MAX  FULL
   1       7       56  2.6429   1.8919    0    1  2.5    4    6  0 ns
   1      20        8     0.5  0.53452    0    0  0.5    1    1  0 ns
[{"rank":1,"stream":7,"count":56,"mean":2.6428571428571428,"std":1.8918828661470501,"min":0,"25%":1,"50%":2.5,"75%":4,"max":6,"duration_at_max_queue_length":0},{"rank":1,"stream":20,"count":8,"mean":0.5,"std":0.53452248382484879,"min":0,"25%":0,"50%":0.5,"75%":1,"max":1,"duration_at_max_queue_length":0}]

$ -batch -ex 'profile memory' -ex 'profile memory -rank 2 -json' tests/samples/traces/ranks
RANK  DEVICE     PEAK  RESERVED  AT THE END  ALLOCATIONS  FREES
   0  gpu0    1.0 MiB   4.0 MiB     1.0 MiB            4      0
   1  gpu0    1.0 MiB   4.0 MiB     1.0 MiB            4      0
   2  gpu0    1.0 MiB   4.0 MiB     1.0 MiB            3      0
[{"rank":2,"device_type":1,"device_id":0,"count":3,"peak_allocated":1060864,"peak_reserved":4194304,"allocations":3,"frees":0,"peak_ts":18729500,"device":"gpu0","last_allocated":1060864,"growth":2048}]

# which rank the others wait for
$ -batch -ex 'profile blame' -ex 'profile blame matrix' -ex 'profile blame steps' -ex 'profile blame list' tests/samples/traces/ranks
RANK  OTHERS WAIT FOR IT  IT WAITS  AS THE FIRST CAUSE
   0                0 ns   15.2 ms                0 ns
   1             26.6 ms      0 ns             26.6 ms
   2                0 ns   11.4 ms                0 ns
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.
WAITS  FOR 0    FOR 1  FOR 2
    0   0 ns  15.2 ms   0 ns
    1   0 ns     0 ns   0 ns
    2   0 ns  11.4 ms   0 ns
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.
STEP  LAST RANK   WAITED  COLLECTIVES
  10          1  7.60 ms            1
  11          1  7.60 ms            1
  12          1  7.60 ms            1
  13          1  3.80 ms            1
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.
STEP  GROUP  RANKS         SEQ  COLLECTIVE  LAST  ROOT   WAITED
  10  0      [0, 1, 2, 3]   10  allreduce      1     1  7.60 ms
  11  0      [0, 1, 2, 3]   11  allreduce      1     1  7.60 ms
  12  0      [0, 1, 2, 3]   12  allreduce      1     1  7.60 ms
  13  0      [0, 1, 2, 3]   13  allreduce      1     1  3.80 ms
The trace of rank 2 ends too early; see "info errors".
Traces of 3 of 4 ranks are here.

$ -batch -ex 'profile blame -json' tests/samples/traces/ranks | cut -c1-260
[{"step":10,"process_group":"0","process_group_ranks":"[0, 1, 2, 3]","seq":10,"collective":"allreduce","ranks":[0,1,2],"last":1,"waited":7600000,"wait":{"0":3800000,"1":0,"2":3800000},"shortest_kernel":1,"root":1},{"step":11,"process_group":"0","process_group_

$ -batch -ex 'profile blame matrix -json' -ex 'profile blame ranks -csv' tests/samples/traces/ranks
[{"rank":0,"rank_0":0,"rank_1":15200000,"rank_2":0},{"rank":1,"rank_0":0,"rank_1":0,"rank_2":0},{"rank":2,"rank_0":0,"rank_1":11400000,"rank_2":0}]
rank,blame,suffered,root_blame
0,0,15200000,0
1,26600000,0,26600000
2,0,11400000,0

# one file of a folder
$ -batch -ex 'profile summary' -ex 'profile blame' tests/samples/traces/ranks/rank0_trace.json.gz
CAUSE communication
  in 46 % of the time its GPU communicates and computes nothing (rank_0, steps 10 to 13)  [profile
    comms -overlap]
  the GPU is idle in 4 % of the time (rank_0, steps 10 to 13)  [profile summary]
TRY Send less: gradients in 16 bits, accumulate steps, larger batches for each worker; Overlap it
    with the backward pass; look at the network
Not recorded: traces of the other ranks
1 rank, 84 events, 4 steps (10 to 13), half of them within 9.90 ms; NVIDIA A100-SXM4-40GB.
RANK  GPU TIME  COMPUTE      %    OTHER      %     IDLE     %
   0   39.6 ms  19.0 ms  48.05  19.1 ms  48.26  1.46 ms  3.69
TYPE                                      TIME  PERCENT
COMMUNICATION                          18.4 ms     48.2
COMPUTATION                            15.8 ms     41.6
COMPUTATION overlapping COMMUNICATION  3.18 ms      8.3
MEMORY                                  720 us      1.9
Traces of 1 of 4 ranks are here.
RANK  OTHERS WAIT FOR IT  IT WAITS  AS THE FIRST CAUSE
   0                0 ns      0 ns                0 ns
There is one rank only, so no rank waits for another.
Traces of 1 of 4 ranks are here.

# a real one, of a CPU: the loader is slow
$ -batch -ex 'profile summary' -ex 'profile steps' -ex 'profile ops -n 3' -ex 'profile memory' tests/samples/traces/slow_loader
CAUSE input-bound
  the data loader is waited for in 82 % of the time of its steps (rank_0, steps 2 to 5)  [profile
    steps]
TRY Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory); Prepare
    it once and keep it (a cache, smaller images), or on the GPU
Not recorded: work of GPUs
1 rank, 1,028 events, 4 steps (2 to 5), half of them within 46.8 ms.
The traces have no work of GPUs; "profile ops" shows the operators.
RANK  STEP  DURATION  DATA LOADER      %
   0     2   46.1 ms      44.7 ms  96.96
   0     3   39.8 ms      38.6 ms  96.89
   0     4   47.4 ms      37.9 ms  80.03
   0     5   48.0 ms      34.4 ms  71.68
RANK     SELF    TOTAL  COUNT      MAX  OPERATOR
   0   154 ms   156 ms      4  44.7 ms  enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__
   0  20.3 ms  20.3 ms     24  12.1 ms  aten::add_
   0  1.02 ms  2.17 ms      4   554 us  ## backward ##
54 more operators; use -n.
RANK  DEVICE       PEAK  RESERVED  AT THE END  ALLOCATIONS  FREES
   0  cpu     116.1 KiB       0 B   104.1 KiB          124    115

# what they have not
$ -batch -ex 'profile kernels' -ex 'profile idle' -ex 'profile comms' -ex 'profile launches' -ex 'profile queue' tests/samples/traces/slow_loader
The traces have no work of GPUs.
The traces have no work of GPUs.
The traces name no collective operations; "profile comms -overlap" goes by the names of kernels.
The traces have no launches of work of GPUs.
The traces have no launches of work of GPUs.

$ -batch -ex 'profile phases' tests/samples/traces/ranks
! smdbg: The run has traces and no profile: use profile summary, steps, ops, kernels, idle, launches, queue, comms, blame or memory.
? 4

$ -batch -ex 'profile kernels' tests/samples/profile
! smdbg: The run has no traces of torch.profiler; "profile summary" shows a profile.
? 4

$ -batch -ex 'profile kernels -rank 7' tests/samples/traces/ranks
! smdbg: There is no trace of rank 7.
? 4

$ --check tests/samples/traces/ranks
ranks: traces of torch.profiler, 0 runs, ended
0 records, 0 unreadable; 0 problems
rank2_trace.json.gz:14584: the trace ends too early, after 67 events
traces: 3 files, 1 problem
? 5

$ --check tests/samples/traces/slow_loader
slow_loader: traces of torch.profiler, 0 runs, ended
0 records, 0 unreadable; 0 problems
traces: 1 file, 0 problems

# snapshots of GPU memory: who held it when it ran out
$ -batch -ex 'info trial -field kind,workers' -ex 'profile memory' -ex verdict tests/samples/traces/snapshots
kind     cuda_snapshot
workers  rank_0
RANK  STEP  GPU      PEAK   RESERVED  AT THE END  FREE IN SEGMENTS  EVENTS
   0     2    0  84.0 MiB  256.0 MiB    36.0 MiB         220.0 MiB      25
   0     4    0  88.0 MiB  256.0 MiB    40.0 MiB         216.0 MiB      47
Out of memory: evaluate.py:17:collect asked for 20.0 GiB, 7.0 GiB were free. Held then:
   BYTES  BLOCKS  ALLOCATED AT
32.0 MiB       4  model.py:12:__init__
 8.0 MiB       4  metrics.py:21:log_outputs
CAUSE memory pressure
  the GPU ran out of memory: evaluate.py:17:collect asked for 20.0 GiB (rank_0, step 4)  [profile
    memory]
  most was held by model.py:12:__init__: 32.0 MiB (rank_0, step 4)  [profile memory]
TRY Hold less: smaller batches or sequences, activation checkpointing, no outputs that are kept;
    Shard parameters and states of the optimizer over more GPUs
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 0 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

$ -batch -ex 'profile memory -json' tests/samples/traces/snapshots/iteration_4/000000_step_4.pickle
[{"rank":0,"step":4,"device_id":0,"events":47,"peak_active":92274688,"peak_time_us":1700000000000390,"peak_allocated":92274688,"peak_reserved":268435456,"top_at_peak":[{"stack":"model.py:31:forward","bytes":50331648,"blocks":3},{"stack":"model.py:12:__init__","bytes":33554432,"blocks":4},{"stack":"metrics.py:21:log_outputs","bytes":8388608,"blocks":4}],"end":{"allocated":41943040,"active":41943040,"requested":41943040,"reserved":268435456,"segments":1,"blocks":9,"largest_free_block":25165824,"fragmentation":226492416},"oom":[{"time_us":1700000000000460,"size":21474836480,"device_free":7516192768,"stack":"evaluate.py:17:collect"}],"top_at_oom":[{"stack":"model.py:12:__init__","bytes":33554432,"blocks":4},{"stack":"metrics.py:21:log_outputs","bytes":8388608,"blocks":4}],"trace":"000000_step_4.pickle","end_active":41943040,"end_fragmentation":226492416}]

$ -batch -ex 'profile memory -from 1700000000000270' -ex 'profile kernels' tests/samples/traces/snapshots
RANK  STEP  GPU      PEAK   RESERVED  AT THE END  FREE IN SEGMENTS  EVENTS
   0     2    0  84.0 MiB  256.0 MiB    36.0 MiB         220.0 MiB      25
   0     4    0  88.0 MiB  256.0 MiB    40.0 MiB         216.0 MiB      47
Out of memory: evaluate.py:17:collect asked for 20.0 GiB, 7.0 GiB were free. Held then:
   BYTES  BLOCKS  ALLOCATED AT
32.0 MiB       4  model.py:12:__init__
 8.0 MiB       4  metrics.py:21:log_outputs
Grown:
  BYTES  BLOCKS  ALLOCATED AT
4.0 MiB       2  metrics.py:21:log_outputs
! smdbg: The run has no traces of torch.profiler, but snapshots of CUDA memory.
? 4

# dumps of the flight recorder: who hangs the job
$ -batch -ex 'info trial -field kind,workers' -ex hang -ex verdict tests/samples/traces/flight
kind     flight_recorder
workers  rank_0,rank_1,rank_2,rank_3
HANG rank 2 never entered nccl:all_reduce #3 of group 0 default_pg, in which 3 wait
They wait at train/loop.py:40:step.
RANK            GROUP         SEQ  LAST OPERATION   STATE      CALLED AT
   0  waits     0 default_pg    3  nccl:all_reduce  started    train/loop.py:40:step
   1  waits     0 default_pg    3  nccl:all_reduce  started    train/loop.py:40:step
   2  at fault  0 default_pg    2  nccl:all_reduce  completed  train/loop.py:40:step
   3  waits     0 default_pg    3  nccl:all_reduce  started    -
CAUSE a collective operation hangs
  rank 2 never entered nccl:all_reduce #3 of group 0 default_pg, in which 3 wait (rank_2, 22:13:20
    to 22:13:20)  [hang]
  its last operation is nccl:all_reduce #2 of group 0 default_pg (rank_2, 22:13:20 to 22:13:20)
    [hang]
TRY Look at what that rank did instead: its last operation, its log, an exception, data that ended
    early; Let every rank run the same collective operations in the same order
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 0 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

$ -batch -ex 'hang -json' tests/samples/traces/flight
{"fault":"never entered","text":"rank 2 never entered nccl:all_reduce #3 of group 0 default_pg, in which 3 wait","group":"0 default_pg","seq":3,"op":"nccl:all_reduce","missing_ranks":[2],"culprits":[2],"culprit_op":null,"waiting_ranks":[0,1,3],"no_dump":[],"stack":"train/loop.py:40:step","last_op":[{"rank":0,"role":"waits","process_group":"0 default_pg","profiling_name":"nccl:all_reduce","collective_seq_id":3,"state":"started","retired":false,"time_created_ns":1700000000005000000,"stack":"train/loop.py:40:step"},{"rank":1,"role":"waits","process_group":"0 default_pg","profiling_name":"nccl:all_reduce","collective_seq_id":3,"state":"started","retired":false,"time_created_ns":1700000000005001000,"stack":"train/loop.py:40:step"},{"rank":2,"role":"at fault","process_group":"0 default_pg","profiling_name":"nccl:all_reduce","collective_seq_id":2,"state":"completed","retired":true,"time_created_ns":1700000000003002000,"stack":"train/loop.py:40:step"},{"rank":3,"role":"waits","process_group":"0 default_pg","profiling_name":"nccl:all_reduce","collective_seq_id":3,"state":"started","retired":false,"time_created_ns":1700000000005003000,"stack":null}]}

$ -batch -ex hang tests/samples/traces/ranks
! smdbg: The run has no dumps of the flight recorder (rank_0, rank_1 ...).
? 4


# of what is in order the command that shows it, too
$ -batch -ex verdict tests/samples/traces/snapshots/iteration_2
Nothing wrong was found
SPEED balanced: at most 84.0 MiB of GPU memory were in use  [profile memory]
Looked at: 0 tensors, 0 steps, 0 values, 20 causes, 0 steps of the profile. Not saved: losses,
    weights, gradients, inputs, labels.

$ -batch -ex 'profile steps -outliers' -ex 'profile steps -outliers -stddev 0.5' tests/samples/traces/slow_loader
No step takes longer than the mean and 3 standard deviations.
RANK  STEP  DURATION  DATA LOADER      %
   0     4   47.4 ms      37.9 ms  80.03
   0     5   48.0 ms      34.4 ms  71.68
