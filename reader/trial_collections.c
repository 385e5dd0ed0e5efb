/* Collections: merges the files of all workers, and finds the saved tensors of each. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/trial_state.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH_LIMIT = 100000 }; /* a pattern from a file must not block the loop */

/* ---- regular expressions ---- */

static void *compile_pattern(struct sm_trial *t, const char *collection, const char *pattern)
{
    int code;
    PCRE2_SIZE at;
    void *regex = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                                PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);
    if (regex)
        return regex;
    char text[120];
    struct sm_err err;
    pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text);
    sm_err_set(&err, SM_ERR_DATA, "collection %s: pattern \"%s\" at %zu: %s", collection, pattern,
               (size_t)at, text);
    sm_problems_add(&t->problems, SM_COLLECTIONS_DIR, -1, &err);
    return NULL;
}

static void free_regexes(struct collection *c)
{
    for (size_t i = 0; i < c->n_regexes; i++)
        pcre2_code_free(c->regexes[i]);
    sm_free(c->regexes);
    c->regexes = NULL;
    c->n_regexes = 0;
}

static bool compile_all(struct sm_trial *t, struct collection *c)
{
    free_regexes(c);
    c->regexes = sm_alloc_zero(c->def.n_regexes, sizeof *c->regexes);
    if (!c->regexes)
        return false;
    for (; c->n_regexes < c->def.n_regexes; c->n_regexes++)
        c->regexes[c->n_regexes] = compile_pattern(t, c->def.name, c->def.regexes[c->n_regexes]);
    return true;
}

/* ---- merging: lists of names are united; for the rest the first worker's file counts ---- */

static void clear_collection(struct collection *c)
{
    free_regexes(c);
    sm_names_free(c->listed);
    sm_free(c->tensors);
    sm_free(c->member);
}

void sm_trial_clear_collections(struct sm_trial *t)
{
    for (size_t i = 0; i < t->n_collections; i++)
        clear_collection(&t->collections[i]);
    for (size_t i = 0; i < t->n_arenas; i++)
        sm_arena_clear(&t->arenas[i]);
    sm_free(t->collections);
    sm_free(t->arenas);
    sm_free(t->first_collections);
    t->collections = NULL;
    t->arenas = NULL;
    t->first_collections = NULL;
    t->n_collections = t->cap_collections = t->n_arenas = t->cap_arenas = 0;
    t->num_workers = -1;
    t->has_collections = false;
}

static struct collection *collection_of(struct sm_trial *t, const struct sm_collection_def *def)
{
    size_t at = 0;
    while (at < t->n_collections && sm_natural_cmp(t->collections[at].def.name, def->name) < 0)
        at++;
    if (at < t->n_collections && strcmp(t->collections[at].def.name, def->name) == 0)
        return &t->collections[at];
    struct collection c = {.def = *def, .listed = sm_names_new()};
    if (!c.listed || !SM_VEC_ROOM(t->collections, t->n_collections, t->cap_collections) ||
        !compile_all(t, &c)) {
        clear_collection(&c);
        return NULL;
    }
    memmove(&t->collections[at + 1], &t->collections[at], (t->n_collections - at) * sizeof c);
    t->collections[at] = c;
    t->n_collections++;
    return &t->collections[at];
}

static void rematch_all(struct collection *c)
{
    c->seen = 0;
    c->tensors_added = 0;
    c->has_empty = false;
    c->n_tensors = 0;
    if (c->cap_member)
        memset(c->member, 0, c->cap_member);
}

static bool merge_collection(struct sm_trial *t, const struct sm_collection_def *def, bool leads)
{
    struct collection *c = collection_of(t, def);
    if (!c)
        return false;
    if (leads) {
        c->def = *def;
        if (!compile_all(t, c))
            return false;
    }
    rematch_all(c);
    for (size_t k = 0; k < def->n_names; k++)
        if (sm_names_add(c->listed, def->names[k], strlen(def->names[k])) == SM_NAME_NONE)
            return false;
    return true;
}

static bool merge_file(struct sm_trial *t, const struct sm_tail_changed_collections *file)
{
    bool leads =
        !t->first_collections || (file->worker && strcmp(file->worker, t->first_collections) <= 0);
    for (size_t i = 0; i < file->def.n; i++)
        if (!merge_collection(t, &file->def.items[i], leads))
            return false;
    if (!file->worker)
        return true;
    if (sm_trial_add_worker(t, file->worker) == UINT32_MAX)
        return false;
    if (leads) {
        char *copy = sm_strdup(file->worker);
        if (!copy)
            return false;
        sm_free(t->first_collections);
        t->first_collections = copy;
        t->num_workers = file->def.num_workers;
    }
    t->has_collections = true;
    t->newest_us = file->time_us > t->newest_us ? file->time_us : t->newest_us;
    return true;
}

