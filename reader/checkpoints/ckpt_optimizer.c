/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_optimizer.h"

#include "reader/base/json.h"
#include "reader/base/map.h"
#include "reader/base/vec.h"
#include "reader/checkpoints/ckpt_names.h"
#include "reader/checkpoints/ckpt_param_order.h"
#include "reader/checkpoints/ckpt_state.h"

#include <stdlib.h>
#include <string.h>

enum { OPTIMIZERS_MAX = 8 }; /* of a file; the parameters of more stay numbers */

struct param {
    const struct sm_ckpt_tensor *of;
    size_t owner; /* number of the optimizer that has it; 0: none so far */
};
/* A parameter of an optimizer, in the order of its groups. */
struct slot {
    int64_t id, group;
    struct sm_ckpt_state_shape shape;
    const struct sm_ckpt_tensor *like; /* of the parameter's shape; NULL: it is not known */
    size_t param;                      /* index; SIZE_MAX: not known */
    const char *given;                 /* its name in the file; NULL: it does not say */
    size_t place;                      /* index in slots, when they are sorted otherwise */
};
struct naming {
    struct param *params; /* in the order of the model, if that is known */
    size_t n_params, cap_params;
    bool ordered; /* it is known */
    struct sm_ckpt_family family;
    struct slot *slots;
    size_t n_slots, cap_slots;
    size_t *left; /* for embed() */
    struct sm_map by_id;
    size_t owner; /* the optimizer that is looked at, from 1 */
    struct sm_arena arena;
    bool failed;
};

/* ---- the parameters of the model ---- */

static bool ends(const char *name, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n >= m && memcmp(name + n - m, with, m) == 0;
}

/* Not what a module keeps beside its parameters. */
static bool is_param(const struct sm_ckpt_tensor *t)
{
    static const char *const buffers[] = {"running_mean", "running_var", "inv_freq", "masked_bias"};
    enum sm_dtype_kind kind = sm_dtype_info((enum sm_dtype)t->dtype)->kind;
    bool is = (kind == SM_KIND_FLOAT || kind == SM_KIND_COMPLEX) && t->n_pieces &&
              strncmp(t->name, "optimizer.", 10) != 0 && !strchr(t->name, '/');
    for (size_t i = 0; is && i < sizeof buffers / sizeof *buffers; i++)
        is = !ends(t->name, t->name_n, buffers[i]);
    return is;
}

/* Where the elements of a tensor begin: those of tied ones at the same place. */
static uint64_t place_of_elements(const struct sm_ckpt_tensor *t)
{
    return (uint64_t)t->pieces[0].storage << 40 ^ t->pieces[0].first;
}

/* Of tied parameters the first one. */
static void add_params(struct naming *g, const struct sm_ckpt_file *f)
{
    struct sm_map seen = {0};
    uint64_t at;
    g->ordered = g->ordered && !ends(f->path, strlen(f->path), ".safetensors");
    for (size_t i = 0; i < f->n && !g->failed; i++) {
        const struct sm_ckpt_tensor *t = &f->tensors[i];
        if (!is_param(t) || (t->n && sm_map_get(&seen, place_of_elements(t), &at)))
            continue;
        g->failed = !sm_map_put(&seen, place_of_elements(t), i) ||
                    !SM_VEC_ROOM(g->params, g->n_params, g->cap_params);
        if (!g->failed)
            g->params[g->n_params++] = (struct param){.of = t};
        sm_ckpt_family_add(&g->family, t->name);
    }
    sm_map_clear(&seen);
}

/* ---- the groups of an optimizer ---- */

/* A list of numbers or texts of a group, as slots. */
struct reading {
    struct naming *g;
    int64_t group;
    size_t at; /* of the texts: the slot of the next one */
};

