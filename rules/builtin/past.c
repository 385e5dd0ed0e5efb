#include "rules/builtin/past.h"

void sm_past_add(struct sm_past *h, int64_t step, double value)
{
    if (h->n == h->cap) {
        h->cap = 2 * h->cap + 16;
        h->values = sm_xrealloc(h->values, h->cap, sizeof *h->values);
        h->steps = sm_xrealloc(h->steps, h->cap, sizeof *h->steps);
    }
    h->values[h->n] = value;
    h->steps[h->n++] = step;
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
