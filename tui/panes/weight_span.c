/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/weight_span.h"

#include "reader/analysis/saved_weights.h"

/* From the first step with weights in lo..hi, or the one before the last, to the last; if that is
 * the first of all, from it to the end. */
static void find_span(struct sm_weight_span *x, bool range)
{
    struct sm_step first, last, end;
    x->known = sm_weight_steps_within(x->trial, x->lo, x->hi, &first, &last);
    x->at = last.n;
    if (x->known && x->before && !range && first.n < last.n)
        sm_weight_steps_within(x->trial, x->lo, last.n - 1, &end, &first);
    if (x->known && first.n == last.n && !range)
        sm_weight_steps_within(x->trial, first.n, INT64_MAX, &end, &last);
    x->from = first.n;
    x->to = last.n;
    x->known = x->known && x->from < x->to;
}

bool sm_weight_span_read(struct sm_weight_span *x, const struct sm_view *v)
{
    const struct sm_session *s = v->session;
    const struct sm_trial *t = sm_session_trial(s);
    const bool range = s->range.set;
    if (!t)
        return x->known = false;
    struct sm_weight_span now = {.before = x->before,
                                 .trial = t,
                                 .version = sm_trial_version(t),
                                 .step = sm_session_step(s).n,
                                 .lo = range ? s->range.lo : INT64_MIN,
                                 .hi = range ? s->range.hi : sm_session_step(s).n,
                                 .was_before = x->before};
    if (now.trial == x->trial && now.version == x->version && now.step == x->step &&
        now.lo == x->lo && now.hi == x->hi && now.was_before == x->was_before)
        return x->known;
    find_span(&now, range);
    *x = now;
    return x->known;
}

void sm_weight_span_note(const struct sm_weight_span *x, struct sm_str *note)
{
    if (x->known)
        sm_str_printf(note, "%sstep %lld to %lld", note->len ? "  " : "", (long long)x->from,
                      (long long)x->to);
}
