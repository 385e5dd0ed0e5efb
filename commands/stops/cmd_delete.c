/* SPDX-License-Identifier: Apache-2.0 */
/* delete: deletes breakpoints or displays. */
#include "commands/stops/break_change.h"
#include "commands/stops/stops.h"

static void delete_one(struct sm_breakpoints *list, struct sm_breakpoint *b)
{
    sm_breakpoints_clear_stops(list, b->number, NULL);
    sm_breakpoints_remove(list, b->number);
}

static bool run_delete(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_call rest = *c;
    size_t named = c->n_words - sm_breakpoints_word(c, 0, "breakpoints");
    if (!named && c->may_ask && sm_stops(c->session)->breakpoints.n) {
        sm_result_text(out, "Delete all breakpoints? (y or n)");
        out->asks = true;
        return true;
    }
    if (!sm_breakpoints_word(c, 0, "display"))
        return sm_breakpoints_change(c, sm_breakpoints_word(c, 0, "breakpoints"), delete_one, err);
    rest.words++;
    rest.n_words--;
    return sm_cmd_undisplay.run(&rest, out, err);
}

static const struct sm_arg delete_args[] = {{.name = "N", .kind = SM_ARG_TEXT, .repeats = true},
                                            {0}};

const struct sm_cmd sm_cmd_delete = {
    .name = "delete",
    .aliases = "d",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Delete some breakpoints, or all",
    .help =
        "N is a number or a range such as 2-5. The word \"breakpoints\" before it is optional. "
        "\"delete display N\" is\n"
        "\"undisplay N\". Without N all are deleted, at a prompt after a question (\"set confirm "
        "off\").",
    .example = "delete 1 3-5",
    .see_also = "break, disable, undisplay, info",
    .args = delete_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_delete,
};
