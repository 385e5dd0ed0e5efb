/* rule: the rules there are, and those attached to the trial. What they found is in cmd_verdict.c.
 */
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_action.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"
#include "commands/session/read_file.h"

#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

bool sm_rule_unknown(struct sm_text name, struct sm_err *err)
{
    const char *best = NULL;
    unsigned least = 6;
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++) {
        unsigned distance = sm_edit_distance(name.p, (*r)->name, least - 1);
        if (distance < least) {
            least = distance;
            best = (*r)->name;
        }
    }
    return sm_err_set(err, SM_ERR_MISSING, "No rule \"%.*s\".%s%s%s  Try \"rule list\".",
                      (int)name.n, name.p, best ? "  Did you mean \"" : "", best ? best : "",
                      best ? "\"?" : "");
}

/* An instance of the current trial by name; its index, or the count with err. */
static size_t find_instance(struct sm_call *c, const struct sm_word *w, struct sm_err *err)
{
    struct sm_rules *r = sm_session_rules_current(c->session);
    size_t i = sm_rules_find(r, w->text.p);
    if (i == sm_rules_count(r))
        sm_err_set(err, SM_ERR_MISSING, "No rule \"%.*s\" is attached.  Try \"rule status\".",
                   (int)w->text.n, w->text.p);
    return i;
}

/* ---- rule list ---- */

static const struct sm_column list_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "class", .header = "CLASS", .hidden = true},
    {.key = "group", .header = "GROUP"},
    {.key = "summary", .header = "SUMMARY", .wraps = true},
};

static bool run_list(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    const struct sm_rule *only =
        c->n_words ? sm_session_rules_find(c->session, c->words[0].text.p) : NULL;
    if (c->n_words && !only)
        return sm_rule_unknown(c->words[0].text, err);
    if (only) {
        sm_describe_rule_row(out, list, only);
        sm_describe_rule(out, only);
        out->columns = list_columns;
        out->n_columns = COUNT(list_columns);
        return true;
    }
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        sm_describe_rule_row(out, list, *r);
    for (size_t i = 0; i < sm_judge(c->session)->n_customs; i++)
        sm_describe_rule_row(out, list, &sm_judge(c->session)->customs[i]->rule);
    sm_result_listing(out, list, list_columns, COUNT(list_columns));
    return true;
}

static const struct sm_arg one_rule[] = {{.name = "NAME", .kind = SM_ARG_RULE}, {0}};
const struct sm_cmd sm_cmd_rule_list = {
    .parent = "rule",
    .name = "list",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Every rule there is, or all about one",
    .example = "rule list vanishing_gradient",
    .see_also = "rule",
    .args = one_rule,
    .flags = SM_CMD_LISTING | SM_CMD_LOOKS,
    .run = run_list,
};

/* ---- rule needs ---- */

static const struct sm_column needs_columns[] = {
    {.key = "rule", .header = "RULE"},
    {.key = "ready", .header = "READY"},
    {.key = "saves", .header = "WHAT THE HOOK MUST SAVE"},
};

static void add_need(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                     const struct sm_rule *r)
{
    struct sm_arena a = {0};
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "rule", r->name);
    sm_node_bool(out, row, "ready",
                 sm_rule_has_tensors(r, sm_rule_values(r, &a), sm_session_trial(c->session)));
    sm_node_text(out, row, "saves", r->saves);
    sm_arena_clear(&a);
}

static bool run_needs(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    const struct sm_rule *only =
        c->n_words ? sm_session_rules_find(c->session, c->words[0].text.p) : NULL;
    if (c->n_words && !only)
        return sm_rule_unknown(c->words[0].text, err);
    if (only)
        add_need(c, out, list, only);
    for (const struct sm_rule *const *r = sm_rule_table; !only && *r; r++)
        add_need(c, out, list, *r);
    sm_result_listing(out, list, needs_columns, COUNT(needs_columns));
    return true;
}

const struct sm_cmd sm_cmd_rule_needs = {
    .parent = "rule",
    .name = "needs",
    .cmd_class = SM_CLASS_RULES,
    .summary = "What the hook must save for each rule, and whether the trial has it",
    .help = "With the rules' default parameters. Save intervals are in parentheses.",
    .example = "rule needs overfit",
    .see_also = "rule info",
    .args = one_rule,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_LOOKS,
    .run = run_needs,
};

/* ---- arguments of rules ---- */

/* The words behind the name as NAME=VALUE; those of expr begin with its expression. */
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

