/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/trials/loss.h"

#include "reader/kind/loss_names.h"
#include "reader/kind/scalar_names.h"

#include <string.h>

/* The first of the collection, or the first that is not of validation. */
static const struct sm_trial_tensor *find_in_losses(const struct sm_trial *t)
{
    const struct sm_trial_tensor *first = NULL;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        if (!x->has_value || !sm_trial_in_named(t, "losses", x->name))
            continue;
        if (!sm_name_is_of_validation(sm_trial_tensor_name(t, x)))
            return x;
        first = first ? first : x;
    }
    return first;
}

const struct sm_trial_tensor *sm_loss_tensor(const struct sm_trial *t)
{
    const struct sm_trial_tensor *x = find_in_losses(t);
    for (size_t i = 0; !x && i < sm_trial_tensor_count(t); i++)
        if (sm_trial_tensor(t, i)->has_value &&
            strcasestr(sm_trial_tensor_name(t, sm_trial_tensor(t, i)), "loss"))
            x = sm_trial_tensor(t, i);
    return x;
}

static struct sm_entry newest_value(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    bool train = x->modes >> SM_MODE_TRAIN & 1;
    for (size_t i = x->n_entries; i-- > 0;) {
        const struct sm_part *p = sm_tensor_part(t, x, i);
        if (sm_tensor_entry(t, x, i).kind == SM_ENTRY_VALUE && !p->replaced &&
            (!train || p->mode == SM_MODE_TRAIN))
            return sm_trial_entry(t, x, p->step, SM_WORKER_ANY, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    }
    return sm_entry_none();
}

static bool is_number(const struct sm_facts *f)
{
    enum sm_dtype_kind kind = sm_dtype_info(f->dtype)->kind;
    return f->n == 1 && f->whole && kind != SM_KIND_STRING && kind != SM_KIND_OTHER &&
           kind != SM_KIND_COMPLEX;
}

/* How well a name fits as that of the loss; 0: not at all. */
static unsigned fit_of(const char *name, size_t n)
{
    bool valid = sm_name_is_of_validation(name);
    return sm_scalar_is_loss(name, n) ? (valid ? 2 : 3) : strcasestr(name, "loss") != NULL;
}

/* The same series as of a trial that is awake; NULL: there is none. */
static const struct sm_glance_series *glanced_loss(const struct sm_glance *g)
{
    uint32_t best = SM_NAME_NONE, n = (uint32_t)sm_names_count(g->names);
    unsigned most = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *name = sm_names_text(g->names, i);
        unsigned fit = g->series[i].n ? fit_of(name, sm_names_length(g->names, i)) : 0;
        if (fit > most ||
            (fit && fit == most && sm_natural_cmp(name, sm_names_text(g->names, best)) < 0))
            best = i;
        most = fit > most ? fit : most;
    }
    return most ? &g->series[best] : NULL;
}

static bool last_of_glance(const struct sm_glance *g, double *out, struct sm_err *err)
{
    const struct sm_glance_series *x = glanced_loss(g);
    if (!x)
        return sm_err_set(err, SM_ERR_MISSING, "no loss was saved");
    *out = x->newest;
    return true;
}

bool sm_loss_last(struct sm_session *s, struct sm_trial *t, double *out, struct sm_err *err)
{
    if (sm_trial_glance(t))
        return last_of_glance(sm_trial_glance(t), out, err);
    const struct sm_trial_tensor *x = sm_loss_tensor(t);
    struct sm_entry e = x ? newest_value(t, x) : sm_entry_none();
    const struct sm_facts *f;
    if (!sm_entry_exists(&e))
        return sm_err_set(err, SM_ERR_MISSING, "no loss was saved");
    if (!sm_fetch_stats(s->fetch, t, &e, &f, err))
        return false;
    if (!is_number(f))
        return sm_err_set(err, SM_ERR_MISSING, "the loss is not a number");
    *out = sm_dtype_load(f->dtype, f->first);
    return true;
}
