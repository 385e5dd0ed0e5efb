/* SPDX-License-Identifier: Apache-2.0 */
/* History records: { 1 items, 2 step { 1 number } }. Two passes over the items of a record: what is
 * no scalar (a name with a sibling `_type`) and the value of an axis may stand behind it. */
#include "reader/base/vec.h"
#include "reader/format/wire.h"
#include "reader/logs/log_json.h"
#include "reader/wandb/wandb_run.h"

enum { FIELD_ITEM = 1, FIELD_STEP = 2, FIELD_STEP_NUMBER = 1, BAD_AXES_MAX = 4 };

/* ---- the first pass ---- */

static void note_number(struct sm_wandb_run *r, uint32_t id, double v)
{
    struct sm_wandb_key *key = &r->keys.items[id];
    if (key->role == SM_WANDB_ROLE_TIME)
        r->time = v;
    if (key->role == SM_WANDB_ROLE_STEP && v >= 0 && v < 0x1p63) {
        r->step = (int64_t)v;
        r->has_step = true;
    }
    if (key->role != SM_WANDB_ROLE_VALUE)
        return;
    if (!SM_VEC_ROOM(r->values, r->n_values, r->cap_values)) {
        r->failed = true;
        return;
    }
    key->seen = r->records;
    key->number = v;
    r->values[r->n_values++] = (struct sm_wandb_value){id, v};
}

/* NAME._type: NAME is no scalar, nor is what is below it. */
static void note_kind(struct sm_wandb_run *r, uint32_t id)
{
    const struct sm_wandb_key *key = &r->keys.items[id];
    if (key->role != SM_WANDB_ROLE_KIND)
        return;
    r->keys.items[key->parent].typed = r->records;
    r->typed = true;
}

/* A field of a value that may be no number; which it is may be said later in the record. */
static void note_field(struct sm_wandb_run *r, uint32_t id, struct sm_text value)
{
    const struct sm_wandb_key *key = &r->keys.items[id];
    if (!key->field || !value.p)
        return;
    struct sm_wandb_key *owner = &r->keys.items[key->parent];
    if (owner->gathered != r->records) {
        if (!SM_VEC_ROOM(r->gathered, r->n_gathered, r->cap_gathered)) {
            r->failed = true;
            return;
        }
        owner->gathered = r->records;
        owner->media = r->n_gathered;
        r->gathered[r->n_gathered++] = (struct sm_wandb_gathered){.key = key->parent};
    }
    r->gathered[owner->media].media.fields[key->field] = value;
}

struct object {
    struct sm_wandb_run *r;
    size_t base; /* bytes of r->name */
};

static void on_leaf(void *ctx, const struct sm_log_value *v)
{
    const struct object *o = ctx;
    struct sm_wandb_run *r = o->r;
    double number = v->number;
    sm_str_truncate(&r->name, o->base);
    sm_str_addc(&r->name, '.');
    sm_str_addn(&r->name, v->name, v->name_n);
    uint32_t id = r->name.failed ? SM_NAME_NONE
                                 : sm_wandb_key_of(&r->keys, sm_str_text(&r->name), r->name.len);
    if (id == SM_NAME_NONE) {
        r->failed = true;
        return;
    }
    if (r->keys.items[id].field)
        note_field(r, id,
                   (struct sm_text){sm_arena_strndup(&r->arena, v->text, v->text_n), v->text_n});
    if (v->type == SM_LOG_NUMBER || v->type == SM_LOG_BOOL ||
        (v->type == SM_LOG_TEXT &&
         sm_wandb_non_finite((struct sm_bytes){(const uint8_t *)v->text, v->text_n}, &number)))
        note_number(r, id, number);
    else
        note_kind(r, id);
}

static void note_object(struct sm_wandb_run *r, uint32_t id, struct sm_bytes json)
{
    struct object o = {r, sm_names_length(r->keys.names, id)};
    struct sm_err err;
    sm_str_truncate(&r->name, 0);
    sm_str_addn(&r->name, sm_names_text(r->keys.names, id), o.base);
    if (!sm_log_json_leaves((const char *)json.p, json.n, '.', on_leaf, &o, &err))
        r->failed = r->failed || err.code == SM_ERR_MEMORY;
}

static void note_item(struct sm_wandb_run *r, struct sm_bytes b)
{
    struct sm_wandb_item item;
    if (!sm_wandb_item_parse(b, &item, &r->scratch))
        return;
    uint32_t id = sm_wandb_key_of_path(&r->keys, item.path);
    if (id == SM_NAME_NONE) {
        r->failed = true;
        return;
    }
    if (r->keys.items[id].field)
        note_field(r, id, sm_wandb_field_text(&item, &r->arena));
    sm_wandb_item_settle(&item);
    if (item.type == SM_WANDB_NUMBER)
        note_number(r, id, item.number);
    else if (r->keys.items[id].role == SM_WANDB_ROLE_KIND)
        note_kind(r, id);
    else if (item.type == SM_WANDB_JSON && item.value.p[0] == '{')
        note_object(r, id, item.value);
}

static void note_step(struct sm_wandb_run *r, struct sm_bytes b)
{
    struct sm_wire_field f;
    if (!r->has_step)
        r->step = 0;
    while (sm_wire_next(&b, &f))
        if (f.number == FIELD_STEP_NUMBER && f.wire == 0 && !r->has_step)
            r->step = (int64_t)f.value;
    r->has_step = true;
}

