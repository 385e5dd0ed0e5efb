/* SPDX-License-Identifier: Apache-2.0 */
/* Translates key codes of curses, including codes that we define. */
#ifndef SM_SCREEN_KEYS_H
#define SM_SCREEN_KEYS_H

#define NCURSES_WIDECHAR 1
#include <curses.h>

enum {
    KEY_PASTE_BEGIN = KEY_MAX + 1,
    KEY_PASTE_END,
    KEY_WHOLE_FRAMES,
    KEY_NO_WHOLE_FRAMES,
    KEY_MOUSE_REPORT
};

int sm_screen_key_of(wint_t c); /* enum sm_key */

#endif
