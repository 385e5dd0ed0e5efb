/* SPDX-License-Identifier: Apache-2.0 */
/* --check: reads each record of each open trial once, with its checksum, and lists errors. */
#include "tui/check.h"
#include "commands/place/describe.h"
#include "reader/archive/archive.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/trace/trace_set.h"
#include "rules/speed/speed.h"

#include "tui/app/startup.h"
#include "tui/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 1024, STATUS_DAMAGED = 5 };

/* The position of the walk over all records, in their order on disk, so that each event file is
 * read sequentially. */
struct walk {
    struct sm_trial *trial;
    struct sm_entry *entries;
    size_t n, at;
    uint64_t bad;
};

static int by_position(const void *a, const void *b)
{
    const struct sm_entry *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void collect_entries(struct walk *w)
{
    size_t n_tensors = sm_trial_tensor_count(w->trial), most = 0;
    for (size_t i = 0; i < n_tensors; i++)
        most += sm_trial_tensor(w->trial, i)->n_entries;
    w->entries = sm_xalloc(most * sizeof *w->entries);
    for (size_t i = 0; i < n_tensors; i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(w->trial, i);
        for (size_t k = 0; k < x->n_entries; k++) {
            struct sm_entry e = sm_tensor_entry(w->trial, x, k);
            if (e.kind != SM_ENTRY_SHAPE)
                w->entries[w->n++] = e;
        }
    }
    qsort(w->entries, w->n, sizeof *w->entries, by_position);
}

/* Requests the records up to `to`. Returns false if some are not read yet. */
static bool read_window(struct sm_fetch *f, struct walk *w, size_t to)
{
    const struct sm_facts *facts;
    uint64_t bad = 0;
    bool all = true;
    for (size_t i = w->at; i < to; i++) {
        struct sm_err err = {0};
        if (sm_fetch_stats(f, w->trial, &w->entries[i], &facts, &err))
            continue;
        all = all && err.code != SM_ERR_WAIT;
        bad += err.code == SM_ERR_DATA || err.code == SM_ERR_IO;
    }
    if (!all)
        return false;
    w->bad += bad;
    w->at = to;
    return true;
}

static void read_all(struct sm_loop *l, struct walk *w)
{
    struct sm_fetch *f = sm_loop_session(l)->fetch;
    while (w->at < w->n) {
        size_t to = w->n - w->at < WINDOW ? w->n : w->at + WINDOW;
        sm_fetch_begin(f);
        while (!read_window(f, w, to))
            sm_loop_turn(l, true);
        sm_fetch_end(f);
    }
}

static bool is_reported(const struct sm_trial *t, const char *file, uint64_t at)
{
    const struct sm_problems *p = sm_trial_problems(t);
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].offset == (int64_t)at && strcmp(p->items[i].file, file) == 0)
            return true;
    return false;
}

/* Checks each frame of an archive: the walk reads only statistics, which an archive stores
 * separately from values. */
static void read_frames(struct sm_loop *l, struct sm_trial *t)
{
    struct sm_source *s = sm_trial_source(t);
    const char *name = strrchr(s->root, '/');
    name = name && name[1] ? name + 1 : s->root;
    for (size_t i = 0; sm_archive_is(s) && i < sm_archive_frames(s); i++) {
        struct sm_err err = {0};
        uint64_t at;
        if (!sm_archive_check(s, i, &at, &err) && !is_reported(t, name, at))
            sm_trial_report(t, name, (int64_t)at, &err);
        sm_loop_turn(l, false);
    }
}

/* The number of consecutive equal problems of a file, such as a missing file for each record. */
static size_t count_same(const struct sm_problems *p, size_t i)
{
    size_t n = 1;
    while (i + n < p->n && strcmp(p->items[i].file, p->items[i + n].file) == 0 &&
           strcmp(p->items[i].message, p->items[i + n].message) == 0)
        n++;
    return n;
}

static void add_problem(struct sm_str *out, const struct sm_problem *x, size_t times)
{
    sm_str_add_escaped(out, x->file, strlen(x->file));
    if (x->offset >= 0 && times == 1)
        sm_str_printf(out, ":%lld", (long long)x->offset);
    sm_str_printf(out, ": %s", x->message);
    if (times > 1)
        sm_str_printf(out, " (%zu records)", times);
    sm_str_addc(out, '\n');
}

