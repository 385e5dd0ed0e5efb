/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/select.h"
#include "commands/place/name_regex.h"
#include "commands/place/why.h"
#include "commands/session/session_settings.h"
#include "commands/session/trial_list.h"

#include <ctype.h>
#include <string.h>

enum kind { KIND_NAME, KIND_GLOB, KIND_REGEX, KIND_COLLECTION, KIND_TAGGED };

/* The trial and settings to use, and the arena for results. */
struct select_scope {
    const struct sm_session *session;
    struct sm_trial *trial;
    struct sm_arena *arena;
};

/* One parsed word. */
struct pattern {
    enum kind kind;
    bool inverted, fold; /* fold: ignore case */
    struct sm_text text; /* without !, + and / */
    struct sm_name_regex regex;
    size_t collection;
};

static struct sm_text fold_case(struct sm_arena *a, struct sm_text t)
{
    char *copy = sm_arena_xstrndup(a, t.p, t.n);
    for (size_t i = 0; i < t.n; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (struct sm_text){copy, t.n};
}

static bool find_collection(struct sm_trial *t, struct pattern *p, struct sm_err *err)
{
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        if (sm_text_is(p->text, sm_trial_collection(t, i)->name)) {
            p->collection = i;
            return true;
        }
    }
    if (sm_text_is(p->text, "tagged")) {
        p->kind = KIND_TAGGED;
        return true;
    }
    return sm_err_set(err, SM_ERR_MISSING, "No collection \"%s\".  Try \"info collections\".",
                      p->text.p);
}

static bool read_pattern(const struct select_scope *c, const struct sm_word *w, struct pattern *p,
                         struct sm_err *err)
{
    struct sm_trial *t = c->trial;
    struct sm_text text = w->text;
    *p = (struct pattern){.kind = KIND_NAME, .fold = !sm_session_settings(c->session)->match_case};
    if (!w->quoted && w->slice.n)
        text = sm_text(sm_arena_xprintf(c->arena, "%s%s", text.p, w->slice.p));
    bool plain = w->quoted || sm_trial_find(t, text.p, text.n);
    if (!plain && text.n > 1 && text.p[0] == '!') {
        p->inverted = true;
        text.p++, text.n--;
    }
    if (!plain && text.n > 1 && text.p[0] == '+') {
        p->kind = KIND_COLLECTION;
        text.p++, text.n--;
    } else if (!plain && sm_name_regex_text(text).p) {
        p->kind = KIND_REGEX;
        text = sm_name_regex_text(text);
    } else if (!plain && strpbrk(text.p, "*?[")) {
        p->kind = KIND_GLOB;
    }
    p->text = (struct sm_text){sm_arena_xstrndup(c->arena, text.p, text.n), text.n};
    if (p->fold && (p->kind == KIND_NAME || p->kind == KIND_GLOB))
        p->text = fold_case(c->arena, p->text);
    return p->kind == KIND_REGEX        ? sm_name_regex_init(&p->regex, p->text, p->fold, err)
           : p->kind == KIND_COLLECTION ? find_collection(t, p, err)
                                        : true;
}

static bool matches(const struct select_scope *c, const struct pattern *p,
                    const struct sm_trial_tensor *x)
{
    const struct sm_trial *t = c->trial;
    struct sm_text name = {sm_names_text(sm_trial_names(t), x->name),
                           sm_names_length(sm_trial_names(t), x->name)};
    switch (p->kind) {
    case KIND_TAGGED:
        return sm_tags_has(&c->session->trials[sm_trials_index(c->session, t)].tagged, x->name);
    case KIND_COLLECTION:
        return sm_trial_in_collection(t, p->collection, x->name);
    case KIND_REGEX:
        return sm_name_regex_matches(&p->regex, name);
    case KIND_GLOB:
        return sm_glob_match(p->text.p, p->fold ? fold_case(c->arena, name).p : name.p);
    default:
        if (p->fold)
            name = fold_case(c->arena, name);
        return sm_text_same(name, p->text);
    }
}

