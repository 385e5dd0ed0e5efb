/* SPDX-License-Identifier: Apache-2.0 */
/* Collections: finds the saved tensors of each, by the names that its files list and by its
 * patterns.
 *
 * The patterns are somebody else's, and a pattern can take any time. Matching is therefore counted
 * in steps: a pattern that needs too many for one name is given up, and so are all that remain when
 * those of the trial have needed too many together. `info errors` names their collections. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/trial_state.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of PCRE2's match function, each about 50 ns: for one name, for all of a trial, at once in
 * the loop. A match that ends before FIRST_LIMIT counts as one step. */
enum { FIRST_LIMIT = 64, LIMIT_FACTOR = 8, NAME_LIMIT = 100000, LIMIT_PER_BYTE = 8 };
enum { COMPILE_WORK = 100, MATCH_WORK_MAX = 20000000, MATCH_WORK_SLICE = 20000 };

/* ---- patterns ---- */

static void report_pattern(struct sm_trial *t, const struct collection *c, size_t i,
                           const char *why)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_DATA, "collection %.80s: pattern \"%.80s\"%s", c->def.name,
               c->def.regexes[i], why);
    uint64_t before = t->problems.total;
    sm_problems_add(&t->problems, SM_COLLECTIONS_DIR, -1, &err);
    t->version += t->problems.total != before;
    t->changed = true;
}

static void *compile_pattern(struct sm_trial *t, const struct collection *c, size_t i)
{
    int code;
    PCRE2_SIZE at;
    t->match_work += COMPILE_WORK + strlen(c->def.regexes[i]);
    void *regex = pcre2_compile((PCRE2_SPTR)c->def.regexes[i], PCRE2_ZERO_TERMINATED,
                                PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);
    if (regex)
        return regex;
    char text[120], why[160];
    pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text);
    snprintf(why, sizeof why, " at %zu: %s", (size_t)at, text);
    report_pattern(t, c, i, why);
    return NULL;
}

void sm_collection_free_patterns(struct collection *c)
{
    for (size_t i = 0; i < c->n_regexes; i++)
        pcre2_code_free(c->regexes[i]);
    sm_free(c->regexes);
    c->regexes = NULL;
    c->n_regexes = 0;
    c->compiled = c->given_up = false;
}

static bool compile_once(struct sm_trial *t, struct collection *c)
{
    if (c->compiled)
        return true;
    c->regexes = sm_alloc_zero(c->def.n_regexes, sizeof *c->regexes);
    if (!c->regexes)
        return false;
    for (; c->n_regexes < c->def.n_regexes; c->n_regexes++)
        c->regexes[c->n_regexes] = compile_pattern(t, c, c->n_regexes);
    return c->compiled = true;
}

static void drop_pattern(struct sm_trial *t, struct collection *c, size_t i, const char *why)
{
    report_pattern(t, c, i, why);
    pcre2_code_free(c->regexes[i]);
    c->regexes[i] = NULL;
}

static void give_up(struct sm_trial *t, struct collection *c)
{
    for (size_t i = 0; i < c->n_regexes && !c->given_up; i++)
        if (c->regexes[i])
            report_pattern(t, c, i, " was given up: the patterns of all collections take too long");
    c->given_up = true;
}

/* ---- matching ---- */

struct matcher {
    pcre2_match_context *limits;
    pcre2_match_data *data;
};

static bool ran_out(int result)
{
    return result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_HEAPLIMIT ||
           result == PCRE2_ERROR_DEPTHLIMIT;
}

/* Tries with few steps first, so that the count says how many were needed, to a factor. */
static bool pattern_matches(struct sm_trial *t, struct collection *c, size_t i,
                            const struct matcher *m, const char *name, size_t n)
{
    uint64_t most = NAME_LIMIT + LIMIT_PER_BYTE * (uint64_t)n, work = 1;
    most = most < UINT32_MAX ? most : UINT32_MAX;
    for (uint64_t limit = FIRST_LIMIT;; limit *= LIMIT_FACTOR) {
        bool last = limit >= most;
        pcre2_set_match_limit(m->limits, (uint32_t)(last ? most : limit));
        int result = pcre2_match(c->regexes[i], (PCRE2_SPTR)name, n, 0, 0, m->data, m->limits);
        t->match_work += work;
        if (!ran_out(result))
            return result >= 0;
        work = limit * LIMIT_FACTOR;
        if (last)
            break;
    }
    drop_pattern(t, c, i, " was given up: it takes too long");
    return false;
}

