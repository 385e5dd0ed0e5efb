/* Atomic file replacement: whatever happens, readers see the old file or the whole new one. */
#ifndef SM_REPLACE_H
#define SM_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes n bytes to a temporary file next to path and renames it to path. A new file gets `mode`
 * less the umask; an existing one keeps its mode. False: errno says why, and path is unchanged. */
bool sm_replace_file(const char *path, const char *bytes, size_t n, mode_t mode);

#endif
