/* Collections: the files of all workers merged, and which saved tensors each has. */
#include "reader/trial_state.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH_LIMIT = 100000 };           /* a pattern from a file must not keep the loop busy */

static bool copy_texts(const char *const *from, size_t n, const char ***out)
{
    const char **copy = sm_alloc_zero(n, sizeof *copy);
    *out = copy;
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = sm_strdup(from[i])))
            return false;
    return copy;
}

static void compile(struct sm_trial *t, struct collection *c, size_t i)
{
    int code;
    PCRE2_SIZE at;
    c->regexes[i] = pcre2_compile((PCRE2_SPTR)c->def.regexes[i], PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF,
                                  &code, &at, NULL);
    if (c->regexes[i])
        return;
    char text[120];
    struct sm_err err;
    pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text);
    sm_err_set(&err, SM_ERR_DATA, "collection %s: pattern \"%s\" at %zu: %s", c->def.name, c->def.regexes[i], (size_t)at, text);
    sm_problems_add(&t->problems, SM_COLLECTIONS_DIR, -1, &err);
}

static void free_texts(const char **texts, size_t n)
{
    for (size_t i = 0; texts && i < n; i++)
        sm_free((void *)(uintptr_t)texts[i]);
    sm_free(texts);
}

static void clear_collection(struct collection *c)
{
    for (size_t i = 0; c->regexes && i < c->def.n_regexes; i++)
        pcre2_code_free(c->regexes[i]);
    free_texts(c->def.regexes, c->def.n_regexes);
    sm_free((void *)(uintptr_t)c->def.name);
    sm_free((void *)(uintptr_t)c->def.reductions);
    for (int m = 0; m < SM_MODES; m++)
        sm_free(c->def.save[m].steps);
    sm_names_free(c->listed);
    sm_free(c->regexes);
    sm_free(c->tensors);
    sm_free(c->member);
}

void sm_trial_collections_clear(struct sm_trial *t)
{
    for (size_t i = 0; i < t->n_collections; i++)
        clear_collection(&t->collections[i]);
    sm_free(t->collections);
    t->collections = NULL;
    t->n_collections = t->cap_collections = 0;
}

/* A copy that lives as long as the trial. */
static bool copy_collection(struct sm_trial *t, const struct sm_collection_def *def, struct collection *c)
{
    *c = (struct collection){.def = *def};
    c->def.name = sm_strdup(def->name);
    c->def.reductions = sm_strdup(def->reductions);
    c->def.names = NULL;
    c->def.n_names = 0;
    c->listed = sm_names_new();
    c->regexes = sm_alloc_zero(def->n_regexes, sizeof *c->regexes);
    bool ok = c->def.name && c->def.reductions && c->listed && c->regexes && copy_texts(def->regexes, def->n_regexes, &c->def.regexes);
    for (int m = 0; m < SM_MODES; m++) {
        const struct sm_save_rule *rule = &def->save[m];
        c->def.save[m].steps = sm_alloc_zero(rule->n_steps, sizeof *rule->steps);
        ok = ok && c->def.save[m].steps;
        if (c->def.save[m].steps && rule->n_steps)
            memcpy(c->def.save[m].steps, rule->steps, rule->n_steps * sizeof *rule->steps);
    }
    if (!ok) {
        clear_collection(c);
        return false;
    }
    for (size_t i = 0; i < def->n_regexes; i++)
        compile(t, c, i);
    return true;
}

static struct collection *collection_of(struct sm_trial *t, const struct sm_collection_def *def)
{
    size_t at = 0;
    while (at < t->n_collections && sm_natural_cmp(t->collections[at].def.name, def->name) < 0)
        at++;
    if (at < t->n_collections && strcmp(t->collections[at].def.name, def->name) == 0)
        return &t->collections[at];
    struct collection c;
    if (!SM_VEC_ROOM(t->collections, t->n_collections, t->cap_collections) || !copy_collection(t, def, &c))
        return NULL;
    memmove(&t->collections[at + 1], &t->collections[at], (t->n_collections - at) * sizeof c);
    t->collections[at] = c;
    t->n_collections++;
    return &t->collections[at];
}

