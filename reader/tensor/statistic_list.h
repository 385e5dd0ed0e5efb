/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of a tensor, one row each: `stat`, `series reduce`, `layers`, `health`, functions
 * of expressions, panes, the hook's reductions and archives all follow from this list.
 *
 * A new statistic is a field of struct sm_stats, its accumulation in stats.c, and a row in
 * statistic_list.c. Its key is its name for good: archives and JSON have it. */
#ifndef SM_STATISTIC_LIST_H
#define SM_STATISTIC_LIST_H

#include "reader/base/str.h"
#include "reader/tensor/stats.h"

enum sm_statistic_kind {
    SM_STATISTIC_REAL,    /* a double; unknown without finite elements */
    SM_STATISTIC_COUNT,   /* a uint64_t */
    SM_STATISTIC_QUANTILE /* needs all elements at once: not in struct sm_stats */
};

struct sm_statistic {
    const char *key;
    const char *title;    /* in headers of columns; NULL: the key */
    const char *alias;    /* another name that is understood, as configurations have it; or NULL */
    const char *function; /* of expressions; NULL: none */
    const char *help;     /* of the function */
    enum sm_statistic_kind kind;
    int reduction;  /* what the hook may have saved of it; SM_REDUCE_NONE: nothing */
    uint8_t field;  /* which 8 bytes of struct sm_stats */
    bool derived;   /* of that field: archives do not store it */
    bool required;  /* statistics without it are broken; others may be missing in an archive */
    bool hidden;    /* not shown by `stat` */
    uint8_t point;  /* QUANTILE: index in the quantiles of struct sm_facts */
    uint8_t order;  /* in the JSON of `stat`: 1, 2 ...; 0: after those */
    uint8_t column; /* the same in its columns */
    uint8_t line;   /* the same in its text: 10 * line + place in it; 0: a line of its own */
    double (*get)(const struct sm_stats *s); /* derived; NULL: the field itself */
};

size_t sm_statistic_count(void);
const struct sm_statistic *sm_statistic(size_t i);
const char *sm_statistic_title(const struct sm_statistic *x);

/* By key, alias or function. NULL: there is none. */
const struct sm_statistic *sm_statistic_find(struct sm_text name);
/* Of those alone that commands and panes offer. */
const struct sm_statistic *sm_statistic_offered(struct sm_text name);
/* What they offer, NULL-terminated; "absmax" among them is another name of "abs_max". */
extern const char *const sm_statistic_names[];
/* The offered statistics are sm_statistic(0) to sm_statistic(sm_statistic_offered_count() - 1). */
size_t sm_statistic_offered_count(void);

/* False: it was not saved with the others (an archive of another version), or is no part of
 * struct sm_stats. */
bool sm_statistic_known(const struct sm_stats *s, const struct sm_statistic *x);
/* NaN: not known, or there are no finite elements to make it of. */
double sm_statistic_of(const struct sm_stats *s, const struct sm_statistic *x);

/* The exact minimum, maximum or largest magnitude of integers. False: it is not one of these, not
 * known exactly, or the elements are no integers. */
bool sm_statistic_exact(const struct sm_stats *s, enum sm_dtype d, const struct sm_statistic *x,
                        struct sm_exact *out);

/* ---- reductions: the statistics that the hook saves ---- */

/* "mean", "abs_max", "l2", also "l2_norm" as configurations spell it, "var"; -1: no such name. */
int sm_reduction_of_name(const char *p, size_t n);
const char *sm_reduction_name(int reduction); /* "abs_mean"; as in tensor names (l1, l2) */
const struct sm_statistic *sm_reduction_statistic(int reduction); /* NULL: NONE */
/* As sm_statistic_of; not MEDIAN */
double sm_stats_get(const struct sm_stats *s, int reduction);

#endif
