/* SPDX-License-Identifier: Apache-2.0 */
/* What an event adds to a batch: numbers come with their steps, other values are located. */
#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/tensor/tensor.h"
#include "reader/tensorboard/tensorboard.h"

#include <string.h>
#include <strings.h>

/* Plugins whose values are not shown, and what they are called then. */
static const struct {
    const char *plugin, *word;
} hidden[] = {{"hparams", NULL},
              {"custom_scalars", NULL},
              {"graphs", "graph"},
              {"graph_keras_model", "model"},
              {"graph_run_metadata", "graph"},
              {"graph_run_metadata_graph", "graph"},
              {"profile", "profile"}};

void sm_board_report(struct sm_board_reader *r, const struct sm_err *err)
{
    sm_problems_add(&r->batch->problems, r->path, (int64_t)r->at, err);
}

/* Whether it is a run of validation beside the trial's own. */
static bool is_joined(const struct sm_board_reader *r)
{
    return r->board->in->validation_name;
}

/* ---- parts ---- */

/* The mode, if the run has one of the names that frameworks (and smdebug) use for it; otherwise
 * GLOBAL. */
static int mode_of_run(const struct sm_board_reader *r)
{
    static const struct {
        const char *name;
        int mode;
    } rows[] = {{"train", SM_MODE_TRAIN}, {"eval", SM_MODE_EVAL}, {"validation", SM_MODE_EVAL},
                {"val", SM_MODE_EVAL},    {"test", SM_MODE_EVAL}, {"predict", SM_MODE_PREDICT}};
    const struct sm_trial_input *in = r->board->in;
    /* the run is the folder that was opened */
    bool own = (!r->file->run_bytes || r->file->guest) && in->options.kind;
    const char *path = in->training_root ? in->training_root : own ? in->source->root : r->path;
    own = own || in->training_root;
    size_t n = own ? strlen(path) : r->file->run_bytes, from = n;
    while (from && path[from - 1] != '/')
        from--;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == n - from &&
            strncasecmp(rows[i].name, path + from, n - from) == 0)
            return rows[i].mode;
    return SM_MODE_GLOBAL;
}

/* The names of the file and of its run, once a piece. The files of a run of validation are not in
 * the trial's directory: they have no name there. */
static bool name_file(struct sm_board_reader *r)
{
    struct sm_names *names = r->batch->names;
    if (r->worker != SM_NAME_NONE)
        return true;
    r->mode = mode_of_run(r);
    bool root = !r->file->run_bytes || r->file->guest;
    r->worker =
        root ? sm_names_add(names, ".", 1) : sm_names_add(names, r->path, r->file->run_bytes);
    if (r->worker == SM_NAME_NONE || is_joined(r))
        return r->worker != SM_NAME_NONE;
    r->event_file = sm_names_add(names, r->path, strlen(r->path));
    return r->event_file != SM_NAME_NONE;
}

static struct sm_batch_part *new_part(struct sm_board_reader *r, const struct sm_event_outline *e,
                                      enum sm_batch_removal removes)
{
    struct sm_batch *b = r->batch;
    if (!name_file(r) || !SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts)) {
        r->no_memory = true;
        return NULL;
    }
    b->parts[b->n_parts] = (struct sm_batch_part){
        .step = e->step,
        .mode_step = e->step,
        .mode = r->mode,
        .time_us = sm_clock_us_of(e->wall_time),
        .worker = r->worker,
        .event_file = r->event_file,
        .adds = true,
        .removes = removes,
        .first_value = b->n_values,
        .first_shape = b->n_shapes,
        .first_scalar = b->n_scalars,
    };
    return &b->parts[b->n_parts++];
}

/* The part for records of this step: the last one if it is of this step, else a new one. */
static struct sm_batch_part *part_for(struct sm_board_reader *r, const struct sm_event_outline *e)
{
    bool later = r->version < 2 || is_joined(r);
    enum sm_batch_removal removes = later ? SM_REMOVES_LATER : SM_REMOVES_NOTHING;
    struct sm_batch *b = r->batch;
    struct sm_batch_part *last = b->n_parts ? &b->parts[b->n_parts - 1] : NULL;
    if (last && last->step == e->step && last->removes == removes &&
        last->event_file == r->event_file)
        return last;
    return new_part(r, e, removes);
}

/* ---- values ---- */

/* Of a run of validation the names begin with it; r->before is its length. */
static uint32_t add_name(struct sm_board_reader *r, struct sm_text name)
{
    struct sm_names *names = r->batch->names;
    if (!is_joined(r))
        return sm_names_add(names, name.p ? name.p : "", name.n);
    struct sm_str s = {0};
    sm_str_printf(&s, "%s/", r->board->in->validation_name);
    r->before = s.len;
    sm_str_addn(&s, name.p ? name.p : "", name.n);
    uint32_t id = s.failed ? SM_NAME_NONE : sm_names_add(names, s.data, s.len);
    sm_str_clear(&s);
    return id;
}

