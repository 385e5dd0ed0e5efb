/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trial_place.h"

#include "reader/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct sm_place sm_place_of_trial(struct sm_trial *t)
{
    return (struct sm_place){
        .trial = t, .tensor = SM_NAME_NONE, .step = {-1}, .worker = SM_WORKER_ANY};
}

struct sm_place sm_place_in_trial(const struct sm_place *p, struct sm_trial *t)
{
    struct sm_place there = *p;
    const struct sm_trial_tensor *x = NULL;
    if (p->trial && p->tensor != SM_NAME_NONE) {
        const struct sm_names *names = sm_trial_names(p->trial);
        x = sm_trial_find(t, sm_names_text(names, p->tensor), sm_names_length(names, p->tensor));
    }
    there.trial = t;
    there.tensor = x ? x->name : SM_NAME_NONE;
    there.worker = SM_WORKER_ANY;
    return there;
}

const struct sm_trial_tensor *sm_place_tensor(const struct sm_place *p)
{
    return p->trial ? sm_trial_tensor_of(p->trial, p->tensor) : NULL;
}

const char *sm_place_name(const struct sm_place *p)
{
    return sm_names_text(sm_trial_names(p->trial), p->tensor);
}

struct sm_entry sm_place_find_value(const struct sm_place *p)
{
    const struct sm_trial_tensor *x = sm_place_tensor(p);
    return x ? sm_trial_entry(p->trial, x, p->step, p->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE)
             : sm_entry_none();
}

bool sm_place_is_saved(const struct sm_place *p)
{
    const struct sm_trial_tensor *x = sm_place_tensor(p);
    size_t from, to;
    if (!x || !sm_trial_entries_at(p->trial, x, p->step, &from, &to))
        return false;
    for (size_t i = from; i < to; i++)
        if (p->worker == SM_WORKER_ANY || sm_tensor_part(p->trial, x, i)->worker == p->worker)
            return true;
    return false;
}

struct sm_step sm_place_current_step(const struct sm_place *p)
{
    if (p->step.n >= 0 && !p->follow)
        return p->step;
    size_t n = p->trial ? sm_trial_step_count(p->trial) : 0;
    return n ? sm_trial_step(p->trial, n - 1)->step : (struct sm_step){-1};
}

const struct sm_trial_step *sm_place_trial_step(const struct sm_trial *t, struct sm_step step)
{
    size_t i = sm_trial_step_at(t, step);
    return i < sm_trial_step_count(t) && sm_trial_step(t, i)->step.n == step.n ? sm_trial_step(t, i)
                                                                               : NULL;
}

void sm_place_leave_mode(struct sm_place *p)
{
    const struct sm_trial_step *s = sm_place_trial_step(p->trial, p->step);
    if (s && p->mode != SM_MODE_GLOBAL && p->mode != (enum sm_mode)s->mode)
        p->mode = SM_MODE_ANY;
}

/* ---- text ---- */

static bool is_clock_time(struct sm_text t)
{
    char text[16] = "";
    int used = 0;
    unsigned h, m, s;
    memcpy(text, t.p, t.n < sizeof text ? t.n : sizeof text - 1);
    return isdigit((unsigned char)text[0]) &&
           sscanf(text, "%2u:%2u:%2u%n", &h, &m, &s, &used) == 3 && used == 8 && t.n == 8 &&
           h < 24 && m < 60 && s < 61;
}

/* "-10m": a duration before the newest data. */
static bool is_time_ago(struct sm_text t)
{
    return t.n > 2 && t.p[0] == '-' && isdigit((unsigned char)t.p[1]) &&
           isalpha((unsigned char)t.p[t.n - 1]);
}

static struct sm_text cut(struct sm_text t, size_t from, size_t to)
{
    return (struct sm_text){t.p + from, to - from};
}

bool sm_place_split(struct sm_text text, struct sm_place_words *out)
{
    *out = (struct sm_place_words){0};
    struct sm_text place = cut(text, 1, text.n);
    const char *slash = memchr(place.p, '/', place.n);
    if (slash) {
        size_t at = (size_t)(slash - place.p);
        out->worker = cut(place, at + 1, place.n);
        place.n = at;
    }
    const char *colon = memchr(place.p, ':', place.n);
    struct sm_text mode = {place.p, colon ? (size_t)(colon - place.p) : place.n};
    if (sm_mode_of_name(mode.p, mode.n)) {
        out->mode = mode;
        out->step = cut(place, mode.n + (colon != NULL), place.n);
        return true;
    }
    out->step = place;
    if (is_clock_time(place) || is_time_ago(place))
        out->step = (struct sm_text){place.p - 1, place.n + 1};
    return text.n > 1;
}

