/* trial, add-trial, remove-trial, info trials: several trials side by side. */
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "commands/trials.h"
#include "reader/base/clock.h"

#include <string.h>
#include <unistd.h>

static const struct sm_column columns[] = {
    {.key = "current", .header = " ", .format = SM_COL_MARK, .text_only = true},
    {.key = "number", .header = "NUM", .format = SM_COL_NUMBER},
    {.key = "name", .header = "NAME"},
    {.key = "state", .header = "STATE"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "path", .header = "PATH"},
};

static bool find(struct sm_session *s, struct sm_text which, size_t *i, struct sm_err *err)
{
    return sm_trials_find(s, which, i) ||
           sm_err_set(err, SM_ERR_MISSING, "No trial \"%.*s\".  Try \"info trials\".", (int)which.n, which.p);
}

static bool run_list(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_session *s = c->session;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < s->n_trials; i++) {
        const struct sm_trial *t = s->trials[i].trial;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_bool(out, row, "current", i == s->current);
        sm_node_uint(out, row, "number", i + 1);
        sm_node_text(out, row, "name", sm_trials_name(s, i));
        sm_node_text(out, row, "state", sm_trial_state_name(sm_trial_state(t)));
        sm_node_uint(out, row, "steps", sm_trial_step_count(t));
        sm_node_uint(out, row, "tensors", sm_trial_tensor_count(t));
        sm_node_text(out, row, "path", sm_trial_path(t));
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    return true;
}

const struct sm_cmd sm_cmd_info_trials = {
    .name = "trials",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The open trials",
    .example = "info trials",
    .see_also = "trial add-trial",
    .flags = SM_CMD_LISTING,
    .run = run_list,
};

static bool run_trial(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    size_t i;
    if (c->n_words && !find(c->session, c->words[0].text, &i, err))
        return false;
    if (c->n_words)
        sm_trials_select(c->session, i);
    return run_list(c, out, err);
}

static const struct sm_arg trial_args[] = {{.name = "NUMBER|NAME", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_trial = {
    .name = "trial",
    .cmd_class = SM_CLASS_FILES,
    .summary = "List the open trials, or make one of them current",
    .help = "Each keeps its own current tensor and step.",
    .example = "trial 1",
    .see_also = "add-trial remove-trial open diff",
    .args = trial_args,
    .flags = SM_CMD_LISTING | SM_CMD_NO_REPEAT,
    .run = run_trial,
};

/* ---- one more, one less ---- */

static bool run_add(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const char *path = c->words[0].text.p;
    const struct sm_word *alias = sm_call_keyword(c, "as");
    size_t i;
    if (!c->state && s->batch && !s->wait && access(path, F_OK) != 0)
        return sm_err_set(err, SM_ERR_DATA, "%s: no such trial directory (--wait waits for it).", path);
    if (!c->state && alias && sm_trials_find(s, alias->text, &i))
        return sm_err_set(err, SM_ERR_USAGE, "There is a trial \"%s\" already.", alias->text.p);
    if (!c->state) {
        if (!sm_session_open(s, path, alias ? alias->text.p : NULL, true, err))
            return false;
        c->state = s->trials[s->n_trials - 1].trial;
    }
    struct sm_trial *t = c->state;
    if (!sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    struct sm_str line = {0};
    sm_describe_trial(&line, t, sm_clock_wall_us());
    sm_result_text(out, "Trial %zu: %s", s->n_trials, sm_str_text(&line));
    sm_str_truncate(&line, 0);
    sm_describe_contents(&line, t);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
    return true;
}

static const struct sm_arg add_args[] = {
    {.name = "PATH", .kind = SM_ARG_FILE, .required = true},
    {.name = "NAME", .kind = SM_ARG_TEXT, .keyword = "as"},
    {0},
};
const struct sm_cmd sm_cmd_add_trial = {
    .name = "add-trial",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Open one more trial beside those that are open",
    .help = "The current trial stays current. Its number, or its name, is what trial, remove-trial and diff take.",
    .example = "add-trial ./other-run as other",
    .see_also = "trial remove-trial diff open",
    .args = add_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_add,
};

static bool run_remove(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    size_t i;
    if (!find(s, c->words[0].text, &i, err))
        return false;
    sm_result_text(out, "Closed %s.", sm_result_escape(out, sm_trials_name(s, i), strlen(sm_trials_name(s, i))));
    sm_session_close(s, i);
    return true;
}

static const struct sm_arg remove_args[] = {{.name = "NUMBER|NAME", .kind = SM_ARG_TEXT, .required = true}, {0}};
const struct sm_cmd sm_cmd_remove_trial = {
    .name = "remove-trial",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Close one of the open trials",
    .help = "Those behind it move up by one number. Nothing on disk is touched.",
    .see_also = "trial add-trial close",
    .args = remove_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_remove,
};
