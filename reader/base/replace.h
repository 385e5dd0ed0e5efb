/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic file replacement: whatever happens, readers see the old file or the whole new one. The
 * bytes go to a temporary file beside it, PATH.RANDOM.tmp, which is removed on failure and by
 * sm_replacements_unlink; after SIGKILL it stays and is in nobody's way. */
#ifndef SM_REPLACE_H
#define SM_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes n bytes to a temporary file next to path and renames it to path. A new file gets `mode`
 * less the umask; an existing one keeps its mode. False: errno says why, and path is unchanged. */
bool sm_replace_file(const char *path, const char *bytes, size_t n, mode_t mode);

/* The same in parts. */
struct sm_replacement {
    char *path, *temporary;
    int fd;         /* open for writing; the caller may close it and set it to -1 */
    unsigned place; /* among those that sm_replacements_unlink removes */
};
/* False: errno says why, and there is nothing to end. */
bool sm_replacement_begin(struct sm_replacement *r, const char *path, mode_t mode);
/* Closes fd and renames the file to its path, or removes it if `keep` is false or that fails.
 * Returns whether the file is in place; otherwise errno says why. */
bool sm_replacement_end(struct sm_replacement *r, bool keep);

/* Removes the temporary files of all that have begun. For signal handlers of a program that ends;
 * of more than 16 at a time some may stay. */
void sm_replacements_unlink(void);

#endif
