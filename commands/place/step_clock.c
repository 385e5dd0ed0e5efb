/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/step_clock.h"

#include "reader/base/clock.h"

enum { ANY_SESSION = -1 };

/* A record of the tensor at the step, or none. */
static struct sm_entry record_of(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                 struct sm_step step, int session)
{
    size_t from, to;
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return sm_entry_none();
    for (size_t i = from; i < to; i++) {
        const struct sm_part *p = sm_tensor_part(t, x, i);
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind != SM_ENTRY_SHAPE && !p->replaced &&
            (session == ANY_SESSION || p->session == session))
            return e;
    }
    return sm_entry_none();
}

static struct sm_entry find_record(struct sm_step_clock *c, const struct sm_trial *t,
                                   struct sm_step step, int session)
{
    size_t n = sm_trial_tensor_count(t);
    for (size_t i = 0; i < n; i++) {
        size_t at = (c->near + i) % n;
        struct sm_entry e = record_of(t, sm_trial_tensor(t, at), step, session);
        if (sm_entry_exists(&e)) {
            c->near = at;
            return e;
        }
    }
    return sm_entry_none();
}

static int64_t read_time(struct sm_step_clock *c, struct sm_step step, int session,
                         int64_t file_time_us)
{
    struct sm_trial *t = c->trial;
    const struct sm_facts *facts;
    struct sm_err err = {0};
    if (sm_trial_traits(t)->runs) /* its file times are the times of the events */
        return file_time_us;
    struct sm_entry e = find_record(c, t, step, session);
    if (sm_entry_exists(&e) && sm_fetch_head(c->fetch, t, &e, &facts, &err)) {
        int64_t wall_us = sm_clock_us_of(facts->wall_time);
        return wall_us ? wall_us : file_time_us;
    }
    c->waiting = c->waiting || (sm_entry_exists(&e) && err.code == SM_ERR_WAIT);
    return file_time_us;
}

int64_t sm_step_clock_read(struct sm_step_clock *c, struct sm_step step, int64_t file_time_us)
{
    return read_time(c, step, ANY_SESSION, file_time_us);
}

int64_t sm_step_clock_read_session(struct sm_step_clock *c, struct sm_step step, uint16_t session,
                                   int64_t file_time_us)
{
    return read_time(c, step, session, file_time_us);
}
