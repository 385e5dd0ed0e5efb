/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the service's JSON rule configurations; their parameters are strings. */
#include "rules/custom.h"

#include "reader/base/json.h"

#include <string.h>
#include <strings.h>

struct reader {
    struct sm_arena *arena;
    struct sm_service_rule *items;
    size_t n, cap;
    int depth;      /* enclosing maps and lists */
    int item_depth; /* depth of the keys of the current configuration, 0 outside of one */
    bool in_parameters;
    char *key;
    struct sm_err *err;
};

static bool is_key(const struct reader *r, const char *name)
{
    return r->key && strcasecmp(r->key, name) == 0;
}

static void add_argument(struct reader *r, const char *name, const char *value, size_t n)
{
    struct sm_service_rule *x = &r->items[r->n - 1];
    if (x->n_args == x->cap_args) {
        const char **more = sm_arena_xalloc(r->arena, (2 * x->cap_args + 8) * sizeof *more);
        if (x->n_args)
            memcpy(more, x->args, x->n_args * sizeof *more);
        x->args = more;
        x->cap_args = 2 * x->cap_args + 8;
    }
    x->args[x->n_args++] = sm_arena_xprintf(r->arena, "%s=%.*s", name, (int)n, value);
}

static bool on_value(struct reader *r, const char *p, size_t n)
{
    struct sm_service_rule *x = r->n ? &r->items[r->n - 1] : NULL;
    if (!x || !r->item_depth || !r->key)
        return true;
    if (r->depth == r->item_depth && is_key(r, "RuleConfigurationName"))
        x->instance = sm_arena_xstrndup(r->arena, p, n);
    if (!r->in_parameters || r->depth != r->item_depth + 1)
        return true;
    if (is_key(r, "rule_to_invoke"))
        x->rule = sm_arena_xstrndup(r->arena, p, n);
    else if (!is_key(r, "base_trial"))
        add_argument(r, is_key(r, "action_json") ? "action" : r->key, p, n);
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    return on_value(ctx, p, n);
}

static bool on_boolean(void *ctx, bool v)
{
    return on_value(ctx, v ? "True" : "False", v ? 4 : 5);
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct reader *r = ctx;
    r->key = sm_arena_xstrndup(r->arena, p, n);
    return true;
}

static bool on_start_map(void *ctx)
{
    struct reader *r = ctx;
    r->depth++;
    if (!r->item_depth) {
        struct sm_service_rule *more = sm_arena_xalloc(r->arena, (r->n + 1) * sizeof *more);
        if (r->n)
            memcpy(more, r->items, r->n * sizeof *more);
        r->items = more;
        r->n++;
        r->item_depth = r->depth;
    } else if (r->depth == r->item_depth + 1) {
        r->in_parameters = is_key(r, "RuleParameters");
    }
    return true;
}

static bool on_end_map(void *ctx)
{
    struct reader *r = ctx;
    if (r->depth == r->item_depth)
        r->item_depth = 0;
    if (r->depth == r->item_depth + 1)
        r->in_parameters = false;
    r->depth--;
    return true;
}

static bool on_start_array(void *ctx)
{
    ((struct reader *)ctx)->depth++;
    return true;
}

static bool on_end_array(void *ctx)
{
    ((struct reader *)ctx)->depth--;
    return true;
}

bool sm_service_parse(const char *text, size_t n, struct sm_arena *a, struct sm_service_rule **out,
                      size_t *n_out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {.boolean = on_boolean,
                                           .number = on_string,
                                           .string = on_string,
                                           .key = on_key,
                                           .start_map = on_start_map,
                                           .end_map = on_end_map,
                                           .start_array = on_start_array,
                                           .end_array = on_end_array};
    struct reader r = {.arena = a, .err = err};
    if (!sm_json_parse(text, n, &ops, &r, err))
        return false;
    *out = r.items;
    *n_out = r.n;
    return true;
}
