/* SPDX-License-Identifier: Apache-2.0 */
/* with, at: run a command line with another setting or at another step. */
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/place/place.h"
#include "commands/run/exec.h"
#include "commands/support/support.h"

/* Index of the word "--" in the raw text; raw.n if there is none. */
static size_t find_dashes(struct sm_call *c)
{
    struct sm_text raw = c->raw;
    for (size_t i = 0; i + 2 <= raw.n; i++)
        if (raw.p[i] == '-' && raw.p[i + 1] == '-' && (i == 0 || sm_reader_blank(raw.p[i - 1])) &&
            (i + 2 == raw.n || sm_reader_blank(raw.p[i + 2])))
            return i;
    return raw.n;
}

/* The text before "--" and the line after it. Returns false if the line is empty. */
static bool cut_at_dashes(struct sm_call *c, struct sm_text *head, struct sm_text *line)
{
    size_t at = find_dashes(c);
    *head = sm_reader_trim(c->raw.p, at);
    *line =
        at < c->raw.n ? sm_reader_trim(c->raw.p + at + 2, c->raw.n - at - 2) : (struct sm_text){0};
    *head = sm_reader_keep(&c->arena, head->p, head->n);
    *line = sm_reader_keep(&c->arena, line->p, line->n);
    return line->n > 0;
}

/* ---- with ---- */

/* The setting that the text names; *value: the rest of the text, or NULL. */
static const struct sm_setting *read_setting(struct sm_call *c, struct sm_text text,
                                             const char **value, struct sm_err *err)
{
    enum { WORDS = 16 };
    struct sm_word words[WORDS];
    const char *names[WORDS];
    size_t n = 0, at = 0, used;
    struct sm_err e = {0};
    while (n < WORDS && sm_line_word(text.p, text.n, &at, &c->arena, &words[n], &e)) {
        names[n] = words[n].text.p;
        n++;
    }
    if (e.code != SM_OK) {
        *err = e;
        return NULL;
    }
    const struct sm_setting *row =
        sm_setting_find(&c->session->settings, "set", names, n, &used, err);
    if (!row)
        return NULL;
    *value = used + 1 == n ? names[used] : used < n ? text.p + words[used].column - 1 : NULL;
    return row;
}

static bool run_with(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_settings *settings = &c->session->settings;
    struct sm_text head, line;
    const char *value;
    struct sm_str before = {0};
    (void)out;
    if (!cut_at_dashes(c, &head, &line))
        return sm_err_set(err, SM_ERR_USAGE, "Usage: with SETTING VALUE -- COMMAND");
    const struct sm_setting *row = read_setting(c, head, &value, err);
    if (!row)
        return false;
    sm_setting_text(settings, row, &before);
    bool ok = sm_setting_set(settings, row, value, err);
    if (ok)
        sm_exec_with(c->exec, row, sm_str_text(&before), line.p);
    sm_str_clear(&before);
    return ok;
}

static const struct sm_arg with_args[] = {
    {.name = "SETTING VALUE", .kind = SM_ARG_SETTING, .required = true},
    {.name = "-- COMMAND", .kind = SM_ARG_TEXT},
    {0},
};
const struct sm_cmd sm_cmd_with = {
    .name = "with",
    .aliases = "w wi",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run a command with a temporary value of a setting",
    .help = "The old value is restored after the command, also if the command fails.",
    .example = "with print precision 3 -- tensor CNN_conv0.bias step 10",
    .see_also = "set, show",
    .args = with_args,
    .flags = SM_CMD_RAW | SM_CMD_LINE,
    .run = run_with,
};

/* ---- at ---- */

/* Reads "20" or "20 mode eval". */
static bool read_step(struct sm_call *c, struct sm_text head, struct sm_place *to,
                      struct sm_err *err)
{
    struct sm_word words[3] = {0};
    struct sm_reader first = {.p = head.p, .n = head.n, .arena = &c->arena};
    size_t n = sm_reader_tick(&first, &words[0]), at = first.at;
    enum sm_mode mode = SM_MODE_ANY;
    struct sm_err wrong = {0};
    while (n < 3 && sm_line_word(head.p, head.n, &at, &c->arena, &words[n], &wrong))
        n++;
    if (wrong.code != SM_OK)
        return sm_err_set(err, wrong.code, "%s", wrong.msg);
    bool modes = n == 3 && sm_text_is(words[1].text, "mode");
    if ((n != 1 && !modes) || at < head.n)
        return sm_err_set(err, SM_ERR_USAGE, "Usage: at STEP [mode MODE] -- COMMAND");
    return (!modes || sm_place_find_mode(words[2].text, &mode, err)) &&
           sm_place_parse_step(c, &c->session->at, mode, words[0].text, to, err);
}

static bool run_at(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_text head, line;
    struct sm_place to;
    (void)out;
    if (!cut_at_dashes(c, &head, &line))
        return sm_err_set(err, SM_ERR_USAGE, "Usage: at STEP [mode MODE] -- COMMAND");
    if (!read_step(c, head, &to, err))
        return false;
    sm_exec_at(c->exec, &to, line.p);
    return true;
}

static const struct sm_arg at_args[] = {
    {.name = "STEP", .kind = SM_ARG_STEP, .required = true},
    {.name = "-- COMMAND", .kind = SM_ARG_TEXT},
    {0},
};
const struct sm_cmd sm_cmd_at = {
    .name = "at",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Run a command at another step and come back",
    .help = "STEP is written as for goto, also \"20 mode eval\" and \"@20/worker_1\". The current "
            "tensor, step, mode and worker\n"
            "are restored after the command, also if it fails or changes them.",
    .example = "at 20 -- stat CNN_fc1.weight",
    .see_also = "goto, with, bookmark",
    .args = at_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_RAW | SM_CMD_LINE,
    .run = run_at,
};
