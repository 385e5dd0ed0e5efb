/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/rule_args.h"

#include "commands/judge/judge.h"
#include "commands/judge/rule_action.h"
#include "commands/judge/session_rules.h"
#include "rules/builtin/rule_list.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const struct sm_arg sm_rule_name_args[] = {{.name = "NAME", .kind = SM_ARG_RULE}, {0}};
const struct sm_arg sm_rule_instance_args[] = {
    {.name = "INSTANCE", .kind = SM_ARG_INSTANCE, .required = true, .repeats = true}, {0}};

/* Appends the letters in lower case, without _ and -. */
static void add_letters(struct sm_str *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != '_' && p[i] != '-')
            sm_str_addc(out, (char)tolower((unsigned char)p[i]));
}

/* How far the name of the rule is from what was typed, both without _ and -: those that contain it
 * are as far as those that are least near. */
static unsigned distance(const struct sm_rule *rule, const struct sm_str *wanted)
{
    enum { PART = 3 };
    struct sm_str letters = {0};
    add_letters(&letters, rule->name, strlen(rule->name));
    unsigned d = sm_word_distance(sm_str_text(wanted), sm_str_text(&letters));
    if (d == SM_NOT_NEAR && wanted->len >= PART &&
        strstr(sm_str_text(&letters), sm_str_text(wanted)))
        d = SM_NOT_NEAR - 1;
    sm_str_clear(&letters);
    return d;
}

bool sm_rule_unknown(struct sm_text name, struct sm_err *err)
{
    enum { MOST = 4 };
    size_t n = 0;
    unsigned least = SM_NOT_NEAR;
    struct sm_str wanted = {0}, near = {0};
    add_letters(&wanted, name.p, name.n);
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        if (distance(*r, &wanted) < least)
            least = distance(*r, &wanted);
    for (const struct sm_rule *const *r = sm_rule_table; *r && least < SM_NOT_NEAR; r++)
        if (distance(*r, &wanted) == least && n++ < MOST)
            sm_str_printf(&near, "%s\"%s\"", n > 1 ? ", " : "", (*r)->name);
    sm_err_set(err, SM_ERR_MISSING, "No rule \"%.*s\".%s%s%s  Try \"rule list\".", (int)name.n,
               name.p, n ? "  Did you mean " : "", sm_str_text(&near), n ? "?" : "");
    sm_str_clear(&wanted);
    sm_str_clear(&near);
    return false;
}

bool sm_rule_arguments(struct sm_call *c, const struct sm_rule *rule, const char ***out, size_t *n,
                       struct sm_err *err)
{
    const struct sm_word *mode = sm_call_keyword(c, "mode"),
                         *workers = sm_call_keyword(c, "workers");
    const char **args = sm_arena_xalloc(&c->arena, (c->n_words + 4) * sizeof *args);
    *n = 0;
    for (size_t i = 1; i < c->n_words; i++) {
        const char *text = c->words[i].text.p;
        bool expression =
            i == 1 && strcmp(rule->name, "expr") == 0 && strncmp(text, "expr=", 5) != 0;
        if (strncasecmp(text, "action=", 7) == 0 && !sm_action_check(text + 7, err))
            return false;
        args[(*n)++] = expression ? sm_arena_xprintf(&c->arena, "expr=%s", text) : text;
    }
    if (mode)
        args[(*n)++] = sm_arena_xprintf(&c->arena, "mode=%s", mode->text.p);
    if (workers)
        args[(*n)++] = sm_arena_xprintf(&c->arena, "workers=%s", workers->text.p);
    *out = args;
    return true;
}

/* The index of an attached rule of the current trial, by name. If there is none: sets err and
 * returns the count. */
static size_t find_instance(struct sm_call *c, const struct sm_word *w, struct sm_err *err)
{
    struct sm_rules *r = sm_session_rules_current(c->session);
    size_t i = sm_rules_find(r, w->text.p);
    if (i == sm_rules_count(r))
        sm_err_set(err, SM_ERR_MISSING, "No rule \"%.*s\" is attached.  Try \"rule status\".",
                   (int)w->text.n, w->text.p);
    return i;
}

bool sm_rule_each_instance(struct sm_call *c, void (*each)(struct sm_rules *r, size_t i),
                           struct sm_err *err)
{
    struct sm_rules *r = sm_session_rules_current(c->session);
    for (size_t k = 0; k < c->n_words; k++) {
        if (sm_text_is(c->words[k].text, "all")) {
            for (size_t i = sm_rules_count(r); i-- > 0;)
                each(r, i);
            continue;
        }
        size_t i = find_instance(c, &c->words[k], err);
        if (i == sm_rules_count(r))
            return false;
        each(r, i);
    }
    c->session->news++;
    return true;
}
