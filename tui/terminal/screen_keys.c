/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/screen_keys.h"

#include "tui/terminal/screen.h"

int sm_screen_key_of(wint_t c)
{
    static const struct {
        int curses, key;
    } table[] = {
        {KEY_UP, SM_KEY_UP},
        {KEY_DOWN, SM_KEY_DOWN},
        {KEY_LEFT, SM_KEY_LEFT},
        {KEY_RIGHT, SM_KEY_RIGHT},
        {KEY_HOME, SM_KEY_HOME},
        {KEY_END, SM_KEY_END},
        {KEY_PPAGE, SM_KEY_PGUP},
        {KEY_NPAGE, SM_KEY_PGDN},
        {KEY_BTAB, SM_KEY_BACKTAB},
        {KEY_DC, SM_KEY_DELETE},
        {KEY_IC, SM_KEY_INSERT},
        {KEY_BACKSPACE, SM_KEY_BACKSPACE},
        {KEY_ENTER, SM_KEY_ENTER},
        {KEY_RESIZE, SM_KEY_RESIZE},
        {KEY_PASTE_BEGIN, SM_KEY_PASTE_BEGIN},
        {KEY_PASTE_END, SM_KEY_PASTE_END},
        {KEY_MOUSE, SM_KEY_MOUSE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((int)c == table[i].curses)
            return table[i].key;
    if ((int)c >= KEY_F(1) && (int)c <= KEY_F(12))
        return SM_KEY_F1 + (int)c - KEY_F(1);
    return SM_KEY_SPECIAL;
}
