/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the directory of a run: it is made and tried when the hook is made; before the first step
 * it is locked, and what is done about an earlier run in it is what if_exists says. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIRECTORIES_MAX = 100000 }; /* DIR, DIR-2, ... */

/* Sets errno like hook_directory_make. */
static bool make_directory(const char *dir, bool *made, struct sm_err *err)
{
    struct stat st;
    errno = 0;
    if (!sm_writer_make_parents(dir, err))
        return false;
    if (mkdir(dir, 0777) == 0)
        *made = true;
    else if (errno != EEXIST)
        return sm_err_errno(err, "%s", dir);
    bool ok = stat(dir, &st) == 0;
    if (ok && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    ok = ok && faccessat(AT_FDCWD, dir, R_OK | W_OK | X_OK, AT_EACCESS) == 0;
    return ok || sm_err_errno(err, "%s", dir);
}

bool hook_directory_make(struct smdbg_hook *h, struct sm_err *err)
{
    bool ok = make_directory(h->dir, &h->made_dir, err);
    h->dir_errno = ok ? 0 : errno ? errno : ENOMEM;
    return ok;
}

bool hook_set_if_exists(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    static const char *const names[] = {"", "error", "new", "overwrite", "resume"};
    for (int i = HOOK_IF_ERROR; i <= HOOK_IF_RESUME; i++) {
        if (strcmp(value, names[i]) == 0) {
            h->if_exists = (enum hook_if_exists)i;
            return true;
        }
    }
    return sm_err_set(err, SM_ERR_USAGE,
                      "if_exists must be \"error\", \"new\", \"overwrite\" or \"resume\", not "
                      "\"%s\"",
                      value);
}

/* Several workers write into one directory: each looks after its own files, because the others may
 * have written already. NULL: one has all. */
static const char *own_worker(const struct smdbg_hook *h)
{
    return h->include_all && h->world_size > 1 ? h->worker : NULL;
}

static bool holds_run(const struct smdbg_hook *h)
{
    const char *worker = own_worker(h);
    return worker ? hook_run_has_worker(h->dir, worker) : hook_run_exists(h->dir);
}

/* Makes the directory again if another hook, which had made it and wrote nothing, has removed it.
 */
static bool lock_directory(struct smdbg_hook *h, struct sm_err *err)
{
    enum { ATTEMPTS = 10 };
    bool ok = false;
    for (int i = 0; !ok && i < ATTEMPTS && (i == 0 || errno == ENOENT); i++)
        ok = make_directory(h->dir, &h->made_dir, err) &&
             hook_lock_take(&h->lock_file, h->dir, h->include_all, h->rank, err);
    return ok;
}

/* ---- an earlier run ---- */

static bool refuse_run(struct smdbg_hook *h, struct sm_err *err)
{
    errno = EEXIST;
    return sm_err_set(err, SM_ERR_REFUSED,
                      "%s holds a run; set if_exists to new, overwrite or resume", h->dir);
}

/* The run of which the job says that it goes on: by its checkpoints, or by its step numbers. */
static bool goes_on(const struct smdbg_hook *h, int64_t first_step)
{
    return h->if_exists == HOOK_IF_UNSAID && (h->restarted || first_step > 0);
}

static bool treat_run(struct smdbg_hook *h, int64_t first_step, struct sm_err *err)
{
    if (!holds_run(h) || goes_on(h, first_step))
        return hook_run_remove_marks(h->dir, err);
    if (h->if_exists == HOOK_IF_OVERWRITE)
        return hook_run_remove(h->dir, own_worker(h), h->rank ? 0 : h->world_size, err);
    if (h->if_exists != HOOK_IF_RESUME)
        return refuse_run(h, err);
    return (h->restarted || hook_run_next_steps(h->dir, own_worker(h), h->next, err)) &&
           hook_run_remove_marks(h->dir, err);
}

/* Takes the first of DIR, DIR-2, DIR-3, ... that holds no run and that nobody writes into. */
static bool take_new(struct smdbg_hook *h, struct sm_err *err)
{
    char *first = sm_strdup(h->dir);
    bool ok = first || sm_err_set(err, SM_ERR_MEMORY, "no memory for a directory"), taken = false;
    if (own_worker(h) && h->rank)
        ok = sm_err_set(err, SM_ERR_USAGE,
                        "if_exists new is for the first worker: give the others its directory");
    for (int i = 1; ok && !taken && i <= DIRECTORIES_MAX; i++) {
        struct sm_str name = {0};
        sm_str_printf(&name, i > 1 ? "%s-%d" : "%s", first, i);
        h->made_dir = h->made_dir && i == 1;
        ok = !name.failed && hook_set_text(&h->dir, sm_str_text(&name), err);
        sm_str_clear(&name);
        taken = ok && !hook_run_exists(h->dir) && lock_directory(h, err);
        if (taken && hook_run_exists(h->dir)) { /* written since we looked */
            hook_lock_release(&h->lock_file, h->dir);
            taken = false;
        }
        ok = ok && (taken || err->code == SM_OK || err->code == SM_ERR_REFUSED);
        ok = ok && (!taken || hook_run_remove_marks(h->dir, err));
    }
    sm_free(first);
    return ok && (taken || sm_err_set(err, SM_ERR_LIMIT, "%s: no free name", h->dir));
}

bool hook_directory_take(struct smdbg_hook *h, int64_t first_step, struct sm_err *err)
{
    if (h->taken || !hook_writes(h))
        return true;
    errno = 0;
    bool ok = h->if_exists == HOOK_IF_NEW ? take_new(h, err)
                                          : lock_directory(h, err) && treat_run(h, first_step, err);
    h->dir_errno = ok ? 0 : errno ? errno : EIO;
    if (!ok && h->lock_file.held)
        hook_lock_release(&h->lock_file, h->dir);
    h->taken = ok;
    return ok;
}

void hook_directory_release(struct smdbg_hook *h)
{
    hook_lock_release(&h->lock_file, h->dir);
    h->taken = false;
}

void hook_directory_leave(struct smdbg_hook *h)
{
    hook_directory_release(h);
    if (h->made_dir)
        rmdir(h->dir); /* if nothing was written */
}
