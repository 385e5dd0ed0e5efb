/* SPDX-License-Identifier: Apache-2.0 */
/* The notice line: results of keys and commands, and events. */
#include "tui/dashboard/dashboard.h"

#include "reader/base/clock.h"

enum { NOTICE_US = 8000000, RESULT_US = 4000000 };

static void set_notice(struct sm_dashboard *d, enum sm_role role, const char *text)
{
    d->notice_role = role;
    sm_str_truncate(&d->notice, 0);
    sm_str_add(&d->notice, text);
    d->view.notice = NULL;
    d->notice_until_us = sm_clock_mono_us() + NOTICE_US;
    d->dirty = true;
}

static void set_result(struct sm_dashboard *d, enum sm_role role, const char *text)
{
    set_notice(d, role, text);
    d->event_after_us = sm_clock_mono_us() + RESULT_US;
    d->urgent = true;
}

void sm_dashboard_say(struct sm_dashboard *d, const char *text)
{
    set_result(d, SM_ROLE_TEXT, text);
}

void sm_dashboard_warn(struct sm_dashboard *d, const char *text)
{
    set_result(d, SM_ROLE_WARN, text);
}

/* When an event may replace a result: after RESULT_US, or after the user answered a question. */
static int64_t event_due(const struct sm_dashboard *d)
{
    if (!d->event.len)
        return INT64_MAX;
    if (!d->notice.len || d->script.text)
        return 0;
    if (d->paste.asked)
        return INT64_MAX;
    return d->asked_quit || d->letter_action != SM_ACT_NONE ? d->notice_until_us
                                                            : d->event_after_us;
}

static void show_event(struct sm_dashboard *d, int64_t now)
{
    if (now < event_due(d))
        return;
    set_notice(d, SM_ROLE_WARN, sm_str_text(&d->event));
    sm_str_truncate(&d->event, 0);
}

void sm_dashboard_report_event(struct sm_dashboard *d, const char *text)
{
    sm_str_truncate(&d->event, 0);
    sm_str_add(&d->event, text);
    show_event(d, sm_clock_mono_us());
}

/* Without a trial it says why there is none. */
static bool notice_ends(const struct sm_dashboard *d)
{
    bool bare = d->session && !sm_session_trial(d->session);
    return d->notice.len && !d->paste.asked && (!bare || d->asked_quit);
}

int64_t sm_dashboard_notice_due(const struct sm_dashboard *d)
{
    int64_t waiting = event_due(d), notice = notice_ends(d) ? d->notice_until_us : INT64_MAX;
    return waiting < notice ? waiting : notice;
}

void sm_dashboard_age_notice(struct sm_dashboard *d, int64_t now)
{
    if (notice_ends(d) && now >= d->notice_until_us) {
        sm_str_truncate(&d->notice, 0);
        d->asked_quit = false;
    }
    show_event(d, now);
}