/* ---- the second pass ---- */

/* An axis whose value is no step is none. */
static void refuse_axis(struct sm_wandb_run *r, struct sm_wandb_key *axis)
{
    r->again = true;
    r->bad_axes += !axis->no_axis;
    axis->no_axis = true;
    if (r->bad_axes < BAD_AXES_MAX)
        return;
    for (uint32_t i = 0; i < sm_names_count(r->keys.names); i++)
        r->keys.items[i].no_axis = true;
}

static void find_axis(struct sm_wandb_run *r, uint32_t id)
{
    struct sm_wandb_key *key = &r->keys.items[id];
    uint32_t axis = sm_wandb_metrics_axis(&r->metrics, &r->keys, id);
    r->again = r->again || (key->series != SM_NAME_NONE && axis != key->axis);
    key->axis = axis;
    key->defined = r->metrics.version;
}

static int64_t step_of(struct sm_wandb_run *r, const struct sm_wandb_key *key)
{
    if (key->axis == SM_NAME_NONE)
        return r->step;
    struct sm_wandb_key *axis = &r->keys.items[key->axis];
    double v = axis->number;
    if (!axis->seen)
        return r->step;
    if (v >= 0 && v < 0x1p53 && v == floor(v))
        return (int64_t)v;
    refuse_axis(r, axis);
    return r->step;
}

static void hand_value(struct sm_wandb_run *r, const struct sm_wandb_value *v)
{
    struct sm_wandb_key *key = &r->keys.items[v->key];
    if (r->typed && sm_wandb_key_is_typed(&r->keys, v->key, r->records))
        return;
    if (key->series == SM_NAME_NONE)
        key->series = sm_log_series(r->sink, sm_names_text(r->keys.names, v->key),
                                    sm_names_length(r->keys.names, v->key));
    sm_log_point(r->sink, key->series, step_of(r, key), r->time, v->number);
}

/* The points of one step together: first those over the step, then those over an axis. */
static void hand_values(struct sm_wandb_run *r)
{
    bool others = false;
    for (size_t i = 0; i < r->n_values; i++) {
        uint32_t id = r->values[i].key;
        if (r->keys.items[id].defined != r->metrics.version)
            find_axis(r, id);
        if (r->keys.items[id].axis == SM_NAME_NONE)
            hand_value(r, &r->values[i]);
        else
            others = true;
    }
    for (size_t i = 0; others && i < r->n_values; i++)
        if (r->keys.items[r->values[i].key].axis != SM_NAME_NONE)
            hand_value(r, &r->values[i]);
}

static void hand_media(struct sm_wandb_run *r, const struct sm_wandb_gathered *g)
{
    struct sm_wandb_key *key = &r->keys.items[g->key];
    const char *name = sm_names_text(r->keys.names, g->key), *slash = strrchr(r->file, '/');
    const char *base =
        sm_arena_strndup(&r->arena, r->file, slash ? (size_t)(slash + 1 - r->file) : 0);
    struct sm_event_value v;
    struct sm_err err;
    if (!base || !sm_wandb_media_value(&g->media, r->source, base, true, &r->arena, &v, &err)) {
        if (!base || err.code == SM_ERR_MEMORY)
            r->failed = true;
        else
            sm_log_unshown(r->sink, err.code == SM_ERR_MISSING ? "media whose files are missing"
                                                               : "media that are not known");
        return;
    }
    if (key->defined != r->metrics.version)
        find_axis(r, g->key);
    if (key->series == SM_NAME_NONE)
        key->series = sm_log_series(r->sink, name, sm_names_length(r->keys.names, g->key));
    sm_log_value(r->sink, r->source, key->series, step_of(r, key), r->time, &v,
                 &(struct sm_log_origin){r->file, r->offset, name});
}

/* Those that have a type. */
static void hand_gathered(struct sm_wandb_run *r)
{
    for (size_t i = 0; i < r->n_gathered; i++)
        if (r->keys.items[r->gathered[i].key].typed == r->records)
            hand_media(r, &r->gathered[i]);
    r->n_gathered = 0;
    sm_arena_reset(&r->arena);
}

void sm_wandb_take_history(struct sm_wandb_run *r, struct sm_bytes history)
{
    struct sm_wire_field f;
    r->records++;
    r->n_values = 0;
    r->time = NAN;
    r->step = r->next_step;
    r->has_step = r->typed = false;
    while (sm_wire_next(&history, &f)) {
        if (f.number == FIELD_ITEM && f.wire == 2)
            note_item(r, f.bytes);
        else if (f.number == FIELD_STEP && f.wire == 2)
            note_step(r, f.bytes);
    }
    r->next_step = r->step < INT64_MAX ? r->step + 1 : r->step;
    hand_values(r);
    hand_gathered(r);
}

void sm_wandb_check_axes(struct sm_wandb_run *r)
{
    if (r->checked == r->metrics.version)
        return;
    r->checked = r->metrics.version;
    for (uint32_t i = 0; r->keys.names && i < sm_names_count(r->keys.names); i++)
        if (r->keys.items[i].series != SM_NAME_NONE)
            find_axis(r, i);
}
