/* SPDX-License-Identifier: Apache-2.0 */
/* Where something is: a tensor of a trial, at a step, in a mode, from a worker.
 *
 * One plain value for the current point, the arguments of commands, breakpoints, the dashboard and
 * names in expressions. Text has the form @[MODE:]STEP[/WORKER]. This file reads the parts of that
 * text and finds steps; it needs no session. commands/place/place.h reads whole arguments and
 * writes headings. */
#ifndef SM_TRIAL_PLACE_H
#define SM_TRIAL_PLACE_H

#include "reader/tensor/slice.h"
#include "reader/trial.h"

struct sm_place {
    struct sm_trial *trial;       /* borrowed; NULL if no trial is open */
    uint32_t tensor;              /* id in sm_trial_names, or SM_NAME_NONE */
    const struct sm_slice *slice; /* of the tensor; NULL for the whole; in the arena of a call */
    struct sm_step step;          /* global step; n < 0 if none is chosen */
    bool follow;                  /* the step is the newest, also when later ones are written */
    enum sm_mode mode;            /* ANY for all modes */
    uint16_t worker;              /* ANY for the first worker that saved the tensor */
};
/* All of a trial: no tensor, no step, any mode and worker. */
struct sm_place sm_place_of_trial(struct sm_trial *t);

/* The same place in another trial: the tensor of the same name, NONE if it has none; any worker. */
struct sm_place sm_place_in_trial(const struct sm_place *p, struct sm_trial *t);

/* NULL if the place has no tensor, or nothing of it is saved. Valid until the next pump. */
const struct sm_trial_tensor *sm_place_tensor(const struct sm_place *p);
const char *sm_place_name(const struct sm_place *p); /* of its tensor; it must have one */
/* The value of its tensor at its step, from its worker. NULL if there is none. */
struct sm_entry sm_place_find_value(const struct sm_place *p);
/* Whether anything of the tensor is saved at the step, by the worker. */
bool sm_place_is_saved(const struct sm_place *p);
/* The chosen step; the trial's newest if none is chosen or it follows. n < 0 without steps. */
struct sm_step sm_place_current_step(const struct sm_place *p);

/* The trial's record of a step; NULL if it has no such step. Valid until the next pump. */
const struct sm_trial_step *sm_place_trial_step(const struct sm_trial *t, struct sm_step step);
/* Any mode instead of one that the step is not of. */
void sm_place_leave_mode(struct sm_place *p);

/* ---- text ---- */

/* Parts of "@[MODE:]STEP[/WORKER]" or "@MODE", which point into the text. n == 0 if not given. A
 * step that is a time keeps its "@", as step specs require. */
struct sm_place_words {
    struct sm_text mode, step, worker;
};
/* text starts with the "@". False if nothing follows it. */
bool sm_place_split(struct sm_text text, struct sm_place_words *out);
/* "TRAIN", "ev": a mode or the start of its name. SM_ERR_USAGE lists the modes. */
bool sm_place_find_mode(struct sm_text text, enum sm_mode *out, struct sm_err *err);
/* "worker_1", or 1 for the same. SM_ERR_MISSING lists the workers. */
bool sm_place_find_worker(const struct sm_trial *t, struct sm_text text, uint16_t *out,
                          struct sm_err *err);

/* ---- steps ---- */

/* Which step. With a mode, NUMBER and NEAREST count the steps of that mode, else global steps. */
enum sm_step_kind {
    SM_STEP_CURRENT, /* the chosen step; the last one if none is chosen */
    SM_STEP_NUMBER,
    SM_STEP_RELATIVE, /* n saved steps after the chosen one; before it if n < 0 */
    SM_STEP_NEAREST,
    SM_STEP_AGO, /* the last one n microseconds before the newest data, by the times of the files */
    SM_STEP_FIRST,
    SM_STEP_LAST,
    SM_STEP_ALL /* several, from n on; sm_place_find_step gives the last */
};
/* Finds a step of p->trial, among those with p->tensor (all if NONE) in p->mode (all modes if ANY);
 * the worker does not matter. RELATIVE counts from p->step. A NUMBER that is counted in a mode must
 * be a step of the trial, with the tensor or without; a global one is returned as it is. False if
 * there is no such step. */
bool sm_place_find_step(const struct sm_place *p, enum sm_step_kind kind, int64_t n,
                        struct sm_step *out);
/* The number of steps with p->tensor in p->mode. */
int64_t sm_place_count_steps(const struct sm_place *p);

#endif
