/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

#include "commands/language/command_line.h"
#include "commands/place/select.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/break_tensors.h"
#include "reader/base/grow.h"

#include <inttypes.h>
#include <string.h>

/* ---- the list ---- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* Whether the word has another meaning without its quotes. */
static bool needs_quotes(const struct sm_word *w)
{
    static const char *const keywords[] = {"collection", "end",  "error", "if",
                                           "mode",       "rule", "stall", "step"};
    if (!w->quoted)
        return false;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (sm_text_is(w->text, keywords[i]))
            return true;
    return !w->text.n || !strchr(LETTERS, w->text.p[0]) ||
           strspn(w->text.p, LETTERS "0123456789./:-") != w->text.n;
}

/* Appends the word as the user would type it. */
static void add_word(struct sm_str *out, const struct sm_word *w)
{
    struct sm_str quoted = {0};
    bool quotes = needs_quotes(w);
    if (quotes)
        sm_line_quote(&quoted, w->text.p, w->text.n);
    else
        sm_str_addn(&quoted, w->text.p, w->text.n);
    bool bare = quotes && quoted.data[0] != '"';
    sm_str_printf(out, "%s%s%s%s%.*s", out->len ? " " : "", bare ? "\"" : "", sm_str_text(&quoted),
                  bare ? "\"" : "", (int)w->slice.n, w->slice.n ? w->slice.p : "");
    sm_str_clear(&quoted);
}

static void copy_words(struct sm_breakpoint *x, const struct sm_word *words, size_t n)
{
    struct sm_str where = {0};
    x->words = sm_arena_xalloc(&x->arena, (n + 1) * sizeof *x->words);
    for (; x->n_words < n; x->n_words++) {
        const struct sm_word *from = &words[x->n_words];
        struct sm_word *to = &x->words[x->n_words];
        *to = *from;
        to->text.p = sm_arena_xstrndup(&x->arena, from->text.p, from->text.n);
        if (from->slice.n)
            to->slice.p = sm_arena_xstrndup(&x->arena, from->slice.p, from->slice.n);
        add_word(&where, to);
    }
    x->where = sm_arena_xstrndup(&x->arena, sm_str_text(&where), where.len);
    sm_str_clear(&where);
}

struct sm_breakpoint *sm_breakpoints_add(struct sm_breakpoints *b, enum sm_break_kind kind,
                                         const struct sm_word *words, size_t n)
{
    struct sm_breakpoint *x = sm_xalloc_zero(1, sizeof *x);
    x->number = ++b->last;
    x->kind = kind;
    x->enabled = true;
    copy_words(x, words, n);
    SM_GROW(b->items, b->n, b->cap);
    b->items[b->n++] = x;
    b->version++;
    return x;
}

struct sm_breakpoint *sm_breakpoints_find(const struct sm_breakpoints *b, unsigned number)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i]->number == number)
            return b->items[i];
    return NULL;
}

struct sm_breakpoint *sm_breakpoints_of_tensor(const struct sm_breakpoints *b, const char *name)
{
    for (size_t i = 0; i < b->n; i++) {
        struct sm_breakpoint *x = b->items[i];
        if (x->type == SM_BREAK_POINT && x->kind == SM_BREAK_TENSORS && x->n_words == 1 &&
            sm_text_is(x->words[0].text, name))
            return x;
    }
    return NULL;
}

static void free_breakpoint(struct sm_breakpoint *x)
{
    sm_break_rule_free(x->rule);
    sm_free(x->condition);
    sm_free(x->watched);
    sm_free(x->trigger);
    sm_free(x->print);
    sm_body_unref(x->commands);
    sm_free(x->tensors);
    sm_break_skips_clear(&x->skips);
    sm_arena_clear(&x->arena);
    sm_arena_clear(&x->test_arena);
    sm_free(x);
}

void sm_breakpoints_remove(struct sm_breakpoints *b, unsigned number)
{
    for (size_t i = 0; i < b->n; i++) {
        if (b->items[i]->number != number)
            continue;
        free_breakpoint(b->items[i]);
        b->n--;
        memmove(&b->items[i], &b->items[i + 1], (b->n - i) * sizeof *b->items);
        b->version++;
        return;
    }
}

void sm_breakpoints_clear(struct sm_breakpoints *b)
{
    while (b->n)
        sm_breakpoints_remove(b, b->items[b->n - 1]->number);
    sm_free(b->items);
    b->items = NULL;
    b->cap = 0;
}

