/* Which key does what, for people: our keys and those that they have given a command. */
#ifndef SM_KEY_HELP_H
#define SM_KEY_HELP_H

#include "tui/panes/pane.h"
#include "tui/terminal/keymap.h"

/* One key binding, as the front end has it. */
struct sm_key_help {
    const char *keys, *action, *context, *help;
};

/* The help pane of a pane. */
void sm_key_help_text(const struct sm_pane_ops *ops, const struct sm_keymap *m, struct sm_str *out);
/* Rows for `info keys`, to be freed by sm_key_help_free; the texts of `m` are borrowed, so make
 * them anew after each sm_keymap_bind. m NULL: our keys only. */
struct sm_key_help *sm_key_help_rows(const struct sm_keymap *m, size_t *n);
void sm_key_help_free(struct sm_key_help *rows, size_t n);

#endif
