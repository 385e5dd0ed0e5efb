/* Writes trials: event, index and collections files and the end marker, each under a temporary name
 * and then renamed (doc/formats.md). A trial copied through it record by record reads equal. Not
 * for several threads at once. */
#ifndef SM_WRITER_H
#define SM_WRITER_H

#include "reader/base/err.h"
#include "reader/format/collections_json.h"
#include "reader/format/event.h"

/* True if nothing is there, or an empty directory: a new trial may go there. */
bool sm_writer_may_begin(const char *dir);

struct sm_writer;
bool sm_writer_make_parents(const char *path, struct sm_err *err); /* the folders that path is in */
/* Makes `dir` if need be (its parent must exist). worker such as "worker_0", or a TensorFlow
 * device. */
bool sm_writer_open(const char *dir, const char *worker, struct sm_writer **out,
                    struct sm_err *err);
/* frees; an unfinished step's temporary files are removed */
void sm_writer_close(struct sm_writer *w);

/* Any other file below dir: whole, as all are. */
bool sm_writer_file(struct sm_writer *w, const char *path, const struct sm_str *bytes,
                    struct sm_err *err);

bool sm_writer_begin_step(struct sm_writer *w, int64_t step, int mode, int64_t mode_step,
                          struct sm_err *err);
/* One tensor of the step. The tag, dtype, dims and content/strings of v are used; mode and step are
 * the step's unless v has its own. */
bool sm_writer_tensor(struct sm_writer *w, const struct sm_event_value *v, double wall_time,
                      struct sm_err *err);
/* A framed record as it is on disk elsewhere. */
bool sm_writer_record(struct sm_writer *w, struct sm_text tag, struct sm_bytes record,
                      struct sm_err *err);
bool sm_writer_shape(struct sm_writer *w, struct sm_text tag, struct sm_text original,
                     const uint64_t *dims, unsigned n_dims, struct sm_err *err);
/* both files renamed: events first, then the index */
bool sm_writer_end_step(struct sm_writer *w, struct sm_err *err);
bool sm_writer_collections(struct sm_writer *w, const struct sm_collections_def *c,
                           struct sm_err *err);
/* as sm_collections_write made it */
bool sm_writer_collections_json(struct sm_writer *w, struct sm_text json, struct sm_err *err);
/* claim.smd: a job with one worker runs */
bool sm_writer_claim(struct sm_writer *w, bool on, struct sm_err *err);
bool sm_writer_end_job(struct sm_writer *w, struct sm_err *err); /* training_job_end.ts */

#endif
