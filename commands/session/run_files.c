/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/run_files.h"

#include "reader/base/str.h"

#include <string.h>

enum { NOTICED_MAX = 10000 };

static struct sm_names *ensure(struct sm_names **names)
{
    if (!*names)
        *names = sm_names_new();
    return *names;
}

static bool has(const struct sm_names *names, const char *p, size_t n)
{
    return names && sm_names_find(names, p, n) != SM_NAME_NONE;
}

void sm_run_files_add(struct sm_run_files *f, const struct sm_run_ref *run)
{
    struct sm_str key = {0};
    sm_str_printf(&key, "%s\n%s", run->folder, run->member ? run->member : "");
    if (ensure(&f->of_runs) && !key.failed)
        sm_names_add(f->of_runs, key.data, key.len);
    sm_str_clear(&key);
}

/* Whether the file was not written before. What was noticed is forgotten when there is much. */
static bool is_new(struct sm_run_files *f, const struct sm_str *key)
{
    if (f->noticed && sm_names_count(f->noticed) == NOTICED_MAX) {
        sm_names_free(f->noticed);
        f->noticed = NULL;
    }
    if (!ensure(&f->noticed) || key->failed)
        return true;
    uint32_t before = sm_names_count(f->noticed);
    return sm_names_add(f->noticed, key->data, key->len) >= before;
}

enum sm_run_news sm_run_files_written(struct sm_run_files *f, const char *folder, const char *name)
{
    struct sm_str key = {0};
    size_t n = strlen(folder) + 1;
    sm_str_printf(&key, "%s\n%s", folder, name);
    bool fresh = is_new(f, &key);
    bool known = !key.failed && !sm_run_file_is_shared(name) &&
                 (has(f->of_runs, key.data, key.len) || has(f->of_runs, key.data, n));
    sm_str_clear(&key);
    return fresh ? SM_RUN_NEWS_FILE : known ? SM_RUN_NEWS_NONE : SM_RUN_NEWS_GROWN;
}

void sm_run_files_clear(struct sm_run_files *f)
{
    sm_names_free(f->noticed);
    sm_names_free(f->of_runs);
    *f = (struct sm_run_files){0};
}
