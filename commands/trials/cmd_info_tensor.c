/* SPDX-License-Identifier: Apache-2.0 */
/* info tensor, info location: a tensor, and the places of its values on disk. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/trials/named_tensor.h"
#include "commands/trials/trials.h"
#include "reader/format/location.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column at_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "dtype", .header = "DTYPE"},
    {.key = "shape", .header = "SHAPE", .format = SM_COL_SHAPE},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
    {.key = "file", .header = "FILE", .hidden = true},
    {.key = "offset", .header = "OFFSET", .format = SM_COL_NUMBER},
    {.key = "length", .header = "LENGTH", .format = SM_COL_NUMBER},
    {.key = "crc", .header = "CRC"},
    {.key = "time", .header = "TIME", .format = SM_COL_TIME, .hidden = true},
};

static void add_null_place(struct sm_result *out, struct sm_node *row)
{
    static const char *const keys[] = {"bytes", "file", "offset", "length", "crc"};
    for (size_t i = 0; i < COUNT(keys); i++)
        sm_node_null(out, row, keys[i]);
}

/* Adds the place of a value on disk. Returns false while its head is being read. */
static bool add_value_place(struct sm_call *c, struct sm_result *out, struct sm_node *row,
                            struct sm_trial *t, const struct sm_entry *e, struct sm_err *err)
{
    const struct sm_facts *facts = NULL;
    if (!sm_fetch_head(c->session->fetch, t, e, &facts, err) && err->code == SM_ERR_WAIT)
        return false;
    const struct sm_part *p = sm_trial_part(t, e->part);
    sm_node_text(out, row, "dtype", facts ? sm_dtype_info(facts->dtype)->name : NULL);
    if (facts)
        sm_node_dims(out, row, "shape", facts->dims, facts->n_dims);
    else
        sm_node_null(out, row, "shape");
    if (facts)
        sm_node_uint(out, row, "bytes", facts->content_bytes);
    else
        sm_node_null(out, row, "bytes");
    sm_node_text(out, row, "file", sm_trial_event_path(t, p));
    sm_node_int_or_null(out, row, "offset", !sm_entry_is_scalar(e), (int64_t)e->offset);
    sm_node_int_or_null(out, row, "length", !sm_entry_is_scalar(e), (int64_t)e->length);
    sm_node_text(out, row, "crc", sm_crc_name(facts ? facts->crc : SM_CRC_UNCHECKED));
    sm_node_time(out, row, "time", facts ? facts->wall_time : (double)p->time_us / 1e6);
    return true;
}

static void add_bare_place(struct sm_result *out, struct sm_node *row, const struct sm_trial *t,
                           const struct sm_entry *shape, const struct sm_part *p)
{
    sm_node_null(out, row, "dtype");
    if (sm_entry_exists(shape)) {
        unsigned n_dims;
        const uint64_t *dims = sm_trial_shape(t, shape, &n_dims);
        sm_node_dims(out, row, "shape", dims, n_dims);
    } else {
        sm_node_null(out, row, "shape");
    }
    add_null_place(out, row);
    sm_node_double(out, row, "time", (double)p->time_us / 1e6, false);
}

/* One row for the entries [from, to) of the tensor, which are of one step and worker. */
static bool add_part(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                     struct sm_trial *t, const struct sm_trial_tensor *x, size_t from, size_t to,
                     struct sm_err *err)
{
    struct sm_entry first = sm_tensor_entry(t, x, from), value = {0}, shape = {0};
    for (size_t i = from; i < to; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind == SM_ENTRY_VALUE)
            value = e;
        else if (e.kind == SM_ENTRY_SHAPE)
            shape = e;
    }
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_describe_place(out, row, t, &first);
    if (sm_entry_exists(&value))
        return add_value_place(c, out, row, t, &value, err);
    add_bare_place(out, row, t, &shape, sm_trial_part(t, first.part));
    return true;
}

static bool add_places(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                       struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_err *err)
{
    bool known = true;
    for (size_t i = 0, end; i < x->n_entries; i = end) {
        for (end = i + 1;
             end < x->n_entries && sm_tensor_part(t, x, end) == sm_tensor_part(t, x, i);)
            end++;
        if (!sm_tensor_part(t, x, i)->replaced)
            known = add_part(c, out, list, t, x, i, end, err) && known;
    }
    return known;
}

static bool run_info_tensor(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_named_tensor(c, err);
    if (!x)
        return false;
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_entry newest = sm_newest_value(t, x);
    const struct sm_facts *facts = NULL;
    bool known = true;
    if (sm_entry_exists(&newest) && !sm_fetch_head(c->session->fetch, t, &newest, &facts, err))
        known = err->code != SM_ERR_WAIT;
    struct sm_node *map = sm_describe_tensor(out, NULL, t, x, facts);
    struct sm_node *at = sm_node_list(out, map, "at");
    if (!add_places(c, out, at, t, x, err) || !known)
        return sm_err_set(err, SM_ERR_WAIT, "reading the heads of %zu records", x->n_entries);
    out->root = map;
    out->columns = sm_tensor_columns;
    out->n_columns = sm_n_tensor_columns;
    sm_result_fields(out, map, sm_tensor_columns, sm_n_tensor_columns);
    sm_result_table(out, at, at_columns, COUNT(at_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_tensor = {
    .parent = "info",
    .name = "tensor",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Describe a tensor and the place of each value on disk",
    .example = "info tensor CNN_conv0.weight",
    .see_also = "tensor, whatis",
    .args = sm_named_tensor_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_TENSOR ",at:[{" SM_SHAPE_PLACE SM_SHAPE_RECORD "}]}",
    .run = run_info_tensor,
};

static bool run_info_location(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_place place;
    struct sm_entry e;
    if (!sm_place_read(c, &place, err) || !sm_place_entry(&place, &e, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_place_node(out, map, &place, &e);
    if (!add_value_place(c, out, map, place.trial, &e, err))
        return false;
    out->root = map;
    out->columns = at_columns;
    out->n_columns = COUNT(at_columns);
    struct sm_str index = {0};
    const struct sm_part *p = sm_trial_part(place.trial, e.part);
    sm_location_index(&index, p->step.n, sm_trial_worker(place.trial, p->worker));
    const char *file = sm_trial_event_path(place.trial, p);
    sm_result_text(out, "%s", sm_result_escape(out, file ? file : "-", strlen(file ? file : "-")));
    if (sm_entry_is_scalar(&e))
        sm_result_text(out, "read with its step: its place in the file is not kept");
    else
        sm_result_text(out, "offset %llu, length %llu, by %s", (unsigned long long)e.offset,
                       (unsigned long long)e.length,
                       sm_result_escape(out, sm_str_text(&index), index.len));
    sm_str_clear(&index);
    return true;
}

static const struct sm_arg location_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR, .whole = true},
    {.name = "STEP", .kind = SM_ARG_STEP},
    SM_PLACE_ROWS,
    {0},
};
const struct sm_cmd sm_cmd_info_location = {
    .parent = "info",
    .name = "location",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the file, offset, length and checksum of a value",
    .example = "info location CNN_conv0.weight step 10",
    .args = location_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_VALUE SM_SHAPE_RECORD "}",
    .run = run_info_location,
};
