/* SPDX-License-Identifier: Apache-2.0 */
/* info profiler: what was asked for, and what is there. */
#include "commands/profile/profile_ask.h"
#include "commands/profile/profile_commands.h"
#include "commands/session/read_file.h"
#include "reader/profile/buckets.h"
#include "reader/profile/profile_name.h"
#include "reader/profile/profiler_config.h"
#include "reader/profile/python_name.h"
#include "reader/trial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct sm_column columns[] = {
    {.key = "what", .header = "WHAT"},
    {.key = "asked", .header = "ASKED FOR"},
    {.key = "found", .header = "FOUND"},
};

/* ---- what was asked for ---- */

struct asked {
    struct sm_profiler_config config;
    struct sm_str path, problem;
    bool found;
};

static void read_config(const struct sm_trial *t, struct asked *a)
{
    const char *given = getenv("SMPROFILER_CONFIG_PATH");
    struct sm_str bytes = {0};
    struct sm_err err = {0};
    a->found = sm_profiler_config_find(sm_trial_path(t), sm_trial_profile_root(t), &a->path);
    if (!a->found && given) {
        sm_str_add(&a->path, given);
        a->found = true;
    }
    if (!a->found)
        return;
    if (!sm_read_file(sm_str_text(&a->path), SM_PROFILER_CONFIG_BYTES, &bytes, &err) ||
        !sm_profiler_config_read(sm_str_text(&bytes), bytes.len, &a->config, &err)) {
        if (!strstr(err.msg, sm_str_text(&a->path)))
            sm_str_printf(&a->problem, "%s: ", sm_str_text(&a->path));
        sm_str_add(&a->problem, err.msg);
        a->found = false;
    }
    sm_str_clear(&bytes);
}

static void clear_asked(struct asked *a)
{
    sm_profiler_config_clear(&a->config);
    sm_str_clear(&a->path);
    sm_str_clear(&a->problem);
}

static bool is_on(const struct asked *a)
{
    return a->found && !a->config.disabled && a->config.enabled;
}

/* "steps 5 to 5", "300 s from 1600000000", "off: by steps and by time" */
static void describe_part(struct sm_str *out, const struct sm_profiler_part *x)
{
    if (!x->asked)
        sm_str_add(out, "no");
    else if (x->invalid)
        sm_str_add(out, "off: not valid, or both by steps and by time");
    else if (x->start_s >= 0 || x->duration_s >= 0)
        sm_str_printf(out, "%lld s from %lld", (long long)x->duration_s, (long long)x->start_s);
    else if (x->start_step < 0 && x->n_steps < 0)
        sm_str_add(out, "yes");
    else if (x->start_step < 0)
        sm_str_printf(out, "%lld steps from when it began", (long long)x->n_steps);
    else
        sm_str_printf(out, "steps %" PRId64 " to %" PRId64, x->start_step,
                      x->start_step + (x->n_steps > 0 ? x->n_steps - 1 : 0));
}

/* ---- what is there ---- */

static uint64_t count_of(const struct sm_profile *p, bool (*counts)(const struct sm_event_store *x,
                                                                    const struct sm_phase *phase))
{
    const struct sm_event_store *x = sm_profile_events(p);
    uint64_t n = 0;
    for (size_t i = 0; i < x->n_phases; i++)
        if (counts(x, &x->phases[i]))
            n += x->phases[i].sum.count;
    return n;
}

static bool is_operator(const struct sm_event_store *x, const struct sm_phase *phase)
{
    enum sm_phase_class c =
        sm_phase_class(sm_names_text(x->names, phase->name), (enum sm_pevents_kind)phase->kind);
    return c == SM_PHASE_CPU || c == SM_PHASE_GPU;
}

static bool is_loader(const struct sm_event_store *x, const struct sm_phase *phase)
{
    const char *name = sm_names_text(x->names, phase->name);
    return strncmp(name, "DataLoader", 10) == 0 || strcmp(name, "DataIterator") == 0;
}

static bool is_dataparallel(const struct sm_event_store *x, const struct sm_phase *phase)
{
    (void)x;
    return phase->kind == SM_PEVENTS_DATAPARALLEL;
}

static bool is_horovod(const struct sm_event_store *x, const struct sm_phase *phase)
{
    (void)x;
    return phase->kind == SM_PEVENTS_HOROVOD;
}

/* ---- rows ---- */

static void add_row(struct sm_result *out, struct sm_node *list, const char *what,
                    const char *asked, const char *found)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "what", what);
    sm_node_text(out, row, "asked", asked);
    sm_node_text(out, row, "found", found);
}

