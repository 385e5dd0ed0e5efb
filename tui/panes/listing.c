/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/listing.h"

void sm_rows_show(struct sm_rows *l, size_t n, int h)
{
    size_t lines = h > 0 ? (size_t)h : 0;
    l->page = h;
    l->cursor = l->cursor < n ? l->cursor : n ? n - 1 : 0;
    if (l->cursor < l->top || n <= lines)
        l->top = n <= lines ? 0 : l->cursor;
    if (lines && l->cursor >= l->top + lines)
        l->top = l->cursor - lines + 1;
    if (l->top + lines > n)
        l->top = n > lines ? n - lines : 0;
}

static void move_cursor(struct sm_rows *l, size_t n, int64_t by)
{
    int64_t to = (int64_t)l->cursor + by;
    l->cursor = to < 0 || !n ? 0 : to >= (int64_t)n ? n - 1 : (size_t)to;
}

bool sm_rows_act(struct sm_rows *l, size_t n, enum sm_key_action a)
{
    int page = l->page > 1 ? l->page : 1, half = page > 1 ? page / 2 : 1;
    switch (a) {
    case SM_ACT_DOWN:
        move_cursor(l, n, 1);
        return true;
    case SM_ACT_UP:
        move_cursor(l, n, -1);
        return true;
    case SM_ACT_HALF_DOWN:
        move_cursor(l, n, half);
        return true;
    case SM_ACT_HALF_UP:
        move_cursor(l, n, -half);
        return true;
    case SM_ACT_TAG: /* lists without tags: Space pages down */
    case SM_ACT_PAGE_DOWN:
        move_cursor(l, n, page);
        return true;
    case SM_ACT_PAGE_UP:
        move_cursor(l, n, -page);
        return true;
    case SM_ACT_FIRST:
        move_cursor(l, n, INT32_MIN);
        return true;
    case SM_ACT_LAST:
        move_cursor(l, n, INT32_MAX);
        return true;
    default:
        return false;
    }
}

bool sm_rows_click(struct sm_rows *l, size_t n, int y)
{
    bool there = y >= 0 && y < l->page && l->top + (size_t)y < n;
    if (there)
        l->cursor = l->top + (size_t)y;
    return there;
}

void sm_rows_mark(const struct sm_rows *l, struct sm_grid *g, struct sm_rect row, size_t i,
                  bool focused)
{
    if (i == l->cursor)
        sm_grid_attr(g, row, focused ? SM_ATTR_REVERSE : SM_ATTR_BOLD);
}

void sm_rows_note(const struct sm_rows *l, size_t n, struct sm_str *note)
{
    size_t shown = l->page > 0 ? (size_t)l->page : 0;
    if (n > shown)
        sm_str_printf(note, "%zu-%zu of %zu", l->top + 1, l->top + shown, n);
}

void sm_rows_note_survey(const struct sm_trial *t, struct sm_str *note)
{
    struct sm_trial_seen seen = {0};
    if (t)
        seen = sm_trial_seen(t);
    if (seen.read + seen.failed < seen.values)
        sm_str_printf(note, "%s%llu of %llu values read", note->len ? "  " : "",
                      (unsigned long long)seen.read, (unsigned long long)seen.values);
}
