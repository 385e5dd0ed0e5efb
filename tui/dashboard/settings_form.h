/* The set-up screen: all settings with their values, one of which can be changed in its place.
 * Words go round, all else is typed. */
#ifndef SM_SETTINGS_FORM_H
#define SM_SETTINGS_FORM_H

#include "commands/session/setting.h"
#include "plot/grid/glyphs.h"
#include "tui/panes/listing.h"

struct sm_settings_form {
    bool shown, editing;
    struct sm_rows rows;
    struct sm_str input; /* what is typed while editing */
    struct sm_err err;   /* msg: why that cannot be; until the next key */
};
void sm_settings_form_open(struct sm_settings_form *u);
/* Moves, changes, types, closes. False: no key of it. */
bool sm_settings_form_key(struct sm_settings_form *u, struct sm_settings *s, int key);
void sm_settings_form_wheel(struct sm_settings_form *u, const struct sm_settings *s,
                            enum sm_key_action a);
/* In a frame over all of r. */
void sm_settings_form_draw(struct sm_settings_form *u, const struct sm_settings *s,
                           struct sm_grid *g, struct sm_rect r, const struct sm_glyphs *glyphs);
/* For the key line. */
extern const char *const sm_settings_form_hints[], *const sm_settings_form_edit_hints[];
void sm_settings_form_clear(struct sm_settings_form *u);

#endif
