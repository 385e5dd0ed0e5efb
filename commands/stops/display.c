/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/display.h"
#include "commands/stops/stops.h"

#include "commands/answer/value_line.h"
#include "commands/place/evaluate.h"
#include "reader/base/grow.h"

#include <string.h>

unsigned sm_display_add(struct sm_session *s, struct sm_text expr, const struct sm_format *f)
{
    SM_GROW(sm_stops(s)->displays, sm_stops(s)->n_displays, sm_stops(s)->cap_displays);
    sm_stops(s)->displays[sm_stops(s)->n_displays++] = (struct sm_display){
        ++sm_stops(s)->last_display, sm_xstrndup(expr.p, expr.n), f->letter, f->precision};
    return sm_stops(s)->last_display;
}

bool sm_display_remove(struct sm_session *s, unsigned number)
{
    for (size_t i = 0; i < sm_stops(s)->n_displays; i++) {
        if (sm_stops(s)->displays[i].number != number)
            continue;
        sm_free(sm_stops(s)->displays[i].expr);
        sm_stops(s)->n_displays--;
        memmove(&sm_stops(s)->displays[i], &sm_stops(s)->displays[i + 1],
                (sm_stops(s)->n_displays - i) * sizeof *sm_stops(s)->displays);
        return true;
    }
    return false;
}

void sm_displays_clear(struct sm_session *s)
{
    while (sm_stops(s)->n_displays)
        sm_free(sm_stops(s)->displays[--sm_stops(s)->n_displays].expr);
}

/* The elements of a tensor are written below its type. */
static void write_value(struct sm_call *c, const struct sm_display *d, const struct sm_value *v,
                        struct sm_str *out)
{
    struct sm_print_options o;
    const struct sm_format format = {.given = true, .letter = d->letter, .precision = d->precision};
    sm_value_line(out, v, &format);
    if (v->type != SM_TENSOR)
        return;
    sm_session_print_options(c->session, &o);
    o.format = &format;
    sm_str_addc(out, '\n');
    sm_print_array(v->tensor, &o, false, out);
}

/* Evaluates a display: its value or the error. Returns false with SM_ERR_WAIT. */
static bool eval_display(struct sm_call *c, const struct sm_display *d, struct sm_shown *out,
                         struct sm_err *err)
{
    struct sm_value v;
    struct sm_str text = {0};
    struct sm_err why = {0};
    bool ok = sm_evaluate(c, sm_text(d->expr), &v, &why);
    if (!ok && why.code == SM_ERR_WAIT) {
        *err = why;
        return false;
    }
    sm_str_add_escaped(&text, d->expr, strlen(d->expr));
    sm_str_add(&text, ok ? " = " : ": ");
    size_t answer = text.len;
    if (ok)
        write_value(c, d, &v, &text);
    else
        sm_str_add(&text, why.msg);
    *out = (struct sm_shown){.text = sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len),
                             .failed = !ok};
    out->answer = out->text + answer;
    if (ok && (v.type == SM_NUMBER || v.type == SM_BOOL))
        out->value = v;
    if (ok)
        sm_value_clear(&v);
    sm_str_clear(&text);
    return true;
}

static void add_shown(struct sm_result *out, struct sm_node *list, const struct sm_display *d,
                      const struct sm_shown *shown)
{
    const struct sm_value *v = &shown->value;
    const struct sm_exact exact = sm_value_exact(v);
    struct sm_node *map = sm_node_map(out, list, NULL);
    sm_node_uint(out, map, "number", d->number);
    sm_node_text(out, map, "expr", d->expr);
    if (v->type == SM_BOOL)
        sm_node_bool(out, map, "value", v->number != 0);
    else if (v->type == SM_NUMBER)
        sm_node_exact(out, map, "value", &exact, v->single);
    else
        sm_node_text(out, map, "value", shown->failed ? NULL : shown->answer);
    if (shown->failed)
        sm_node_text(out, map, "problem", shown->answer);
    sm_result_text(out, "%u: %s", d->number, shown->text);
}

bool sm_displays_show(struct sm_call *c, struct sm_displayed *d, unsigned number,
                      struct sm_result *out, struct sm_node *list, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    size_t at = 0;
    if (!d->items)
        d->items = sm_arena_xalloc(&c->arena, (sm_stops(s)->n_displays + 1) * sizeof *d->items);
    for (size_t i = 0; i < sm_stops(s)->n_displays; i++) {
        if (number && sm_stops(s)->displays[i].number != number)
            continue;
        if (at == d->n && !eval_display(c, &sm_stops(s)->displays[i], &d->items[at], err))
            return false;
        d->n += at == d->n;
        add_shown(out, list, &sm_stops(s)->displays[i], &d->items[at++]);
    }
    return true;
}
