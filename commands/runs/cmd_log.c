/* log: what the program printed. */
#include "commands/runs/runs.h"
#include "commands/session/trial_list.h"

#include <string.h>

enum { LINES = 20 };

/* Redrawn lines keep what they showed last. */
static struct sm_text last_drawing(struct sm_text line)
{
    while (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    for (size_t i = line.n; i-- > 0;)
        if (line.p[i] == '\r')
            return (struct sm_text){line.p + i + 1, line.n - i - 1};
    return line;
}

/* Without the sequences that colour text and move the cursor. */
static const char *without_escapes(struct sm_result *out, struct sm_text line)
{
    char *text = sm_arena_xalloc(&out->arena, line.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == '\033' && i + 1 < line.n && line.p[i + 1] == '[') {
            for (i += 2; i < line.n && !(line.p[i] >= '@' && line.p[i] <= '~');)
                i++;
            continue;
        }
        text[n++] = line.p[i];
    }
    text[n] = 0;
    return sm_result_escape(out, text, n);
}

static bool is_wanted(struct sm_call *c, struct sm_text line)
{
    if (!c->n_words)
        return true;
    struct sm_text part = c->words[0].text;
    for (size_t i = 0; i + part.n <= line.n; i++)
        if (strncasecmp(line.p + i, part.p, part.n) == 0)
            return true;
    return false;
}

struct found_line {
    struct sm_text text;
    size_t number;
};

/* The last lines that are wanted, in order; `most` of them. Returns how many there are. */
static size_t find_lines(struct sm_call *c, const struct sm_str *console, struct found_line *ring,
                         size_t most)
{
    size_t n = 0, number = 0;
    for (size_t at = 0; at < console->len;) {
        const char *from = console->data + at;
        const char *end = memchr(from, '\n', console->len - at);
        struct sm_text line = {from, end ? (size_t)(end - from) : console->len - at};
        at += line.n + 1;
        number++;
        line = last_drawing(line);
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
        const char *text = without_escapes(out, x->text);
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
     .help = "so many of the last lines",
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
