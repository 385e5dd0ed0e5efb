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

/* Attaches one rule of a list. Returns false if it has status Error, or is not attached at all. */
static bool attach_configuration(struct sm_call *c, struct sm_rules *r,
                                 const struct sm_service_rule *x, struct sm_result *out,
                                 struct sm_err *err)
{
    const char *name = x->rule ? x->rule : "";
    const struct sm_rule *rule = sm_session_rules_find(c->session, name);
    struct sm_rule_instance *i;
    bool ok = rule ? check_actions(x, err) && sm_rule_attach(c->session, r, rule, x->instance,
                                                             x->args, x->n_args, &i, err)
                   : sm_rule_unknown(sm_text(name), err);
    if (ok)
        sm_rule_attached_node(out, sm_node_map(out, out->root, NULL), i);
    if (ok)
        sm_result_text(out, "%s is attached.", sm_result_escape(out, i->name, strlen(i->name)));
    return ok || sm_err_prefix(err, "%s", x->instance ? x->instance : name);
}

static bool load_list(struct sm_call *c, struct sm_rules *r, const char *path,
                      const struct sm_str *text, struct sm_result *out, struct sm_err *err)
{
    struct sm_service_rule *items;
    size_t n;
    bool ok = true;
    if (!sm_service_parse(text->data, text->len, &c->arena, &items, &n, err)) {
        err->code = SM_ERR_USAGE;
        return sm_err_prefix(err, "%s", path);
    }
    sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n; i++) /* attach all; report the first error */
        ok = attach_configuration(c, r, &items[i], out, ok ? err : NULL) && ok;
    return ok;
}

static bool load_rule(struct sm_call *c, struct sm_rules *r, const char *path,
                      const struct sm_str *text, struct sm_result *out, struct sm_err *err)
{
    const struct sm_rule *rule;
    struct sm_rule_instance *i;
    if (!sm_session_rules_load(c->session, path, sm_str_text(text), text->len, &rule, err))
        return false;
    if (sm_call_flag(c, "define")) {
        struct sm_node *map = sm_node_map(out, sm_node_list(out, NULL, NULL), NULL);
        sm_node_text(out, map, "rule", rule->class_name);
        sm_node_null(out, map, "instance");
        sm_result_text(out, "%s can be added.", rule->name);
        return true;
    }
    if (!sm_rule_attach(c->session, r, rule, NULL, NULL, 0, &i, err))
        return false;
    sm_rule_attached_node(out, sm_node_map(out, sm_node_list(out, NULL, NULL), NULL), i);
    sm_result_text(out, "%s is attached.", i->name);
    sm_rule_hint_at_names(r, i, out);
    return true;
}

/* A rule that is known by its name, instead of a file. */
static bool load_known(struct sm_call *c, struct sm_rules *r, const struct sm_rule *rule,
                       struct sm_result *out, struct sm_err *err)
{
    struct sm_rule_instance *i;
    if (!sm_rule_attach(c->session, r, rule, NULL, NULL, 0, &i, err))
        return sm_err_prefix(err, "%s", rule->class_name);
    sm_node_list(out, NULL, NULL);
    sm_rule_attached_node(out, sm_node_map(out, out->root, NULL), i);
    sm_result_text(out, "%s is attached.", i->name);
    sm_rule_hint_at_names(r, i, out);
    return true;
}

/* Whether the word can only be the name of a rule: no file has it, and it has no dot and no slash.
 */
static bool is_rule_name(const char *word)
{
    struct stat st;
    return !strpbrk(word, "./") && stat(word, &st) != 0 && errno == ENOENT;
}

/* Loads the file or the rule of the call. r: the rules of a trial; NULL with -define. */
static bool load_file(struct sm_call *c, struct sm_rules *r, struct sm_result *out,
                      struct sm_err *err)
{
    const char *path = c->words[0].text.p;
    struct sm_str text = {0};
    if (r && is_rule_name(path)) {
        const struct sm_rule *rule = sm_session_rules_find(c->session, path);
        return rule ? load_known(c, r, rule, out, err) : sm_rule_unknown(sm_text(path), err);
    }
    bool ok = sm_read_file(path, RULE_FILE_MAX, &text, err);
    size_t at = ok ? strspn(sm_str_text(&text), " \t\r\n") : 0;
    bool list = ok && text.len && strchr("[{", sm_str_text(&text)[at]);
    if (list && sm_call_flag(c, "define"))
        ok = sm_err_set(err, SM_ERR_USAGE, "%s: -define is for .rule files", path);
    else if (list)
        ok = load_list(c, r, path, &text, out, err);
    else if (ok)
        ok = load_rule(c, r, path, &text, out, err);
    sm_str_clear(&text);
    return ok;
}

static bool run_load(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    bool ok = true, define = sm_call_flag(c, "define");
    if (define)
        ok = load_file(c, NULL, out, err);
    for (size_t i = 0; ok && !define && i < s->n_trials; i++)
        if (i == s->current || sm_call_flag(c, "all"))
            ok = load_file(c, sm_session_rules_of(s, i), out, err);
    if (sm_call_flag(c, "quiet"))
        sm_result_reset(out);
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
