/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/verdict_rows.h"

#include "plot/table.h"

#include <stdio.h>
#include <string.h>

enum {
    TINY = 14,  /* lines of a screen without quiet rows */
    SMALL = 20, /* one row */
    ROOMY = 30, /* a row for each part; below: three rows */
    INDENT = 3,
    GAP = 3,
    SHORTEST = 16 /* columns for names of effects */
};
static const char hint[] = "W evidence";

int sm_verdict_rows_count(const struct sm_verdict_view *v, int h)
{
    if (v->state != SM_VERDICT_CAUSE)
        return h >= TINY;
    if (h < SMALL)
        return 1;
    return h < ROOMY ? 3 : 1 + (int)v->n_evidence + (v->n_effects > 0) + (*v->attempts != '\0');
}

/* ---- parts ---- */

static uint32_t glyph_of(const struct sm_verdict_view *v, const struct sm_glyphs *g,
                         enum sm_role *role)
{
    static const enum sm_role roles[] = {
        [SM_VERDICT_NOT_ASKED] = SM_ROLE_DIM, [SM_VERDICT_TOO_LARGE] = SM_ROLE_DIM,
        [SM_VERDICT_READING] = SM_ROLE_DIM,   [SM_VERDICT_NONE] = SM_ROLE_OK,
        [SM_VERDICT_UNKNOWN] = SM_ROLE_WARN,  [SM_VERDICT_CAUSE] = SM_ROLE_PROBLEM};
    *role = roles[v->state];
    return v->state == SM_VERDICT_CAUSE  ? g->warn
           : v->state == SM_VERDICT_NONE ? g->ok
                                         : g->waiting;
}

static void add_quiet(const struct sm_verdict_view *v, struct sm_str *out)
{
    if (v->speed && *v->speed && v->state >= SM_VERDICT_NONE)
        sm_str_printf(out, "%s. ", v->speed);
    if (v->state == SM_VERDICT_NOT_ASKED)
        sm_str_add(out, "looking: no value was saved yet");
    else if (v->state == SM_VERDICT_TOO_LARGE)
        sm_str_printf(out, "no verdict: the trial is larger than %s; \"verdict\" reads it",
                      v->limit);
    else if (v->state == SM_VERDICT_READING)
        sm_str_printf(out, "looking: %d %%", v->percent);
    else if (v->state == SM_VERDICT_NONE)
        sm_str_printf(out, "Nothing wrong in %s", v->scope);
    else if (v->n_evidence)
        sm_str_printf(out, "No verdict: %s", v->evidence[0].text);
    else
        sm_str_printf(out, "No verdict%s%s", *v->missing ? "; not saved: " : "", v->missing);
}

static void add_line(const struct sm_verdict_line *l, int w, const struct sm_glyphs *g,
                     struct sm_str *out)
{
    if (l->name) {
        sm_elide_name(out, l->name, w / 2, g);
        sm_str_add(out, ": ");
    }
    sm_str_add(out, l->text);
}

/* "then @1 dead ReLUs, @3 NaN (2 effects)"; effects that do not fit are cut or left out. */
static void add_effects(const struct sm_verdict_view *v, int w, const struct sm_glyphs *g,
                        struct sm_str *out)
{
    char count[32];
    struct sm_str names = {0};
    int left = w - snprintf(count, sizeof count, "(%zu effect%s)", v->n_effects,
                            v->n_effects == 1 ? "" : "s");
    for (size_t k = 0; k < v->n_effects; k++)
        sm_str_printf(&names, "%s%s", k ? ", " : "then ", v->effects[k].name);
    if (left > SHORTEST) {
        sm_elide_end(out, sm_str_text(&names), left - 1, g);
        sm_str_addc(out, ' ');
    }
    sm_str_add(out, count);
    sm_str_clear(&names);
}

/* ---- rows ---- */

static void draw_text(struct sm_grid *g, struct sm_rect at, enum sm_role role, struct sm_str *text,
                      const struct sm_glyphs *glyphs)
{
    sm_cut_text(g, at.x, at.y, at.w, role, sm_str_text(text), glyphs);
    sm_str_clear(text);
}

