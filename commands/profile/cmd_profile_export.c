/* SPDX-License-Identifier: Apache-2.0 */
/* profile export: all of a profile in one trace. */
#include "commands/profile/profile_commands.h"
#include "commands/profile/trace_write.h"
#include "commands/session/outfile.h"
#include "reader/base/clock.h"

#include <string.h>

enum { WORK = 8192 }; /* events or samples of a turn: about 10 ms */

/* What is being written: dropped with the call, also when it is cancelled. */
struct exporting {
    struct sm_work kept;
    struct sm_outfile file;
    struct sm_trace_writer *writer;
};

static void drop(struct sm_work *kept)
{
    struct exporting *x = (struct exporting *)kept;
    struct sm_err err;
    sm_trace_writer_free(x->writer);
    if (x->file.f)
        sm_outfile_end(&x->file, false, &err);
    sm_free(x);
}

static struct exporting *begin(struct sm_call *c, const struct sm_profile *p, struct sm_err *err)
{
    struct sm_profile_window w;
    struct sm_outfile file;
    if (!sm_profile_window(c, p, &w, err) ||
        !sm_outfile_begin(&file, c->session, c->words[0].text.p, sm_call_flag(c, "f"), err))
        return NULL;
    struct exporting *x = sm_xalloc_zero(1, sizeof *x);
    x->kept.free = drop;
    x->file = file;
    x->writer = sm_trace_writer_new(file.f, &w);
    sm_work_keep(&c->works, &x->kept);
    c->state = x;
    if (!x->writer)
        sm_err_set(err, SM_ERR_MEMORY, "No memory for the trace.");
    return x->writer ? x : NULL;
}

/* Goes on with the file. False: there is more to do (SM_ERR_WAIT), or an error. */
static bool go_on(struct sm_call *c, struct exporting *x, const struct sm_profile *p,
                  struct sm_err *err)
{
    switch (sm_trace_writer_go(x->writer, p, WORK, err)) {
    case SM_TRACE_DONE:
        return sm_outfile_end(&x->file, true, err);
    case SM_TRACE_FAILED:
        return false;
    default:
        c->wake_us = sm_clock_mono_us();
        return sm_err_set(err, SM_ERR_WAIT, "writing the trace");
    }
}

static bool run_export(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    const char *path = c->words[0].text.p;
    struct exporting *x = !p || c->state ? c->state : begin(c, p, err);
    if (!p || !x || !go_on(c, x, p, err))
        return false;
    const struct sm_trace_written *done = sm_trace_writer_done(x->writer);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "file", path);
    sm_node_uint(out, map, "bytes", done->bytes);
    sm_node_uint(out, map, "events", done->events);
    sm_node_uint(out, map, "samples", done->samples);
    sm_result_text(out, "Wrote %llu events and %llu samples to %s (%llu bytes).",
                   (unsigned long long)done->events, (unsigned long long)done->samples,
                   sm_result_escape(out, path, strlen(path)), (unsigned long long)done->bytes);
    return true;
}

static const struct sm_arg args[] = {
    {.name = "FILE", .kind = SM_ARG_FILE, .required = true},
    {0},
};
static const struct sm_option options[] = {
    SM_PROFILE_WINDOW_OPTIONS,
    {.name = "f", .kind = SM_ARG_FLAG, .help = "overwrite FILE if it exists"},
    {0},
};
const struct sm_cmd sm_cmd_profile_export = {
    .parent = "profile",
    .name = "export",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Write the profile as a trace for Perfetto or chrome://tracing",
    .help = "One file has the events of all timelines, each phase of a node as a process, and the "
            "use of the machines as\ncounters.",
    .example = "profile export /tmp/trace.json",
    .see_also = "profile phases",
    .args = args,
    .options = options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = "{file:name,bytes:int,events:int,samples:int}",
    .run = run_export,
};