static bool merge_one(struct sm_trial *t, const struct sm_collections_def *file)
{
    for (size_t i = 0; i < file->n; i++) {
        struct collection *c = collection_of(t, &file->items[i]);
        if (!c)
            return false;
        c->seen = 0;                     /* names may have come: look at all tensors again */
        for (size_t k = 0; k < file->items[i].n_names; k++)
            if (sm_names_add(c->listed, file->items[i].names[k], strlen(file->items[i].names[k])) == SM_NAME_NONE)
                return false;
    }
    return true;
}

bool sm_trial_merge_collections(struct sm_trial *t, const struct sm_batch *b)
{
    for (size_t i = 0; i < b->n_collections; i++) {
        const char *worker = sm_names_text(b->names, b->collections[i].worker);
        if (!merge_one(t, &b->collections[i].def) || sm_trial_worker_index(t, worker) == UINT32_MAX)
            return false;
        t->has_collections = true;
        if (!t->first_collections_worker || strcmp(worker, t->first_collections_worker) <= 0) {
            char *copy = sm_strdup(worker);
            if (!copy)
                return false;
            sm_free(t->first_collections_worker);
            t->first_collections_worker = copy;
            t->num_workers = b->collections[i].def.num_workers;
        }
    }
    return true;
}

/* ---- membership ---- */

static bool matches(const struct collection *c, const char *name, size_t n)
{
    if (sm_names_find(c->listed, name, n) != SM_NAME_NONE)
        return true;
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    bool hit = false;
    if (limits)
        pcre2_set_match_limit(limits, MATCH_LIMIT);
    for (size_t i = 0; i < c->def.n_regexes && !hit; i++) {
        pcre2_match_data *data = c->regexes[i] ? pcre2_match_data_create_from_pattern(c->regexes[i], NULL) : NULL;
        hit = data && pcre2_match(c->regexes[i], (PCRE2_SPTR)name, n, 0, 0, data, limits) >= 0;
        pcre2_match_data_free(data);
    }
    pcre2_match_context_free(limits);
    return hit;
}

static bool is_member(const struct collection *c, uint32_t name)
{
    return name / 8 < c->cap_member && c->member[name / 8] >> name % 8 & 1;
}

/* Looks at the names that have come since the last time. */
static void extend(const struct sm_trial *t, struct collection *c)
{
    size_t before = c->cap_member, want = t->n_tensors / 8 + 1;
    if (c->seen == t->n_tensors || !sm_vec_reserve((void **)&c->member, &c->cap_member, want, 1))
        return;
    if (c->cap_member > before)
        memset(c->member + before, 0, c->cap_member - before);
    for (; c->seen < t->n_tensors; c->seen++) {
        uint32_t id = c->seen;
        if (is_member(c, id) || !matches(c, sm_names_text(t->names, id), sm_names_length(t->names, id)))
            continue;
        if (!SM_VEC_ROOM(c->tensors, c->n_tensors, c->cap_tensors))
            return;
        c->tensors[c->n_tensors++] = id;
        c->member[id / 8] |= (uint8_t)(1 << id % 8);
        c->sorted = false;
    }
}

static int compare_names(const void *a, const void *b, void *names)
{
    return sm_natural_cmp(sm_names_text(names, *(const uint32_t *)a), sm_names_text(names, *(const uint32_t *)b));
}

size_t sm_trial_collection_count(const struct sm_trial *t)
{
    return t->n_collections;
}

const struct sm_collection_def *sm_trial_collection(const struct sm_trial *t, size_t i)
{
    return &t->collections[i].def;
}

const uint32_t *sm_trial_collection_tensors(const struct sm_trial *t, size_t i, size_t *n)
{
    struct collection *c = &t->collections[i];
    extend(t, c);
    if (!c->sorted && c->n_tensors)
        qsort_r(c->tensors, c->n_tensors, sizeof *c->tensors, compare_names, t->names);
    c->sorted = true;
    *n = c->n_tensors;
    return c->tensors;
}

bool sm_trial_in_collection(const struct sm_trial *t, size_t i, uint32_t name)
{
    extend(t, &t->collections[i]);
    return is_member(&t->collections[i], name);
}
