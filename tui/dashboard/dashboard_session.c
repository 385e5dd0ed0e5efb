/* SPDX-License-Identifier: Apache-2.0 */
/* Takes over the session when the dashboard starts, and restores it at the end. */
#include "commands/judge/judge.h"
#include "commands/session/incident.h"
#include "commands/stops/stops.h"
#include "commands/verdict/session_verdict.h"
#include "reader/base/mem.h"
#include "tui/app/options.h"
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/panes/key_help.h"

void sm_dashboard_take_session(struct sm_dashboard *d, const struct sm_options *o,
                               struct sm_dashboard_before *before)
{
    struct sm_session *s = d->session;
    *before =
        (struct sm_dashboard_before){sm_dashboard_state(s)->keys, sm_dashboard_state(s)->n_keys};
    if (!o->resumed) {
        s->at.tensor = SM_NAME_NONE;
        s->at.follow = true;
    }
    sm_dashboard_state(s)->may_switch = !o->keys;
    sm_dashboard_state(s)->shown = d;
    s->term.full_screen = true;
    sm_judge(s)->auto_rules = !o->rules && !o->no_rules && !o->keys && !o->resumed;
    sm_stops(s)->live = true;
    sm_session_verdict_watch(s, true);
}

void sm_dashboard_give_session_back(struct sm_dashboard *d,
                                    const struct sm_dashboard_before *before)
{
    struct sm_session *s = d->session;
    sm_session_verdict_watch(s, false);
    s->incidents->on_added = NULL;
    sm_dashboard_state(s)->shown = NULL;
    s->term.full_screen = false;
    sm_dashboard_state(s)->may_switch = sm_stops(s)->live = sm_judge(s)->auto_rules = false;
    sm_dashboard_state(s)->keys = before->keys;
    sm_dashboard_state(s)->n_keys = before->n_keys;
}

void sm_dashboard_forget(struct sm_dashboard *d)
{
    sm_panes_forget(&d->panes);
    sm_problem_place_clear(&d->problem);
    d->explains = false;
    d->verdict = (struct sm_verdict_space){0};
    sm_workers_clear(&d->workers);
    d->filter_tensor = SM_NAME_NONE;
    d->filter_trial = NULL;
    d->dirty = true;
}

void sm_dashboard_clear(struct sm_dashboard *d)
{
    sm_panes_clear(&d->panes);
    sm_layouts_clear(&d->layouts);
    sm_keymap_clear(&d->keymap);
    sm_key_help_free(d->keys, d->n_keys);
    sm_grid_clear(&d->grid);
    sm_overlay_clear(&d->overlay);
    sm_str_clear(&d->input);
    sm_paste_clear(&d->paste);
    sm_problem_place_clear(&d->problem);
    sm_workers_clear(&d->workers);
    sm_str_clear(&d->notice);
    sm_str_clear(&d->event);
    sm_free(d->view.search);
    sm_str_clear(&d->view.console);
    sm_settings_form_clear(&d->settings_form);
    sm_keyscript_clear(&d->script);
}