static bool add(struct sm_session *s, struct sm_rules *r, const struct sm_rule *rule,
                const char *instance, const char *const *args, size_t n,
                struct sm_rule_instance **out, struct sm_err *err)
{
    const char *mode = sm_session_rules_mode(s, rule);
    const char **all = sm_xalloc((n + 1) * sizeof *all);
    size_t k = 0;
    if (mode)
        all[k++] = mode;
    for (size_t i = 0; i < n; i++)
        all[k++] = args[i];
    *out = sm_rules_add(r, rule, instance, all, k, err);
    sm_free(all);
    s->news++;
    return (*out)->status != SM_RULE_ERROR;
}

/* ---- rule add ---- */

/* A pattern that matches nothing yet may be a slip. */
static void hint_at_names(struct sm_rules *r, const struct sm_rule_instance *i,
                          struct sm_result *out)
{
    struct sm_trial *t = sm_rules_trial(r);
    struct sm_str names = {0};
    if (sm_trial_tensor_count(t) && !sm_rule_has_tensors(i->rule, i->values, t) &&
        sm_rule_similar(i, t, &names))
        sm_result_dim(out, "No tensor matches so far. Similar: %s", sm_str_text(&names));
    sm_str_clear(&names);
}

static bool run_add(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_rule *rule = sm_session_rules_find(c->session, c->words[0].text.p);
    const struct sm_word *as = sm_call_keyword(c, "as");
    struct sm_rule_instance *i;
    const char **args;
    size_t n;
    if (!rule)
        return sm_rule_unknown(c->words[0].text, err);
    if (!sm_rule_arguments(c, rule, &args, &n, err))
        return false;
    struct sm_rules *r = sm_session_rules_current(c->session);
    if (!add(c->session, r, rule, as ? as->text.p : NULL, args, n, &i, err))
        return false;
    sm_result_text(out, "%s is attached.", sm_result_escape(out, i->name, strlen(i->name)));
    hint_at_names(r, i, out);
    return true;
}

static const struct sm_arg add_args[] = {
    {.name = "NAME", .kind = SM_ARG_RULE, .required = true},
    {.name = "PARAMETER=VALUE", .kind = SM_ARG_RULE_PARAM, .repeats = true},
    {.name = "INSTANCE", .kind = SM_ARG_TEXT, .keyword = "as"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKERS", .kind = SM_ARG_WORKER, .keyword = "workers"},
    {0},
};
const struct sm_cmd sm_cmd_rule_add = {
    .parent = "rule",
    .name = "add",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach a rule to the current trial",
    .help = "It judges all complete steps from the first on, then those that come. For every rule: "
            "mode, workers (first, all or a\n"
            "name), start_step, end_step, policy=once or continue, action=\"print; bell; break; "
            "log FILE; stop; shell CMD; notify\".\n"
            "\"rule add expr 'CONDITION'\" takes a condition of one's own. A wrong parameter "
            "leaves the rule with status Error.",
    .example = "rule add expr 'mean(abs(x)) > 10' collection_names=gradients as big_gradients",
    .see_also = "rule print",
    .args = add_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_add,
};

/* ---- rule remove, enable, disable ---- */

static bool for_each_instance(struct sm_call *c, void (*each)(struct sm_rules *r, size_t i),
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

static void enable(struct sm_rules *r, size_t i)
{
    sm_rules_enable(r, i, true);
}

static void disable(struct sm_rules *r, size_t i)
{
    sm_rules_enable(r, i, false);
}

static bool run_remove(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return for_each_instance(c, sm_rules_remove, err);
}

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return for_each_instance(c, enable, err);
}

static bool run_disable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return for_each_instance(c, disable, err);
}

static const struct sm_arg instances[] = {
    {.name = "INSTANCE", .kind = SM_ARG_INSTANCE, .required = true, .repeats = true}, {0}};
const struct sm_cmd sm_cmd_rule_remove = {
    .parent = "rule",
    .name = "remove",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Take attached rules away; \"all\" is every one",
    .example = "rule remove all",
    .args = instances,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_remove,
};
const struct sm_cmd sm_cmd_rule_enable = {
    .parent = "rule",
    .name = "enable",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Let stopped rules go on with the next step",
    .example = "rule enable all",
    .args = instances,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_enable,
};
const struct sm_cmd sm_cmd_rule_disable = {
    .parent = "rule",
    .name = "disable",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Stop rules; what they found stays",
    .example = "rule disable all",
    .args = instances,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_disable,
};

/* ---- rule auto ---- */

