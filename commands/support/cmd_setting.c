/* SPDX-License-Identifier: Apache-2.0 */
/* set: changes a setting, or gives a variable a value. */
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/run/logging.h"
#include "commands/support/support.h"

#include <string.h>

/* The words of the raw text; in the call's arena. */
static bool split_words(struct sm_call *c, struct sm_word **words, size_t *n, struct sm_err *err)
{
    size_t at = 0, most = c->raw.n / 2 + 2;
    struct sm_err e = {0};
    *words = sm_arena_xalloc(&c->arena, most * sizeof **words);
    *n = 0;
    while (sm_line_word(c->raw.p, c->raw.n, &at, &c->arena, &(*words)[*n], &e))
        ++*n;
    return e.code == SM_OK || sm_err_set(err, e.code, "%s", e.msg);
}

/* gdb's "set var $lr = 0.1". */
static bool is_set_var(struct sm_text raw, struct sm_text *rest)
{
    static const char *const words[] = {"var", "variable"};
    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(words[i]);
        if (raw.n < n || memcmp(raw.p, words[i], n) != 0 ||
            (raw.n > n && raw.p[n] != ' ' && raw.p[n] != '\t'))
            continue;
        *rest = sm_reader_trim(raw.p + n, raw.n - n);
        return true;
    }
    return false;
}

static bool set_var(struct sm_call *c, struct sm_text text, struct sm_err *err)
{
    if (text.n && text.p[0] == '$')
        return sm_evaluate_assignment(c, text, NULL, err);
    return sm_err_set(err, SM_ERR_USAGE,
                      "Tensors cannot be changed; \"set var $name = EXPR\" sets a variable.");
}

/* "set logging" starts or ends the log immediately and reports it. */
static bool log_as_set(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    bool ok = sm_logging_sync(c->session, &text, err);
    if (ok && text.len)
        sm_result_text(out, "%s", sm_result_escape(out, text.data, text.len));
    sm_str_clear(&text);
    return ok;
}

static bool run_set(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_word *words;
    size_t n, used;
    struct sm_text rest;
    if (c->raw.p[0] == '$')
        return sm_evaluate_assignment(c, c->raw, NULL, err);
    if (is_set_var(c->raw, &rest))
        return set_var(c, rest, err);
    if (!split_words(c, &words, &n, err))
        return false;
    const char **names = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = words[i].text.p;
    const struct sm_setting *row =
        sm_setting_find(&c->session->settings, "set", names, n, &used, err);
    if (!row)
        return false;
    if (c->line_redirected)
        return sm_err_set(err, SM_ERR_USAGE,
                          "set has no output for \"|\" or \">\". Quote the value if they "
                          "are part of it.");
    /* one word: without its quotes; several words: as typed */
    const char *value = NULL;
    if (used + 1 == n)
        value = words[used].text.p;
    else if (used < n)
        value = c->raw.p + words[used].column - 1;
    if (row->retired)
        sm_result_dim(out, "The setting \"%s\" has no effect.", row->name);
    return sm_setting_set(&c->session->settings, row, value, err) && log_as_set(c, out, err) &&
           (!row->note || row->note(c->session, out, err));
}

static const struct sm_arg set_args[] = {
    {.name = "NAME", .kind = SM_ARG_SETTING, .required = true},
    {.name = "VALUE", .kind = SM_ARG_EXPR},
    {0},
};
const struct sm_cmd sm_cmd_set = {
    .name = "set",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Change a setting or a variable",
    .help = "\"set NAME VALUE\" changes a setting; without VALUE an on/off setting is set to on. "
            "\"info "
            "settings\" lists them.\n"
            "\"set $name = EXPR\", or \"set var $name = EXPR\", sets a variable for expressions.",
    .example = "set print precision 4",
    .see_also = "show, info",
    .args = set_args,
    .flags = SM_CMD_RAW,
    .run = run_set,
};
