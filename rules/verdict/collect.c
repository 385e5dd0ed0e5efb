/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/collect.h"

#include "reader/base/grow.h"
#include "reader/checkpoints/ckpt_path.h"
#include "rules/builtin/net_layers.h"
#include "rules/verdict/class_totals.h"
#include "rules/verdict/signal_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct collected { /* a value of the step */
    const struct sm_rule_item *item;
    enum sm_signal_role role;
    struct sm_track_point point;
    uint64_t size, dims[2], outputs;
    bool ok, integers;
    bool number;        /* one number, no part of the network */
    bool text;          /* it was read, and has no numbers */
    bool ranks, begins; /* of the track */
};

static uint64_t place_key(uint32_t name, uint16_t worker, unsigned mode)
{
    return (uint64_t)name << 32 | (uint64_t)worker << 8 | mode;
}

static enum sm_signal_role role_of(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    const struct sm_signals *g = x->state;
    const struct sm_track *known =
        sm_track_find(g, it->tensor->name, it->worker, (enum sm_mode)x->step.mode);
    return known ? (enum sm_signal_role)known->role : sm_signal_role(x->trial, it->tensor);
}

/* Collections may have come after the first values. */
static void update_roles(struct sm_rule_at *x)
{
    struct sm_signals *g = x->state;
    uint64_t version = sm_trial_members_version(x->trial);
    for (size_t i = 0; g->members != version && i < g->n; i++) {
        struct sm_track *t = &g->tracks[i];
        enum sm_signal_role r = sm_signal_role(x->trial, sm_trial_tensor_of(x->trial, t->name));
        t->role = r == SM_WEIGHT && t->role == SM_SCALE ? SM_SCALE : (uint8_t)r;
    }
    g->members = version;
}

static void read_stats(const struct sm_facts *f, struct collected *c)
{
    const struct sm_stats *s = &f->stats;
    struct sm_track_point *p = &c->point;
    enum sm_dtype_kind kind = sm_dtype_info(f->dtype)->kind;
    c->ok = f->has_stats;
    c->size = f->n;
    for (unsigned i = 0; i < 2 && i < f->n_dims; i++)
        c->dims[i] = f->dims[i];
    bool kernel = strstr(c->item->name, "kernel") != NULL;
    c->outputs = f->n_dims ? f->dims[kernel ? f->n_dims - 1 : 0] : 1;
    c->integers = kind == SM_KIND_INT || kind == SM_KIND_UINT;
    c->text = kind == SM_KIND_STRING;
    p->nan = (float)s->nan;
    p->infinite = (float)(s->pos_inf + s->neg_inf);
    p->zero = f->n ? (float)((double)s->zero / (double)f->n) : 0;
    if (!s->finite)
        return;
    p->mean = (float)s->mean;
    p->std = (float)sqrt(s->variance);
    p->abs_max = (float)s->abs_max;
    p->l2 = (float)s->l2;
}

/* Of a number that came with its step: its brief is all there is, and no cache has to keep it. */
static void read_number(const struct sm_rule_at *x, struct collected *c)
{
    const struct sm_brief b = sm_tensor_brief(x->trial, c->item->tensor, c->item->at);
    struct sm_track_point *p = &c->point;
    enum sm_dtype_kind kind = sm_dtype_info((enum sm_dtype)b.dtype)->kind;
    c->ok = b.flags & SM_BRIEF_NUMBERS;
    c->number = true;
    c->size = c->outputs = 1;
    c->integers = kind == SM_KIND_INT || kind == SM_KIND_UINT;
    p->nan = b.flags & SM_BRIEF_NAN ? 1 : 0;
    p->infinite = b.flags & (SM_BRIEF_POS_INF | SM_BRIEF_NEG_INF) ? 1 : 0;
    p->zero = b.flags & SM_BRIEF_ALL_ZERO ? 1 : 0;
    if (p->nan > 0 || p->infinite > 0)
        return;
    p->mean = (float)sm_brief_mean(&b);
    p->std = 0;
    p->abs_max = p->l2 = (float)sm_brief_abs_max(&b);
}

