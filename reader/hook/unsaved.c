/* SPDX-License-Identifier: Apache-2.0 */
/* What the program asked for and did not get: told once, so that nothing is missing in silence. */
#include "reader/hook/hook_private.h"

#include <inttypes.h>
#include <string.h>

enum { NAMES_SHOWN = 3 };

bool hook_offer(struct smdbg_hook *h, const char *tensor, uint64_t *mask, struct sm_err *err)
{
    *mask = 0;
    if (!hook_writes(h))
        return true;
    if (h->started)
        return hook_plan_offer(&h->plan, tensor, hook_saved_now(h), mask, err);
    bool told = h->told_early;
    h->told_early = true;
    return hook_check_name(tensor, "tensor name", err) &&
           (told ||
            sm_err_set(err, SM_ERR_USAGE,
                       "%s: saved before the first step; smdbg_hook_step begins it", tensor));
}

/* A list of names of which the first few are shown. */
struct unsaved_list {
    struct sm_str text;
    size_t n;
};

static void add_unsaved(struct unsaved_list *l, const char *name)
{
    if (l->n++ < NAMES_SHOWN)
        sm_str_printf(&l->text, "%s%s", l->n > 1 ? ", " : "", name);
}

/* Appends "WHAT: a, b, c and 2 more", and clears the list. */
static void tell_list(struct sm_str *out, const char *what, struct unsaved_list *l)
{
    if (l->n)
        sm_str_printf(out, "%s%s: %s", out->len ? "; " : "", what, sm_str_text(&l->text));
    if (l->n > NAMES_SHOWN)
        sm_str_printf(out, " and %zu more", l->n - NAMES_SHOWN);
    sm_str_clear(&l->text);
    l->n = 0;
}

/* Tensors that were given to a function that saves, but at no step at which it saves them. */
static void tell_offered(const struct smdbg_hook *h, struct sm_str *out)
{
    struct unsaved_list l = {0};
    for (uint32_t i = 0; i < h->plan.n_member; i++)
        if (h->plan.state[i] == HOOK_OFFERED)
            add_unsaved(&l, sm_names_text(h->plan.tensors, i));
    tell_list(out, "never saved, because of collections and steps", &l);
}

static bool has_member(const struct hook_plan *p, size_t collection)
{
    for (size_t i = 0; i < p->n_member; i++)
        if (p->member[i] >> collection & 1)
            return true;
    return false;
}

/* Collections that were to be saved at some step and of which there was no tensor. One whose
 * expressions were removed gets its members while the program runs, or not. */
static void tell_collections(const struct smdbg_hook *h, struct sm_str *out)
{
    struct unsaved_list l = {0};
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        if (c->named && !c->emptied && !c->n_names && (h->ever_saving >> i & 1) &&
            !has_member(&h->plan, i))
            add_unsaved(&l, c->name);
    }
    tell_list(out, "collections without any tensor", &l);
}

/* Names that were added to a collection, and that no call saved. */
static void tell_names(const struct smdbg_hook *h, struct sm_str *out)
{
    struct unsaved_list l = {0};
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        for (size_t k = 0; k < c->n_names && (h->ever_saving >> i & 1); k++)
            if (sm_names_find(h->plan.tensors, c->names[k], strlen(c->names[k])) == SM_NAME_NONE)
                add_unsaved(&l, c->names[k]);
    }
    tell_list(out, "in a collection, but never given", &l);
}

bool hook_tell_unsaved(const struct smdbg_hook *h, struct sm_err *err)
{
    struct sm_str text = {0};
    tell_offered(h, &text);
    tell_names(h, &text);
    tell_collections(h, &text);
    bool nothing = !text.len;
    if (!nothing)
        sm_err_set(err, SM_ERR_MISSING, "%s", sm_str_text(&text));
    sm_str_clear(&text);
    return nothing;
}
