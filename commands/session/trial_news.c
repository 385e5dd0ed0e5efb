/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/trial_news.h"

#include "commands/session/incident.h"
#include "commands/session/trial_list.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"

#include <string.h>

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

/* ---- names ---- */

/* What the logger calls the run, unless the user has named it. */
static const char *own_name(const struct sm_open_trial *o)
{
    const char *logged = sm_trial_info(o->trial)->name;
    return o->alias ? o->alias : logged ? logged : sm_trial_name(o->trial);
}

/* Whether a folder or file of the path is called so, but for its ending. */
static bool has_part(const char *path, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = strstr(path, name); p && n; p = strstr(p + 1, name))
        if ((p == path || p[-1] == '/') && (!p[n] || p[n] == '/' || p[n] == '.'))
            return true;
    return false;
}

static void set_name(struct sm_open_trial *o, bool alike)
{
    struct sm_str name = {0};
    const char *own = own_name(o);
    bool path = alike && !o->alias && strcmp(o->run, ".") != 0,
         holds = path && has_part(o->run, own);
    sm_str_printf(&name, path && !holds ? "%s (%s)" : "%s", holds ? o->run : own, o->run);
    if (strcmp(o->name, sm_str_text(&name)) != 0) {
        sm_free(o->name);
        o->name = sm_xstrdup(sm_str_text(&name));
    }
    sm_str_clear(&name);
}

/* Names are those that loggers give; runs that are called alike have their paths, too. */
static void update_names(struct sm_session *s)
{
    struct sm_names *names = sm_names_new();
    size_t *count = sm_xalloc_zero(s->n_trials + 1, sizeof *count);
    for (int pass = 0; names && pass < 2; pass++)
        for (size_t i = 0; i < s->n_trials; i++) {
            const char *own = own_name(&s->trials[i]);
            uint32_t id = sm_names_add(names, own, strlen(own));
            if (id == SM_NAME_NONE)
                break;
            if (pass)
                set_name(&s->trials[i], count[id] > 1);
            else
                count[id]++;
        }
    sm_names_free(names);
    sm_free(count);
}

/* Changes when a trial is opened or closed, or has another version. */
static uint64_t stamp_of(const struct sm_session *s)
{
    uint64_t stamp = s->n_trials;
    for (size_t i = 0; i < s->n_trials; i++)
        stamp = (stamp ^ sm_trial_info_version(s->trials[i].trial)) * 1099511628211u;
    return stamp;
}

void sm_trial_news(struct sm_session *s)
{
    uint64_t stamp = stamp_of(s);
    if (stamp != s->named)
        update_names(s);
    s->named = stamp;
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
