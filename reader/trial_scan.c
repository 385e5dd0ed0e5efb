/* SPDX-License-Identifier: Apache-2.0 */
/* How a trial notices changes. An inotify event starts a scan at once; the heartbeat starts one
 * periodically, since network file systems send no events.
 *
 *   idle --event or deadline--> listing --list_done--> reading ranges --last one merged--> idle
 *                                                                      (or listing at once)
 *
 * Lists and ranges are jobs; their results are merged in the loop's thread, ranges in the order of
 * the queue. */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/format/location.h"
#include "reader/profile/profile.h"
#include "reader/small_records.h"
#include "reader/trace/trace_set.h"
#include "reader/trial_state.h"

#include <stdio.h>
#include <string.h>

enum {
    FAILURES_TOLERATED = 3,
    PROFILE_LISTS = 8 /* each so many lists look for a profile, while there is none;
                       * each list of a run without steps */
};

bool sm_trial_is_scanning(const struct sm_trial *t)
{
    return t->scan.listing || t->scan.n_ranges;
}

/* True if the trial was closed in the meantime: the last job to return frees it. */
static bool is_closed(struct sm_trial *t)
{
    if (!t->closing)
        return false;
    if (!sm_trial_is_scanning(t))
        sm_trial_free(t);
    return true;
}

/* ---- the end of a scan ---- */

/* Without follow there is one scan. Files that come in the time of grace begin it anew. */
static void note_end(struct sm_trial *t)
{
    const struct scan *s = &t->scan;
    bool read = t->ended && (t->end_read || !t->end_fresh ||
                             (!s->late && s->began_us >= t->end_quiet_us + SM_END_GRACE_US));
    if (read == t->end_read)
        return;
    t->end_read = read;
    t->version++;
    t->changed = true;
    sm_trial_update_complete(t);
}

static void note_failed_scan(struct sm_trial *t)
{
    struct sm_err err;
    if (++t->scan.failures != FAILURES_TOLERATED)
        return;
    sm_err_set(&err, SM_ERR_MEMORY, "no memory for the index: it is incomplete");
    sm_trial_report(t, SM_INDEX_DIR, -1, &err);
}

/* What the first scan finds may be old. */
static int64_t age_us(const struct sm_trial *t)
{
    int64_t age = sm_clock_wall_us() - t->newest_us;
    return t->scanned || !t->newest_us || age < 0 ? 0 : age;
}

/* The scalars of validation that the trial did not have so far. */
static void take_waiting(struct sm_trial *t)
{
    if (!sm_trial_take_waiting(t))
        return;
    t->scan.changed = t->changed = true;
    t->version++;
}

static void end_scan(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    take_waiting(t);
    if (s->failed)
        note_failed_scan(t);
    else
        s->failures = 0;
    if (s->changed)
        s->quiet_since_us = sm_clock_mono_us() - age_us(t);
    if (!s->failed || s->failures >= FAILURES_TOLERATED) {
        bool first = !t->scanned && !s->more && !t->waking;
        t->changed = t->changed || first;
        t->version += first;
        t->scanned = t->scanned || first;
        note_end(t);
    }
    sm_trial_plan_scan(t);
    sm_trial_watch_places(t);
}

/* ---- ranges ---- */

static void read_run(struct sm_job *job)
{
    struct read_job *r = (struct read_job *)job;
    r->batch = sm_tail_read(r->trial->tail, r->from, r->to);
    if (r->batch && !r->trial->traits->runs)
        sm_small_records_read(r->trial->source, r->batch);
}

static void read_done(struct sm_job *job);

static bool gives_way(const struct sm_trial *t)
{
    return t->glance || t->options.aside;
}

static void submit_ranges(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    while (s->n_ranges < RANGES && s->next_file < s->n_files) {
        struct read_job *r = &s->ranges[(s->first_range + s->n_ranges++) % RANGES];
        size_t left = s->n_files - s->next_file, most = s->one_by_one ? 1 : RANGE_FILES;
        *r = (struct read_job){
            .trial = t, .from = s->next_file, .to = s->next_file + (left < most ? left : most)};
        r->job.run = read_run;
        r->job.done = read_done;
        r->job.urgency = gives_way(t) ? SM_URGENCY_BEGUN : SM_URGENCY_ASKED;
        s->next_file = r->to;
        sm_pool_submit(t->pool, &r->job);
    }
}

/* The batch is merged, or there is no memory. */
static void settle_range(struct sm_trial *t, struct read_job *r)
{
    struct scan *s = &t->scan;
    if (r->batch)
        sm_tail_settle(t->tail, r->batch, r->merged.n);
    else
        sm_tail_unread(t->tail);
    s->failed = s->failed || !r->batch || r->merged.failed;
    for (size_t i = 0; r->batch && i < r->batch->n_files; i++)
        s->late = s->late || r->batch->files[i].fate == SM_FATE_LATE;
}

