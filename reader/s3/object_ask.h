/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to lists of objects: for object_list.c (what is known, and when it is asked for) and
 * object_ask.c and object_below.c (lists of the server). */
#ifndef SM_OBJECT_ASK_H
#define SM_OBJECT_ASK_H

#include "reader/base/map.h"
#include "reader/s3/list_turn.h"
#include "reader/s3/object_list.h"

#include <pthread.h>

struct sm_object_item {
    uint32_t path, etag; /* in names */
    uint64_t size_bytes;
    int64_t modified_us;
    bool is_dir;
};
struct sm_object_folder {
    uint32_t name;                /* its path, in names */
    struct sm_object_item *items; /* ascending by path */
    size_t n, cap;
    bool listed, busy; /* busy: a thread is asking the server */
    bool filling;      /* by a list of what is below the folder above it */
    bool below_busy;   /* a thread is listing all that is below it */
    bool deep;         /* too much is below its folders to list that */
    unsigned asked;    /* so many of its folders were asked for that were not known */
    unsigned expected; /* objects below its folders that were not known */
    unsigned each;     /* objects of one of its folders, as the last list of them had it; 0: none */
    unsigned lists;    /* since the last whole one */
    struct sm_list_turn turn;
    uint32_t asker_length;         /* of the name of turn.asker */
    struct sm_object_folder *next; /* the folder that came behind it in a list of both, or NULL */
};
struct sm_object_list {
    struct sm_bucket *bucket;
    pthread_mutex_t lock;
    pthread_cond_t answered;
    struct sm_names *names;
    struct sm_map by_path; /* id of a folder's path -> its place */
    struct sm_object_folder **folders;
    size_t n, cap, objects;
    uint64_t lists;       /* of the server that succeeded */
    struct sm_map askers; /* id of what an asker is called -> its number, from 1 on */
    struct sm_list_round round;
    int64_t round_us; /* when that was made; 0: never */
};

/* The folder that stands for what begins with a path: "DIR/\xffNAME", which no folder is called. */
void sm_object_name_beginning(const char *path, struct sm_str *out);
/* The folder of a path, made if there is none; NULL: no memory. With the lock. */
struct sm_object_folder *sm_object_folder(struct sm_object_list *l, const char *dir);
/* Not a name that no path can have, nor that of an object that stands for the folder itself. */
bool sm_object_is_name(const char *p, size_t n);
/* Sorts items by path. With the lock. */
void sm_object_sort(struct sm_object_list *l, struct sm_object_item *items, size_t n);
/* The item of an object whose path is n bytes of its key. With the lock. False: no memory, or too
 * many objects. */
bool sm_object_take(struct sm_object_list *l, const struct sm_object *o, size_t n,
                    struct sm_object_item *out, struct sm_err *err);
/* Lists what is below a folder from one of its folders on, in one answer of up to 1000 objects:
 * many small folders are known at once. That is dir, or one of those before it that are not known,
 * so that dir is in the answer, too. Called with the lock, which is given back meanwhile. */
bool sm_object_ask_below(struct sm_object_list *l, struct sm_object_folder *above, const char *dir,
                         struct sm_err *err);
/* The item of a folder whose path is so many bytes; NULL: it has none. With the lock. */
const struct sm_object_item *sm_object_item_of(const struct sm_object_list *l,
                                               const struct sm_object_folder *f, const char *path,
                                               size_t n);
/* The item of a path, and in *of the folder that was listed and has this path or not; NULL: there
 * is none. With the lock. */
const struct sm_object_item *sm_object_find(const struct sm_object_list *l, const char *path,
                                            struct sm_object_folder **of);
struct sm_listed sm_object_describe(const struct sm_object_list *l, const struct sm_object_item *i);
/* The length of the folder of a path of n bytes. */
size_t sm_object_dir_length(const char *path, size_t n);
/* The folder of a path if it is known, else NULL. With the lock. */
struct sm_object_folder *sm_object_folder_known(const struct sm_object_list *l, const char *dir,
                                                size_t n);
/* Lists a folder. Called with the lock, which is given back while the server is asked. */
bool sm_object_ask(struct sm_object_list *l, const char *dir, struct sm_object_folder *f,
                   struct sm_err *err);

#endif
