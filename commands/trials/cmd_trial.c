/* SPDX-License-Identifier: Apache-2.0 */
/* trial, remove-trial, info trials: the list of open trials. */
#include "commands/answer/shape.h"
#include "commands/session/trial_list.h"
#include "commands/trials/loss.h"
#include "commands/trials/trials.h"
#include "reader/runs/run_search.h"

#include <string.h>

static const struct sm_column columns[] = {
    {.key = "current", .header = " ", .format = SM_COL_MARK, .text_only = true},
    {.key = "number", .header = "NUM", .format = SM_COL_NUMBER},
    {.key = "name", .header = "NAME"},
    {.key = "state", .header = "STATE"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "loss", .header = "LOSS", .format = SM_COL_NUMBER},
    {.key = "note", .header = "NOTE", .text_only = true},
    {.key = "path", .header = "PATH"},
    {.key = "baseline", .header = "BASELINE", .hidden = true},
    {.key = "shown", .header = "SHOWN", .hidden = true},
    {.key = "last_step", .header = "LAST-STEP", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "newest", .header = "NEWEST", .format = SM_COL_TIME, .hidden = true},
};

/* Adds the newest loss, or null if there is none. Returns false with SM_ERR_WAIT. */
static bool add_loss(struct sm_session *s, struct sm_trial *t, struct sm_result *out,
                     struct sm_node *row, struct sm_err *err)
{
    double loss;
    if (sm_loss_last(s, t, &loss, err))
        sm_node_double(out, row, "loss", loss, false);
    else if (err->code == SM_ERR_WAIT)
        return false;
    else
        sm_node_null(out, row, "loss");
    return true;
}

static const char *note_of(const struct sm_session *s, size_t i)
{
    const struct sm_open_trial *t = &s->trials[i];
    bool baseline = t->trial == s->baseline;
    if (sm_trial_emptied(t->trial))
        return "deleted";
    return baseline && t->hidden ? "baseline, hidden"
           : baseline            ? "baseline"
           : t->hidden           ? "hidden"
                                 : NULL;
}

/* Whether its tensors are counted: a glance has scalars only, and checkpoints have other tensors.
 */
static bool is_counted(const struct sm_open_trial *x)
{
    return !sm_trial_glance(x->trial) ||
           !(sm_trial_traits(x->trial)->named_by_files || (x->ref && x->ref->beside));
}

void sm_trial_node(struct sm_session *s, size_t i, bool text, struct sm_result *out,
                   struct sm_node *list)
{
    struct sm_trial *t = s->trials[i].trial;
    struct sm_node *row = sm_node_map(out, list, NULL);
    const struct sm_glance *g = sm_trial_glance(t);
    struct sm_trial_range range = sm_trial_range(t);
    sm_node_bool(out, row, "current", i == s->current);
    sm_node_uint(out, row, "number", i + 1);
    sm_node_text(out, row, "name", sm_trials_name(s, i));
    sm_node_text(out, row, "state",
                 text ? sm_trial_state_word(t) : sm_trial_state_name(sm_trial_state(t)));
    sm_node_uint(out, row, "steps", range.steps);
    if (is_counted(&s->trials[i]))
        sm_node_uint(out, row, "tensors", g ? sm_names_count(g->names) : sm_trial_tensor_count(t));
    else
        sm_node_null(out, row, "tensors");
    sm_node_text(out, row, "path", sm_trial_path(t));
    sm_node_bool(out, row, "baseline", t == s->baseline);
    sm_node_bool(out, row, "shown", sm_trials_shown(s, i));
    sm_node_int_or_null(out, row, "last_step", range.steps > 0, range.last);
    if (sm_trial_newest_us(t))
        sm_node_double(out, row, "newest", (double)sm_trial_newest_us(t) / 1e6, false);
    else
        sm_node_null(out, row, "newest");
    sm_node_text(out, row, "note", note_of(s, i));
}

static bool add_trial(struct sm_session *s, size_t i, bool text, struct sm_result *out,
                      struct sm_node *list, struct sm_err *err)
{
    sm_trial_node(s, i, text, out, list);
    return add_loss(s, s->trials[i].trial, out, list->last, err);
}

