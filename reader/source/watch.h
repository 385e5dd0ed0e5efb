/* SPDX-License-Identifier: Apache-2.0 */
/* Change notifications for directories, through inotify where it works. The polling that also works
 * on NFS is in reader/trial_scan.c.
 *
 * All watchers of the process share one inotify instance, of which a user may have few. For one
 * thread. */
#ifndef SM_WATCH_H
#define SM_WATCH_H

#include "reader/base/err.h"

struct sm_watch;
/* Called for every file that was created, renamed to, written to, closed after writing, or deleted;
 * name NULL: the directory itself was removed, or events were lost (scan everything). It must not
 * add or free watchers. */
typedef void sm_watch_event(void *ctx, unsigned tag, const char *name);
/* A watcher without directories. NULL with err if the system has no inotify or no more instances;
 * then only polling is left. */
struct sm_watch *sm_watch_new(sm_watch_event *each, void *ctx, struct sm_err *err);
void sm_watch_free(struct sm_watch *w);
/* The descriptor to wait for, which all watchers have; -1: there is no watcher. */
int sm_watch_fd(void);
/* Watches one directory (absolute, or relative to the process); repeating it is harmless. False: it
 * does not exist (SM_ERR_MISSING), or a limit is reached. Its events carry `tag`. */
bool sm_watch_add(struct sm_watch *w, const char *dir, unsigned tag, struct sm_err *err);
/* Whether it watches directories, and all of them are on file systems of this machine: elsewhere
 * others may write without an event. */
bool sm_watch_is_sure(const struct sm_watch *w);
/* Handles waiting events of all watchers without blocking. */
void sm_watch_pump(void);

#endif
