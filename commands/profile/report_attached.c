/* SPDX-License-Identifier: Apache-2.0 */
/* The report of an attached ProfilerReport: written to the directory that its parameter `output`
 * names, when the data have ended, and when the session ends. */
#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/profile/profile_rules.h"
#include "commands/profile/report_files.h"
#include "commands/session/incident.h"
#include "commands/verdict/session_verdict.h"

static const char *output_of(const struct sm_rule_instance *i)
{
    const struct sm_rule_value *v = i->rule == &sm_rule_profiler_report && i->values
                                        ? sm_rule_value(i->rule, i->values, "output")
                                        : NULL;
    return v && v->set && v->text[0] ? v->text : NULL;
}

static bool fill(const struct sm_rule_instance *i, const struct sm_profile *p,
                 struct sm_result *out, struct sm_profile_report *r, struct sm_err *err)
{
    sm_profile_report_init(r);
    for (size_t k = 0; k < SM_PROFILE_REPORT_RULES; k++) {
        const struct sm_rule_instance *part = sm_profiler_report_part(i, k);
        r->rules[k].map = part ? sm_profile_rule_tree(out, part, p, err) : NULL;
        if (!r->rules[k].map)
            return part ? false : sm_err_set(err, SM_ERR_MISSING, "there are no data");
    }
    return true;
}

static void say(struct sm_session *s, const struct sm_rule_instance *i, const char *text)
{
    sm_incidents_add(s->incidents, i->name, -1, false, text);
}

/* Of trial `at`. */
static void write_report(struct sm_session *s, size_t at, const struct sm_rule_instance *i,
                         const struct sm_profile *p, bool again, struct sm_err *why)
{
    struct sm_result out;
    struct sm_profile_report r;
    struct sm_err err = {0};
    struct sm_str text = {0};
    sm_result_init(&out);
    struct sm_node *files = sm_node_list(&out, NULL, NULL);
    if (!sm_judge_settings(s)->rule_actions)
        sm_err_set(&err, SM_ERR_REFUSED, "\"set rule-actions on\" allows it");
    else if (fill(i, p, &out, &r, &err)) {
        r.speed = sm_session_speed(s, at);
        sm_report_files_write(s, output_of(i), again, &out, files, &r, &err);
    }
    sm_str_printf(&text, "%s %s%s%s", err.code ? "no report in" : "report written to", output_of(i),
                  err.code ? ": " : "", err.code ? err.msg : "");
    say(s, i, sm_str_text(&text));
    sm_result_clear(&out);
    if (err.code && why)
        sm_err_set(why, err.code, "%s", sm_str_text(&text));
    sm_str_clear(&text);
}

/* Of the trial: what it was written of, so that it is written once. */
static bool is_new(struct sm_profile_written *w, const struct sm_rule_instance *i, uint64_t version,
                   bool *again)
{
    *again = w->of == i;
    bool new = w->of != i || w->version != version;
    *w = (struct sm_profile_written){i, version};
    return new;
}

static bool is_over(const struct sm_rule_instance *i)
{
    return i->status == SM_RULE_NO_ISSUES || i->status == SM_RULE_ISSUES;
}

/* Reads what is left. The session ends, so nothing else waits. */
static bool read_rest(const struct sm_session *s, struct sm_profile *p)
{
    while (!sm_profile_is_read(p)) {
        bool news = sm_profile_pump(p);
        if (!sm_pool_pending(s->pool) && !news && !sm_profile_is_read(p))
            return false;
        sm_pool_wait(s->pool);
        sm_pool_collect(s->pool, SM_POOL_AHEAD);
    }
    return true;
}

/* closing: the data end here. why: of the last report that was not written; may be NULL. */
static bool look(struct sm_session *s, size_t at, bool closing, struct sm_err *why)
{
    const struct sm_rules *rules = sm_session_rules_at(s, at);
    struct sm_profile *p = NULL;
    bool wrote = false, again;
    for (size_t k = 0; rules && k < sm_rules_count(rules); k++) {
        struct sm_rule_instance *i = sm_rules_item(rules, k);
        if (!output_of(i) || (!closing && !is_over(i)) || i->status == SM_RULE_ERROR)
            continue;
        p = p ? p : sm_trial_profile(s->trials[at].trial);
        if (!p || !(closing ? read_rest(s, p) : sm_profile_is_read(p)))
            return wrote;
        if (closing) {
            struct sm_rule_at end = {.profile = p, .last_window = true};
            sm_rules_judge_until(i, &end);
        }
        if (is_new(sm_profile_written(s, at), i, sm_profile_version(p), &again)) {
            write_report(s, at, i, p, again, why);
            wrote = true;
        }
    }
    return wrote;
}

bool sm_profile_reports_pump(struct sm_session *s, bool news)
{
    bool wrote = false;
    (void)news;
    for (size_t i = 0; i < s->n_trials; i++)
        wrote = look(s, i, false, NULL) || wrote;
    return wrote;
}

static void end(struct sm_session *s, size_t i, struct sm_err *why)
{
    struct sm_rules *rules = sm_session_rules_at(s, i);
    if (rules)
        sm_rules_on_fire(rules, NULL, NULL); /* nobody sees it any more */
    look(s, i, true, why);
}

void sm_profile_reports_close(struct sm_session *s, size_t i)
{
    end(s, i, NULL);
    sm_profile_rules_close(s, i);
}

bool sm_profile_reports_end(struct sm_session *s, struct sm_err *err)
{
    *err = (struct sm_err){0};
    for (size_t i = 0; i < s->n_trials; i++)
        end(s, i, err);
    return !err->code;
}
