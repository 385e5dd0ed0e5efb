/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/config_diff.h"

#include "commands/place/why.h"

#include <string.h>

struct difference {
    struct sm_result *out;
    struct sm_node *list;
    struct sm_str a, b; /* scratch */
};

/* Adds a row if the texts a and b differ. Clears both. */
static void add_difference(struct difference *d, const char *collection, const char *what)
{
    if (strcmp(sm_str_text(&d->a), sm_str_text(&d->b)) != 0) {
        struct sm_node *row = sm_node_map(d->out, d->list, NULL);
        struct sm_str text = {0};
        if (collection)
            sm_str_printf(&text, "collection %s: ", collection);
        sm_str_add(&text, what);
        sm_node_textn(d->out, row, "what", sm_str_text(&text), text.len);
        sm_node_text(d->out, row, "a", d->a.len ? sm_str_text(&d->a) : NULL);
        sm_node_text(d->out, row, "b", d->b.len ? sm_str_text(&d->b) : NULL);
        sm_str_clear(&text);
    }
    sm_str_truncate(&d->a, 0);
    sm_str_truncate(&d->b, 0);
}

static const struct sm_collection_def *find_collection(const struct sm_trial *t, const char *name)
{
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        if (strcmp(sm_trial_collection(t, i)->name, name) == 0)
            return sm_trial_collection(t, i);
    return NULL;
}

static void add_regexes(struct sm_str *out, const struct sm_collection_def *c)
{
    for (size_t i = 0; i < c->n_regexes; i++)
        sm_str_printf(out, "%s%s", i ? ", " : "", c->regexes[i]);
}

static bool same_rule(const struct sm_save_rule *a, const struct sm_save_rule *b)
{
    return a->given == b->given && a->interval == b->interval && a->start == b->start &&
           a->end == b->end && a->n_steps == b->n_steps &&
           (!a->n_steps || memcmp(a->steps, b->steps, a->n_steps * sizeof *a->steps) == 0);
}

/* Adds the save rules; only one if it is the same in all modes. */
static void add_saving(struct sm_str *out, const struct sm_collection_def *c)
{
    bool same = true;
    for (enum sm_mode m = SM_MODE_TRAIN; m < SM_MODES; m++)
        same = same && c->save[m].given && same_rule(&c->save[m], &c->save[SM_MODE_TRAIN]);
    for (enum sm_mode m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        if (!c->save[m].given || (same && m > SM_MODE_TRAIN))
            continue;
        sm_str_add(out, out->len ? "; " : "");
        sm_why_save_rule(out, &c->save[m], same ? "any mode" : sm_mode_name((int)m));
    }
}

static size_t count_tensors(const struct sm_trial *t, const struct sm_collection_def *c)
{
    size_t n = 0;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        if (sm_trial_collection(t, i) == c)
            sm_trial_collection_tensors(t, i, &n);
    return n;
}

static void compare_collection(struct difference *d, const struct sm_collection_def *a,
                               const struct sm_collection_def *b)
{
    add_regexes(&d->a, a);
    add_regexes(&d->b, b);
    add_difference(d, a->name, "include_regex");
    add_saving(&d->a, a);
    add_saving(&d->b, b);
    add_difference(d, a->name, "saves");
    sm_str_add(&d->a, a->reductions ? a->reductions : "");
    sm_str_add(&d->b, b->reductions ? b->reductions : "");
    add_difference(d, a->name, "reductions");
}

static void compare_collections(struct difference *d, const struct sm_trial *a,
                                const struct sm_trial *b)
{
    for (size_t i = 0; i < sm_trial_collection_count(a); i++) {
        const struct sm_collection_def *x = sm_trial_collection(a, i),
                                       *y = find_collection(b, x->name);
        if (y && (count_tensors(a, x) || count_tensors(b, y))) {
            compare_collection(d, x, y);
        } else if (!y) {
            sm_str_add(&d->a, "is there");
            add_difference(d, x->name, "configured");
        }
    }
    for (size_t i = 0; i < sm_trial_collection_count(b); i++) {
        const struct sm_collection_def *y = sm_trial_collection(b, i);
        if (find_collection(a, y->name))
            continue;
        sm_str_add(&d->b, "is there");
        add_difference(d, y->name, "configured");
    }
}

/* Adds nothing while the number is unknown. */
static void add_workers(struct sm_str *out, const struct sm_trial *t)
{
    if (sm_trial_num_workers(t) >= 0)
        sm_str_printf(out, "%lld", (long long)sm_trial_num_workers(t));
}

void sm_config_diff(struct sm_result *out, struct sm_node *list, const struct sm_trial *a,
                    const struct sm_trial *b)
{
    struct difference d = {.out = out, .list = list};
    add_workers(&d.a, a);
    add_workers(&d.b, b);
    add_difference(&d, NULL, "workers");
    compare_collections(&d, a, b);
    sm_str_clear(&d.a);
    sm_str_clear(&d.b);
}