static bool run_info_trials(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool ok = true;
    for (size_t i = 0; i < s->n_trials && s->batch; i++)
        if (!is_counted(&s->trials[i]))
            sm_trial_wake(s->trials[i].trial);
    for (size_t i = 0; i < s->n_trials; i++)
        if (!sm_trial_scanned(s->trials[i].trial))
            return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    for (size_t i = 0; i < s->n_trials; i++)
        ok = add_trial(s, i, c->output == SM_OUTPUT_TEXT, out, list, err) && ok;
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    return ok || sm_err_set(err, SM_ERR_WAIT, "reading the losses");
}

const struct sm_cmd sm_cmd_info_trials = {
    .parent = "info",
    .name = "trials",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the open trials",
    .help = "Of many runs those that are not shown have scalars only: \"-\" where their tensors "
            "are not counted. A batch reads and\ncounts these.",
    .example = "info trials",
    .see_also = "trial, add-trial",
    .flags = SM_CMD_LISTING,
    .answer = "[" SM_SHAPE_TRIAL "]",
    .run = run_info_trials,
};

/* Applies the options to trial i. Returns false if none was given. */
static bool apply_options(struct sm_call *c, size_t i)
{
    struct sm_session *s = c->session;
    bool hide = sm_call_flag(c, "hide"), show = sm_call_flag(c, "show"),
         baseline = sm_call_flag(c, "baseline"), none = sm_call_flag(c, "no-baseline");
    if (hide || show)
        sm_trials_hide(s, i, hide);
    if (baseline || none)
        s->baseline = none ? NULL : s->trials[i].trial;
    return hide || show || baseline || none;
}

static bool run_trial(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    size_t i = c->session->current;
    if (c->n_words && !sm_trials_named(c->session, c->words[0].text, &i, err))
        return false;
    if (i < c->session->n_trials && !apply_options(c, i) && c->n_words)
        sm_trials_select(c->session, i);
    return run_info_trials(c, out, err);
}

static const struct sm_arg trial_args[] = {{.name = "NUMBER|NAME", .kind = SM_ARG_TEXT}, {0}};
static const struct sm_option trial_options[] = {
    {.name = "baseline",
     .kind = SM_ARG_FLAG,
     .help = "make it the baseline: the dashboard compares the other trials with it"},
    {.name = "no-baseline", .kind = SM_ARG_FLAG, .help = "use no baseline"},
    {.name = "hide",
     .kind = SM_ARG_FLAG,
     .help = "omit it from plots unless it is the current trial"},
    {.name = "show", .kind = SM_ARG_FLAG, .help = "show it in plots again"},
    {0},
};
const struct sm_cmd sm_cmd_trial = {
    .name = "trial",
    .cmd_class = SM_CLASS_FILES,
    .summary = "List the open trials, select one, make it the baseline or hide it",
    .help = "Each trial has its own current tensor and step. Charts show all trials that are not "
            "hidden. LOSS is\n"
            "the newest value of the first loss. An option alone does not change the current "
            "trial.",
    .example = "trial 1",
    .see_also = "add-trial, remove-trial, open, diff, plot",
    .args = trial_args,
    .options = trial_options,
    .flags = SM_CMD_LISTING | SM_CMD_NO_REPEAT,
    .answer = "[" SM_SHAPE_TRIAL "]",
    .run = run_trial,
};

void sm_trial_closed(struct sm_result *out, const char *name)
{
    sm_node_text(out, sm_node_map(out, NULL, NULL), "closed", name);
    sm_result_text(out, "Closed %s.", sm_result_escape(out, name, strlen(name)));
}

static bool run_remove(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    size_t i;
    if (!sm_trials_named(s, c->words[0].text, &i, err))
        return false;
    sm_trial_closed(out, sm_trials_name(s, i));
    sm_session_close(s, i);
    return true;
}

static const struct sm_arg remove_args[] = {
    {.name = "NUMBER|NAME", .kind = SM_ARG_TEXT, .required = true}, {0}};
const struct sm_cmd sm_cmd_remove_trial = {
    .name = "remove-trial",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Close one of the open trials",
    .help = "The numbers of later trials decrease by one. Nothing on disk changes.",
    .see_also = "trial, add-trial, close",
    .args = remove_args,
    .flags = SM_CMD_NO_REPEAT,
    .answer = "{closed:name}",
    .run = run_remove,
};
