#include "commands/answer/shape.h"
#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "rules/builtin/rule_list.h"

static bool run_auto(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    static const char *const words[] = {"on", "off"};
    struct sm_rules *r = sm_session_rules_current(c->session);
    bool on = !c->n_words || sm_text_is(c->words[0].text, words[0]);
    if (!on && !sm_text_is(c->words[0].text, words[1]))
        return sm_err_set(err, SM_ERR_USAGE, "Expected on or off.");
    sm_rules_auto(r, on ? sm_rule_table : NULL);
    c->session->news++;
    sm_node_bool(out, sm_node_map(out, NULL, NULL), "auto", on);
    sm_result_text(out, on ? "Every rule whose tensors exist is attached."
                           : "No more rules are attached automatically.");
    return true;
}

static const char *const on_off[] = {"on", "off", NULL};
static const struct sm_arg auto_args[] = {{.name = "on|off", .kind = SM_ARG_WORD, .words = on_off},
                                          {0}};
const struct sm_cmd sm_cmd_rule_auto = {
    .parent = "rule",
    .name = "auto",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach every rule whose tensors exist, now or later",
    .help = "With default parameters; all_zero judges gradients and outputs, tensor_variance and "
            "unchanged_tensor judge weights.",
    .example = "rule auto",
    .see_also = "rule",
    .args = auto_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = "{auto:bool}",
    .run = run_auto,
};
