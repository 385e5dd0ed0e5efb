/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/cmd.h"

#include "commands/answer/typed_number.h"
#include "commands/language/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *help;
} classes[SM_CLASS_COUNT] = {
    [SM_CLASS_FILES] = {"files", "Opening trials and checking their files"},
    [SM_CLASS_DATA] = {"data", "Examining tensors: values, statistics, plots"},
    [SM_CLASS_STATUS] = {"status", "Information about the trial and the session"},
    [SM_CLASS_RUNNING] = {"running", "Moving between steps and waiting for new steps"},
    [SM_CLASS_STACK] = {"stack", "Finding the origin of a problem"},
    [SM_CLASS_BREAKPOINTS] = {"breakpoints", "Stopping at a step where a condition is true"},
    [SM_CLASS_RULES] = {"rules", "Checking a run with rules"},
    [SM_CLASS_SUPPORT] = {"support", "Help, settings, scripts and the shell"},
    [SM_CLASS_TUI] = {"text-user-interface", "The dashboard"},
    [SM_CLASS_USER] = {"user-defined", "Commands defined with define"},
    [SM_CLASS_ALIASES] = {"aliases", "Aliases defined with alias"},
};

const char *sm_class_name(enum sm_class c)
{
    return classes[c].name;
}

const char *sm_class_help(enum sm_class c)
{
    return classes[c].help;
}

/* ---- arguments of a call ---- */

const struct sm_word *sm_call_option(const struct sm_call *c, const char *name)
{
    for (size_t i = 0; c->cmd->options && c->cmd->options[i].name; i++)
        if (strcmp(c->cmd->options[i].name, name) == 0)
            return c->option_values ? c->option_values[i] : NULL;
    return NULL;
}

bool sm_call_flag(const struct sm_call *c, const char *name)
{
    return sm_call_option(c, name) != NULL;
}

const struct sm_word *sm_call_keyword(const struct sm_call *c, const char *keyword)
{
    for (size_t i = 0; c->cmd->args && c->cmd->args[i].name; i++)
        if (c->cmd->args[i].keyword && strcmp(c->cmd->args[i].keyword, keyword) == 0)
            return c->keyword_values ? c->keyword_values[i] : NULL;
    return NULL;
}

bool sm_call_int(const struct sm_word *w, int64_t min, int64_t max, int64_t *out,
                 struct sm_err *err)
{
    if (sm_text_is(w->text, "unlimited")) {
        *out = max;
        return true;
    }
    if (!sm_number_int(w->text, out))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid number \"%.*s\".", (int)w->text.n, w->text.p);
    if (*out < min || *out > max)
        return sm_err_set(err, SM_ERR_USAGE,
                          "integer %" PRId64 " out of range: %" PRId64 " to %" PRId64, *out, min,
                          max);
    return true;
}

bool sm_call_double(const struct sm_word *w, double *out, struct sm_err *err)
{
    return sm_number_double(w->text, out) ||
           sm_err_set(err, SM_ERR_USAGE, "Invalid number \"%.*s\".", (int)w->text.n, w->text.p);
}

bool sm_call_duration(const struct sm_word *w, int64_t *us, struct sm_err *err)
{
    return sm_number_duration(w->text, us) ||
           sm_err_set(err, SM_ERR_USAGE,
                      "Invalid duration \"%.*s\": expected a number with a unit, such as 500ms, "
                      "10s, 5m or 2h.",
                      (int)w->text.n, w->text.p);
}

const char *sm_call_next_word(struct sm_call *c, const char **at)
{
    size_t n = strcspn(*at, " \t");
    const char *word = sm_arena_xstrndup(&c->arena, *at, n);
    *at += n;
    *at += strspn(*at, " \t");
    return word;
}
