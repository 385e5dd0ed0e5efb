/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_skip.h"
#include "commands/stops/break_test.h"
#include "commands/stops/stops.h"

#include <string.h>

void sm_break_skips_clear(struct sm_break_skips *x)
{
    sm_free(x->seen);
    sm_free(x->no_value);
    *x = (struct sm_break_skips){0};
}

enum { SKIPPED = 1, DECIDED = 2, NO_VALUE = 4 };

/* Returns false if the tensor has the mark already. */
static bool mark_tensor(struct sm_break_skips *x, uint32_t tensor, uint8_t mark)
{
    size_t cap = x->cap ? x->cap : 64;
    if (tensor == SM_NAME_NONE)
        return true;
    while (cap <= tensor)
        cap *= 2;
    if (cap > x->cap) {
        x->seen = sm_xrealloc(x->seen, cap, 1);
        memset(x->seen + x->cap, 0, cap - x->cap);
        x->cap = cap;
    }
    bool marked = x->seen[tensor] & mark;
    x->seen[tensor] |= mark;
    return !marked;
}

static void note_failure(struct sm_break_skips *x, const struct sm_trial *t,
                         const struct sm_probe *p)
{
    if (x->failed)
        return;
    x->failed = true;
    sm_err_set(&x->why, p->code, "%s", p->why);
    if (p->tensor != SM_NAME_NONE)
        sm_err_prefix(&x->why, "%s", sm_names_text(sm_trial_names(t), p->tensor));
}

bool sm_break_skips_note(struct sm_break_skips *x, const struct sm_trial *t,
                         const struct sm_probe *p)
{
    if (x->of != t)
        sm_break_skips_clear(x);
    x->of = t;
    if (p->state != SM_PROBE_FAILED) {
        x->decided = x->decided || !p->undecided;
        mark_tensor(x, p->tensor, p->undecided ? NO_VALUE : DECIDED);
        if (p->undecided && !x->no_value && p->why)
            x->no_value = sm_xstrdup(p->why);
        return true;
    }
    note_failure(x, t, p);
    if (p->code != SM_ERR_USAGE && p->code != SM_ERR_LIMIT)
        return p->code == SM_ERR_MISSING || p->code == SM_ERR_DATA || p->code == SM_ERR_IO;
    if (p->tensor == SM_NAME_NONE)
        x->steps++;
    else
        x->tensors += mark_tensor(x, p->tensor, SKIPPED);
    return true;
}

void sm_break_skips_text(const struct sm_break_skips *x, struct sm_str *out)
{
    if (!x->tensors && !x->steps)
        return;
    size_t n = x->tensors ? x->tensors : x->steps;
    sm_str_printf(out, "%zu %s%s skipped: %s", n, x->tensors ? "tensor" : "step",
                  n == 1 ? " was" : "s were", x->why.msg);
}

/* Appends how many tensors never gave the condition a value, such as $v of a matrix. */
static void add_without_value(const struct sm_break_skips *x, struct sm_str *out)
{
    size_t n = 0;
    for (size_t i = 0; i < x->cap; i++)
        n += x->seen[i] == NO_VALUE;
    if (n)
        sm_str_printf(out, "%s%zu tensor%s no value: %s", out->len ? "; " : "", n,
                      n == 1 ? " gave it" : "s gave it", x->no_value);
    else if (!x->decided && !x->failed && x->no_value)
        sm_str_printf(out, "it had no value: %s", x->no_value);
}

static void show_one(struct sm_breakpoint *b, bool end, struct sm_result *out)
{
    struct sm_break_skips *x = &b->skips;
    struct sm_str text = {0};
    sm_break_skips_text(x, &text);
    if (end)
        add_without_value(x, &text);
    if (text.len && (end || x->said != x->tensors + x->steps))
        sm_result_dim(out, "%s %u: %s", sm_breakpoint_noun(b), b->number, sm_str_text(&text));
    x->said = x->tensors + x->steps;
    sm_str_clear(&text);
}

void sm_break_skips_show(struct sm_session *s, bool end, struct sm_result *out)
{
    const struct sm_breakpoints *list = &sm_stops(s)->breakpoints;
    struct sm_node *rows = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const struct sm_break_skips *x = &list->items[i]->skips;
        show_one(list->items[i], end, out);
        if (!x->tensors && !x->steps)
            continue;
        rows = rows ? rows : sm_node_list(out, out->root, "skipped");
        struct sm_node *row = sm_node_map(out, rows, NULL);
        sm_node_uint(out, row, "number", list->items[i]->number);
        sm_node_uint(out, row, "tensors", x->tensors);
        sm_node_uint(out, row, "steps", x->steps);
        sm_node_text(out, row, "reason", x->why.msg);
    }
}

bool sm_break_skips_check(const struct sm_session *s, struct sm_err *err)
{
    const struct sm_breakpoints *list = &sm_stops(s)->breakpoints;
    for (size_t i = 0; i < list->n; i++) {
        const struct sm_breakpoint *b = list->items[i];
        if (!b->enabled || b->skips.decided || !b->skips.failed)
            continue;
        *err = b->skips.why;
        if (err->code == SM_ERR_MISSING || err->code == SM_ERR_LIMIT)
            err->code = SM_ERR_USAGE; /* the condition is wrong, whatever is missing */
        return sm_err_prefix(err, "%s %u cannot be tested", sm_breakpoint_noun(b), b->number);
    }
    return true;
}
