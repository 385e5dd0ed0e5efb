/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/input_line.h"

#include "tui/terminal/screen.h"

static void drop_rune(struct sm_str *s)
{
    size_t n = s->len;
    while (n && ((unsigned char)s->data[n - 1] & 0xc0) == 0x80)
        n--;
    sm_str_truncate(s, n ? n - 1 : 0);
}

static void drop_word(struct sm_str *s)
{
    size_t n = s->len;
    while (n && s->data[n - 1] == ' ')
        n--;
    while (n && s->data[n - 1] != ' ')
        n--;
    sm_str_truncate(s, n);
}

bool sm_input_edit(struct sm_str *line, int key)
{
    enum { CTRL_U = 21, CTRL_W = 23 };
    if (key == SM_KEY_BACKSPACE)
        drop_rune(line);
    else if (key == CTRL_W)
        drop_word(line);
    else if (key == CTRL_U)
        sm_str_truncate(line, 0);
    else
        return false;
    return true;
}

void sm_input_toggle_regex(struct sm_str *text)
{
    struct sm_str other = {0};
    bool was = text->len && text->data[0] == '/';
    sm_str_add(&other, was ? "" : "/");
    sm_str_add(&other, sm_str_text(text) + was);
    sm_str_clear(text);
    *text = other;
}
