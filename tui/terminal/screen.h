/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal through curses: writes grids, reads keys. No other module calls curses.
 *
 * A frame is a grid; only what differs from the last frame is written, in one write. Without a
 * terminal (tests, key scripts) the screen keeps the grid and writes nothing. */
#ifndef SM_SCREEN_H
#define SM_SCREEN_H

#include "plot/grid/grid_print.h"
#include "reader/base/err.h"

/* Keys beyond Unicode. */
enum sm_key {
    SM_KEY_NONE = 0,
    SM_KEY_ESC = 27,
    SM_KEY_ENTER = 13,
    SM_KEY_TAB = 9,
    SM_KEY_BACKSPACE = 127,
    SM_KEY_SPECIAL = 0x110000,
    SM_KEY_UP,
    SM_KEY_DOWN,
    SM_KEY_LEFT,
    SM_KEY_RIGHT,
    SM_KEY_HOME,
    SM_KEY_END,
    SM_KEY_PGUP,
    SM_KEY_PGDN,
    SM_KEY_BACKTAB,
    SM_KEY_DELETE,
    SM_KEY_INSERT,
    SM_KEY_RESIZE,
    SM_KEY_MOUSE,
    SM_KEY_PASTE_BEGIN,
    SM_KEY_PASTE_END,
    SM_KEY_F1,
    SM_KEY_F12 = SM_KEY_F1 + 11
};

struct sm_mouse {
    enum sm_mouse_kind {
        SM_MOUSE_OTHER,
        SM_MOUSE_CLICK,
        SM_MOUSE_MOVE, /* to another cell while the button is pressed */
        SM_MOUSE_RELEASE,
        SM_MOUSE_WHEEL_UP,
        SM_MOUSE_WHEEL_DOWN
    } kind;
    int x, y; /* the cell */
};

struct sm_screen;
struct sm_screen_options {
    enum sm_color_depth depth;
    bool light, altscreen, headless;
    int w, h; /* headless size */
};
bool sm_screen_open(const struct sm_screen_options *o, struct sm_screen **out, struct sm_err *err);
/* Restores the terminal; a crash handler does it, too. Returns false if the terminal accepts no
 * output. */
bool sm_screen_close(struct sm_screen *s);
void sm_screen_size(const struct sm_screen *s, int *w, int *h);
bool sm_screen_resized(struct sm_screen *s);    /* reads the terminal's size; false if unchanged */
int sm_screen_fd(const struct sm_screen *s);    /* the terminal's input; -1 headless */
bool sm_screen_lost(const struct sm_screen *s); /* the terminal was closed */
int sm_screen_key(struct sm_screen *s); /* next key without blocking; SM_KEY_NONE if there is none
                                         */
/* Makes the terminal report the mouse or not. While it does, the terminal cannot select text. */
void sm_screen_mouse(struct sm_screen *s, bool on);
void sm_screen_mouse_event(struct sm_screen *s, struct sm_mouse *out); /* after SM_KEY_MOUSE */
/* Shows the grid; cursor_x < 0 hides the cursor. Returns false if the terminal is not ready for
 * output; the frame was dropped. */
bool sm_screen_show(struct sm_screen *s, const struct sm_grid *g, int cursor_x, int cursor_y);
/* the terminal's file descriptor while part of a frame is not sent yet; else -1 */
int sm_screen_unsent(const struct sm_screen *s);
void sm_screen_send(struct sm_screen *s); /* sends as much as the terminal accepts now */
/* Copies to the clipboard, with the next frame. Returns false if the terminal has no clipboard or
 * the text is too long. */
bool sm_screen_copy(struct sm_screen *s, const char *text, size_t n);
/* sends a control sequence with the next frame; it must not move the cursor */
void sm_screen_say(struct sm_screen *s, const char *sequence);
void sm_screen_bell(struct sm_screen *s); /* with the next frame, unless the terminal is slow */
/* Applies the settings; draws all cells again if one has changed. */
void sm_screen_configure(struct sm_screen *s, bool light, bool altscreen);
void sm_screen_redraw(struct sm_screen *s);  /* Ctrl-L */
void sm_screen_suspend(struct sm_screen *s); /* before a shell or SIGTSTP */
void sm_screen_resume(struct sm_screen *s);
enum sm_color_depth sm_screen_depth(void); /* from NO_COLOR, COLORTERM, TERM (doc/language.md) */
/* By suffix: .svg a picture, .ansi text with colours, else plain text. Written as every output file
 * (commands/session/outfile.h). */
struct sm_session;
bool sm_screen_save(const struct sm_session *s, const struct sm_grid *g, const char *path,
                    struct sm_err *err);

#endif
