/* SPDX-License-Identifier: Apache-2.0 */
/* One number per step: the data of plots, sparklines and series expressions. */
#ifndef SM_SERIES_H
#define SM_SERIES_H

#include "reader/fetch/fetch.h"
#include "reader/tensor/statistic_list.h"

/* reduction NULL: the value of a one-element tensor. Otherwise the statistic: the reduction written
 * by the hook if `saved`, else the computed one, never mixed. mode ANY: the steps of all modes.
 * worker ANY: at each step the first worker by name. */
struct sm_series_spec {
    uint32_t tensor; /* name id */
    const struct sm_statistic *reduction;
    bool saved;
    enum sm_mode mode;
    uint16_t worker;
};
struct sm_point {
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    bool known;  /* false: still being read (only while WAIT), value is NaN */
    double time; /* seconds since 1970, from the record */
    double value;
    enum sm_dtype dtype; /* with `first`: the exact value, where a double is not enough */
    uint8_t first[16];
};
struct sm_exact sm_point_exact(const struct sm_point *p);
struct sm_series {
    struct sm_point *points; /* by ascending step */
    size_t n, cap;
    size_t unread; /* steps left out because their record is unreadable */
    struct sm_step first_unread;
    /* Reduction NULL, and some values have more than one element: those are left out. */
    bool several;
};
/* Fills *out (zero-initialise once, then reuse) with what is known and requests the rest:
 * SM_ERR_WAIT until all is known. Unreadable records are left out and counted among the problems.
 * SM_ERR_MISSING if the tensor has no such value. */
bool sm_series_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_series_spec *spec,
                    struct sm_series *out, struct sm_err *err);
/* The same for the entries [from, to) of the tensor, which hold whole steps: no points are no
 * error. */
bool sm_series_read_entries(struct sm_fetch *f, struct sm_trial *t,
                            const struct sm_series_spec *spec, size_t from, size_t to,
                            struct sm_series *out, struct sm_err *err);
void sm_series_clear(struct sm_series *s);
/* Chooses a spec for a tensor: its value if it has one element, else the saved mean, else the
 * computed mean. */
bool sm_series_default(struct sm_fetch *f, struct sm_trial *t, const struct sm_trial_tensor *x,
                       struct sm_series_spec *out, struct sm_err *err);

#endif
