/* SPDX-License-Identifier: Apache-2.0 */
/* info trial: state, modes, workers and counts of the trial. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/trials/trials.h"
#include "reader/archive/archive.h"
#include "reader/base/clock.h"
#include "reader/kind/tensor_files.h"
#include "reader/trace/trace_set.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column trial_columns[] = {
    {.key = "name", .header = "name"},
    {.key = "path", .header = "path", .hidden = true},
    {.key = "kind", .header = "kind"},
    {.key = "state", .header = "state"},
    {.key = "workers", .header = "workers", .format = SM_COL_LIST},
    {.key = "num_workers", .header = "workers expected", .format = SM_COL_NUMBER},
    {.key = "steps", .header = "steps", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "first step", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "last step", .format = SM_COL_NUMBER},
    {.key = "tensors", .header = "tensors", .format = SM_COL_NUMBER},
    {.key = "collections", .header = "collections", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "payload", .format = SM_COL_BYTES},
    {.key = "errors", .header = "errors", .format = SM_COL_NUMBER},
};

static const struct sm_column archive_columns[] = {
    {.key = "name", .header = "snapshot of"},
    {.key = "state", .header = "state when saved"},
    {.key = "saved", .header = "saved", .format = SM_COL_TIME},
    {.key = "chosen", .header = "chosen"},
};

static void add_modes(struct sm_result *out, struct sm_node *map, const struct sm_trial *t)
{
    struct sm_node *modes = sm_node_map(out, map, "modes");
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (!span.steps)
            continue;
        struct sm_node *mode = sm_node_map(out, modes, sm_mode_name(m));
        sm_node_uint(out, mode, "steps", span.steps);
        sm_node_int(out, mode, "first", span.first.n);
        sm_node_int(out, mode, "last", span.last.n);
        sm_result_text(out, "%-17s %s: %llu steps, %lld to %lld", "mode", sm_mode_name(m),
                       (unsigned long long)span.steps, (long long)span.first.n,
                       (long long)span.last.n);
    }
}

/* The trial that an archive was saved from. */
static void add_archive(struct sm_result *out, struct sm_node *map, const struct sm_archive_info *a)
{
    struct sm_node *from = sm_node_map(out, map, "snapshot");
    sm_node_textn(out, from, "name", a->name.p, a->name.n);
    sm_node_textn(out, from, "path", a->path.p, a->path.n);
    sm_node_textn(out, from, "state", a->state.p, a->state.n);
    sm_node_textn(out, from, "chosen", a->chosen.p, a->chosen.n);
    sm_node_bool(out, from, "stats_only", a->stats_only);
    sm_node_bool(out, from, "findings", a->findings.n > 0);
    sm_node_double(out, from, "saved", (double)a->saved_us / 1e6, false);
    sm_result_fields(out, from, archive_columns, COUNT(archive_columns));
}

/* What the state does not say of files without an end. */
static void add_silence(struct sm_result *out, const struct sm_trial *t)
{
    char age[32];
    if (!sm_trial_end_unsaid(t))
        return;
    sm_format_duration((sm_clock_wall_us() - sm_trial_newest_us(t)) / 1000000 * 1000000, age);
    sm_result_text(out, "%-17s not logged: ended, or stopped; nothing has come for %s", "end", age);
}

/* Of the program, as its logger wrote it. */
static void add_exit_code(struct sm_result *out, struct sm_node *map, const struct sm_trial *t)
{
    const struct sm_run_info *info = sm_trial_info(t);
    if (!info->ended)
        return;
    sm_node_int(out, map, "exit_code", info->exit_code);
    if (info->exit_code)
        sm_result_text(out, "%-17s %d: the run has failed", "exit code", info->exit_code);
}

/* A text of JSON that needs no escapes, without its quotes. */
static struct sm_text unquoted(const char *json)
{
    size_t n = strlen(json);
    return n > 1 ? (struct sm_text){json + 1, n - 2} : (struct sm_text){json, n};
}

/* The scalars that come from the same files as number i, on one line. */
static void add_source_line(struct sm_result *out, const struct sm_run_fields *f, size_t i)
{
    struct sm_str names = {0};
    struct sm_text kinds = unquoted(f->items[i].json);
    for (size_t k = i; k < f->n; k++)
        if (strcmp(f->items[k].json, f->items[i].json) == 0)
            sm_str_printf(&names, "%s%s", names.len ? ", " : "", f->items[k].key);
    sm_result_text(out, "%-17s %s (%.*s)", "scalars", sm_str_text(&names), (int)kinds.n, kinds.p);
    sm_str_clear(&names);
}

/* Of a run that is logged twice: which scalars come from which files. */
static void add_sources(struct sm_result *out, struct sm_node *map, const struct sm_trial *t)
{
    const struct sm_run_fields *f = &sm_trial_info(t)->sources;
    struct sm_node *sources = f->n ? sm_node_map(out, map, "sources") : NULL;
    for (size_t i = 0; i < f->n; i++) {
        struct sm_text kinds = unquoted(f->items[i].json);
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && strcmp(f->items[k].json, f->items[i].json) != 0;
        sm_node_textn(out, sources, f->items[i].key, kinds.p, kinds.n);
        if (first)
            add_source_line(out, f, i);
    }
}

