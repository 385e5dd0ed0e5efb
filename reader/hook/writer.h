/* SPDX-License-Identifier: Apache-2.0 */
/* Writes trials: event, index and collections files and the end marker, each under a temporary name
 * and then renamed (doc/formats.md). A copy made record by record reads the same as its source. Not
 * thread-safe. */
#ifndef SM_WRITER_H
#define SM_WRITER_H

#include "reader/base/err.h"
#include "reader/format/collections_json.h"
#include "reader/format/event.h"

/* Whether a new trial may be written to dir: it does not exist or is empty. */
bool sm_writer_dir_is_free(const char *dir);

struct sm_writer;
/* Creates the missing parent directories of path. */
bool sm_writer_make_parents(const char *path, struct sm_err *err);
/* Creates dir if it is missing (its parent must exist). worker is a name like "worker_0", or a
 * TensorFlow device. */
bool sm_writer_open(const char *dir, const char *worker, struct sm_writer **out,
                    struct sm_err *err);
/* Frees w and removes the temporary files of an unfinished step. */
void sm_writer_close(struct sm_writer *w);

/* Writes any other file below dir, also by a rename. */
bool sm_writer_file(struct sm_writer *w, const char *path, const struct sm_str *bytes,
                    struct sm_err *err);

bool sm_writer_begin_step(struct sm_writer *w, int64_t step, int mode, int64_t mode_step,
                          struct sm_err *err);
/* Writes one tensor of the step: tag, dtype, dims and content or strings of v. Mode and mode step
 * are those of the step unless v has them. */
bool sm_writer_tensor(struct sm_writer *w, const struct sm_event_value *v, double wall_time,
                      struct sm_err *err);
/* The same for one number of at most 16 bytes. A step that has nothing else gets no event file of
 * its own: its numbers are appended to a file that it shares with its neighbours. */
bool sm_writer_number(struct sm_writer *w, const struct sm_event_value *v, double wall_time,
                      struct sm_err *err);
/* Writes a framed record that was read from another event file. */
bool sm_writer_record(struct sm_writer *w, struct sm_text tag, struct sm_bytes record,
                      struct sm_err *err);
bool sm_writer_shape(struct sm_writer *w, struct sm_text tag, struct sm_text original,
                     const uint64_t *dims, unsigned n_dims, struct sm_err *err);
/* Renames both files: events first, then the index. */
bool sm_writer_end_step(struct sm_writer *w, struct sm_err *err);
bool sm_writer_collections(struct sm_writer *w, const struct sm_collections_def *c,
                           struct sm_err *err);
/* json: as written by sm_collections_write. */
bool sm_writer_collections_json(struct sm_writer *w, struct sm_text json, struct sm_err *err);
/* Creates or removes claim.smd, which marks a running job with one worker. */
bool sm_writer_set_claim(struct sm_writer *w, bool on, struct sm_err *err);
/* Writes the end marker, training_job_end.ts. */
bool sm_writer_end_job(struct sm_writer *w, struct sm_err *err);

/* ---- files that are made ahead, by another thread than the one that writes ---- */

struct hook_spares;
/* NULL: no memory. dir is that of the trial, which exists. */
struct hook_spares *hook_spares_new(const char *dir);
/* Gives the files back that were not used; then none are made. */
void hook_spares_end(struct hook_spares *s);
void hook_spares_free(struct hook_spares *s); /* the same; nobody uses s any more */
/* Makes one file. False: there are enough now, or it is not possible. */
bool hook_spares_make(struct hook_spares *s);
/* Lets w, between two steps, use them from now on. Returns whether more are wanted. */
bool sm_writer_use_spares(struct sm_writer *w, struct hook_spares *s);

#endif
