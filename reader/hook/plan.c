/* SPDX-License-Identifier: Apache-2.0 */
/* The collections: their settings, which tensors are in them, and the collections file. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MATCH_LIMIT = 100000 };

/* The collections of the original library's PyTorch hook, with its order and its expressions. */
static const struct {
    const char *name, *regex;
    bool saved;
} built_in[] = {
    {"biases", "^(?!gradient).*bias", false},
    {"all", NULL, false},
    {"weights", "^(?!gradient).*weight", false},
    {"gradients", "^gradient", false},
    {"default", NULL, true},
    {"losses", "[Ll]oss_(?!input).*output", true},
};
/* Added when they are first set. */
static const struct {
    const char *name, *regex;
} built_in_later[] = {
    {"metrics", NULL},
    {"inputs", ".*_input_\\d+$"},
    {"outputs", ".*_output_\\d+$"},
    {"layers", ".*_(in|out)put_\\d+$"},
    {"optimizer_variables", "^optimizer/"},
};

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for collections");
}

static bool add_regex(struct hook_collection *c, const char *p, size_t n, struct sm_err *err)
{
    int code;
    PCRE2_SIZE at;
    if (!SM_VEC_ROOM(c->regexes, c->n_regexes, c->cap_regexes) ||
        !sm_vec_reserve((void **)&c->codes, &c->cap_codes, c->n_regexes + 1, sizeof *c->codes))
        return no_memory(err);
    pcre2_code *compiled = pcre2_compile(
        (PCRE2_SPTR)p, n, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &at,
        NULL);
    if (!compiled)
        return sm_err_set(err, SM_ERR_USAGE,
                          "\"%.*s\" is not a regular expression (error at character %zu)", (int)n,
                          p, (size_t)at + 1);
    char *copy = sm_strndup(p, n);
    if (!copy) {
        pcre2_code_free(compiled);
        return no_memory(err);
    }
    c->regexes[c->n_regexes] = copy;
    c->codes[c->n_regexes++] = compiled;
    return true;
}

static void clear_regexes(struct hook_collection *c)
{
    for (size_t i = 0; i < c->n_regexes; i++) {
        sm_free(c->regexes[i]);
        pcre2_code_free(c->codes[i]);
    }
    c->n_regexes = 0;
}

bool hook_collection_regexes(struct hook_collection *c, const char *list, struct sm_err *err)
{
    c->emptied = !*list;
    if (c->emptied)
        clear_regexes(c);
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, ",");
        if (n && !add_regex(c, p, n, err))
            return false;
        p += n + (p[n] == ',');
    }
    return true;
}

static void clear_collection(struct hook_collection *c)
{
    clear_regexes(c);
    for (size_t i = 0; i < c->n_names; i++)
        sm_free(c->names[i]);
    sm_free(c->regexes);
    sm_free(c->codes);
    sm_free(c->names);
    sm_free(c->name);
    hook_params_clear(&c->params);
}

static struct hook_collection *add_collection(struct hook_plan *p, const char *name,
                                              const char *regex, struct sm_err *err)
{
    if (p->n == HOOK_COLLECTIONS_MAX) {
        sm_err_set(err, SM_ERR_LIMIT, "more than %d collections", HOOK_COLLECTIONS_MAX);
        return NULL;
    }
    char *copy = sm_strdup(name);
    if (!copy || !SM_VEC_ROOM(p->items, p->n, p->cap)) {
        sm_free(copy);
        no_memory(err);
        return NULL;
    }
    struct hook_collection *c = &p->items[p->n];
    *c = (struct hook_collection){.name = copy};
    if (regex && !add_regex(c, regex, strlen(regex), err)) {
        clear_collection(c);
        return NULL;
    }
    p->n++;
    return c;
}

bool hook_plan_init(struct hook_plan *p, struct sm_err *err)
{
    *p = (struct hook_plan){.tensors = sm_names_new(),
                            .match = pcre2_match_data_create(32, NULL),
                            .limits = pcre2_match_context_create(NULL)};
    if (!p->tensors || !p->match || !p->limits)
        return no_memory(err);
    pcre2_set_match_limit(p->limits, MATCH_LIMIT);
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        struct hook_collection *c = add_collection(p, built_in[i].name, built_in[i].regex, err);
        if (!c)
            return false;
        c->saved = built_in[i].saved;
        if (strcmp(c->name, "default") == 0)
            p->default_bit = (uint64_t)1 << i;
    }
    return true;
}

