/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of keys: the built-in keys and those that the user has bound to commands. */
#ifndef SM_KEY_HELP_H
#define SM_KEY_HELP_H

#include "tui/panes/pane.h"
#include "tui/terminal/keymap.h"

/* One key binding. */
struct sm_key_help {
    const char *keys, *action, *context, *help;
};

/* Adds the key help of a pane. */
void sm_key_help_text(const struct sm_pane_ops *ops, const struct sm_keymap *m, struct sm_str *out);
/* The rows of `info keys`; free them with sm_key_help_free. They borrow texts of `m`, so they are
 * invalid after sm_keymap_bind. m NULL: only the built-in keys. */
struct sm_key_help *sm_key_help_rows(const struct sm_keymap *m, size_t *n);
void sm_key_help_free(struct sm_key_help *rows, size_t n);

#endif
