/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/step_moments.h"

static bool written_at(const struct sm_trial_step *s, const struct sm_profile *p, int64_t *ns)
{
    int64_t from, to;
    return !__builtin_mul_overflow(s->time_us, 1000, ns) && sm_profile_span(p, &from, &to) &&
           *ns >= from && *ns <= to;
}

bool sm_step_moment(const struct sm_trial *t, const struct sm_profile *p, size_t i,
                    int64_t *from_ns, int64_t *to_ns)
{
    const struct sm_trial_step *s = sm_trial_step(t, i);
    enum sm_mode mode = (enum sm_mode)s->mode;
    bool number = s->mode_step.n >= 0 && s->mode_step.n <= INT32_MAX;
    if (mode == SM_MODE_GLOBAL) /* no mode was given */
        mode = sm_profile_main_mode(p);
    if (number && sm_profile_step_time(p, mode, (int32_t)s->mode_step.n, from_ns, to_ns))
        return true;
    if (sm_profile_events(p)->n_steps || !written_at(s, p, from_ns))
        return false;
    *to_ns = *from_ns;
    return true;
}

/* The nearest step from i on, going up or down, whose time is known; SIZE_MAX: none. */
static size_t known_from(const struct sm_trial *t, const struct sm_profile *p, size_t i, bool up,
                         size_t end, int64_t *from_ns, int64_t *to_ns)
{
    for (; i != end; i += up ? 1 : (size_t)-1)
        if (sm_step_moment(t, p, i, from_ns, to_ns))
            return i;
    return SIZE_MAX;
}

/* The first step that is known to end after ns; the number of steps if there is none. Steps run one
 * after the other. */
static size_t first_after(const struct sm_trial *t, const struct sm_profile *p, int64_t ns)
{
    size_t low = 0, high = sm_trial_step_count(t);
    while (low < high) {
        int64_t from, to;
        size_t mid = low + (high - low) / 2, known = known_from(t, p, mid, true, high, &from, &to);
        if (known == SIZE_MAX)
            high = mid;
        else if (to > ns || (to == from && to >= ns))
            high = mid;
        else
            low = known + 1;
    }
    int64_t from, to;
    size_t n = sm_trial_step_count(t), known = known_from(t, p, low, true, n, &from, &to);
    return known == SIZE_MAX ? n : known;
}

bool sm_steps_of_moments(const struct sm_trial *t, const struct sm_profile *p, int64_t from_ns,
                         int64_t to_ns, size_t *first, size_t *last)
{
    size_t n = sm_trial_step_count(t), at = first_after(t, p, from_ns), i;
    int64_t from, to;
    *last = SIZE_MAX;
    for (i = at; i < n; i++) {
        if (!sm_step_moment(t, p, i, &from, &to))
            continue;
        if (from >= to_ns)
            break;
        *last = i;
    }
    *first = at;
    if (*last != SIZE_MAX)
        return true;
    size_t before = at ? known_from(t, p, at - 1, false, SIZE_MAX, &from, &to) : SIZE_MAX;
    if (before == SIZE_MAX && at == n)
        return false;
    *first = before == SIZE_MAX ? at : before;
    *last = at == n ? *first : at;
    return true;
}