void hook_plan_clear(struct hook_plan *p)
{
    for (size_t i = 0; i < p->n; i++)
        clear_collection(&p->items[i]);
    sm_free(p->items);
    sm_free(p->member);
    sm_free(p->state);
    sm_names_free(p->tensors);
    pcre2_match_data_free(p->match);
    pcre2_match_context_free(p->limits);
    *p = (struct hook_plan){0};
}

struct hook_collection *hook_plan_find(struct hook_plan *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->items[i].name, name) == 0)
            return &p->items[i];
    return NULL;
}

struct hook_collection *hook_plan_collection(struct hook_plan *p, const char *name,
                                             struct sm_err *err)
{
    struct hook_collection *known = hook_plan_find(p, name);
    if (known)
        return known;
    for (size_t i = 0; i < sizeof built_in_later / sizeof *built_in_later; i++)
        if (strcmp(built_in_later[i].name, name) == 0)
            return add_collection(p, name, built_in_later[i].regex, err);
    return add_collection(p, name, NULL, err);
}

bool hook_collection_name(struct hook_collection *c, const char *tensor, struct sm_err *err)
{
    for (size_t i = 0; i < c->n_names; i++)
        if (strcmp(c->names[i], tensor) == 0)
            return true;
    char *copy = sm_strdup(tensor);
    if (!copy || !SM_VEC_ROOM(c->names, c->n_names, c->cap_names)) {
        sm_free(copy);
        return no_memory(err);
    }
    c->names[c->n_names++] = copy;
    return true;
}

/* ---- membership ---- */

static bool is_collection_member(struct hook_plan *p, const struct hook_collection *c,
                                 const char *tensor, size_t n)
{
    if (c->saved && strcmp(c->name, "all") == 0)
        return true;
    for (size_t i = 0; i < c->n_names; i++)
        if (strlen(c->names[i]) == n && memcmp(c->names[i], tensor, n) == 0)
            return true;
    for (size_t i = 0; i < c->n_regexes; i++)
        if (pcre2_match(c->codes[i], (PCRE2_SPTR)tensor, n, 0, 0, p->match, p->limits) >= 0)
            return true;
    return false;
}

/* The number of a tensor, which is added if it is new. NONE: err is set. */
static uint32_t tensor_id(struct hook_plan *p, const char *tensor, struct sm_err *err)
{
    size_t n = tensor ? strlen(tensor) : 0;
    uint32_t id = sm_names_find(p->tensors, tensor, n);
    if (id != SM_NAME_NONE || !hook_check_name(tensor, "tensor name", err))
        return id;
    if (SM_VEC_ROOM(p->member, p->n_member, p->cap_member) &&
        SM_VEC_ROOM(p->state, p->n_member, p->cap_state))
        id = sm_names_add(p->tensors, tensor, n);
    if (id == SM_NAME_NONE) {
        no_memory(err);
        return id;
    }
    uint64_t m = 0;
    for (size_t i = 0; i < p->n; i++)
        m |= (uint64_t)is_collection_member(p, &p->items[i], tensor, n) << i;
    p->state[p->n_member] = 0;
    p->member[p->n_member++] = m;
    return id;
}

bool hook_plan_member(struct hook_plan *p, const char *tensor, uint64_t *mask, struct sm_err *err)
{
    uint32_t id = tensor_id(p, tensor, err);
    *mask = id == SM_NAME_NONE ? 0 : p->member[id];
    return id != SM_NAME_NONE;
}

/* A tensor of no collection. As long as the program has named none, the built-in collections that
 * are not saved do not count. */
static bool is_left_out(const struct hook_plan *p, uint64_t mask)
{
    uint64_t saved = 0;
    for (size_t i = 0; mask && !p->configured && i < p->n; i++)
        saved |= (uint64_t)p->items[i].saved << i;
    return !mask || (!p->configured && !(mask & saved));
}

uint64_t hook_plan_default(const struct hook_plan *p, uint64_t mask)
{
    return is_left_out(p, mask) ? mask | p->default_bit : mask;
}

