/* SPDX-License-Identifier: Apache-2.0 */
/* info collections, info collection. */
#include "commands/answer/shape.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column collections_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "count", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "saves", .header = "SAVES"},
    {.key = "include_regex", .header = "REGEX", .format = SM_COL_LIST},
    {.key = "reductions", .header = "REDUCTIONS", .format = SM_COL_LIST},
    {.key = "tensors", .header = "NAMES", .format = SM_COL_LIST, .hidden = true},
};

static void add_save_config(struct sm_result *out, struct sm_node *row,
                            const struct sm_collection_def *def)
{
    if (!def->has_save) {
        sm_node_null(out, row, "save_config");
        return;
    }
    struct sm_node *config = sm_node_map(out, row, "save_config");
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        const struct sm_save_rule *rule = &def->save[m];
        if (!rule->given) {
            sm_node_null(out, config, sm_mode_name(m));
            continue;
        }
        struct sm_node *map = sm_node_map(out, config, sm_mode_name(m));
        sm_node_int(out, map, "save_interval", rule->interval);
        struct sm_node *steps = sm_node_list(out, map, "save_steps");
        for (size_t i = 0; i < rule->n_steps; i++)
            sm_node_int(out, steps, NULL, rule->steps[i]);
        sm_node_int(out, map, "start_step", rule->start);
        sm_node_int_or_null(out, map, "end_step", rule->end >= 0, rule->end);
    }
}

/* "every 10" if all modes have the same interval, else "TRAIN every 10, EVAL every 2". */
static const char *saves_text(struct sm_result *out, const struct sm_collection_def *def)
{
    if (!def->has_save)
        return NULL;
    struct sm_str text = {0};
    bool same = true;
    for (int m = SM_MODE_EVAL; m < SM_MODES; m++)
        same = same && def->save[m].given == def->save[1].given &&
               def->save[m].interval == def->save[1].interval;
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (def->save[m].given && (!same || m == SM_MODE_TRAIN))
            sm_str_printf(&text, "%s%s%severy %lld", text.len ? ", " : "",
                          same ? "" : sm_mode_name(m), same ? "" : " ",
                          (long long)def->save[m].interval);
    const char *copy = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return copy;
}

static void add_reduction_list(struct sm_result *out, struct sm_node *row, const char *words)
{
    struct sm_node *list = sm_node_list(out, row, "reductions");
    while (words && *words) {
        size_t n = strcspn(words, ", ");
        if (n)
            sm_node_textn(out, list, NULL, words, n);
        words += n + (words[n] != 0);
    }
}

static struct sm_node *add_collection(struct sm_result *out, struct sm_node *parent,
                                      const struct sm_trial *t, size_t i)
{
    const struct sm_collection_def *def = sm_trial_collection(t, i);
    struct sm_node *row = sm_node_map(out, parent, NULL);
    sm_node_text(out, row, "name", def->name);
    struct sm_node *tensors = sm_node_list(out, row, "tensors");
    size_t n;
    const uint32_t *ids = sm_trial_collection_tensors(t, i, &n);
    for (size_t k = 0; k < n; k++)
        sm_node_textn(out, tensors, NULL, sm_names_text(sm_trial_names(t), ids[k]),
                      sm_names_length(sm_trial_names(t), ids[k]));
    struct sm_node *regexes = sm_node_list(out, row, "include_regex");
    for (size_t k = 0; k < def->n_regexes; k++)
        sm_node_text(out, regexes, NULL, def->regexes[k]);
    add_save_config(out, row, def);
    add_reduction_list(out, row, def->has_reductions ? def->reductions : "");
    sm_node_uint(out, row, "count", n);
    sm_node_text(out, row, "saves", saves_text(out, def));
    return row;
}

static bool run_info_collections(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool found = false;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        if (c->n_words && !sm_text_is(c->words[0].text, sm_trial_collection(t, i)->name))
            continue;
        add_collection(out, list, t, i);
        found = true;
    }
    if (c->n_words && !found)
        return sm_err_set(err, SM_ERR_MISSING, "No collection \"%.*s\". Try \"info collections\".",
                          (int)c->words[0].text.n, c->words[0].text.p);
    sm_result_listing(out, list, collections_columns, COUNT(collections_columns));
    if (c->n_words)
        sm_result_fields(
            out, list->first,
            &(const struct sm_column){.key = "tensors", .header = "names", .format = SM_COL_LIST},
            1);
    return true;
}

static const struct sm_arg collection_args[] = {{.name = "NAME", .kind = SM_ARG_COLLECTION}, {0}};
static const struct sm_arg one_collection_args[] = {
    {.name = "NAME", .kind = SM_ARG_COLLECTION, .required = true}, {0}};
const struct sm_cmd sm_cmd_info_collections = {
    .parent = "info",
    .name = "collections",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the collections: tensors, patterns, save rules, reductions",
    .example = "info collections",
    .see_also = "tensors, why",
    .args = collection_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[" SM_SHAPE_COLLECTION "]",
    .run = run_info_collections,
};
const struct sm_cmd sm_cmd_info_collection = {
    .parent = "info",
    .name = "collection",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show a collection with the names of its tensors",
    .example = "info collection weights",
    .args = one_collection_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[" SM_SHAPE_COLLECTION "]",
    .run = run_info_collections,
};
