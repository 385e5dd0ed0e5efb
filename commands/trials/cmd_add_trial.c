/* SPDX-License-Identifier: Apache-2.0 */
/* add-trial: opens one more trial. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/session/trial_list.h"
#include "commands/trials/trials.h"
#include "reader/base/clock.h"

static bool run_add(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const char *path = c->words[0].text.p;
    const struct sm_word *alias = sm_call_keyword(c, "as");
    size_t i;
    if (!c->state && alias && sm_trials_find(s, alias->text, &i))
        return sm_err_set(err, SM_ERR_USAGE, "There is already a trial \"%s\".", alias->text.p);
    if (!c->state) {
        unsigned how = SM_OPEN_ADD | (s->batch && !s->wait ? SM_OPEN_EXISTING : 0);
        if (!sm_session_open_later(s, &c->works, path, alias ? alias->text.p : NULL, how, err))
            return false;
        c->state = s->trials[s->n_trials - 1].trial;
    }
    struct sm_trial *t = c->state;
    if (!sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    struct sm_str line = {0};
    sm_trial_node(s, sm_trials_index(s, t), c->output == SM_OUTPUT_TEXT, out, NULL);
    sm_describe_trial(&line, t, sm_clock_wall_us());
    if (alias)
        sm_result_text(out, "Trial %zu, %s: %s", s->n_trials,
                       sm_result_escape(out, alias->text.p, alias->text.n), sm_str_text(&line));
    else
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
    .summary = "Open one more trial",
    .help = "The current trial does not change. trial, remove-trial and diff accept the number or "
            "the name of the new trial.",
    .example = "add-trial ./other-run as other",
    .see_also = "trial, remove-trial, diff, open",
    .args = add_args,
    .flags = SM_CMD_NO_REPEAT,
    .answer = "{" SM_SHAPE_TRIAL_FIELDS "}",
    .run = run_add,
};
