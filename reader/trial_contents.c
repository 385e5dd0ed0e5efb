/* SPDX-License-Identifier: Apache-2.0 */
/* What a trial holds: names, steps, parts, workers, sessions. */
#include "reader/trial_state.h"

#include <stdlib.h>
#include <string.h>

const struct sm_names *sm_trial_names(const struct sm_trial *t)
{
    return t->names;
}

int sm_trial_compare_names(const void *a, const void *b, void *names)
{
    return sm_natural_cmp(sm_names_text(names, *(const uint32_t *)a),
                          sm_names_text(names, *(const uint32_t *)b));
}

/* Sorts on demand, after tensors were added; there is room for all. */
static void sort_names(const struct sm_trial *trial)
{
    struct sm_trial *t = (struct sm_trial *)(uintptr_t)trial;
    if (!t->order_stale)
        return;
    t->n_order = 0;
    for (size_t i = 0; i < t->n_tensors; i++)
        if (t->tensors[i].n_entries)
            t->order[t->n_order++] = (uint32_t)i;
    if (t->n_order)
        qsort_r(t->order, t->n_order, sizeof *t->order, sm_trial_compare_names, t->names);
    t->order_stale = false;
}

size_t sm_trial_tensor_count(const struct sm_trial *t)
{
    sort_names(t);
    return t->n_order;
}

const struct sm_trial_tensor *sm_trial_tensor(const struct sm_trial *t, size_t i)
{
    sort_names(t);
    return &t->tensors[t->order[i]];
}

const struct sm_trial_tensor *sm_trial_find(const struct sm_trial *t, const char *name, size_t n)
{
    return sm_trial_tensor_of(t, sm_names_find(t->names, name, n));
}

const struct sm_trial_tensor *sm_trial_tensor_of(const struct sm_trial *t, uint32_t name)
{
    return name < t->n_tensors && t->tensors[name].n_entries ? &t->tensors[name] : NULL;
}

const char *sm_trial_tensor_name(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    return sm_names_text(t->names, x->name);
}

size_t sm_trial_step_count(const struct sm_trial *t)
{
    return sm_step_list_count(t->steps);
}

const struct sm_trial_step *sm_trial_step(const struct sm_trial *t, size_t i)
{
    return sm_step_list_at(t->steps, i);
}

size_t sm_trial_late_count(const struct sm_trial *t)
{
    return t->n_late;
}

struct sm_step sm_trial_late_step(const struct sm_trial *t, size_t i)
{
    return (struct sm_step){t->late[i]};
}

bool sm_trial_is_followed(const struct sm_trial *t)
{
    return t->options.follow;
}

size_t sm_trial_step_at(const struct sm_trial *t, struct sm_step step)
{
    return sm_step_list_place(t->steps, step.n);
}

bool sm_trial_has_mode(const struct sm_trial *t, enum sm_mode mode)
{
    return t->mode_steps[mode] > 0;
}

bool sm_trial_step_of_mode(const struct sm_trial *t, enum sm_mode mode, struct sm_mode_step m,
                           struct sm_step *out)
{
    for (size_t i = 0; i < sm_step_list_count(t->steps); i++) {
        const struct sm_trial_step *s = sm_step_list_at(t->steps, i);
        if (s->mode == mode && s->mode_step.n == m.n) {
            *out = s->step;
            return true;
        }
    }
    return false;
}

const struct sm_part *sm_trial_part(const struct sm_trial *t, uint32_t part)
{
    return &t->parts[part];
}

bool sm_trial_part_is_final(const struct sm_trial *t, const struct sm_part *p)
{
    return t->ended || t->final || p->replaced || p->worker >= t->n_workers ||
           t->worker_last[p->worker] > p->step.n;
}

const struct sm_part *sm_trial_step_part(const struct sm_trial *t, size_t i, size_t k)
{
    uint32_t part = sm_step_list_at(t->steps, i)->first_part;
    while (k-- && part != NO_PART)
        part = t->next_part[part];
    return part == NO_PART ? NULL : &t->parts[part];
}

const struct sm_part *sm_trial_next_part(const struct sm_trial *t, const struct sm_part *p)
{
    uint32_t part = t->next_part[p - t->parts];
    return part == NO_PART ? NULL : &t->parts[part];
}

size_t sm_trial_worker_count(const struct sm_trial *t)
{
    return t->n_workers;
}

const char *sm_trial_worker(const struct sm_trial *t, uint16_t worker)
{
    return worker < t->n_workers ? t->workers[worker] : "-";
}

uint16_t sm_trial_find_worker(const struct sm_trial *t, const char *name)
{
    for (size_t w = 0; w < t->n_workers; w++)
        if (strcmp(t->workers[w], name) == 0)
            return (uint16_t)w;
    return SM_WORKER_ANY;
}

int64_t sm_trial_num_workers(const struct sm_trial *t)
{
    return t->num_workers;
}

size_t sm_trial_session_count(const struct sm_trial *t)
{
    return t->n_sessions;
}

const struct sm_trial_session *sm_trial_session(const struct sm_trial *t, size_t i)
{
    return &t->sessions[i];
}

const char *sm_trial_event_path(const struct sm_trial *t, const struct sm_part *p)
{
    return p->event_file == SM_NAME_NONE ? NULL : sm_names_text(t->paths, p->event_file);
}

const uint64_t *sm_trial_shape(const struct sm_trial *t, const struct sm_entry *e, unsigned *n_dims)
{
    *n_dims = (unsigned)t->dims[e->offset];
    return &t->dims[e->offset + 1];
}
