/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/settings_form.h"

#include "plot/table.h"
#include "tui/dashboard/input_line.h"
#include "tui/dashboard/layout.h"
#include "tui/terminal/screen.h"

#include <stdio.h>
#include <string.h>

enum { NAME_W = 24, VALUE_W = 18, FOOT = 3, MARGIN = 2 };

const char *const sm_settings_form_hints[] = {"Enter change", "h l next value", "Backspace default",
                                              "w write",      "Esc close",      NULL};
const char *const sm_settings_form_edit_hints[] = {"Enter keep", "Esc cancel", NULL};

void sm_settings_form_open(struct sm_settings_form *u)
{
    u->shown = true;
    u->editing = false;
    u->err.msg[0] = 0;
}

void sm_settings_form_clear(struct sm_settings_form *u)
{
    sm_str_clear(&u->input);
    *u = (struct sm_settings_form){0};
}

/* ---- the values of a setting ---- */

static bool is_toggle(const struct sm_setting *row)
{
    return row->type == SM_SETTING_BOOL || row->type == SM_SETTING_ENUM;
}

static void add_range(const struct sm_setting *row, struct sm_str *out)
{
    char from[32], to[32];
    sm_format_shortest(row->min, false, from);
    sm_format_shortest(row->max, false, to);
    sm_str_printf(out, "%s to %s", from, to);
}

/* "one of auto, light, dark; default auto", "0 to 16 digits; default 8", "a number of lines, auto
 * or unlimited; default auto" */
static void describe_values(const struct sm_setting *row, struct sm_str *out)
{
    static const char *const kinds[] = {
        [SM_SETTING_BOOL] = "on or off",
        [SM_SETTING_INT] = "a number",
        [SM_SETTING_REAL] = "a number",
        [SM_SETTING_ENUM] = "one of",
        [SM_SETTING_SIZE] = "a size as 256Mi",
        [SM_SETTING_DURATION] = "a time as 500ms, 10s, 5m",
        [SM_SETTING_TEXT] = "text",
    };
    bool number = row->type == SM_SETTING_INT || row->type == SM_SETTING_REAL,
         open = row->max >= SM_SETTING_UNLIMITED;
    if (number && !open)
        add_range(row, out);
    else
        sm_str_add(out, kinds[row->type]);
    if (number && row->unit)
        sm_str_printf(out, "%s %s", open ? " of" : "", row->unit);
    for (size_t i = 0; row->words && row->words[i]; i++)
        sm_str_printf(out, "%s %s",
                      row->type != SM_SETTING_ENUM ? " or"
                      : i                          ? ","
                                                   : "",
                      row->words[i]);
    if (row->type != SM_SETTING_REAL && number && open)
        sm_str_add(out, " or unlimited");
    if (*row->initial)
        sm_str_printf(out, "; default %s", row->initial);
}

/* ---- drawing ---- */

struct drawing {
    const struct sm_settings_form *u;
    const struct sm_settings *s;
    struct sm_grid *g;
    const struct sm_glyphs *glyphs;
};

/* Draws the end of a long line. */
static void draw_input(const struct drawing *d, struct sm_rect at)
{
    const char *from = sm_str_text(&d->u->input);
    uint32_t rune;
    for (int w = (int)sm_text_width(from, strlen(from)); w >= at.w && *from;
         w -= sm_rune_width(rune)) {
        size_t n = sm_utf8_decode(from, strlen(from), &rune);
        from += n ? n : 1;
    }
    int x =
        at.x + sm_grid_text(d->g, at.x, at.y, at.w - 1, SM_ROLE_ACCENT, SM_ATTR_UNDERLINE, from);
    sm_grid_attr(d->g, (struct sm_rect){x, at.y, 1, 1}, SM_ATTR_REVERSE);
}

static void draw_value(const struct drawing *d, const struct sm_setting *row, struct sm_rect at)
{
    struct sm_str text = {0};
    sm_setting_text(d->s, row, &text);
    if (row->unit && row->type == SM_SETTING_INT && strspn(sm_str_text(&text), "0123456789"))
        sm_str_printf(&text, " %s", row->unit);
    sm_cut_text(d->g, at.x, at.y, at.w, SM_ROLE_TEXT, text.len ? sm_str_text(&text) : "-",
                d->glyphs);
    sm_str_clear(&text);
}

static void draw_row(const struct drawing *d, size_t i, struct sm_rect at)
{
    const struct sm_setting *row = sm_setting_row(d->s, i);
    bool here = i == d->u->rows.cursor;
    int width = at.w - NAME_W, help = NAME_W + VALUE_W;
    struct sm_rect value = {at.x + NAME_W, at.y, (width < VALUE_W ? width : VALUE_W) - 1, 1};
    if (!sm_setting_is_initial(d->s, row))
        sm_grid_put(d->g, at.x, at.y, '*', SM_ROLE_ACCENT, SM_ATTR_BOLD);
    sm_cut_text(d->g, at.x + 2, at.y, NAME_W - 3, SM_ROLE_TEXT, row->name, d->glyphs);
    sm_cut_text(d->g, at.x + help, at.y, at.w - help, SM_ROLE_DIM, row->help, d->glyphs);
    if (here && d->u->editing) {
        draw_input(d, value);
        return;
    }
    draw_value(d, row, value);
    if (here)
        sm_grid_attr(d->g, at, SM_ATTR_REVERSE);
}

