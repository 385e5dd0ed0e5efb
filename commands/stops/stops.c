/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/stops.h"

#include "commands/stops/break_live.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/breakpoint.h"
#include "commands/stops/display.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_STOPS_COMMANDS(SM_CMD_ENTRY) NULL};

static void clear_stops(struct sm_session *s)
{
    struct sm_stops *x = sm_stops(s);
    sm_break_live_drop(s);
    sm_displays_clear(s);
    sm_free(x->displays);
    sm_breakpoints_clear(&x->breakpoints);
    sm_expr_memory_clear(&x->memory);
}

struct sm_expr_memory *sm_stops_memory(struct sm_session *s)
{
    enum { KEPT_MAX = 4096 };
    struct sm_stops *x = sm_stops(s);
    if (x->memory_of != sm_session_trial(s) || x->memory.n > KEPT_MAX)
        sm_expr_memory_clear(&x->memory);
    x->memory_of = sm_session_trial(s);
    return &x->memory;
}

static void forget_trial(struct sm_session *s, size_t i)
{
    if (i == s->current)
        sm_break_live_drop(s);
    sm_expr_memory_clear(&sm_stops(s)->memory);
    sm_break_rules_clear(s, s->trials[i].trial);
    sm_breakpoints_clear_stops(&sm_stops(s)->breakpoints, 0, s->trials[i].trial);
}

static bool pump(struct sm_session *s, bool news)
{
    (void)news;
    bool answered = sm_break_rules_answered(s);
    return sm_break_live_pump(s) || answered;
}

static int64_t deadline_us(const struct sm_session *s)
{
    if (sm_break_live_busy(s))
        return 0;
    return sm_stops(s)->live_search ? sm_break_rules_deadline_us(s) : INT64_MAX;
}

/* $bpnum: the newest breakpoint. */
static bool find_variable(const struct sm_session *s, const char *name, size_t n,
                          struct sm_value *out)
{
    unsigned last = sm_stops(s)->breakpoints.last;
    if (!last || !sm_text_is((struct sm_text){name, n}, "bpnum"))
        return false;
    *out = (struct sm_value){.type = SM_NUMBER, .is_int = true, .integer = last, .number = last};
    return true;
}

const struct sm_feature sm_stops_feature = {
    .name = "stops",
    .settings = sm_stops_setting_rows,
    .settings_size = sizeof(struct sm_stops_settings),
    .commands = commands,
    .state = &sm_stops_state_kind,
    .clear = clear_stops,
    .trial_closing = forget_trial,
    .pump = pump,
    .deadline_us = deadline_us,
    .variable = find_variable,
};
