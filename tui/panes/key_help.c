/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/key_help.h"

#include "reader/base/mem.h"

#include <string.h>

static void add_line(struct sm_str *out, int key, const char *line)
{
    struct sm_str name = {0};
    sm_key_name(key, &name);
    sm_str_printf(out, "%-17s  ", sm_str_text(&name));
    sm_str_add_escaped(out, line, strlen(line));
    sm_str_addc(out, '\n');
    sm_str_clear(&name);
}

bool sm_pane_has(const struct sm_pane_ops *ops, enum sm_key_action a)
{
    const enum sm_key_action *own = ops->own;
    if (sm_action_row(a)->context != ops->context || !own)
        return sm_action_row(a)->context == ops->context;
    while (*own != SM_ACT_NONE && *own != a)
        own++;
    return *own == a;
}

/* Adds the keys of a pane, or with ops NULL the keys that work everywhere. Returns false if there
 * are none. */
static bool add_keys(const struct sm_pane_ops *ops, struct sm_str *out)
{
    bool some = false;
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_key_action)a);
        if (ops ? !sm_pane_has(ops, row->id) : row->context != SM_CTX_ALL)
            continue;
        sm_str_printf(out, "%-17s  %s\n", row->keys, row->help);
        some = true;
    }
    return some;
}

void sm_key_help_text(const struct sm_pane_ops *ops, const struct sm_keymap *m, struct sm_str *out)
{
    bool own = false;
    for (const char *c = ops->help; *c; c++)
        sm_str_addc(out, *c == '\n' ? ' ' : *c); /* lines are wrapped when the text is drawn */
    sm_str_add(out, "\n\n");
    for (size_t i = 0; i < m->n; i++) {
        const struct sm_key_line *x = &m->items[i];
        if (x->context != SM_CTX_ALL && x->context != ops->context)
            continue;
        sm_str_add(out, own ? "" : "Your keys:\n");
        add_line(out, x->key, x->line);
        own = true;
    }
    sm_str_add(out, own ? "\n" : "");
    if (ops->context != SM_CTX_ALL && add_keys(ops, out))
        sm_str_addc(out, '\n');
    add_keys(NULL, out);
    sm_str_add(out, "\nAfter \":\" any command: tensor, stat, hist, plot, tensors, info, why, "
                    "doctor, help ...\n");
}

struct sm_key_help *sm_key_help_rows(const struct sm_keymap *m, size_t *n)
{
    static const char *const contexts[SM_CONTEXTS] = {"everywhere", "lists", "plots", "values",
                                                      "help"};
    struct sm_key_help *rows = sm_xalloc_zero(SM_ACT_COUNT + (m ? m->n : 0), sizeof *rows);
    *n = 0;
    for (size_t i = 0; m && i < m->n; i++) {
        struct sm_str name = {0};
        sm_key_name(m->items[i].key, &name);
        rows[(*n)++] = (struct sm_key_help){sm_xstrdup(sm_str_text(&name)), "your own",
                                            contexts[m->items[i].context], m->items[i].line};
        sm_str_clear(&name);
    }
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_key_action)a);
        rows[(*n)++] = (struct sm_key_help){sm_xstrdup(row->keys), row->name,
                                            contexts[row->context], row->help};
    }
    return rows;
}

void sm_key_help_free(struct sm_key_help *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sm_free((char *)(uintptr_t)rows[i].keys);
    sm_free(rows);
}