static void draw_evidence(const struct sm_verdict_view *v, size_t i, struct sm_grid *g,
                          struct sm_rect at, const struct sm_glyphs *glyphs, bool timeless)
{
    struct sm_str text = {0};
    if (timeless && v->timed)
        return;
    add_line(&v->evidence[i], at.w, glyphs, &text);
    draw_text(g, at, SM_ROLE_TEXT, &text, glyphs);
}

static void draw_effects(const struct sm_verdict_view *v, struct sm_grid *g, struct sm_rect at,
                         const struct sm_glyphs *glyphs)
{
    struct sm_str text = {0};
    if (!v->n_effects || at.w < 12)
        return;
    add_effects(v, at.w, glyphs, &text);
    draw_text(g, at, SM_ROLE_DIM, &text, glyphs);
}

/* "TRY Lower the learning rate", and the key at the right end. */
static void draw_attempts(const struct sm_verdict_view *v, struct sm_grid *g, struct sm_rect at,
                          const struct sm_glyphs *glyphs)
{
    int w = at.w - (int)sizeof hint - GAP;
    if (*v->attempts) {
        sm_grid_text(g, at.x, at.y, at.w, SM_ROLE_ACCENT, SM_ATTR_BOLD, "TRY");
        sm_cut_text(g, at.x + 4, at.y, w - 4, SM_ROLE_TEXT, v->attempts, glyphs);
    }
    sm_grid_text(g, at.x + at.w - (int)sizeof hint, at.y, (int)sizeof hint, SM_ROLE_DIM, 0, hint);
}

/* Returns the columns used. */
static int draw_headline(const struct sm_verdict_view *v, struct sm_grid *g, struct sm_rect at,
                         const struct sm_glyphs *glyphs, bool with_evidence)
{
    struct sm_str text = {0};
    sm_str_add(&text, v->headline);
    if (with_evidence && v->n_evidence) {
        sm_str_add(&text, ": ");
        add_line(&v->evidence[0], at.w, glyphs, &text);
    }
    int used = (int)sm_text_width(sm_str_text(&text), text.len);
    draw_text(g, at, SM_ROLE_TEXT, &text, glyphs);
    sm_grid_attr(g, (struct sm_rect){at.x, at.y, used < at.w ? used : at.w, 1}, SM_ATTR_BOLD);
    return used;
}

static void draw_cause(const struct sm_verdict_view *v, struct sm_grid *g, struct sm_rect r,
                       const struct sm_glyphs *glyphs, bool timeless)
{
    struct sm_rect row = {r.x + INDENT, r.y, r.w - INDENT - 1, 1};
    bool roomy = r.h > 3 || (r.h == 3 && !v->n_effects);
    int used = draw_headline(v, g, row, glyphs, r.h < 3 && !(timeless && v->timed)) + GAP;
    if (r.h < 3)
        return;
    if (!roomy)
        draw_effects(v, g, (struct sm_rect){row.x + used, row.y, row.w - used, 1}, glyphs);
    for (size_t i = 0; i < v->n_evidence && (i == 0 || r.h > 3); i++) {
        row.y++;
        draw_evidence(v, i, g, row, glyphs, timeless);
    }
    if (roomy && v->n_effects) {
        row.y++;
        draw_effects(v, g, row, glyphs);
    }
    row.y++;
    draw_attempts(v, g, row, glyphs);
}

void sm_verdict_rows_draw(const struct sm_verdict_view *v, struct sm_grid *g, struct sm_rect r,
                          const struct sm_glyphs *glyphs, bool timeless)
{
    enum sm_role role;
    uint32_t glyph = glyph_of(v, glyphs, &role);
    struct sm_str text = {0};
    if (r.h < 1)
        return;
    sm_grid_put(g, r.x + 1, r.y, glyph, role, v->state == SM_VERDICT_CAUSE ? SM_ATTR_BOLD : 0);
    if (v->state == SM_VERDICT_CAUSE) {
        draw_cause(v, g, r, glyphs, timeless);
        return;
    }
    add_quiet(v, &text);
    draw_text(g, (struct sm_rect){r.x + INDENT, r.y, r.w - INDENT - 1, 1}, SM_ROLE_DIM, &text,
              glyphs);
}