/* Of a tensor of which reductions were saved in place of its values. */
static void read_reductions(struct sm_rule_at *x, const struct sm_rule_item *it,
                            struct collected *c)
{
    static const int wanted[] = {SM_REDUCE_MEAN, SM_REDUCE_STD, SM_REDUCE_ABS | SM_REDUCE_MAX,
                                 SM_REDUCE_L2};
    float *const to[] = {&c->point.mean, &c->point.std, &c->point.abs_max, &c->point.l2};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const uint32_t *saved = it->tensor->reductions;
        int op = wanted[i] & ~SM_REDUCE_ABS;
        double v;
        if (!(saved[wanted[i] / SM_REDUCE_ABS] & 1u << op) ||
            !sm_rule_reduction(x, it, wanted[i], &v))
            continue;
        c->ok = true;
        c->point.nan = fmaxf(c->point.nan, isnan(v) ? 1.0f : 0.0f);
        c->point.infinite = fmaxf(c->point.infinite, isinf(v) ? 1.0f : 0.0f);
        *to[i] = isfinite(v) ? (float)v : (float)NAN;
    }
}

/* The measure's numbers go into own[at..]. */
static void read_measure(struct sm_rule_at *x, struct collected *c, size_t at, sm_measure *measure,
                         const double *args, const struct sm_entry *other)
{
    const struct sm_entry entries[] = {c->item->value, other ? *other : sm_entry_none()};
    const struct sm_numbers *r;
    if (!sm_rule_measure(x, measure, args, args ? 2 : 0, entries, other ? 2 : 1, &r))
        return;
    for (size_t i = 0; i < r->n && at + i < SM_OWN_NUMBERS; i++)
        c->point.own[at + i] = (float)r->v[i];
}

/* The value of the same tensor from the worker that comes first; none if this is it. Items are
 * sorted by name, then worker. */
static struct sm_entry first_replica(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    const struct sm_rule_item *first = it;
    while (first > x->picks[0].items && first[-1].tensor == it->tensor)
        first--;
    return first == it ? sm_entry_none() : first->value;
}

static enum sm_ckpt_ranks ranks_of(const struct sm_rule_at *x, const struct sm_entry *e)
{
    const char *path = sm_trial_event_path(x->trial, sm_trial_part(x->trial, e->part));
    return path ? sm_ckpt_ranks_of(path) : SM_CKPT_RANKS_NOT_NAMED;
}

/* Against the first worker, unless both have parts of one model. */
static void compare_replicas(struct sm_rule_at *x, struct collected *c)
{
    struct sm_entry replica = first_replica(x, c->item);
    enum sm_ckpt_ranks ranks =
        sm_entry_exists(&replica) ? ranks_of(x, &c->item->value) : SM_CKPT_RANKS_PARTS;
    c->ranks = ranks == SM_CKPT_RANKS_ANY;
    if (ranks != SM_CKPT_RANKS_PARTS)
        read_measure(x, c, SM_OWN_APART, sm_measure_distance, NULL, &replica);
}

static void read_parameter(struct sm_rule_at *x, struct collected *c)
{
    struct sm_entry before =
        sm_rule_previous_entry(x, c->item, (enum sm_mode)x->step.mode,
                               sm_rule_current_step(x, (enum sm_mode)x->step.mode));
    if (sm_entry_exists(&before))
        read_measure(x, c, SM_OWN_CHANGE, sm_measure_distance, NULL, &before);
    if (!sm_entry_exists(&before) && c->role == SM_WEIGHT)
        read_measure(x, c, SM_OWN_ALIKE, sm_measure_alike, NULL, NULL);
    compare_replicas(x, c);
}

static void read_own(struct sm_rule_at *x, struct collected *c)
{
    static const double relu[] = {-INFINITY, INFINITY}, tanh[] = {-0.98, 0.98},
                        sigmoid[] = {0.01, 0.99};
    if (sm_signal_role_is_parameter(c->role))
        read_parameter(x, c);
    else if (c->role == SM_RELU)
        read_measure(x, c, SM_OWN_DEAD, sm_measure_units, relu, NULL);
    else if (c->role == SM_TANH)
        read_measure(x, c, SM_OWN_DEAD, sm_measure_units, tanh, NULL);
    else if (c->role == SM_SIGMOID)
        read_measure(x, c, SM_OWN_DEAD, sm_measure_units, sigmoid, NULL);
    else if (c->role == SM_INPUT && !c->integers)
        read_measure(x, c, SM_OWN_OFFSET, sm_measure_features, NULL, NULL);
}

