/* SPDX-License-Identifier: Apache-2.0 */
/* Variables ($name), and the value history: $1 $2 ..., $ and $$. */
#include "commands/session/session.h"

#include "reader/base/grow.h"
#include "reader/base/map.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clear_variable(struct sm_variable *v)
{
    sm_value_clear(&v->value);
    sm_arena_clear(&v->arena);
}

void sm_session_clear_variables(struct sm_session *s)
{
    for (size_t i = 0; i < s->variables.n; i++) {
        clear_variable(&s->variables.items[i]);
        sm_free(s->variables.items[i].name);
    }
    sm_free(s->variables.items);
    sm_names_free(s->variables.names);
}

static struct sm_variable *find_variable(const struct sm_session *s, const char *name, size_t n)
{
    uint32_t id = s->variables.names ? sm_names_find(s->variables.names, name, n) : SM_NAME_NONE;
    return id < s->variables.n ? &s->variables.items[id] : NULL;
}

/* Appends an uninitialised variable. */
static struct sm_variable *add_variable(struct sm_session *s, const char *name)
{
    if (!s->variables.names)
        s->variables.names = sm_names_new();
    if (!s->variables.names ||
        sm_names_add(s->variables.names, name, strlen(name)) != s->variables.n)
        sm_xalloc(SIZE_MAX); /* out of memory: exits as everywhere */
    SM_GROW(s->variables.items, s->variables.n, s->variables.cap);
    return &s->variables.items[s->variables.n++];
}

struct sm_value *sm_session_set_variable(struct sm_session *s, const char *name,
                                         const struct sm_value *v)
{
    struct sm_variable *x = find_variable(s, name, strlen(name));
    struct sm_variable fresh = {0};
    sm_value_copy(&fresh.value, v, &fresh.arena);
    if (!x) {
        x = add_variable(s, name);
        fresh.name = sm_xstrdup(name);
    } else {
        fresh.name = x->name;
        clear_variable(x);
    }
    *x = fresh;
    return &x->value;
}

/* The number in the value history that a name refers to ("" is $, "$" is $$, "$3" is $$3), counted
 * back from the newest value; -1 if the name is not of this form. */
static long history_number(const struct sm_session *s, const char *name, size_t n)
{
    char *end, text[16] = "";
    if (n == 0)
        return (long)s->variables.n_history;
    if (name[0] != '$' || n >= sizeof text)
        return -1;
    memcpy(text, name + 1, n - 1);
    long back = n == 1 ? 1 : strtol(text, &end, 10);
    return (n == 1 || !*end) && back >= 0 ? (long)s->variables.n_history - back : -1;
}

const struct sm_value *sm_session_variable(const struct sm_session *s, const char *name, size_t n)
{
    char text[24];
    long number = history_number(s, name, n);
    if (number >= 0) {
        snprintf(text, sizeof text, "%ld", number);
        name = text;
        n = strlen(text);
    }
    const struct sm_variable *x = find_variable(s, name, n);
    return x && x->value.type != SM_VOID ? &x->value : NULL;
}

bool sm_session_check_history(const struct sm_session *s, const char *name, size_t n,
                              struct sm_err *err)
{
    bool back = n == 0 || name[0] == '$';
    long number = back ? history_number(s, name, n) : strtol(name, NULL, 10);
    if (!back && !isdigit((unsigned char)name[0]))
        return true;
    if (number >= 1 && number <= (long)s->variables.n_history)
        return true;
    if (n == 0)
        return sm_err_set(err, SM_ERR_USAGE, "The history is empty.");
    if (!back)
        return sm_err_set(err, SM_ERR_USAGE, "History has not yet reached $%.*s.", (int)n, name);
    return sm_err_set(err, SM_ERR_USAGE, "History does not go back to $$%.*s.",
                      n > 1 ? (int)n - 1 : 1, n > 1 ? name + 1 : "1");
}

/* n < 0 makes it void. */
static void set_integer(struct sm_session *s, const char *name, int64_t n)
{
    struct sm_value v = {
        .type = n < 0 ? SM_VOID : SM_NUMBER, .is_int = true, .integer = n, .number = (double)n};
    sm_session_set_variable(s, name, &v);
}

void sm_session_set_place_variables(struct sm_session *s, const struct sm_place *p)
{
    const struct sm_trial *t = p->trial;
    const char *texts[][2] = {
        {"_trial", t ? sm_trial_name(t) : NULL},
        {"_tensor", t && p->tensor != SM_NAME_NONE ? sm_place_name(p) : NULL},
        {"_mode", p->mode != SM_MODE_ANY ? sm_mode_name((int)p->mode) : NULL},
        {"_worker", t && p->worker != SM_WORKER_ANY ? sm_trial_worker(t, p->worker) : NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sm_value v = {.type = texts[i][1] ? SM_STRING : SM_VOID,
                             .text = sm_text(texts[i][1] ? texts[i][1] : "")};
        sm_session_set_variable(s, texts[i][0], &v);
    }
    set_integer(s, "_step", sm_place_current_step(p).n);
}

void sm_session_sync_variables(struct sm_session *s)
{
    sm_session_set_place_variables(s, &s->at);
    set_integer(s, "_exitcode", s->exit_code);
    set_integer(s, "_failures", s->failures);
}
