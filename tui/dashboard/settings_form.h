/* The set-up screen: all settings with their values, one of which can be changed in its place. Words go round, all else is typed. */
#ifndef SM_SETUP_H
#define SM_SETUP_H

#include "commands/session/setting.h"
#include "plot/grid/glyphs.h"
#include "tui/panes/listing.h"

struct sm_setup {
    bool shown, editing;
    struct sm_rows rows;
    struct sm_str input;                 /* what is typed while editing */
    struct sm_err err;                   /* msg: why that cannot be; until the next key */
};
void sm_setup_open(struct sm_setup *u);
/* Moves, changes, types, closes. False: no key of it. */
bool sm_setup_key(struct sm_setup *u, struct sm_settings *s, int key);
void sm_setup_wheel(struct sm_setup *u, enum sm_action a);
/* In a frame over all of r. */
void sm_setup_draw(struct sm_setup *u, const struct sm_settings *s, struct sm_grid *g, struct sm_rect r, const struct sm_glyphs *glyphs);
/* For the key line. */
extern const char *const sm_setup_hints[], *const sm_setup_edit_hints[];
void sm_setup_clear(struct sm_setup *u);

#endif
