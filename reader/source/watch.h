/* Change notifications for a directory tree, through inotify where it works. The polling that also
 * works on NFS is in tail.c. */
#ifndef SM_WATCH_H
#define SM_WATCH_H

#include "reader/base/err.h"

struct sm_watch;
/* A watcher without directories. NULL with err if the system has no inotify or no more instances;
 * then only polling is left. */
struct sm_watch *sm_watch_new(struct sm_err *err);
void sm_watch_free(struct sm_watch *w);
int sm_watch_fd(const struct sm_watch *w);
/* Watches one directory (absolute, or relative to the process); repeating it is harmless. False: it
 * does not exist (SM_ERR_MISSING), or a limit is reached. Its events carry `tag`. */
bool sm_watch_add(struct sm_watch *w, const char *dir, unsigned tag, struct sm_err *err);
/* Handles waiting events without blocking: calls each(ctx, tag, name) for every file created,
 * renamed to, closed after writing, or deleted; name NULL: the directory itself was removed, or
 * events were lost (scan everything). */
void sm_watch_pump(struct sm_watch *w, void (*each)(void *ctx, unsigned tag, const char *name),
                   void *ctx);

#endif
