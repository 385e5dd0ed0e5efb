/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/write_order.h"
#include "commands/origin/origin.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES_MAX = 100000 };

static struct sm_text trim_line(const char *line, size_t n)
{
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    while (n && isspace((unsigned char)*line))
        line++, n--;
    return (struct sm_text){line, n && *line == '#' ? 0 : n};
}

static bool read_patterns(struct sm_call *c, const char *path, struct sm_order *out,
                          struct sm_err *err)
{
    FILE *f = fopen(path, "re");
    char *line = NULL;
    size_t cap = 0, room = 0;
    ssize_t n;
    if (!f)
        return sm_err_set(err, SM_ERR_USAGE, "bt-order: %s: %s", path, strerror(errno));
    while (out->n < LINES_MAX && (n = getline(&line, &cap, f)) >= 0) {
        struct sm_text text = trim_line(line, (size_t)n);
        if (!text.n)
            continue;
        if (out->n == room) {
            char **larger = sm_arena_xalloc(&c->arena, (room = 2 * room + 64) * sizeof *larger);
            for (size_t i = 0; i < out->n; i++)
                larger[i] = out->patterns[i];
            out->patterns = larger;
        }
        out->patterns[out->n++] = sm_arena_xstrndup(&c->arena, text.p, text.n);
    }
    bool ok =
        !ferror(f) || sm_err_set(err, SM_ERR_USAGE, "bt-order: %s: %s", path, strerror(errno));
    free(line);
    fclose(f);
    return ok;
}

static enum sm_order_kind kind_of(const char *set)
{
    return !set || !*set || strcmp(set, "time") == 0 ? SM_ORDER_TIME
           : strcmp(set, "name") == 0                ? SM_ORDER_NAME
                                                     : SM_ORDER_FILE;
}

bool sm_order_check(const char *set, struct sm_err *err)
{
    struct stat st;
    if (kind_of(set) != SM_ORDER_FILE)
        return true;
    if (stat(set, &st) != 0 || access(set, R_OK) != 0)
        return sm_err_set(err, SM_ERR_USAGE, "bt-order is time, name or a file of names: %s: %s",
                          set, strerror(errno));
    return !S_ISDIR(st.st_mode) ||
           sm_err_set(err, SM_ERR_USAGE, "bt-order: %s: %s", set, strerror(EISDIR));
}

bool sm_order_read(struct sm_call *c, struct sm_order *out, struct sm_err *err)
{
    const char *set = sm_origin_settings(c->session)->bt_order;
    *out = (struct sm_order){.kind = kind_of(set)};
    return out->kind != SM_ORDER_FILE || read_patterns(c, set, out, err);
}

struct sm_ordered_value sm_order_place(const struct sm_order *o, const struct sm_saved_values *c,
                                       struct sm_saved_value_row *row, struct sm_saved_value *x)
{
    struct sm_ordered_value p = {
        .row = row, .value = x, .name = sm_names_text(sm_trial_names(c->trial), row->tensor)};
    p.by_name = o->kind == SM_ORDER_NAME;
    while (p.rank < o->n && !sm_glob_match(o->patterns[p.rank], p.name) &&
           strcmp(o->patterns[p.rank], p.name) != 0)
        p.rank++;
    return p;
}

#define CMP(a, b) (((a) > (b)) - ((a) < (b)))

int sm_placed_cmp(const void *left, const void *right)
{
    const struct sm_ordered_value *a = left, *b = right;
    int d = CMP(a->value->step.n, b->value->step.n);
    d = d ? d : CMP(a->rank, b->rank);
    d = d || !a->by_name ? d : sm_natural_cmp(a->name, b->name);
    d = d ? d : CMP(a->value->health->time, b->value->health->time);
    d = d ? d : CMP(a->row->worker, b->row->worker);
    d = d ? d : CMP(a->value->entry.seq, b->value->entry.seq);
    return d ? d : CMP(a->row, b->row);
}
