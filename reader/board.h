/* TensorBoard log directories: event files (*tfevents*) without an index, which grow at their ends.
 * A run (a folder with event files) is a worker, and its name may be that of a mode; a tag is a
 * tensor, whatever the form of its values (tensor.h). Internal to the tail: it lists and reads as
 * described in reader/tail.h. */
#ifndef SM_BOARD_H
#define SM_BOARD_H

#include "reader/tail.h"

/* Whether the directory has event files and no files of a trial. */
bool sm_board_is_one(struct sm_source *source);
struct sm_board;
/* NULL if there is no memory */
struct sm_board *sm_board_new(struct sm_source *source, const struct sm_trial_options *o,
                              const char *only_worker);
void sm_board_free(struct sm_board *b);
void sm_board_list(struct sm_board *b, struct sm_news *n); /* lists files that have grown */
/* NULL if there is no memory */
struct sm_batch *sm_board_read(const struct sm_board *b, size_t from, size_t to);
void sm_board_settle(struct sm_board *b, const struct sm_batch *batch, size_t n_merged);

#endif
