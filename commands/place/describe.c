/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/describe.h"

#include "reader/archive/archive.h"
#include "reader/base/clock.h"

#include <ctype.h>

void sm_describe_step(struct sm_str *out, struct sm_step step, enum sm_mode mode,
                      struct sm_mode_step mode_step)
{
    sm_str_printf(out, "step %lld", (long long)step.n);
    if (mode == SM_MODE_ANY || (mode == SM_MODE_GLOBAL && mode_step.n == step.n))
        return;
    sm_str_add(out, " (");
    for (const char *c = sm_mode_name((int)mode); *c; c++)
        sm_str_addc(out, (char)tolower((unsigned char)*c));
    sm_str_printf(out, " %lld)", (long long)mode_step.n);
}

void sm_describe_trial(struct sm_str *out, const struct sm_trial *t, int64_t now_us)
{
    const char *name = sm_trial_name(t);
    sm_str_add_escaped(out, name, strlen(name));
    size_t workers = sm_trial_worker_count(t);
    const struct sm_trial_traits *traits = sm_trial_traits(t);
    const struct sm_archive_info *archive = sm_trial_archive(t);
    sm_str_printf(out, ": %s%s, %zu %s%s, ", archive ? "archive of a " : "", traits->title, workers,
                  sm_traits_has_runs(traits) ? "run" : "worker", workers == 1 ? "" : "s");
    if (archive) {
        sm_str_add_escaped(out, archive->state.p, archive->state.n);
        return;
    }
    sm_str_add(out, sm_trial_state_name(sm_trial_state(t)));
    if (sm_trial_end_unsaid(t))
        sm_str_add(out, ", or stopped");
    else if (sm_trial_state(t) == SM_TRIAL_ENDED || sm_trial_newest_us(t) == 0)
        return;
    char age[16];
    sm_format_duration(now_us - sm_trial_newest_us(t), age);
    sm_str_printf(out, " (newest data %s old)", age);
}

struct sm_mode_span sm_mode_span(const struct sm_trial *t, enum sm_mode mode)
{
    struct sm_mode_span span = {0};
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        const struct sm_trial_step *s = sm_trial_step(t, i);
        if (s->mode != mode)
            continue;
        if (!span.steps || s->mode_step.n < span.first.n)
            span.first = s->mode_step;
        if (!span.steps || s->mode_step.n > span.last.n)
            span.last = s->mode_step;
        span.steps++;
    }
    return span;
}

void sm_describe_contents(struct sm_str *out, const struct sm_trial *t)
{
    sm_str_printf(out, "%zu step%s", sm_trial_step_count(t),
                  sm_trial_step_count(t) == 1 ? "" : "s");
    const char *before = " (";
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (!span.steps)
            continue;
        sm_str_printf(out, "%s%s %lld..%lld", before, sm_mode_name(m), (long long)span.first.n,
                      (long long)span.last.n);
        before = ", ";
    }
    if (before[0] == ',')
        sm_str_addc(out, ')');
    size_t tensors = sm_trial_tensor_count(t), collections = sm_trial_collection_count(t);
    sm_str_printf(out, ", %zu tensor%s in %zu collection%s", tensors, tensors == 1 ? "" : "s",
                  collections, collections == 1 ? "" : "s");
}

struct sm_entry sm_newest_value(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    if (!x->has_value)
        return sm_entry_none();
    for (size_t i = x->n_entries; i-- > 0;) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind == SM_ENTRY_VALUE && !sm_trial_part(t, e.part)->replaced)
            return sm_trial_entry(t, x, sm_trial_part(t, e.part)->step, SM_WORKER_ANY,
                                  SM_ENTRY_VALUE, SM_REDUCE_NONE);
    }
    return sm_entry_none();
}

const char *sm_describe_kind(const struct sm_trial *t, const struct sm_trial_tensor *x,
                             const struct sm_facts *facts)
{
    if (!x->has_value)
        return x->reductions[0] || x->reductions[1] ? "reductions" : "shape";
    if (sm_trial_has_histograms(t, x->name))
        return "histogram";
    if (facts && facts->dtype == SM_DTYPE_STRING)
        return "text";
    return facts && facts->n == 1 ? "scalar" : "tensor";
}