static bool name_matches(struct sm_trial *t, struct collection *c, const struct matcher *m,
                         const char *name, size_t n, unsigned forms)
{
    if (c->def.form && !(forms >> c->def.form & 1))
        return false;
    if (sm_names_find(c->listed, name, n) != SM_NAME_NONE)
        return true;
    if (t->match_work > MATCH_WORK_MAX)
        give_up(t, c);
    for (size_t i = 0; i < c->n_regexes && !c->given_up && m->limits && m->data; i++)
        if (c->regexes[i] && pattern_matches(t, c, i, m, name, n))
            return true;
    return false;
}

/* ---- membership ---- */

void sm_collection_rematch(struct collection *c)
{
    c->seen = 0;
    c->tensors_added = 0;
    c->has_empty = false;
    c->n_tensors = 0;
    if (c->cap_member)
        memset(c->member, 0, c->cap_member);
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

static bool is_extended(const struct sm_trial *t, const struct collection *c)
{
    return c->tensors_added == t->tensors_added && (c->compiled || !t->n_tensors);
}

/* Matches the names added since the last time, until the trial has spent this work. Names without
 * entries are of a directory that no longer exists. */
static void extend_members(struct sm_trial *t, struct collection *c, uint64_t until)
{
    if (is_extended(t, c) || !grow_members(c, t->n_tensors / 8 + 1) || !compile_once(t, c))
        return;
    if (c->has_empty && c->extending_to != t->tensors_added)
        sm_collection_rematch(c);
    c->extending_to = t->tensors_added;
    struct matcher m = {pcre2_match_context_create(NULL), pcre2_match_data_create(1, NULL)};
    for (bool ok = true; ok && c->seen < t->n_tensors && t->match_work < until; c->seen += ok) {
        const char *name = sm_names_text(t->names, c->seen);
        bool has_entries = t->tensors[c->seen].n_entries;
        c->has_empty = c->has_empty || !has_entries;
        if (has_entries && name_matches(t, c, &m, name, sm_names_length(t->names, c->seen),
                                        t->tensors[c->seen].forms))
            ok = add_member(c, c->seen);
    }
    if (c->seen == t->n_tensors)
        c->tensors_added = t->tensors_added;
    pcre2_match_data_free(m.data);
    pcre2_match_context_free(m.limits);
}

/* Of the trial at this moment. It changes only what was not known before. */
static struct collection *extended(const struct sm_trial *trial, size_t i)
{
    struct sm_trial *t = (struct sm_trial *)(uintptr_t)trial;
    extend_members(t, &t->collections[i], UINT64_MAX);
    return &t->collections[i];
}

bool sm_trial_match_some(struct sm_trial *t)
{
    uint64_t until = t->match_work + MATCH_WORK_SLICE;
    while (t->n_matched < t->n_collections && t->match_work < until) {
        struct collection *c = &t->collections[t->n_matched];
        extend_members(t, c, until);
        t->n_matched += t->match_work < until || is_extended(t, c);
        t->match_work++;
    }
    return t->n_matched == t->n_collections;
}

uint64_t sm_trial_members_version(const struct sm_trial *t)
{
    return t->tensors_added + t->collections_merged;
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
    struct collection *c = extended(t, i);
    if (!c->sorted && c->n_tensors)
        qsort_r(c->tensors, c->n_tensors, sizeof *c->tensors, sm_trial_compare_names, t->names);
    c->sorted = true;
    *n = c->n_tensors;
    return c->tensors;
}

bool sm_trial_in_collection(const struct sm_trial *t, size_t i, uint32_t name)
{
    return is_member(extended(t, i), name);
}

bool sm_trial_in_named(const struct sm_trial *t, const char *collection, uint32_t name)
{
    size_t i = sm_trial_find_collection(t, collection);
    return i != SIZE_MAX && sm_trial_in_collection(t, i, name);
}

bool sm_trial_has_histograms(const struct sm_trial *t, uint32_t name)
{
    return t->traits->runs && sm_trial_in_named(t, SM_HISTOGRAMS, name);
}
