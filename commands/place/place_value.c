/* SPDX-License-Identifier: Apache-2.0 */
/* The value that is saved at a place, and how a place is printed. */
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/place/why.h"

#include <string.h>

bool sm_place_entry(const struct sm_place *p, struct sm_entry *out, struct sm_err *err)
{
    *out = sm_place_find_value(p);
    return sm_entry_exists(out) || sm_why_not_saved(p, err);
}

bool sm_place_read_value(struct sm_call *c, struct sm_place_value *v, struct sm_err *err)
{
    *v = (struct sm_place_value){0};
    return sm_place_read(c, &v->place, err) && sm_place_entry(&v->place, &v->entry, err) &&
           sm_fetch_slice(c->session->fetch, v->place.trial, &v->entry, v->place.slice, &v->tensor,
                          err);
}

bool sm_place_sample(struct sm_call *c, struct sm_place *p, const struct sm_entry *e,
                     struct sm_err *err)
{
    const struct sm_facts *facts;
    if (p->slice || !sm_fetch_too_large(c->session->fetch, e))
        return true;
    if (!sm_fetch_head(c->session->fetch, p->trial, e, &facts, err))
        return false;
    struct sm_slice *sample =
        facts->n_dims <= SM_DIMS_MAX ? sm_arena_alloc(&c->arena, sizeof *sample) : NULL;
    if (sample)
        sm_slice_sample(facts->n_dims, facts->dims, SM_SAMPLE_ELEMENTS, sample);
    p->slice = sample;
    return true;
}

void sm_place_note_sample(struct sm_result *out, const struct sm_entry *e)
{
    char size[16];
    sm_format_bytes(e->length, size);
    sm_result_dim(out, "A sample: the value has %s, more than memory-limit.", size);
}

void sm_place_sample_node(struct sm_result *out, struct sm_node *map, const struct sm_place *p)
{
    struct sm_str text = {0};
    sm_slice_text(&text, p->slice);
    sm_node_text(out, map, "sample", sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_place_add_step(struct sm_str *out, const struct sm_trial *t, struct sm_step step)
{
    const struct sm_trial_step *s = sm_place_trial_step(t, step);
    sm_describe_step(out, step, s ? (enum sm_mode)s->mode : SM_MODE_ANY,
                     s ? s->mode_step : (struct sm_mode_step){0});
}

static void add_worker(struct sm_str *out, const char *before, const struct sm_trial *t,
                       uint16_t worker)
{
    sm_str_add(out, before);
    sm_str_add_escaped(out, sm_trial_worker(t, worker), strlen(sm_trial_worker(t, worker)));
}

void sm_place_describe(struct sm_str *out, const struct sm_place *p)
{
    if (p->tensor != SM_NAME_NONE) {
        sm_place_add_name(out, p);
        sm_str_add(out, " at ");
    }
    sm_place_add_step(out, p->trial, p->step);
    if (p->worker != SM_WORKER_ANY)
        add_worker(out, ", ", p->trial, p->worker);
}

void sm_place_add_name(struct sm_str *out, const struct sm_place *p)
{
    const struct sm_names *names = sm_trial_names(p->trial);
    sm_str_add_escaped(out, sm_names_text(names, p->tensor), sm_names_length(names, p->tensor));
    if (p->slice)
        sm_slice_text(out, p->slice);
}

void sm_place_add_part(struct sm_str *out, const struct sm_trial *t, const struct sm_part *p,
                       const char *gap, bool brief)
{
    sm_describe_step(out, p->step, brief ? SM_MODE_ANY : (enum sm_mode)p->mode, p->mode_step);
    if (sm_trial_worker_count(t) > 1)
        add_worker(out, gap, t, p->worker);
}

void sm_place_add_heading(struct sm_str *out, const struct sm_place *p, const struct sm_entry *e)
{
    sm_place_add_name(out, p);
    sm_str_add(out, "  ");
    sm_place_add_part(out, p->trial, sm_trial_part(p->trial, e->part), "  ", false);
}

void sm_place_heading(struct sm_result *out, const struct sm_place *p, const struct sm_entry *e,
                      enum sm_dtype dtype, const uint64_t *dims, unsigned n_dims)
{
    struct sm_str head = {0};
    sm_place_add_heading(&head, p, e);
    sm_str_printf(&head, "  %s ", sm_dtype_info(dtype)->name);
    sm_shape_text(&head, dims, n_dims);
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
}

void sm_place_value_heading(struct sm_result *out, const struct sm_place_value *v)
{
    sm_place_heading(out, &v->place, &v->entry, v->tensor->dtype, v->tensor->dims,
                     v->tensor->n_dims);
}

void sm_place_node(struct sm_result *out, struct sm_node *map, const struct sm_place *p,
                   const struct sm_entry *e)
{
    const struct sm_names *names = sm_trial_names(p->trial);
    sm_node_textn(out, map, "name", sm_names_text(names, p->tensor),
                  sm_names_length(names, p->tensor));
    sm_describe_place(out, map, p->trial, e);
}
