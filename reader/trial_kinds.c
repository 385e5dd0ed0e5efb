/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trial_kinds.h"

#include <sys/stat.h>

#define SM_TRIAL_KIND_ROW(name) &sm_trial_kind_##name,
static const struct sm_trial_kind *const kinds[] = {SM_TRIAL_KINDS(SM_TRIAL_KIND_ROW)};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct sm_trial_kind *sm_trial_kind_of(struct sm_source *source)
{
    size_t i = 0;
    while (i + 1 < KINDS && !(kinds[i]->detect && kinds[i]->detect(source)))
        i++;
    return kinds[i];
}

size_t sm_trial_kind_count(void)
{
    return KINDS;
}

const struct sm_trial_kind *sm_trial_kind_at(size_t i)
{
    return kinds[i];
}

const struct sm_trial_traits *sm_trial_default_traits(void)
{
    return kinds[KINDS - 1]->traits;
}

const struct sm_trial_kind *sm_trial_kind_of_path(const char *path)
{
    struct stat st;
    bool exists = stat(path, &st) == 0, is_dir = exists && S_ISDIR(st.st_mode);
    for (size_t i = 0; !is_dir && i < KINDS; i++)
        if (kinds[i]->owns_path && kinds[i]->owns_path(path, exists ? &st : NULL))
            return kinds[i];
    return kinds[KINDS - 1];
}

struct sm_source *sm_source_of_path(const char *path, struct sm_err *err)
{
    const struct sm_trial_kind *kind = sm_trial_kind_of_path(path);
    return kind->owns_path ? kind->open_path(path, err) : sm_source_tree_new(path, err);
}
