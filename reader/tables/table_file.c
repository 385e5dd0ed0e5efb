/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/table_file.h"

#include <string.h>

void sm_table_file_open(struct sm_table_file *t, const struct sm_trial_input *in)
{
    const char *member = in->options.member ? in->options.member : "";
    const char *slash = strrchr(member, '/');
    *t = (struct sm_table_file){.in = in, .log = {.source = in->source, .path = member}};
    sm_str_addn(&t->folder, member, slash ? (size_t)(slash + 1 - member) : 0);
}

void sm_table_file_clear(struct sm_table_file *t)
{
    sm_log_file_clear(&t->log);
    sm_str_clear(&t->folder);
}

enum sm_log_change sm_table_file_look(struct sm_table_file *t)
{
    struct sm_err err;
    enum sm_log_change change = sm_log_file_look(&t->log, &err);
    if (change == SM_LOG_GONE && err.code != SM_ERR_MISSING)
        sm_log_problem(t->sink, t->log.path, -1, &err);
    return change;
}

bool sm_table_file_settings(struct sm_table_file *t)
{
    return sm_table_settings_read(&t->settings, t->in->source, sm_str_text(&t->folder), t->sink);
}

bool sm_table_file_lines(struct sm_table_file *t,
                         void (*line)(void *ctx, const struct sm_log_line *line), void *ctx,
                         const bool *failed)
{
    struct sm_err err;
    sm_log_written(t->sink, t->log.mtime_us);
    bool more = sm_log_file_lines(&t->log, true, line, ctx, &err);
    if (*failed)
        sm_err_set(&err, SM_ERR_MEMORY, "no memory");
    if (err.code)
        sm_log_problem(t->sink, t->log.path, -1, &err);
    return more;
}
