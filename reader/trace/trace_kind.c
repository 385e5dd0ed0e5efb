/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of trial `kineto`: traces of torch.profiler, of all ranks of a job in one folder. As
 * trials they have no tensors and no steps; the traces are those of the trial
 * (sm_trial_traces). */
#include "reader/base/mem.h"
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

static void find_traces(struct sm_run_folder *f)
{
    struct sm_str path = {0};
    const char *only = NULL;
    size_t n = 0;
    for (size_t i = 0; i < sm_run_folder_count(f) && !has_xplane(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir || x->claimed || !sm_trace_is_name(x->name) ||
            !sm_trace_is_file(sm_run_folder_source(f), sm_run_folder_join(f, x->name, &path)))
            continue;
        sm_run_folder_claim(f, x->name);
        only = x->name;
        n++;
    }
    if (n)
        sm_run_folder_add(f, sm_run_folder_is_given(f) ? only : NULL, NULL);
    sm_str_clear(&path);
}

static void *new_state(const struct sm_trial_input *in)
{
    const struct sm_trial_input **state = sm_alloc(sizeof *state);
    if (state)
        *state = in;
    return (void *)state;
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
    if (!is_dir && sm_trace_is_name(name) && sm_source_stat(x->source, name, &st, &err))
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

static struct sm_batch *read_none(const void *state, size_t from, size_t to)
{
    (void)state;
    return sm_batch_new(from, to);
}

static void settle(void *state, const struct sm_batch *b, size_t n_merged)
{
    (void)state;
    (void)b;
    (void)n_merged;
}

static const struct sm_trial_traits traits = {
    .name = "kineto",
    .label = "trace",
    .title = "traces of torch.profiler",
    .files = "traces of torch.profiler (*.pt.trace.json)",
    .runs = true,
    .silence_ends = true,
    .traces = true,
};

const struct sm_trial_kind sm_trial_kind_kineto = {
    .traits = &traits,
    .find = find_traces,
    .new_state = new_state,
    .free_state = sm_free,
    .list = list,
    .read = read_none,
    .settle = settle,
};
