/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/json_tree.h"

#include "reader/base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    struct sm_result *r;
    struct sm_node *open[SM_JSON_DEPTH_MAX + 1]; /* the enclosing lists and maps */
    size_t depth;
    const char *key;
    struct sm_node *root;
};

static struct sm_node *enclosing_node(const struct builder *b)
{
    return b->depth ? b->open[b->depth - 1] : NULL;
}

static bool on_null(void *ctx)
{
    struct builder *b = ctx;
    sm_node_null(b->r, enclosing_node(b), b->key);
    return true;
}

static bool on_boolean(void *ctx, bool v)
{
    struct builder *b = ctx;
    sm_node_bool(b->r, enclosing_node(b), b->key, v);
    return true;
}

static bool is_unsigned(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text != '-' && !*end && !errno;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct builder *b = ctx;
    int64_t whole;
    uint64_t large;
    char *end, *text = sm_xstrndup(digits, n);
    bool negative_zero = n == 2 && memcmp(digits, "-0", 2) == 0;
    if (!negative_zero && sm_json_int(digits, n, &whole))
        sm_node_int(b->r, enclosing_node(b), b->key, whole);
    else if (is_unsigned(text, &large))
        sm_node_uint(b->r, enclosing_node(b), b->key, large);
    else
        sm_node_double(b->r, enclosing_node(b), b->key, sm_parse_double(text, &end), false);
    sm_free(text);
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct builder *b = ctx;
    sm_node_textn(b->r, enclosing_node(b), b->key, p, n);
    return true;
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct builder *b = ctx;
    b->key = sm_arena_xstrndup(&b->r->arena, p, n);
    return true;
}

static bool open_node(struct builder *b, struct sm_node *node)
{
    b->root = b->root ? b->root : node;
    b->open[b->depth++] = node; /* sm_json_parse limits the depth */
    return true;
}

static bool on_start_map(void *ctx)
{
    struct builder *b = ctx;
    return open_node(b, sm_node_map(b->r, enclosing_node(b), b->key));
}

static bool on_start_array(void *ctx)
{
    struct builder *b = ctx;
    struct sm_node *list = sm_node_list(b->r, enclosing_node(b), b->key);
    b->key = NULL;
    return open_node(b, list);
}

static bool on_end(void *ctx)
{
    struct builder *b = ctx;
    b->depth--;
    b->key = NULL;
    return true;
}

bool sm_json_tree(struct sm_result *r, const char *p, size_t n, struct sm_node **out,
                  struct sm_err *err)
{
    static const struct sm_json_ops ops = {on_null,   on_boolean,     on_number,
                                           on_string, on_key,         on_start_map,
                                           on_end,    on_start_array, on_end};
    struct builder b = {.r = r};
    if (!sm_json_parse(p, n, &ops, &b, err))
        return false;
    *out = b.root;
    return b.root || sm_err_set(err, SM_ERR_DATA, "expected a list or a map");
}
