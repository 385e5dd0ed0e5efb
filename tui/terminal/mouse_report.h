/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal reports of the mouse in xterm's SGR form (mode 1006): "ESC [ <", button; column;
 * row, and "M", or "m" for a release. curses reads this form only where the terminal's description
 * has it, which that of tmux and screen has not. */
#ifndef SM_MOUSE_REPORT_H
#define SM_MOUSE_REPORT_H

#include "tui/terminal/screen.h"

#include <stddef.h>

/* Sent to the terminal: cells that the mouse passes with a button pressed, and this form. */
#define SM_MOUSE_REPORT_ON    "\033[?1002h\033[?1006h"
#define SM_MOUSE_REPORT_OFF   "\033[?1002l\033[?1006l"
#define SM_MOUSE_REPORT_BEGIN "\033[<"

enum sm_mouse_reading { SM_MOUSE_READS_ON, SM_MOUSE_READ, SM_MOUSE_NOT_ONE };
struct sm_mouse_report {
    char text[24]; /* after the beginning */
    size_t n;
};
/* Takes the next character; begin with n 0. READ: *out is set. NOT_ONE: it is no report, and what
 * came of it is dropped. */
enum sm_mouse_reading sm_mouse_report_add(struct sm_mouse_report *r, int c, struct sm_mouse *out);

#endif
