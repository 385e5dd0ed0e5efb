/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the folders of a bucket: listed when they are asked for, kept, and listed again
 * while somebody asks.
 *
 * A folder is what the delimiter '/' makes of keys. When a known one is listed again is the
 * business of list_turn.h. A list again of a folder with more than 200 names begins behind the last
 * known name
 * ("start-after"), because trials add names in ascending order; each tenth is whole, and finds
 * objects that changed or went. Folders that a known folder has not are not asked for, unless they
 * come behind all that it has and may be new. The third folder of a folder that is asked for is
 * listed with all that is behind it there, as far as one answer goes, and so is the first one if
 * objects of many are expected: many small folders cost one request, unless one answer has fewer
 * than four of them. For several threads. */
#ifndef SM_OBJECT_LIST_H
#define SM_OBJECT_LIST_H

#include "reader/s3/bucket.h"

struct sm_object_list;
struct sm_listed {
    const char *path; /* the key, or the key of a folder without its '/'; valid as long as the list
                       */
    bool is_dir;
    uint64_t size_bytes;
    int64_t modified_us;
    const char *etag;  /* valid as long as the list */
    uint64_t identity; /* of the path, never 0 */
};

/* bucket is borrowed. NULL: no memory. */
struct sm_object_list *sm_object_list_new(struct sm_bucket *bucket);
void sm_object_list_free(struct sm_object_list *l);
/* Somebody who asks for folders again and again: a run, by the path of its folder. The lists of a
 * bucket are divided among them (list_turn.h). A folder is that of the nearest one above it. */
struct sm_asker {
    uint32_t number, length; /* of the path; {0}: nobody, or there was no memory */
};
struct sm_asker sm_object_list_asker(struct sm_object_list *l, const char *path);
/* How many lists again are made in a second, in each bucket; 1 at first. For the process. */
void sm_object_list_set_rate(double lists_per_s);
struct sm_followed {
    size_t askers, folders;    /* a folder counts one more for each 1000 names */
    int64_t news_us, quiet_us; /* the longest time between two lists of a folder with news, and of
                                  one without; 0: there is none */
};
struct sm_followed sm_object_list_followed(struct sm_object_list *l);

/* Calls each for what is in a folder ("" is the bucket) in the order of names, after listing it if
 * that is due. A folder with nothing in it is SM_ERR_MISSING. Names that no path can have (empty,
 * ".", "..") are left out. */
typedef bool sm_listed_each(void *ctx, const struct sm_listed *e);
bool sm_object_list_each(struct sm_object_list *l, struct sm_asker asker, const char *dir,
                         sm_listed_each *each, void *ctx, struct sm_err *err);
/* What a path is; lists the folder that has it if it is not known. SM_ERR_MISSING: there is
 * nothing. */
bool sm_object_list_find(struct sm_object_list *l, const char *path, struct sm_listed *out,
                         struct sm_err *err);
/* The same, and lists the folder also if that is due. */
bool sm_object_list_find_now(struct sm_object_list *l, struct sm_asker asker, const char *path,
                             struct sm_listed *out, struct sm_err *err);
/* The same for one object whose folder may be large: a folder that is not known is not listed, only
 * what begins with this path. Later calls for this path know it. */
bool sm_object_list_find_one(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             struct sm_err *err);
/* What is known of a path; without requests. */
bool sm_object_list_known(struct sm_object_list *l, const char *path, struct sm_listed *out);
/* Whether what has the path is listed, so that a path that is not known is missing. */
bool sm_object_list_has_folder(struct sm_object_list *l, const char *path);
/* Up to n objects behind a path in its folder and in those of the same folder that follow it, as
 * far as they are known. Without requests. */
size_t sm_object_list_behind(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             size_t n);
/* Up to n objects of the same name in the folders that follow the one of a path, in the same
 * folder, as far as they are known. Without requests. */
size_t sm_object_list_beside(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             size_t n);
/* An object is going to be asked for: where many of a folder's folders are, it is listed itself, so
 * that those can be asked for together in any order. *out: its path and identity. Without requests.
 * False: no memory. */
bool sm_object_list_expect(struct sm_object_list *l, const char *path, struct sm_listed *out);
/* How often it has learnt something new. */
uint64_t sm_object_list_count(struct sm_object_list *l);
/* The folder that has this path, and with `below` all below it, are listed again when they are next
 * asked for. */
void sm_object_list_expire(struct sm_object_list *l, const char *path, bool below);

#endif
