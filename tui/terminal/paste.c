/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/paste.h"

#include "tui/terminal/screen.h"

#include <string.h>

static void add_key(struct sm_str *text, int key)
{
    char bytes[4];
    if (text->len >= SM_PASTE_MAX)
        return;
    if (key == SM_KEY_ENTER || key == '\n')
        sm_str_addc(text, '\n');
    else if (key == SM_KEY_TAB)
        sm_str_addc(text, ' ');
    else if (key >= 32 && key < SM_KEY_SPECIAL && key != SM_KEY_BACKSPACE)
        sm_str_addn(text, bytes, sm_utf8_encode((uint32_t)key, bytes));
}

bool sm_paste_key(struct sm_paste *p, int key, bool *done)
{
    *done = p->open && key == SM_KEY_PASTE_END;
    if (key == SM_KEY_PASTE_BEGIN) {
        sm_paste_drop(p);
        p->open = true;
        return true;
    }
    if (key == SM_KEY_PASTE_END) {
        p->open = false;
        while (p->text.len && p->text.data[p->text.len - 1] == '\n')
            sm_str_truncate(&p->text, p->text.len - 1);
        return true;
    }
    if (p->open)
        add_key(&p->text, key);
    return p->open;
}

size_t sm_paste_lines(const struct sm_paste *p)
{
    size_t n = p->text.len > 0;
    for (size_t i = 0; i < p->text.len; i++)
        n += p->text.data[i] == '\n';
    return n;
}

void sm_paste_drop(struct sm_paste *p)
{
    sm_str_truncate(&p->text, 0);
    p->open = p->asked = false;
}

void sm_paste_clear(struct sm_paste *p)
{
    sm_str_clear(&p->text);
}
