/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/strips_pane.h"

#include "commands/answer/typed_number.h"

#include <string.h>

const enum sm_key_action sm_strips_pane_keys[] = {SM_ACT_CHART_IN, SM_ACT_CHART_OUT,
                                                  SM_ACT_CHART_ALL, SM_ACT_NONE};

void sm_strips_pane_draw(struct sm_pane *p, const struct sm_view *v,
                         const struct sm_strips_place *to, sm_strips_fill fill,
                         const char *none_like, const char *none)
{
    struct sm_strips *s = p->state;
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (!x)
        sm_profile_say(v, to->g, to->r, why);
    else if (sm_strips_read(s, x, fill))
        sm_strips_draw(s, v, x, to->g, to->r, to->focused, to->note, &p->unfinished);
    else
        sm_profile_say(v, to->g, to->r,
                       s->filter                ? none_like
                       : !sm_profile_is_read(x) ? "reading the profile"
                                                : none);
}

bool sm_strips_pane_act(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    return sm_strips_act(p->state, v, a);
}

bool sm_strips_pane_digit(struct sm_pane *p, struct sm_view *v, int digit)
{
    return sm_strips_digit(p->state, v, digit);
}

void sm_strips_pane_click(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    sm_strips_click(p->state, v, x, y);
}

void sm_strips_pane_filter(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_strips_filter(p->state, text);
}

bool sm_strips_pane_set(struct sm_pane *p, struct sm_view *v, const char *attribute,
                        const char *value, struct sm_err *err)
{
    int64_t us = 0;
    (void)p;
    if (strcmp(attribute, "window") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "No attribute \"%s\". There is: window.", attribute);
    if (strcmp(value, "all") != 0 &&
        (!sm_number_duration(sm_text(value), &us) || us < 1 || us > INT64_MAX / 1000))
        return sm_err_set(err, SM_ERR_USAGE, "Expected a time such as 5m, or all.");
    if (!sm_session_trial(v->session))
        return sm_session_no_trial(err);
    sm_profile_show_last(v, us * 1000);
    return true;
}

void sm_strips_pane_forget(struct sm_pane *p)
{
    sm_strips_forget(p->state);
}

void sm_strips_pane_clear(struct sm_pane *p)
{
    sm_strips_clear(p->state);
}
