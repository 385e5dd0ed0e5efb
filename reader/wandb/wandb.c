/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb.h"

#include "reader/base/mem.h"
#include "reader/wandb/wandb_run.h"

#include <string.h>

enum { HEAD_BYTES = 8 * 1024, HEAD_BYTES_GROW = 32, HEAD_BYTES_MAX = 8 * 1024 * 1024 };

/* "run-…" or "offline-run-…", as W&B names the folder of a run. */
static bool is_run_folder_name(const char *name)
{
    const char *p = strncmp(name, "offline-", 8) == 0 ? name + 8 : name;
    return strncmp(p, "run-", 4) == 0 && p[4] >= '0' && p[4] <= '9' && strchr(p, '_');
}

/* By its name, so that an empty one and one with a damaged header are runs, too; or by its header.
 */
static bool is_run_file(const struct sm_run_folder *f, const char *name)
{
    char head[4];
    if (!sm_ends_with(name, SM_WANDB_ENDING))
        return false;
    return strncmp(name, "run-", 4) == 0 ||
           (sm_run_folder_head(f, name, head, sizeof head) == sizeof head &&
            memcmp(head, ":W&B", sizeof head) == 0);
}

/* The name is in the first records; a large configuration may be before it. NULL: it is not there.
 * The caller frees it. */
static char *read_name(const struct sm_run_folder *f, const char *file)
{
    struct sm_str name = {0};
    bool over = false;
    for (size_t size = HEAD_BYTES; !over && size <= HEAD_BYTES_MAX; size *= HEAD_BYTES_GROW) {
        uint8_t *head = sm_alloc(size);
        size_t n = head ? sm_run_folder_head(f, file, head, size) : 0;
        over = sm_wandb_find_name((struct sm_bytes){head, n}, &name) || n < size;
        sm_free(head);
    }
    if (name.len && !name.failed)
        return name.data;
    sm_str_clear(&name);
    return NULL;
}

/* Adds the runs of the folder, and claims their files. The only one of W&B's folder is the folder.
 */
static size_t add_runs(struct sm_run_folder *f, bool own)
{
    const char *only = NULL;
    size_t n = 0;
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *item = sm_run_folder_item(f, i);
        if (!item->is_dir && !item->claimed && is_run_file(f, item->name))
            only = n++ ? NULL : item->name;
    }
    for (size_t i = 0; n && i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *item = sm_run_folder_item(f, i);
        if (item->is_dir || item->claimed || !is_run_file(f, item->name))
            continue;
        char *name = read_name(f, item->name);
        sm_run_folder_add(f, own && only ? NULL : item->name, name);
        sm_run_folder_claim(f, item->name);
        sm_free(name);
    }
    return n;
}

static bool has_run_folders(const struct sm_run_folder *f)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *item = sm_run_folder_item(f, i);
        if (item->is_dir && is_run_folder_name(item->name))
            return true;
    }
    return false;
}

/* What else W&B has in a folder of runs: the link to the newest, its own logs and settings, the
 * configurations of sweeps. */
static void claim_others(struct sm_run_folder *f)
{
    static const char *const prefixes[] = {"latest-run", "debug", "settings", "sweep-"};
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const char *name = sm_run_folder_item(f, i)->name;
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (strncmp(name, prefixes[k], strlen(prefixes[k])) == 0)
                sm_run_folder_claim(f, name);
    }
}

/* As W&B makes it: nothing else is in it. */
static bool is_run_folder(const struct sm_run_folder *f)
{
    return is_run_folder_name(sm_run_folder_name(f)) || sm_run_folder_has_dir(f, "files");
}

static void find(struct sm_run_folder *f)
{
    const char *name = sm_run_folder_name(f);
    bool own = is_run_folder(f);
    if (add_runs(f, own) && own)
        sm_run_folder_claim_all(f);
    if ((strcmp(name, "wandb") == 0 || strcmp(name, ".wandb") == 0) && has_run_folders(f))
        claim_others(f);
}

static const struct sm_trial_traits traits = {
    .name = "wandb",
    .label = "W&B",
    .title = "W&B run",
    .files = "W&B's run files",
    .runs = true,
};
const struct sm_trial_kind sm_trial_kind_wandb = SM_LOG_KIND(traits, sm_wandb_format, find);
