/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a trainer_state.json: its history as points, and its other values. */
#ifndef SM_TRAINER_HISTORY_H
#define SM_TRAINER_HISTORY_H

#include "reader/tables/point_list.h"

/* Begin with {0}. */
struct sm_trainer_history {
    struct sm_point_list points;
    int64_t step, last; /* global_step, max_steps; -1: none */
    bool stopped;       /* the trainer was told to stop: early stopping */
    struct sm_str text; /* of the file, for sm_trainer_history_tell */
};
/* Reads the content; takes over the bytes of text. row: what the histories of a run share. */
bool sm_trainer_history_read(struct sm_trainer_history *h, struct sm_str *text,
                             struct sm_json_row *row, struct sm_err *err);
/* Hands on what is not history: settings, best values, whether the training has ended. */
void sm_trainer_history_tell(const struct sm_trainer_history *h, struct sm_log_sink *sink);
void sm_trainer_history_clear(struct sm_trainer_history *h);

#endif
