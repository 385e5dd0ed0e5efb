/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "rules/builtin/rule_list.h"

static bool run_auto(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_rules *r = sm_session_rules_current(c->session);
    bool defined = c->n_words && sm_text_is(c->words[0].text, "definition"),
         on = !c->n_words || defined || sm_text_is(c->words[0].text, "on");
    if (!on && !sm_text_is(c->words[0].text, "off"))
        return sm_err_set(err, SM_ERR_USAGE, "Expected on, off or definition.");
    const struct sm_word *preset = sm_call_keyword(c, "preset");
    bool guide = preset && sm_text_is(preset->text, "doc");
    if (preset && !guide && !sm_text_is(preset->text, "service"))
        return sm_err_set(err, SM_ERR_USAGE, "The preset is service or doc.");
    sm_rules_auto_by_definition(r, defined);
    sm_rules_auto_by_guide(r, guide);
    sm_session_rules_ask(c->session);
    sm_rules_auto(r, on ? sm_rule_table : NULL);
    c->session->news++;
    sm_node_bool(out, sm_node_map(out, NULL, NULL), "auto", on);
    sm_result_text(out, on ? "Every rule whose tensors exist is attached."
                           : "No more rules are attached automatically.");
    return true;
}

static const char *const auto_words[] = {"on", "off", "definition", NULL};
static const char *const presets[] = {"service", "doc", NULL};
static const struct sm_arg auto_args[] = {
    {.name = "on|off|definition", .kind = SM_ARG_WORD, .words = auto_words},
    {.name = "PRESET", .kind = SM_ARG_WORD, .words = presets, .keyword = "preset"},
    {0}};
const struct sm_cmd sm_cmd_rule_auto = {
    .parent = "rule",
    .name = "auto",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach every rule whose tensors exist, now or later",
    .help =
        "A run that learns stays quiet: most rules judge trends instead of single steps, and what "
        "is odd but harmless is a\nremark, which is shown and does not fire. \"help rule "
        "NAME\" says where a rule differs from its definition; \"rule auto\ndefinition\" and "
        "\"rule add NAME\" judge by the definitions. With \"preset doc\" rules of a "
        "profile have the parameters of\nthe service's guide instead of those that the service "
        "sets.",
    .example = "rule auto",
    .see_also = "rule",
    .args = auto_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = "{auto:bool}",
    .run = run_auto,
};