static void draw_foot(const struct drawing *d, struct sm_rect at)
{
    const struct sm_setting *row = sm_setting_row(d->s, d->u->rows.cursor);
    struct sm_str text = {0};
    describe_values(row, &text);
    for (int x = 0; x < at.w; x++)
        sm_grid_put(d->g, at.x + x, at.y, d->glyphs->h, SM_ROLE_BORDER, 0);
    sm_cut_text(d->g, at.x, at.y + 1, at.w, SM_ROLE_TEXT, row->help, d->glyphs);
    if (d->u->err.msg[0])
        sm_cut_text(d->g, at.x, at.y + 2, at.w, SM_ROLE_WARN, d->u->err.msg, d->glyphs);
    else
        sm_cut_text(d->g, at.x, at.y + 2, at.w, SM_ROLE_DIM, sm_str_text(&text), d->glyphs);
    sm_str_clear(&text);
}

static void add_note(const struct drawing *d, struct sm_str *note)
{
    size_t changed = 0;
    for (size_t i = 0; i < d->s->n; i++)
        changed += !sm_setting_is_initial(d->s, sm_setting_row(d->s, i));
    sm_rows_note(&d->u->rows, d->s->n, note);
    if (changed)
        sm_str_printf(note, "%s* %zu changed", note->len ? "  " : "", changed);
}

void sm_settings_form_draw(struct sm_settings_form *u, const struct sm_settings *s,
                           struct sm_grid *g, struct sm_rect r, const struct sm_glyphs *glyphs)
{
    struct sm_str note = {0};
    struct sm_rect in = {r.x + MARGIN, r.y + 1, r.w - 2 * MARGIN, r.h - 2 - FOOT};
    const struct drawing d = {u, s, g, glyphs};
    sm_grid_blank(g, r);
    sm_rows_show(&u->rows, s->n, in.h);
    for (int y = 0; y < in.h && u->rows.top + (size_t)y < s->n; y++)
        draw_row(&d, u->rows.top + (size_t)y, (struct sm_rect){in.x, in.y + y, in.w, 1});
    if (in.h > 0)
        draw_foot(&d, (struct sm_rect){in.x, in.y + in.h, in.w, FOOT});
    add_note(&d, &note);
    sm_layout_frame(g, r, "settings", true, sm_str_text(&note), glyphs);
    sm_str_clear(&note);
}

/* ---- keys ---- */

static void start_change(struct sm_settings_form *u, struct sm_settings *s)
{
    const struct sm_setting *row = sm_setting_row(s, u->rows.cursor);
    if (is_toggle(row)) {
        sm_setting_cycle(s, row, true);
        return;
    }
    sm_str_truncate(&u->input, 0);
    sm_setting_text(s, row, &u->input);
    u->editing = true;
}

static void type_key(struct sm_settings_form *u, struct sm_settings *s, int key)
{
    char bytes[4];
    if (key == SM_KEY_ESC || key == 3)
        u->editing = false;
    else if (key == SM_KEY_ENTER || key == '\n')
        u->editing =
            !sm_setting_set(s, sm_setting_row(s, u->rows.cursor), sm_str_text(&u->input), &u->err);
    else if (!sm_input_edit(&u->input, key) && key >= 32 && key < SM_KEY_SPECIAL)
        sm_str_addn(&u->input, bytes, sm_utf8_encode((uint32_t)key, bytes));
}

bool sm_settings_form_key(struct sm_settings_form *u, struct sm_settings *s, int key)
{
    const struct sm_setting *row = sm_setting_row(s, u->rows.cursor);
    enum sm_key_action a = sm_keymap_find(key, SM_CTX_HELP);
    u->err.msg[0] = 0;
    if (u->editing) {
        type_key(u, s, key);
        return true;
    }
    switch (key == ' ' ? SM_ACT_OPEN : a) {
    case SM_ACT_OPEN:
        start_change(u, s);
        return true;
    case SM_ACT_LEFT:
    case SM_ACT_RIGHT:
        if (is_toggle(row))
            sm_setting_cycle(s, row, a == SM_ACT_RIGHT);
        return true;
    case SM_ACT_UPWARDS:
        sm_setting_set(s, row, row->initial, NULL);
        return true;
    case SM_ACT_CLOSE:
    case SM_ACT_BACK:
    case SM_ACT_SETTINGS:
        u->shown = false;
        return true;
    default:
        return sm_rows_act(&u->rows, s->n, a);
    }
}

void sm_settings_form_wheel(struct sm_settings_form *u, const struct sm_settings *s,
                            enum sm_key_action a)
{
    if (!u->editing)
        sm_rows_act(&u->rows, s->n, a);
}
