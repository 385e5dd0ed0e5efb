/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/profile_rules.h"

#include "commands/answer/json_tree.h"
#include "commands/judge/session_rules.h"
#include "commands/session/feature.h"
#include "commands/session/session.h"
#include "reader/base/clock.h"
#include "reader/base/json.h"

#include <string.h>

enum { BUDGET_US = 10000 };

/* Of each trial, for each way to judge: with the parameters of the guide or without, with the last
 * window, which is not complete, or without. A pane and a command may ask for different ones. */
enum { DOC = 1, OVER = 2, WAYS = 4 };
struct judged {
    struct judged_way {
        struct sm_rules *wanted; /* one of each, never judged; NULL until they are asked for */
        struct sm_rules *own;    /* those of them that nothing else judges */
    } ways[WAYS];
    struct sm_profile_written written;
};
const struct sm_state_kind sm_profile_state_kind = {.trial_size = sizeof(struct judged)};
const char *const sm_profile_presets[] = {"service", "doc", NULL};

void sm_profile_rules_close(struct sm_session *s, size_t i)
{
    struct judged *j = sm_session_trial_state(s, i, &sm_profile_state_kind);
    for (size_t k = 0; k < WAYS; k++) {
        sm_rules_free(j->ways[k].wanted);
        sm_rules_free(j->ways[k].own);
    }
    *j = (struct judged){.written = j->written};
}

struct sm_profile_written *sm_profile_written(struct sm_session *s, size_t i)
{
    struct judged *j = sm_session_trial_state(s, i, &sm_profile_state_kind);
    return &j->written;
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

/* The rule as it is judged already, else attached to the set of this room. */
static const struct sm_rule_instance *judged_one(const struct judged_way *j,
                                                 const struct sm_rules *attached, size_t k)
{
    const struct sm_rule_instance *like = sm_rules_item(j->wanted, k),
                                  *found = attached ? sm_profiler_judged(attached, k, like) : NULL;
    struct sm_rule_instance *own = sm_rules_same(j->own, like);
    if (found && own)
        sm_rules_remove(j->own, sm_rules_find(j->own, own->name));
    if (!found && !own)
        own = sm_rules_add(j->own, like->rule, NULL, like->args, like->n_args, NULL);
    return found ? found : own;
}

bool sm_profile_is_growing(const struct sm_trial *t)
{
    enum sm_trial_state state = sm_trial_state(t);
    return sm_trial_is_followed(t) && state != SM_TRIAL_STALLED && state != SM_TRIAL_ENDED;
}

static struct judged_way *way_of(struct sm_session *s, bool doc, bool over)
{
    struct judged *j = sm_session_trial_state(s, s->current, &sm_profile_state_kind);
    struct judged_way *way = &j->ways[(doc ? DOC : 0) | (over ? OVER : 0)];
    if (way->wanted)
        return way;
    way->wanted = sm_rules_new(sm_session_trial(s), s->fetch, s->pool);
    way->own = sm_rules_new(sm_session_trial(s), s->fetch, s->pool);
    attach_all(way->wanted, doc);
    sm_rules_finite(way->own, over);
    return way;
}

bool sm_profile_rules_judge(struct sm_session *s, enum sm_profile_part part, bool doc,
                            struct sm_profile_rules *out)
{
    bool growing = sm_profile_is_growing(sm_session_trial(s)),
         over = part == SM_PROFILE_SO_FAR || !growing;
    /* attached rules wait for the rest of the last window */
    const struct sm_rules *attached = over && growing ? NULL : sm_session_rules_at(s, s->current);
    struct judged_way *way = way_of(s, doc, over);
    for (size_t k = 0; k < SM_PROFILE_RULES; k++)
        out->items[k] = judged_one(way, attached, k);
    sm_rules_pump(way->own, true, BUDGET_US);
    return sm_rules_windows_judged(way->own) && (!attached || sm_rules_windows_judged(attached));
}

/* "preset doc", "preset service" */
static bool read_preset(const struct sm_call *c, bool *doc, struct sm_err *err)
{
    const struct sm_word *word = sm_call_keyword(c, "preset");
    *doc = word && sm_text_is(word->text, "doc");
    return !word || *doc || sm_text_is(word->text, "service") ||
           sm_err_set(err, SM_ERR_USAGE, "The preset is service or doc.");
}

const struct sm_profile *sm_profile_rules(struct sm_call *c, enum sm_profile_part part,
                                          struct sm_profile_rules *out, struct sm_err *err)
{
    bool doc;
    const struct sm_profile *p = read_preset(c, &doc, err) ? sm_profile_ask(c, err) : NULL;
    if (!p || sm_profile_rules_judge(c->session, part, doc, out))
        return p;
    c->wake_us = sm_clock_mono_us();
    sm_err_set(err, SM_ERR_WAIT, "judging the profile");
    return NULL;
}

const char *sm_profile_rule_status(const struct sm_rule_instance *i, const struct sm_profile *p)
{
    if (!i->triggered && !i->rule->suits_profile(p))
        return "NoData";
    return sm_rule_status_name(i->triggered && i->status == SM_RULE_IN_PROGRESS ? SM_RULE_ISSUES
                                                                                : i->status);
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
