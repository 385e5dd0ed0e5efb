/* SPDX-License-Identifier: Apache-2.0 */
/* A run's file, read and followed. Where it lacks configuration or console output, the files beside
 * it are read, too. */
#include "reader/base/mem.h"
#include "reader/logs/log_file.h"
#include "reader/logs/log_json.h"
#include "reader/logs/yaml.h"
#include "reader/wandb/wandb.h"
#include "reader/wandb/wandb_log.h"
#include "reader/wandb/wandb_run.h"

#include <string.h>

enum { READ_BYTES = 8 * SM_WANDB_BLOCK, CONFIG_MAX = 16 * 1024 * 1024, CONSOLE_BYTES = 64 * 1024 };

struct wandb {
    struct sm_source *source;
    char *path; /* of the file; NULL: not found yet */
    char *config_path, *output_path;
    struct sm_log_file file, output;
    struct sm_wandb_log log;
    struct sm_wandb_run run;
    bool unread;       /* more can be read at once */
    bool shows_output; /* the console is of output.log */
    bool refused;      /* a problem of the file as a whole was reported */
    int64_t config_us; /* mtime of the config.yaml that was read, plus 1; 0: none */
};

/* ---- state ---- */

static char *beside(const char *path, const char *name)
{
    struct sm_str s = {0};
    const char *slash = strrchr(path, '/');
    sm_str_addn(&s, path, slash ? (size_t)(slash + 1 - path) : 0);
    sm_str_add(&s, name);
    return s.failed ? NULL : s.data;
}

static void close_state(void *state)
{
    struct wandb *w = state;
    sm_log_file_clear(&w->file);
    sm_log_file_clear(&w->output);
    sm_wandb_log_clear(&w->log);
    sm_wandb_run_clear(&w->run);
    sm_free(w->path);
    sm_free(w->config_path);
    sm_free(w->output_path);
    sm_free(w);
}

static void set_path(struct wandb *w, const char *path)
{
    w->path = sm_strdup(path);
    w->file = (struct sm_log_file){.source = w->source, .path = w->path};
    w->run.file = w->path;
    w->run.source = w->source;
}

static void *open_state(const struct sm_trial_input *in)
{
    struct wandb *w = sm_alloc_zero(1, sizeof *w);
    const char *member = in->options.member;
    if (!w)
        return NULL;
    w->source = in->source;
    if (member)
        set_path(w, member);
    w->config_path = beside(member ? member : "", "files/config.yaml");
    w->output_path = beside(member ? member : "", "files/output.log");
    if ((member && !w->path) || !w->config_path || !w->output_path) {
        close_state(w);
        return NULL;
    }
    w->output = (struct sm_log_file){.source = in->source, .path = w->output_path};
    return w;
}

static bool is_found(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    (void)inode;
    if (is_dir || !sm_ends_with(name, SM_WANDB_ENDING))
        return true;
    set_path(ctx, name);
    return false;
}

/* A folder that is a run has one file. */
static bool has_path(struct wandb *w)
{
    struct sm_err err;
    if (!w->path)
        sm_source_list(w->source, "", is_found, w, &err);
    return w->path;
}

/* What was handed on is withdrawn; the file is read from its beginning. */
static void begin_again(struct wandb *w, struct sm_log_sink *sink)
{
    sm_log_restart(sink);
    sm_log_file_untake(&w->file, (size_t)w->file.offset);
    sm_wandb_log_clear(&w->log);
    sm_log_file_clear(&w->output);
    w->shows_output = false;
    w->config_us = 0;
    w->unread = true;
}

/* ---- the file ---- */

static void on_record(void *ctx, struct sm_bytes payload, uint64_t offset)
{
    sm_wandb_take_record(ctx, payload, offset);
}

static void on_problem(void *ctx, uint64_t offset, const struct sm_err *err)
{
    sm_wandb_report(ctx, offset, err);
}

/* Takes the chunks that are whole. False: the end, or an error. */
static bool take_chunks(struct wandb *w, uint8_t *buffer, struct sm_err *err)
{
    static const struct sm_wandb_log_ops ops = {on_record, on_problem};
    size_t got = sm_log_file_peek(&w->file, buffer, READ_BYTES, err);
    if (got == 0)
        return false;
    bool at_end = got < READ_BYTES;
    size_t used = sm_wandb_log_take(&w->log, (struct sm_bytes){buffer, got}, at_end, &ops, &w->run);
    sm_log_file_took(&w->file, buffer, used);
    return !at_end && used;
}

/* False: all is read, as far as it can be. */
static bool take_turn(struct wandb *w, struct sm_err *err)
{
    uint64_t began = w->file.offset;
    uint8_t *buffer = sm_alloc(READ_BYTES);
    bool more = buffer || sm_err_set(err, SM_ERR_MEMORY, "no memory to read a W&B file");
    while (more && w->file.offset - began < SM_LOG_TURN_BYTES)
        more = take_chunks(w, buffer, err);
    sm_free(buffer);
    return more;
}

static void report_whole(struct wandb *w, struct sm_log_sink *sink, const struct sm_err *err)
{
    if (err->code != SM_OK && err->code != SM_ERR_MISSING && !w->refused)
        sm_log_problem(sink, w->path, -1, err);
    w->refused = err->code != SM_OK;
}

