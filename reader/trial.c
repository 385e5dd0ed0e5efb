/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trial_state.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/kind/tensor_files.h"
#include "reader/profile/profile.h"
#include "reader/trace/trace_set.h"
#include "reader/trial_kinds.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Until enough steps were saved to know how long the run usually pauses; and the least. */
#define STALL_UNKNOWN_US ((int64_t)600 * 1000000)
#define OVER_US          ((int64_t)86400 * 1000000)
#define STALL_LEAST_US   ((int64_t)60 * 1000000)
enum { PAUSES_LEAST = 10, PAUSES_MOST = 256, PAUSES_ABOVE = 3, STALL_PAUSES = 5 };

/* ---- open and close ---- */

static const char *last_informative_part(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from && path[from - 1] != '/')
        from--;
    return sm_strndup(path + from, n - from);
}

/* "debug-output" and "." are uninformative names: uses the folder above. */
static char *make_name(const char *path)
{
    char *real = realpath(path, NULL);
    const char *p = real ? real : path;
    char *name = (char *)(uintptr_t)last_informative_part(p);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (name && strcmp(name, "debug-output") == 0 && slash && slash > real) {
        *slash = 0;
        sm_free(name);
        name = (char *)(uintptr_t)last_informative_part(real);
    }
    free(real);
    return name;
}

/* The versions of two trials differ, also if the second has the address of the first: what is kept
 * with a trial and its version is not taken for another trial. */
static uint64_t first_version(void)
{
    static atomic_uint_least32_t opened;
    return (uint64_t)(atomic_fetch_add(&opened, 1) + 1) << 32;
}

bool sm_trial_open(struct sm_source *source, const struct sm_trial_options *o, struct sm_pool *pool,
                   struct sm_trial **out, struct sm_err *err)
{
    struct sm_trial *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
    t->source = sm_source_ref(source);
    t->pool = pool;
    t->options = *o;
    t->version = t->info_version = first_version();
    t->num_workers = t->last_complete = t->pause_us = -1;
    t->traits = sm_trial_default_traits();
    t->names = sm_names_new();
    t->paths = sm_names_new();
    t->steps = sm_step_list_new();
    t->name = o->run_name ? sm_strdup(o->run_name) : make_name(source->root);
    t->worker_option = o->worker ? sm_strdup(o->worker) : NULL;
    t->options.worker = t->worker_option;
    t->validation_name = o->validation ? sm_strdup(o->validation_name) : NULL;
    t->options.run_name = NULL;
    bool named =
        t->name && (!o->worker || t->worker_option) && (!o->validation || t->validation_name);
    t->tail =
        t->names && t->paths && t->steps && named ? sm_tail_new(source, &t->options, err) : NULL;
    t->options.kind = NULL; /* the tail has kind and member */
    t->options.member = NULL;
    t->options.validation = NULL;
    t->options.validation_name = NULL;
    if (o->asleep)
        t->glance = sm_glance_new();
    if (!t->tail || (o->asleep && !t->glance)) {
        sm_trial_close(t);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
    }
    sm_trial_begin_scans(t);
    *out = t;
    return true;
}

static void free_tensor(struct sm_trial_tensor *x)
{
    sm_free(x->located);
    sm_free(x->kept);
    sm_points_free(x->scalars);
}

void sm_trial_free(struct sm_trial *t)
{
    sm_tail_free(t->tail);
    sm_source_unref(t->joining);
    sm_batch_free(t->waiting);
    sm_free(t->validation_name);
    sm_names_free(t->session_names);
    sm_watch_free(t->watch);
    sm_str_clear(&t->scan.list.profile_root);
    sm_free(t->profile_root);
    sm_trial_clear_collections(t);
    for (size_t i = 0; i < t->n_tensors; i++)
        free_tensor(&t->tensors[i]);
    for (size_t i = 0; i < t->n_workers; i++)
        sm_free(t->workers[i]);
    sm_problems_clear(&t->problems);
    sm_run_info_free(t->info);
    sm_glance_free(t->glance);
    sm_names_free(t->names);
    sm_names_free(t->paths);
    sm_step_list_free(t->steps);
    void *const owned[] = {t->tensors,   t->room,    t->order,       t->parts,
                           t->next_part, t->workers, t->worker_last, t->worker_written,
                           t->late,      t->dims,    t->sessions,    t->worker_option,
                           t->name};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        sm_free(owned[i]);
    sm_source_unref(t->source);
    sm_free(t);
}

void sm_trial_close(struct sm_trial *t)
{
    if (!t)
        return;
    t->closing = true;
    sm_profile_close(t->profile);
    t->profile = NULL;
    sm_trace_set_close(t->traces);
    t->traces = NULL;
    sm_trial_drop_merges(t);
    if (!sm_trial_is_scanning(t))
        sm_trial_free(t); /* else the last job to return frees it */
}

const char *sm_trial_profile_root(const struct sm_trial *t)
{
    return t->profile_root;
}

bool sm_trial_profile_pending(const struct sm_trial *t)
{
    return t->profile && !sm_profile_is_read(t->profile);
}

