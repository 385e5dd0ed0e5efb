/* News from a directory tree: inotify where it works. The heartbeat that also works on NFS is the
 * tail's own. */
#ifndef SM_WATCH_H
#define SM_WATCH_H

#include "reader/base/err.h"

struct sm_watch;
/* Watches nothing yet. NULL with err when the system has no inotify or no more instances: live by
 * heartbeat only. */
struct sm_watch *sm_watch_new(struct sm_err *err);
void sm_watch_free(struct sm_watch *w);
int sm_watch_fd(const struct sm_watch *w);
/* Watches one directory (absolute or relative to the process); again is harmless. False: does not
 * exist (SM_ERR_MISSING), or a limit is reached. `tag` comes back with its events. */
bool sm_watch_add(struct sm_watch *w, const char *dir, unsigned tag, struct sm_err *err);
/* Takes waiting events without blocking: calls each(ctx, tag, name) for every file created, renamed
 * to, closed after writing, or deleted; name NULL: the directory itself went, or events were lost
 * (scan everything). */
void sm_watch_pump(struct sm_watch *w, void (*each)(void *ctx, unsigned tag, const char *name),
                   void *ctx);

#endif