const char *sm_breakpoint_what(const struct sm_breakpoint *x)
{
    static const char *const names[] = {[SM_BREAK_STEP] = "step",
                                        [SM_BREAK_ERROR] = "error",
                                        [SM_BREAK_END] = "end",
                                        [SM_BREAK_STALL] = "stall"};
    if (x->watched)
        return x->watched;
    return x->kind == SM_BREAK_TENSORS || x->kind == SM_BREAK_RULE ? x->where : names[x->kind];
}

const char *sm_breakpoint_noun(const struct sm_breakpoint *x)
{
    if (x->type == SM_BREAK_PRINT)
        return "Dprintf";
    if (x->type == SM_BREAK_WATCH)
        return "Watchpoint";
    return x->temporary ? "Temporary breakpoint" : "Breakpoint";
}

const char *sm_breakpoint_type(const struct sm_breakpoint *x)
{
    static const char *const names[] = {[SM_BREAK_POINT] = "breakpoint",
                                        [SM_BREAK_WATCH] = "watchpoint",
                                        [SM_BREAK_PRINT] = "dprintf"};
    return names[x->type];
}

const char *sm_breakpoint_compared(const struct sm_breakpoint *x)
{
    return x->hit_operator == 'g'   ? ">="
           : x->hit_operator == 'l' ? "<="
           : x->hit_operator == '=' ? "=="
           : x->hit_operator == '>' ? ">"
           : x->hit_operator == '<' ? "<"
           : x->hit_operator == '%' ? "%"
                                    : NULL;
}

/* ---- by number ---- */

struct sm_breakpoint *sm_breakpoint_numbered(const struct sm_session *s, int64_t number,
                                             struct sm_err *err)
{
    struct sm_breakpoint *b = number > 0 && number <= UINT32_MAX
                                  ? sm_breakpoints_find(&sm_stops(s)->breakpoints, (unsigned)number)
                                  : NULL;
    if (!b)
        sm_err_set(err, SM_ERR_USAGE, "No breakpoint number %" PRId64 ".", number);
    return b;
}

static bool read_range(const struct sm_session *s, const struct sm_word *w, int64_t *from,
                       int64_t *to, struct sm_err *err)
{
    if (sm_text_is(w->text, "$bpnum")) {
        *from = *to = sm_stops(s)->breakpoints.last;
        return true;
    }
    const char *dash = memchr(w->text.p, '-', w->text.n);
    size_t n = dash ? (size_t)(dash - w->text.p) : w->text.n;
    struct sm_word first = {.text = {w->text.p, n}},
                   last = {.text = {w->text.p + n + 1, w->text.n - n - 1}};
    if (!sm_call_int(&first, 1, UINT32_MAX, from, err))
        return false;
    *to = *from;
    return !dash || sm_call_int(&last, *from, UINT32_MAX, to, err);
}

bool sm_breakpoint_range(const struct sm_session *s, const struct sm_word *w, int64_t *from,
                         int64_t *to, struct sm_err *err)
{
    if (!read_range(s, w, from, to, err))
        return false;
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++)
        if (sm_stops(s)->breakpoints.items[i]->number >= *from &&
            sm_stops(s)->breakpoints.items[i]->number <= *to)
            return true;
    return sm_err_set(err, SM_ERR_USAGE, "No breakpoint number %" PRId64 ".", *from);
}

/* ---- conditions and counts ---- */

/* Joins the trigger and the condition with "&&". Returns false if there is neither. */
static bool join_conditions(const char *trigger, struct sm_text condition, struct sm_str *out)
{
    if (trigger && condition.n)
        sm_str_printf(out, "(%s) && (%.*s)", trigger, (int)condition.n, condition.p);
    else
        sm_str_addn(out, trigger ? trigger : condition.p, trigger ? strlen(trigger) : condition.n);
    return out->len;
}

bool sm_breakpoint_condition(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_expr *test = NULL, *alone;
    struct sm_str all = {0};
    bool ok = !text.n || sm_expr_parse(text.p, text.n, &arena, &alone, err);
    if (ok && join_conditions(x->trigger, text, &all))
        ok = sm_expr_parse(sm_str_text(&all), all.len, &arena, &test, err);
    sm_str_clear(&all);
    if (!ok) {
        sm_arena_clear(&arena);
        return false;
    }
    char *condition = text.n ? sm_xstrndup(text.p, text.n) : NULL;
    sm_arena_clear(&x->test_arena);
    sm_free(x->condition);
    x->test_arena = arena;
    x->test = test;
    x->condition = condition;
    sm_break_skips_clear(&x->skips);
    return true;
}