static const uint64_t *newest_shape(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                    unsigned *n_dims)
{
    for (size_t i = x->n_entries; i-- > 0;) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind == SM_ENTRY_SHAPE)
            return sm_trial_shape(t, &e, n_dims);
    }
    return NULL;
}

static void add_workers(struct sm_result *r, struct sm_node *row, const struct sm_trial *t,
                        const struct sm_trial_tensor *x)
{
    size_t n = sm_trial_worker_count(t);
    bool *seen = sm_arena_xalloc(&r->arena, n + 1);
    for (size_t i = 0; i < x->n_entries; i++)
        seen[sm_tensor_part(t, x, i)->worker] = true;
    struct sm_node *list = sm_node_list(r, row, "workers");
    for (size_t w = 0; w < n; w++)
        if (seen[w])
            sm_node_text(r, list, NULL, sm_trial_worker(t, (uint16_t)w));
}

static void add_reductions(struct sm_result *r, struct sm_node *row,
                           const struct sm_trial_tensor *x)
{
    struct sm_node *list = sm_node_list(r, row, "reductions");
    for (int absolute = 0; absolute < 2; absolute++)
        for (int op = SM_REDUCE_MIN; op < SM_REDUCE_OPS; op++)
            if (x->reductions[absolute] >> op & 1)
                sm_node_text(r, list, NULL, sm_reduction_name(op | (absolute ? SM_REDUCE_ABS : 0)));
}

struct sm_node *sm_describe_tensor(struct sm_result *r, struct sm_node *parent,
                                   const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   const struct sm_facts *facts)
{
    struct sm_node *row = sm_node_map(r, parent, NULL);
    sm_node_textn(r, row, "name", sm_names_text(sm_trial_names(t), x->name),
                  sm_names_length(sm_trial_names(t), x->name));
    sm_node_text(r, row, "kind", sm_describe_kind(t, x, facts));
    struct sm_node *list = sm_node_list(r, row, "collections");
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        if (sm_trial_in_collection(t, i, x->name))
            sm_node_text(r, list, NULL, sm_trial_collection(t, i)->name);
    unsigned n_dims = 0;
    const uint64_t *dims = facts ? facts->dims : newest_shape(t, x, &n_dims);
    sm_node_text(r, row, "dtype", facts ? sm_dtype_info(facts->dtype)->name : NULL);
    if (dims)
        sm_node_dims(r, row, "shape", dims, facts ? facts->n_dims : n_dims);
    else
        sm_node_null(r, row, "shape");
    sm_node_uint(r, row, "steps", x->steps);
    sm_node_int(r, row, "first_step", x->first.n);
    sm_node_int(r, row, "last_step", x->last.n);
    list = sm_node_list(r, row, "modes");
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (x->modes >> m & 1)
            sm_node_text(r, list, NULL, sm_mode_name(m));
    add_workers(r, row, t, x);
    add_reductions(r, row, x);
    return row;
}

void sm_describe_place(struct sm_result *r, struct sm_node *map, const struct sm_trial *t,
                       const struct sm_entry *e)
{
    const struct sm_part *p = sm_trial_part(t, e->part);
    sm_node_int(r, map, "step", p->step.n);
    sm_node_text(r, map, "mode", sm_mode_name(p->mode));
    sm_node_int(r, map, "mode_step", p->mode_step.n);
    sm_node_text(r, map, "worker", sm_trial_worker(t, p->worker));
}

void sm_describe_element(struct sm_result *r, struct sm_node *map, const struct sm_tensor *t,
                         uint64_t i)
{
    uint64_t index[SM_DIMS_MAX], flat = i;
    for (unsigned d = t->n_dims; d-- > 0;) {
        index[d] = flat % t->dims[d];
        flat /= t->dims[d];
    }
    sm_node_dims(r, map, "index", index, t->n_dims);
    sm_describe_value(r, map, t, i);
}

void sm_describe_value(struct sm_result *r, struct sm_node *map, const struct sm_tensor *t,
                       uint64_t i)
{
    if (t->dtype == SM_DTYPE_STRING)
        sm_node_textn(r, map, "value", t->strings[i].p, t->strings[i].n);
    else
        sm_node_element(r, map, "value", t->dtype,
                        t->data + i * sm_dtype_info(t->dtype)->size_bytes);
}
