/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in the tensor pane: what was written at the step, in lines of the pane's width. Views that
 * need numbers show it in their place. */
#include "commands/pictures/special_values.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <string.h>

/* Of a longer text so much is shown. */
enum { BYTES_MAX = 256 << 10 };

/* Escaped, line ends kept, tabs as blanks; several texts are numbered. */
static void add_text(struct sm_str *out, const struct sm_tensor *t, uint64_t i)
{
    struct sm_str plain = {0};
    size_t left = out->len < BYTES_MAX ? BYTES_MAX - out->len : 0;
    size_t n = t->strings[i].n < left ? t->strings[i].n : left;
    if (t->n > 1)
        sm_str_printf(out, "[%llu] ", (unsigned long long)i);
    for (size_t k = 0; k < n; k++)
        sm_str_addn(&plain, t->strings[i].p[k] == '\t' ? "    " : t->strings[i].p + k,
                    t->strings[i].p[k] == '\t' ? 4 : 1);
    sm_str_add_escaped_lines(out, sm_str_text(&plain), plain.len);
    sm_str_add(out, "\n");
    sm_str_clear(&plain);
}

static void fold_texts(struct sm_tensor_pane *s, const struct sm_tensor *t, int w,
                       struct sm_str *text)
{
    bool special = sm_special_text(t, text);
    for (uint64_t i = 0; !special && i < t->n && text->len < BYTES_MAX; i++)
        add_text(text, t, i);
    sm_fold_text(&s->texts, sm_str_text(text), text->len, w, true);
    while (s->texts.n && !s->texts.lines[s->texts.n - 1].n)
        s->texts.n--;
}

/* Below the text: "text 3 of 12  [ ] others  lines 1-20 of 31". */
static void draw_place(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                       size_t shown, struct sm_grid *g, struct sm_rect r)
{
    struct sm_str line = {0};
    const struct sm_trial_tensor *x = frame->x;
    size_t from = 0, to;
    sm_trial_entries_at(frame->trial, x, sm_trial_part(frame->trial, frame->e.part)->step, &from,
                        &to);
    sm_str_printf(&line, "text %zu of %zu", from + 1, (size_t)x->n_entries);
    if (x->n_entries > 1 && frame->focused)
        sm_str_add(&line, "   [ ] others");
    if (shown < s->texts.n)
        sm_str_printf(&line, "   lines %zu-%zu of %zu", s->text_top + 1, s->text_top + shown,
                      s->texts.n);
    sm_grid_text(g, r.x + 1, r.y + r.h - 1, r.w - 1, SM_ROLE_DIM, 0, sm_str_text(&line));
    sm_str_clear(&line);
}

void sm_tensor_pane_draw_text(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                              struct sm_grid *g, struct sm_rect r)
{
    struct sm_err err = {0};
    struct sm_str text = {0}, line = {0};
    const struct sm_tensor *t = sm_tensor_pane_tensor(s, frame, &err);
    if (!t || r.w < 2 || r.h < 1) {
        sm_tensor_pane_error(frame, &err, g, r);
        return;
    }
    fold_texts(s, t, r.w - 2, &text);
    size_t room = r.h > 2 ? (size_t)r.h - 1 : (size_t)r.h;
    size_t last = s->texts.n > room ? s->texts.n - room : 0;
    s->text_top = s->text_top < last ? s->text_top : last;
    s->text_page = room;
    size_t shown = s->texts.n - s->text_top < room ? s->texts.n - s->text_top : room;
    for (size_t i = 0; i < shown; i++) {
        const struct sm_fold_line *f = &s->texts.lines[s->text_top + i];
        sm_str_truncate(&line, 0);
        sm_str_addn(&line, sm_str_text(&text) + f->from, f->n);
        sm_grid_text(g, r.x + 1 + f->indent, r.y + (int)i, r.w - 1 - f->indent, SM_ROLE_TEXT, 0,
                     sm_str_text(&line));
    }
    if (r.h > 2)
        draw_place(s, frame, shown, g, r);
    sm_str_clear(&text);
    sm_str_clear(&line);
}

bool sm_tensor_pane_act_on_text(struct sm_tensor_pane *s, enum sm_key_action a)
{
    size_t page = s->text_page ? s->text_page : 1, by = 0;
    bool up = a == SM_ACT_UP || a == SM_ACT_PAGE_UP || a == SM_ACT_FIRST;
    if (a == SM_ACT_UP || a == SM_ACT_DOWN)
        by = 1;
    else if (a == SM_ACT_PAGE_UP || a == SM_ACT_PAGE_DOWN)
        by = page;
    else if (a == SM_ACT_FIRST || a == SM_ACT_LAST)
        by = SIZE_MAX / 2;
    else
        return false;
    s->text_top = !up ? s->text_top + by : s->text_top < by ? 0 : s->text_top - by;
    return true;
}