bool sm_trial_merge_collections(struct sm_trial *t, struct sm_tail_changes *n)
{
    if (!n->n_collections)
        return true;
    if (!SM_VEC_ROOM(t->arenas, t->n_arenas, t->cap_arenas))
        return false;
    t->arenas[t->n_arenas++] = n->arena; /* taken over */
    n->arena = (struct sm_arena){0};
    bool ok = true;
    for (size_t i = 0; i < n->n_collections; i++)
        ok = merge_file(t, &n->collections[i]) && ok;
    return ok;
}

/* ---- membership ---- */

struct matcher {
    pcre2_match_context *limits;
    pcre2_match_data *data;
};

static bool name_matches(const struct collection *c, const struct matcher *m, const char *name,
                         size_t n, unsigned forms)
{
    if (c->def.form && !(forms >> c->def.form & 1))
        return false;
    if (sm_names_find(c->listed, name, n) != SM_NAME_NONE)
        return true;
    for (size_t i = 0; i < c->n_regexes && m->limits && m->data; i++)
        if (c->regexes[i] &&
            pcre2_match(c->regexes[i], (PCRE2_SPTR)name, n, 0, 0, m->data, m->limits) >= 0)
            return true;
    return false;
}

static bool is_member(const struct collection *c, uint32_t name)
{
    return name / 8 < c->cap_member && c->member[name / 8] >> name % 8 & 1;
}

static bool add_member(struct collection *c, uint32_t id)
{
    if (!SM_VEC_ROOM(c->tensors, c->n_tensors, c->cap_tensors))
        return false;
    c->tensors[c->n_tensors++] = id;
    c->member[id / 8] |= (uint8_t)(1 << id % 8);
    c->sorted = false;
    return true;
}

static bool grow_members(struct collection *c, size_t want)
{
    size_t before = c->cap_member;
    if (!sm_vec_reserve((void **)&c->member, &c->cap_member, want, 1))
        return false;
    if (c->cap_member > before)
        memset(c->member + before, 0, c->cap_member - before);
    return true;
}

/* Matches the names added since the last time. Names without entries are of a directory that no
 * longer exists. */
static void extend_members(const struct sm_trial *t, struct collection *c)
{
    if (c->tensors_added == t->tensors_added || !grow_members(c, t->n_tensors / 8 + 1))
        return;
    if (c->has_empty)
        rematch_all(c);
    struct matcher m = {pcre2_match_context_create(NULL), pcre2_match_data_create(1, NULL)};
    if (m.limits)
        pcre2_set_match_limit(m.limits, MATCH_LIMIT);
    for (bool ok = true; ok && c->seen < t->n_tensors; c->seen += ok) {
        const char *name = sm_names_text(t->names, c->seen);
        bool has_entries = t->tensors[c->seen].n_entries;
        c->has_empty = c->has_empty || !has_entries;
        if (has_entries && name_matches(c, &m, name, sm_names_length(t->names, c->seen),
                                        t->tensors[c->seen].forms))
            ok = add_member(c, c->seen);
    }
    if (c->seen == t->n_tensors)
        c->tensors_added = t->tensors_added;
    pcre2_match_data_free(m.data);
    pcre2_match_context_free(m.limits);
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
    extend_members(t, c);
    if (!c->sorted && c->n_tensors)
        qsort_r(c->tensors, c->n_tensors, sizeof *c->tensors, sm_trial_compare_names, t->names);
    c->sorted = true;
    *n = c->n_tensors;
    return c->tensors;
}

bool sm_trial_in_collection(const struct sm_trial *t, size_t i, uint32_t name)
{
    extend_members(t, &t->collections[i]);
    return is_member(&t->collections[i], name);
}

bool sm_trial_in_named(const struct sm_trial *t, const char *collection, uint32_t name)
{
    for (size_t i = 0; i < t->n_collections; i++)
        if (strcmp(t->collections[i].def.name, collection) == 0)
            return sm_trial_in_collection(t, i, name);
    return false;
}

bool sm_trial_has_histograms(const struct sm_trial *t, uint32_t name)
{
    return t->traits->runs && sm_trial_in_named(t, SM_HISTOGRAMS, name);
}
