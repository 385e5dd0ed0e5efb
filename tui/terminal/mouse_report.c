/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/mouse_report.h"

#include <string.h>

enum { BUTTON = 3, MOVES = 32, WHEEL = 64, SIDEWAYS = 2, CELLS_MAX = 100000 };

static enum sm_mouse_kind kind_of(int code, bool released)
{
    if (code & WHEEL)
        return code & SIDEWAYS ? SM_MOUSE_OTHER
               : code & 1      ? SM_MOUSE_WHEEL_DOWN
                               : SM_MOUSE_WHEEL_UP;
    if (code & BUTTON)
        return SM_MOUSE_OTHER;
    return code & MOVES ? SM_MOUSE_MOVE : released ? SM_MOUSE_RELEASE : SM_MOUSE_CLICK;
}

/* Takes a number and the character after it off *p. -1: there is none. */
static int take_number(const char **p, char after)
{
    int n = 0;
    const char *from = *p;
    for (; **p >= '0' && **p <= '9' && n < CELLS_MAX; ++*p)
        n = 10 * n + (**p - '0');
    if (*p == from || **p != after)
        return -1;
    *p += after != 0;
    return n;
}

enum sm_mouse_reading sm_mouse_report_add(struct sm_mouse_report *r, int c, struct sm_mouse *out)
{
    bool ends = c == 'M' || c == 'm', part = (c >= '0' && c <= '9') || c == ';';
    if (part && r->n + 1 < sizeof r->text) {
        r->text[r->n++] = (char)c;
        return SM_MOUSE_READS_ON;
    }
    r->text[r->n] = 0;
    r->n = 0;
    const char *p = r->text;
    int code = ends ? take_number(&p, ';') : -1, x = code < 0 ? -1 : take_number(&p, ';'),
        y = x < 0 ? -1 : take_number(&p, 0);
    if (x < 1 || y < 1)
        return SM_MOUSE_NOT_ONE;
    *out = (struct sm_mouse){.kind = kind_of(code, c == 'm'), .x = x - 1, .y = y - 1};
    return SM_MOUSE_READ;
}
