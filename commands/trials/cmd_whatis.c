/* SPDX-License-Identifier: Apache-2.0 */
/* whatis, ptype: the type of a tensor. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/why.h"
#include "commands/trials/named_tensor.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool run_whatis(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_named_tensor(c, err);
    if (!x)
        return false;
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_entry e = sm_newest_value(t, x);
    const struct sm_facts *facts = NULL;
    if (sm_entry_exists(&e) && !sm_fetch_head(c->session->fetch, t, &e, &facts, err))
        return false;
    struct sm_node *map = sm_describe_tensor(out, NULL, t, x, facts);
    out->root = map;
    out->columns = sm_tensor_columns;
    out->n_columns = sm_n_tensor_columns;
    struct sm_str shape = {0};
    if (facts)
        sm_shape_text(&shape, facts->dims, facts->n_dims);
    sm_result_text(out, "type = %s%s%s",
                   facts ? sm_dtype_info(facts->dtype)->name : sm_describe_kind(t, x, NULL),
                   facts ? " " : "", sm_str_text(&shape));
    sm_str_clear(&shape);
    return true;
}

const struct sm_cmd sm_cmd_whatis = {
    .name = "whatis",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show the element type and shape of a tensor",
    .help = "Reads the head of the newest record, not the values.",
    .example = "whatis CNN_conv0.weight",
    .see_also = "info, tensor",
    .args = sm_named_tensor_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_TENSOR "}",
    .run = run_whatis,
};

/* ---- ptype ---- */

static const struct sm_column ptype_columns[] = {
    {.key = "dtype", .header = "type"},
    {.key = "shape", .header = "shape", .format = SM_COL_SHAPE},
    {.key = "collections", .header = "collections", .format = SM_COL_LIST},
    {.key = "saves", .header = "saves", .format = SM_COL_LIST},
    {.key = "reductions", .header = "reductions", .format = SM_COL_LIST},
    {.key = "modes", .header = "modes", .format = SM_COL_LIST},
    {.key = "steps", .header = "steps", .format = SM_COL_NUMBER},
};

/* "weights every 10 steps of TRAIN", for each collection and mode. */
static void add_saves(struct sm_result *out, struct sm_node *map, const struct sm_trial *t,
                      const struct sm_trial_tensor *x)
{
    struct sm_node *list = sm_node_list(out, map, "saves");
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        const struct sm_collection_def *def = sm_trial_collection(t, i);
        for (enum sm_mode m = SM_MODE_TRAIN; m < SM_MODES && def->has_save; m++) {
            struct sm_str text = {0};
            if (!def->save[m].given || !sm_trial_in_collection(t, i, x->name))
                continue;
            sm_str_printf(&text, "%s ", def->name);
            sm_why_save_rule(&text, &def->save[m], sm_mode_name((int)m));
            sm_node_text(out, list, NULL, sm_str_text(&text));
            sm_str_clear(&text);
        }
    }
}

static bool run_ptype(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_named_tensor(c, err);
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_entry e = x ? sm_newest_value(t, x) : sm_entry_none();
    const struct sm_facts *facts = NULL;
    if (!x || (sm_entry_exists(&e) && !sm_fetch_head(c->session->fetch, t, &e, &facts, err)))
        return false;
    struct sm_node *map = sm_describe_tensor(out, NULL, t, x, facts);
    add_saves(out, map, t, x);
    out->root = map;
    out->columns = ptype_columns;
    out->n_columns = COUNT(ptype_columns);
    sm_result_fields(out, map, ptype_columns, COUNT(ptype_columns));
    return true;
}

const struct sm_cmd sm_cmd_ptype = {
    .name = "ptype",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show the type of a tensor, its collections and their save rules",
    .example = "ptype CNN_conv0.weight",
    .see_also = "whatis, info, why",
    .args = sm_named_tensor_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_TENSOR ",saves:[text]}",
    .run = run_ptype,
};
