/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a log and its sink. Internal: for log_kind.c and log_sink.c,
 * and for a kind that is no log but has settings beside its files. */
#ifndef SM_LOG_STATE_H
#define SM_LOG_STATE_H

#include "reader/logs/log_kind.h"

/* Gathers what one call of `poll` hands on; the numbers of series stay for the next ones. */
struct sm_log_sink {
    struct sm_names *series;
    uint32_t *local; /* by series: its id in the batch, plus 1 */
    size_t cap_local;
    struct sm_batch *batch; /* NULL: nothing new */
    struct sm_problems problems;
    struct sm_run_info info; /* what was said since it was handed on */
    bool ended;              /* as was said last, like the exit code */
    int exit_code;
    int64_t written_us;
    uint64_t negative; /* points with a negative step */
    bool informed;     /* there is such info */
    bool restarted, failed;
};
void sm_log_sink_clear(struct sm_log_sink *s);
/* After the batch was taken. */
void sm_log_sink_next(struct sm_log_sink *s);

#endif
