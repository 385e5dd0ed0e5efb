/* SPDX-License-Identifier: Apache-2.0 */
/* log: what the program printed. */
#include "commands/runs/run_console.h"
#include "commands/runs/runs.h"
#include "commands/session/trial_list.h"

#include <string.h>

enum { LINES = 20 };

static const char *plain_text(struct sm_result *out, struct sm_text line)
{
    struct sm_str text = {0};
    sm_run_console_plain(line, &text);
    const char *copy = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return copy;
}

static bool is_wanted(struct sm_call *c, struct sm_text line)
{
    return !c->n_words || sm_run_console_has(line, c->words[0].text.p, c->words[0].text.n);
}

struct found_line {
    struct sm_text text;
    size_t number;
};

/* The last lines that are wanted, in order; `most` of them. Returns how many there are. */
static size_t find_lines(struct sm_call *c, const struct sm_str *console, struct found_line *ring,
                         size_t most)
{
    size_t n = 0, number = 0, at = 0;
    for (struct sm_text line; sm_run_console_next(console, &at, &line);) {
        number++;
        if (is_wanted(c, line))
            ring[n++ % most] = (struct found_line){line, number};
    }
    return n;
}

static bool run_log(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_run_info *info = sm_trial_info(sm_session_trial(c->session));
    const struct sm_word *lines = sm_call_option(c, "n");
    int64_t most = LINES;
    if (lines && !sm_call_int(lines, 1, 100000, &most, err))
        return false;
    struct found_line *ring = sm_arena_xalloc(&c->arena, (size_t)most * sizeof *ring);
    size_t n = find_lines(c, &info->console, ring, (size_t)most);
    size_t shown = n < (size_t)most ? n : (size_t)most;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = n - shown; i < n; i++) {
        const struct found_line *x = &ring[i % (size_t)most];
        const char *text = plain_text(out, x->text);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "line", x->number);
        sm_node_text(out, row, "text", text);
        sm_result_text(out, "%s", text);
    }
    if (!info->console.len)
        sm_result_dim(out, "The run has no console output.");
    else if (!n)
        sm_result_dim(out, "No line has that text.");
    else if (n > shown)
        sm_result_dim(out, "The last %zu of %zu lines; -n N shows more.", shown, n);
    return true;
}

static const struct sm_arg log_args[] = {
    {.name = "TEXT", .kind = SM_ARG_TEXT, .help = "only lines that have this text"}, {0}};
static const struct sm_option log_options[] = {
    {.name = "n",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "number of lines to show, from the end",
     .initial = "20"},
    {0},
};
const struct sm_cmd sm_cmd_log = {
    .name = "log",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show what the training printed, or search it",
    .help =
        "Loggers such as W&B keep the output of the program; of a log file it is the file "
        "itself. Colours are left\nout, and of a line that was redrawn its last state is shown.",
    .example = "log error",
    .see_also = "info config, runs",
    .args = log_args,
    .options = log_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "[{line:int,text:text}]",
    .run = run_log,
};
