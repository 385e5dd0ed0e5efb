/* SPDX-License-Identifier: Apache-2.0 */
/* profile export: all of a profile in one trace. */
#include "commands/profile/profile_commands.h"
#include "commands/profile/trace_write.h"
#include "commands/session/outfile.h"

#include <string.h>

static bool write_file(struct sm_call *c, const struct sm_profile *p,
                       const struct sm_profile_window *w, struct sm_trace_written *done,
                       struct sm_err *err)
{
    const char *path = c->words[0].text.p;
    if (!sm_outfile_check(c->session, path, sm_call_flag(c, "f"), err))
        return false;
    FILE *f = sm_outfile_open(c->session, path, false, err);
    if (!f)
        return false;
    bool ok = sm_trace_write(f, p, w, done, err);
    if (fclose(f) != 0 && ok)
        ok = sm_err_errno(err, "%s", path);
    return ok;
}

static bool run_export(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    const char *path = c->words[0].text.p;
    struct sm_profile_window w;
    struct sm_trace_written done;
    if (!p || !sm_profile_window(c, p, &w, err) || !write_file(c, p, &w, &done, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "file", path);
    sm_node_uint(out, map, "bytes", done.bytes);
    sm_node_uint(out, map, "events", done.events);
    sm_node_uint(out, map, "samples", done.samples);
    sm_result_text(out, "Wrote %llu events and %llu samples to %s (%llu bytes).",
                   (unsigned long long)done.events, (unsigned long long)done.samples,
                   sm_result_escape(out, path, strlen(path)), (unsigned long long)done.bytes);
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
