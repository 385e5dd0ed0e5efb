/* SPDX-License-Identifier: Apache-2.0 */
/* Where an expression gets its numbers from: the payload, its statistics, a saved reduction, or
 * every step. */
#ifndef SM_SOURCES_H
#define SM_SOURCES_H

#include "rules/expr/expr.h"

enum sm_source_kind {
    SM_FROM_PAYLOAD,
    SM_FROM_STATISTICS, /* of the payload, computed when it is read */
    SM_FROM_SAVED,      /* a reduction saved by the hook, used because there is no payload */
    SM_FROM_HEAD,       /* the head of the record: shape, type */
    SM_FROM_INDEX,      /* nothing is read */
    SM_FROM_SERIES,     /* a number at each step */
    SM_FROM_NOWHERE
};
const char *sm_source_kind_name(enum sm_source_kind k); /* "payload", "statistics", ... */

struct sm_expr_source {
    const struct sm_trial_tensor *tensor;
    const char *func;    /* the function that reads it; NULL if the elements are needed */
    struct sm_step step; /* -1 for SERIES, or if it is not known */
    uint16_t worker;     /* ANY: the first */
    enum sm_source_kind kind;
    struct sm_text why; /* reason, for NOWHERE */
};
/* Calls report for each name, in the order of the text, without reading values. False if the
 * expression has an error. */
bool sm_expr_sources(const struct sm_expr *e, struct sm_expr_env *env,
                     void (*report)(void *ctx, const struct sm_expr_source *s), void *ctx,
                     struct sm_err *err);

#endif
