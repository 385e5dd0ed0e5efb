/* assert, with, at: a line depends on another. */
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/run/exec.h"
#include "commands/support/support.h"

/* ---- assert ---- */

/* The message behind the comma, without its quotes; empty: none. */
static bool read_message(struct sm_call *c, size_t from, struct sm_str *out, struct sm_err *err)
{
    struct sm_text rest =
        from < c->raw.n ? sm_reader_trim(c->raw.p + from + 1, c->raw.n - from - 1) : SM_TEXT("");
    struct sm_reader r = {.p = rest.p, .n = rest.n, .arena = &c->arena};
    if (rest.n && (rest.p[0] == '"' || rest.p[0] == '\''))
        return sm_reader_quoted(&r, out, err);
    sm_str_addn(out, rest.p, rest.n);
    return true;
}

/* NaN and what is false fail it; what is not there is another matter. */
static bool judge(struct sm_call *c, struct sm_text expr, const char *message, struct sm_err *err)
{
    struct sm_value v;
    if (!sm_evaluate(c, expr, &v, err))
        return false;
    bool holds = sm_expr_is_true(&v), missing = v.type == SM_UNAVAILABLE;
    if (missing)
        sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v.text.n, v.text.p);
    sm_value_clear(&v);
    if (missing || holds)
        return holds;
    if (*message)
        return sm_err_set(err, SM_ERR_VERDICT, "Assertion failed: %s", message);
    return sm_err_set(err, SM_ERR_VERDICT, "Assertion failed: %.*s", (int)expr.n, expr.p);
}

static bool run_assert(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text expr = sm_evaluate_first(c->raw);
    struct sm_str message = {0};
    (void)out;
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    bool ok = read_message(c, expr.n, &message, err) && judge(c, expr, sm_str_text(&message), err);
    sm_str_clear(&message);
    return ok;
}

static const struct sm_arg assert_args[] = {
    {.name = "EXPR", .kind = SM_ARG_EXPR, .required = true},
    {.name = ", MESSAGE", .kind = SM_ARG_TEXT},
    {0},
};
const struct sm_cmd sm_cmd_assert = {
    .name = "assert",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Fail with status 3 unless a condition holds",
    .help = "NaN is no true value. What the condition needs and is not saved is status 4. A tensor "
            "holds if any element does:\n"
            "use all(x > 0) for every one.",
    .example = "assert mean(CNN_fc1.weight) < 1, the weights are too large",
    .see_also = "print wait rule",
    .args = assert_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_assert,
};

/* ---- with ---- */

/* The "--" that stands alone; raw.n: none. */
static size_t find_dashes(struct sm_call *c)
{
    struct sm_text raw = c->raw;
    for (size_t i = 0; i + 2 <= raw.n; i++)
        if (raw.p[i] == '-' && raw.p[i + 1] == '-' && (i == 0 || sm_reader_blank(raw.p[i - 1])) &&
            (i + 2 == raw.n || sm_reader_blank(raw.p[i + 2])))
            return i;
    return raw.n;
}

/* What stands in front of it, and the line behind it, which is not empty. */
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

/* Its words, and where the value begins in the text. */
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
    .summary = "Run a command with a setting changed for it alone",
    .help = "The setting has its value back behind the command, also when that fails.",
    .example = "with print precision 3 -- tensor CNN_conv0.bias step 10",
    .see_also = "set show",
    .args = with_args,
    .flags = SM_CMD_RAW | SM_CMD_LINE,
    .run = run_with,
};

/* ---- at ---- */

/* "20", "20 mode eval" */
static bool read_point(struct sm_call *c, struct sm_text head, struct sm_place *to,
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
    if (!read_point(c, head, &to, err))
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
    .help = "STEP is what goto takes, also \"20 mode eval\" and \"@20/worker_1\". Behind the "
            "command, also when it fails or moves\n"
            "itself, the current tensor, step, mode and worker are what they were.",
    .example = "at 20 -- stat CNN_fc1.weight",
    .see_also = "goto with bookmark",
    .args = at_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_RAW | SM_CMD_LINE,
    .run = run_at,
};
