/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/logging.h"
#include "commands/run/run_state.h"

#include "commands/session/outfile.h"

#include <stdio.h>
#include <string.h>

static bool open_log(struct sm_session *s, struct sm_err *err)
{
    const char *name = sm_run_settings(s)->logging_file;
    sm_run(s)->log = sm_outfile_open(s, name, !sm_run_settings(s)->logging_overwrite, err);
    if (!sm_run(s)->log)
        return false;
    sm_run(s)->log_name = sm_xstrdup(name);
    return true;
}

/* Returns false if not everything was written. *message, if not NULL, gets a line that
 * reports the end. */
static bool close_log(struct sm_session *s, struct sm_str *message, struct sm_err *err)
{
    bool ok = !ferror(sm_run(s)->log);
    ok = fclose(sm_run(s)->log) == 0 && ok;
    if (!ok)
        sm_err_set(err, SM_ERR_IO, "%s: could not write all of the log.", sm_run(s)->log_name);
    else if (message)
        sm_str_printf(message, "Done logging to %s.", sm_run(s)->log_name);
    sm_free(sm_run(s)->log_name);
    sm_run(s)->log = NULL;
    sm_run(s)->log_name = NULL;
    return ok;
}

void sm_logging_end(struct sm_session *s)
{
    if (sm_run(s)->log)
        close_log(s, NULL, NULL);
}

bool sm_logging_sync(struct sm_session *s, struct sm_str *message, struct sm_err *err)
{
    const struct sm_run_settings *v = sm_run_settings(s);
    if (v->logging_enabled == (sm_run(s)->log != NULL))
        return true;
    if (sm_run(s)->log)
        return close_log(s, message, err);
    if (!open_log(s, err)) {
        sm_setting_set(&s->settings, sm_setting_named(&s->settings, "logging enabled"), "off",
                       NULL);
        return false;
    }
    if (message)
        sm_str_printf(message, "%s output to %s.", v->logging_redirect ? "Redirecting" : "Copying",
                      sm_run(s)->log_name);
    sm_run(s)->log_started = message != NULL;
    return true;
}

/* The length of an escape sequence: a colour, a role (plot/grid/roles.h) or a picture. */
static size_t escape_length(const char *p, size_t n)
{
    size_t i = 2;
    if (n > 1 && p[1] == '[') {
        while (i < n && (p[i] < '@' || p[i] > '~'))
            i++;
        return i < n ? i + 1 : n;
    }
    while (i < n && !(p[i - 1] == '\033' && p[i] == '\\'))
        i++;
    return i < n ? i + 1 : n;
}

bool sm_logging_add(struct sm_session *s, const char *text, size_t n)
{
    if (!sm_logging_sync(s, NULL, NULL) || !sm_run(s)->log)
        return true;
    if (sm_run(s)->log_started) {
        sm_run(s)->log_started = false;
        return true;
    }
    bool written = true;
    for (size_t i = 0, plain; i < n; i += plain) {
        const char *escape = memchr(text + i, '\033', n - i);
        plain = escape ? (size_t)(escape - text) - i : n - i;
        written = fwrite(text + i, 1, plain, sm_run(s)->log) == plain && written;
        plain += escape ? escape_length(escape, (size_t)(text + n - escape)) : 0;
    }
    written = fflush(sm_run(s)->log) == 0 && written;
    return !sm_run_settings(s)->logging_redirect || !written;
}
