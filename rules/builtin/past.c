/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/past.h"

static void halve(struct sm_past *h)
{
    for (size_t i = 0; i < h->n / 2; i++) {
        h->values[i] = (h->values[2 * i] + h->values[2 * i + 1]) / 2;
        h->steps[i] = h->steps[2 * i + 1];
    }
    h->n /= 2;
    h->each *= 2;
}

void sm_past_add(struct sm_past *h, int64_t step, double value)
{
    h->each = h->each ? h->each : 1;
    h->seen++;
    h->sum += value;
    if (++h->pending < h->each)
        return;
    if (h->n == (h->most ? h->most : SM_PAST_MOST)) {
        halve(h);
        return;
    }
    if (h->n == h->cap) {
        h->cap = 2 * h->cap + 16;
        h->values = sm_xrealloc(h->values, h->cap, sizeof *h->values);
        h->steps = sm_xrealloc(h->steps, h->cap, sizeof *h->steps);
    }
    h->values[h->n] = h->sum / (double)h->each;
    h->steps[h->n++] = step;
    h->sum = 0;
    h->pending = 0;
}

void sm_past_clear(struct sm_past *h)
{
    sm_free(h->values);
    sm_free(h->steps);
    *h = (struct sm_past){0};
}

void sm_pasts_clear(void *state)
{
    struct sm_pasts *s = state;
    for (size_t i = 0; i < s->tensors.n; i++)
        sm_past_clear(s->tensors.items[i]);
    sm_memory_clear(&s->tensors);
}
