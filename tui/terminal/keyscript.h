/* Keys from a file, for tests and pictures: names of keys between blanks; "text:..." typed, ~ for a
 * blank; "save:FILE"; "click:X,Y", "release:X,Y", "wheel-up:X,Y", "wheel-down:X,Y"; "wait", which
 * does nothing but, as every word, waits until nothing is being read. */
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
/* Plays one word. False: there was none. */
bool sm_keyscript_play(struct sm_keyscript *s, const struct sm_keyscript_ops *ops, void *ctx);
void sm_keyscript_clear(struct sm_keyscript *s);

#endif