struct sm_profile *sm_trial_profile_opened(const struct sm_trial *t)
{
    return t->profile;
}

struct sm_profile *sm_trial_profile(struct sm_trial *t)
{
    struct sm_err err;
    if (!t->profile && t->profile_root)
        t->profile = sm_profile_new(t->profile_root, t->pool, t->options.follow, &err);
    return t->profile;
}

struct sm_trace_set *sm_trial_traces(struct sm_trial *t)
{
    if (!t->traces && t->traits->traces)
        t->traces = sm_trace_set_new(t->source, sm_tail_member(t->tail),
                                     (enum sm_trace_format)(t->traits->traces - 1), t->pool);
    return t->traces;
}

uint64_t sm_trial_version(const struct sm_trial *t)
{
    return t->version;
}

uint64_t sm_trial_arrivals(const struct sm_trial *t)
{
    return t->arrivals_seen;
}

/* ---- state ---- */

const char *sm_trial_state_name(enum sm_trial_state s)
{
    static const char *const names[] = {"waiting", "live", "stalled", "ended", "unreadable"};
    return names[s];
}

const char *sm_trial_state_word(const struct sm_trial *t)
{
    enum sm_trial_state state = sm_trial_state(t);
    return state == SM_TRIAL_ENDED && t->info && t->info->exit_code ? "failed"
                                                                    : sm_trial_state_name(state);
}

static int64_t time_of_step(const struct sm_trial *t, size_t i)
{
    return t->glance ? t->glance->times_us[i % SM_GLANCE_TIMES]
                     : sm_step_list_at(t->steps, i)->time_us;
}

/* The 99th percentile of the last pauses between steps; -1: too few. */
static int64_t usual_pause(const struct sm_trial *t)
{
    int64_t most[PAUSES_ABOVE] = {0}; /* in descending order */
    size_t steps = t->glance ? (size_t)t->glance->steps : sm_step_list_count(t->steps),
           n = steps ? steps - 1 : 0;
    n = n > PAUSES_MOST ? PAUSES_MOST : n;
    if (n < PAUSES_LEAST)
        return -1;
    for (size_t i = steps - n; i < steps; i++) {
        int64_t pause = time_of_step(t, i) - time_of_step(t, i - 1);
        for (size_t k = 0; k < PAUSES_ABOVE; k++)
            if (pause > most[k]) {
                int64_t smaller = most[k];
                most[k] = pause;
                pause = smaller;
            }
    }
    return most[n - (99 * n + 99) / 100];
}

void sm_trial_note_pauses(struct sm_trial *t)
{
    t->pause_us = usual_pause(t);
}

int64_t sm_trial_stall_us(const struct sm_trial *t)
{
    if (t->options.stall_us > 0)
        return t->options.stall_us;
    int64_t pause = t->pause_us;
    if (pause < 0 || pause > INT64_MAX / STALL_PAUSES)
        return STALL_UNKNOWN_US;
    return STALL_PAUSES * pause > STALL_LEAST_US ? STALL_PAUSES * pause : STALL_LEAST_US;
}

/* The problem that is why nothing of the trial is there; NULL: there is none. */
static const struct sm_problem *obstacle(const struct sm_trial *t)
{
    const struct sm_problems *p = &t->problems;
    bool told = t->info && (t->info->config.n || t->info->console.len);
    if (t->exists)
        return t->emptied || t->n_tensors || told || !p->n ? NULL : p->items;
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->items[i].file, ".") == 0 && p->items[i].code == SM_ERR_IO)
            return &p->items[i];
    return NULL;
}

static bool has_begun(const struct sm_trial *t)
{
    bool any = t->glance ? t->glance->steps : t->traits->runs && sm_step_list_count(t->steps);
    return t->has_collections || any || t->stepless || (t->ended && t->end_read);
}

bool sm_trial_unreadable(const struct sm_trial *t, struct sm_err *why)
{
    const struct sm_problem *p = t->exists && has_begun(t) ? NULL : obstacle(t);
    if (p && strcmp(p->file, ".") == 0)
        sm_err_set(why, p->code, "%s", p->message);
    else if (p)
        sm_err_set(why, p->code, "%s: %s", p->file, p->message);
    return p;
}

enum sm_trial_state sm_trial_state(const struct sm_trial *t)
{
    if (sm_trial_unreadable(t, NULL))
        return SM_TRIAL_UNREADABLE;
    if (!t->exists || t->emptied)
        return SM_TRIAL_WAITING;
    if (t->final ? t->scanned : t->ended && t->end_read)
        return SM_TRIAL_ENDED;
    if (!has_begun(t))
        return SM_TRIAL_WAITING;
    int64_t silent_us = sm_clock_wall_us() - t->newest_us;
    if (silent_us <= sm_trial_stall_us(t))
        return SM_TRIAL_LIVE;
    return t->traits->silence_ends || (t->traits->day_ends && silent_us > OVER_US)
               ? SM_TRIAL_ENDED
               : SM_TRIAL_STALLED;
}

