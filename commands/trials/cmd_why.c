/* SPDX-License-Identifier: Apache-2.0 */
/* why: the reason that a value was not saved. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/place/why.h"
#include "commands/trials/trials.h"
#include "reader/nearest.h"

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "saved", .header = "SAVED"},
    {.key = "reason", .header = "REASON"},
    {.key = "nearest", .header = "NEAREST", .format = SM_COL_LIST},
    {.key = "message", .header = "MESSAGE"},
};

static void add_reason(struct sm_result *out, const struct sm_trial *t,
                       const struct sm_trial_tensor *x, struct sm_step step, uint16_t worker,
                       enum sm_why_reason reason, const char *message)
{
    struct sm_nearest near;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_textn(out, map, "name", sm_trial_tensor_name(t, x),
                  sm_names_length(sm_trial_names(t), x->name));
    sm_node_int(out, map, "step", step.n);
    sm_node_text(out, map, "worker", worker != SM_WORKER_ANY ? sm_trial_worker(t, worker) : NULL);
    sm_node_bool(out, map, "saved", reason == SM_WHY_SAVED);
    sm_node_text(out, map, "reason", sm_why_reason_name(reason));
    struct sm_node *list = sm_node_list(out, map, "nearest");
    sm_nearest_find(t, x, SM_MODE_ANY, worker, step.n, &near);
    if (near.below.found)
        sm_node_int(out, list, NULL, near.below.step.n);
    if (near.above.found)
        sm_node_int(out, list, NULL, near.above.step.n);
    sm_node_text(out, map, "message", message);
    out->root = map;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
    sm_result_text(out, "%s", message);
}

static bool run_why(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_trial *t = sm_session_trial(s);
    struct sm_text name = c->words[0].text;
    struct sm_str text = {0};
    const struct sm_trial_tensor *x = sm_trial_find(t, name.p, name.n);
    struct sm_step step = sm_session_step(s);
    const struct sm_word *keyword = sm_call_keyword(c, "step");
    if (keyword && c->n_words > 1)
        return sm_err_set(err, SM_ERR_USAGE, "A step is given twice: \"%s\".", c->words[1].text.p);
    if (c->n_words > 1)
        keyword = &c->words[1];
    if (keyword &&
        !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), keyword->text, &step, err))
        return false;
    uint16_t worker = SM_WORKER_ANY;
    if (sm_call_keyword(c, "worker") &&
        !sm_place_find_worker(t, sm_call_keyword(c, "worker")->text, &worker, err))
        return false;
    if (!x)
        return sm_why_no_tensor(t, name, err);
    enum sm_why_reason reason = sm_why(t, x, step, worker, &text);
    add_reason(out, t, x, step, worker, reason, sm_str_text(&text));
    sm_str_clear(&text);
    return true;
}

static const struct sm_arg why_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR, .required = true, .whole = true},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
const struct sm_cmd sm_cmd_why = {
    .name = "why",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Show why a tensor has no value at a step",
    .help = "Names the save interval, the mode, the worker or the missing collection, and the "
            "nearest saved steps.\n"
            "With -json the reason is one of saved, reductions-only, shape-only, other-worker, "
            "save-interval, mode,\n"
            "written-without, damaged and no-step.",
    .example = "why CNN_conv0.weight 15",
    .see_also = "doctor, info",
    .args = why_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{name:name,step:int,worker:name?,saved:bool,reason:text,nearest:[int],message:text}",
    .run = run_why,
};
