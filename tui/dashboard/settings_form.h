/* SPDX-License-Identifier: Apache-2.0 */
/* The settings screen: all settings with their values. Enter cycles through words; other values are
 * typed. */
#ifndef SM_SETTINGS_FORM_H
#define SM_SETTINGS_FORM_H

#include "commands/session/setting.h"
#include "plot/grid/glyphs.h"
#include "tui/panes/listing.h"

struct sm_settings_form {
    bool shown, editing;
    struct sm_rows rows;
    struct sm_str input; /* the typed value while editing */
    struct sm_err err;   /* msg: why the value is invalid; until the next key */
};
void sm_settings_form_open(struct sm_settings_form *u);
/* Handles a key: moves, changes, types, closes. Returns false for other keys. */
bool sm_settings_form_key(struct sm_settings_form *u, struct sm_settings *s, int key);
void sm_settings_form_wheel(struct sm_settings_form *u, const struct sm_settings *s,
                            enum sm_key_action a);
/* Draws a frame that fills r. */
void sm_settings_form_draw(struct sm_settings_form *u, const struct sm_settings *s,
                           struct sm_grid *g, struct sm_rect r, const struct sm_glyphs *glyphs);
/* Hints for the key line. */
extern const char *const sm_settings_form_hints[], *const sm_settings_form_edit_hints[];
void sm_settings_form_clear(struct sm_settings_form *u);

#endif