static void add_report(const struct walk *w, struct sm_str *out)
{
    const struct sm_problems *p = sm_trial_problems(w->trial);
    sm_describe_trial(out, w->trial, sm_clock_wall_us());
    sm_str_addc(out, '\n');
    for (size_t i = 0, n; i < p->n; i += n) {
        n = count_same(p, i);
        add_problem(out, &p->items[i], n);
    }
    sm_str_printf(out, "%llu records, %llu unreadable; %llu problem%s\n", (unsigned long long)w->n,
                  (unsigned long long)w->bad, (unsigned long long)p->total,
                  p->total == 1 ? "" : "s");
}

/* Reads the profile of the trial. What holds the run up is said with it. False: lines of it cannot
 * be read. */
static bool check_profile(struct sm_loop *l, struct sm_trial *t, struct sm_str *out)
{
    struct sm_profile *p = sm_trial_profile(t);
    struct sm_speed s;
    if (!p)
        return true;
    while (!sm_profile_is_read(p))
        sm_loop_turn(l, true);
    const struct sm_problems *problems = sm_profile_problems(p);
    struct sm_profile_counts n = sm_profile_counts(p);
    for (size_t i = 0, same; i < problems->n; i += same) {
        same = count_same(problems, i);
        add_problem(out, &problems->items[i], same);
    }
    sm_str_printf(out, "profile: %llu metrics, %llu events, %llu unreadable; ",
                  (unsigned long long)n.rows, (unsigned long long)n.events,
                  (unsigned long long)n.bad_rows + (unsigned long long)n.bad_events);
    struct sm_speed_watch *w = sm_speed_watch_new();
    if (w && sm_speed_find(w, p, &s))
        sm_speed_headline(&s, out);
    sm_speed_watch_free(w);
    sm_str_addc(out, '\n');
    return !problems->total;
}

/* Reads the traces of the trial. False: a file of them is damaged. */
static bool check_traces(struct sm_loop *l, struct sm_trial *t, struct sm_str *out)
{
    const struct sm_trace_set *set = sm_trial_traces(t);
    if (!set)
        return true;
    while (!sm_trace_set_is_read(set))
        sm_loop_turn(l, true);
    const struct sm_problems *problems = sm_trace_set_problems(set);
    for (size_t i = 0, same; i < problems->n; i += same) {
        same = count_same(problems, i);
        add_problem(out, &problems->items[i], same);
    }
    size_t n = sm_trace_set_count(set);
    sm_str_printf(out, "traces: %zu file%s, %llu problem%s\n", n, n == 1 ? "" : "s",
                  (unsigned long long)problems->total, problems->total == 1 ? "" : "s");
    return !problems->total;
}

static bool check_trial(struct sm_loop *l, struct sm_trial *t, struct sm_str *out)
{
    struct walk w = {.trial = t};
    while (!sm_trial_scanned(t))
        sm_loop_turn(l, true);
    collect_entries(&w);
    read_all(l, &w);
    read_frames(l, t);
    add_report(&w, out);
    sm_free(w.entries);
    bool traces = check_traces(l, t, out);
    return check_profile(l, t, out) && traces && !w.bad && !sm_trial_problems(t)->total;
}

static void write_stderr(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    sm_terminal_write(STDERR_FILENO, text, n);
}

static void ignore_text(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    (void)text;
    (void)n;
}

int sm_check_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_ops ops = {.answer = ignore_text, .complain = write_stderr};
    struct sm_session *s = sm_loop_session(l);
    struct sm_exec *x = sm_exec_new(s, &ops, NULL);
    struct sm_str out = {0};
    s->batch = true;
    sm_loop_set_exec(l, x);
    sm_startup(l, x, o);
    while (sm_exec_run(x))
        sm_loop_turn(l, true);
    int status = sm_exec_status(x);
    if (!s->n_trials && !status) {
        write_stderr(NULL, "smdbg: no trial to check\n", strlen("smdbg: no trial to check\n"));
        status = STATUS_DAMAGED;
    }
    for (size_t i = 0; i < s->n_trials; i++)
        if (!check_trial(l, s->trials[i].trial, &out) && !status)
            status = STATUS_DAMAGED;
    if (!sm_terminal_write(STDOUT_FILENO, sm_str_text(&out), out.len) && !status)
        status = 1;
    sm_loop_set_exec(l, NULL);
    sm_exec_free(x);
    sm_str_clear(&out);
    return status;
}
