/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of trial `kineto`, traces of torch.profiler, `cuda_snapshot`, snapshots of CUDA memory,
 * and `flight_recorder`, dumps of the flight recorder; of all ranks of a job in one folder. As
 * trials they have no tensors and no steps; their files are read by sm_trial_traces. */
#include "reader/base/mem.h"
#include "reader/kind/no_records.h"
#include "reader/kind/run_folder.h"
#include "reader/kind/trial_kind.h"
#include "reader/trace/trace_name.h"
#include "reader/trace/trace_set.h"

#include <string.h>

/* XLA writes a short trace beside its profile, which has more. */
static bool has_xplane(const struct sm_run_folder *f)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++)
        if (sm_ends_with(sm_run_folder_item(f, i)->name, ".xplane.pb"))
            return true;
    return false;
}

static bool claim_file(struct sm_run_folder *f, const struct sm_run_item *x,
                       enum sm_trace_format format)
{
    struct sm_str path = {0};
    bool yes =
        !x->is_dir && !x->claimed &&
        sm_trace_is_file(sm_run_folder_source(f), sm_run_folder_join(f, x->name, &path), format);
    if (yes)
        sm_run_folder_claim(f, x->name);
    sm_str_clear(&path);
    return yes;
}

/* Whether a folder in this one has a file of the format. */
struct look {
    struct sm_run_folder *folder;
    const char *name;
    enum sm_trace_format format;
    bool found;
};

static bool look_at(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct look *l = ctx;
    struct sm_str inner = {0}, path = {0};
    (void)inode;
    sm_str_printf(&inner, "%s/%.*s", l->name, (int)sm_source_plain_name(name), name);
    l->found =
        !is_dir && !inner.failed &&
        sm_trace_is_file(sm_run_folder_source(l->folder),
                         sm_run_folder_join(l->folder, sm_str_text(&inner), &path), l->format);
    sm_str_clear(&inner);
    sm_str_clear(&path);
    return !l->found;
}

static bool claim_folder(struct sm_run_folder *f, const struct sm_run_item *x,
                         enum sm_trace_format format)
{
    struct look l = {.folder = f, .name = x->name, .format = format};
    struct sm_str path = {0};
    struct sm_err err = {0};
    if (!x->is_dir || x->claimed || !sm_trace_is_folder(x->name, format))
        return false;
    sm_source_list(sm_run_folder_source(f), sm_run_folder_join(f, x->name, &path), look_at, &l,
                   &err);
    if (l.found)
        sm_run_folder_claim(f, x->name);
    sm_str_clear(&path);
    return l.found;
}

static void find_files(struct sm_run_folder *f, enum sm_trace_format format)
{
    const char *only = NULL;
    bool any = false;
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (claim_file(f, x, format)) {
            only = x->name;
            any = true;
        }
        any = claim_folder(f, x, format) || any;
    }
    if (any)
        sm_run_folder_add(f, sm_run_folder_is_given(f) ? only : NULL, NULL);
}

static void find_traces(struct sm_run_folder *f)
{
    if (!has_xplane(f))
        find_files(f, SM_TRACE_KINETO);
}

static void find_snapshots(struct sm_run_folder *f)
{
    find_files(f, SM_TRACE_SNAPSHOT);
}

static void find_dumps(struct sm_run_folder *f)
{
    find_files(f, SM_TRACE_FLIGHT);
}

/* The newest file says when the traces were written. */
struct newest {
    struct sm_source *source;
    int64_t us;
};

static bool note_time(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct newest *x = ctx;
    struct sm_stat st;
    struct sm_err err;
    (void)inode;
    if ((sm_trace_is_name(name) || is_dir || sm_trace_is_pickle_name(name) ||
         sm_trace_is_dump_name(name)) &&
        sm_source_stat(x->source, name, &st, &err))
        x->us = st.mtime_us > x->us ? st.mtime_us : x->us;
    return true;
}

/* The files are whole when they have their names: nothing more is expected. */
static void list(void *state, struct sm_tail_changes *n)
{
    const struct sm_trial_input *in = *(const struct sm_trial_input **)state;
    struct newest x = {in->source, 0};
    struct sm_err err = {0};
    n->exists = n->ended = sm_source_list(in->source, "", note_time, &x, &err);
    n->newest_us = n->ended_us = x.us;
    if (!n->exists)
        sm_news_report(n, ".", &err);
}

static const struct sm_trial_traits traits = {
    .name = "kineto",
    .label = "trace",
    .title = "traces of torch.profiler",
    .files = "traces of torch.profiler (*.pt.trace.json)",
    .runs = true,
    .silence_ends = true,
    .traces = 1 + SM_TRACE_KINETO,
};

const struct sm_trial_kind sm_trial_kind_kineto = {
    .traits = &traits,
    .find = find_traces,
    .new_state = sm_no_records_state,
    .free_state = sm_free,
    .list = list,
    .read = sm_no_records_read,
    .settle = sm_no_records_settle,
};

static const struct sm_trial_traits snapshot_traits = {
    .name = "cuda_snapshot",
    .label = "trace",
    .title = "snapshots of CUDA memory",
    .files = "snapshots of torch.cuda.memory (*.pickle)",
    .runs = true,
    .silence_ends = true,
    .traces = 1 + SM_TRACE_SNAPSHOT,
};

const struct sm_trial_kind sm_trial_kind_cuda_snapshot = {
    .traits = &snapshot_traits,
    .find = find_snapshots,
    .new_state = sm_no_records_state,
    .free_state = sm_free,
    .list = list,
    .read = sm_no_records_read,
    .settle = sm_no_records_settle,
};

static const struct sm_trial_traits flight_traits = {
    .name = "flight_recorder",
    .label = "trace",
    .title = "dumps of the flight recorder",
    .files = "dumps of torch.distributed's flight recorder (rank_N)",
    .runs = true,
    .silence_ends = true,
    .traces = 1 + SM_TRACE_FLIGHT,
};

const struct sm_trial_kind sm_trial_kind_flight_recorder = {
    .traits = &flight_traits,
    .find = find_dumps,
    .new_state = sm_no_records_state,
    .free_state = sm_free,
    .list = list,
    .read = sm_no_records_read,
    .settle = sm_no_records_settle,
};