/* What the statistics say alone, where elements were not saved. */
static void infer_own(struct collected *c)
{
    struct sm_track_point *p = &c->point;
    if (c->role == SM_RELU && isnan(p->own[SM_OWN_DEAD]) && p->mean == 0)
        p->own[SM_OWN_DEAD] = 1;
    if (c->role == SM_WEIGHT && isnan(p->own[SM_OWN_CHANGE]) && isnan(p->own[SM_OWN_ALIKE]) &&
        p->std == 0)
        p->own[SM_OWN_ALIKE] = 1;
}

/* Nothing is known of it yet. */
static void begin_item(const struct sm_rule_item *it, enum sm_signal_role role, struct sm_step step,
                       struct sm_mode_step number, struct collected *c)
{
    *c = (struct collected){.item = it, .role = role};
    struct sm_track_point *p = &c->point;
    p->step = step.n;
    p->number = number.n;
    p->mean = p->std = p->abs_max = p->l2 = p->zero = (float)NAN;
    for (size_t i = 0; i < SM_OWN_NUMBERS; i++)
        p->own[i] = (float)NAN;
}

static void read_item(struct sm_rule_at *x, const struct sm_rule_item *it, bool training,
                      struct collected *c)
{
    const struct sm_facts *f;
    begin_item(it, role_of(x, it), x->step.step, x->step.mode_step, c);
    struct sm_track_point *p = &c->point;
    c->begins = sm_is_first_value(x, it, p->number);
    if (!sm_entry_exists(&it->value)) {
        read_reductions(x, it, c);
        infer_own(c);
        return;
    }
    p->seq = it->value.seq;
    if (sm_entry_is_scalar(&it->value)) {
        read_number(x, c);
        return;
    }
    if (sm_rule_facts(x, it, &f)) {
        read_stats(f, c);
        c->number = c->role == SM_OTHER && f->n == 1;
        if (c->role == SM_WEIGHT && f->n_dims < 2)
            c->role = SM_SCALE;
    }
    if (training && (x->ahead || (c->ok && c->size > 1)))
        read_own(x, c);
    infer_own(c);
}

/* ---- keeping ---- */

static int compare_written(const void *a, const void *b)
{
    const struct collected *x = a, *y = b;
    if (x->item->worker != y->item->worker)
        return x->item->worker < y->item->worker ? -1 : 1;
    return (x->point.seq > y->point.seq) - (x->point.seq < y->point.seq);
}

static struct sm_track *track_of(struct sm_signals *g, const struct collected *c, uint8_t mode)
{
    uint64_t key = place_key(c->item->tensor->name, c->item->worker, mode), at;
    if (!sm_map_get(&g->places, key, &at)) {
        SM_GROW(g->tracks, g->n, g->cap);
        at = g->n++;
        g->tracks[at] = (struct sm_track){
            .name = c->item->tensor->name, .worker = c->item->worker, .mode = mode};
        if (!sm_map_put(&g->places, key, at))
            abort();
    }
    return &g->tracks[at];
}

static bool is_finite(const struct sm_track_point *p)
{
    return p->nan == 0 && p->infinite == 0;
}

static bool is_looked_at(enum sm_signal_role role)
{
    return role == SM_LOSS || role == SM_LABELS || role == SM_INPUT || role == SM_RATE;
}

/* Whether the newest point need not stay when `next` comes. Of numbers that no cause looks at, only
 * the first and the last one of those that are finite in a row stay, or not finite. */
static bool is_superseded(const struct sm_track *t, const struct collected *next)
{
    if (!next->number || is_looked_at(next->role) || t->n < 2)
        return false;
    const struct sm_track_point *last = &t->points[t->n - 1];
    return is_finite(&last[-1]) == is_finite(last) && is_finite(last) == is_finite(&next->point);
}

static struct sm_track_point *keep(struct sm_signals *g, const struct collected *c, uint8_t mode)
{
    struct sm_track *t = track_of(g, c, mode);
    t->role = (uint8_t)c->role;
    t->size = c->size;
    memcpy(t->dims, c->dims, sizeof t->dims);
    t->outputs = c->outputs;
    t->integers = c->integers;
    t->ranks = t->ranks || c->ranks;
    t->begins = t->values > 0 ? t->begins : c->begins;
    g->values++;
    t->values++;
    t->n -= is_superseded(t, c);
    SM_GROW(t->points, t->n, t->cap);
    t->points[t->n] = c->point;
    return &t->points[t->n++];
}

