/* SPDX-License-Identifier: Apache-2.0 */
/* complete: the completions of a line. */
#include "commands/answer/shape.h"
#include "commands/support/complete.h"
#include "commands/support/support.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column candidate_columns[] = {{.key = "line", .header = "LINE"}};

/* One line per candidate: the completed line, as in gdb. */
static bool run_complete(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_candidates found;
    struct sm_trial *t = sm_session_trial(c->session);
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_complete(c->session, c->raw.p, c->raw.n, &found);
    for (size_t i = 0; i < found.n; i++) {
        const char *line =
            sm_arena_xprintf(&out->arena, "%.*s%s", (int)found.start, c->raw.p, found.items[i]);
        sm_node_text(out, sm_node_map(out, list, NULL), "line", line);
        sm_result_text(out, "%s", sm_result_escape(out, line, strlen(line)));
    }
    if (found.more)
        sm_result_text(out, "%s *** List may be truncated, max-completions reached. ***", c->raw.p);
    out->root = list;
    out->columns = candidate_columns;
    out->n_columns = COUNT(candidate_columns);
    sm_candidates_clear(&found);
    return true;
}

static const struct sm_arg complete_args[] = {{.name = "TEXT", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_complete = {
    .name = "complete",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "List the completions of a line",
    .example = "complete info t",
    .see_also = "help",
    .args = complete_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .answer = "[{line:text}]",
    .run = run_complete,
};
