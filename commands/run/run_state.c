/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/run_state.h"

#include "commands/run/answer_live.h"
#include "commands/run/logging.h"

const struct sm_state_kind sm_run_state_kind = {.size = sizeof(struct sm_run)};

struct sm_run *sm_run(const struct sm_session *s)
{
    return sm_session_state(s, &sm_run_state_kind);
}

static void drop_answers(struct sm_session *s, size_t i)
{
    (void)i;
    sm_answer_live_drop(s);
}

static bool pump_answers(struct sm_session *s, bool news)
{
    (void)news;
    return sm_answer_live_pump(s);
}

static void clear_run(struct sm_session *s)
{
    struct sm_run *x = sm_run(s);
    sm_answer_live_drop(s);
    for (size_t i = 0; i < x->n_lines; i++)
        sm_free(x->lines[i]);
    sm_free(x->lines);
    sm_str_clear(&x->listing.lines);
    sm_str_clear(&x->picture);
    sm_logging_end(s);
}

const struct sm_feature sm_run_feature = {
    .name = "run",
    .settings = sm_run_setting_rows,
    .settings_size = sizeof(struct sm_run_settings),
    .state = &sm_run_state_kind,
    .clear = clear_run,
    .trial_closing = drop_answers,
    .pump = pump_answers,
    .deadline_us = sm_answer_live_deadline_us,
};
