/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/survey_state.h"

/* A turn takes at most BYTES of records, and looks at LOOKED entries at most. */
enum { TAKEN = SM_SURVEY_TAKEN, BYTES = 32 << 20, LOOKED = 65536 };

/* A value that is found in the file of another is worth as many looks as this. */
enum { FOUND_WORTH = 64, CREDIT_MOST = 1 << 18, CREDIT_REGROWN = 16 };

/* ---- what is left ---- */

size_t sm_survey_left(const struct sm_survey_want *w)
{
    if (w->tensor == SM_NAME_NONE) {
        struct sm_trial_seen seen = sm_trial_seen(w->trial);
        return (size_t)(seen.values - seen.read - seen.failed);
    }
    const struct sm_trial_tensor *x = sm_trial_tensor_of(w->trial, w->tensor);
    return x ? x->unsettled : 0;
}

size_t sm_survey_asked(const struct sm_survey_want *w)
{
    const struct sm_trial_tensor *x =
        w->tensor == SM_NAME_NONE ? NULL : sm_trial_tensor_of(w->trial, w->tensor);
    return w->tensor == SM_NAME_NONE ? (size_t)sm_trial_seen(w->trial).asked : x ? x->asked : 0;
}

static bool over_limit(const struct sm_survey_want *w)
{
    return w->lasting && w->bytes >= w->limit;
}

/* Whether there is something to take. */
bool sm_survey_may_take(const struct sm_survey_want *w)
{
    return !w->failed && !over_limit(w) && sm_survey_left(w) > sm_survey_asked(w) &&
           !(w->stuck && w->version == sm_trial_version(w->trial));
}

/* ---- taking ---- */

bool sm_survey_mark(struct sm_trial *t, const struct sm_entry *e, unsigned flags)
{
    return sm_trial_set_brief(t, e, &(struct sm_brief){.flags = (uint16_t)flags});
}

/* Takes an entry if it was not read and can be. False: no memory. */
static bool take_entry(struct sm_survey *s, struct sm_survey_want *w,
                       const struct sm_trial_tensor *x, size_t i, uint64_t *bytes)
{
    struct sm_trial *t = w->trial;
    struct sm_entry e = sm_tensor_entry(t, x, i);
    if (e.kind == SM_ENTRY_SHAPE ||
        sm_tensor_brief(t, x, i).flags & (SM_BRIEF_SETTLED | SM_BRIEF_ASKED))
        return true;
    const struct sm_part *part = sm_trial_part(t, e.part);
    unsigned flags = part->replaced                  ? SM_BRIEF_SKIPPED
                     : !sm_trial_event_path(t, part) ? SM_BRIEF_FAILED
                                                     : SM_BRIEF_ASKED;
    if (!sm_survey_mark(t, &e, flags))
        return false;
    w->found = true;
    if (flags != SM_BRIEF_ASKED)
        return true;
    *bytes += e.length;
    s->taken[s->n_taken++] = (struct sm_survey_taken){e, part->event_file};
    return true;
}

static bool same_record(const struct sm_entry *a, const struct sm_entry *b)
{
    return a->part == b->part && a->offset == b->offset && a->length == b->length;
}

/* Takes the other values of a record that has several: parsing it costs the same for one of them as
 * for all, and who asks for one tensor often asks for the others. */
static bool take_siblings(struct sm_survey *s, struct sm_survey_want *w, struct sm_entry e)
{
    struct sm_trial *t = w->trial;
    struct sm_step step = sm_trial_part(t, e.part)->step;
    uint64_t counted = 0; /* the record's bytes were */
    for (uint32_t name = 0; name < sm_names_count(sm_trial_names(t)); name++) {
        const struct sm_trial_tensor *x = sm_trial_tensor_of(t, name);
        size_t from, to;
        if (!x || x->unsettled <= x->asked || !sm_trial_entries_at(t, x, step, &from, &to))
            continue;
        for (size_t i = from; i < to && s->n_taken < TAKEN; i++) {
            struct sm_entry other = sm_tensor_entry(t, x, i);
            if (same_record(&other, &e) && !take_entry(s, w, x, i, &counted))
                return false;
        }
    }
    return true;
}

static bool take_at_part(struct sm_survey *s, struct sm_survey_want *o, const struct sm_entry *e,
                         struct sm_step step, uint64_t *bytes)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(o->trial, o->tensor);
    size_t from, to;
    if (!x || !sm_survey_may_take(o) || !sm_trial_entries_at(o->trial, x, step, &from, &to))
        return true;
    for (size_t i = from; i < to && s->n_taken < TAKEN; i++)
        if (sm_tensor_entry(o->trial, x, i).part == e->part && !take_entry(s, o, x, i, bytes))
            return false;
    return true;
}

/* Takes the values of other tensors that are asked for, too, if they are in the same file: opening
 * it costs more than reading a small value. Looks rarely if that finds little: tensors may have
 * been saved at steps of their own. */
