/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/source_s3.h"

#include "reader/s3/address.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sm_is_s3(const char *path)
{
    return strncmp(path, "s3://", 5) == 0;
}

bool sm_path_may_be_written(const char *path, struct sm_err *err)
{
    return !sm_is_address(path) ||
           sm_err_set(err, SM_ERR_USAGE,
                      "%s: nothing is written into buckets; name a file of this machine.", path);
}

bool sm_path_exists(const char *path)
{
    return sm_is_address(path) || access(path, F_OK) == 0;
}

bool sm_path_is_folder(const char *path)
{
    struct stat st;
    return sm_is_s3(path) ? !sm_s3_is_object(path) : stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* x.zst and x.gz of a bucket are read decompressed, too. */
struct sm_source *sm_source_files_new(const char *path, struct sm_err *err)
{
    if (!sm_is_s3(path))
        return sm_source_tree_new(path, err);
    struct sm_source *below = sm_source_s3_new(path, err);
    struct sm_source *packed = below ? sm_source_packed_new(below, err) : NULL;
    sm_source_unref(below);
    return packed;
}
