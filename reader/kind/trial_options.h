/* SPDX-License-Identifier: Apache-2.0 */
/* How to read a trial: which steps, which mode, whose files; and the types of steps and modes. */
#ifndef SM_TRIAL_OPTIONS_H
#define SM_TRIAL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct sm_trial_kind;
struct sm_source;

struct sm_step {
    int64_t n; /* global step */
};
struct sm_mode_step {
    int64_t n; /* step within a mode */
};
enum sm_mode {
    SM_MODE_ANY = 0,
    SM_MODE_TRAIN,
    SM_MODE_EVAL,
    SM_MODE_PREDICT,
    SM_MODE_GLOBAL,
    SM_MODES
};

struct sm_trial_options {
    /* --steps: first <= step <= last and (step - first) % stride == 0 */
    struct sm_step first, last;
    int64_t stride; /* 0: everything */
    enum sm_mode mode;
    const char *worker; /* NULL: all */
    /* What was found by looking for runs (run_folder.h): the kind, NULL: to be detected; which run
     * of the folder, NULL: the folder itself; what the run is called, NULL: by its folder. */
    const struct sm_trial_kind *kind;
    const struct sm_trial_kind *beside; /* of which the folder has files, too; or NULL */
    const char *member, *run_name;
    /* TensorBoard: the run of validation beside this one of training (sm_run_ref.validation), of
     * which the scalars that this one has, too, are read as NAME/SCALAR; NULL: none. Referenced. */
    struct sm_source *validation;
    const char *validation_name;
    bool asleep; /* of a run of scalars: keep a glance only (reader/points/glance.h) */
    bool aside;  /* read when nothing else is to be read */
    bool follow; /* false: scans once, then only on sm_trial_refresh */
    /* --follow was asked for: an end marker that is there at the opening, and new, may be of the
     * first of several workers that end (SM_END_GRACE_US) */
    bool waits_for_end;
    /* 0 or less for defaults: stall as the run's pauses are (sm_trial_stall_us); heartbeat 1 s
     * (local), growing to 5 s when idle */
    int64_t stall_us, heartbeat_us;
};

bool sm_trial_includes_step(const struct sm_trial_options *o, int64_t step);

#endif
