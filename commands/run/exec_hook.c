/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks: user-defined commands that run around others, and at stops. */
#include "commands/language/language.h"
#include "commands/run/exec_state.h"

#include "commands/language/user.h"

#include <string.h>

static const struct sm_user *find_hook(const struct sm_exec *x, const char *prefix,
                                       const char *name)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "%s%s", prefix, name);
    const struct sm_user *found = sm_users_find(sm_users(x->session), sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return found && found->body ? found : NULL;
}

/* A hook does not run within itself. */
static bool is_running(const struct sm_exec *x, const struct sm_user *hook)
{
    for (const struct sm_script *s = x->script; s; s = s->below)
        if (s->user && strcmp(s->user, hook->name) == 0)
            return true;
    return false;
}

static const struct sm_user *find_idle(const struct sm_exec *x, const char *prefix,
                                       const char *name)
{
    const struct sm_user *hook = find_hook(x, prefix, name);
    return hook && !is_running(x, hook) ? hook : NULL;
}

static void push_hook(struct sm_exec *x, const struct sm_user *hook)
{
    if (hook)
        sm_exec_push_user(x, hook, NULL, 0);
}

/* Pushes the line below its hook; `after` is the hook that runs after it. */
static struct sm_script *push_line(struct sm_exec *x, const char *text, const struct sm_user *after)
{
    struct sm_script *s = sm_script_of_text(text);
    s->inside = s->unhooked = true;
    s->after = after ? sm_xstrdup(after->name) : NULL;
    sm_exec_push(x, s);
    return s;
}

bool sm_exec_hook(struct sm_exec *x, const char *text, const char *name, enum sm_line_origin origin,
                  bool again)
{
    if (x->script && x->script->unhooked)
        return false;
    const struct sm_user *before = find_idle(x, "hook-", name),
                         *after = find_idle(x, "hookpost-", name);
    if (!before && !after)
        return false;
    struct sm_script *s = push_line(x, text, after);
    s->again = again;
    s->typed = origin == SM_FROM_PROMPT;
    push_hook(x, before);
    return true;
}

bool sm_exec_hook_stop(struct sm_exec *x, const struct sm_str *text)
{
    const struct sm_user *before = find_idle(x, "hook-", "stop"),
                         *after = find_idle(x, "hookpost-", "stop");
    if (!before && !after)
        return false;
    struct sm_script *s = push_line(x, "", after);
    sm_str_addn(&s->answer, sm_str_text(text), text->len);
    push_hook(x, before);
    return true;
}

void sm_exec_hook_after(struct sm_exec *x, const char *name)
{
    push_hook(x, sm_users_find(sm_users(x->session), name, strlen(name)));
}
