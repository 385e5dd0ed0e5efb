/* SPDX-License-Identifier: Apache-2.0 */
/* Files that commands write ("> FILE", ">> FILE", save). Writing into an open trial is refused, as
 * is all writing with --readonly (permission.h). */
#ifndef SM_OUTFILE_H
#define SM_OUTFILE_H

#include "commands/session/session.h"
#include "reader/base/replace.h"

#include <stdio.h>

/* In all paths "~/" is the home directory. Errors are SM_ERR_USAGE or SM_ERR_REFUSED, as the file
 * belongs to the user and not to the trial. */
/* Appends the expanded path to `full`. Returns false if the path is inside an open trial, or with
 * --readonly: for code that opens the file itself. */
bool sm_outfile_path(const struct sm_session *s, const char *path, struct sm_str *full,
                     struct sm_err *err);
/* Checks whether the file may be written. over: an existing file may be overwritten. */
bool sm_outfile_check(const struct sm_session *s, const char *path, bool over, struct sm_err *err);
/* Writes n bytes. Without append an existing regular file is replaced at once, never half written.
 */
bool sm_outfile_write(const struct sm_session *s, const char *path, bool append, const char *bytes,
                      size_t n, struct sm_err *err);
/* Opens a file that stays open: a log. The caller closes it. NULL on error. */
FILE *sm_outfile_open(const struct sm_session *s, const char *path, bool append,
                      struct sm_err *err);
/* A file that is written in parts, for a command that goes on over several turns. A regular file is
 * replaced when it ends: until then its bytes are in a temporary one. Zero-initialised it is none.
 */
struct sm_outfile {
    FILE *f;
    bool replaces;
    struct sm_replacement file;
};
/* over: as in sm_outfile_check. False: there is nothing to end. */
bool sm_outfile_begin(struct sm_outfile *o, const struct sm_session *s, const char *path, bool over,
                      struct sm_err *err);
/* keep false: no file stays, and one that was there is as it was. False if it was to be kept and
 * could not be written. */
bool sm_outfile_end(struct sm_outfile *o, bool keep, struct sm_err *err);
/* Creates the file if it does not exist, and sets its time to now. */
bool sm_outfile_touch(const struct sm_session *s, const char *path, struct sm_err *err);

bool sm_is_svg_file(const char *path); /* "FILE.svg": the output is written as SVG */

#endif