/* Tags come in the same order again and again. */
static uint32_t name_of(struct sm_board_reader *r, struct sm_text tag)
{
    struct sm_names *names = r->batch->names;
    size_t before = r->cap_next;
    uint32_t guess = r->last_name == SM_NAME_NONE ? 0 : r->next[r->last_name];
    if (guess && sm_names_length(names, guess - 1) == r->before + tag.n &&
        memcmp(sm_names_text(names, guess - 1) + r->before, tag.p, tag.n) == 0)
        return r->last_name = guess - 1;
    uint32_t name = add_name(r, tag);
    if (name == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&r->next, &r->cap_next, (size_t)name + 1, sizeof *r->next))
        return SM_NAME_NONE;
    memset(r->next + before, 0, (r->cap_next - before) * sizeof *r->next);
    if (r->last_name != SM_NAME_NONE)
        r->next[r->last_name] = name + 1;
    return r->last_name = name;
}

static void add_number(struct sm_board_reader *r, struct sm_batch_part *p, struct sm_text tag,
                       const struct sm_batch_scalar *x)
{
    struct sm_batch *b = r->batch;
    uint32_t name = name_of(r, tag);
    if (name == SM_NAME_NONE || !SM_VEC_ROOM(b->scalars, b->n_scalars, b->cap_scalars)) {
        r->no_memory = true;
        return;
    }
    b->scalars[b->n_scalars] = *x;
    b->scalars[b->n_scalars++].name = name;
    p->n_scalars++;
}

static void add_location(struct sm_board_reader *r, struct sm_batch_part *p, struct sm_text tag,
                         const struct sm_batch_value *x)
{
    struct sm_batch *b = r->batch;
    if (is_joined(r))
        return;
    uint32_t name = name_of(r, tag);
    if (name == SM_NAME_NONE || !SM_VEC_ROOM(b->values, b->n_values, b->cap_values)) {
        r->no_memory = true;
        return;
    }
    b->values[b->n_values] = *x;
    b->values[b->n_values++].name = name;
    p->n_values++;
}

static bool is_hidden(struct sm_text plugin)
{
    for (size_t i = 0; plugin.n && i < sizeof hidden / sizeof *hidden; i++)
        if (sm_text_is(plugin, hidden[i].plugin))
            return true;
    return false;
}

/* Takes what a value says of the run, if its plugin is one of those above. */
static void take_hidden(struct sm_board_reader *r, const struct sm_walk_value *v)
{
    if (is_joined(r))
        return;
    for (size_t i = 0; v->plugin.n && i < sizeof hidden / sizeof *hidden; i++) {
        if (!sm_text_is(v->plugin, hidden[i].plugin))
            continue;
        struct sm_run_info *info = sm_batch_info(r->batch);
        bool ok = info && (i || sm_board_take_hparams(info, v->plugin_content)) &&
                  (!hidden[i].word || sm_run_info_ignore(info, hidden[i].word));
        r->no_memory = r->no_memory || !ok;
    }
}

/* A graph may stand in a record of its own. */
static void note_graph(struct sm_board_reader *r, const struct sm_event_outline *e)
{
    bool found = e->has_graph && !is_joined(r);
    struct sm_run_info *info = found ? sm_batch_info(r->batch) : NULL;
    if (found && (!info || !sm_run_info_ignore(info, "graph")))
        r->no_memory = true;
}

/* Whether values of the step are taken. */
static bool is_wanted(struct sm_board_reader *r, const struct sm_event_outline *e, size_t n_values)
{
    struct sm_err err;
    if (e->step < 0 && n_values) {
        sm_err_set(&err, SM_ERR_DATA, "values of the negative step %lld", (long long)e->step);
        sm_board_report(r, &err);
    }
    return n_values && e->step >= 0 && e->step < r->file->purged_from &&
           sm_trial_includes_step(&r->board->in->options, e->step);
}

/* ---- events of numbers ---- */

enum { VALUES_MAX = 1 << 18 }; /* of a record, that are walked through */

