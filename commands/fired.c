#include "commands/fired.h"

#include <string.h>

enum { STEPS_MAX = 64 };

size_t sm_fired_steps(const struct sm_session *s, int64_t *out, size_t most)
{
    const struct sm_rules *r = s->current < s->n_trials ? s->trials[s->current].rules : NULL;
    size_t n = 0;
    for (size_t i = 0; r && i < sm_rules_count(r); i++) {
        int64_t step = sm_rules_item(r, i)->first_fired;
        size_t at = n;
        while (at && out[at - 1] > step)
            at--;
        if (step < 0 || (at && out[at - 1] == step) || at == most)
            continue;
        n += n < most;
        memmove(out + at + 1, out + at, (n - at - 1) * sizeof *out);
        out[at] = step;
    }
    return n;
}

size_t sm_fired_marks(const struct sm_session *s, const int64_t *steps, const double *x, size_t n, double *marks, size_t most)
{
    int64_t fired[STEPS_MAX];
    size_t n_fired = sm_fired_steps(s, fired, STEPS_MAX), i = 0, k = 0;
    for (size_t f = 0; f < n_fired && k < most; f++) {
        while (i < n && steps[i] < fired[f])
            i++;
        if (!x)
            marks[k++] = (double)fired[f];
        else if (i < n && (!k || marks[k - 1] < x[i]))
            marks[k++] = x[i];
    }
    return k;
}
