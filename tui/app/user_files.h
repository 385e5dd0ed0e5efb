/* Files of our own in the user's directories, as the XDG specification has them; relative values are ignored. */
#ifndef SM_PLACE_H
#define SM_PLACE_H

#include "reader/base/str.h"

enum { SM_PLACE_MAX = 1 << 20 };
char *sm_place_state(const char *name);                    /* $XDG_STATE_HOME/smdbg/NAME; to be freed; NULL: there is no HOME */
char *sm_place_config(const char *name);                   /* $XDG_CONFIG_HOME/smdbg/NAME */
/* The directories above the file that are ours to make: two below HOME, and our own. */
bool sm_place_make(const char *path);
bool sm_place_read(const char *path, struct sm_str *out);  /* of a file longer than SM_PLACE_MAX about so much */
bool sm_place_write(const char *path, const struct sm_str *text);          /* whole or not at all, mode 0600 */

#endif
