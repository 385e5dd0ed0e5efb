/* SPDX-License-Identifier: Apache-2.0 */
/* Attaches rules: names, parameters, and the rules of `rule auto`. */
#include "rules/private.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- names ---- */

size_t sm_rules_find(const struct sm_rules *r, const char *instance)
{
    size_t i = 0;
    while (i < r->n && strcasecmp(r->items[i]->name, instance) != 0)
        i++;
    return i;
}

static char *unique_name(const struct sm_rules *r, const char *base)
{
    struct sm_str name = {0};
    sm_str_add(&name, base);
    for (unsigned k = 2; sm_rules_find(r, sm_str_text(&name)) < r->n; k++) {
        sm_str_truncate(&name, 0);
        sm_str_printf(&name, "%s_%u", base, k);
    }
    char *copy = sm_xstrdup(sm_str_text(&name));
    sm_str_clear(&name);
    return copy;
}

/* ---- arguments ---- */

static bool parse_step(const char *name, const char *text, int64_t *out, struct sm_err *err)
{
    char *end;
    double v = sm_parse_double(text, &end);
    if (end == text || *end || !(v >= 0 && v <= 9e18))
        return sm_err_set(err, SM_ERR_USAGE, "%s must be a step, not \"%s\"", name, text);
    *out = (int64_t)v;
    return true;
}

static bool parse_mode(const char *text, enum sm_mode *out, struct sm_err *err)
{
    static const char *const names[SM_MODES] = {"any", "train", "eval", "predict", "global"};
    for (int m = 0; m < SM_MODES; m++)
        if (strcasecmp(text, names[m]) == 0) {
            *out = (enum sm_mode)m;
            return true;
        }
    return sm_err_set(err, SM_ERR_USAGE, "mode must be train, eval, predict or global, not \"%s\"",
                      text);
}

static bool parse_policy(const char *text, bool *out, struct sm_err *err)
{
    *out = strcasecmp(text, "continue") == 0;
    return *out || strcasecmp(text, "once") == 0 ||
           sm_err_set(err, SM_ERR_USAGE, "policy must be once or continue, not \"%s\"", text);
}

static bool parse_judge(const char *text, bool *out, struct sm_err *err)
{
    *out = strcasecmp(text, "auto") == 0;
    return *out || strcasecmp(text, "definition") == 0 ||
           sm_err_set(err, SM_ERR_USAGE, "judge must be definition or auto, not \"%s\"", text);
}

/* Arguments of the engine itself; *taken is false if it has none of this name. */
static bool set_engine_argument(struct sm_rule_instance *i, const char *name, const char *text,
                                bool *taken, struct sm_err *err)
{
    *taken = true;
    if (strcasecmp(name, "mode") == 0)
        return parse_mode(text, &i->mode, err);
    if (strcasecmp(name, "policy") == 0)
        return parse_policy(text, &i->continues, err);
    if (strcasecmp(name, "judge") == 0)
        return parse_judge(text, &i->leniently, err);
    if (strcasecmp(name, "start_step") == 0)
        return parse_step(name, text, &i->start, err);
    if (strcasecmp(name, "end_step") == 0)
        return parse_step(name, text, &i->end, err);
    if (strcasecmp(name, "workers") == 0) {
        i->workers = strcasecmp(text, "first") == 0
                         ? NULL
                         : sm_arena_xstrndup(&i->arena, text, strlen(text));
        return true;
    }
    if (strcasecmp(name, "action") == 0) {
        i->actions = i->actions ? sm_arena_xprintf(&i->arena, "%s; %s", i->actions, text)
                                : sm_arena_xstrndup(&i->arena, text, strlen(text));
        return true;
    }
    *taken = false;
    return true;
}