/* ---- the files beside it ---- */

/* NAME.value of the file is NAME, NAME.value.PART is NAME.PART. */
static void on_config(void *ctx, const struct sm_log_value *v)
{
    static const char part[] = ".value";
    struct sm_str name = {0}, json = {0};
    size_t n = sizeof part - 1;
    const char *at = strstr(v->name, part);
    while (at && at[n] && at[n] != '.')
        at = strstr(at + 1, part);
    if (!at || strncmp(v->name, "_wandb", 6) == 0)
        return;
    sm_str_addn(&name, v->name, (size_t)(at - v->name));
    sm_str_add(&name, at + n);
    sm_log_value_json(v, &json);
    if (!name.failed && !json.failed)
        sm_log_config(ctx, sm_str_text(&name), name.len, sm_str_text(&json), json.len);
    sm_str_clear(&name);
    sm_str_clear(&json);
}

static void read_config(struct wandb *w, struct sm_log_sink *sink)
{
    struct sm_stat st;
    struct sm_str yaml = {0}, json = {0};
    struct sm_err err = {0};
    if (!sm_source_stat(w->source, w->config_path, &st, &err) || st.mtime_us + 1 == w->config_us)
        return;
    w->config_us = st.mtime_us + 1;
    if (!sm_source_slurp(w->source, w->config_path, CONFIG_MAX, &yaml, &err) ||
        !sm_yaml_to_json(sm_str_text(&yaml), yaml.len, &json, &err) ||
        !sm_log_json_leaves(sm_str_text(&json), json.len, '.', on_config, sink, &err))
        sm_log_problem(sink, w->config_path, -1, &err);
    sm_str_clear(&json);
    sm_str_clear(&yaml);
}

/* Only the end of a long one is kept anyway, but it is read in order. */
static void read_output(struct wandb *w, struct sm_log_sink *sink)
{
    struct sm_err err = {0};
    enum sm_log_change change = sm_log_file_look(&w->output, &err);
    char *buffer = change == SM_LOG_GROWN || change == SM_LOG_ANEW ? sm_alloc(CONSOLE_BYTES) : NULL;
    size_t got = buffer ? CONSOLE_BYTES : 0;
    while (got == CONSOLE_BYTES) {
        got = sm_log_file_take(&w->output, buffer, CONSOLE_BYTES, &err);
        sm_log_console(sink, buffer, got);
        w->shows_output = w->shows_output || got;
    }
    sm_free(buffer);
}

/* ---- a turn ---- */

static void clear_run(struct wandb *w, struct sm_log_sink *sink)
{
    begin_again(w, sink);
    sm_wandb_run_clear(&w->run);
    w->run.sink = sink;
}

/* Without memory: the file is read again at the next beat, not at once. */
static bool forget_run(struct wandb *w, struct sm_log_sink *sink)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_MEMORY, "no memory to read a W&B file");
    sm_log_problem(sink, w->path, -1, &err);
    clear_run(w, sink);
    return false;
}

static enum sm_log_change look(struct wandb *w, struct sm_log_sink *sink, struct sm_err *err)
{
    bool had = w->log.offset > 0;
    enum sm_log_change change = sm_log_file_look(&w->file, err);
    if (change == SM_LOG_ANEW || (change == SM_LOG_GONE && had))
        clear_run(w, sink);
    return change;
}

/* Points over another axis than was known, console output in records after all. */
static bool must_rewind(const struct wandb *w)
{
    return w->run.again || (w->shows_output && w->run.has_console);
}

static void rewind_run(struct wandb *w, struct sm_log_sink *sink)
{
    uint64_t reported = w->log.offset;
    begin_again(w, sink);
    w->run.reported_to = reported > w->run.reported_to ? reported : w->run.reported_to;
    sm_wandb_run_rewind(&w->run);
}

static bool at_end_of_file(struct wandb *w, struct sm_log_sink *sink)
{
    if (w->run.failed)
        return forget_run(w, sink);
    sm_wandb_check_axes(&w->run);
    if (must_rewind(w)) {
        rewind_run(w, sink);
        return true;
    }
    if (!w->run.has_config)
        read_config(w, sink);
    if (!w->run.has_console)
        read_output(w, sink);
    return false;
}

static bool poll(void *state, struct sm_log_sink *sink)
{
    struct wandb *w = state;
    struct sm_err err = {0};
    if (!has_path(w))
        return false;
    w->run.sink = sink;
    enum sm_log_change change = look(w, sink, &err);
    report_whole(w, sink, &err);
    if (change == SM_LOG_GONE)
        return false;
    sm_log_written(sink, w->file.mtime_us);
    if (change != SM_LOG_SAME || w->unread) {
        sm_err_clear(&err);
        w->unread = take_turn(w, &err) || err.code != SM_OK;
        report_whole(w, sink, &err);
    }
    if (err.code != SM_OK)
        return false;                                 /* again at the next beat */
    bool more = w->unread || at_end_of_file(w, sink); /* which may begin again */
    sm_wandb_hand_summary(&w->run);
    return more;
}

const struct sm_log_format sm_wandb_format = {
    .open = open_state, .close = close_state, .poll = poll, .make = sm_wandb_make_value};
