/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/need.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH_LIMIT = 100000 };

/* ---- patterns ---- */

static void *compile_pattern(const char *pattern, struct sm_err *err)
{
    int code;
    PCRE2_SIZE at;
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
    void *regex =
        pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
    if (regex)
        return regex;
    char text[120];
    pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text);
    sm_err_set(err, SM_ERR_USAGE, "pattern \"%s\" at character %zu: %s", pattern, (size_t)at + 1,
               text);
    return NULL;
}

struct matcher {
    pcre2_match_context *limits;
    pcre2_match_data *data;
};

static bool matches(const struct matcher *m, const void *code, const char *name, size_t n)
{
    return code && m->limits && m->data &&
           pcre2_match(code, (PCRE2_SPTR)name, n, 0, 0, m->data, m->limits) >= 0;
}

bool sm_need_init(struct sm_need *n, const struct sm_rule *rule, const struct sm_rule_pick *pick,
                  const struct sm_rule_value *values, struct sm_err *err)
{
    *n = (struct sm_need){.pick = pick,
                          .collections = sm_rule_value(rule, values, pick->collections),
                          .regex = sm_rule_value(rule, values, pick->regex),
                          .exact = sm_rule_value(rule, values, pick->exact)};
    const struct sm_rule_value *use = sm_rule_value(rule, values, pick->use);
    bool named = n->collections && n->collections->set;
    n->chosen_by_user = (n->collections && n->collections->given) || (n->regex && n->regex->given);
    if (n->regex && n->regex->set && !n->regex->given && n->collections && n->collections->given)
        n->regex = NULL; /* collections given by the user replace the default pattern */
    bool patterns = n->regex && n->regex->set;
    n->own = pick->collection && (use ? use->number != 0 : !named && !patterns);
    n->codes = sm_xalloc_zero(patterns ? n->regex->n + 1 : 1, sizeof *n->codes);
    for (size_t i = 0; patterns && i < n->regex->n; i++) {
        n->codes[i] = compile_pattern(n->regex->items[i], err);
        if (!n->codes[i])
            return false;
        n->n_codes++;
    }
    if (pick->names && !(n->fixed = compile_pattern(pick->names, err)))
        return false;
    n->fallback =
        pick->fallback && !n->chosen_by_user ? compile_pattern(pick->fallback, err) : NULL;
    return true;
}

void sm_need_clear(struct sm_need *n)
{
    for (size_t i = 0; i < n->n_codes; i++)
        pcre2_code_free(n->codes[i]);
    pcre2_code_free(n->fallback);
    pcre2_code_free(n->fixed);
    sm_free(n->codes);
    sm_free(n->ids);
    *n = (struct sm_need){0};
}

/* ---- ids ---- */

const char *sm_need_missing(const struct sm_need *n, const struct sm_trial *t)
{
    for (size_t i = 0; n->collections && n->collections->given && i < n->collections->n; i++)
        if (sm_trial_find_collection(t, n->collections->items[i]) == SIZE_MAX)
            return n->collections->items[i];
    return NULL;
}

static bool in_collection(const struct sm_trial *t, const char *collection, uint32_t name)
{
    size_t i = sm_trial_find_collection(t, collection);
    return i != SIZE_MAX && sm_trial_in_collection(t, i, name);
}

static bool is_picked(const struct sm_need *n, const struct sm_trial *t, const struct matcher *m,
                      uint32_t name)
{
    const char *text = sm_names_text(sm_trial_names(t), name);
    size_t length = sm_names_length(sm_trial_names(t), name);
    bool named = n->collections && n->collections->set, patterns = n->regex && n->regex->set;
    if (n->falls_back)
        return matches(m, n->fallback, text, length);
    if (n->own && in_collection(t, n->pick->collection, name))
        return true;
    if (n->fixed && matches(m, n->fixed, text, length))
        return true;
    if (n->pick->all && !named && !patterns)
        return !n->pick->except || !in_collection(t, n->pick->except, name);
    for (size_t i = 0; named && i < n->collections->n; i++)
        if (in_collection(t, n->collections->items[i], name))
            return true;
    for (size_t i = 0; i < n->n_codes; i++)
        if (matches(m, n->codes[i], text, length))
            return true;
    return false;
}

static int compare_bytes(const void *a, const void *b, void *names)
{
    return strcmp(sm_names_text(names, *(const uint32_t *)a),
                  sm_names_text(names, *(const uint32_t *)b));
}

static void add_id(struct sm_need *n, uint32_t name)
{
    if (n->n_ids == n->cap_ids)
        n->ids = sm_xrealloc(n->ids, n->cap_ids = 2 * n->cap_ids + 16, sizeof *n->ids);
    n->ids[n->n_ids++] = name;
}