static bool set_argument(struct sm_rule_instance *i, const char *argument, struct sm_err *err)
{
    const char *equals = strchr(argument, '=');
    bool taken;
    if (!equals)
        return sm_err_set(err, SM_ERR_USAGE, "expected NAME=VALUE, not \"%s\"", argument);
    char *name = sm_arena_xstrndup(&i->arena, argument, (size_t)(equals - argument));
    /* a parameter of the rule takes precedence over an argument of the engine */
    bool own = sm_rule_value(i->rule, i->values, name) != NULL;
    if (!own && (!set_engine_argument(i, name, equals + 1, &taken, err) || taken))
        return !err->code;
    return sm_rule_set(i->rule, i->values, name, equals + 1, &i->arena, err);
}

bool sm_rule_pick_is_empty(const struct sm_rule_pick *pick)
{
    return !pick->collection && !pick->collections && !pick->regex && !pick->names && !pick->all;
}

static struct sm_rule_how how_to_judge(const struct sm_rule *rule, bool leniently)
{
    const struct sm_rule_auto *a = leniently ? rule->how_auto : NULL;
    if (!a)
        return (struct sm_rule_how){.picks = rule->picks,
                                    .state_size = rule->state_size,
                                    .keeps_state = rule->state_size && !rule->forgets,
                                    .judge = rule->judge,
                                    .clear = rule->clear};
    return (struct sm_rule_how){.picks = sm_rule_pick_is_empty(a->picks) ? rule->picks : a->picks,
                                .state_size = a->state_size,
                                .keeps_state = a->state_size,
                                .judge = a->judge,
                                .clear = a->clear};
}

/* "a=b c=d" */
static size_t split_words(const char *text, const char **out, size_t most, struct sm_arena *a)
{
    size_t n = 0;
    for (const char *p = text; *p && n < most; p += strspn(p, " ")) {
        size_t length = strcspn(p, " ");
        out[n++] = sm_arena_xstrndup(a, p, length);
        p += length;
    }
    return n;
}

/* With judge=auto the parameters that `rule auto` gives are the defaults. */
static bool set_auto_defaults(struct sm_rule_instance *i, const char *const *args, size_t n,
                              struct sm_err *err)
{
    const char *words[SM_RULE_AUTO_ARGS];
    bool lenient = false;
    for (size_t k = 0; k < n; k++)
        lenient = lenient || strcasecmp(args[k], "judge=auto") == 0;
    size_t n_words = lenient && i->rule->automatic
                         ? split_words(i->rule->automatic, words, SM_RULE_AUTO_ARGS, &i->arena)
                         : 0;
    for (size_t k = 0; k < n_words; k++)
        if (!set_argument(i, words[k], err))
            return false;
    return true;
}

static bool prepare_instance(struct sm_rule_instance *i, const char *const *args, size_t n,
                             struct sm_err *err)
{
    struct sm_rule_private *p = i->own;
    i->values = sm_rule_values(i->rule, &i->arena);
    i->args = sm_arena_xalloc(&i->arena, (n + 1) * sizeof *i->args);
    for (size_t k = 0; k < n; k++)
        i->args[i->n_args++] = sm_arena_xstrndup(&i->arena, args[k], strlen(args[k]));
    if (!set_auto_defaults(i, args, n, err))
        return false;
    for (size_t k = 0; k < n; k++)
        if (!set_argument(i, args[k], err))
            return false;
    if (!sm_rule_check(i->rule, i->values, err))
        return false;
    p->how = how_to_judge(i->rule, i->leniently);
    for (size_t k = 0; k < SM_RULE_PICKS; k++) {
        const struct sm_rule_pick *pick = &p->how.picks[k];
        if (sm_rule_pick_is_empty(pick))
            break;
        p->n_needs++;
        if (!sm_need_init(&p->needs[k], i->rule, pick, i->values, err))
            return false;
    }
    p->state = sm_xalloc_zero(1, p->how.state_size + 1);
    p->next = i->start;
    return true;
}

