/* SPDX-License-Identifier: Apache-2.0 */
/* A prefix of a bucket as a source: s3://BUCKET/PREFIX.
 *
 * The room reader/s3 is that source: logins (login.h), signatures (sigv4.h), requests (http.h),
 * buckets with retries and errors (bucket.h), lists (object_list.h), blocks of objects (blocks.h).
 * It never writes into a bucket. Without libcurl and libexpat (WITH_S3 in the Makefile) an address
 * of S3 is an error that says so. */
#ifndef SM_SOURCE_S3_H
#define SM_SOURCE_S3_H

#include "reader/source/source.h"

/* Whether a path is the address of a bucket, as sm_s3_address (address.h) writes it: "s3://". */
bool sm_is_s3(const char *path);
/* Whether a path to write is one of this machine; false: it is an address (SM_ERR_USAGE). */
bool sm_path_may_be_written(const char *path, struct sm_err *err);
/* Whether something has this path. Of an address nothing is asked: true. */
bool sm_path_exists(const char *path);
/* Whether a path is a folder. Of an address nothing is asked: true unless it is known as an object.
 */
bool sm_path_is_folder(const char *path);
/* The source of an address; without requests. All sources of a bucket share its login, its lists
 * and its blocks, as long as there is one. */
struct sm_source *sm_source_s3_new(const char *address, struct sm_err *err);
/* What is opened by a path of the user: a bucket, or a folder as sm_source_tree_new has it. */
struct sm_source *sm_source_files_new(const char *path, struct sm_err *err);

/* What is known of an address and below it is listed anew when it is asked for: the user opens it
 * again. Without requests. */
void sm_s3_expire(const char *address);
/* Asks the server what an address is. For a worker. */
enum sm_s3_place { SM_S3_NOTHING, SM_S3_FOLDER, SM_S3_OBJECT };
bool sm_s3_look(const char *address, enum sm_s3_place *what, struct sm_err *err);
bool sm_s3_is_object(const char *address); /* as far as it is known; without requests */

/* While the flag is set, requests that this thread waits for fail with SM_ERR_CANCELLED. NULL:
 * none.
 */
void sm_s3_cancel_by(const atomic_bool *flag);

/* What was asked for since the start of the process. */
struct sm_s3_counts {
    uint64_t requests;   /* to buckets, also those that were made again after an error */
    uint64_t lists;      /* of them */
    uint64_t logins;     /* requests for credentials */
    uint64_t bytes;      /* of answers to requests */
    uint64_t kept_bytes; /* that were read from the disk instead */
};
struct sm_s3_counts sm_s3_counts(void);
/* How many lists a second are made in each bucket to follow what is known; 1 at first. */
void sm_s3_set_follow_rate(double lists_per_s);
/* What is followed in all buckets. */
struct sm_s3_followed {
    size_t runs, folders;
    int64_t news_us, quiet_us; /* the longest time between two lists of a folder into which
                                  something came within the last minute, and of another one; 0: none
                                */
};
struct sm_s3_followed sm_s3_followed(void);
/* The libraries and their versions, as "curl 7.88.1 (OpenSSL/3.0.15), expat 2.5.0"; NULL: built
 * without them. */
const char *sm_s3_libraries(void);
/* Keeps nothing on disk from now on: --readonly. */
void sm_s3_keep_nothing(void);

#endif
