/* SPDX-License-Identifier: Apache-2.0 */
/* refresh: reads new data now. */
#include "commands/answer/shape.h"
#include "commands/trials/trials.h"

static bool run_refresh(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_trial *t = sm_session_trial(s);
    if (!c->state) {
        s->redraw = true;
        sm_trial_refresh(t);
        uint64_t *before = sm_arena_xalloc(&c->arena, 2 * sizeof *before);
        before[0] = sm_trial_step_count(t);
        before[1] = sm_trial_problems(t)->total;
        c->state = before;
    }
    if (!sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "scanning");
    const uint64_t *before = c->state;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_uint(out, map, "steps", sm_trial_step_count(t));
    sm_node_int(out, map, "new_steps", (int64_t)(sm_trial_step_count(t) - before[0]));
    sm_node_uint(out, map, "problems", sm_trial_problems(t)->total);
    sm_node_int(out, map, "new_problems", (int64_t)(sm_trial_problems(t)->total - before[1]));
    sm_result_text(out, "%zu steps (%lld new), %llu problems (%lld new).", sm_trial_step_count(t),
                   (long long)(sm_trial_step_count(t) - before[0]),
                   (unsigned long long)sm_trial_problems(t)->total,
                   (long long)(sm_trial_problems(t)->total - before[1]));
    return true;
}

const struct sm_cmd sm_cmd_refresh = {
    .name = "refresh",
    .aliases = "re",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Look for new data now and redraw the dashboard",
    .help = "Reads the complete directory, also on file systems that do not report changes. The "
            "dashboard sends every cell\n"
            "to the terminal again, like Ctrl-L.",
    .see_also = "wait, doctor",
    .flags = SM_CMD_NEEDS_TRIAL,
    .answer = "{steps:int,new_steps:int,problems:int,new_problems:int}",
    .run = run_refresh,
};
