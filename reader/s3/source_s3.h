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

/* Whether a path is the address of a bucket: "s3://". */
bool sm_is_s3(const char *path);
/* Whether something has this path. Of an address nothing is asked: true. */
bool sm_path_exists(const char *path);
/* The source of an address; without requests. */
struct sm_source *sm_source_s3_new(const char *address, struct sm_err *err);
/* What is opened by a path of the user: a bucket, or a folder as sm_source_tree_new has it. */
struct sm_source *sm_source_files_new(const char *path, struct sm_err *err);

/* What was asked for since the start of the process. */
struct sm_s3_counts {
    uint64_t requests, lists, bytes;
};
struct sm_s3_counts sm_s3_counts(void);
/* Keeps nothing on disk from now on: --readonly. */
void sm_s3_keep_nothing(void);

#endif
