/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to archives: for archive*.c and those who write them (reader/save). */
#ifndef SM_ARCHIVE_STATE_H
#define SM_ARCHIVE_STATE_H

#include "reader/archive/archive.h"
#include "reader/archive/facts_pack.h"
#include "reader/format/smdz.h"

#include <pthread.h>

enum { SM_ARCHIVE_KEPT = 16, SM_ARCHIVE_FRAME_MAX = 8 << 20 };

struct sm_archive_frame {
    uint64_t at; /* offset of its head in the file */
    struct sm_smdz_head head;
    bool refused;    /* what is read at once would become too large with it */
    bool given;      /* of steps: the trial has merged all of its parts, */
    uint32_t merged; /* or this many of them */
};
/* Where bytes of an event file, or the facts of a record, are stored. */
struct sm_archive_location {
    uint64_t offset;
    /* at: offset in the frame's content, which has at most SM_ARCHIVE_FRAME_MAX bytes */
    uint64_t at : 24, length : 23, tag : 17;
    uint32_t file, frame;
};
struct sm_archive_locations {
    struct sm_archive_location *items; /* by file, offset, tag */
    size_t n, cap;
};
struct sm_archive_kept {
    uint32_t frame;
    struct sm_str bytes;
    uint64_t used; /* 0: empty */
};
struct sm_archive {
    struct sm_source base;
    int fd;                  /* -1: `files` has it */
    struct sm_source *files; /* the folder of an address of a bucket, or NULL */
    uint64_t size_bytes;     /* of an address: known when it is loaded */
    const char *name;        /* last part of the path, for messages */
    bool loaded;             /* the members below are complete and do not change any more */
    struct sm_archive_frame *frames;
    size_t n_frames, cap_frames;
    struct sm_archive_locations values, stats;
    struct sm_facts_columns columns; /* of stats; n == 0: version 1, or damaged */
    struct sm_archive_info info;
    struct sm_str findings, trial_text; /* the texts that info points to */
    struct sm_problems problems;
    bool collections_passed; /* collections were passed to the trial; tail's thread only */
    pthread_mutex_t lock;    /* guards the members below */
    struct sm_names *paths;
    uint32_t *file_of; /* file number, by the id of its path */
    size_t cap_files;
    struct sm_archive_kept kept[SM_ARCHIVE_KEPT];
    uint64_t clock;
    uint64_t n_entries; /* number of entries merged into the trial */
};

/* What a file of that size may hold of values, parts and names; an archive takes at least 5 bytes
 * for a value. Compressed data may claim far more. */
enum { SM_ARCHIVE_ITEMS = 1 << 14, SM_ARCHIVE_ITEMS_A_BYTE = 2, SM_ARCHIVE_ITEMS_MAX = 1 << 24 };
static inline uint64_t sm_archive_room(const struct sm_archive *a)
{
    uint64_t n = SM_ARCHIVE_ITEMS + a->size_bytes * SM_ARCHIVE_ITEMS_A_BYTE;
    return n < SM_ARCHIVE_ITEMS_MAX ? n : SM_ARCHIVE_ITEMS_MAX;
}

/* archive.c */
/* Bytes of the file; *got < n only at its end. */
bool sm_archive_read_at(const struct sm_archive *a, uint64_t at, void *buf, size_t n, size_t *got,
                        struct sm_err *err);
bool sm_archive_content(struct sm_archive *a, const struct sm_archive_frame *f, struct sm_str *out,
                        struct sm_err *err);
void sm_archive_report(struct sm_archive *a, uint64_t at, const struct sm_err *err);
/* False if there is no memory. */
bool sm_archive_name_file(struct sm_archive *a, struct sm_text path, uint32_t number);
/* archive_index.c: fills frames, places, info and problems. False if there is no memory. */
bool sm_archive_load(struct sm_archive *a);
void sm_archive_put_info(const struct sm_archive_info *i, struct sm_str *out);

#endif
