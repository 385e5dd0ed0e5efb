/* The one line for the person: what their keys and commands brought about, and what happened by
 * itself. */
#include "tui/dashboard/dashboard.h"

#include "reader/base/clock.h"

enum { NOTICE_US = 8000000, KEPT_US = 4000000 };

static void say(struct sm_dashboard *d, enum sm_role role, const char *text)
{
    d->notice_role = role;
    sm_str_truncate(&d->notice, 0);
    sm_str_add(&d->notice, text);
    d->view.notice = NULL;
    d->notice_until_us = sm_clock_mono_us() + NOTICE_US;
    d->dirty = true;
}

static void answer(struct sm_dashboard *d, enum sm_role role, const char *text)
{
    say(d, role, text);
    d->notice_kept_us = sm_clock_mono_us() + KEPT_US;
    d->urgent = true;
}

void sm_dashboard_say(struct sm_dashboard *d, const char *text)
{
    answer(d, SM_ROLE_TEXT, text);
}

void sm_dashboard_complain(struct sm_dashboard *d, const char *text)
{
    answer(d, SM_ROLE_WARN, text);
}

/* When what happened may take the place of an answer: the person has read it, or answered its
 * question. */
static int64_t waiting_due(const struct sm_dashboard *d)
{
    if (!d->happened.len)
        return INT64_MAX;
    if (!d->notice.len || d->script.text)
        return 0;
    if (d->paste.asked)
        return INT64_MAX;
    return d->asked_quit || d->letter_of != SM_ACT_NONE ? d->notice_until_us : d->notice_kept_us;
}

static void tell_waiting(struct sm_dashboard *d, int64_t now)
{
    if (now < waiting_due(d))
        return;
    say(d, SM_ROLE_WARN, sm_str_text(&d->happened));
    sm_str_truncate(&d->happened, 0);
}

void sm_dashboard_note(struct sm_dashboard *d, const char *text)
{
    sm_str_truncate(&d->happened, 0);
    sm_str_add(&d->happened, text);
    tell_waiting(d, sm_clock_mono_us());
}

int64_t sm_dashboard_notice_due(const struct sm_dashboard *d)
{
    int64_t waiting = waiting_due(d),
            notice = d->notice.len && !d->paste.asked ? d->notice_until_us : INT64_MAX;
    return waiting < notice ? waiting : notice;
}

void sm_dashboard_age_notice(struct sm_dashboard *d, int64_t now)
{
    if (d->notice.len && now >= d->notice_until_us && !d->paste.asked) {
        sm_str_truncate(&d->notice, 0);
        d->asked_quit = false;
    }
    tell_waiting(d, now);
}
