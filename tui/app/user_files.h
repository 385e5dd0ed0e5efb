/* Files of our own in the user's directories, as the XDG specification has them; relative values
 * are ignored. */
#ifndef SM_USER_FILES_H
#define SM_USER_FILES_H

#include "reader/base/str.h"

enum { SM_USER_FILE_MAX = 1 << 20 };
/* $XDG_STATE_HOME/smdbg/NAME; to be freed; NULL: there is no HOME */
char *sm_user_file_state(const char *name);
char *sm_user_file_config(const char *name); /* $XDG_CONFIG_HOME/smdbg/NAME */
/* The directories above the file that are ours to make: two below HOME, and our own. */
bool sm_user_file_make(const char *path);
/* of a file longer than SM_USER_FILE_MAX about so much */
bool sm_user_file_read(const char *path, struct sm_str *out);
/* whole or not at all, mode 0600 */
bool sm_user_file_write(const char *path, const struct sm_str *text);

#endif