struct sm_rule_instance *sm_rules_add(struct sm_rules *r, const struct sm_rule *rule,
                                      const char *instance, const char *const *args, size_t n,
                                      struct sm_err *err)
{
    struct sm_err local = {0};
    struct sm_rule_instance *i = sm_xalloc_zero(1, sizeof *i);
    *i = (struct sm_rule_instance){.rule = rule,
                                   .name = unique_name(r, instance ? instance : rule->class_name),
                                   .end = INT64_MAX,
                                   .continues = rule->on_windows,
                                   .first_fired = -1,
                                   .last_fired = -1,
                                   .last_tested = -1,
                                   .own = sm_xalloc_zero(1, sizeof *i->own)};
    i->own->rules = r;
    if (!prepare_instance(i, args, n, &local)) {
        i->status = SM_RULE_ERROR;
        i->reason = sm_xstrdup(local.msg);
        if (err)
            *err = local;
    }
    if (r->n == r->cap)
        r->items = sm_xrealloc(r->items, r->cap = 2 * r->cap + 8, sizeof *r->items);
    r->items[r->n++] = i;
    r->version++;
    r->settled = false;
    r->waiting = false;
    r->busy = true;
    return i;
}

void sm_rule_detach(struct sm_rule_instance *i)
{
    struct sm_rule_private *p = i->own;
    sm_rule_forget_twin(i);
    sm_rule_clear_notes(p);
    sm_measured_drop(p, 0);
    sm_evaluated_drop(p, 0);
    sm_expr_memory_clear(&p->memory);
    for (size_t k = 0; k < p->n_needs; k++) {
        sm_need_clear(&p->needs[k]);
        sm_free(p->items[k]);
    }
    if (p->state && p->how.clear)
        p->how.clear(p->state);
    for (size_t k = 0; k < i->n_findings; k++)
        sm_finding_clear(&i->findings[k]);
    sm_free(p->state);
    sm_free(p->notes);
    sm_free(p->measured);
    sm_free(p->evaluated);
    sm_free(p->similar);
    sm_map_clear(&p->reported);
    sm_map_clear(&p->remarked);
    for (size_t k = 0; k < SM_RULE_REMARKS; k++)
        sm_remark_clear(&i->remarks[k]);
    sm_free(p);
    sm_free(i->findings);
    sm_free(i->reason);
    sm_free(i->name);
    sm_arena_clear(&i->arena);
    sm_free(i);
}

void sm_rules_remove(struct sm_rules *r, size_t i)
{
    sm_rule_detach(r->items[i]);
    memmove(&r->items[i], &r->items[i + 1], (--r->n - i) * sizeof *r->items);
    r->version++;
}

/* ---- rule auto ---- */

static bool pick_has_tensors(const struct sm_rule *rule, const struct sm_rule_pick *pick,
                             const struct sm_rule_value *values, struct sm_trial *t)
{
    struct sm_need need;
    bool some = false;
    if (sm_need_init(&need, rule, pick, values, NULL)) {
        sm_need_update(&need, t);
        some = need.n_ids > 0 || sm_need_fall_back(&need, t);
    }
    sm_need_clear(&need);
    return some;
}

/* One of the tensors of the first pick is as the rule wants it under `rule auto`. */
static bool suits(const struct sm_rule *rule, const struct sm_rule_value *values,
                  struct sm_trial *t)
{
    struct sm_need need;
    bool found = !rule->suits;
    if (!found && sm_need_init(&need, rule, &rule->picks[0], values, NULL)) {
        sm_need_update(&need, t);
        sm_need_fall_back(&need, t);
        for (size_t i = 0; i < need.n_ids && !found; i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor_of(t, need.ids[i]);
            found = x && rule->suits(x);
        }
        sm_need_clear(&need);
    }
    return found;
}

static bool has_tensors(const struct sm_rule *rule, const struct sm_rule_value *values,
                        bool leniently, struct sm_trial *t)
{
    const struct sm_rule_pick *picks = how_to_judge(rule, leniently).picks;
    bool any = false, has_picks = false;
    for (size_t k = 0; k < SM_RULE_PICKS; k++) {
        const struct sm_rule_pick *pick = &picks[k];
        if (sm_rule_pick_is_empty(pick))
            continue;
        bool some = pick_has_tensors(rule, pick, values, t);
        if (!some && !pick->optional)
            return false;
        has_picks = true;
        any = any || some;
    }
    return any || !has_picks;
}

