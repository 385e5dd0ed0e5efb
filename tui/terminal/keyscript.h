/* SPDX-License-Identifier: Apache-2.0 */
/* Keys from a file, for tests and pictures: words separated by blanks. A word is the name of a key;
 * "text:..." to type a text, with ~ for a blank; "save:FILE"; "click:X,Y", "move:X,Y",
 * "release:X,Y", "wheel-up:X,Y", "wheel-down:X,Y"; or "wait", which does nothing. Before each word
 * the player waits until no values are being read. */
#ifndef SM_KEYSCRIPT_H
#define SM_KEYSCRIPT_H

#include "tui/terminal/screen.h"

struct sm_keyscript {
    char *text;
    const char *next;
};
struct sm_keyscript_ops {
    void (*key)(void *ctx, int key);
    void (*mouse)(void *ctx, const struct sm_mouse *m);
    void (*save)(void *ctx, const char *path);
};
/* A file that cannot be read is an empty script. */
void sm_keyscript_open(struct sm_keyscript *s, const char *path);
/* Plays one word. Returns false at the end of the script. */
bool sm_keyscript_play(struct sm_keyscript *s, const struct sm_keyscript_ops *ops, void *ctx);
void sm_keyscript_clear(struct sm_keyscript *s);

#endif