bool hook_plan_offer(struct hook_plan *p, const char *tensor, uint64_t saving, uint64_t *mask,
                     struct sm_err *err)
{
    uint32_t id = tensor_id(p, tensor, err);
    *mask = 0;
    if (id == SM_NAME_NONE)
        return false;
    if (is_left_out(p, p->member[id])) {
        p->member[id] |= p->default_bit;
        p->n_joined++;
    }
    *mask = p->member[id] & saving;
    p->state[id] |= *mask ? HOOK_OFFERED | HOOK_SAVED : HOOK_OFFERED;
    return true;
}

bool hook_plan_join(struct hook_plan *p, const struct hook_collection *c, const char *tensor,
                    struct sm_err *err)
{
    uint64_t mask, bit = (uint64_t)1 << (c - p->items);
    if (!hook_plan_member(p, tensor, &mask, err))
        return false;
    uint32_t id = sm_names_find(p->tensors, tensor, strlen(tensor));
    p->n_joined += !(mask & bit);
    p->member[id] |= bit;
    return true;
}

bool hook_plan_is_raw(const struct hook_collection *c)
{
    static const char *const names[] = {"losses", "metrics", "sm_metrics", "feature_importance",
                                        "average_shap"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(c->name, names[i]) == 0)
            return true;
    return false;
}

bool hook_plan_is_metric(const struct hook_collection *c)
{
    return strcmp(c->name, "losses") == 0 || strcmp(c->name, "metrics") == 0 ||
           strcmp(c->name, "sm_metrics") == 0;
}

bool hook_plan_histogram(const struct hook_collection *c, const struct hook_params *hook)
{
    if (c->params.has_histogram)
        return c->params.histogram;
    return hook->has_histogram ? hook->histogram : !hook_plan_is_raw(c);
}

/* ---- the collections file ---- */

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **member_names(const struct hook_plan *p, size_t collection, struct sm_arena *a,
                                 size_t *n)
{
    const char **names = sm_arena_alloc(a, (p->n_member + 1) * sizeof *names);
    *n = 0;
    for (uint32_t i = 0; names && i < p->n_member; i++)
        if (p->member[i] >> collection & 1)
            names[(*n)++] = sm_names_text(p->tensors, i);
    if (names)
        qsort(names, *n, sizeof *names, compare_text);
    return names;
}

static bool describe_collection(const struct hook_plan *p, size_t i, const struct hook_params *hook,
                                struct sm_arena *a, struct sm_collection_def *d)
{
    const struct hook_collection *c = &p->items[i];
    const struct hook_params *params = hook_params_has_reductions(&c->params) ? &c->params : hook;
    *d = (struct sm_collection_def){
        .name = c->name,
        .n_regexes = c->n_regexes,
        .has_reductions = true,
        .raw = true,
        .reductions = "",
        .has_save = true,
        .histogram = hook_plan_histogram(c, hook),
    };
    if (hook_params_has_reductions(params) && !hook_plan_is_raw(c)) {
        d->raw = params->raw;
        d->shape = params->shape;
        d->reductions = params->reductions ? params->reductions : "";
    }
    d->regexes = sm_arena_alloc(a, (c->n_regexes + 1) * sizeof *d->regexes);
    d->names = member_names(p, i, a, &d->n_names);
    if (!d->regexes || !d->names)
        return false;
    for (size_t k = 0; k < c->n_regexes; k++)
        d->regexes[k] = c->regexes[k];
    for (int m = SMDBG_TRAIN; m <= SMDBG_GLOBAL; m++)
        d->save[m] = hook_save_rule(&c->params, hook, m);
    return true;
}

bool hook_plan_json(const struct hook_plan *p, const struct hook_params *hook, int64_t num_workers,
                    struct sm_str *out)
{
    struct sm_arena a = {0};
    struct sm_collections_def all = {.items = sm_arena_alloc(&a, p->n * sizeof *all.items),
                                     .n = p->n,
                                     .num_workers = num_workers};
    bool ok = all.items;
    for (size_t i = 0; ok && i < p->n; i++)
        ok = describe_collection(p, i, hook, &a, &all.items[i]);
    if (ok)
        sm_collections_write(out, &all);
    sm_arena_clear(&a);
    return ok && !out->failed;
}
