/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/bad_steps.h"

#include "reader/tables/column_name.h"

#include <inttypes.h>
#include <string.h>

/* A fraction after fewer steps than FEW says that an epoch has fractions. A counter is given up
 * after MOST bad values if they are a quarter, unless it had SURE steps before. */
enum { FEW = 4, MOST = 4, SURE = 64 };

bool sm_is_step(double v, int64_t *step, bool *fraction)
{
    *fraction = fabs(v) < 9e15 && v != floor(v);
    return sm_step_value(v, step) && *step >= 0;
}

void sm_step_is_good(struct sm_step_doubt *d)
{
    d->good += d->good < UINT8_MAX;
}

bool sm_step_is_bad(struct sm_step_doubt *d, unsigned rank, bool fraction)
{
    bool nested = rank % 2;
    d->bad += d->bad < UINT8_MAX;
    if (fraction && d->good < FEW && (rank >= SM_STEP_EPOCH || nested))
        return true;
    return d->good < SURE && d->bad >= MOST && 3 * d->bad >= d->good;
}

bool sm_step_never_good(const struct sm_step_doubt *d)
{
    return !d->good && d->bad > 1;
}

void sm_bad_rows_add(struct sm_bad_rows *b, const struct sm_log_line *line, const char *p, size_t n,
                     struct sm_log_sink *sink, const char *path)
{
    if (b->n == sizeof b->items / sizeof *b->items)
        sm_bad_rows_tell(b, sink, path);
    struct sm_bad_row *x = &b->items[b->n++];
    *x = (struct sm_bad_row){.offset = line->offset, .line = line->number};
    memcpy(x->step, p, n < sizeof x->step ? n : sizeof x->step - 1);
}

void sm_bad_rows_tell(struct sm_bad_rows *b, struct sm_log_sink *sink, const char *path)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct sm_bad_row *x = &b->items[i];
        struct sm_err err;
        sm_err_set(&err, SM_ERR_DATA, "line %" PRIu64 ": \"%s\" is no step: the row is left out",
                   x->line, x->step);
        sm_log_problem(sink, path, (int64_t)x->offset, &err);
    }
    b->n = 0;
}
