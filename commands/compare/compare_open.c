/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_open.h"

#include "commands/place/place.h"
#include "commands/session/trial_list.h"
#include "reader/s3/address.h"
#include "reader/s3/source_s3.h"

#include <string.h>

/* Whether a trial, worker or mode is called so. */
static bool is_named(struct sm_session *s, struct sm_text head, const char *name)
{
    size_t i;
    enum sm_mode mode;
    const struct sm_trial *t = sm_session_trial(s);
    return sm_trials_find(s, head, &i) || sm_place_find_mode(head, &mode, NULL) ||
           (t && sm_trial_find_worker(t, name) != SM_WORKER_ANY);
}

/* The part of a word that is a path: all of it, or what is before the last "@". Empty: none is. */
static struct sm_text path_in(struct sm_call *c, struct sm_text word)
{
    const char *all = sm_arena_xstrndup(&c->arena, word.p, word.n), *at = strrchr(all, '@');
    size_t n = at && !sm_path_exists(all) ? (size_t)(at - all) : word.n;
    const char *path = sm_arena_xstrndup(&c->arena, word.p, n);
    struct sm_text head = {path, n};
    bool is_path =
        n && *path != '@' && !is_named(c->session, head, path) &&
        (sm_is_address(path) || strchr(path, '/') || (n == word.n && sm_path_exists(path)));
    return is_path ? head : (struct sm_text){0};
}

/* The open trial of the path. */
static bool find_open(const struct sm_session *s, const char *path, size_t *i)
{
    for (*i = 0; *i < s->n_trials; ++*i)
        if (strcmp(sm_trial_path(s->trials[*i].trial), path) == 0)
            return true;
    return false;
}

static bool open_word(struct sm_call *c, struct sm_text word, struct sm_text *out,
                      struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_text path = path_in(c, word);
    size_t before = s->n_trials, i = before;
    if (!path.n)
        return true;
    if (!find_open(s, path.p, &i)) {
        unsigned how = SM_OPEN_EXISTING | (before ? SM_OPEN_ADD : 0);
        if (!sm_session_open_later(s, &c->works, path.p, NULL, how, err))
            return false;
        i = before;
        if (s->n_trials > before + 1)
            return sm_err_set(err, SM_ERR_USAGE,
                              "%s has %zu runs, which are now open: name two of them.  Try \"info "
                              "trials\".",
                              path.p, s->n_trials - before);
    }
    *out = sm_text(
        sm_arena_xprintf(&c->arena, "%zu%.*s", i + 1, (int)(word.n - path.n), word.p + path.n));
    return true;
}

bool sm_compare_open(struct sm_call *c, struct sm_compare_opening *o, struct sm_err *err)
{
    for (size_t i = 0; i < 2 && i < c->n_words; i++) {
        if (!o->words[i].n && !open_word(c, c->words[i].text, &o->words[i], err))
            return false;
        if (o->words[i].n)
            c->words[i].text = o->words[i];
    }
    return true;
}