static bool read_number(void *ctx, const char *digits, size_t n)
{
    struct reading *r = ctx;
    struct naming *g = r->g;
    struct slot s = {.group = r->group, .param = SIZE_MAX, .place = g->n_slots};
    uint64_t twice;
    g->failed = g->failed || !SM_VEC_ROOM(g->slots, g->n_slots, g->cap_slots);
    if (g->failed || !sm_json_int(digits, n, &s.id) ||
        sm_map_get(&g->by_id, (uint64_t)s.id, &twice))
        return false;
    g->failed = !sm_map_put(&g->by_id, (uint64_t)s.id, g->n_slots);
    g->slots[g->n_slots++] = s;
    return true;
}

static bool read_name(void *ctx, const char *p, size_t n)
{
    struct reading *r = ctx;
    if (r->at < r->g->n_slots)
        r->g->slots[r->at++].given = sm_arena_strndup(&r->g->arena, p, n);
    return true;
}

/* The leaf "PREFIXparam_groups.GROUP.WHAT" of an optimizer; NULL: there is none. */
static const char *find_list(const struct sm_ckpt_file *f, struct sm_text prefix, int64_t group,
                             const char *what)
{
    struct sm_str key = {0};
    const char *json = NULL;
    sm_str_addn(&key, prefix.p, prefix.n);
    sm_str_printf(&key, "param_groups.%lld.%s", (long long)group, what);
    for (size_t i = 0; i < f->leaves.n && !json; i++) {
        const char *name = f->leaves.items[i].key, *rest = sm_ckpt_after_optimizer(name);
        if (strcmp(rest ? rest : name, sm_str_text(&key)) == 0)
            json = f->leaves.items[i].json;
    }
    sm_str_clear(&key);
    return json;
}

/* No slots if a list is not one of different numbers. */
static void read_groups(struct naming *g, const struct sm_ckpt_file *f, struct sm_text prefix)
{
    static const struct sm_json_ops numbers = {.number = read_number},
                                    texts = {.string = read_name};
    const char *json;
    struct sm_err err;
    for (int64_t group = 0; group < 64 && (json = find_list(f, prefix, group, "params")); group++) {
        struct reading r = {.g = g, .group = group, .at = g->n_slots};
        const char *names = find_list(f, prefix, group, "param_names");
        if (!sm_json_parse(json, strlen(json), &numbers, &r, &err)) {
            g->n_slots = 0;
            return;
        }
        if (names)
            sm_json_parse(names, strlen(names), &texts, &r, &err);
    }
}

