/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the parameters of rules from text. */
#include "rules/rule.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

const char *sm_rule_type_name(enum sm_rule_type t)
{
    static const char *const names[] = {"float", "int",        "bool", "string",
                                        "mode",  "regex list", "list", "number list"};
    return names[t];
}

size_t sm_rule_param_count(const struct sm_rule *r)
{
    size_t n = 0;
    while (r->params && r->params[n].name)
        n++;
    return n;
}

static bool is_none(const char *text)
{
    return !text || !*text || strcasecmp(text, "none") == 0;
}

static bool parse_bool(const char *text, double *out)
{
    static const char *const words[2][3] = {{"false", "0", "no"}, {"true", "1", "yes"}};
    for (int v = 0; v < 2; v++)
        for (int k = 0; k < 3; k++)
            if (strcasecmp(text, words[v][k]) == 0) {
                *out = v;
                return true;
            }
    return false;
}

static bool parse_mode(const char *text, double *out)
{
    static const char *const names[SM_MODES] = {"auto", "train", "eval", "predict", "global"};
    for (int m = 0; m < SM_MODES; m++)
        if (strcasecmp(text, names[m]) == 0) {
            *out = m;
            return true;
        }
    return false;
}

static bool parse_number(const char *text, double *out)
{
    char *end;
    *out = sm_parse_double(text, &end);
    while (isspace((unsigned char)*end))
        end++;
    return end != text && !*end && !isnan(*out);
}

/* ---- lists: split at commas outside of brackets, items without surrounding blanks ---- */

static const char *item_end(const char *p)
{
    int depth = 0;
    for (; *p && (*p != ',' || depth > 0); p++) {
        if (*p == '\\' && p[1])
            p++;
        else if (strchr("[({", *p))
            depth++;
        else if (strchr("])}", *p) && depth)
            depth--;
    }
    return p;
}

/* Returns the number of items; items may be NULL to only count them. */
static size_t split_list(const char *text, const char **items, struct sm_arena *a)
{
    size_t n = 0;
    for (const char *p = text;; p++) {
        const char *end = item_end(p), *from = p, *to = end;
        while (from < to && isspace((unsigned char)*from))
            from++;
        while (to > from && isspace((unsigned char)to[-1]))
            to--;
        if (to > from) {
            if (items)
                items[n] = sm_arena_xstrndup(a, from, (size_t)(to - from));
            n++;
        }
        if (!*end)
            return n;
        p = end;
    }
}

static bool parse_list(const struct sm_rule_param *p, struct sm_rule_value *v, struct sm_arena *a)
{
    v->n = split_list(v->text, NULL, a);
    v->items = sm_arena_xalloc(a, (v->n + 1) * sizeof *v->items);
    split_list(v->text, v->items, a);
    if (p->type != SM_RULE_NUMBERS)
        return true;
    v->numbers = sm_arena_xalloc(a, (v->n + 1) * sizeof *v->numbers);
    for (size_t i = 0; i < v->n; i++)
        if (!parse_number(v->items[i], &v->numbers[i]))
            return false;
    return true;
}

/* ---- one value ---- */

static bool parse_value(const struct sm_rule_param *p, struct sm_rule_value *v, struct sm_arena *a)
{
    switch (p->type) {
    case SM_RULE_NUMBER:
    case SM_RULE_INT:
        return parse_number(v->text, &v->number) &&
               (p->type == SM_RULE_NUMBER || v->number == floor(v->number));
    case SM_RULE_BOOL:
        return parse_bool(v->text, &v->number);
    case SM_RULE_MODE:
        return parse_mode(v->text, &v->number);
    case SM_RULE_TEXT:
        return true;
    default:
        return parse_list(p, v, a);
    }
}

static bool in_range(const struct sm_rule_param *p, const struct sm_rule_value *v)
{
    bool number = p->type == SM_RULE_NUMBER || p->type == SM_RULE_INT;
    return !number || (p->min == 0 && p->max == 0) || (v->number >= p->min && v->number <= p->max);
}

