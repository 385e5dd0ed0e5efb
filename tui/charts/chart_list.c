/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/chart_list.h"

#include "commands/place/kept_regex.h"
#include "commands/runs/run_view.h"
#include "commands/session/trial_list.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

const char *const sm_chart_order_words[] = {"kind", "name", "newest", "hand", NULL};

const char *sm_chart_list_name(const struct sm_chart_list *l, const struct sm_session *s, size_t i)
{
    return sm_names_text(sm_trial_names(s->trials[l->items[i].trial].trial), l->items[i].name);
}

size_t sm_chart_list_find(const struct sm_chart_list *l, const struct sm_session *s,
                          const char *name)
{
    size_t i = 0;
    while (i < l->n && strcmp(sm_chart_list_name(l, s, i), name) != 0)
        i++;
    return i;
}

/* ---- what it is made from ---- */

static void mix_stamp(uint64_t *stamp, uint64_t x)
{
    *stamp = (*stamp ^ x) * 1099511628211u;
}

/* Changes whenever the list of charts may change. */
static uint64_t stamp_of(const struct sm_chart_list *l, const struct sm_view *v)
{
    const struct sm_session *s = v->session;
    uint64_t stamp = 14695981039346656037u;
    for (size_t i = 0; i < s->n_trials; i++) {
        mix_stamp(&stamp, (uint64_t)(uintptr_t)s->trials[i].trial);
        mix_stamp(&stamp, sm_trial_version(s->trials[i].trial));
        mix_stamp(&stamp, sm_trials_shown(s, i));
    }
    mix_stamp(&stamp, l->changes);
    mix_stamp(&stamp, s->current);
    mix_stamp(&stamp, v->sweep);
    mix_stamp(&stamp, v->sweep ? (uint64_t)(uintptr_t)sm_run_view(s)->table.metric : 0);
    mix_stamp(&stamp, s->trials[s->current].pinned.n);
    return stamp;
}

static bool is_charted(const struct sm_trial *t, uint32_t id)
{
    static const char *const names[] = {"losses", "metrics", "sm_metrics", "scalars"};
    for (size_t c = 0; c < sm_trial_collection_count(t); c++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(sm_trial_collection(t, c)->name, names[k]) == 0 &&
                sm_trial_in_collection(t, c, id))
                return true;
    return strncmp(sm_names_text(sm_trial_names(t), id), "scalar/", 7) == 0;
}

/* ---- the charts ---- */

struct build {
    struct sm_chart_list *list;
    const struct sm_session *session;
    struct sm_names *there; /* an id is the index in the list */
};

static bool passes(const struct sm_chart_list *l, const char *name)
{
    if (l->filter && *l->filter == '/') {
        size_t n = strlen(l->filter + 1);
        n -= n > 1 && l->filter[n] == '/';
        return !n || sm_kept_regex_matches((struct sm_text){l->filter + 1, n}, sm_text(name));
    }
    bool pattern = l->filter && strpbrk(l->filter, "*?[");
    return !l->filter ||
           (pattern ? sm_glob_match(l->filter, name) : strcasestr(name, l->filter) != NULL);
}

/* Tensors that are in the list for another trial share its chart. */
static void add_chart(struct build *b, size_t trial, const struct sm_trial_tensor *x, bool pinned)
{
    struct sm_chart_list *l = b->list;
    const char *name = sm_trial_tensor_name(b->session->trials[trial].trial, x);
    if (!passes(l, name))
        return;
    uint32_t at = sm_names_add(b->there, name, strlen(name));
    if (at == l->n && SM_VEC_ROOM(l->items, l->n, l->cap))
        l->items[l->n++] = (struct sm_chart_item){trial, x->name, x->last.n, pinned};
    else if (at < l->n && l->items[at].newest < x->last.n)
        l->items[at].newest = x->last.n;
}

static void add_pinned(struct build *b)
{
    const struct sm_session *s = b->session;
    const struct sm_tags *pinned = &s->trials[s->current].pinned;
    const struct sm_trial *t = s->trials[s->current].trial;
    for (size_t i = 0; i < pinned->n; i++) {
        const char *name = sm_names_text(sm_trial_names(t), pinned->names[i]);
        const struct sm_trial_tensor *x = sm_trial_find(t, name, strlen(name));
        if (x)
            add_chart(b, s->current, x, true);
    }
}

/* The metric of the table of runs comes first. */
static void add_metric(struct build *b)
{
    const struct sm_session *s = b->session;
    const char *metric = sm_run_view(s)->table.metric;
    for (size_t i = 0, k = s->current; metric && i < s->n_trials; i++) {
        const struct sm_trial_tensor *x = sm_trial_find(s->trials[k].trial, metric, strlen(metric));
        if (x && sm_trials_shown(s, k)) {
            add_chart(b, k, x, false);
            return;
        }
        k = (k + 1) % s->n_trials;
    }
}

