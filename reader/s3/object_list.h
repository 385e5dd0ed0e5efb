/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the folders of a prefix of a bucket: listed when they are asked for, kept, and
 * listed again at most once a second in all.
 *
 * A folder is what the delimiter '/' makes of keys. A list again begins behind the last known name
 * ("start-after"), because trials add names in ascending order; each tenth list of a folder is
 * whole, and finds objects that changed or went. For several threads. */
#ifndef SM_OBJECT_LIST_H
#define SM_OBJECT_LIST_H

#include "reader/s3/bucket.h"

struct sm_object_list;
struct sm_listed {
    const char *path; /* relative to the prefix; valid as long as the listing */
    bool is_dir, gone;
    uint64_t size_bytes;
    int64_t modified_us;
    const char *etag;  /* valid as long as the listing */
    uint64_t identity; /* of the path, never 0 */
};

/* bucket is borrowed. prefix: "" or ends with '/'. NULL: no memory. */
struct sm_object_list *sm_object_list_new(struct sm_bucket *bucket, const char *prefix);
void sm_object_list_free(struct sm_object_list *l);
/* Calls each for what is in a folder ("" is the prefix) in the order of names, after listing it if
 * that is due. A folder with nothing in it is SM_ERR_MISSING unless it is the prefix itself. */
typedef bool sm_listed_each(void *ctx, const struct sm_listed *e);
bool sm_object_list_each(struct sm_object_list *l, const char *dir, sm_listed_each *each, void *ctx,
                         struct sm_err *err);
/* What a path is; lists the folder that has it if it is not known. */
bool sm_object_list_find(struct sm_object_list *l, const char *path, struct sm_listed *out,
                         struct sm_err *err);
/* Up to n objects behind a path in its folder, as far as they are known. Without requests. */
size_t sm_object_list_behind(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             size_t n);

#endif