static bool is_of(struct sm_text a, struct sm_text b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* Finds the shape of each slot. */
static void find_shapes(struct naming *g, const struct sm_ckpt_file *f, struct sm_text prefix)
{
    for (size_t i = 0; i < f->n; i++) {
        struct sm_text of;
        const char *rest;
        int64_t id;
        uint64_t at;
        if (sm_ckpt_read_state(&f->tensors[i], &of, &id, &rest) && is_of(of, prefix) &&
            sm_map_get(&g->by_id, (uint64_t)id, &at))
            sm_ckpt_state_shape_add(&g->slots[at].shape, &f->tensors[i], rest);
    }
    for (size_t i = 0; i < g->n_slots; i++)
        g->slots[i].like = sm_ckpt_state_shape_of(&g->slots[i].shape, &g->arena);
}

/* ---- which parameter is which ---- */

static int by_shape(const struct sm_ckpt_tensor *a, const struct sm_ckpt_tensor *b)
{
    if (!a || !b)
        return !a - !b;
    if (a->n_dims != b->n_dims)
        return a->n_dims < b->n_dims ? -1 : 1;
    for (unsigned i = 0; i < a->n_dims; i++)
        if (a->dims[i] != b->dims[i])
            return a->dims[i] < b->dims[i] ? -1 : 1;
    return 0;
}

static int compare_slots(const void *l, const void *r)
{
    const struct slot *a = *(struct slot *const *)l, *b = *(struct slot *const *)r;
    int order = by_shape(a->like, b->like);
    return order ? order : a->place < b->place ? -1 : 1;
}

/* For qsort. */
struct candidate {
    size_t param;
    const struct naming *of;
};

static int in_model(const struct candidate *a, const struct candidate *b, bool *known)
{
    const struct naming *g = a->of;
    if (g->ordered)
        return a->param < b->param ? -1 : 1;
    return sm_ckpt_param_order(&g->family, g->params[a->param].of->name,
                               g->params[b->param].of->name, known);
}

static int compare_candidates(const void *l, const void *r)
{
    const struct candidate *a = l, *b = r;
    bool known = true;
    int order = by_shape(a->of->params[a->param].of, b->of->params[b->param].of);
    return order ? order : in_model(a, b, &known);
}

/* n slots and as many parameters of one shape: their orders are the same, if that is known. */
static void match_shape(struct naming *g, struct slot **slots, const struct candidate *from,
                        size_t n)
{
    bool known = true;
    for (size_t i = 1; i < n; i++) {
        in_model(&from[i - 1], &from[i], &known);
        known = known && slots[i]->group == slots[0]->group;
    }
    for (size_t i = 0; i < n && known; i++) {
        slots[i]->param = from[i].param;
        g->params[from[i].param].owner = g->owner;
    }
}

static size_t count_alike(struct slot **slots, size_t n)
{
    size_t i = 0;
    while (i < n && by_shape(slots[i]->like, slots[0]->like) == 0)
        i++;
    return i;
}

static void match_shapes(struct naming *g)
{
    struct slot **slots = sm_arena_alloc(&g->arena, (g->n_slots + 1) * sizeof(struct slot *));
    struct candidate *from = sm_arena_alloc(&g->arena, (g->n_params + 1) * sizeof *from);
    g->failed = g->failed || !slots || !from;
    if (g->failed)
        return;
    for (size_t i = 0; i < g->n_slots; i++)
        slots[i] = &g->slots[i];
    size_t n_free = 0;
    for (size_t i = 0; i < g->n_params; i++)
        if (!g->params[i].owner)
            from[n_free++] = (struct candidate){i, g};
    qsort(slots, g->n_slots, sizeof *slots, compare_slots);
    qsort(from, n_free, sizeof *from, compare_candidates);
    for (size_t i = 0, k = 0, n; i < g->n_slots && slots[i]->like; i += n) {
        n = count_alike(slots + i, g->n_slots - i);
        while (k < n_free && by_shape(g->params[from[k].param].of, slots[i]->like) < 0)
            k++;
        size_t m = 0;
        while (k + m < n_free && by_shape(g->params[from[k + m].param].of, slots[i]->like) == 0)
            m++;
        if (m == n)
            match_shape(g, slots + i, from + k, n);
    }
}

/* Whether a slot may be a parameter, as far as shapes and what is known say. */
static bool fits(const struct naming *g, const struct slot *s, size_t param)
{
    if (s->param != SIZE_MAX)
        return s->param == param;
    return !g->params[param].owner && (!s->like || by_shape(s->like, g->params[param].of) == 0);
}

/* The slots of a group are parameters in the order of the model, perhaps not all: where the first
 * and the last such choice have the same one, there is no other. */
static void embed(struct naming *g, size_t from, size_t to)
{
    size_t at = 0;
    for (size_t i = from; i < to; i++, at++) {
        while (at < g->n_params && !fits(g, &g->slots[i], at))
            at++;
        if (at == g->n_params)
            return;
        g->left[i] = at;
    }
    at = g->n_params;
    for (size_t i = to; i-- > from;) {
        while (at-- && !fits(g, &g->slots[i], at))
            continue;
        if (g->left[i] == at && g->slots[i].param == SIZE_MAX) {
            g->slots[i].param = at;
            g->params[at].owner = g->owner;
        }
    }
}

static void embed_groups(struct naming *g)
{
    g->left = sm_arena_alloc(&g->arena, (g->n_slots + 1) * sizeof *g->left);
    g->failed = g->failed || !g->left;
    for (size_t from = 0, to; !g->failed && from < g->n_slots; from = to) {
        for (to = from; to < g->n_slots && g->slots[to].group == g->slots[from].group; to++)
            continue;
        embed(g, from, to);
    }
}

static const char *name_of(const struct naming *g, const struct slot *s)
{
    return s->given ? s->given : s->param != SIZE_MAX ? g->params[s->param].of->name : NULL;
}

/* ---- new names ---- */

static bool rename_states(const struct naming *g, struct sm_ckpt_file *f, struct sm_text prefix)
{
    struct sm_str name = {0};
    bool ok = true;
    for (size_t i = 0; i < f->n && ok; i++) {
        struct sm_ckpt_tensor *t = &f->tensors[i];
        struct sm_text of;
        const char *rest, *param;
        int64_t id;
        uint64_t at;
        if (!sm_ckpt_read_state(t, &of, &id, &rest) || !is_of(of, prefix) ||
            !sm_map_get(&g->by_id, (uint64_t)id, &at) || !(param = name_of(g, &g->slots[at])))
            continue;
        sm_str_truncate(&name, 0);
        sm_str_add(&name, "optimizer.");
        sm_str_addn(&name, of.p, of.n);
        sm_str_add(&name, "state.");
        sm_str_add(&name, param);
        sm_str_add(&name, rest);
        if (name.len > SM_CKPT_NAME_MAX)
            continue;
        t->name = name.failed ? NULL : sm_arena_strndup(&f->arena, sm_str_text(&name), name.len);
        t->name_n = (uint32_t)name.len;
        ok = t->name;
    }
    sm_str_clear(&name);
    return ok;
}

/* Finds the parameters of an optimizer, among those that no other one has. */
static bool solve(struct naming *g, struct sm_ckpt_file *f, struct sm_text prefix)
{
    sm_map_clear(&g->by_id);
    g->n_slots = 0;
    for (size_t i = 0; i < g->n_params; i++)
        g->params[i].owner = g->params[i].owner == g->owner ? 0 : g->params[i].owner;
    read_groups(g, f, prefix);
    if (!g->n_slots || g->failed)
        return !g->failed;
    find_shapes(g, f, prefix);
    match_shapes(g);
    if (g->ordered)
        embed_groups(g);
    return !g->failed;
}

/* The prefixes of the optimizers of a file; their number. */
static size_t list_optimizers(struct naming *g, const struct sm_ckpt_file *f, struct sm_text *out)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n && n < OPTIMIZERS_MAX; i++) {
        struct sm_text prefix;
        const char *rest;
        int64_t id;
        size_t k = 0;
        if (!sm_ckpt_read_state(&f->tensors[i], &prefix, &id, &rest))
            continue;
        while (k < n && !is_of(out[k], prefix))
            k++;
        if (k == n) {
            out[n] = (struct sm_text){sm_arena_strndup(&g->arena, prefix.p, prefix.n), prefix.n};
            g->failed = g->failed || !out[n].p;
            n += !g->failed;
        }
    }
    return n;
}

