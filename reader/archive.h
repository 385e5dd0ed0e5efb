/* An archive: a part of a trial in one file (reader/format/smdz.h, doc/formats.md), as a source of
 * bytes.
 *
 * It has the trial's event files with holes: a value is read by the path and offset that it had,
 * out of one small frame. Steps and collections are not files here: the tail asks for them, as
 * reader/tail.h says. Opening looks at the index at the end; when that is damaged the frames are
 * walked from the begin, and what is whole is used. The file is read by positions while it is open,
 * so another one may take its name. */
#ifndef SM_ARCHIVE_H
#define SM_ARCHIVE_H

#include "reader/tail.h"

/* SM_ERR_DATA: no archive at all. Nothing but its first bytes is read yet. */
struct sm_source *sm_archive_open(const char *path, struct sm_err *err);
/* Of a trial by its path: an archive where that is a file, else a directory, which need not be
 * there yet. */
struct sm_source *sm_archive_or_dir(const char *path, struct sm_err *err);
bool sm_archive_is(const struct sm_source *s);

/* What the archive was made of; valid as long as the source, once it has been listed. Unknown texts
 * are "". */
struct sm_archive_info {
    struct sm_text name, path, state, chosen; /* of the trial; what of it was chosen, in words */
    /* of the rules that judged it: JSON as `rule status -json` prints it; n == 0: none */
    struct sm_text findings;
    int64_t saved_us;           /* wall clock */
    uint64_t bytes;             /* of the chosen records as they lay in the trial */
    bool board, ended, claimed; /* TensorBoard's; it had an end marker; claim.smd */
    bool one_worker;            /* of several: a step is complete when that one has it */
    bool stats_only;            /* values of more than one element were left out */
};
const struct sm_archive_info *sm_archive_info(const struct sm_source *s);
/* The value is known by its statistics only. No I/O. */
bool sm_archive_left_out(struct sm_source *s, const char *path, uint64_t offset, unsigned value);

/* Reads one of the frames that were found, whatever is in it, with its checksum. *at: its offset.
 * False: it is damaged. */
size_t sm_archive_frames(const struct sm_source *s);
bool sm_archive_check(struct sm_source *s, size_t frame, uint64_t *at, struct sm_err *err);

/* For the tail: what there is, then the steps, a frame of them a batch. */
void sm_archive_list(struct sm_source *s, struct sm_news *n);
/* What is in frame `number` of those that the news counts; nothing where it has no steps. NULL: no
 * memory. */
struct sm_batch *sm_archive_read(struct sm_source *s, const struct sm_trial_options *o,
                                 const char *only_worker, size_t number);
void sm_archive_unread(struct sm_source *s); /* memory was short: what was told is told again */
void sm_archive_settle(struct sm_source *s, const struct sm_batch *b, size_t n_merged);

/* A worker's collections file as it was; SM_ERR_MISSING: it is not there. Appends. */
bool sm_archive_copy_collections(struct sm_source *s, const char *worker, struct sm_str *out,
                                 int64_t *time_us, struct sm_err *err);

#endif
