/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints as commands that create them again. */
#include "commands/session/outfile.h"
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

#include <string.h>

static void save_extras(const struct sm_breakpoint *x, struct sm_str *out)
{
    if (x->hit_operator)
        sm_str_printf(out, "condition -hitcount $bpnum %s %llu\n", sm_breakpoint_compared(x),
                      (unsigned long long)x->hit_number);
    if (x->ignore)
        sm_str_printf(out, "ignore $bpnum %llu\n", (unsigned long long)x->ignore);
    if (x->disposition != SM_BREAK_KEEP && !x->temporary)
        sm_str_printf(out, "enable %s $bpnum\n",
                      x->disposition == SM_BREAK_DELETE ? "delete" : "once");
    if (!x->enabled)
        sm_str_add(out, "disable $bpnum\n");
    if (!x->commands)
        return;
    sm_str_add(out, "commands $bpnum\n");
    sm_body_text(x->commands, 1, out);
    sm_str_add(out, "end\n");
}

void sm_breakpoint_save(const struct sm_breakpoint *x, struct sm_str *out)
{
    const char *verb = x->type == SM_BREAK_WATCH   ? "watch"
                       : x->type == SM_BREAK_PRINT ? "dprintf"
                       : x->temporary              ? "tbreak"
                                                   : "break";
    sm_str_printf(out, "%s %s", verb, sm_breakpoint_what(x));
    if (x->print)
        sm_str_printf(out, ",%s", x->print);
    if (x->mode != SM_MODE_ANY)
        sm_str_printf(out, " mode %s", sm_mode_name((int)x->mode));
    if (x->condition && !x->print && !x->watched)
        sm_str_printf(out, " if %s", x->condition);
    sm_str_addc(out, '\n');
    if (x->condition && (x->print || x->watched))
        sm_str_printf(out, "condition $bpnum %s\n", x->condition);
    save_extras(x, out);
}

bool sm_breakpoints_save(const struct sm_session *s, const char *path, struct sm_result *out,
                         struct sm_err *err)
{
    struct sm_str text = {0};
    size_t n = sm_stops(s)->breakpoints.n;
    for (size_t i = 0; i < n; i++)
        sm_breakpoint_save(sm_stops(s)->breakpoints.items[i], &text);
    bool ok = n ? sm_outfile_write(s, path, false, sm_str_text(&text), text.len, err)
                : sm_err_set(err, SM_ERR_MISSING, "There are no breakpoints to save.");
    if (ok) {
        struct sm_node *map = sm_node_map(out, NULL, NULL);
        sm_node_text(out, map, "file", path);
        sm_node_uint(out, map, "breakpoints", n);
        sm_result_text(out, "Saved %zu breakpoint%s to %s.", n, n == 1 ? "" : "s",
                       sm_result_escape(out, path, strlen(path)));
    }
    sm_str_clear(&text);
    return ok;
}
