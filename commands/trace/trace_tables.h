/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of traces that several commands show: times of GPUs, types of kernels, steps, operators.
 */
#ifndef SM_TRACE_TABLES_H
#define SM_TRACE_TABLES_H

#include "commands/trace/trace_ask.h"

struct sm_trace_columns {
    const struct sm_column *columns;
    size_t n;
};
#define SM_SHAPE_KERNEL_TYPE "{kernel_type:text,sum:int,percentage:num}"
#define SM_SHAPE_TEMPORAL                                                                          \
    "{rank:int,idle_time:int,compute_time:int,non_compute_time:int,kernel_time:int,idle_time_pctg" \
    ":num?,compute_time_pctg:num?,non_compute_time_pctg:num?,trace?:name}"
#define SM_SHAPE_OVERLAP                                                                           \
    "{rank:int,comm_time:int,overlap_time:int,comp_comm_overlap_pctg:num?,trace?:name}"
#define SM_SHAPE_TRACE_STEP                                                                        \
    "{rank:int,step:int,ts:int,dur:int,dataloader:int,dataloader_pctg:num?,trace?:name}"
#define SM_SHAPE_TRACE_OP                                                                          \
    "{rank:int,name:name,count:int,self_cpu_time:int,cpu_time:int,max:int,trace?:name}"

/* Rows of SM_SHAPE_KERNEL_TYPE: all traces together. */
void sm_trace_add_kernel_types(struct sm_result *out, struct sm_node *list,
                               const struct sm_traces *t);
struct sm_trace_columns sm_trace_kernel_type_columns(void);
/* Rows of SM_SHAPE_TEMPORAL, of the traces that have work of GPUs. */
void sm_trace_add_temporal(struct sm_result *out, struct sm_node *list, const struct sm_traces *t);
struct sm_trace_columns sm_trace_temporal_columns(void);
/* Rows of SM_SHAPE_OVERLAP. */
void sm_trace_add_overlap(struct sm_result *out, struct sm_node *list, const struct sm_traces *t);
struct sm_trace_columns sm_trace_overlap_columns(void);

/* What profile summary, profile steps and profile ops say of a trial that has traces: the whole
 * answer. */
bool sm_trace_is_asked(const struct sm_call *c); /* whether the trial has traces of any kind */
bool sm_trace_run_summary(struct sm_call *c, struct sm_result *out, struct sm_err *err);
bool sm_trace_run_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err);
/* device, pattern: NULL: not given. */
bool sm_trace_run_ops(struct sm_call *c, const char *device, const char *pattern,
                      struct sm_result *out, struct sm_err *err);
/* What profile memory says of snapshots. */
bool sm_trace_run_snapshots(struct sm_call *c, struct sm_result *out, struct sm_err *err);
#define SM_SHAPE_HOLDERS "[{stack:name?,bytes:int,blocks:int}]"
#define SM_SHAPE_SNAPSHOT                                                                          \
    "{rank:int,step:int?,device_id:int,events:int,peak_active:int,peak_time_us:int?,"              \
    "peak_allocated:int,peak_reserved:int,top_at_peak:" SM_SHAPE_HOLDERS                           \
    ",end:{allocated:int,active:int,requested:int,reserved:int,segments:int,blocks:int,"           \
    "largest_free_block:int,fragmentation:int},oom:[{time_us:int,size:int,device_free:int,stack:"  \
    "name?}],top_at_oom:" SM_SHAPE_HOLDERS ",growth?:" SM_SHAPE_HOLDERS                            \
    ",trace:name,end_active:int,end_fragmentation:int}"
#define SM_SHAPE_TRACE_SUMMARY                                                                     \
    "temporal:[" SM_SHAPE_TEMPORAL "],overlap:[" SM_SHAPE_OVERLAP                                  \
    "],kernel_types:[" SM_SHAPE_KERNEL_TYPE "],ranks:[int],world_size:int?,trace_events:int"

#endif
