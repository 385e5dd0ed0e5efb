#include "commands/session/trial_news.h"

#include "commands/session/incident.h"
#include "commands/session/trial_list.h"

/* The text of a change since the last call, or NULL. */
static const char *describe_change(const struct sm_open_trial *o, enum sm_trial_state now,
                                   bool gone)
{
    if (gone != o->known_gone)
        return gone ? "deleted or moved" : "available again";
    if (now == o->known_state)
        return NULL;
    switch (now) {
    case SM_TRIAL_ENDED:
        return "the job has ended";
    case SM_TRIAL_STALLED:
        return "stalled: no new data for some time";
    case SM_TRIAL_LIVE:
        return o->known_state == SM_TRIAL_WAITING ? NULL : "the job continues";
    default:
        return NULL;
    }
}

static void report_change(struct sm_session *s, size_t i, const char *what)
{
    struct sm_str text = {0};
    sm_trials_label(s, i, &text);
    sm_str_printf(&text, ": %s", what);
    sm_incidents_add(s->incidents, NULL, -1, false, sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_trial_news(struct sm_session *s)
{
    for (size_t i = 0; i < s->n_trials; i++) {
        struct sm_open_trial *o = &s->trials[i];
        if (!sm_trial_scanned(o->trial))
            continue;
        enum sm_trial_state now = sm_trial_state(o->trial);
        bool gone = sm_trial_emptied(o->trial);
        const char *what = o->known && i != s->current ? describe_change(o, now, gone) : NULL;
        o->known = true;
        o->known_state = now;
        o->known_gone = gone;
        if (what)
            report_change(s, i, what);
    }
}