/* Adds the tensors that match one pattern, or removes them if it is inverted. */
static bool apply_pattern(const struct select_scope *c, const struct pattern *p, bool *chosen,
                          struct sm_err *err)
{
    const struct sm_trial *t = c->trial;
    bool any = false;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        if (!matches(c, p, sm_trial_tensor(t, i)))
            continue;
        chosen[i] = !p->inverted;
        any = true;
    }
    if (!any && p->kind == KIND_GLOB && p->text.p[0] == '[')
        return sm_err_set(
            err, SM_ERR_USAGE,
            "No tensor matches \"%s\"; a slice is written at the name, as in NAME[0].", p->text.p);
    if (any || p->kind != KIND_NAME || p->inverted)
        return true;
    return sm_why_no_tensor(t, p->text, err);
}

/* Applies the patterns that add tensors, then the inverted ones, which remove. If all are inverted,
 * they start from all tensors. */
static bool apply_patterns(const struct select_scope *c, const struct sm_word *words, size_t n,
                           bool *chosen, struct sm_err *err)
{
    size_t count = sm_trial_tensor_count(c->trial);
    struct pattern *patterns = sm_arena_xalloc(c->arena, (n + 1) * sizeof *patterns);
    size_t read = 0;
    bool ok = true, named = false;
    while (ok && read < n) {
        ok = read_pattern(c, &words[read], &patterns[read], err);
        named = named || !patterns[read].inverted;
        read++;
    }
    memset(chosen, !named, count);
    for (int inverted = 0; inverted < 2; inverted++)
        for (size_t i = 0; ok && i < n; i++)
            if (patterns[i].inverted == inverted)
                ok = apply_pattern(c, &patterns[i], chosen, err);
    for (size_t i = 0; i < read; i++)
        sm_name_regex_clear(&patterns[i].regex);
    return ok;
}

bool sm_select(const struct sm_session *s, struct sm_trial *t, struct sm_arena *arena,
               const struct sm_word *words, size_t n, struct sm_selection *out, struct sm_err *err)
{
    const struct select_scope c = {s, t, arena};
    size_t count = sm_trial_tensor_count(t);
    bool *chosen = sm_arena_xalloc(arena, count + 1);
    out->items = sm_arena_xalloc(arena, (count + 1) * sizeof *out->items);
    out->n = 0;
    if (!apply_patterns(&c, words, n, chosen, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (chosen[i])
            out->items[out->n++] = sm_trial_tensor(t, i);
    return true;
}

bool sm_select_some(const struct sm_session *s, struct sm_trial *t, struct sm_arena *arena,
                    const struct sm_word *words, size_t n, struct sm_selection *out,
                    struct sm_err *err)
{
    if (!sm_select(s, t, arena, words, n, out, err))
        return false;
    return out->n || !n || sm_why_no_tensor(t, words[0].text, err);
}

bool sm_args_select(struct sm_call *c, const struct sm_word *words, size_t n,
                    struct sm_selection *out, struct sm_err *err)
{
    return sm_select(c->session, sm_session_trial(c->session), &c->arena, words, n, out, err);
}

bool sm_args_select_some(struct sm_call *c, const struct sm_word *words, size_t n,
                         struct sm_selection *out, struct sm_err *err)
{
    return sm_select_some(c->session, sm_session_trial(c->session), &c->arena, words, n, out, err);
}

/* The first word that should have matched a tensor, or NULL. A collection may be empty, and an
 * inverted pattern may leave nothing. */
static const struct sm_word *first_naming_word(const struct sm_word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (words[i].quoted || !words[i].text.n || !strchr("+!", words[i].text.p[0]))
            return &words[i];
    return NULL;
}

bool sm_args_select_in(struct sm_call *c, const struct sm_word *words, size_t n,
                       struct sm_selection *out, struct sm_err *err)
{
    const struct sm_word *collection = sm_call_keyword(c, "collection");
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *named = first_naming_word(words, n);
    if (!sm_args_select(c, words, n, out, err))
        return false;
    if (!out->n && named && sm_trial_tensor_count(t))
        return sm_why_no_tensor(t, named->text, err);
    if (!collection)
        return true;
    size_t i = 0, kept = 0;
    while (i < sm_trial_collection_count(t) &&
           !sm_text_is(collection->text, sm_trial_collection(t, i)->name))
        i++;
    if (i == sm_trial_collection_count(t))
        return sm_err_set(err, SM_ERR_MISSING, "No collection \"%.*s\". Try \"info collections\".",
                          (int)collection->text.n, collection->text.p);
    for (size_t k = 0; k < out->n; k++)
        if (sm_trial_in_collection(t, i, out->items[k]->name))
            out->items[kept++] = out->items[k];
    out->n = kept;
    return true;
}
