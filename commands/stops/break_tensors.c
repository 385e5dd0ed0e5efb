/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_tensors.h"
#include "commands/place/evaluate.h"
#include "commands/place/select.h"

#include <string.h>

static const struct {
    const char *name;
    enum sm_break_kind kind;
    const char *description;
} places[] = {
    {"step", SM_BREAK_STEP, "every step"},
    {"error", SM_BREAK_ERROR, "values that cannot be read"},
    {"end", SM_BREAK_END, "the end of the job"},
    {"stall", SM_BREAK_STALL, "a stall of the job"},
};

const char *sm_break_place(const struct sm_word *words, size_t n, enum sm_break_kind *kind)
{
    for (size_t i = 0; n == 1 && !words[0].quoted && i < sizeof places / sizeof *places; i++) {
        if (sm_text_is(words[0].text, places[i].name)) {
            *kind = places[i].kind;
            return places[i].description;
        }
    }
    return NULL;
}

static bool is_collection(const struct sm_trial *t, struct sm_text name)
{
    for (size_t k = 0; k < sm_trial_collection_count(t); k++)
        if (sm_text_is(name, sm_trial_collection(t, k)->name))
            return true;
    return false;
}

static bool is_plain(const struct sm_trial *t, const struct sm_word *w)
{
    return !w->quoted && !(t && sm_trial_find(t, w->text.p, w->text.n));
}

void sm_break_collections(const struct sm_trial *t, struct sm_arena *arena, struct sm_word *words,
                          size_t *n)
{
    if (*n == 2 && is_plain(t, &words[0]) && sm_text_is(words[0].text, "collection")) {
        words[0] = words[1];
        words[0].text = sm_text(sm_arena_xprintf(arena, "+%s", words[1].text.p));
        *n = 1;
    }
    for (size_t i = 0; t && i < *n; i++)
        if (is_plain(t, &words[i]) && is_collection(t, words[i].text))
            words[i].text = sm_text(sm_arena_xprintf(arena, "+%s", words[i].text.p));
}

/* Whether the trial may still get new tensors. */
static bool may_appear(const struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    return !t || sm_trial_state(t) == SM_TRIAL_WAITING || sm_trial_state(t) == SM_TRIAL_LIVE;
}

/* Returns false if a word is a slice of a tensor. */
static bool check_slices(struct sm_call *c, const struct sm_word *words, size_t n,
                         struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    for (size_t i = 0; t && i < n; i++) {
        const char *name = words[i].text.p, *bracket = strchr(name, '[');
        size_t length = bracket ? (size_t)(bracket - name) : words[i].text.n;
        if ((bracket || words[i].slice.n) && sm_trial_find(t, name, length))
            return sm_err_set(err, SM_ERR_USAGE,
                              "A breakpoint is for a complete tensor: use \"$t[...]\" in its "
                              "condition, or \"watch\".");
    }
    return true;
}

bool sm_break_check_names(struct sm_call *c, struct sm_text text, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_expr *e;
    if (!text.n || !sm_session_trial(c->session) || may_appear(c->session))
        return true;
    sm_evaluate_env(c, &env);
    return sm_expr_parse(text.p, text.n, &c->arena, &e, err) && sm_expr_check_names(e, &env, err);
}

bool sm_break_tensors(struct sm_call *c, const struct sm_word *words, size_t n_words, size_t *n,
                      const char **why, struct sm_err *err)
{
    struct sm_selection sel = {0};
    struct sm_err missing = {0};
    bool ok = sm_session_trial(c->session) == NULL ||
              sm_select(c->session, sm_session_trial(c->session), &c->arena, words, n_words, &sel,
                        &missing);
    if (!ok && missing.code != SM_ERR_MISSING) {
        *err = missing;
        return false;
    }
    if (ok && !sel.n)
        sm_err_set(&missing, SM_ERR_MISSING,
                   sm_session_trial(c->session) ? "No tensor matches." : "No trial is open.");
    if (!sel.n && !check_slices(c, words, n_words, err))
        return false;
    *n = sel.n;
    *why = sel.n ? NULL : sm_arena_xstrndup(&c->arena, missing.msg, strlen(missing.msg));
    if (sel.n || may_appear(c->session))
        return true;
    *err = missing;
    return false;
}

void sm_break_report(const struct sm_breakpoint *b, const char *place, size_t tensors,
                     const char *why, struct sm_result *out)
{
    const char *noun = sm_breakpoint_noun(b), *what = sm_breakpoint_what(b);
    const char *colon = b->type == SM_BREAK_WATCH ? ":" : " at";
    struct sm_str where = {0};
    sm_str_add_escaped(&where, what, strlen(what));
    if (place && !why)
        sm_result_text(out, "%s %u%s %s", noun, b->number, colon,
                       sm_result_escape(out, place, strlen(place)));
    else if (tensors)
        sm_result_text(out, "%s %u%s %s (%zu tensor%s)", noun, b->number, colon,
                       sm_str_text(&where), tensors, tensors == 1 ? "" : "s");
    else
        sm_result_text(out, "%s %u%s %s, pending: %s", noun, b->number, colon, sm_str_text(&where),
                       why);
    sm_str_clear(&where);
    sm_node_map(out, NULL, NULL);
    sm_node_uint(out, out->root, "number", b->number);
    sm_node_uint(out, out->root, "tensors", tensors);
}
