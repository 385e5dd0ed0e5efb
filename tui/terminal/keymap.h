/* SPDX-License-Identifier: Apache-2.0 */
/* Key bindings of the user: a key in a context runs a command line instead of the key's action. */
#ifndef SM_KEYMAP_H
#define SM_KEYMAP_H

#include "tui/terminal/key_action.h"

struct sm_key_line {
    int key;
    enum sm_context context;
    char *line;
};
struct sm_keymap {
    struct sm_key_line *items;
    size_t n, cap;
};
/* line "" removes the binding. */
void sm_keymap_bind(struct sm_keymap *m, int key, enum sm_context context, const char *line);
/* The line of the context, else the line of ALL; NULL if there is none. */
const char *sm_keymap_line(const struct sm_keymap *m, int key, enum sm_context context);
void sm_keymap_clear(struct sm_keymap *m);

#endif
