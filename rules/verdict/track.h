/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of a trial: a few numbers of every saved value, in the order of the steps, which the
 * causes (cause.h) look at. Collected by one internal rule (collect.h), so each payload is read
 * once, in the background, and live. */
#ifndef SM_TRACK_H
#define SM_TRACK_H

#include "reader/base/map.h"
#include "rules/verdict/signal_role.h"

/* Numbers that depend on the role; NaN if they are not known. */
enum {
    /* parameters: |w - w'| / |w'| (norms) against the value saved before; 1 if all rows or all
     * columns are equal (weights); |w - v| / |v| against the same value of the first worker */
    SM_OWN_CHANGE = 0,
    SM_OWN_ALIKE = 1,
    SM_OWN_APART = 2,
    /* relu, tanh, sigmoid: share of the units that are zero, or saturated, in every sample */
    SM_OWN_DEAD = 0,
    SM_OWN_SATURATED = 1,
    SM_OWN_SATURATED_ELEMENTS = 2, /* share of the elements */
    /* inputs, of real numbers: over the features the largest |mean| / std, the least and the
     * largest std */
    SM_OWN_OFFSET = 0,
    SM_OWN_STD_LEAST = 1,
    SM_OWN_STD_MOST = 2,
    /* labels: entropy of the classes of the step, in nats; share that is predicted */
    SM_OWN_ENTROPY = 0,
    SM_OWN_ACCURACY = 1,
    /* scores: elements of the last axis */
    SM_OWN_WIDTH = 0,
    SM_OWN_NUMBERS = 3
};
struct sm_track_point {
    int64_t step, number;         /* global, and in its mode */
    uint32_t seq;                 /* position in the step, by write order */
    float nan, infinite;          /* how many elements */
    float mean, std, abs_max, l2; /* of the finite elements; NaN without any, or if not saved */
    float zero;                   /* share of the elements; NaN if not saved */
    float own[SM_OWN_NUMBERS];
};
_Static_assert(sizeof(struct sm_track_point) <= 72, "doc/promises.md");
struct sm_track { /* one tensor, worker and mode */
    uint32_t name;
    uint16_t worker;
    uint8_t mode, role; /* enum sm_mode, enum sm_signal_role */
    uint64_t size;      /* elements of the newest value */
    uint64_t dims[2];   /* of the newest value: the first two axes; 0 if it has fewer */
    uint64_t outputs; /* units of a weight: its first axis, or the last of a kernel of TensorFlow */
    bool integers;
    bool begins;     /* the first value is what training began with (sm_is_first_value) */
    bool ranks;      /* of files named by ranks: nothing says whether the workers are replicas */
    uint64_t values; /* that were looked at */
    /* One for each value. Of single numbers that no cause looks at (no part of the network, neither
     * loss nor learning rate): those where finite and not finite values begin and end. */
    struct sm_track_point *points;
    size_t n, cap;
};

/* How often each class was the label, was predicted, and was both, for spans of steps: those that
 * train, or of the first mode with labels if these have none. */
enum { SM_CLASSES_MOST = 64, SM_CLASS_SPANS = 64 };
enum { SM_CLASS_SEEN, SM_CLASS_PREDICTED, SM_CLASS_HIT, SM_CLASS_COUNTS };
struct sm_class_span {
    int64_t first; /* step */
    uint32_t steps, counts[SM_CLASSES_MOST][SM_CLASS_COUNTS];
};
struct sm_class_totals {
    double labels[SM_CLASSES_MOST]; /* in order of appearance */
    size_t n;
    bool many;       /* more than that: they are not classes */
    bool predicted;  /* the predictions are known, too */
    bool trained;    /* the steps are those that train */
    uint8_t mode;    /* enum sm_mode, of the steps */
    uint32_t length; /* steps of a span; doubled when there are too many */
    struct sm_class_span *spans;
    size_t n_spans;
};

struct sm_signals {
    const struct sm_trial *trial;
    struct sm_track *tracks; /* in order of appearance: by step, then write order */
    size_t n, cap;
    struct sm_map places; /* of (name, worker, mode) in tracks */
    struct sm_class_totals classes;
    uint64_t values, unread; /* values that were looked at, and that could not be read */
    uint64_t members;        /* of sm_trial_members_version, when the roles were found */
    size_t steps;
    int64_t first_step, last_step; /* of those that were looked at; -1 if none */
};
const char *sm_track_name(const struct sm_signals *g, const struct sm_track *t);
const char *sm_track_worker(const struct sm_signals *g, const struct sm_track *t);
/* NULL if there is none. */
const struct sm_track *sm_track_find(const struct sm_signals *g, uint32_t name, uint16_t worker,
                                     enum sm_mode mode);
/* The mode that trains: TRAIN if the trial has such steps, else that of the first track. */
enum sm_mode sm_signals_mode(const struct sm_signals *g);

#endif