/* Losses, then other scalars. */
static void add_trial(struct build *b, size_t trial)
{
    const struct sm_trial *t = b->session->trials[trial].trial;
    for (int losses = 1; losses >= 0; losses--)
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
            const char *name = sm_trial_tensor_name(t, x);
            bool loss = strcasestr(name, "loss") != NULL;
            if (loss == (losses == 1) && is_charted(t, x->name) && !sm_trial_is_validation(t, name))
                add_chart(b, trial, x, false);
        }
}

/* ---- order ---- */

struct order_key {
    struct sm_chart_item item;
    const char *name;
    enum sm_chart_order order;
    size_t place; /* in the list, or by hand */
};

static int compare_charts(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    int order = y->item.pinned - x->item.pinned;
    if (!order && x->order == SM_CHARTS_BY_NAME)
        order = sm_natural_cmp(x->name, y->name);
    if (!order && x->order == SM_CHARTS_BY_NEWEST)
        order = (x->item.newest < y->item.newest) - (x->item.newest > y->item.newest);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static size_t place_of(const struct sm_chart_list *l, const char *name, size_t i)
{
    bool by_hand = l->order == SM_CHARTS_BY_HAND && l->hand;
    uint32_t at = by_hand ? sm_names_find(l->hand, name, strlen(name)) : SM_NAME_NONE;
    return at != SM_NAME_NONE ? at : by_hand ? sm_names_count(l->hand) + i : i;
}

static void sort_charts(struct sm_chart_list *l, const struct sm_session *s)
{
    struct order_key *keys = sm_xalloc((l->n + 1) * sizeof *keys);
    for (size_t i = 0; i < l->n; i++) {
        const char *name = sm_chart_list_name(l, s, i);
        keys[i] = (struct order_key){l->items[i], name, l->order, place_of(l, name, i)};
    }
    qsort(keys, l->n, sizeof *keys, compare_charts);
    for (size_t i = 0; i < l->n; i++)
        l->items[i] = keys[i].item;
    sm_free(keys);
}

void sm_chart_list_update(struct sm_chart_list *l, const struct sm_view *v)
{
    const struct sm_session *s = v->session;
    struct sm_err err;
    if (v->sweep)
        sm_run_view_read(v->session, sm_run_view(s), &err);
    if (!sm_session_trial(s) || l->stamp == stamp_of(l, v))
        return;
    struct build b = {l, s, sm_names_new()};
    l->stamp = stamp_of(l, v);
    l->n = 0;
    if (!b.there)
        return;
    add_pinned(&b);
    if (v->sweep)
        add_metric(&b);
    add_trial(&b, s->current);
    for (size_t i = 0; i < s->n_trials; i++)
        if (i != s->current && sm_trials_shown(s, i))
            add_trial(&b, i);
    sm_names_free(b.there);
    sort_charts(l, s);
}

/* ---- what the user chooses ---- */

void sm_chart_list_filter(struct sm_chart_list *l, const char *text)
{
    sm_free(l->filter);
    l->filter = *text ? sm_xstrdup(text) : NULL;
    l->changes++;
}

void sm_chart_list_sort(struct sm_chart_list *l, enum sm_chart_order order)
{
    l->order = order;
    l->changes++;
}

/* Remembers the order of the list as the one by hand; names that a filter leaves out now come after
 * it. */
static void keep_order(struct sm_chart_list *l, const struct sm_session *s)
{
    struct sm_names *before = l->hand, *hand = sm_names_new();
    if (!hand)
        return;
    for (size_t i = 0; i < l->n; i++) {
        const char *name = sm_chart_list_name(l, s, i);
        sm_names_add(hand, name, strlen(name));
    }
    for (uint32_t i = 0; before && i < sm_names_count(before); i++)
        sm_names_add(hand, sm_names_text(before, i), sm_names_length(before, i));
    sm_names_free(before);
    l->hand = hand;
    sm_chart_list_sort(l, SM_CHARTS_BY_HAND);
}

bool sm_chart_list_move(struct sm_chart_list *l, const struct sm_session *s, size_t i, int by)
{
    size_t to = by > 0 ? i + 1 : i - 1;
    if (i >= l->n || to >= l->n || l->items[i].pinned != l->items[to].pinned)
        return false;
    struct sm_chart_item moved = l->items[i];
    l->items[i] = l->items[to];
    l->items[to] = moved;
    keep_order(l, s);
    return true;
}

void sm_chart_list_forget(struct sm_chart_list *l)
{
    l->n = 0;
    l->stamp = 0;
}

void sm_chart_list_clear(struct sm_chart_list *l)
{
    sm_free(l->filter);
    sm_free(l->items);
    if (l->hand)
        sm_names_free(l->hand);
    *l = (struct sm_chart_list){0};
}