/* Twice: what one optimizer has leaves less to the others. */
static bool name_file(struct naming *g, struct sm_ckpt_file *f)
{
    struct sm_text prefixes[OPTIMIZERS_MAX];
    size_t n = list_optimizers(g, f, prefixes);
    for (size_t i = 0; i < g->n_params; i++)
        g->params[i].owner = 0;
    for (g->owner = 1; g->owner <= n && n > 1 && !g->failed; g->owner++)
        solve(g, f, prefixes[g->owner - 1]);
    for (g->owner = 1; g->owner <= n && !g->failed; g->owner++)
        if (solve(g, f, prefixes[g->owner - 1]) && g->n_slots)
            g->failed = !rename_states(g, f, prefixes[g->owner - 1]);
    return !g->failed;
}

bool sm_ckpt_name_states(struct sm_ckpt_file *const *files, size_t n)
{
    struct naming g = {.ordered = true};
    for (size_t i = 0; i < n; i++)
        if (sm_ckpt_is_weights(files[i]->path))
            add_params(&g, files[i]);
    bool ok = !g.failed;
    for (size_t i = 0; i < n && ok && g.n_params; i++)
        ok = name_file(&g, files[i]);
    sm_free(g.params);
    sm_free(g.slots);
    sm_map_clear(&g.by_id);
    sm_arena_clear(&g.arena);
    return ok;
}