static bool take_of_file(struct sm_survey *s, const struct sm_survey_want *w,
                         const struct sm_entry *e, uint64_t *bytes)
{
    struct sm_step step = sm_trial_part(w->trial, e->part)->step;
    size_t before = s->n_taken;
    bool ok = true;
    s->of_file = 0;
    s->credit += CREDIT_REGROWN;
    if (s->n_wants < 2 || s->credit < (int64_t)s->n_wants)
        return true;
    s->credit -= (int64_t)s->n_wants;
    s->looks += s->n_wants;
    for (size_t k = 0; ok && k < s->n_wants; k++) {
        struct sm_survey_want *o = &s->wants[k];
        if (o->trial == w->trial && o->tensor != w->tensor && o->tensor != SM_NAME_NONE)
            ok = take_at_part(s, o, e, step, bytes);
    }
    s->of_file = s->n_taken - before;
    s->credit += (int64_t)s->of_file * FOUND_WORTH;
    s->credit = s->credit < CREDIT_MOST ? s->credit : CREDIT_MOST;
    return ok;
}

/* Whether another value can be taken with as many of its file as the last one had. */
static bool has_room(const struct sm_survey *s)
{
    return !s->n_taken || s->n_taken + s->of_file < TAKEN;
}

static bool is_full(const struct sm_survey *s, uint64_t bytes, size_t looked)
{
    return s->n_taken == TAKEN || bytes >= BYTES || looked >= LOOKED;
}

/* False: no memory. */
static bool take_of_tensor(struct sm_survey *s, struct sm_survey_want *w, uint64_t *bytes)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(w->trial, w->tensor);
    size_t looked = 0;
    if (!w->walking)
        w->to = x->n_entries;
    w->to = w->to < x->n_entries ? w->to : x->n_entries;
    w->walking = true;
    for (; w->to && !is_full(s, *bytes, looked) && has_room(s) && x->unsettled > x->asked;
         looked++) {
        size_t before = s->n_taken;
        if (!take_entry(s, w, x, --w->to, bytes))
            return false;
        struct sm_entry e = sm_tensor_entry(w->trial, x, w->to);
        if (s->n_taken > before &&
            ((e.value && !take_siblings(s, w, e)) || !take_of_file(s, w, &e, bytes)))
            return false;
    }
    w->walking = w->to > 0 && x->unsettled > x->asked;
    return true;
}

static size_t tensor_ids(const struct sm_trial *t)
{
    return sm_names_count(sm_trial_names(t));
}

/* The next window of steps, below the last. */
static void next_window(struct sm_survey_want *w)
{
    size_t n = sm_trial_step_count(w->trial), ids = tensor_ids(w->trial),
           steps = ids < TAKEN ? TAKEN / (ids + 1) : 1;
    steps = steps < SM_SURVEY_FILES_PER_JOB ? steps : SM_SURVEY_FILES_PER_JOB;
    w->to = !w->walking || w->to > n ? n : w->from;
    w->from = w->to > steps ? w->to - steps : 0;
    w->walking = w->to > 0;
    w->next = 0;
}

/* The entries of a tensor in the window. */
static bool take_of_window(struct sm_survey *s, struct sm_survey_want *w,
                           const struct sm_trial_tensor *x, uint64_t *bytes, size_t *looked)
{
    int64_t first = sm_trial_step(w->trial, w->from)->step.n,
            last = sm_trial_step(w->trial, w->to - 1)->step.n;
    for (size_t i = sm_trial_entries_from(w->trial, x, (struct sm_step){first});
         i < x->n_entries && sm_tensor_part(w->trial, x, i)->step.n <= last; i++) {
        if (s->n_taken == TAKEN)
            return true;
        ++*looked;
        if (!take_entry(s, w, x, i, bytes))
            return false;
    }
    return true;
}

static bool take_of_all(struct sm_survey *s, struct sm_survey_want *w, uint64_t *bytes)
{
    size_t looked = 0, ids = tensor_ids(w->trial);
    if (!w->walking || w->to > sm_trial_step_count(w->trial))
        next_window(w);
    while (w->walking && !is_full(s, *bytes, looked) && sm_survey_left(w) > sm_survey_asked(w)) {
        for (; w->next < ids && !is_full(s, *bytes, looked); w->next++) {
            const struct sm_trial_tensor *x = sm_trial_tensor_of(w->trial, w->next);
            if (x && x->unsettled > x->asked && !take_of_window(s, w, x, bytes, &looked))
                return false;
            if (s->n_taken == TAKEN)
                return true; /* the tensor is looked at again */
        }
        looked += ids / 16;
        if (w->next < ids)
            continue;
        w->to = w->from;
        if (w->to)
            next_window(w);
        else
            w->walking = false;
    }
    w->walking = w->walking && sm_survey_left(w) > sm_survey_asked(w);
    return true;
}

bool sm_survey_take(struct sm_survey *s, struct sm_survey_want *w, uint64_t *bytes)
{
    s->n_taken = s->of_file = 0;
    return w->tensor == SM_NAME_NONE ? take_of_all(s, w, bytes) : take_of_tensor(s, w, bytes);
}
