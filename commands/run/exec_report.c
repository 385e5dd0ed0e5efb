/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/exec_state.h"
#include "commands/run/run_state.h"

#include "commands/language/language.h"
#include "commands/run/logging.h"
#include "commands/session/session_settings.h"
#include "reader/base/clock.h"

#include <ctype.h>
#include <string.h>

/* A word that is a name must stay as it is. */
static bool is_name(const struct sm_exec *x, const char *word, size_t n)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    return sm_cmd_is_builtin(sm_commands(x->session), word, n) ||
           (t && sm_trial_find(t, word, n) != NULL);
}

/* Messages of lower layers are parts of a sentence, because they may get a prefix (err.h); here the
 * message becomes a sentence: it starts with a capital letter, unless with a name, and ends with a
 * full stop. */
static void add_sentence(const struct sm_exec *x, const char *message, struct sm_str *text)
{
    size_t word = strspn(message, "abcdefghijklmnopqrstuvwxyz"), n = strlen(message);
    bool small = word && message[word] == ' ' && !is_name(x, message, word);
    bool open = n && !strchr(".?!", message[n - 1]) && strncmp(message, "Usage: ", 7) != 0 &&
                strcmp(message, "Quit") != 0; /* as in gdb */
    if (small)
        sm_str_addc(text, (char)toupper((unsigned char)*message));
    sm_str_printf(text, "%s%s", message + small, open ? "." : "");
}

static void add_place(const struct sm_exec *x, const char *message, struct sm_str *text)
{
    sm_script_place(x->script, text);
    add_sentence(x, message, text);
    sm_script_chain(x->script, text);
}

static void report_error(struct sm_exec *x, const char *message)
{
    struct sm_str text = {0};
    if (x->session->batch)
        sm_str_add(&text, "smdbg: ");
    add_place(x, message, &text);
    sm_str_addc(&text, '\n');
    sm_logging_add(x->session, sm_str_text(&text), text.len);
    x->ops->complain(x->ctx, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

void sm_exec_report_failure(struct sm_exec *x, const struct sm_err *err, bool forgiven)
{
    struct sm_str text = {0};
    if (!x->ops->machine) {
        report_error(x, err->msg);
        return;
    }
    add_place(x, err->msg, &text);
    x->ops->machine->failed(x->ctx, err, sm_str_text(&text), forgiven);
    sm_str_clear(&text);
}

void sm_exec_report_time(struct sm_exec *x)
{
    struct sm_str text = {0};
    const struct running *r = x->running;
    if (!sm_session_settings(x->session)->verbose || x->ops->machine)
        return;
    sm_str_add(&text, "\"");
    sm_str_add_escaped(&text, r->text, strlen(r->text));
    sm_str_printf(&text, "\" took %.3f s.",
                  (double)(sm_clock_mono_us() - r->call.started_us) / 1e6);
    report_error(x, sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_exec_trace(struct sm_exec *x, const char *line)
{
    bool on = sm_run_settings(x->session)->trace_commands || sm_script_traced(x->script);
    if (!on || !line[strspn(line, " \t")] || line[strspn(line, " \t")] == '#')
        return;
    struct sm_str text = {0};
    sm_str_fill(&text, '+', sm_script_level(x->script));
    sm_str_add_escaped(&text, line, strlen(line));
    sm_str_addc(&text, '\n');
    if (sm_logging_add(x->session, sm_str_text(&text), text.len))
        x->ops->answer(x->ctx, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}