static void add_part(struct sm_result *out, struct sm_node *list, const struct asked *a, int part,
                     const char *unit, uint64_t n)
{
    struct sm_str asked = {0}, found = {0};
    describe_part(&asked, &a->config.parts[part]);
    sm_str_printf(&found, "%llu %s", (unsigned long long)n, unit);
    add_row(out, list, sm_profiler_part_name(part), a->found ? sm_str_text(&asked) : NULL,
            n ? sm_str_text(&found) : "nothing");
    sm_str_clear(&asked);
    sm_str_clear(&found);
}

static void add_metrics(struct sm_result *out, struct sm_node *list, const struct asked *a,
                        const struct sm_profile *p)
{
    struct sm_profile_counts n = sm_profile_counts(p);
    struct sm_str found = {0};
    sm_str_printf(&found, "%llu rows (files: %zu)", (unsigned long long)n.rows, n.metric_files);
    add_row(out, list, "system metrics", a->found ? (a->config.disabled ? "no" : "yes") : NULL,
            n.rows ? sm_str_text(&found) : "nothing");
    sm_str_truncate(&found, 0);
    sm_str_printf(&found, "%llu events (files: %zu)", (unsigned long long)n.events,
                  n.timeline_files);
    add_row(out, list, "framework metrics", a->found ? (is_on(a) ? "yes" : "no") : NULL,
            n.events ? sm_str_text(&found) : "nothing");
    sm_str_clear(&found);
}

static void add_interval(struct sm_result *out, struct sm_node *list, const struct sm_profile *p)
{
    int64_t interval = sm_metric_interval(sm_profile_metrics(p));
    char found[16];
    sm_format_nanoseconds((double)interval, found);
    if (interval)
        add_row(out, list, "interval of metrics", NULL, found);
}

/* It is not asked for: Horovod writes its timeline if it is used. */
static void add_horovod(struct sm_result *out, struct sm_node *list, const struct sm_profile *p)
{
    uint64_t n = count_of(p, is_horovod);
    struct sm_str found = {0};
    sm_str_printf(&found, "%llu events", (unsigned long long)n);
    if (n)
        add_row(out, list, "Horovod", NULL, sm_str_text(&found));
    sm_str_clear(&found);
}

static void add_problems(struct sm_result *out, const struct sm_profile *p)
{
    const struct sm_problems *problems = sm_profile_problems(p);
    for (size_t i = 0; i < problems->n && i < 10; i++) {
        const struct sm_problem *x = &problems->items[i];
        sm_result_dim(out, "%s, offset %lld: %s", sm_result_escape(out, x->file, strlen(x->file)),
                      (long long)x->offset, x->message);
    }
    if (problems->n > 10)
        sm_result_dim(out, "%zu more problems.", problems->n - 10);
}

enum { PYTHON_SHOWN = 10 };

static void add_moment(struct sm_result *out, struct sm_node *row, const char *const keys[4],
                       const struct sm_python_moment *m, bool known)
{
    sm_node_text(out, row, keys[0], known && *m->mode ? m->mode : NULL);
    sm_node_int_or_null(out, row, keys[1], known && m->step >= 0, m->step);
    sm_node_text(out, row, keys[2], known && *m->phase ? m->phase : NULL);
    sm_node_int_or_null(out, row, keys[3], known, m->ns);
}

static void say_python(struct sm_result *out, const struct sm_python_name *n, const char *node,
                       const char *path)
{
    struct sm_str text = {0};
    char took[16];
    sm_format_nanoseconds((double)n->to.ns - (double)n->from.ns, took);
    sm_str_printf(&text, "%s of %s", n->profiler, node);
    if (n->from.step >= 0)
        sm_str_printf(&text, ", %s%sstep %lld%s%s", n->from.mode, *n->from.mode ? " " : "",
                      (long long)n->from.step, *n->from.phase ? " " : "", n->from.phase);
    if (n->to.step >= 0)
        sm_str_printf(&text, " to %s step %lld %s", n->to.mode, (long long)n->to.step, n->to.phase);
    sm_str_printf(&text, ", %s: %s", took, path);
    sm_result_dim(out, "%s", sm_result_escape(out, sm_str_text(&text), text.len));
    sm_str_clear(&text);
}

