/* Files that are there whole, as they were or as they should be, whatever happens while they are
 * written. */
#ifndef SM_REPLACE_H
#define SM_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes n bytes beside path and renames that. A new file gets the mode less the umask, one that is
 * there keeps its own. False: errno says why, and path is as it was. */
bool sm_replace_file(const char *path, const char *bytes, size_t n, mode_t mode);

#endif
