/* SPDX-License-Identifier: Apache-2.0 */
/* The program's files in the user's directories of the XDG specification; relative values of its
 * variables are ignored. */
#ifndef SM_USER_FILES_H
#define SM_USER_FILES_H

#include "reader/base/str.h"

struct sm_session;
enum { SM_USER_FILE_MAX = 1 << 20 };
/* $XDG_STATE_HOME/smdbg/NAME; free it with sm_free. NULL if HOME is not set. */
char *sm_user_file_state(const char *name);
char *sm_user_file_config(const char *name); /* $XDG_CONFIG_HOME/smdbg/NAME */
/* Creates the missing directories above the file, mode 0700; HOME itself must exist. False with
 * EROFS: --readonly. */
bool sm_user_file_make(const struct sm_session *s, const char *path);
/* reads at most about SM_USER_FILE_MAX bytes */
bool sm_user_file_read(const char *path, struct sm_str *out);
/* replaces the file atomically, mode 0600 */
bool sm_user_file_write(const struct sm_session *s, const char *path, const struct sm_str *text);

#endif
