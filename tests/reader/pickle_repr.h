/* SPDX-License-Identifier: Apache-2.0 */
/* A pickle as text, close to what Python prints. */
#ifndef SM_TEST_PICKLE_REPR_H
#define SM_TEST_PICKLE_REPR_H

#include "reader/pickle/pickle.h"

#include <inttypes.h>

enum { REPR_DEPTH = 12 };

static inline void add_repr(struct sm_str *out, const struct sm_pickle *t, uint32_t i, int depth);

static inline void add_repr_items(struct sm_str *out, const struct sm_pickle *t,
                                  const struct sm_pickle_node *node, const char *around, int depth)
{
    bool dict = node->kind == SM_PICKLE_DICT;
    sm_str_addc(out, around[0]);
    for (uint32_t k = 0; k < node->n; k++) {
        if (k)
            sm_str_add(out, dict && k % 2 ? ": " : ", ");
        add_repr(out, t, node->items[k], depth);
    }
    sm_str_addc(out, around[1]);
}

static inline void add_repr_object(struct sm_str *out, const struct sm_pickle *t,
                                   const struct sm_pickle_object *o, int depth)
{
    const struct {
        const char *name;
        uint32_t node;
    } parts[] = {{"", o->args},
                 {"**", o->keywords},
                 {"state=", o->state},
                 {"list=", o->list},
                 {"dict=", o->dict}};
    sm_str_add(out, "<");
    add_repr(out, t, o->callable, depth);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].node) {
            sm_str_printf(out, " %s", parts[i].name);
            add_repr(out, t, parts[i].node, depth);
        }
    sm_str_add(out, ">");
}

static inline void add_repr_text(struct sm_str *out, const struct sm_pickle_node *node)
{
    if (node->is_far)
        sm_str_printf(out, "<%" PRIu64 " bytes at %" PRIu64 ">", node->far->size_bytes,
                      node->far->offset);
    for (uint32_t i = 0; !node->is_far && i < node->n; i++)
        if (node->text[i] >= ' ' || node->text[i] < 0)
            sm_str_addc(out, node->text[i]);
        else
            sm_str_printf(out, "\\x%02x", (unsigned char)node->text[i]);
}

static inline void add_repr(struct sm_str *out, const struct sm_pickle *t, uint32_t i, int depth)
{
    static const char *const around[] = {[SM_PICKLE_TUPLE] = "()",
                                         [SM_PICKLE_LIST] = "[]",
                                         [SM_PICKLE_SET] = "<>",
                                         [SM_PICKLE_DICT] = "{}"};
    const struct sm_pickle_node *node = sm_pickle_node(t, i);
    char number[32];
    if (depth > REPR_DEPTH) {
        sm_str_add(out, "...");
        return;
    }
    switch ((enum sm_pickle_kind)node->kind) {
    case SM_PICKLE_NONE:
        sm_str_add(out, "None");
        break;
    case SM_PICKLE_BOOL:
        sm_str_add(out, node->truth ? "True" : "False");
        break;
    case SM_PICKLE_INTEGER:
        sm_str_printf(out, "%" PRId64, node->integer);
        break;
    case SM_PICKLE_REAL:
        sm_format_shortest(node->real, false, number);
        sm_str_add(out, number);
        break;
    case SM_PICKLE_BYTES:
    case SM_PICKLE_TEXT:
        sm_str_add(out, node->kind == SM_PICKLE_BYTES ? "b'" : "'");
        add_repr_text(out, node);
        sm_str_addc(out, '\'');
        break;
    case SM_PICKLE_LONG:
    case SM_PICKLE_GLOBAL:
        add_repr_text(out, node);
        break;
    case SM_PICKLE_TUPLE:
    case SM_PICKLE_LIST:
    case SM_PICKLE_SET:
    case SM_PICKLE_DICT:
        add_repr_items(out, t, node, around[node->kind], depth + 1);
        break;
    case SM_PICKLE_OBJECT:
        add_repr_object(out, t, node->object, depth + 1);
        break;
    case SM_PICKLE_PERSISTENT:
        sm_str_add(out, "@");
        add_repr(out, t, node->inner, depth + 1);
        break;
    }
}

#endif