/* Whether a kind of files is among those of the scalars. */
static bool has_source(const struct sm_trial *t, const char *kind)
{
    const struct sm_run_fields *f = &sm_trial_info(t)->sources;
    bool any = false;
    for (size_t i = 0; i < f->n; i++)
        any = any || strstr(f->items[i].json, kind);
    return any;
}

void sm_trial_parts_node(struct sm_result *out, struct sm_node *map, const struct sm_trial *t)
{
    const char *kind = sm_trial_kind_name(t);
    struct sm_node *parts = sm_node_list(out, map, "parts");
    unsigned files = sm_trial_info(t)->tensor_files;
    sm_node_text(out, parts, NULL, kind);
    for (unsigned k = 0; k < SM_FILES_KINDS; k++) {
        const char *name = sm_tensor_files_name((enum sm_tensor_files)k);
        if (files >> k & 1 && strcmp(name, kind) != 0)
            sm_node_text(out, parts, NULL, name);
    }
    if (strcmp(kind, "tensorboard") != 0 && has_source(t, "tensorboard"))
        sm_node_text(out, parts, NULL, "tensorboard");
    if (sm_trial_profile_root(t) && strcmp(kind, "profile") != 0)
        sm_node_text(out, parts, NULL, "profile");
}

/* Of traces the ranks are the workers; there may be more than have a trace. */
static void add_workers(struct sm_result *out, struct sm_node *map, const struct sm_trial *t,
                        const struct sm_trace_set *traces)
{
    struct sm_node *workers = sm_node_list(out, map, "workers");
    int64_t n = sm_trial_num_workers(t), world = traces ? sm_trace_set_world(traces) : 0;
    for (size_t w = 0; w < sm_trial_worker_count(t); w++)
        sm_node_text(out, workers, NULL, sm_trial_worker(t, (uint16_t)w));
    for (size_t i = 0; traces && i < sm_trace_set_count(traces); i++) {
        const struct sm_trace_item *x = sm_trace_set_item(traces, i);
        if (i && sm_trace_set_item(traces, i - 1)->rank == x->rank)
            continue;
        sm_node_text(out, workers, NULL, x->worker);
        n = n > x->rank ? n : x->rank + 1;
    }
    n = n > world ? n : world;
    sm_node_int_or_null(out, map, "num_workers", n >= 0, n);
}

static bool run_info_trial(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trace_set *traces = sm_trial_traces(t);
    if (!sm_trace_set_ready(traces, err))
        return false;
    size_t n = sm_trial_step_count(t);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", sm_trial_name(t));
    sm_node_text(out, map, "path", sm_trial_path(t));
    sm_node_text(out, map, "kind", sm_trial_kind_name(t));
    sm_node_text(out, map, "state",
                 c->output == SM_OUTPUT_TEXT ? sm_trial_state_word(t)
                                             : sm_trial_state_name(sm_trial_state(t)));
    add_workers(out, map, t, traces);
    sm_result_fields(out, map, trial_columns, COUNT(trial_columns));
    add_modes(out, map, t);
    sm_node_uint(out, map, "steps", n);
    sm_node_int_or_null(out, map, "first_step", n > 0, n ? sm_trial_step(t, 0)->step.n : 0);
    sm_node_int_or_null(out, map, "last_step", n > 0, n ? sm_trial_step(t, n - 1)->step.n : 0);
    sm_node_uint(out, map, "tensors", sm_trial_tensor_count(t));
    sm_node_uint(out, map, "collections", sm_trial_collection_count(t));
    sm_node_uint(out, map, "bytes", sm_trial_bytes(t));
    sm_node_uint(out, map, "errors", sm_trial_problems(t)->total);
    if (sm_trial_info(t)->ignored) {
        sm_node_text(out, map, "ignored", sm_trial_info(t)->ignored);
        sm_result_text(out, "%-17s %s", "not shown", sm_trial_info(t)->ignored);
    }
    add_exit_code(out, map, t);
    add_silence(out, t);
    if (sm_trial_archive(t))
        add_archive(out, map, sm_trial_archive(t));
    sm_trial_parts_node(out, map, t);
    add_sources(out, map, t);
    out->root = map;
    out->columns = trial_columns;
    out->n_columns = COUNT(trial_columns);
    return true;
}

const struct sm_cmd sm_cmd_info_trial = {
    .parent = "info",
    .name = "trial",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the state, modes, workers and counts of the current trial",
    .example = "info trial",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "{name:name,path:name,kind:text,state:'waiting'|'live'|'stalled'|'ended'|'unreadable',"
        "workers:[text],"
        "num_workers:int?,modes:{*:{steps:int,first:int,last:int}},steps:int,first_step:int?,last_"
        "step:int?,tensors:int,collections:int,bytes:int,errors:int,ignored?:text,exit_code?:int,"
        "snapshot?:{name:"
        "name,path:name,"
        "state:text,chosen:text,stats_only:bool,findings:bool,saved:num},parts:[text],sources?:{*:"
        "text}}",
    .run = run_info_trial,
};