static bool collect_exact_id(struct sm_need *n, const struct sm_trial *t)
{
    const char *name = n->exact && n->exact->set ? n->exact->text : NULL;
    const struct sm_trial_tensor *x = name ? sm_trial_find(t, name, strlen(name)) : NULL;
    n->n_ids = 0;
    if (x)
        add_id(n, x->name);
    return x;
}

static void collect_ids(struct sm_need *n, const struct sm_trial *t)
{
    if (collect_exact_id(n, t))
        return;
    struct matcher m = {pcre2_match_context_create(NULL), pcre2_match_data_create(1, NULL)};
    if (m.limits)
        pcre2_set_match_limit(m.limits, MATCH_LIMIT);
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++)
        if (is_picked(n, t, &m, sm_trial_tensor(t, i)->name))
            add_id(n, sm_trial_tensor(t, i)->name);
    if (n->n_ids)
        qsort_r(n->ids, n->n_ids, sizeof *n->ids, compare_bytes,
                (void *)(uintptr_t)sm_trial_names(t));
    pcre2_match_data_free(m.data);
    pcre2_match_context_free(m.limits);
}

void sm_need_update(struct sm_need *n, struct sm_trial *t)
{
    uint64_t key = 1 + sm_trial_members_version(t);
    if (n->key == key)
        return;
    n->key = key;
    collect_ids(n, t);
}

bool sm_need_fall_back(struct sm_need *n, struct sm_trial *t)
{
    sm_need_update(n, t);
    if (n->n_ids || !n->fallback)
        return false;
    n->falls_back = true;
    collect_ids(n, t);
    n->falls_back = n->n_ids > 0;
    return n->falls_back;
}

/* ---- tensors saved at a step ---- */

static void add_item(struct sm_rule_item **items, size_t *n, size_t *cap,
                     const struct sm_rule_item *it)
{
    if (*n == *cap)
        *items = sm_xrealloc(*items, *cap = 2 * *cap + 16, sizeof **items);
    (*items)[(*n)++] = *it;
}

/* Adds the tensor if it was saved at the step. If a worker saved several records of the name, the
 * last one is used. */
static void add_tensor_items(struct sm_trial *t, struct sm_rule_entries *ranges,
                             const struct sm_trial_tensor *x, struct sm_step step,
                             const char *workers, struct sm_rule_item **items, size_t *n,
                             size_t *cap)
{
    size_t from, to, first = *n;
    bool all = workers && strcmp(workers, "all") == 0;
    uint16_t wanted = workers && !all ? sm_trial_find_worker(t, workers) : SM_WORKER_ANY;
    if ((workers && !all && wanted == SM_WORKER_ANY) ||
        !sm_rule_entries_at(ranges, t, x, step, &from, &to))
        return;
    for (size_t i = from; i < to; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_part *p = sm_trial_part(t, e.part);
        struct sm_rule_item *last = *n > first ? &(*items)[*n - 1] : NULL;
        if (p->replaced || (wanted != SM_WORKER_ANY && p->worker != wanted))
            continue;
        if (!last || (last->worker != p->worker &&
                      (all || (!sm_entry_exists(&last->value) && e.kind == SM_ENTRY_VALUE)))) {
            if (last && !all)
                --*n; /* replace an earlier worker that saved only reductions or a shape */
            struct sm_rule_item it = {
                .tensor = x, .name = sm_trial_tensor_name(t, x), .worker = p->worker};
            add_item(items, n, cap, &it);
            last = &(*items)[*n - 1];
        }
        if (last->worker == p->worker && e.kind == SM_ENTRY_VALUE) {
            last->value = e;
            last->at = i;
        }
    }
}

/* A later worker than that of the item saved the tensor, too. */
static bool leaves_out(const struct sm_trial *t, struct sm_rule_entries *ranges,
                       struct sm_step step, const struct sm_rule_item *it)
{
    size_t from, to;
    if (!sm_rule_entries_at(ranges, t, it->tensor, step, &from, &to))
        return false;
    for (size_t i = to; i-- > from;) {
        const struct sm_part *p = sm_tensor_part(t, it->tensor, i);
        if (!p->replaced && p->worker != it->worker &&
            sm_tensor_entry(t, it->tensor, i).kind != SM_ENTRY_SHAPE)
            return true;
    }
    return false;
}

size_t sm_need_items(struct sm_need *n, struct sm_trial *t, struct sm_rule_entries *ranges,
                     struct sm_step step, const char *workers, struct sm_rule_item **items,
                     size_t *cap)
{
    size_t count = 0;
    for (size_t i = 0; i < n->n_ids; i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor_of(t, n->ids[i]);
        if (x)
            add_tensor_items(t, ranges, x, step, workers, items, &count, cap);
    }
    bool may = !workers && !n->left_out && sm_trial_worker_count(t) > 1;
    for (size_t i = 0; may && i < count && !n->left_out; i++)
        n->left_out = leaves_out(t, ranges, step, &(*items)[i]);
    return count;
}
