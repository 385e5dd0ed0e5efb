#include "commands/armed.h"

#include "commands/hunt.h"
#include "commands/incident.h"

#include <string.h>

enum { BUDGET_US = 5000 };

static bool any_enabled(const struct sm_session *s)
{
    for (size_t i = 0; i < s->breakpoints.n; i++)
        if (s->breakpoints.items[i]->enabled && s->breakpoints.items[i]->type != SM_BREAK_PRINT)
            return true;
    return false;
}

static struct sm_step newest(const struct sm_trial *t)
{
    size_t n = sm_trial_step_count(t);
    return n ? sm_trial_step(t, n - 1)->step : (struct sm_step){-1};
}

static void note(struct sm_session *s, const struct sm_hit *hit)
{
    const struct sm_breakpoint *b = sm_breakpoints_find(&s->breakpoints, hit->number);
    struct sm_str text = {0}, name = {0};
    if (b->type == SM_BREAK_PRINT)
        return;
    sm_hunt_describe(sm_session_trial(s), b, hit, &text);
    sm_str_printf(&name, "%s %u", sm_breakpoint_noun(b), b->number);
    sm_incidents_add(s->incidents, sm_str_text(&name), hit->step.n, true, sm_str_text(&text));
    sm_str_clear(&text);
    sm_str_clear(&name);
}

static void note_hits(struct sm_session *s)
{
    size_t n;
    const struct sm_hit *hits = sm_hunt_hits(s->armed, &n);
    for (size_t i = 0; i < n; i++)
        note(s, &hits[i]);
}

/* A run that began again writes lower steps. */
static bool is_stale(const struct sm_session *s)
{
    return sm_hunt_trial(s->armed) != sm_session_trial(s) || newest(sm_session_trial(s)).n < sm_hunt_at(s->armed).n;
}

bool sm_armed_pump(struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    bool met = false;
    s->armed_busy = false;
    if (!s->arms || !t || !any_enabled(s)) {
        sm_armed_drop(s);
        return false;
    }
    if (!sm_trial_scanned(t))            /* also while it is refreshed */
        return false;
    if (s->armed && is_stale(s))
        sm_armed_drop(s);
    if (!s->armed)
        s->armed = sm_hunt_watch(s, newest(t));
    enum sm_hunt_result r;
    while ((r = sm_hunt_run(s->armed, BUDGET_US)) == SM_HUNT_HIT) {
        note_hits(s);
        met = true;
    }
    s->armed_busy = r == SM_HUNT_BUSY;
    return met;
}

bool sm_armed_busy(const struct sm_session *s)
{
    return s->armed_busy;
}

void sm_armed_drop(struct sm_session *s)
{
    sm_hunt_free(s->armed);
    s->armed = NULL;
    s->armed_busy = false;
}
