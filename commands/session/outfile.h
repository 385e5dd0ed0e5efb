/* Files that commands write: for "> FILE", ">> FILE" and save. Never into an open trial. */
#ifndef SM_OUTFILE_H
#define SM_OUTFILE_H

#include "commands/session/session.h"

/* "~/" is the home directory. Complaints are SM_ERR_USAGE or SM_ERR_REFUSED: the file is the
 * person's, not the trial's. */
/* The path that the program uses, appended to full; false: it is refused. */
bool sm_outfile_path(const struct sm_session *s, const char *path, struct sm_str *full,
                     struct sm_err *err);
/* over: a file that is there may be written over. */
bool sm_outfile_check(const struct sm_session *s, const char *path, bool over, struct sm_err *err);
bool sm_outfile_write(const struct sm_session *s, const char *path, bool append, const char *bytes,
                      size_t n, struct sm_err *err);

bool sm_is_picture_file(const char *path); /* "FILE.svg": what is drawn goes there as a picture */

#endif
