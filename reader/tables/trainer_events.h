/* SPDX-License-Identifier: Apache-2.0 */
/* The event files of TensorBoard that Hugging Face's Trainer writes below its output folder, in
 * runs/DATE_HOST: one a session of the training. They have the numbers of its history when they are
 * logged; the history itself is written with the next checkpoint. The names are those of the
 * history: "train/loss" is loss, "eval/loss" is eval_loss. */
#ifndef SM_TRAINER_EVENTS_H
#define SM_TRAINER_EVENTS_H

#include "reader/kind/run_folder.h"
#include "reader/tables/json_row.h"

struct sm_trainer_point {
    int64_t step;
    double time, value; /* time: seconds since 1970 */
    uint32_t key;       /* in the rows: the name */
};
struct sm_trainer_session {
    char *path;
    uint64_t began;                  /* seconds since 1970, as its name says; 0: it does not */
    uint64_t at;                     /* bytes taken */
    struct sm_stat seen;             /* of the file, when it was read last */
    struct sm_trainer_point *points; /* in the order of the file */
    size_t n, cap;
    size_t told, timed; /* of the points: trainer_told.h */
    int64_t first;      /* the lowest step */
    bool broken;        /* the rest is not read */
};
/* Zero-initialised but for the source, which is borrowed. */
struct sm_trainer_events {
    struct sm_source *source;
    struct sm_trainer_session *items; /* in the order in which they began */
    size_t n, cap;
    struct sm_json_row *row; /* while they are read: what the histories of a run share */
    struct sm_log_sink *sink;
    struct sm_str settings; /* the Trainer's arguments, as JSON; empty: none yet */
    bool more_than_scalars; /* there are values that are not shown */
    bool settings_told;     /* both of these */
    bool failed;            /* no memory */
};
/* Whether a folder of a run, as "runs", has such files in it, or in its folders. */
bool sm_trainer_has_events(struct sm_run_folder *f, const char *dir);
/* Calls each with the names of the folders where they may be, but for the run's own. */
void sm_trainer_event_folders(void (*each)(void *ctx, const char *name), void *ctx);
/* Takes what is new; problems go to the sink. look: for new files, too. */
void sm_trainer_events_read(struct sm_trainer_events *e, bool look, struct sm_json_row *row,
                            struct sm_log_sink *sink);
/* Hands on what else there is, once. */
void sm_trainer_tell_settings(struct sm_trainer_events *e, struct sm_log_sink *sink);
/* From which step on points of session i are void, because a later one has begun there; INT64_MAX:
 * none. i may be n. */
int64_t sm_trainer_events_cut(const struct sm_trainer_events *e, size_t i);
void sm_trainer_events_clear(struct sm_trainer_events *e);

#endif
