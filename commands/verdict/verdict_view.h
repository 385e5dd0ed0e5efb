/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict as lines to show: a copy that stays valid while signals are collected, unlike struct
 * sm_verdict. Front ends read it in each frame; it is made again only after news
 * (session_verdict.h). */
#ifndef SM_VERDICT_VIEW_H
#define SM_VERDICT_VIEW_H

#include "reader/base/mem.h"
#include "rules/verdict/verdict.h"

enum sm_verdict_state {
    SM_VERDICT_NOT_ASKED, /* nothing is collected, or nothing was saved yet */
    SM_VERDICT_TOO_LARGE, /* the trial is larger than the setting survey-limit */
    SM_VERDICT_READING,   /* the saved values are read for the first time */
    SM_VERDICT_NONE,      /* nothing wrong was found */
    SM_VERDICT_UNKNOWN,
    SM_VERDICT_CAUSE
};
struct sm_verdict_place {
    uint32_t tensor; /* SM_NAME_NONE: of no tensor */
    uint16_t worker; /* SM_WORKER_ANY if there is one only */
    int64_t step;    /* -1: of no step */
};
struct sm_verdict_line {
    const char *name; /* of the tensor, and of its worker if there are several; NULL: none */
    const char *text;
    const char *command; /* shows it; not escaped */
    struct sm_verdict_place place;
};
struct sm_verdict_view {
    struct sm_arena arena; /* of the texts, which are escaped except for commands */
    enum sm_verdict_state state;
    int percent;                /* of the steps, while READING */
    const char *limit;          /* the setting, if TOO_LARGE */
    const char *id;             /* of the cause, "none" or "unknown" */
    const char *title;          /* "learning rate too high" */
    const char *headline;       /* "CAUSE learning rate too high, since step 1 to 2" */
    const char *looked_at;      /* a sentence */
    const char *scope;          /* the same in short: "29 tensors, 16 steps, 349 values" */
    const char *missing;        /* what was not saved: "inputs, labels", or "" */
    const char *speed;          /* "SPEED balanced: ...", or "" */
    const char *speed_headline; /* "SPEED balanced", or "" */
    struct sm_verdict_line speed_evidence[SM_SPEED_EVIDENCE]; /* of speed, unless that is the cause
                                                               */
    size_t n_speed_evidence;
    const char *attempts; /* "Lower the learning rate; ...", or "" */
    struct sm_verdict_line evidence[SM_EVIDENCE_MOST];
    size_t n_evidence;
    struct sm_verdict_line effects[SM_VERDICT_CLAIMS]; /* by onset; name: "@3 NaN" */
    size_t n_effects;
    /* of the cause; the value of its evidence depends on the clock */
    bool timed;
};
/* Replaces *out, zero-initialised or used before. */
void sm_verdict_view_make(const struct sm_verdict *v, struct sm_verdict_view *out);
/* Replaces it by one without lines. */
void sm_verdict_view_reset(struct sm_verdict_view *out, enum sm_verdict_state state, int percent);
void sm_verdict_view_clear(struct sm_verdict_view *v);

#endif