static bool set_value(const struct sm_rule_param *p, struct sm_rule_value *v, const char *text,
                      struct sm_arena *a, struct sm_err *err)
{
    *v = (struct sm_rule_value){0};
    if (is_none(text))
        return true;
    v->set = true;
    v->text = sm_arena_xstrndup(a, text, strlen(text));
    if (!parse_value(p, v, a))
        return sm_err_set(err, SM_ERR_USAGE, "parameter %s: \"%s\" is not of type %s", p->name,
                          text, sm_rule_type_name(p->type));
    if (!in_range(p, v))
        return sm_err_set(err, SM_ERR_USAGE, "parameter %s must be between %g and %g, not %s",
                          p->name, p->min, p->max, text);
    return true;
}

struct sm_rule_value *sm_rule_values(const struct sm_rule *r, struct sm_arena *a)
{
    size_t n = sm_rule_param_count(r);
    struct sm_rule_value *values = sm_arena_xalloc(a, (n + 1) * sizeof *values);
    for (size_t i = 0; i < n; i++)
        set_value(&r->params[i], &values[i], r->params[i].initial, a, NULL);
    return values;
}

static bool has_name(const struct sm_rule_param *p, const char *name)
{
    return strcasecmp(p->name, name) == 0 || (p->alias && strcasecmp(p->alias, name) == 0);
}

/* "(min,max)" sets the two parameters NAME_min and NAME_max, as the rules of 2019 wrote it. */
static bool set_pair(const struct sm_rule *r, struct sm_rule_value *values, const char *name,
                     const char *text, struct sm_arena *a, struct sm_err *err)
{
    char *both = sm_arena_xstrndup(a, text, strlen(text)), *comma = strchr(both, ',');
    size_t n = strlen(both);
    if (!comma || both[0] != '(' || both[n - 1] != ')')
        return sm_err_set(err, SM_ERR_USAGE, "parameter %s must be (min,max), not \"%s\"", name,
                          text);
    both[n - 1] = 0;
    *comma = 0;
    const char *low = sm_arena_xprintf(a, "%s_min", name),
               *high = sm_arena_xprintf(a, "%s_max", name);
    return sm_rule_set(r, values, low, both + 1, a, err) &&
           sm_rule_set(r, values, high, comma + 1, a, err);
}

bool sm_rule_set(const struct sm_rule *r, struct sm_rule_value *values, const char *name,
                 const char *text, struct sm_arena *a, struct sm_err *err)
{
    for (size_t i = 0; i < sm_rule_param_count(r); i++) {
        if (!has_name(&r->params[i], name))
            continue;
        if (is_none(text))
            return set_value(&r->params[i], &values[i], r->params[i].initial, a, err);
        bool ok = set_value(&r->params[i], &values[i], text, a, err);
        values[i].given = ok;
        return ok;
    }
    if (sm_rule_value(r, values, sm_arena_xprintf(a, "%s_min", name)))
        return set_pair(r, values, name, text ? text : "", a, err);
    return sm_err_set(err, SM_ERR_USAGE, "%s has no parameter \"%s\"", r->class_name, name);
}

/* ---- all parameters ---- */

const struct sm_rule_value *sm_rule_value(const struct sm_rule *r,
                                          const struct sm_rule_value *values, const char *name)
{
    for (size_t i = 0; name && i < sm_rule_param_count(r); i++)
        if (strcmp(r->params[i].name, name) == 0)
            return &values[i];
    return NULL;
}

static bool is_set(const struct sm_rule *r, const struct sm_rule_value *values, const char *name)
{
    const struct sm_rule_value *v = sm_rule_value(r, values, name);
    return v && v->set;
}

bool sm_rule_check(const struct sm_rule *r, const struct sm_rule_value *values, struct sm_err *err)
{
    for (size_t i = 0; i < sm_rule_param_count(r); i++)
        if (r->params[i].required && !values[i].set)
            return sm_err_set(err, SM_ERR_USAGE, "%s requires parameter %s: %s", r->class_name,
                              r->params[i].name, r->params[i].help);
    for (size_t k = 0; k < SM_RULE_PICKS; k++) {
        const struct sm_rule_pick *pick = &r->picks[k];
        if (pick->required && !is_set(r, values, pick->collections) &&
            !is_set(r, values, pick->regex))
            return sm_err_set(err, SM_ERR_USAGE, "give %s or %s", pick->collections, pick->regex);
    }
    return !r->check || r->check(values, err);
}
