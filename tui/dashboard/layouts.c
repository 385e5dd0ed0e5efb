/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/layouts.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

#define LAYOUTS(X)                                                                                 \
    X("main", "{-horizontal tensors 9 {scalars 58 value 42} 11} 1 rules 0")                        \
    X("plots", "scalars 1 rules 0")                                                                \
    X("value", "{-horizontal tensors 9 value 16} 1 rules 0")                                       \
    X("rules", "rules 3 events 2")                                                                 \
    X("health", "health 2 {-horizontal scalars 1 value 1} 1 rules 0")                              \
    X("compare", "{-horizontal scalars 1 runs 1} 11 diff 10")                                      \
    X("checkpoints", "{-horizontal updates 11 {size 9 value 11} 9} 1 rules 0")                     \
    X("model", "{-horizontal tensors 10 {size 8 value 12} 10} 1 rules 0")                          \
    X("run", "steps 3 {-horizontal workers 1 sources 1} 2 {-horizontal events 1 system 1} 2 "      \
             "{-horizontal config 1 log 1} 3")                                                     \
    X("runs", "runs 1 scalars 1")                                                                  \
    X("system", "usage 10 heat 9 summary 6 system 9")                                              \
    X("profile", "{-horizontal phases 11 durations 9} 7 {-horizontal ops 11 loader 9} 6 "          \
                 "{-horizontal usage 11 profile-rules 9} 5 balance 4 gpumem 4")                    \
    X("report", "profile-rules 1")                                                                 \
    X("trace", "{-horizontal trace-ops 9 kernels 11} 6 {-horizontal trace-steps 9 idle 9} 5 "      \
               "blame 4 rules 0")                                                                  \
    X("memory", "memory 1 rules 0")                                                                \
    X("hang", "hang 1 rules 0")                                                                    \
    X("cmd", "{-horizontal tensors 9 scalars 11} 2 cmd 3")
#define ROW(name, spec)  {name, spec},
#define NAME(name, spec) name,
static const struct {
    const char *name, *spec;
} builtin[] = {LAYOUTS(ROW)};
const char *const sm_layout_words[] = {LAYOUTS(NAME) "next", "prev", NULL};
enum { N_BUILTIN = sizeof builtin / sizeof *builtin };

static void add_layout(struct sm_layouts *l, const char *name, const char *spec)
{
    if (SM_VEC_ROOM(l->items, l->n, l->cap))
        l->items[l->n++] = (struct sm_layout_row){sm_xstrdup(name), sm_xstrdup(spec)};
}

void sm_layouts_init(struct sm_layouts *l)
{
    *l = (struct sm_layouts){0};
    for (size_t i = 0; i < N_BUILTIN; i++)
        add_layout(l, builtin[i].name, builtin[i].spec);
}

void sm_layouts_clear(struct sm_layouts *l)
{
    for (size_t i = 0; i < l->n; i++) {
        sm_free(l->items[i].name);
        sm_free(l->items[i].spec);
    }
    sm_free(l->items);
    *l = (struct sm_layouts){0};
}

bool sm_layouts_is_builtin(size_t i)
{
    return i < N_BUILTIN;
}

void sm_layouts_change(struct sm_layouts *l, size_t i, const char *spec)
{
    char *copy = spec                       ? sm_xstrdup(spec)
                 : sm_layouts_is_builtin(i) ? sm_xstrdup(builtin[i].spec)
                                            : NULL;
    if (!copy)
        return;
    sm_free(l->items[i].spec);
    l->items[i].spec = copy;
}

bool sm_layouts_is_changed(const struct sm_layouts *l, size_t i)
{
    return sm_layouts_is_builtin(i) && strcmp(l->items[i].spec, builtin[i].spec) != 0;
}

bool sm_layouts_define(struct sm_layouts *l, const char *name, const char *spec, struct sm_err *err)
{
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(l->items[i].name, name) != 0)
            continue;
        if (sm_layouts_is_builtin(i))
            return sm_err_set(err, SM_ERR_USAGE, "The layout \"%s\" is built in. Use another name.",
                              name);
        sm_free(l->items[i].spec);
        l->items[i].spec = sm_xstrdup(spec);
        return true;
    }
    add_layout(l, name, spec);
    return true;
}

bool sm_layouts_find(const struct sm_layouts *l, const char *name, size_t *out, struct sm_err *err)
{
    size_t matches = 0;
    struct sm_str names = {0};
    bool prev = strcmp(name, "prev") == 0;
    if (prev || strcmp(name, "next") == 0) {
        *out = (l->current + (prev ? l->n - 1 : 1)) % l->n;
        return true;
    }
    for (size_t i = 0; i < l->n; i++) {
        sm_str_printf(&names, " %s", l->items[i].name);
        if (strncmp(l->items[i].name, name, strlen(name)) != 0)
            continue;
        *out = i;
        matches++;
        if (strcmp(l->items[i].name, name) == 0) {
            matches = 1;
            break;
        }
    }
    if (matches != 1)
        sm_err_set(err, SM_ERR_USAGE, "%s layout \"%s\". Choose one of:%s next prev.",
                   matches ? "Ambiguous" : "Unknown", name, sm_str_text(&names));
    sm_str_clear(&names);
    return matches == 1;
}
