/* SPDX-License-Identifier: Apache-2.0 */
/* Runs command lines in a session like a front end, and keeps their output. */
#ifndef TESTS_COMMANDS_DRIVER_H
#define TESTS_COMMANDS_DRIVER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/features.h"
#include "commands/run/exec.h"
#include "reader/base/clock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct driver {
    struct sm_pool *pool;
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_str out, err, shell; /* answers, errors, "COMMAND<INPUT" of shell commands */
    int shell_status;
};

static inline void driver_answer(void *ctx, const char *text, size_t n)
{
    sm_str_addn(&((struct driver *)ctx)->out, text, n);
}

static inline void driver_complain(void *ctx, const char *text, size_t n)
{
    sm_str_addn(&((struct driver *)ctx)->err, text, n);
}

static inline int driver_shell(void *ctx, const char *command, const char *input, size_t n)
{
    struct driver *d = ctx;
    sm_str_printf(&d->shell, "%s<", command);
    sm_str_addn(&d->shell, input ? input : "", n);
    return d->shell_status;
}

/* trial: a folder of tests/trials, or NULL. Jobs run in this thread, so results do not depend on
 * time. */
static inline void driver_open(struct driver *d, const char *trial, bool batch)
{
    static const struct sm_exec_ops ops = {
        .answer = driver_answer, .complain = driver_complain, .shell = driver_shell};
    struct sm_err err = {0};
    char path[256];
    unsetenv("COLUMNS");
    *d = (struct driver){.pool = sm_pool_new(0, 0, &err)};
    d->session = sm_session_new(d->pool, sm_command_features, &err);
    assert_non_null(d->session);
    d->session->batch = batch;
    d->session->interactive = !batch;
    d->session->open_options.follow = false;
    assert_true(sm_setting_set(&d->session->settings,
                               sm_setting_named(&d->session->settings, "time-zone"), "utc", NULL));
    d->exec = sm_exec_new(d->session, &ops, d);
    snprintf(path, sizeof path, "tests/trials/%s", trial ? trial : "");
    if (trial)
        assert_true(sm_session_open(d->session, path, NULL, true, &err));
}

static inline void driver_close(struct driver *d)
{
    sm_exec_free(d->exec);
    sm_session_free(d->session);
    sm_pool_free(d->pool);
    sm_str_clear(&d->out);
    sm_str_clear(&d->err);
    sm_str_clear(&d->shell);
}

/* Runs until nothing is left to do. A command that waits forever fails the test. */
static inline void driver_run(struct driver *d)
{
    for (int idle = 0; sm_exec_run(d->exec);) {
        if (sm_session_pump(d->session) || !sm_exec_waiting(d->exec) || sm_pool_pending(d->pool))
            idle = 0;
        else if (++idle > 100000)
            fail_msg("\"%s\" waits forever", sm_exec_running(d->exec));
    }
}

/* Runs one line. Returns its answer; errors are in d->err. */
static inline const char *driver_say(struct driver *d, const char *line, enum sm_line_origin origin)
{
    sm_str_truncate(&d->out, 0);
    sm_str_truncate(&d->err, 0);
    sm_str_truncate(&d->shell, 0);
    sm_exec_line(d->exec, line, origin);
    driver_run(d);
    return sm_str_text(&d->out);
}

static inline const char *driver_prompt(struct driver *d, const char *line)
{
    return driver_say(d, line, SM_FROM_PROMPT);
}

#define assert_answer(d, line, want) assert_string_equal(driver_prompt(d, line), want)
#define assert_complaint(d, line, want)                                                            \
    do {                                                                                           \
        driver_prompt(d, line);                                                                    \
        assert_string_equal(sm_str_text(&(d)->err), want);                                         \
    } while (0)

#endif