/* Profiles of Python are listed only: what their paths say. */
static void add_python(struct sm_result *out, struct sm_node *map, const struct sm_profile *p)
{
    static const char *const from[] = {"mode", "step", "phase", "from_ns"}, *const to[] = {
                                                                                "to_mode",
                                                                                "to_step",
                                                                                "to_phase",
                                                                                "to_ns"};
    size_t n = sm_profile_counts(p).python_profiles;
    struct sm_node *list = sm_node_list(out, map, "python");
    for (size_t i = 0; i < n; i++) {
        struct sm_python_name x;
        const char *path = sm_profile_python_path(p, i);
        struct sm_node *row = sm_node_map(out, list, NULL);
        bool known = sm_python_name_read(path, &x);
        struct sm_str node = {0};
        sm_profile_node_name((struct sm_text){x.node, strlen(x.node)}, &node);
        sm_node_text(out, row, "file", path);
        sm_node_text(out, row, "profiler", known ? x.profiler : NULL);
        sm_node_text(out, row, "node", known ? sm_str_text(&node) : NULL);
        add_moment(out, row, from, &x.from, known);
        add_moment(out, row, to, &x.to, known);
        if (known && i < PYTHON_SHOWN)
            say_python(out, &x, sm_str_text(&node), path);
        sm_str_clear(&node);
    }
    if (n > PYTHON_SHOWN)
        sm_result_dim(out, "%zu more profiles of Python; -json has all.", n - PYTHON_SHOWN);
}

static void add_tree(struct sm_result *out, const struct asked *a, const struct sm_profile *p)
{
    struct sm_profile_counts n = sm_profile_counts(p);
    struct sm_node *map = sm_node_map(out, NULL, NULL), *list;
    sm_node_text(out, map, "root", sm_profile_root(p));
    sm_node_text(out, map, "config", a->found ? sm_str_text(&a->path) : NULL);
    sm_node_bool(out, map, "ended", sm_profile_ended(p));
    sm_node_uint(out, map, "rows", n.rows);
    sm_node_uint(out, map, "not_finite", n.not_finite);
    sm_node_uint(out, map, "bad", n.bad_rows + n.bad_events);
    sm_node_uint(out, map, "events", n.events);
    sm_node_uint(out, map, "bytes", n.bytes);
    list = sm_node_list(out, map, "parts");
    add_metrics(out, list, a, p);
    add_interval(out, list, p);
    add_part(out, list, a, SM_PROFILER_DETAILED, "events of operators", count_of(p, is_operator));
    add_part(out, list, a, SM_PROFILER_DATALOADER, "events", count_of(p, is_loader));
    add_part(out, list, a, SM_PROFILER_PYTHON, "files, which are not read", n.python_profiles);
    add_part(out, list, a, SM_PROFILER_DATAPARALLEL, "events", count_of(p, is_dataparallel));
    add_horovod(out, list, p);
    sm_result_table(out, list, columns, sizeof columns / sizeof *columns);
    add_python(out, map, p);
    out->root = map;
    out->rows = list;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
}

static void say_not_finite(struct sm_result *out, const struct sm_profile *p)
{
    unsigned long long n = sm_profile_counts(p).not_finite;
    if (n)
        sm_result_dim(out, "%llu value%s NaN, infinite or null and left out.", n,
                      n == 1 ? " is" : "s are");
}

static bool run_info_profiler(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    struct asked a = {0};
    if (!p)
        return false;
    read_config(sm_session_trial(c->session), &a);
    add_tree(out, &a, p);
    if (a.problem.len)
        sm_result_dim(out, "%s", sm_result_escape(out, sm_str_text(&a.problem), a.problem.len));
    else if (!a.found)
        sm_result_dim(out, "There is no profilerconfig.json beside the run: what was asked for is "
                           "not known.");
    say_not_finite(out, p);
    add_problems(out, p);
    clear_asked(&a);
    return true;
}

const struct sm_cmd sm_cmd_info_profiler = {
    .parent = "info",
    .name = "profiler",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show what the profiler was asked to record, and what is there",
    .help = "What was asked for is in profilerconfig.json, in the directory of the run or of its "
            "profile, above them, or\nwhere the variable SMPROFILER_CONFIG_PATH says.",
    .example = "info profiler",
    .see_also = "profile summary",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{root:name,config:name?,ended:bool,rows:int,not_finite:int,bad:int,events:int,bytes:"
              "int,parts:[{what:text,asked:text?,found:text}],python:[{file:name,profiler:name?,"
              "node:name?,mode:"
              "text?,step:int?,phase:text?,from_ns:int?,to_mode:text?,to_step:int?,to_phase:text?,"
              "to_ns:int?}]}",
    .run = run_info_profiler,
};