bool sm_breakpoint_hitcount(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err)
{
    static const struct {
        const char *sign;
        char as;
    } signs[] = {{">=", 'g'}, {"<=", 'l'}, {"==", '='}, {">", '>'},
                 {"<", '<'},  {"=", '='},  {"%", '%'}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].sign);
        if (text.n < n || memcmp(text.p, signs[i].sign, n) != 0)
            continue;
        struct sm_word number = {.text = {text.p + n, text.n - n}};
        int64_t value;
        for (; number.text.n && *number.text.p == ' '; number.text.n--)
            number.text.p++;
        if (!sm_call_int(&number, signs[i].as == '%', INT64_MAX, &value, err))
            return false;
        x->hit_operator = signs[i].as;
        x->hit_number = (uint64_t)value;
        return true;
    }
    return sm_err_set(err, SM_ERR_USAGE,
                      "Expected a hit count such as \"> 3\" or \"%% 10\", not \"%.*s\".",
                      (int)text.n, text.p);
}

void sm_breakpoint_select(struct sm_breakpoint *x, const struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_arena arena = {0};
    struct sm_selection sel = {0};
    if (x->selected_of == t && x->selected_at == sm_trial_version(t))
        return;
    x->selected_of = t;
    x->selected_at = sm_trial_version(t);
    x->n_tensors = 0;
    size_t n = x->n_words;
    struct sm_word *words = sm_arena_xalloc(&arena, (n + 1) * sizeof *words);
    for (size_t i = 0; i < n; i++)
        words[i] = x->words[i];
    sm_break_collections(t, &arena, words, &n); /* collections that did not exist when it was
                                                   created */
    if (sm_select(s, sm_session_trial(s), &arena, words, n, &sel, NULL)) {
        x->tensors = sm_xrealloc(x->tensors, sel.n + 1, sizeof *x->tensors);
        for (; x->n_tensors < sel.n; x->n_tensors++)
            x->tensors[x->n_tensors] = sel.items[x->n_tensors]->name;
    }
    sm_arena_clear(&arena);
}

static bool hit_count_matches(const struct sm_breakpoint *x)
{
    switch (x->hit_operator) {
    case '>':
        return x->hits > x->hit_number;
    case 'g':
        return x->hits >= x->hit_number;
    case '<':
        return x->hits < x->hit_number;
    case 'l':
        return x->hits <= x->hit_number;
    case '=':
        return x->hits == x->hit_number;
    case '%':
        return x->hits % x->hit_number == 0;
    default:
        return true;
    }
}

bool sm_breakpoint_count(struct sm_breakpoint *x)
{
    x->hits++;
    if (!hit_count_matches(x))
        return false;
    if (!x->ignore)
        return true;
    x->ignore--;
    return false;
}

void sm_breakpoint_stopped(struct sm_breakpoints *b, unsigned number)
{
    struct sm_breakpoint *x = sm_breakpoints_find(b, number);
    if (x && x->disposition == SM_BREAK_DELETE) {
        sm_breakpoints_remove(b, number);
    } else if (x && x->disposition == SM_BREAK_DISABLE) {
        x->enabled = false;
        b->version++;
    }
}

/* ---- recorded stops ---- */

static void drop_stop(struct sm_breakpoints *b, size_t i)
{
    memmove(&b->stops[i], &b->stops[i + 1], (--b->n_stops - i) * sizeof *b->stops);
}

void sm_breakpoints_note_stop(struct sm_breakpoints *b, unsigned number, const struct sm_trial *t,
                              struct sm_step step)
{
    for (size_t i = 0; i < b->n_stops; i++)
        if (b->stops[i].number == number && b->stops[i].trial == t && b->stops[i].step == step.n)
            return;
    if (b->n_stops == SM_BREAK_STOPS_MAX)
        drop_stop(b, 0);
    b->stops[b->n_stops++] = (struct sm_break_stop){number, t, step.n};
}

void sm_breakpoints_clear_stops(struct sm_breakpoints *b, unsigned number, const struct sm_trial *t)
{
    for (size_t i = b->n_stops; i-- > 0;)
        if (t ? b->stops[i].trial == t : b->stops[i].number == number)
            drop_stop(b, i);
}