bool sm_place_find_mode(struct sm_text text, enum sm_mode *out, struct sm_err *err)
{
    static const char *const names[SM_MODES] = {"any", "train", "eval", "predict", "global"};
    for (size_t m = 0; m < SM_MODES; m++) {
        if (text.n && strncasecmp(names[m], text.p, text.n) == 0 && text.n <= strlen(names[m])) {
            *out = (enum sm_mode)m;
            return true;
        }
    }
    return sm_err_set(err, SM_ERR_USAGE,
                      "Undefined mode \"%.*s\".  Choose one of: train, eval, predict, global.",
                      (int)text.n, text.p);
}

/* "1" of "worker_1"; the whole name of any other worker. */
static struct sm_text worker_number(const char *name)
{
    return sm_text(strncmp(name, "worker_", 7) == 0 ? name + 7 : name);
}

static uint16_t match_worker(const struct sm_trial *t, struct sm_text text)
{
    uint16_t n = (uint16_t)sm_trial_worker_count(t);
    for (uint16_t i = 0; i < n; i++)
        if (sm_text_is(text, sm_trial_worker(t, i)))
            return i;
    while (text.n > 1 && text.p[0] == '0')
        text = cut(text, 1, text.n);
    for (uint16_t i = 0; i < n && text.n && isdigit((unsigned char)text.p[0]); i++)
        if (sm_text_is(text, worker_number(sm_trial_worker(t, i)).p))
            return i;
    return SM_WORKER_ANY;
}

bool sm_place_find_worker(const struct sm_trial *t, struct sm_text text, uint16_t *out,
                          struct sm_err *err)
{
    *out = match_worker(t, text);
    if (*out != SM_WORKER_ANY)
        return true;
    struct sm_str all = {0};
    for (uint16_t i = 0; i < sm_trial_worker_count(t) && i < 8; i++)
        sm_str_printf(&all, "%s%s", i ? ", " : "", sm_trial_worker(t, i));
    sm_err_set(err, SM_ERR_MISSING, "No worker \"%.*s\".  Workers: %s%s.", (int)text.n, text.p,
               sm_str_text(&all), sm_trial_worker_count(t) > 8 ? ", ..." : "");
    sm_str_clear(&all);
    return false;
}

/* ---- steps ---- */

/* The steps of a place, forwards or backwards. */
struct walk {
    const struct sm_place *p;
    const struct sm_trial_tensor *x; /* NULL for all steps of the trial */
    size_t next;                     /* of the tensor's entries or of the trial's steps */
    struct sm_step step;             /* the last one found; n < 0 at the start */
    int64_t time_us;
};

static size_t count_items(const struct walk *w)
{
    return w->x ? w->x->n_entries : sm_trial_step_count(w->p->trial);
}

/* A walk that starts before the first item of a step >= n. */
static struct walk start_at(const struct sm_place *p, int64_t n)
{
    struct walk w = {.p = p, .x = sm_place_tensor(p), .step = {-1}};
    size_t end;
    if (w.x)
        sm_trial_entries_at(p->trial, w.x, (struct sm_step){n}, &w.next, &end);
    else
        w.next = sm_trial_step_at(p->trial, (struct sm_step){n});
    return w;
}

static struct walk start(const struct sm_place *p)
{
    return (struct walk){.p = p, .x = sm_place_tensor(p), .step = {-1}};
}

static struct walk start_at_end(const struct sm_place *p)
{
    struct walk w = start(p);
    w.next = count_items(&w);
    return w;
}

static bool take(struct walk *w, struct sm_step step, uint8_t mode, int64_t time_us)
{
    if (step.n == w->step.n || (w->p->mode != SM_MODE_ANY && mode != w->p->mode))
        return false;
    w->step = step;
    w->time_us = time_us;
    return true;
}

static bool take_item(struct walk *w, size_t i)
{
    const struct sm_trial *t = w->p->trial;
    if (!w->x) {
        const struct sm_trial_step *s = sm_trial_step(t, i);
        return take(w, s->step, s->mode, s->time_us);
    }
    const struct sm_part *part = sm_tensor_part(t, w->x, i);
    return !part->replaced && take(w, part->step, part->mode, part->time_us);
}

