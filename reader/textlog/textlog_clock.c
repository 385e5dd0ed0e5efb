/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_clock.h"

static const struct sm_textlog_head *find(const struct sm_textlog_head *heads, size_t n,
                                          enum sm_textlog_unit unit)
{
    for (size_t i = 0; i < n; i++)
        if (heads[i].unit == unit)
            return &heads[i];
    return NULL;
}

/* Whether the steps begin anew with an epoch shows when the first one is over. */
static void note(struct sm_textlog_clock *c, int64_t epoch, int64_t n)
{
    if (!c->any)
        *c = (struct sm_textlog_clock){
            .any = true, .first_epoch = epoch, .last_epoch = epoch, .min_n = n, .max_n = n};
    if (epoch > c->last_epoch && c->mode == SM_TEXTLOG_UNDECIDED) {
        c->mode = n <= c->last_n ? SM_TEXTLOG_ANEW : SM_TEXTLOG_GOES_ON;
        c->span = c->max_n + (c->min_n == 0);
    }
    c->last_epoch = epoch > c->last_epoch ? epoch : c->last_epoch;
    c->last_n = n;
    c->max_n = n > c->max_n ? n : c->max_n;
}

static int64_t add(int64_t epochs, int64_t span, int64_t n)
{
    int64_t base, sum;
    bool far = __builtin_mul_overflow(epochs, span, &base) ||
               __builtin_add_overflow(base, n, &sum) || sum < 0;
    return far ? n : sum;
}

/* here: the epoch stands in the same line; the first one is then 1, or 0. */
static int64_t join(struct sm_textlog_clock *c, int64_t epoch, const struct sm_textlog_head *h,
                    bool here)
{
    note(c, epoch, h->n);
    if (c->mode == SM_TEXTLOG_GOES_ON)
        return h->n;
    int64_t first = here && c->first_epoch > 0 ? 1 : c->first_epoch;
    if (h->of)
        return add(epoch - first, h->of, h->n);
    return c->mode == SM_TEXTLOG_ANEW ? add(epoch - c->first_epoch, c->span, h->n) : h->n;
}

int64_t sm_textlog_clock_step(struct sm_textlog_clock *c, const struct sm_textlog_head *heads,
                              size_t n, int64_t epoch, enum sm_textlog_unit *unit)
{
    const struct sm_textlog_head *global = find(heads, n, SM_TEXTLOG_GLOBAL);
    const struct sm_textlog_head *step = find(heads, n, SM_TEXTLOG_STEP);
    const struct sm_textlog_head *of_epoch = find(heads, n, SM_TEXTLOG_EPOCH);
    *unit = SM_TEXTLOG_STEP;
    if (global)
        return global->n;
    if (!step)
        step = find(heads, n, SM_TEXTLOG_BATCH);
    if (step && of_epoch) /* "[step=3/9,epoch=0]" counts all */
        return of_epoch->begin < step->begin ? join(c, of_epoch->n, step, true) : step->n;
    if (step)
        return epoch >= 0 ? join(c, epoch, step, false) : step->n;
    *unit = SM_TEXTLOG_EPOCH;
    return of_epoch ? of_epoch->n : -1;
}
