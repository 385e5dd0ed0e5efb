/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/problem.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

static struct sm_problem *find_problem(struct sm_problems *p, const char *file, int64_t offset,
                                       const struct sm_err *err)
{
    for (size_t i = p->n; i-- > 0;)
        if (p->items[i].offset == offset && strcmp(p->items[i].file, file) == 0 &&
            strcmp(p->items[i].message, err->msg) == 0)
            return &p->items[i];
    return NULL;
}

void sm_problems_add(struct sm_problems *p, const char *file, int64_t offset,
                     const struct sm_err *why)
{
    struct sm_err reason = *why;
    const struct sm_err *err = &reason;
    sm_err_strip(&reason, file);
    struct sm_problem *same = find_problem(p, file, offset, err);
    if (same) {
        same->times++;
        return;
    }
    p->total++;
    if (p->n >= SM_PROBLEMS_KEPT || !SM_VEC_ROOM(p->items, p->n, p->cap))
        return;
    struct sm_problem x = {.file = sm_strdup(file),
                           .offset = offset,
                           .code = err->code,
                           .message = sm_strdup(err->msg),
                           .times = 1,
                           .first_seen_us = sm_clock_wall_us()};
    if (x.file && x.message) {
        p->items[p->n++] = x;
        return;
    }
    sm_free(x.file);
    sm_free(x.message);
}

void sm_problems_clear(struct sm_problems *p)
{
    for (size_t i = 0; i < p->n; i++) {
        sm_free(p->items[i].file);
        sm_free(p->items[i].message);
    }
    sm_free(p->items);
    *p = (struct sm_problems){0};
}
