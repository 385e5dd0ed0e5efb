/* SPDX-License-Identifier: Apache-2.0 */
/* Parses gdb's syntax of layouts. */
#include "tui/dashboard/layout.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 8, WEIGHT_MAX = 1000 };

struct parse {
    const char *text, *at;
    const struct sm_pane_ops *const *table;
    struct sm_layout *out;
    struct sm_err *err;
};

static struct sm_text next_word(struct parse *p)
{
    p->at += strspn(p->at, " \t");
    size_t n = *p->at == '{' || *p->at == '}' ? 1 : strcspn(p->at, " \t{}");
    struct sm_text word = {p->at, n};
    p->at += n;
    return word;
}

static bool expected_error(struct parse *p, struct sm_text word, const char *expected)
{
    return sm_err_set(p->err, SM_ERR_USAGE, "layout, column %zu: expected %s, found %s%.*s%s.",
                      (size_t)(word.p - p->text) + 1, expected, word.n ? "\"" : "",
                      word.n ? (int)word.n : 7, word.n ? word.p : "the end", word.n ? "\"" : "");
}

static bool add_node(struct parse *p, struct sm_layout_node node, int *out)
{
    if (p->out->n == SM_LAYOUT_NODES)
        return sm_err_set(p->err, SM_ERR_LIMIT, "A layout holds at most %d panes and splits.",
                          SM_LAYOUT_NODES);
    *out = p->out->n;
    p->out->nodes[p->out->n++] = node;
    return true;
}

static bool parse_weight(struct parse *p, int *out)
{
    struct sm_text word = next_word(p);
    char *end;
    long n = strtol(word.p, &end, 10);
    if (!word.n || end != word.p + word.n || n < 0 || n > WEIGHT_MAX)
        return expected_error(p, word, "a weight from 0 to 1000");
    *out = (int)n;
    return true;
}

static bool unknown_name(struct parse *p, struct sm_text word)
{
    struct sm_str names = {0};
    if (!word.n || *word.p == '}')
        return expected_error(p, word, "the name of a pane");
    for (int i = 0; p->table[i]; i++)
        sm_str_printf(&names, " %s", p->table[i]->name);
    sm_err_set(p->err, SM_ERR_USAGE, "layout, column %zu: unknown pane \"%.*s\". Choose one of:%s.",
               (size_t)(word.p - p->text) + 1, (int)word.n, word.p, sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

static bool parse_pane(struct parse *p, struct sm_text word, int *out)
{
    int i = 0;
    while (p->table[i] && !sm_text_is(word, p->table[i]->name))
        i++;
    if (!p->table[i])
        return unknown_name(p, word);
    for (int k = 0; k < p->out->n; k++)
        if (p->out->nodes[k].pane == i)
            return sm_err_set(p->err, SM_ERR_USAGE, "The pane \"%s\" is in the layout twice.",
                              p->table[i]->name);
    return add_node(p,
                    (struct sm_layout_node){
                        .pane = i, .weight = 1, .child = SM_LAYOUT_NONE, .next = SM_LAYOUT_NONE},
                    out);
}

/* The nodes between braces; at depth 0, up to the end of the text. */
static bool parse_split(struct parse *p, int depth, int *out)
{
    struct sm_layout_node node = {
        .pane = SM_LAYOUT_NONE, .weight = 1, .child = SM_LAYOUT_NONE, .next = SM_LAYOUT_NONE};
    int last = SM_LAYOUT_NONE, child, sum = 0;
    if (depth == DEPTH_MAX)
        return sm_err_set(p->err, SM_ERR_LIMIT, "A layout is at most %d splits deep.", DEPTH_MAX);
    if (!add_node(p, node, out))
        return false;
    for (struct sm_text word = next_word(p);; word = next_word(p)) {
        bool end = depth ? sm_text_is(word, "}") : !word.n;
        if (end && sum)
            return true;
        if (sm_text_is(word, "-hidden") && last >= 0 && p->out->nodes[last].pane >= 0) {
            p->out->nodes[last].hidden = true;
            continue;
        }
        if (sm_text_is(word, "-horizontal") && last < 0) {
            p->out->nodes[*out].horizontal = true;
            continue;
        }
        if (!(sm_text_is(word, "{") ? parse_split(p, depth + 1, &child)
                                    : parse_pane(p, word, &child)) ||
            !parse_weight(p, &p->out->nodes[child].weight))
            return false;
        if (!p->out->nodes[child].weight && p->out->nodes[child].pane < 0)
            return expected_error(p, word, "a weight above 0 for a split");
        *(last < 0 ? &p->out->nodes[*out].child : &p->out->nodes[last].next) = child;
        last = child;
        sum += p->out->nodes[child].weight;
    }
}

bool sm_layout_parse(const char *spec, const struct sm_pane_ops *const *table,
                     struct sm_layout *out, struct sm_err *err)
{
    struct parse p = {spec, spec, table, out, err};
    int root;
    out->n = 0;
    return parse_split(&p, 0, &root);
}
