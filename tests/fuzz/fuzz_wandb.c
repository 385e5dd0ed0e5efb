/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_state.h"
#include "reader/wandb/wandb_log.h"
#include "reader/wandb/wandb_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void on_record(void *ctx, struct sm_bytes payload, uint64_t offset)
{
    sm_wandb_take_record(ctx, payload, offset);
}

static void on_problem(void *ctx, uint64_t offset, const struct sm_err *err)
{
    sm_wandb_report(ctx, offset, err);
}

/* Makes the values that are no numbers. */
static void read_values(struct sm_source *source)
{
    char bytes[4096];
    size_t got = 1;
    for (uint64_t at = 0; got; at += got)
        if (!sm_source_read(source, SM_LOG_VALUES, at, bytes, sizeof bytes, &got, NULL))
            break;
}

/* The input is a .wandb file; and a record, whose checksum nobody has to guess. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct sm_wandb_log_ops ops = {on_record, on_problem};
    struct sm_log_sink sink = {0};
    struct sm_wandb_log log = {0};
    struct sm_source *files = sm_source_mem_new(NULL),
                     *source = sm_log_source_new(files, sm_wandb_make_value, NULL);
    struct sm_wandb_run run = {.sink = &sink, .source = source, .file = "run.wandb"};
    sm_source_mem_put(files, "run.wandb", data, n);
    sm_wandb_log_take(&log, (struct sm_bytes){data, n}, true, &ops, &run);
    sm_wandb_take_record(&run, (struct sm_bytes){data, n}, log.offset);
    sm_wandb_check_axes(&run);
    sm_wandb_run_rewind(&run);
    sm_wandb_take_record(&run, (struct sm_bytes){data, n}, 0);
    sm_wandb_hand_summary(&run);
    read_values(source);
    sm_wandb_log_clear(&log);
    sm_wandb_run_clear(&run);
    sm_log_sink_clear(&sink);
    sm_source_unref(source);
    sm_source_unref(files);
    return 0;
}