/* Whether the tensor was ever saved in the mode: otherwise a walk would look at everything. */
static bool has_mode(const struct walk *w)
{
    return !w->x || w->p->mode == SM_MODE_ANY || w->x->modes >> w->p->mode & 1;
}

static bool advance(struct walk *w)
{
    size_t n = has_mode(w) ? count_items(w) : 0;
    while (w->next < n)
        if (take_item(w, w->next++))
            return true;
    return false;
}

static bool retreat(struct walk *w)
{
    while (w->next && has_mode(w))
        if (take_item(w, --w->next))
            return true;
    return false;
}

/* All steps are of the mode, and none was replaced: the tensor counts them itself. */
static bool is_counted(const struct walk *w)
{
    return w->x && sm_trial_session_count(w->p->trial) < 2 &&
           (w->p->mode == SM_MODE_ANY || w->x->modes == 1u << w->p->mode);
}

int64_t sm_place_count_steps(const struct sm_place *p)
{
    struct walk w = start(p);
    int64_t n = 0;
    if (is_counted(&w))
        return w.x->steps;
    while (advance(&w))
        n++;
    return n;
}

static bool first_step(const struct sm_place *p, struct sm_step *out)
{
    struct walk w = start(p);
    bool found = advance(&w);
    *out = w.step;
    return found;
}

static bool last_step(const struct sm_place *p, struct sm_step *out)
{
    struct walk w = start_at_end(p);
    bool found = retreat(&w);
    *out = w.step;
    return found;
}

/* Counted from the last saved step that is not after the chosen one, else from the first one. */
static bool relative_step(const struct sm_place *p, int64_t by, struct sm_step *out)
{
    bool chosen = p->step.n >= 0 && p->step.n < INT64_MAX;
    struct walk w = chosen ? start_at(p, p->step.n + 1) : start_at_end(p);
    bool found = retreat(&w) || (by >= 0 && advance(&w));
    for (; found && by < 0; by++)
        found = retreat(&w);
    for (; found && by > 0; by--)
        found = advance(&w);
    *out = w.step;
    return found;
}

static bool nearest_step(const struct sm_place *p, int64_t n, struct sm_step *out)
{
    struct sm_nearest near;
    sm_nearest_find(p->trial, sm_place_tensor(p), p->mode, SM_WORKER_ANY, n, &near);
    const struct sm_near_step *s = sm_nearest_of(&near, n);
    if (s)
        *out = s->step;
    return s != NULL;
}

/* The last that is so old, else the first of all. From the end, so that only what is newer is
 * looked at. A step of several workers has the time of the first. */
static bool step_ago(const struct sm_place *p, int64_t us, struct sm_step *out)
{
    int64_t newest = sm_trial_newest_us(p->trial);
    struct walk w = start_at_end(p);
    while (retreat(&w)) {
        struct walk same = start_at(p, w.step.n);
        if (advance(&same) && same.time_us <= newest - us) {
            *out = w.step;
            return true;
        }
    }
    return first_step(p, out);
}

/* A job that began again may have a mode's step twice: the one with the tensor comes first. */
static bool numbered_step(const struct sm_place *p, int64_t n, struct sm_step *out)
{
    struct sm_nearest near;
    out->n = n;
    if (p->mode == SM_MODE_ANY)
        return true;
    sm_nearest_find(p->trial, sm_place_tensor(p), p->mode, SM_WORKER_ANY, n, &near);
    if (near.at.found)
        *out = near.at.step;
    return near.at.found || sm_trial_step_of_mode(p->trial, p->mode, (struct sm_mode_step){n}, out);
}

bool sm_place_find_step(const struct sm_place *p, enum sm_step_kind kind, int64_t n,
                        struct sm_step *out)
{
    switch (kind) {
    case SM_STEP_NUMBER:
        return numbered_step(p, n, out);
    case SM_STEP_RELATIVE:
        return relative_step(p, n, out);
    case SM_STEP_NEAREST:
        return nearest_step(p, n, out);
    case SM_STEP_AGO:
        return step_ago(p, n, out);
    case SM_STEP_FIRST:
        return first_step(p, out);
    case SM_STEP_CURRENT:
        *out = p->step;
        return p->step.n >= 0 || last_step(p, out);
    default:
        return last_step(p, out);
    }
}
