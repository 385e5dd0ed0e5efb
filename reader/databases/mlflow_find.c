/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/mlflow.h"

#include <string.h>

enum { META_MAX = 16 * 1024 };

static bool is_hex(const char *name, size_t n)
{
    return strlen(name) == n && strspn(name, "0123456789abcdef") == n;
}

/* Deleted experiments lie in a folder of this name. */
static bool is_in_trash(const char *path)
{
    for (const char *p = strstr(path, ".trash"); p; p = strstr(p + 1, ".trash"))
        if ((p == path || p[-1] == '/') && (p[6] == 0 || p[6] == '/'))
            return true;
    return false;
}

/* What a run logged as artifacts is no run: those of a run in a database, and of models. */
static bool is_artifacts(const struct sm_run_folder *folder)
{
    const char *name = sm_run_folder_name(folder);
    return sm_run_folder_has_dir(folder, "artifacts") &&
           (is_hex(name, 32) || (strncmp(name, "m-", 2) == 0 && is_hex(name + 2, 32)));
}

static bool read_meta(const struct sm_run_folder *folder, struct sm_mlflow_meta *meta)
{
    char head[META_MAX];
    size_t n = sm_run_folder_has_file(folder, "meta.yaml")
                   ? sm_run_folder_head(folder, "meta.yaml", head, sizeof head)
                   : 0;
    if (n)
        sm_mlflow_meta_parse(head, n, meta);
    return n;
}

/* Experiments and models have a meta.yaml, too, without the id of a run. */
static bool is_run(const struct sm_mlflow_meta *meta)
{
    return meta->run_id.len && meta->stage.len + meta->status.len;
}

static void add_run(struct sm_run_folder *folder, const struct sm_mlflow_meta *meta)
{
    char name[META_MAX];
    size_t n = sm_run_folder_head(folder, "tags/mlflow.runName", name, sizeof name - 1);
    name[n] = 0;
    if (strcmp(sm_str_text(&meta->stage), "deleted") != 0)
        sm_run_folder_add(folder, NULL,
                          *name            ? name
                          : meta->name.len ? sm_str_text(&meta->name)
                                           : sm_str_text(&meta->run_id));
}

void sm_mlflow_find_files(struct sm_run_folder *folder)
{
    struct sm_mlflow_meta meta = {0};
    bool found = read_meta(folder, &meta) && is_run(&meta);
    bool trash = is_in_trash(sm_run_folder_path(folder));
    if (found && !trash)
        add_run(folder, &meta);
    if (found || trash || is_artifacts(folder))
        sm_run_folder_claim_all(folder);
    sm_mlflow_meta_clear(&meta);
}