bool sm_trial_end_unsaid(const struct sm_trial *t)
{
    return t->traits->day_ends && !t->final && !(t->ended && t->end_read) &&
           sm_trial_state(t) == SM_TRIAL_ENDED;
}

int64_t sm_trial_stalls_in_us(const struct sm_trial *t)
{
    if (sm_trial_state(t) != SM_TRIAL_LIVE)
        return INT64_MAX;
    return t->newest_us + sm_trial_stall_us(t) + 1 - sm_clock_wall_us();
}

const struct sm_glance *sm_trial_glance(const struct sm_trial *t)
{
    return t->glance;
}

struct sm_trial_range sm_trial_range(const struct sm_trial *t)
{
    if (t->glance)
        return (struct sm_trial_range){t->glance->steps, t->glance->first_step,
                                       t->glance->last_step};
    size_t n = sm_step_list_count(t->steps);
    return (struct sm_trial_range){n, n ? sm_step_list_at(t->steps, 0)->step.n : -1,
                                   n ? sm_step_list_last(t->steps)->step.n : -1};
}

void sm_trial_wake(struct sm_trial *t)
{
    if (!t->glance || t->waking)
        return;
    t->waking = true;
    t->scanned = false;
    t->version++;
}

const struct sm_archive_info *sm_trial_archive(const struct sm_trial *t)
{
    return t->archive;
}

bool sm_trial_left_out(const struct sm_trial *t, const struct sm_entry *e)
{
    const struct sm_source_ops *ops = t->source->ops;
    const char *path = ops->left_out && e->kind != SM_ENTRY_SHAPE
                           ? sm_trial_event_path(t, &t->parts[e->part])
                           : NULL;
    return path && ops->left_out(t->source, path, e->offset, e->value);
}

const char *sm_trial_kind_name(const struct sm_trial *t)
{
    const struct sm_trial_traits *traits = sm_trial_traits(t);
    const struct sm_run_info *info = sm_trial_info(t);
    unsigned any = info->tensor_files ? info->tensor_files : info->damaged_files;
    enum sm_tensor_files files = sm_tensor_files_first(any);
    if (sm_trial_archive(t))
        return "snapshot";
    return traits->named_by_files && files != SM_FILES_KINDS ? sm_tensor_files_name(files)
                                                             : traits->name;
}

const struct sm_trial_traits *sm_trial_traits(const struct sm_trial *t)
{
    return t->traits;
}

bool sm_trial_emptied(const struct sm_trial *t)
{
    return t->emptied;
}

bool sm_trial_writing_after_end(const struct sm_trial *t)
{
    return t->after_end;
}

int64_t sm_trial_newest_us(const struct sm_trial *t)
{
    return t->newest_us;
}

double sm_trial_steps_per_second(const struct sm_trial *t)
{
    size_t n = t->arrivals.n;
    int64_t span = n > 1 ? t->arrivals.us[n - 1] - t->arrivals.us[0] : 0;
    return span > 0 ? (double)(n - 1) * 1e6 / (double)span : (double)NAN;
}

const char *sm_trial_name(const struct sm_trial *t)
{
    return t->name;
}

const char *sm_trial_path(const struct sm_trial *t)
{
    return t->source->root;
}

struct sm_source *sm_trial_source(const struct sm_trial *t)
{
    return t->source;
}

const struct sm_run_info *sm_trial_info(const struct sm_trial *t)
{
    static const struct sm_run_info none;
    return t->info ? t->info : &none;
}

uint64_t sm_trial_info_version(const struct sm_trial *t)
{
    return t->info_version;
}

bool sm_trial_claimed(const struct sm_trial *t)
{
    return t->claimed;
}

uint64_t sm_trial_bytes(const struct sm_trial *t)
{
    return t->bytes;
}

size_t sm_trial_merged_most(const struct sm_trial *t)
{
    return t->merged_most;
}

uint64_t sm_trial_index_files(const struct sm_trial *t)
{
    return t->index_files;
}

size_t sm_trial_memory(const struct sm_trial *t)
{
    size_t bytes = sizeof *t + sm_names_bytes(t->names) + sm_names_bytes(t->paths) +
                   t->cap_tensors * sizeof *t->tensors + t->cap_order * sizeof *t->order +
                   t->cap_parts * sizeof *t->parts + t->cap_next * sizeof *t->next_part +
                   sm_step_list_memory(t->steps) + t->cap_dims * sizeof *t->dims;
    for (size_t i = 0; i < t->n_tensors; i++)
        bytes += t->tensors[i].cap_entries * sizeof(struct sm_entry) +
                 t->tensors[i].cap_briefs * sizeof(struct sm_brief) +
                 (t->tensors[i].scalars ? sm_points_memory(t->tensors[i].scalars) : 0);
    return bytes;
}

const struct sm_problems *sm_trial_problems(const struct sm_trial *t)
{
    return &t->problems;
}

void sm_trial_report(struct sm_trial *t, const char *file, int64_t offset, const struct sm_err *err)
{
    uint64_t before = t->problems.total;
    sm_problems_add(&t->problems, file, offset, err);
    t->changed = t->changed || t->problems.total != before;
    t->version += t->problems.total != before;
}
