/* SPDX-License-Identifier: Apache-2.0 */
/* info size: the disk space of each collection. */
#include "commands/answer/shape.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "name", .header = "COLLECTION"},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "values", .header = "VALUES", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
};

struct size {
    uint64_t values, bytes;
};

/* A record that contains several values counts once. */
static struct size size_of(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    struct size size = {0};
    struct sm_entry before = sm_entry_none();
    for (size_t i = 0; i < x->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind == SM_ENTRY_SHAPE || sm_trial_part(t, e.part)->replaced)
            continue;
        bool same_record =
            sm_entry_exists(&before) && before.part == e.part && before.offset == e.offset;
        size.values++;
        size.bytes += same_record ? 0 : e.length;
        before = e;
    }
    return size;
}

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                    size_t collection)
{
    const struct sm_names *names = sm_trial_names(t);
    struct sm_node *row = sm_node_map(out, list, NULL);
    struct size sum = {0};
    size_t n;
    const uint32_t *ids = sm_trial_collection_tensors(t, collection, &n);
    for (size_t k = 0; k < n; k++) {
        const struct sm_trial_tensor *x =
            sm_trial_find(t, sm_names_text(names, ids[k]), sm_names_length(names, ids[k]));
        struct size size = x ? size_of(t, x) : (struct size){0};
        sum.values += size.values;
        sum.bytes += size.bytes;
    }
    sm_node_text(out, row, "name", sm_trial_collection(t, collection)->name);
    sm_node_uint(out, row, "tensors", n);
    sm_node_uint(out, row, "values", sum.values);
    sm_node_uint(out, row, "bytes", sum.bytes);
}

static bool run_info_size(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    size_t steps = sm_trial_step_count(t);
    uint64_t bytes = sm_trial_bytes(t);
    (void)err;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        add_row(out, list, t, i);
    sm_result_listing(out, list, columns, COUNT(columns));
    sm_result_dim(
        out,
        "%zu tensors, %zu steps, %llu bytes of records: %llu per step. A tensor counts in "
        "each of its collections.",
        sm_trial_tensor_count(t), steps, (unsigned long long)bytes,
        (unsigned long long)(steps ? bytes / steps : 0));
    return true;
}

const struct sm_cmd sm_cmd_info_size = {
    .parent = "info",
    .name = "size",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the disk space of each collection",
    .example = "info size",
    .see_also = "info memory",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,tensors:int,values:int,bytes:int}]",
    .run = run_info_size,
};