static void drop_range(struct scan *s)
{
    struct read_job *r = &s->ranges[s->first_range];
    sm_free(r->merged.names);
    sm_batch_free(r->batch);
    r->batch = NULL;
    s->first_range = (s->first_range + 1) % RANGES;
    s->n_ranges--;
}

/* Returns false if the work of this turn was not enough. */
static bool merge_range(struct sm_trial *t, struct read_job *r, size_t *work)
{
    struct scan *s = &t->scan;
    uint64_t problems = t->problems.total;
    if (r->batch && r->batch->validation) {
        take_waiting(t); /* they are older */
        sm_trial_keep_known(t, r->batch);
    }
    if (r->batch && r->batch->session)
        sm_trial_keep_unknown(t, r->batch);
    size_t before = r->merged.n;
    bool whole = !r->batch || sm_trial_merge(t, r->batch, &r->merged, work);
    if (whole)
        settle_range(t, r);
    s->changed = s->changed || r->merged.n > before;
    if (r->merged.n > before || problems != t->problems.total) {
        t->changed = true;
        t->version++;
    }
    return whole;
}

/* Merges ranges in the order of the queue, but no more than a turn of the loop can bear: the rest
 * follows in the next turn. */
static void merge_ranges(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    size_t work = MERGE_WORK;
    s->merging = false;
    while (s->n_ranges && s->ranges[s->first_range].done) {
        if (!t->closing && !merge_range(t, &s->ranges[s->first_range], &work)) {
            s->merging = true;
            return;
        }
        drop_range(s);
        if (!t->closing)
            submit_ranges(t);
    }
    if (!is_closed(t) && !s->n_ranges)
        end_scan(t);
}

void sm_trial_drop_merges(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    while (s->n_ranges && s->ranges[s->first_range].done)
        drop_range(s);
    s->merging = false;
}

static void read_done(struct sm_job *job)
{
    struct read_job *r = (struct read_job *)job;
    r->done = true;
    if (!r->trial->scan.merging)
        merge_ranges(r->trial);
}

/* ---- lists ---- */

static void list_run(struct sm_job *job)
{
    struct list_job *l = (struct list_job *)job;
    l->news = sm_tail_list(l->trial->tail);
    if (l->look_for_profile)
        sm_profile_find(l->trial->source->root, &l->profile_root);
}

/* The name of the root is kept in the job until the trial has it. */
static void take_profile(struct sm_trial *t, struct list_job *l)
{
    if (l->profile_root.len && !l->profile_root.failed && !t->profile_root) {
        t->profile_root = sm_strdup(sm_str_text(&l->profile_root));
        t->changed = true;
        t->version++;
    }
    sm_str_clear(&l->profile_root);
}

static void merge_news(struct sm_trial *t, struct sm_tail_changes *n)
{
    struct scan *s = &t->scan;
    s->failed = n->no_memory;
    s->late = n->late;
    s->more = n->more;
    s->by_lines = n->by_lines;
    s->changed = n->n_collections;
    s->n_files = n->n_files;
    s->one_by_one = n->one_by_one;
    s->next_file = 0;
    memcpy(s->folders, n->folders, sizeof s->folders);
    uint64_t version = t->version;
    sm_trial_merge_news(t, n);
    t->changed = t->changed || version != t->version;
    if (!n->exists)
        memset(s->watching, 0, sizeof s->watching);
}

static void list_done(struct sm_job *job)
{
    struct list_job *l = (struct list_job *)job;
    struct sm_trial *t = l->trial;
    struct sm_tail_changes *n = l->news;
    l->news = NULL;
    t->scan.listing = false;
    take_profile(t, l);
    t->scan.n_files = t->scan.next_file = 0;
    if (is_closed(t)) {
        sm_tail_changes_free(n);
        return;
    }
    if (n)
        merge_news(t, n);
    else
        t->scan.failed = true;
    sm_tail_changes_free(n);
    submit_ranges(t);
    if (!t->scan.n_ranges)
        end_scan(t);
}

static void start_scan(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    s->began_us = sm_clock_mono_us();
    s->due = s->changed = s->late = s->failed = false;
    if (s->refresh_requested) {
        sm_tail_everything(t->tail);
        t->arrivals_seen++; /* retry what could not be read */
    }
    s->refresh_requested = false;
    s->listing = true;
    s->list = (struct list_job){
        .trial = t,
        .look_for_profile = !t->profile_root &&
                            (t->profile_looks++ % PROFILE_LISTS == 0 || !sm_trial_step_count(t)),
        .job = {.run = list_run,
                .done = list_done,
                .urgency = gives_way(t) ? SM_URGENCY_BACKGROUND : SM_URGENCY_ASKED}};
    sm_pool_submit(t->pool, &s->list.job);
}

/* ---- what the loop calls ---- */

static bool is_due(const struct sm_trial *t)
{
    return sm_clock_mono_us() >= sm_trial_scan_due_us(t);
}

