/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/tensor_list.h"

#include "commands/place/select.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

void sm_tensor_list_init(struct sm_tensor_list *l)
{
    *l = (struct sm_tensor_list){.folded = sm_names_new()};
}

void sm_tensor_list_clear(struct sm_tensor_list *l)
{
    sm_names_free(l->folded);
    sm_free(l->toggles);
    sm_free(l->rows);
    sm_free(l->filter);
    sm_free(l->chosen);
}

bool sm_tensor_list_is_folded(const struct sm_tensor_list *l, const char *group)
{
    uint32_t id = sm_names_find(l->folded, group, strlen(group));
    return id != SM_NAME_NONE && id < l->cap_toggles && l->toggles[id];
}

void sm_tensor_list_toggle(struct sm_tensor_list *l, const char *group)
{
    uint32_t id = sm_names_add(l->folded, group, strlen(group));
    size_t before = l->cap_toggles;
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&l->toggles, &l->cap_toggles, (size_t)id + 1, 1))
        return;
    memset(l->toggles + before, 0, l->cap_toggles - before);
    l->toggles[id] ^= 1;
}

/* Selects the tensors that the filter "/re" matches; none while the expression is invalid. */
static void match_expression(struct sm_tensor_list *l, struct sm_session *s)
{
    struct sm_arena arena = {0};
    struct sm_selection found;
    struct sm_str text = {0};
    sm_free(l->chosen);
    l->chosen = NULL;
    l->n_chosen = 0;
    if (!l->filter || l->filter[0] != '/' || !l->filter[1])
        return;
    sm_str_printf(&text, "%s/", l->filter);
    const struct sm_word word = {.text = {sm_str_text(&text), text.len}};
    if (sm_select(s, sm_session_trial(s), &arena, &word, 1, &found, NULL))
        for (size_t i = 0; i < found.n; i++) {
            uint32_t id = found.items[i]->name;
            if (id >= l->n_chosen) {
                l->chosen = sm_xrealloc(l->chosen, (size_t)id + 1, 1);
                memset(l->chosen + l->n_chosen, 0, (size_t)id + 1 - l->n_chosen);
                l->n_chosen = (size_t)id + 1;
            }
            l->chosen[id] = 1;
        }
    sm_arena_clear(&arena);
    sm_str_clear(&text);
}

static bool matches(const struct sm_tensor_list *l, const char *name, uint32_t id)
{
    if (!l->filter || !*l->filter || strcmp(l->filter, "/") == 0)
        return true;
    if (l->filter[0] == '/')
        return id < l->n_chosen && l->chosen[id];
    if (strpbrk(l->filter, "*?["))
        return sm_glob_match(l->filter, name);
    return strcasestr(name, l->filter);
}

static void add_row(struct sm_tensor_list *l, struct sm_tensor_line r)
{
    if (SM_VEC_ROOM(l->rows, l->n, l->cap))
        l->rows[l->n++] = r;
}

/* Keeps the ids that match the filter, ordered; returns how many. */
static size_t keep_matching(const struct sm_tensor_list *l, struct sm_session *s, uint32_t *ids,
                            size_t n)
{
    const struct sm_names *names = sm_trial_names(sm_session_trial(s));
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (matches(l, sm_names_text(names, ids[i]), ids[i]))
            ids[k++] = ids[i];
    if (l->key != SM_TENSORS_BY_NAME || l->inverted)
        sm_tensor_sort(s, ids, k, l->key, l->inverted);
    return k;
}

/* Of the scalars, losses and metrics are listed as such. */
static bool is_listed_before(const struct sm_trial *t, const char *group, uint32_t id)
{
    return strcmp(group, "scalars") == 0 &&
           (sm_trial_in_named(t, "losses", id) || sm_trial_in_named(t, "metrics", id));
}

static void add_group(struct sm_tensor_list *l, struct sm_session *s, const char *name,
                      const uint32_t *all, size_t n)
{
    const struct sm_trial *t = sm_session_trial(s);
    uint32_t *ids = sm_xalloc((n + 1) * sizeof *ids);
    bool folded = sm_tensor_list_is_folded(l, name) && !(l->filter && *l->filter);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_listed_before(t, name, all[i]))
            ids[k++] = all[i];
    n = keep_matching(l, s, ids, k);
    if (n)
        add_row(l, (struct sm_tensor_line){.group = name, .count = n});
    for (size_t i = 0; i < n && !folded; i++)
        add_row(l, (struct sm_tensor_line){.tensor = ids[i]});
    l->matched += n;
    sm_free(ids);
}

/* "all" and "default" contain every tensor, so they are not listed. */
static bool holds_everything(const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(name, "default") == 0;
}

static int collection_rank(const char *name)
{
    return strcmp(name, "losses") == 0      ? 0
           : strcmp(name, "metrics") == 0   ? 1
           : strcmp(name, "optimizer") == 0 ? 3
                                            : 2;
}

static void add_others(struct sm_tensor_list *l, struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    size_t n = sm_trial_tensor_count(t), k = 0, collections = sm_trial_collection_count(t);
    uint32_t *ids = sm_xalloc((n + 1) * sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        bool in = false;
        for (size_t c = 0; c < collections && !in; c++)
            in = !holds_everything(sm_trial_collection(t, c)->name) &&
                 sm_trial_in_collection(t, c, x->name);
        if (!in)
            ids[k++] = x->name;
    }
    if (k)
        add_group(l, s, "other tensors", ids, k);
    sm_free(ids);
}

static void add_flat(struct sm_tensor_list *l, struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    size_t n = sm_trial_tensor_count(t);
    uint32_t *ids = sm_xalloc((n + 1) * sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = sm_trial_tensor(t, i)->name;
    l->matched = keep_matching(l, s, ids, n);
    for (size_t i = 0; i < l->matched; i++)
        add_row(l, (struct sm_tensor_line){.tensor = ids[i]});
    sm_free(ids);
}

void sm_tensor_list_build(struct sm_tensor_list *l, struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    l->n = l->matched = 0;
    match_expression(l, s);
    if (l->flat) {
        add_flat(l, s);
        return;
    }
    for (int r = 0; r < 4; r++)
        for (size_t c = 0; c < sm_trial_collection_count(t); c++) {
            size_t n;
            const char *name = sm_trial_collection(t, c)->name;
            const uint32_t *ids = sm_trial_collection_tensors(t, c, &n);
            if (n && collection_rank(name) == r && !holds_everything(name))
                add_group(l, s, name, ids, n);
        }
    add_others(l, s);
}

uint32_t sm_tensor_list_first(struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_tensor_list l;
    uint32_t first = SM_NAME_NONE;
    if (!t || !sm_trial_tensor_count(t))
        return first;
    sm_tensor_list_init(&l);
    sm_tensor_list_build(&l, s);
    for (size_t i = 0; i < l.n && first == SM_NAME_NONE; i++)
        if (!l.rows[i].group)
            first = l.rows[i].tensor;
    sm_tensor_list_clear(&l);
    return first;
}
