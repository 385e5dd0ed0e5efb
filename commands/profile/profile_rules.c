/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/profile_rules.h"

#include "commands/answer/json_tree.h"
#include "commands/session/feature.h"
#include "commands/session/session.h"
#include "reader/base/clock.h"
#include "reader/base/json.h"

#include <string.h>

enum { BUDGET_US = 10000 };

struct judged {
    struct sm_rules *rules; /* NULL until they are asked for */
    bool doc, over;         /* over: with the last window, which is not complete */
};
const struct sm_state_kind sm_profile_state_kind = {.trial_size = sizeof(struct judged)};
const char *const sm_profile_presets[] = {"service", "doc", NULL};

void sm_profile_rules_close(struct sm_session *s, size_t i)
{
    struct judged *j = sm_session_trial_state(s, i, &sm_profile_state_kind);
    sm_rules_free(j->rules);
    *j = (struct judged){0};
}

/* "a=1 b=2" */
static size_t split(char *text, const char **out, size_t most)
{
    size_t n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word && n < most;
         word = strtok_r(NULL, " ", &rest))
        out[n++] = word;
    return n;
}

static void attach_all(struct sm_rules *r, bool doc)
{
    for (const struct sm_rule *const *rule = sm_profiler_subrules; *rule; rule++) {
        const char *args[8];
        char text[128] = "";
        if (doc && (*rule)->preset_doc)
            snprintf(text, sizeof text, "%s", (*rule)->preset_doc);
        sm_rules_add(r, *rule, NULL, args, split(text, args, sizeof args / sizeof *args), NULL);
    }
}

/* Nothing is likely to come: then rules also judge the last window. */
static bool is_over(const struct sm_trial *t)
{
    enum sm_trial_state state = sm_trial_state(t);
    return !sm_trial_is_followed(t) || state == SM_TRIAL_STALLED || state == SM_TRIAL_ENDED;
}

const struct sm_rules *sm_profile_rules(struct sm_call *c, bool doc, struct sm_err *err)
{
    struct sm_session *s = c->session;
    if (!sm_profile_ask(c, err))
        return NULL;
    struct judged *j = sm_session_trial_state(s, s->current, &sm_profile_state_kind);
    bool over = is_over(sm_session_trial(s));
    if (j->rules && (j->doc != doc || j->over != over))
        sm_profile_rules_close(s, s->current);
    if (!j->rules) {
        j->rules = sm_rules_new(sm_session_trial(s), s->fetch, s->pool);
        j->doc = doc;
        j->over = over;
        attach_all(j->rules, doc);
        sm_rules_finite(j->rules, over);
    }
    sm_rules_pump(j->rules, true, BUDGET_US);
    if (sm_rules_all_judged(j->rules))
        return j->rules;
    c->wake_us = sm_clock_mono_us();
    sm_err_set(err, SM_ERR_WAIT, "judging the profile");
    return NULL;
}

struct sm_node *sm_profile_rule_tree(struct sm_result *out, const struct sm_rule_instance *i,
                                     const struct sm_profile *p, struct sm_err *err)
{
    struct sm_str text = {0};
    struct sm_node *tree = NULL;
    struct sm_json_writer *w = sm_json_writer_new(&text);
    sm_profiler_rule_json(i, p, w);
    sm_json_writer_free(w);
    bool ok = !text.failed && sm_json_tree(out, text.data, text.len, &tree, err);
    sm_str_clear(&text);
    return ok ? tree : NULL;
}

bool sm_profile_preset(const struct sm_call *c, bool *doc, struct sm_err *err)
{
    const struct sm_word *word = sm_call_keyword(c, "preset");
    *doc = word && sm_text_is(word->text, "doc");
    return !word || *doc || sm_text_is(word->text, "service") ||
           sm_err_set(err, SM_ERR_USAGE, "The preset is service or doc.");
}
