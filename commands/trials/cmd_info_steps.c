/* SPDX-License-Identifier: Apache-2.0 */
/* info steps: the saved steps. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/place/step_clock.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column steps_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "workers", .header = "WORKERS", .format = SM_COL_LIST},
    {.key = "complete", .header = "COMPLETE"},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
};

static void add_step(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                     size_t i, struct sm_step_clock *clock)
{
    const struct sm_trial_step *s = sm_trial_step(t, i);
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_int(out, row, "step", s->step.n);
    sm_node_text(out, row, "mode", sm_mode_name(s->mode));
    sm_node_int(out, row, "mode_step", s->mode_step.n);
    struct sm_node *workers = sm_node_list(out, row, "workers");
    const struct sm_part *p;
    for (p = sm_trial_step_part(t, i, 0); p; p = sm_trial_next_part(t, p))
        sm_node_text(out, workers, NULL, sm_trial_worker(t, p->worker));
    sm_node_bool(out, row, "complete", s->complete);
    sm_node_uint(out, row, "tensors", s->tensors);
    sm_node_double(out, row, "time", (double)sm_step_clock_read(clock, s->step, s->time_us) / 1e6,
                   false);
}

static bool run_info_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text spec = c->n_words ? c->words[0].text : SM_TEXT("all");
    enum sm_mode mode;
    struct sm_steps steps;
    if (!sm_place_mode_given(c, &mode, err) ||
        !sm_place_steps(c, sm_place_all(c->session, mode), spec, &steps, err))
        return false;
    struct sm_step_clock clock = {.fetch = c->session->fetch, .trial = t};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < steps.n; i++) {
        size_t at = sm_trial_step_at(t, steps.items[i]);
        if (at < sm_trial_step_count(t) && sm_trial_step(t, at)->step.n == steps.items[i].n)
            add_step(out, list, t, at, &clock);
    }
    if (clock.waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading the times of %zu steps", steps.n);
    sm_result_listing(out, list, steps_columns, COUNT(steps_columns));
    if (!list->first && c->n_words)
        sm_result_dim(out, "No such steps.");
    return true;
}

static const struct sm_arg steps_args[] = {
    {.name = "STEPS", .kind = SM_ARG_STEP},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {0},
};
const struct sm_cmd sm_cmd_info_steps = {
    .parent = "info",
    .name = "steps",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the steps on disk: mode, workers, completeness, time",
    .help = "STEPS selects steps: 100:200, 100:200:10, 100..200, last, -5 or a list with commas.",
    .example = "info steps 0:40 mode eval",
    .args = steps_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "[{step:int,mode:mode,mode_step:int,workers:[text],complete:bool,tensors:int,time:num}]",
    .run = run_info_steps,
};
