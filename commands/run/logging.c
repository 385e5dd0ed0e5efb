#include "commands/run/logging.h"
#include "commands/run/run_state.h"

#include "commands/session/outfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool begin(struct sm_session *s, struct sm_err *err)
{
    const char *name = sm_run_settings(s)->logging_file;
    struct sm_str path = {0};
    bool ok = sm_outfile_path(s, name, &path, err);
    if (ok)
        sm_run(s)->log =
            fopen(sm_str_text(&path), sm_run_settings(s)->logging_overwrite ? "we" : "ae");
    if (ok && !sm_run(s)->log)
        ok = sm_err_set(err, SM_ERR_USAGE, "%s: %s.", name, strerror(errno));
    if (ok)
        sm_run(s)->log_name = sm_xstrdup(name);
    sm_str_clear(&path);
    return ok;
}

/* False: not all could be written. */
static bool end(struct sm_session *s, struct sm_str *said, struct sm_err *err)
{
    bool ok = !ferror(sm_run(s)->log);
    ok = fclose(sm_run(s)->log) == 0 && ok;
    if (!ok)
        sm_err_set(err, SM_ERR_IO, "%s: not all of the log could be written.", sm_run(s)->log_name);
    else if (said)
        sm_str_printf(said, "Done logging to %s.", sm_run(s)->log_name);
    sm_free(sm_run(s)->log_name);
    sm_run(s)->log = NULL;
    sm_run(s)->log_name = NULL;
    return ok;
}

void sm_logging_end(struct sm_session *s)
{
    if (sm_run(s)->log)
        end(s, NULL, NULL);
}

bool sm_logging_sync(struct sm_session *s, struct sm_str *said, struct sm_err *err)
{
    const struct sm_run_settings *v = sm_run_settings(s);
    if (v->logging_enabled == (sm_run(s)->log != NULL))
        return true;
    if (sm_run(s)->log)
        return end(s, said, err);
    if (!begin(s, err)) {
        sm_setting_set(&s->settings, sm_setting_named(&s->settings, "logging enabled"), "off",
                       NULL);
        return false;
    }
    if (said)
        sm_str_printf(said, "%s output to %s.", v->logging_redirect ? "Redirecting" : "Copying",
                      sm_run(s)->log_name);
    sm_run(s)->log_begun = said != NULL;
    return true;
}

/* Behind an escape sequence: of colours, of roles (plot/grid/roles.h), of a picture. */
static size_t skip(const char *p, size_t n)
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
    if (sm_run(s)->log_begun) {
        sm_run(s)->log_begun = false;
        return true;
    }
    bool written = true;
    for (size_t i = 0, plain; i < n; i += plain) {
        const char *escape = memchr(text + i, '\033', n - i);
        plain = escape ? (size_t)(escape - text) - i : n - i;
        written = fwrite(text + i, 1, plain, sm_run(s)->log) == plain && written;
        plain += escape ? skip(escape, (size_t)(text + n - escape)) : 0;
    }
    written = fflush(sm_run(s)->log) == 0 && written;
    return !sm_run_settings(s)->logging_redirect || !written;
}
