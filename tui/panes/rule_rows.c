/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/rule_rows.h"
#include "commands/judge/session_rules.h"

#include "commands/judge/stored_findings.h"

#include <stdlib.h>
#include <string.h>

void sm_rule_rows_init(struct sm_rule_rows *r)
{
    sm_result_init(&r->scratch);
    sm_rule_rows_forget(r);
}

void sm_rule_rows_forget(struct sm_rule_rows *r)
{
    sm_result_reset(&r->scratch);
    r->n = r->n_saved = 0;
    r->of = NULL;
    r->version = 0;
    r->stored = sm_node_list(&r->scratch, NULL, NULL);
}

void sm_rule_rows_clear(struct sm_rule_rows *r)
{
    sm_free(r->items);
    sm_result_clear(&r->scratch);
}

int sm_rule_row_rank(const struct sm_rule_row *r)
{
    if (r->saved || r->attached->triggered)
        return 0;
    return r->attached->status == SM_RULE_ERROR         ? 1
           : r->attached->status == SM_RULE_IN_PROGRESS ? 2
                                                        : SM_RULE_QUIET;
}

const char *sm_rule_row_name(const struct sm_rule_row *r)
{
    return r->attached ? r->attached->name : sm_node_get(r->saved, "instance")->text.p;
}

static int64_t first_fired(const struct sm_rule_row *r)
{
    if (r->saved)
        return sm_node_get(r->saved, "first_step")->i;
    return r->attached->triggered ? r->attached->first_fired : 0;
}

/* Orders by rank, then by the first violation: the rule that fired first is likely the origin. */
static bool goes_before(const struct sm_rule_row *a, const struct sm_rule_row *b)
{
    int x = sm_rule_row_rank(a), y = sm_rule_row_rank(b);
    return x < y || (x == y && first_fired(a) < first_fired(b));
}

/* Keeps the order of attaching for equal rows. */
static void add_row(struct sm_rule_rows *r, struct sm_rule_row row)
{
    if (r->n == r->cap)
        r->items = sm_xrealloc(r->items, r->cap = 2 * r->cap + 16, sizeof *r->items);
    size_t at = r->n++;
    for (; at && goes_before(&row, &r->items[at - 1]); at--)
        r->items[at] = r->items[at - 1];
    r->items[at] = row;
    r->n_saved += row.saved != NULL;
}

static void read_stored(struct sm_rule_rows *r, const struct sm_trial *t)
{
    uint64_t version = t ? sm_trial_version(t) : 0;
    if (r->of == t && r->version == version)
        return;
    sm_result_reset(&r->scratch);
    r->of = t;
    r->version = version;
    r->stored = sm_node_list(&r->scratch, NULL, NULL);
    if (t)
        sm_stored_findings(&r->scratch, r->stored, t, NULL);
}

/* The findings of the rule that the archive stores; NULL if it had not fired. */
static const struct sm_node *saved_of(const struct sm_rule_rows *r, const char *name)
{
    for (const struct sm_node *row = r->stored->first; row; row = row->next)
        if (sm_stored_fired(row) && sm_text_is(sm_node_get(row, "instance")->text, name))
            return row;
    return NULL;
}

void sm_rule_rows_read(struct sm_rule_rows *r, const struct sm_session *s)
{
    const struct sm_rules *rules =
        s->current < s->n_trials ? sm_session_rules_at(s, s->current) : NULL;
    size_t n = rules ? sm_rules_count(rules) : 0;
    r->n = r->n_saved = 0;
    read_stored(r, sm_session_trial(s));
    for (size_t i = 0; i < n; i++) {
        const struct sm_rule_instance *k = sm_rules_item(rules, i);
        add_row(r, (struct sm_rule_row){k, k->triggered ? NULL : saved_of(r, k->name)});
    }
    for (const struct sm_node *row = r->stored->first; row; row = row->next)
        if (sm_stored_fired(row) &&
            (!rules || sm_rules_find(rules, sm_node_get(row, "instance")->text.p) >= n))
            add_row(r, (struct sm_rule_row){NULL, row});
}
