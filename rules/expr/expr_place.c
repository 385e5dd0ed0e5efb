/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the step after @: 100, -5, ~137, -10m, 0:40, 0..40, first, last, all, ., eval:12,
 * eval:all, 100/worker_1. It is read from bytes, because its signs are not operators. */
#include "rules/expr/ast.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct place_parser {
    struct sm_text text;
    struct sm_expr_names *names;
    struct sm_arena *arena;
    bool in_ternary;
};

/* The functions below read at byte `at` and return the end of what they read, or `at` if it is
 * something else. */

static size_t read_number(struct place_parser *p, size_t at, int64_t *n)
{
    char copy[24] = {0}, *end;
    size_t most = p->text.n - at;
    memcpy(copy, p->text.p + at, most < sizeof copy - 1 ? most : sizeof copy - 1);
    if (copy[0] < '0' || copy[0] > '9')
        return at;
    errno = 0;
    *n = strtoll(copy, &end, 10);
    return errno ? at : at + (size_t)(end - copy);
}

static size_t read_word(struct place_parser *p, size_t at, struct sm_expr_place *x)
{
    size_t end = sm_expr_word_end(p->text, at, "");
    struct sm_text word = {p->text.p + at, end - at};
    if (sm_text_is(word, "all"))
        *x = (struct sm_expr_place){SM_STEP_ALL, INT64_MIN, INT64_MAX, x->mode, x->worker};
    else if (sm_text_is(word, "first"))
        x->kind = SM_STEP_FIRST;
    else if (sm_text_is(word, "last"))
        x->kind = SM_STEP_LAST;
    else
        return at;
    return end;
}

/* "MODE:" */
static size_t read_mode(struct place_parser *p, size_t at, struct sm_expr_place *x)
{
    size_t end = sm_expr_word_end(p->text, at, "");
    int mode = end < p->text.n && p->text.p[end] == ':' ? sm_mode_of_name(p->text.p + at, end - at)
                                                        : SM_MODE_ANY;
    if (mode <= SM_MODE_ANY)
        return at;
    x->mode = (enum sm_mode)mode;
    return end + 1;
}

/* "-5" and "+5" count saved steps; "-10m" is a time. */
static size_t read_relative(struct place_parser *p, size_t at, struct sm_expr_place *x)
{
    static const struct {
        const char *unit;
        int64_t us;
    } units[] = {{"ms", 1000}, {"s", 1000000}, {"m", 60 * 1000000LL}, {"h", 3600 * 1000000LL}};
    size_t number = read_number(p, at + 1, &x->n), end = sm_expr_word_end(p->text, number, "");
    struct sm_text unit = {p->text.p + number, end - number};
    if (number == at + 1)
        return at;
    x->kind = SM_STEP_RELATIVE;
    x->n = p->text.p[at] == '-' ? -x->n : x->n;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (p->text.p[at] == '-' && sm_text_is(unit, units[i].unit)) {
            x->kind = SM_STEP_AGO;
            return __builtin_mul_overflow(-x->n, units[i].us, &x->n) ? at : end;
        }
    }
    return number;
}

/* "100", or a span: "0:40" without step 40, "0..40" with it. */
static size_t read_step_or_span(struct place_parser *p, size_t at, struct sm_expr_place *x)
{
    size_t end = read_number(p, at, &x->n), more = end;
    x->kind = SM_STEP_NUMBER;
    if (end == at || end >= p->text.n)
        return end;
    bool dots = end + 1 < p->text.n && memcmp(p->text.p + end, "..", 2) == 0;
    if (dots || (p->text.p[end] == ':' && !p->in_ternary))
        more = read_number(p, end + (dots ? 2 : 1), &x->to);
    if (more <= end + (dots ? 2 : 1))
        return end;
    x->kind = SM_STEP_ALL;
    x->to -= !dots;
    return more;
}

static size_t read_step(struct place_parser *p, size_t at, struct sm_expr_place *x)
{
    char c = at < p->text.n ? p->text.p[at] : 0;
    if (c == '.')
        return at + 1;
    if (c == '+' || c == '-')
        return read_relative(p, at, x);
    if (c == '~') {
        size_t end = read_number(p, at + 1, &x->n);
        x->kind = SM_STEP_NEAREST;
        return end == at + 1 ? at : end;
    }
    return c >= '0' && c <= '9' ? read_step_or_span(p, at, x) : read_word(p, at, x);
}

static bool is_worker(struct place_parser *p, size_t at, size_t end)
{
    char *name = sm_arena_strndup(p->arena, p->text.p + at, end - at);
    return name && sm_trial_find_worker(p->names->trial, name) != SM_WORKER_ANY;
}

/* "/worker_1", or a division: with a trial, its workers decide; without one, a word that starts
 * with a letter is a worker. */
static size_t read_worker(struct place_parser *p, size_t at, struct sm_expr_place *x)
{
    if (at + 1 >= p->text.n || p->text.p[at] != '/')
        return at;
    size_t end = sm_expr_word_end(p->text, at + 1, "."),
           longer = sm_expr_word_end(p->text, at + 1, ".-");
    char next = end < p->text.n ? p->text.p[end] : 0;
    p->names->ambiguous = true;
    if (p->names->trial && is_worker(p, at + 1, longer))
        end = longer;
    else if (end == at + 1 || (p->text.p[at + 1] >= '0' && p->text.p[at + 1] <= '9'))
        return at;
    else if (p->names->trial ? !is_worker(p, at + 1, end) : p->names->split || next == '(')
        return at;
    x->worker = (struct sm_text){p->text.p + at + 1, end - at - 1};
    return end;
}

size_t sm_expr_place_parse(struct sm_text text, size_t at, bool in_ternary,
                           struct sm_expr_names *names, struct sm_arena *arena,
                           struct sm_expr_place *out)
{
    struct place_parser p = {text, names, arena, in_ternary};
    size_t from = read_mode(&p, at, out), end = read_step(&p, from, out);
    return end == from ? at : read_worker(&p, end, out);
}
