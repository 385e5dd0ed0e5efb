/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/diff_rows.h"

#include "commands/compare/config_diff.h"
#include "reader/base/vec.h"

#include <string.h>

void sm_diff_rows_init(struct sm_diff_rows *r)
{
    *r = (struct sm_diff_rows){0};
    sm_result_init(&r->scratch);
}

void sm_diff_rows_clear(struct sm_diff_rows *r)
{
    sm_free(r->items);
    sm_result_clear(&r->scratch);
}

void sm_diff_rows_forget(struct sm_diff_rows *r)
{
    sm_result_reset(&r->scratch);
    r->n = 0;
    r->of = NULL;
}

static void add_line(struct sm_diff_rows *r, struct sm_diff_line line)
{
    if (SM_VEC_ROOM(r->items, r->n, r->cap))
        r->items[r->n++] = line;
}

static const char *text_of(struct sm_diff_rows *r, const struct sm_node *row, const char *key)
{
    const struct sm_node *x = sm_node_get(row, key);
    return x && x->text.p && x->text.n ? sm_result_escape(&r->scratch, x->text.p, x->text.n) : NULL;
}

static void add_configuration(struct sm_diff_rows *r, const struct sm_compare *x)
{
    struct sm_node *list = sm_node_list(&r->scratch, NULL, NULL);
    size_t heading = r->n;
    sm_config_diff(&r->scratch, list, x->a.trial, x->b.trial);
    if (!list->first)
        return;
    add_line(r, (struct sm_diff_line){.kind = SM_DIFF_HEADING, .what = "configuration"});
    for (const struct sm_node *row = list->first; row; row = row->next)
        add_line(r, (struct sm_diff_line){.kind = SM_DIFF_CONFIG,
                                          .what = text_of(r, row, "what"),
                                          .a = text_of(r, row, "a"),
                                          .b = text_of(r, row, "b")});
    r->items[heading].n = r->n - heading - 1;
}

static void add_tensors(struct sm_diff_rows *r, const struct sm_compare_row **rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum sm_likeness like = sm_compare_likeness(rows[i]);
        if (like == SM_LIKE_DIFFERENT || like == SM_LIKE_CLOSE)
            add_line(r, (struct sm_diff_line){.kind = SM_DIFF_TENSOR, .row = rows[i]});
    }
}

static void add_incomparable(struct sm_diff_rows *r, const struct sm_compare_row **rows, size_t n,
                             bool finished)
{
    size_t heading = r->n;
    for (size_t i = 0; i < n; i++) {
        if (sm_compare_likeness(rows[i]) != SM_LIKE_INCOMPARABLE || (!finished && !rows[i]->why))
            continue;
        if (r->n == heading)
            add_line(r, (struct sm_diff_line){.kind = SM_DIFF_HEADING, .what = "incomparable"});
        add_line(r, (struct sm_diff_line){.kind = SM_DIFF_INCOMPARABLE, .row = rows[i]});
    }
    if (r->n > heading)
        r->items[heading].n = r->n - heading - 1;
}

static bool is_current(const struct sm_diff_rows *r, const struct sm_compare_live *d)
{
    return r->of == d && d && r->looked == d->contrast.looked + d->contrast.step &&
           r->versions[0] == sm_trial_version(d->contrast.a.trial) &&
           r->versions[1] == sm_trial_version(d->contrast.b.trial);
}

void sm_diff_rows_read(struct sm_diff_rows *r, const struct sm_compare_live *d)
{
    if (is_current(r, d))
        return;
    sm_diff_rows_forget(r);
    r->of = d;
    if (!d)
        return;
    const struct sm_compare *x = &d->contrast;
    const struct sm_compare_row **rows =
        sm_arena_xalloc(&r->scratch.arena, (x->n + 1) * sizeof *rows);
    r->looked = x->looked + x->step;
    r->versions[0] = sm_trial_version(x->a.trial);
    r->versions[1] = sm_trial_version(x->b.trial);
    sm_compare_rank(x, rows, r->counts);
    add_tensors(r, rows, x->n);
    add_configuration(r, x);
    add_incomparable(r, rows, x->n, sm_compare_live_over(d));
}