/* The first value of the role, of the worker of `beside` if it is given. */
static const struct sm_rule_item *first_of(const struct collected *c, size_t n,
                                           enum sm_signal_role role,
                                           const struct sm_rule_item *beside)
{
    for (size_t i = 0; i < n; i++)
        if (c[i].role == role && sm_entry_exists(&c[i].item->value) &&
            (!beside || c[i].item->worker == beside->worker))
            return c[i].item;
    return NULL;
}

/* Labels of other modes count until some of training come. */
static void read_classes(struct sm_rule_at *x, const struct collected *c, size_t n, bool training,
                         struct sm_class_step *out)
{
    const struct sm_class_totals *k = &((struct sm_signals *)x->state)->classes;
    bool wanted = training || (!k->trained && (!k->length || k->mode == x->step.mode));
    const struct sm_rule_item *labels = wanted ? first_of(c, n, SM_LABELS, NULL) : NULL;
    const struct sm_rule_item *guesses = first_of(c, n, SM_CLASSES, labels);
    if (labels)
        sm_class_step_read(x, labels, guesses ? guesses : first_of(c, n, SM_SCORES, labels), out);
}

static void keep_classes(struct sm_signals *g, const struct sm_class_step *step,
                         struct sm_track_point *p, unsigned mode, bool training)
{
    if (training && !g->classes.trained) {
        sm_free(g->classes.spans);
        g->classes = (struct sm_class_totals){.trained = true};
    }
    g->classes.mode = (uint8_t)mode;
    sm_class_step_keep(&g->classes, step, p);
}

/* What a hook says of a step of the optimizer, "update_ratio/NAME", is the change of a weight whose
 * values were not saved: as much at each step since the point before. */
static void keep_ratio(struct sm_signals *g, const struct collected *c, uint8_t mode)
{
    static const char before[] = "update_ratio/";
    enum { N = sizeof before - 1 };
    if (!c->ok || c->size != 1 || strncmp(c->item->name, before, N) != 0 ||
        !isfinite(c->point.mean))
        return;
    const char *name = c->item->name + N;
    const struct sm_trial_tensor *x = sm_trial_find(g->trial, name, strlen(name));
    uint64_t at;
    if (!x || !sm_map_get(&g->places, place_key(x->name, c->item->worker, mode), &at))
        return;
    const struct sm_track *t = &g->tracks[at];
    struct sm_track_point *p = &t->points[t->n - 1];
    if (t->n < 2 || p->step != c->point.step || !isnan(p->own[SM_OWN_CHANGE]))
        return;
    int64_t gap = p->number - p[-1].number;
    p->own[SM_OWN_CHANGE] = c->point.mean * (float)(gap > 1 ? gap : 1);
}

static void judge_signals(struct sm_rule_at *x)
{
    struct sm_signals *g = x->state;
    size_t n = x->picks[0].n;
    bool training =
        x->step.mode == sm_rule_training_mode(x) || sm_rule_training_mode(x) == SM_MODE_ANY;
    struct collected *of_step = sm_xalloc((n + 1) * sizeof *of_step);
    struct sm_class_step classes = {0};
    g->trial = x->trial;
    update_roles(x);
    for (size_t i = 0; i < n; i++)
        read_item(x, &x->picks[0].items[i], training, &of_step[i]);
    read_classes(x, of_step, n, training, &classes);
    if (!x->waiting && !x->ahead) {
        qsort(of_step, n, sizeof *of_step, compare_written);
        for (size_t i = 0; i < n; i++) {
            struct sm_track_point *p = of_step[i].ok ? keep(g, &of_step[i], x->step.mode) : NULL;
            g->unread += !p && !of_step[i].text && sm_entry_exists(&of_step[i].item->value);
            if (p && of_step[i].item == classes.labels)
                keep_classes(g, &classes, p, x->step.mode, training);
        }
        for (size_t i = 0; i < n; i++)
            keep_ratio(g, &of_step[i], x->step.mode);
        g->first_step = g->steps ? g->first_step : x->step.step.n;
        g->last_step = x->step.step.n;
        g->steps++;
    }
    sm_free(of_step);
}