static bool run_auto(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    static const char *const words[] = {"on", "off"};
    struct sm_rules *r = sm_session_rules_current(c->session);
    bool on = !c->n_words || sm_text_is(c->words[0].text, words[0]);
    if (!on && !sm_text_is(c->words[0].text, words[1]))
        return sm_err_set(err, SM_ERR_USAGE, "on or off is expected.");
    sm_rules_auto(r, on);
    c->session->news++;
    sm_result_text(out, on ? "Every rule whose tensors exist is attached."
                           : "No further rule is attached by itself.");
    return true;
}

static const char *const on_off[] = {"on", "off", NULL};
static const struct sm_arg auto_args[] = {{.name = "on|off", .kind = SM_ARG_WORD, .words = on_off},
                                          {0}};
const struct sm_cmd sm_cmd_rule_auto = {
    .parent = "rule",
    .name = "auto",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach every rule whose tensors exist, also those that come later",
    .help = "With default parameters; all_zero looks at gradients and outputs, tensor_variance and "
            "unchanged_tensor at weights.",
    .example = "rule auto",
    .see_also = "rule",
    .args = auto_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_auto,
};

/* ---- rule load ---- */

enum { RULE_FILE_MAX = 4 << 20 };

static bool check_actions(const struct sm_service_rule *x, struct sm_err *err)
{
    for (size_t k = 0; k < x->n_args; k++)
        if (strncasecmp(x->args[k], "action=", 7) == 0 && !sm_action_check(x->args[k] + 7, err))
            return false;
    return true;
}

/* False: it has status Error, or is not attached at all. */
static bool add_configuration(struct sm_call *c, struct sm_rules *r,
                              const struct sm_service_rule *x, struct sm_result *out,
                              struct sm_err *err)
{
    const char *name = x->rule ? x->rule : "";
    const struct sm_rule *rule = sm_session_rules_find(c->session, name);
    struct sm_rule_instance *i;
    bool ok = rule ? check_actions(x, err) &&
                         add(c->session, r, rule, x->instance, x->args, x->n_args, &i, err)
                   : sm_rule_unknown(sm_text(name), err);
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
    for (size_t i = 0; i < n; i++) /* all of them; the first failure is told */
        ok = add_configuration(c, r, &items[i], out, ok ? err : NULL) && ok;
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
        sm_result_text(out, "%s can be added.", rule->name);
        return true;
    }
    if (!add(c->session, r, rule, NULL, NULL, 0, &i, err))
        return false;
    sm_result_text(out, "%s is attached.", i->name);
    hint_at_names(r, i, out);
    return true;
}

/* r: the rules of a trial; NULL with -define. */
static bool load(struct sm_call *c, struct sm_rules *r, struct sm_result *out, struct sm_err *err)
{
    const char *path = c->words[0].text.p;
    struct sm_str text = {0};
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
        ok = load(c, NULL, out, err);
    for (size_t i = 0; ok && !define && i < s->n_trials; i++)
        if (i == s->current || sm_call_flag(c, "all"))
            ok = load(c, sm_session_rules_of(s, i), out, err);
    if (sm_call_flag(c, "quiet"))
        sm_result_reset(out);
    return ok;
}

static const struct sm_option load_options[] = {
    {.name = "all", .kind = SM_ARG_FLAG, .help = "attach to all open trials"},
    {.name = "define",
     .kind = SM_ARG_FLAG,
     .help = "attach nothing; \"rule add\" knows the rule from now on"},
    {.name = "quiet", .kind = SM_ARG_FLAG, .help = "say nothing when all went well"},
    {0},
};
static const struct sm_arg load_args[] = {{.name = "FILE", .kind = SM_ARG_FILE, .required = true},
                                          {0}};
const struct sm_cmd sm_cmd_rule_load = {
    .parent = "rule",
    .name = "load",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach the rule of a .rule file, or a JSON list of the service",
    .help = "A .rule file has lines KEY = VALUE: name, summary, param NAME, collection or regex, "
            "when, message, advice, mode\n"
            "(doc/rules.md). A list has objects with RuleConfigurationName and RuleParameters; "
            "other keys are ignored. The files\n"
            "~/.config/smdbg/rules/*.rule are loaded with -define at the start.",
    .example = "rule load doc/rules/large_mean.rule",
    .see_also = "rule",
    .args = load_args,
    .options = load_options,
    .without_trial = "define",
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_load,
};

/* ---- rule ---- */

const struct sm_cmd sm_cmd_rule = {
    .name = "rule",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Rules that judge the run: list, attach, test, explain",
    .help = "\"help rule NAME\" tells all about one of them.",
    .example = "rule auto",
    .see_also = "info report",
};
