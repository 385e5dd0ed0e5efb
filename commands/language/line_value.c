/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the values of options and arguments. */
#include "commands/language/tokens.h"

#include <string.h>

bool sm_reader_one_of(const char *const *words, const char *what, struct sm_word *w,
                      struct sm_err *err)
{
    const char *found = NULL;
    for (size_t i = 0; words && words[i]; i++) {
        if (strcmp(words[i], w->text.p) == 0) {
            found = words[i];
            break;
        }
        if (strncmp(words[i], w->text.p, w->text.n) == 0) {
            if (found) {
                sm_err_set(err, SM_ERR_USAGE, "Ambiguous item \"%s\".", w->text.p);
                return sm_err_kind(err, SM_ERR_IS_AMBIGUOUS);
            }
            found = words[i];
        }
    }
    if (!found) {
        struct sm_str all = {0};
        for (size_t i = 0; words && words[i]; i++)
            sm_str_printf(&all, "%s%s", i ? ", " : "", words[i]);
        sm_err_set(err, SM_ERR_USAGE, "Undefined item \"%s\" for %s.  Choose one of: %s.",
                   w->text.p, what, sm_str_text(&all));
        sm_str_clear(&all);
        return false;
    }
    w->text = sm_text(found);
    return true;
}

/* True at an operator between blanks: it continues the expression in "mean($t) > 3", but there is
 * none in "mean($t)>3 w". */
static bool at_operator(const struct sm_reader *r)
{
    size_t n = 0;
    while (r->at + n < r->n && strchr("<>=!&|+-*/%?:", r->p[r->at + n]) && r->p[r->at + n])
        n++;
    return n > 0 && n <= 2 && r->at + n < r->n && sm_reader_blank(r->p[r->at + n]) &&
           !sm_reader_redirect(r, true);
}

/* Finds the end of an expression that other words may follow. */
static bool find_expression_end(const struct sm_reader *r, size_t *end, struct sm_err *err)
{
    struct sm_reader s = *r;
    struct sm_word w;
    while (sm_reader_word(&s, true, &w, err)) {
        *end = s.at;
        sm_reader_skip(&s);
        if (s.at == s.n || !at_operator(&s))
            return true;
        while (s.at < s.n && !sm_reader_blank(s.p[s.at]))
            s.at++;
        sm_reader_skip(&s);
        if (s.at == s.n)
            return sm_err_set(err, SM_ERR_USAGE, "Expected an operand at column %zu.", s.at + 1);
    }
    return false;
}

bool sm_reader_value(struct sm_reader *r, enum sm_arg_kind kind, bool to_the_end, struct sm_word *w,
                     struct sm_err *err)
{
    bool quoted = r->p[r->at] == '"' || r->p[r->at] == '\'';
    if (kind == SM_ARG_EXPR && !quoted) {
        size_t end = to_the_end ? sm_reader_text_end(r, true) : 0;
        if (!to_the_end && !find_expression_end(r, &end, err))
            return false;
        struct sm_text t = sm_reader_trim(r->p + r->at, end - r->at);
        *w = (struct sm_word){.text = sm_reader_keep(r->arena, t.p, t.n), .column = r->at + 1};
        r->at = end;
        return true;
    }
    if (kind == SM_ARG_STEP && sm_reader_tick(r, w))
        return true;
    if (!sm_reader_word(r, kind == SM_ARG_EXPR, w, err))
        return false;
    if (kind != SM_ARG_TENSOR)
        sm_reader_join(r->arena, w);
    return true;
}

struct sm_word *sm_reader_new_word(struct sm_reader *r, struct sm_word w)
{
    struct sm_word *copy = sm_arena_xalloc(r->arena, sizeof *copy);
    *copy = w;
    return copy;
}
