/* SPDX-License-Identifier: Apache-2.0 */
/* display, undisplay, info display: expressions that are shown at each stop. */
#include "commands/answer/element_format.h"
#include "commands/answer/shape.h"
#include "commands/stops/break_tensors.h"
#include "commands/stops/display.h"
#include "commands/stops/stops.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- display ---- */

/* Valid while the call waits. */
struct displaying {
    unsigned number; /* of the new display; 0: show all */
    struct sm_displayed shown;
};

static bool add_display(struct sm_call *c, unsigned *number, struct sm_err *err)
{
    struct sm_expr *e;
    if (sm_format_is_drawn(&c->format))
        return sm_err_set(err, SM_ERR_USAGE, "display does not draw: /%c is for print and x.",
                          c->format.letter);
    if (!sm_expr_parse(c->raw.p, c->raw.n, &c->arena, &e, err) ||
        !sm_break_check_names(c, c->raw, err))
        return false;
    *number = sm_display_add(c->session, c->raw, &c->format);
    return true;
}

/* Shows a new display at once. */
static bool run_display(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct displaying *d = c->state;
    const struct sm_trial *t = sm_session_trial(c->session);
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (!d) {
        unsigned number = 0;
        if (c->raw.n && !add_display(c, &number, err))
            return false;
        d = c->state = sm_arena_xalloc(&c->arena, sizeof *d);
        d->number = number;
    }
    return sm_displays_show(c, &d->shown, d->number, out, sm_node_list(out, NULL, NULL), err);
}

static const struct sm_arg display_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR}, {0}};
const struct sm_cmd sm_cmd_display = {
    .name = "display",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show an expression now and at each stop",
    .help = "step, next, goto and similar commands show all displays in the order of their "
            "numbers. Without EXPR they are\n"
            "shown now.",
    .example = "display/.4f mean(CNN_fc1.weight)",
    .see_also = "undisplay, step, print, info",
    .args = display_args,
    .flags = SM_CMD_FORMAT | SM_CMD_RAW | SM_CMD_LISTING,
    .answer = "[" SM_SHAPE_DISPLAY "]",
    .run = run_display,
};

/* ---- undisplay ---- */

static bool run_undisplay(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    if (!c->n_words)
        sm_displays_clear(c->session);
    for (size_t i = 0; i < c->n_words; i++) {
        int64_t number;
        if (!sm_call_int(&c->words[i], 1, UINT32_MAX, &number, err))
            return false;
        if (!sm_display_remove(c->session, (unsigned)number))
            return sm_err_set(err, SM_ERR_USAGE,
                              "There is no display number %u.  Try \"info display\".",
                              (unsigned)number);
    }
    return true;
}

static const struct sm_arg undisplay_args[] = {
    {.name = "N", .kind = SM_ARG_NUMBER, .repeats = true}, {0}};
const struct sm_cmd sm_cmd_undisplay = {
    .name = "undisplay",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Remove some displayed expressions, or all",
    .example = "undisplay 1 2",
    .see_also = "display",
    .args = undisplay_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_undisplay,
};

/* ---- info display ---- */

static const struct sm_column display_columns[] = {
    {.key = "number", .header = "NUM", .format = SM_COL_NUMBER},
    {.key = "format", .header = "FORMAT"},
    {.key = "expr", .header = "EXPRESSION"},
};

static const char *format_of(struct sm_result *out, const struct sm_display *d)
{
    const char *letter = d->letter ? (char[]){d->letter, 0} : "";
    if (d->precision < 0)
        return d->letter ? sm_arena_xprintf(&out->arena, "%s", letter) : NULL;
    return sm_arena_xprintf(&out->arena, ".%d%s", d->precision, letter);
}

static bool run_info_display(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    (void)err;
    for (size_t i = 0; i < sm_stops(c->session)->n_displays; i++) {
        const struct sm_display *d = &sm_stops(c->session)->displays[i];
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_node_uint(out, map, "number", d->number);
        sm_node_text(out, map, "format", format_of(out, d));
        sm_node_text(out, map, "expr", d->expr);
    }
    sm_result_listing(out, list, display_columns, COUNT(display_columns));
    if (!list->first)
        sm_result_text(out, "There are no auto-display expressions now.");
    return true;
}

const struct sm_cmd sm_cmd_info_display = {
    .parent = "info",
    .name = "display",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the expressions that are shown at each stop",
    .example = "info display",
    .see_also = "display",
    .flags = SM_CMD_LISTING,
    .answer = "[{number:int,format:text?,expr:text}]",
    .run = run_info_display,
};
