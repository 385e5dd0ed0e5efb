/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a value for good once it was read: enough for trends, cells and the search for
 * the worst value, so that these look at every value of a run without keeping the records.
 *
 * Each tensor of a trial has its briefs beside its entries (reader/trial.h). They are filled with
 * every answer of the workers that has statistics, and by the survey (reader/fetch/survey.h). */
#ifndef SM_BRIEF_H
#define SM_BRIEF_H

#include "reader/format/dtype.h"

#include <stdbool.h>

struct sm_facts;

enum sm_brief_flag {
    SM_BRIEF_READ = 1 << 0,
    SM_BRIEF_FAILED = 1 << 1,  /* it could not be read */
    SM_BRIEF_SKIPPED = 1 << 2, /* replaced before it was read */
    SM_BRIEF_ASKED = 1 << 3,   /* the survey is reading it */
    /* the others only with READ */
    SM_BRIEF_NUMBERS = 1 << 4, /* has statistics; otherwise it has a time only */
    SM_BRIEF_NAN = 1 << 5,
    SM_BRIEF_POS_INF = 1 << 6,
    SM_BRIEF_NEG_INF = 1 << 7,
    SM_BRIEF_ALL_ZERO = 1 << 8,
    SM_BRIEF_MOSTLY_ZERO = 1 << 9, /* at least 99 % of the elements */
    SM_BRIEF_ONE = 1 << 10,        /* one element, a real number: `first` is set */
    SM_BRIEF_EMPTY = 1 << 11,      /* no elements */
    SM_BRIEF_FLAT = 1 << 13,       /* with ONE: at most one dimension */
    SM_BRIEF_NO_STATS = 1 << 12,   /* numbers, but an archive lacks the statistics kept here */
};
/* No value is needed again: it was read, or cannot be. */
#define SM_BRIEF_SETTLED (SM_BRIEF_READ | SM_BRIEF_FAILED | SM_BRIEF_SKIPPED)

struct sm_brief { /* 24 bytes */
    double time;  /* wall clock of the record, seconds */
    union {
        uint8_t first[8]; /* ONE: the element as stored */
        struct {
            float mean, abs_mean; /* of the finite elements, rounded; NaN: none, or not known */
        };
    };
    float abs_max;  /* the same */
    uint16_t flags; /* enum sm_brief_flag */
    uint8_t dtype;
};
/* facts: with the statistics, if the type has any. */
void sm_brief_of(const struct sm_facts *facts, struct sm_brief *out);
/* Of a number that came with its step (struct sm_batch_scalar): a real one, as stored, of at most
 * one dimension. */
void sm_brief_of_number(enum sm_dtype dtype, const uint8_t element[8], double time,
                        struct sm_brief *out);
/* Of the finite elements; NaN without any, or if not known. Of one element they are exact. */
double sm_brief_mean(const struct sm_brief *b);
double sm_brief_abs_mean(const struct sm_brief *b);
double sm_brief_abs_max(const struct sm_brief *b);
/* How bad a value is, for what stands for several: 3 NaN, 2 infinite, 1 a finite number, 0 it has
 * no numbers. */
int sm_brief_rank(const struct sm_brief *b);

#endif
