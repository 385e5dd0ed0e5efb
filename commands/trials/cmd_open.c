/* SPDX-License-Identifier: Apache-2.0 */
/* open, close: the current trial. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/session/trial_list.h"
#include "commands/trials/trials.h"
#include "reader/base/clock.h"

static bool run_open(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    if (!c->state) {
        const struct sm_word *alias = sm_call_keyword(c, "as");
        unsigned how = s->batch && !s->wait ? SM_OPEN_EXISTING : 0;
        if (!sm_session_open_later(s, &c->works, c->words[0].text.p, alias ? alias->text.p : NULL,
                                   how, err))
            return false;
        c->state = s;
    }
    struct sm_trial *t = sm_session_trial(s);
    if (!sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    struct sm_str line = {0};
    sm_trial_node(s, s->current, c->output == SM_OUTPUT_TEXT, out, NULL);
    sm_describe_trial(&line, t, sm_clock_wall_us());
    sm_str_addc(&line, '\n');
    sm_describe_contents(&line, t);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
    return true;
}

static const struct sm_arg open_args[] = {
    {.name = "PATH", .kind = SM_ARG_FILE, .required = true},
    {.name = "NAME", .kind = SM_ARG_TEXT, .keyword = "as"},
    {0},
};
const struct sm_cmd sm_cmd_open = {
    .name = "open",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Open a trial in place of the current one",
    .help = "PATH is a directory, a file of snapshot save, or an address of a bucket "
            "(s3://bucket/prefix). The directory\n"
            "may be empty, missing or still being written: its state is then \"waiting\" or "
            "\"live\".",
    .example = "open ./debug-output as run1",
    .see_also = "close, refresh, info",
    .args = open_args,
    .flags = SM_CMD_NO_REPEAT,
    .answer = "{" SM_SHAPE_TRIAL_FIELDS "}",
    .run = run_open,
};

static bool run_close(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    if (!sm_session_trial(s))
        return sm_session_no_trial(err);
    const char *name = sm_trials_name(s, s->current);
    sm_trial_closed(out, name);
    sm_session_close(s, s->current);
    return true;
}

const struct sm_cmd sm_cmd_close = {
    .name = "close",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Close the current trial",
    .see_also = "open, trial",
    .flags = SM_CMD_NO_REPEAT,
    .answer = "{closed:name}",
    .run = run_close,
};
