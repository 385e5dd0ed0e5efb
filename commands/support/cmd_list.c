/* SPDX-License-Identifier: Apache-2.0 */
/* list: the next page of the last listing. */
#include "commands/run/run_state.h"
#include "commands/support/support.h"

#include <string.h>

static bool run_list(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_listing *l = &sm_run(c->session)->listing;
    int rows = c->session->term.h > 2 ? c->session->term.h - 2 : 20;
    bool back = c->n_words && sm_text_is(c->words[0].text, "-");
    const char *text = sm_str_text(&l->lines);
    size_t at = l->next;
    if (c->n_words && !back)
        return sm_err_set(err, SM_ERR_USAGE, "Expected \"-\" (the previous page), not \"%s\".",
                          c->words[0].text.p);
    if (back) { /* to the page before the last one shown */
        for (int lines = 0; at > 0 && lines <= 2 * rows; at--)
            lines += text[at - 1] == '\n';
        at += at > 0;
        at += at > 0;
    }
    if (at >= l->lines.len)
        return sm_err_set(err, SM_ERR_MISSING,
                          l->lines.len ? "End of the listing."
                                       : "Nothing has been listed yet. Try \"tensors\".");
    for (int k = 0; k < rows && at < l->lines.len; k++) {
        size_t n = strcspn(text + at, "\n");
        sm_result_text(out, "%.*s", (int)n, text + at);
        at += n + 1;
    }
    l->next = at;
    return true;
}

static const struct sm_arg list_args[] = {{.name = "-", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_list = {
    .name = "list",
    .aliases = "l",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show the next page of the last listing; \"list -\" the previous page",
    .example = "list",
    .see_also = "tensors, info",
    .args = list_args,
    .flags = SM_CMD_CONTINUES,
    .run = run_list,
};