static bool has_matched(const struct sm_trial *t)
{
    return t->n_matched == t->n_collections;
}

/* The tail begins anew, as if the trial was opened now. */
static void begin_awake(struct sm_trial *t)
{
    sm_tail_restart(t->tail);
    sm_glance_free(t->glance);
    t->glance = NULL;
    t->waking = false;
    t->scanned = false;
    t->changed = true;
    t->version++;
    t->scan.deadline_us = 0;
}

void sm_trial_join(struct sm_trial *t, struct sm_source *source, const char *name)
{
    if (t->validation_name)
        return;
    t->validation_name = sm_strdup(name);
    t->joining = t->validation_name ? sm_source_ref(source) : NULL;
}

bool sm_trial_is_validation(const struct sm_trial *t, const char *name)
{
    size_t n = t->validation_name ? strlen(t->validation_name) : 0;
    return n && strncmp(name, t->validation_name, n) == 0 && name[n] == '/' &&
           sm_trial_find(t, name + n + 1, strlen(name + n + 1));
}

/* Without memory the next turn tries again. */
static void begin_joined(struct sm_trial *t)
{
    if (!sm_tail_join(t->tail, t->joining, t->validation_name))
        return;
    sm_source_unref(t->joining);
    t->joining = NULL;
    t->scan.deadline_us = 0;
}

/* Relative to the trial, whose directory the root begins with. */
static void name_profile_file(const struct sm_trial *t, const char *name, struct sm_str *out)
{
    const char *below = t->profile_root + strlen(t->source->root);
    below += *below == '/';
    sm_str_printf(out, "%s%s%s", below, *below ? "/" : "", name);
}

/* Problems of the profile are problems of the trial. */
static bool pump_profile(struct sm_trial *t)
{
    if (!t->profile || !sm_profile_pump(t->profile))
        return false;
    const struct sm_problems *p = sm_profile_problems(t->profile);
    for (; t->profile_problems < p->n; t->profile_problems++) {
        const struct sm_problem *x = &p->items[t->profile_problems];
        struct sm_str file = {0};
        struct sm_err err;
        name_profile_file(t, x->file, &file);
        sm_err_set(&err, x->code, "%s", x->message);
        sm_trial_report(t, sm_str_text(&file), x->offset, &err);
        sm_str_clear(&file);
    }
    return true;
}

static bool pump_traces(struct sm_trial *t)
{
    if (!t->traces || !sm_trace_set_pump(t->traces))
        return false;
    const struct sm_problems *p = sm_trace_set_problems(t->traces);
    for (; t->trace_problems < p->n; t->trace_problems++) {
        const struct sm_problem *x = &p->items[t->trace_problems];
        struct sm_err err;
        sm_err_set(&err, x->code, "%s", x->message);
        sm_trial_report(t, x->file, x->offset, &err);
    }
    return true;
}

bool sm_trial_pump(struct sm_trial *t)
{
    if (t->scan.merging)
        merge_ranges(t);
    if (t->waking && !sm_trial_is_scanning(t))
        begin_awake(t);
    if (t->joining && !sm_trial_is_scanning(t))
        begin_joined(t);
    if (!sm_trial_is_scanning(t) && is_due(t))
        start_scan(t);
    if (t->scanned && !has_matched(t) && sm_trial_match_some(t)) {
        t->changed = true;
        t->version++;
    }
    bool traces = pump_traces(t), changed = pump_profile(t) || traces || t->changed;
    t->changed = false;
    return changed;
}

void sm_trial_begin_scans(struct sm_trial *t)
{
    t->scan.folders[0] = t->scan.folders[1] = -1;
    t->scan.quiet_since_us = t->scan.deadline_us = sm_clock_mono_us();
    sm_trial_watch(t);
    sm_trial_pump(t);
}

void sm_trial_refresh(struct sm_trial *t)
{
    t->scan.refresh_requested = true;
    t->scanned = false;
    t->profile_looks = 0;
    if (t->profile)
        sm_profile_refresh(t->profile);
}

static int64_t files_due_us(const struct sm_trial *t)
{
    if (t->scanned && !has_matched(t))
        return sm_clock_mono_us();
    if (t->scan.merging)
        return sm_clock_mono_us();
    if ((t->waking || t->joining) && !sm_trial_is_scanning(t))
        return sm_clock_mono_us();
    if (sm_trial_is_scanning(t))
        return INT64_MAX; /* the pool will wake the loop */
    return sm_trial_scan_due_us(t);
}

int64_t sm_trial_deadline_us(const struct sm_trial *t)
{
    int64_t files = files_due_us(t),
            profile = t->profile ? sm_profile_deadline_us(t->profile) : INT64_MAX;
    if (t->traces && sm_trace_set_is_due(t->traces))
        return sm_clock_mono_us();
    return files < profile ? files : profile;
}

bool sm_trial_scanned(const struct sm_trial *t)
{
    return t->scanned && has_matched(t);
}
