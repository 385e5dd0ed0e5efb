/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_fields.h"

#include "commands/answer/json_tree.h"
#include "reader/logs/log_json.h"

#include <math.h>
#include <string.h>

/* The parsed value, without a key. */
static struct sm_node *parse(struct sm_result *out, const char *json)
{
    struct sm_err err = {0};
    struct sm_node *list = NULL;
    const char *text = sm_arena_xprintf(&out->arena, "[%s]", json);
    return sm_json_tree(out, text, strlen(text), &list, &err) ? list->first : NULL;
}

static void append(struct sm_node *parent, struct sm_node *x)
{
    if (parent->last)
        parent->last->next = x;
    else
        parent->first = x;
    parent->last = x;
}

void sm_run_field_node(struct sm_result *out, struct sm_node *parent, const char *key,
                       const char *json)
{
    struct sm_node *x = parse(out, json);
    double v;
    if (x) {
        x->key = key;
        x->next = NULL;
        append(parent, x);
    } else if (sm_log_number(json, strlen(json), &v)) {
        sm_node_double(out, parent, key, v, false);
    } else {
        sm_node_text(out, parent, key, json);
    }
}

struct sm_node *sm_run_fields_node(struct sm_result *out, struct sm_node *parent, const char *key,
                                   const struct sm_run_fields *f)
{
    struct sm_node *map = sm_node_map(out, parent, key);
    for (size_t i = 0; i < f->n; i++)
        sm_run_field_node(out, map,
                          sm_arena_xstrndup(&out->arena, f->items[i].key, strlen(f->items[i].key)),
                          f->items[i].json);
    return map;
}

/* JSON on one line: a line end in it, and the spaces around that, become nothing; after a comma one
 * space. */
static const char *join_lines(struct sm_arena *arena, const char *json)
{
    char *text = sm_arena_xstrndup(arena, json, strlen(json)), *to = text;
    bool quoted = false;
    for (const char *p = text; *p; p++) {
        quoted = (*p == '"') != quoted;
        if (quoted && *p == '\\' && p[1])
            *to++ = *p++;
        size_t n = quoted ? 0 : strspn(p, " \t\r\n");
        if (n && memchr(p, '\n', n)) {
            p += n - 1;
            if (to > text && to[-1] == ',')
                *to++ = ' ';
        } else {
            *to++ = *p;
        }
    }
    *to = 0;
    return text;
}

const char *sm_run_field_text(struct sm_arena *arena, const char *json)
{
    size_t n = strlen(json);
    if (*json != '"')
        return join_lines(arena, json);
    if (n > 1 && !memchr(json, '\\', n))
        return sm_arena_xstrndup(arena, json + 1, n - 2);
    struct sm_result tree;
    sm_result_init(&tree);
    const struct sm_node *x = parse(&tree, json);
    const char *text = x && x->type == SM_NODE_TEXT ? sm_arena_xstrndup(arena, x->text.p, x->text.n)
                                                    : sm_arena_xstrndup(arena, json, n);
    sm_result_clear(&tree);
    return text;
}