/* Whether of calm values that come next only the last one will stay. */
static bool supersedes_all(const struct sm_track *t)
{
    return !is_looked_at((enum sm_signal_role)t->role) && t->n >= 2 &&
           is_finite(&t->points[t->n - 1]) && is_finite(&t->points[t->n - 2]);
}

/* The calm values of a scalar, one after the other. */
static void keep_span(struct sm_rule_at *x, const struct sm_rule_span *s, struct sm_track *t)
{
    struct sm_signals *g = x->state;
    for (size_t i = s->from; i < s->to; i++) {
        size_t skipped = supersedes_all(t) ? s->to - 1 - i : 0;
        g->values += skipped;
        t->values += skipped;
        i += skipped;
        struct sm_rule_item it = {.tensor = s->tensor,
                                  .worker = s->calm.worker,
                                  .value = sm_tensor_entry(x->trial, s->tensor, i),
                                  .at = i};
        const struct sm_part *p = sm_trial_part(x->trial, it.value.part);
        struct collected c;
        begin_item(&it, (enum sm_signal_role)t->role, p->step, p->mode_step, &c);
        c.point.seq = it.value.seq;
        read_number(x, &c);
        keep(g, &c, t->mode);
    }
}

static struct sm_track *track_of_span(struct sm_signals *g, const struct sm_rule_span *s)
{
    uint64_t at;
    bool found =
        sm_map_get(&g->places, place_key(s->tensor->name, s->calm.worker, s->calm.mode), &at);
    return found ? &g->tracks[at] : NULL;
}

/* Numbers that came with their steps, of which each has a track: a new one has its place by the
 * order in which the values of a step were written. Labels may belong to other tensors. */
static bool keep_stretch(struct sm_rule_at *x, const struct sm_rule_stretch *s)
{
    struct sm_signals *g = x->state;
    update_roles(x);
    for (size_t k = 0; k < s->n; k++) {
        const struct sm_rule_span *v = &s->spans[k];
        const struct sm_track *t = track_of_span(g, v);
        if (!v->tensor->scalars || !t || t->role == SM_LABELS || v->calm.mode != x->step.mode)
            return false;
    }
    for (size_t k = 0; k < s->n; k++)
        keep_span(x, &s->spans[k], track_of_span(g, &s->spans[k]));
    g->last_step = s->last;
    g->steps += s->n_steps;
    return true;
}

static void clear_signals(void *state)
{
    struct sm_signals *g = state;
    for (size_t i = 0; i < g->n; i++)
        sm_free(g->tracks[i].points);
    sm_free(g->tracks);
    sm_free(g->classes.spans);
    sm_map_clear(&g->places);
    *g = (struct sm_signals){0};
}

static const struct sm_rule_param no_params[] = {{0}};
const struct sm_rule sm_rule_signals = {
    .name = "signals",
    .class_name = "Signals",
    .group = SM_RULE_EXTRA,
    .summary = "Collects what the verdict looks at",
    .fires = "never",
    .advice = "",
    .saves = "",
    .params = no_params,
    .picks = {{.all = true}},
    .whole = true,
    .state_size = sizeof(struct sm_signals),
    .judge = judge_signals,
    .judge_stretch = keep_stretch,
    .clear = clear_signals,
};

const struct sm_signals *sm_signals_of(const struct sm_rule_instance *i)
{
    const struct sm_signals *g = sm_rule_state(i);
    return g && g->trial ? g : NULL;
}

/* ---- looking up ---- */

const char *sm_track_name(const struct sm_signals *g, const struct sm_track *t)
{
    return sm_names_text(sm_trial_names(g->trial), t->name);
}

const char *sm_track_worker(const struct sm_signals *g, const struct sm_track *t)
{
    return sm_trial_worker(g->trial, t->worker);
}

const struct sm_track *sm_track_find(const struct sm_signals *g, uint32_t name, uint16_t worker,
                                     enum sm_mode mode)
{
    uint64_t at;
    return sm_map_get(&g->places, place_key(name, worker, mode), &at) ? &g->tracks[at] : NULL;
}

enum sm_mode sm_signals_mode(const struct sm_signals *g)
{
    if (sm_trial_has_mode(g->trial, SM_MODE_TRAIN) || !g->n)
        return SM_MODE_TRAIN;
    return (enum sm_mode)g->tracks[0].mode;
}
