/* info steps, modes, workers, sessions: what was saved when, and by whom. */
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/place/step_clock.h"
#include "commands/trials/trials.h"
#include "reader/analysis/workers.h"

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
    for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++)
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
    .summary = "Every step on disk: mode, workers, completeness, time",
    .help =
        "STEPS restricts the list: 100:200, 100:200:10, 100..200, last, -5 or a list with commas.",
    .example = "info steps 0:40 mode eval",
    .args = steps_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_steps,
};

static const struct sm_column modes_columns[] = {
    {.key = "mode", .header = "MODE"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
};

static bool run_info_modes(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (!span.steps)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "mode", sm_mode_name(m));
        sm_node_uint(out, row, "steps", span.steps);
        sm_node_int(out, row, "first", span.first.n);
        sm_node_int(out, row, "last", span.last.n);
    }
    sm_result_listing(out, list, modes_columns, COUNT(modes_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_modes = {
    .parent = "info",
    .name = "modes",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The modes with a step, and their own step numbers",
    .example = "info modes",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_modes,
};

static const struct sm_column workers_columns[] = {
    {.key = "worker", .header = "WORKER"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "ended", .header = "ENDED"},
    {.key = "behind", .header = "BEHIND", .text_only = true},
};

/* text: with "5: lost" of a worker that is behind. */
static void add_worker(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                       const struct sm_worker_progress *w, bool text)
{
    bool ended = sm_trial_state(t) == SM_TRIAL_ENDED;
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "worker", sm_trial_worker(t, w->worker));
    sm_node_uint(out, row, "steps", w->steps);
    sm_node_int_or_null(out, row, "first_step", w->steps > 0, w->first);
    sm_node_int_or_null(out, row, "last_step", w->steps > 0, w->last);
    /* one marker is for all workers: one that was lost has not ended */
    sm_node_bool(out, row, "ended", ended && w->steps && !w->behind);
    if (text && w->behind)
        sm_node_text(out, row, "behind",
                     sm_arena_xprintf(&out->arena, "%zu%s", w->behind, w->lost ? ": lost" : ""));
}

static bool run_info_workers(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_workers workers = {0};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_workers_read(t, &workers);
    for (size_t i = 0; i < workers.n; i++)
        add_worker(out, list, t, &workers.items[i], c->output == SM_OUTPUT_TEXT);
    sm_result_listing(out, list, workers_columns, COUNT(workers_columns) - !workers.behind);
    sm_workers_clear(&workers);
    return true;
}

const struct sm_cmd sm_cmd_info_workers = {
    .parent = "info",
    .name = "workers",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The workers and how far each has written",
    .example = "info workers",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_workers,
};

static const struct sm_column sessions_columns[] = {
    {.key = "session", .header = "SESSION", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "begin", .header = "BEGIN", .format = SM_COL_TIME},
    {.key = "end", .header = "END", .format = SM_COL_TIME},
};

static bool run_info_sessions(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_step_clock clock = {.fetch = c->session->fetch, .trial = t};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < sm_trial_session_count(t); i++) {
        const struct sm_trial_session *s = sm_trial_session(t, i);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "session", s->id);
        sm_node_int(out, row, "first_step", s->first.n);
        sm_node_int(out, row, "last_step", s->last.n);
        sm_node_uint(out, row, "steps", s->steps);
        sm_node_double(
            out, row, "begin",
            (double)sm_step_clock_read_session(&clock, s->first, s->id, s->begin_us) / 1e6, false);
        sm_node_double(out, row, "end",
                       (double)sm_step_clock_read_session(&clock, s->last, s->id, s->end_us) / 1e6,
                       false);
    }
    if (clock.waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading the times of sessions");
    sm_result_listing(out, list, sessions_columns, COUNT(sessions_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_sessions = {
    .parent = "info",
    .name = "sessions",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Runs of the job within this trial (a restart begins one)",
    .example = "info sessions",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_sessions,
};
