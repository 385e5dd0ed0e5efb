/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_action.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/rule_attach.h"
#include "commands/judge/session_rules.h"
#include "commands/session/read_file.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { RULE_FILE_MAX = 4 << 20 };

static bool check_actions(const struct sm_service_rule *x, struct sm_err *err)
{
    for (size_t k = 0; k < x->n_args; k++)
        if (strncasecmp(x->args[k], "action=", 7) == 0 && !sm_action_check(x->args[k] + 7, err))
            return false;
    return true;
}

/* What the word of the call stands for. It is read once, and attached to one trial after the other.
 */
struct loaded {
    const struct sm_rule *rule; /* of a .rule file, or of that name; NULL: a list */
    bool known;                 /* by its name */
    struct sm_service_rule *items;
    size_t n; /* of the list */
};

/* ---- reading ---- */

static bool read_list(struct sm_call *c, const char *path, const struct sm_str *text,
                      struct loaded *x, struct sm_err *err)
{
    if (sm_call_flag(c, "define"))
        return sm_err_set(err, SM_ERR_USAGE, "%s: -define is for .rule files", path);
    if (sm_service_parse(text->data, text->len, &c->arena, &x->items, &x->n, err))
        return true;
    err->code = SM_ERR_USAGE;
    return sm_err_prefix(err, "%s", path);
}

static bool read_rule_file(struct sm_call *c, const char *path, struct loaded *x,
                           struct sm_err *err)
{
    struct sm_str text = {0};
    bool ok = sm_read_file(path, RULE_FILE_MAX, &text, err);
    size_t at = ok ? strspn(sm_str_text(&text), " \t\r\n") : 0;
    if (ok && text.len && strchr("[{", sm_str_text(&text)[at]))
        ok = read_list(c, path, &text, x, err);
    else if (ok)
        ok = sm_session_rules_load(c->session, path, sm_str_text(&text), text.len, &x->rule, err);
    sm_str_clear(&text);
    return ok;
}

/* Whether the word can only be the name of a rule: no file has it, and it has no dot and no slash.
 */
static bool is_rule_name(const char *word)
{
    struct stat st;
    return !strpbrk(word, "./") && stat(word, &st) != 0 && errno == ENOENT;
}

static bool read_word(struct sm_call *c, const char *word, struct loaded *x, struct sm_err *err)
{
    *x = (struct loaded){.known = !sm_call_flag(c, "define") && is_rule_name(word)};
    if (!x->known)
        return read_rule_file(c, word, x, err);
    x->rule = sm_session_rules_find(c->session, word);
    return x->rule || sm_rule_unknown(sm_text(word), err);
}

/* ---- attaching ---- */

static void say_attached(struct sm_result *out, const struct sm_rule_instance *i)
{
    sm_rule_attached_node(out, sm_node_map(out, out->root, NULL), i);
    sm_result_text(out, "%s is attached.", sm_result_escape(out, i->name, strlen(i->name)));
}

/* Attaches one rule of a list. Returns false if it has status Error, or is not attached at all. */
static bool attach_configuration(struct sm_session *s, struct sm_rules *r,
                                 const struct sm_service_rule *x, struct sm_result *out,
                                 struct sm_err *err)
{
    const char *name = x->rule ? x->rule : "";
    const struct sm_rule *rule = sm_session_rules_find(s, name);
    struct sm_rule_instance *i;
    bool ok = rule ? check_actions(x, err) &&
                         sm_rule_attach(s, r, rule, x->instance, x->args, x->n_args, &i, err)
                   : sm_rule_unknown(sm_text(name), err);
    if (ok)
        say_attached(out, i);
    return ok || sm_err_prefix(err, "%s", x->instance ? x->instance : name);
}

static bool attach_rule(struct sm_session *s, struct sm_rules *r, const struct loaded *x,
                        struct sm_result *out, struct sm_err *err)
{
    struct sm_rule_instance *i;
    if (!sm_rule_attach(s, r, x->rule, NULL, NULL, 0, &i, err))
        return x->known ? sm_err_prefix(err, "%s", x->rule->class_name) : false;
    say_attached(out, i);
    sm_rule_hint_at_names(r, i, out);
    return true;
}

static bool attach(struct sm_session *s, struct sm_rules *r, const struct loaded *x,
                   struct sm_result *out, struct sm_err *err)
{
    bool ok = x->rule ? attach_rule(s, r, x, out, err) : true;
    for (size_t i = 0; i < x->n; i++) /* attach all; report the first error */
        ok = attach_configuration(s, r, &x->items[i], out, ok ? err : NULL) && ok;
    return ok;
}

static void say_defined(struct sm_result *out, const struct sm_rule *rule)
{
    struct sm_node *map = sm_node_map(out, out->root, NULL);
    sm_node_text(out, map, "rule", rule->class_name);
    sm_node_null(out, map, "instance");
    sm_result_text(out, "%s can be added.", rule->name);
}

static bool run_load(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct loaded x;
    bool define = sm_call_flag(c, "define"), ok = read_word(c, c->words[0].text.p, &x, err);
    sm_node_list(out, NULL, NULL);
    if (ok && define)
        say_defined(out, x.rule);
    for (size_t i = 0; ok && !define && i < s->n_trials; i++)
        if (i == s->current || sm_call_flag(c, "all"))
            ok = attach(s, sm_session_rules_of(s, i), &x, out, err);
    if (sm_call_flag(c, "quiet"))
        sm_result_reset(out);
    return ok;
}

bool sm_rules_load_for_all(struct sm_call *c, const char *word, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_result none;
    struct loaded x;
    bool ok = read_word(c, word, &x, err);
    sm_result_init(&none);
    sm_node_list(&none, NULL, NULL);
    for (size_t i = 0; ok && i < s->n_trials; i++)
        ok = attach(s, sm_session_rules_of(s, i), &x, &none, err);
    if (ok)
        attach(s, sm_session_rules_to_come(s), &x, &none, err);
    sm_result_clear(&none);
    return ok;
}

static const struct sm_option load_options[] = {
    {.name = "all", .kind = SM_ARG_FLAG, .help = "attach to all open trials"},
    {.name = "define",
     .kind = SM_ARG_FLAG,
     .help = "attach nothing; make the rule available to \"rule add\""},
    {.name = "quiet", .kind = SM_ARG_FLAG, .help = "print nothing on success"},
    {0},
};
static const struct sm_arg load_args[] = {{.name = "FILE", .kind = SM_ARG_FILE, .required = true},
                                          {0}};
const struct sm_cmd sm_cmd_rule_load = {
    .parent = "rule",
    .name = "load",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach the rule of a .rule file, a JSON list, or by name",
    .help = "A .rule file has lines KEY = VALUE: name, summary, param NAME, collection or regex, "
            "when, message, advice, mode\n"
            "(doc/rules.md). A list of the service has objects with RuleConfigurationName and "
            "RuleParameters; other keys are ignored.\n"
            "If there is no such file, FILE is the name of a rule, which is attached as by \"rule "
            "add\".\n"
            "The files ~/.config/smdbg/rules/*.rule are loaded with -define at startup.",
    .example = "rule load doc/rules/large_mean.rule",
    .see_also = "rule",
    .args = load_args,
    .options = load_options,
    .without_trial = "define",
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = "[{rule:text,instance:text?}]",
    .run = run_load,
};
