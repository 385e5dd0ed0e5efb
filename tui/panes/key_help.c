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

/* Where a pane has a filter and no search, the keys of the search open the filter; the reverse is
 * not so. */
static enum sm_key_action meaning(const struct sm_pane_ops *ops, enum sm_key_action a)
{
    return a == SM_ACT_SEARCH && !ops->search && ops->filter ? SM_ACT_FILTER : a;
}

/* What a key does in the pane, by the order in which the dashboard asks: keys of the user, keys of
 * the pane, keys for all. */
static enum sm_key_action action_of(const struct sm_pane_ops *ops, const struct sm_keymap *m,
                                    int key)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].key == key &&
            (m->items[i].context == SM_CTX_ALL || m->items[i].context == ops->context))
            return SM_ACT_NONE;
    return meaning(ops, sm_keymap_find(key, ops->context));
}

/* Appends the keys of `from` that do `a` in the pane. */
static void add_key_names(const struct sm_pane_ops *ops, const struct sm_keymap *m,
                          enum sm_key_action from, enum sm_key_action a, struct sm_str *out)
{
    for (const char *k = sm_action_row(from)->keys; *k;) {
        size_t n = strcspn(k, " ");
        if (action_of(ops, m, sm_key_of_name(k, n)) == a)
            sm_str_printf(out, "%s%.*s", out->len ? " " : "", (int)n, k);
        k += n + (k[n] == ' ');
    }
}

static bool is_possible(const struct sm_pane_ops *ops, enum sm_key_action a)
{
    return a == SM_ACT_FILTER   ? ops->filter != NULL
           : a == SM_ACT_SEARCH ? ops->search != NULL
                                : true;
}

/* Adds the keys of the pane, or those that work everywhere, as they are in this pane: a key that
 * means something else there is not named again. Returns false if there are none. */
static bool add_keys(const struct sm_pane_ops *ops, const struct sm_keymap *m, bool everywhere,
                     struct sm_str *out)
{
    bool some = false;
    struct sm_str keys = {0};
    for (int i = SM_ACT_NONE + 1; i < SM_ACT_COUNT; i++) {
        enum sm_key_action a = (enum sm_key_action)i;
        const struct sm_action_row *row = sm_action_row(a);
        bool wanted = everywhere ? row->context == SM_CTX_ALL
                                 : row->context == ops->context && sm_pane_has(ops, a);
        sm_str_truncate(&keys, 0);
        if (wanted && a == SM_ACT_FILTER)
            add_key_names(ops, m, SM_ACT_SEARCH, a, &keys);
        if (wanted && is_possible(ops, a))
            add_key_names(ops, m, a, a, &keys);
        if (!keys.len)
            continue;
        sm_str_printf(out, "%-17s  %s\n", sm_str_text(&keys), row->help);
        some = true;
    }
    sm_str_clear(&keys);
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
    if (ops->context != SM_CTX_ALL && add_keys(ops, m, false, out))
        sm_str_addc(out, '\n');
    add_keys(ops, m, true, out);
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