static void take_numbers(struct sm_board_reader *r, const struct sm_event_outline *e, size_t n,
                         uint64_t length)
{
    struct sm_batch_part *p = NULL;
    for (size_t i = 0; i < n && !r->no_memory; i++) {
        const struct sm_walk_value *v = &r->values[i];
        struct sm_batch_scalar x = {.time = e->wall_time, .dtype = (uint8_t)v->dtype};
        if (v->kind != SM_WALK_NUMBER || is_hidden(v->plugin))
            continue;
        p = p ? p : part_for(r, e);
        if (!p)
            return;
        memcpy(x.element, v->element, sizeof x.element);
        add_number(r, p, v->tag, &x);
    }
    if (p)
        p->scalar_bytes += length;
}

/* The values of a summary, to r->values. *others: some are to be parsed. SIZE_MAX: not valid, too
 * many, or no memory. */
static size_t walk_values(struct sm_board_reader *r, struct sm_bytes summary, bool *others)
{
    struct sm_walk_value v;
    bool bad = false;
    size_t n = 0;
    for (; sm_event_next_value(&summary, &v, &bad); n++) {
        *others = *others || (v.kind == SM_WALK_OTHER && !is_hidden(v.plugin));
        take_hidden(r, &v);
        if (n == VALUES_MAX)
            return SIZE_MAX;
        if (!SM_VEC_ROOM(r->values, n, r->cap_values)) {
            r->no_memory = true;
            return SIZE_MAX;
        }
        r->values[n] = v;
    }
    return bad ? SIZE_MAX : n;
}

/* ---- events of anything ---- */

/* Whether a parsed value is a number, in *x then. */
static bool as_number(const struct sm_event_value *v, struct sm_batch_scalar *x)
{
    if (sm_value_form_of(v) != SM_FORM_SCALAR)
        return false;
    x->dtype = (uint8_t)(v->kind == SM_VALUE_SCALAR ? SM_DTYPE_FLOAT32 : v->dtype);
    memset(x->element, 0, sizeof x->element);
    if (v->kind == SM_VALUE_SCALAR)
        memcpy(x->element, &v->simple, sizeof v->simple);
    else if (v->content.n <= sizeof x->element)
        memcpy(x->element, v->content.p, v->content.n);
    else
        return false;
    return true;
}

static void take_values(struct sm_board_reader *r, const struct sm_event_outline *e,
                        const struct sm_event *parsed, uint64_t length)
{
    struct sm_batch_part *p = NULL;
    for (size_t i = 0; i < parsed->n_values && i <= UINT16_MAX && !r->no_memory; i++) {
        const struct sm_event_value *v = &parsed->values[i];
        struct sm_batch_scalar x = {.time = e->wall_time};
        if (!sm_tensor_can_be(v->kind) || is_hidden(v->plugin))
            continue;
        p = p ? p : part_for(r, e);
        if (!p)
            return;
        if (as_number(v, &x))
            add_number(r, p, v->tag, &x);
        else
            add_location(r, p, v->tag,
                         &(struct sm_batch_value){.offset = r->at,
                                                  .length = length,
                                                  .value = (uint16_t)i,
                                                  .form = (uint8_t)sm_value_form_of(v)});
    }
    if (p && !p->n_values)
        p->scalar_bytes += length;
}

/* What the event says of the session and of the version, and whether its values are taken. */
static bool enter_event(struct sm_board_reader *r, const struct sm_event_outline *e,
                        size_t n_values)
{
    uint32_t version = sm_board_version(e->file_version);
    r->version = version == UINT32_MAX ? r->version : version;
    if (e->starts_session && r->version >= 2 && e->step >= 0 && !is_joined(r) && !r->file->guest)
        new_part(r, e, SM_REMOVES_STEPS);
    return is_wanted(r, e, n_values);
}

static bool take_parsed(struct sm_board_reader *r, struct sm_bytes payload, uint64_t length,
                        struct sm_err *err)
{
    struct sm_event parsed;
    bool ok = sm_event_parse(payload, &r->arena, &parsed, err);
    struct sm_event_outline e = {.wall_time = parsed.wall_time,
                                 .step = parsed.step,
                                 .file_version = parsed.file_version,
                                 .starts_session = parsed.starts_session};
    if (ok && enter_event(r, &e, parsed.n_values))
        take_values(r, &e, &parsed, length);
    sm_arena_reset(&r->arena);
    return ok;
}

bool sm_board_take_event(struct sm_board_reader *r, struct sm_bytes payload, uint64_t length,
                         struct sm_err *err)
{
    struct sm_event_outline e;
    bool others = false;
    size_t n = sm_event_outline(payload, &e) ? walk_values(r, e.summary, &others) : SIZE_MAX;
    if (r->no_memory)
        return true;
    if (n == SIZE_MAX || others)
        return take_parsed(r, payload, length, err);
    note_graph(r, &e);
    if (enter_event(r, &e, n))
        take_numbers(r, &e, n, length);
    return true;
}
