/* SPDX-License-Identifier: Apache-2.0 */
/* An archive: part of a trial in one file (reader/format/smdz.h, doc/formats.md), as a source of
 * bytes.
 *
 * It contains the trial's event files with holes: a value is read by its original path and offset,
 * from one small frame. Steps and collections are not files here: the kind of trial `archive`
 * (archive_tail.c) lists and reads them. Opening reads the index at the end; if that is damaged,
 * the frames are read in sequence from the start, and undamaged ones are used. The file is read
 * through its open descriptor, so its name may be replaced meanwhile. */
#ifndef SM_ARCHIVE_H
#define SM_ARCHIVE_H

#include "reader/kind/trial_kind.h"

/* The error for a file that is none, after its path. */
#define SM_NO_ARCHIVE "neither a trial directory nor an archive"
/* SM_ERR_DATA: not an archive. Reads only the first bytes. */
struct sm_source *sm_archive_open(const char *path, struct sm_err *err);
bool sm_archive_is(const struct sm_source *s);

/* What the archive was made from; valid as long as the source, after its first list. Unknown texts
 * are "". */
struct sm_archive_info {
    struct sm_text name, path, state, chosen; /* of the trial; the selection, in words */
    /* Findings of the rules that judged it: JSON as printed by `rule status -json`; n == 0 if
     * none. */
    struct sm_text findings;
    int64_t saved_us;           /* wall clock */
    uint64_t bytes;             /* size of the chosen records in the trial */
    bool board, ended, claimed; /* TensorBoard files; it had an end marker; it had claim.smd */
    bool one_worker;            /* of several workers: a step is complete when this one has it */
    bool stats_only;            /* values of more than one element were omitted */
};
const struct sm_archive_info *sm_archive_info(const struct sm_source *s);

/* Reads one of the frames found, of any kind, and checks its checksum. *at: its offset. False: it
 * is damaged. */
size_t sm_archive_frames(const struct sm_source *s);
bool sm_archive_check(struct sm_source *s, size_t frame, uint64_t *at, struct sm_err *err);

/* Appends a worker's collections file, unchanged; SM_ERR_MISSING if there is none. */
bool sm_archive_copy_collections(struct sm_source *s, const char *worker, struct sm_str *out,
                                 int64_t *time_us, struct sm_err *err);

#endif