/* The profile, as soon as it is read. */
static const struct sm_profile *read_profile(struct sm_trial *t)
{
    const struct sm_profile *p = sm_trial_profile(t);
    return p && sm_profile_is_read(p) ? p : NULL;
}

static bool has_data(const struct sm_rules *r, const struct sm_rule *rule,
                     const struct sm_rule_value *values)
{
    const struct sm_profile *p = rule->on_windows ? read_profile(r->trial) : NULL;
    if (rule->on_windows)
        return p && rule->suits_profile(p);
    return has_tensors(rule, values, !r->by_definition, r->trial) && suits(rule, values, r->trial);
}

bool sm_rule_has_tensors(const struct sm_rule *rule, const struct sm_rule_value *values,
                         struct sm_trial *t)
{
    return has_tensors(rule, values, false, t);
}

static bool is_attached(const struct sm_rules *r, const struct sm_rule *rule)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i]->rule == rule)
            return true;
    return false;
}

size_t sm_rule_auto_args(const struct sm_rule *rule, bool by_definition, struct sm_arena *a,
                         const char **out)
{
    size_t n = rule->automatic ? split_words(rule->automatic, out, SM_RULE_AUTO_ARGS - 2, a) : 0;
    out[n++] = "workers=all";
    if (rule->how_auto && !by_definition)
        out[n++] = "judge=auto";
    return n;
}

static void attach_if_tensors_exist(struct sm_rules *r, const struct sm_rule *rule)
{
    const char *args[SM_RULE_AUTO_ARGS];
    struct sm_arena a = {0};
    struct sm_rule_value *values = sm_rule_values(rule, &a);
    size_t n = sm_rule_auto_args(rule, r->by_definition, &a, args);
    if (r->by_guide && rule->preset_doc)
        n += split_words(rule->preset_doc, args + n, SM_RULE_AUTO_ARGS - n, &a);
    for (size_t k = 0; k < n; k++) {
        char *name = sm_arena_xstrndup(&a, args[k], strcspn(args[k], "="));
        if (sm_rule_value(rule, values, name))
            sm_rule_set(rule, values, name, strchr(args[k], '=') + 1, &a, NULL);
    }
    if (has_data(r, rule, values))
        sm_rules_add(r, rule, NULL, args, n, NULL)->automatic = true;
    sm_arena_clear(&a);
}

/* Changes with the names, with the modes, and whenever the number of steps has doubled: a tensor
 * may then have been saved in another mode. */
static uint64_t auto_key(const struct sm_rules *r)
{
    static const enum sm_mode modes[] = {SM_MODE_TRAIN, SM_MODE_EVAL, SM_MODE_PREDICT};
    const struct sm_trial *t = r->trial;
    uint64_t key = 1 + sm_trial_tensor_count(t) * 1024 + sm_trial_collection_count(t), doubled = 0;
    for (size_t n = sm_trial_step_count(t); n; n /= 2)
        doubled++;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        key = 2 * key + sm_trial_has_mode(t, modes[i]);
    key = 2 * key + (sm_trial_state(t) == SM_TRIAL_ENDED);
    const struct sm_profile *p = r->takes_windows ? read_profile(r->trial) : NULL;
    if (p)
        key +=
            4096 * sm_profile_metrics(p)->n_series + 8192 * sm_profile_events(p)->n_phases + 2048;
    return 64 * key + doubled;
}

void sm_rules_attach_new(struct sm_rules *r)
{
    uint64_t key = auto_key(r);
    if (!r->candidates || key == r->auto_key)
        return;
    r->auto_key = key;
    for (const struct sm_rule *const *rule = r->candidates; *rule; rule++)
        if ((*rule)->automatic && !is_attached(r, *rule))
            attach_if_tensors_exist(r, *rule);
}
