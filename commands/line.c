#include "commands/line.h"

#include "commands/at.h"

#include "commands/word.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct sm_option sm_line_options[] = {
    {.name = "help", .kind = SM_ARG_FLAG, .help = "this text"},
    {.name = "json", .kind = SM_ARG_FLAG, .help = "the answer as one line of JSON"},
    {.name = "jsonl", .kind = SM_ARG_FLAG, .help = "one JSON object a row"},
    {.name = "csv", .kind = SM_ARG_FLAG, .help = "comma-separated values"},
    {.name = "tsv", .kind = SM_ARG_FLAG, .help = "tab-separated values"},
    {.name = "0", .kind = SM_ARG_FLAG, .help = "each value ended by a zero byte"},
    {.name = "field", .kind = SM_ARG_TEXT, .value = "A,B,C", .help = "only these fields, in this order"},
    {0},
};

bool sm_line_continues(const char *text, size_t n)
{
    size_t slashes = 0;
    while (slashes < n && text[n - 1 - slashes] == '\\')
        slashes++;
    return slashes % 2;
}

/* ---- /FMT ---- */

bool sm_format_parse(const char *text, size_t n, struct sm_format *out, size_t *used, struct sm_err *err)
{
    size_t i = 1;
    *out = (struct sm_format){.given = true, .precision = -1};
    for (; i < n && isdigit((unsigned char)text[i]); i++) {
        out->count = out->count * 10 + (text[i] - '0');
        if (out->count > 1000000000)
            return sm_err_set(err, SM_ERR_USAGE, "The count in /FMT is too large.");
    }
    if (i < n && text[i] == '.') {
        out->precision = 0;
        for (i++; i < n && isdigit((unsigned char)text[i]) && out->precision < 100; i++)
            out->precision = out->precision * 10 + (text[i] - '0');
    }
    if (i < n && isalpha((unsigned char)text[i])) {
        if (!strchr("gfextducshbmr", text[i]))
            return sm_err_set(err, SM_ERR_USAGE, "Undefined output format \"%c\".", text[i]);
        out->letter = text[i++];
    }
    if (i < n && !sm_reader_blank(text[i]))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid character \"%c\" in /FMT.", text[i]);
    if (out->precision > 99)
        return sm_err_set(err, SM_ERR_USAGE, "The precision in /FMT is too large.");
    *used = i;
    return true;
}

static bool read_format(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    bool attached = r->at < r->n && r->p[r->at] == '/';
    size_t used = 0, at = r->at;
    if (!attached) {
        while (at < r->n && sm_reader_blank(r->p[at]))
            at++;
        /* "x /4g" as gdb takes it; but a name may begin with '/', so only what is a format as a whole */
        if (!(out->cmd->flags & SM_CMD_FORMAT) || at + 1 >= r->n || r->p[at] != '/')
            return true;
        if (!sm_format_parse(r->p + at, r->n - at, &out->format, &used, NULL)) {
            out->format = (struct sm_format){.precision = -1};
            return true;
        }
        r->at = at + used;
        return true;
    }
    if (!(out->cmd->flags & SM_CMD_FORMAT))
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" takes no /FMT.", out->cmd->name);
    if (!sm_format_parse(r->p + at, r->n - at, &out->format, &used, err))
        return false;
    r->at += used;
    return true;
}

/* ---- options and arguments ---- */

static bool one_of(const char *const *words, const char *what, struct sm_word *w, struct sm_err *err)
{
    const char *found = NULL;
    for (size_t i = 0; words && words[i]; i++) {
        if (strcmp(words[i], w->text.p) == 0) {
            found = words[i];
            break;
        }
        if (strncmp(words[i], w->text.p, w->text.n) == 0) {
            if (found)
                return sm_err_set(err, SM_ERR_USAGE, "Ambiguous item \"%s\".", w->text.p);
            found = words[i];
        }
    }
    if (!found) {
        struct sm_str all = {0};
        for (size_t i = 0; words && words[i]; i++)
            sm_str_printf(&all, "%s%s", i ? ", " : "", words[i]);
        sm_err_set(err, SM_ERR_USAGE, "Undefined item \"%s\" for %s.  Choose one of: %s.", w->text.p, what, sm_str_text(&all));
        sm_str_clear(&all);
        return false;
    }
    w->text = sm_text(found);
    return true;
}

/* An operator that stands alone: "mean($t) > 3" goes on, "mean($t)>3 w" does not. */
static bool at_operator(const struct sm_reader *r)
{
    size_t n = 0;
    while (r->at + n < r->n && strchr("<>=!&|+-*/%?:", r->p[r->at + n]) && r->p[r->at + n])
        n++;
    return n > 0 && n <= 2 && r->at + n < r->n && sm_reader_blank(r->p[r->at + n]) && !sm_reader_redirect(r, true);
}

/* The end of an expression with words behind it. */
static bool expression_end(const struct sm_reader *r, size_t *end, struct sm_err *err)
{
    struct sm_reader s = *r;
    struct sm_word w;
    while (sm_reader_word(&s, true, &w, err)) {
        *end = s.at;
        sm_reader_skip(&s);
        if (s.at == s.n || !at_operator(&s))
            return true;
        while (s.at < s.n && !sm_reader_blank(s.p[s.at]))
            s.at++;
        sm_reader_skip(&s);
        if (s.at == s.n)
            return sm_err_set(err, SM_ERR_USAGE, "The expression ends too early at column %zu.", s.at + 1);
    }
    return false;
}

/* One value: an expression takes free text, the value of an option as far as operators join it; everything else is a
 * word. */
static bool read_value(struct sm_reader *r, enum sm_arg_kind kind, bool to_the_end, struct sm_word *w, struct sm_err *err)
{
    bool quoted = r->p[r->at] == '"' || r->p[r->at] == '\'';
    if (kind == SM_ARG_EXPR && !quoted) {
        size_t end = to_the_end ? sm_reader_text_end(r, true) : 0;
        if (!to_the_end && !expression_end(r, &end, err))
            return false;
        struct sm_text t = sm_reader_trim(r->p + r->at, end - r->at);
        *w = (struct sm_word){.text = sm_reader_keep(r->arena, t.p, t.n), .column = r->at + 1};
        r->at = end;
        return true;
    }
    if (!sm_reader_word(r, kind == SM_ARG_EXPR, w, err))
        return false;
    if (kind != SM_ARG_TENSOR)
        sm_reader_join(r->arena, w);
    return true;
}

static struct sm_word *new_word(struct sm_reader *r, struct sm_word w)
{
    struct sm_word *copy = sm_arena_xalloc(r->arena, sizeof *copy);
    *copy = w;
    return copy;
}

/* Counts the options that begin so, names them in `all`, and gives the last of them. */
static unsigned match_options(const struct sm_option *list, const char *p, size_t n, struct sm_str *all,
                              const struct sm_option **found)
{
    unsigned matches = 0;
    for (const struct sm_option *o = list; o && o->name; o++) {
        if (strncmp(o->name, p, n) != 0)
            continue;
        sm_str_printf(all, "%s-%s", matches++ ? ", " : "", o->name);
        *found = o;
    }
    return matches;
}

/* Options by name: exact, then the command's own by prefix, then those of every listing. */
static const struct sm_option *find_option(const struct sm_cmd *cmd, const char *p, size_t n, struct sm_err *err)
{
    const struct sm_option *found = sm_reader_option(cmd, p, n);
    struct sm_str all = {0};
    unsigned matches = 0;
    if (found)
        return found;
    matches = match_options(cmd->options, p, n, &all, &found);
    if (!matches && (cmd->flags & SM_CMD_LISTING))
        matches = match_options(sm_line_options, p, n, &all, &found);
    if (matches > 1)
        sm_err_set(err, SM_ERR_USAGE, "Ambiguous option \"-%.*s\": %s.", (int)n, p, sm_str_text(&all));
    else if (!matches)
        sm_err_set(err, SM_ERR_USAGE, "Undefined option \"-%.*s\".  Try \"help %s\".", (int)n, p, cmd->name);
    sm_str_clear(&all);
    return matches == 1 ? found : NULL;
}

static void note_listing_option(const struct sm_option *o, const struct sm_word *value, struct sm_line *out)
{
    static const enum sm_output outputs[] = {SM_OUTPUT_TEXT, SM_OUTPUT_JSON, SM_OUTPUT_JSONL,
                                             SM_OUTPUT_CSV,  SM_OUTPUT_TSV,  SM_OUTPUT_NUL};
    size_t i = (size_t)(o - sm_line_options);
    if (i == 0)
        out->help = true;
    else if (i < sizeof outputs / sizeof *outputs)
        out->output = outputs[i];
    else
        out->fields = value->text.p;
}

static bool option_value(struct sm_reader *r, const struct sm_option *o, struct sm_word *w, struct sm_err *err)
{
    sm_reader_skip(r);
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Option \"-%s\" needs a value (%s).", o->name, o->value ? o->value : "VALUE");
    return read_value(r, o->kind, false, w, err) && (o->kind != SM_ARG_WORD || one_of(o->words, o->name, w, err));
}

/* "-name value", "--name value" or "-name=value" at *at. */
static bool read_option(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    size_t begin = r->at, name = begin + 1 + (r->p[begin + 1] == '-'), end = name;
    while (end < r->n && !sm_reader_blank(r->p[end]) && r->p[end] != '=')
        end++;
    const struct sm_option *o = find_option(r->cmd, r->p + name, end - name, err);
    if (!o)
        return false;
    struct sm_word value = {.text = sm_reader_keep(r->arena, r->p + name, end - name), .column = begin + 1};
    bool attached = end < r->n && r->p[end] == '=';
    if (attached && o->kind == SM_ARG_FLAG)
        return sm_err_set(err, SM_ERR_USAGE, "Option \"-%s\" takes no value.", o->name);
    r->at = end + attached;
    if (o->kind != SM_ARG_FLAG && !option_value(r, o, &value, err))
        return false;
    bool listing = o >= sm_line_options && o < sm_line_options + sizeof sm_line_options / sizeof *sm_line_options;
    if (listing)
        note_listing_option(o, &value, out);
    else
        out->option_values[o - r->cmd->options] = new_word(r, value);
    return true;
}

/* Is the word at *at an option? A negative number, -inf and -nan are not, unless an option is called so. */
static bool at_option(const struct sm_reader *r)
{
    static const char *const numbers[] = {"-inf", "-infinity", "-nan"};
    size_t end = r->at, name = r->at + 1;
    if (r->literal || r->p[r->at] != '-')
        return false;
    while (end < r->n && !sm_reader_blank(r->p[end]))
        end++;
    if (name < end && r->p[name] == '-')
        name++;
    if (name == end)
        return false;
    if (sm_reader_option(r->cmd, r->p + name, end - name))
        return true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i]) == end - r->at && strncasecmp(numbers[i], r->p + r->at, end - r->at) == 0)
            return false;
    return isalpha((unsigned char)r->p[name]);
}

static int keyword_index(const struct sm_cmd *cmd, const char *word)
{
    for (int i = 0; cmd->args && cmd->args[i].name; i++)
        if (cmd->args[i].keyword && strcmp(cmd->args[i].keyword, word) == 0)
            return i;
    return -1;
}

static bool set_keyword(struct sm_reader *r, struct sm_line *out, const char *keyword, struct sm_word w, struct sm_err *err)
{
    int i = keyword_index(r->cmd, keyword);
    if (i < 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" takes no %s (column %zu).", r->cmd->name, keyword, w.column);
    if (out->keyword_values[i])
        return sm_err_set(err, SM_ERR_USAGE, "A %s is given twice: \"%s\".", keyword, w.text.p);
    if (r->cmd->args[i].kind == SM_ARG_WORD && !one_of(r->cmd->args[i].words, keyword, &w, err))
        return false;
    out->keyword_values[i] = new_word(r, w);
    return true;
}

/* "@100", "@eval:12", "@100/worker_1", "@eval", "@12:30:05", "@-10m". */
static bool read_at(struct sm_reader *r, struct sm_line *out, struct sm_word w, struct sm_err *err)
{
    struct sm_at at;
    if (!sm_at_read(w.text, &at))
        return sm_err_set(err, SM_ERR_USAGE, "A step is expected after \"@\".");
    const struct {
        const char *keyword;
        struct sm_text text;
    } parts[] = {{"worker", at.worker}, {"mode", at.mode}, {"step", at.step}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct sm_word part = w;
        part.text = sm_reader_keep(r->arena, parts[i].text.p, parts[i].text.n);
        if (parts[i].text.n && !set_keyword(r, out, parts[i].keyword, part, err))
            return false;
    }
    return true;
}

/* The n-th argument by place; a repeating one stands for all that follow. NULL: no more. */
static const struct sm_arg *place(const struct sm_cmd *cmd, size_t n)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++) {
        if (a->keyword)
            continue;
        if (n == 0 || a->repeats)
            return a;
        n--;
    }
    return NULL;
}

static bool looks_like_step(const char *p)
{
    size_t n = strspn(p, "0123456789:.,~+-");
    return !p[n] && strpbrk(p, "0123456789");
}

/* A word that means a step without saying so: `tensor conv0_weight 100`. */
static bool means_step(const struct sm_reader *r, const struct sm_line *out, const struct sm_arg *a, const struct sm_word *w)
{
    int step = keyword_index(r->cmd, "step");
    if (step < 0 || out->keyword_values[step] || w->quoted || !out->n_words || r->literal)
        return false;
    return !a || ((a->kind == SM_ARG_TENSOR || a->kind == SM_ARG_PATTERN) && looks_like_step(w->text.p));
}

/* "help info collection" */
static const char *help_topic(const struct sm_reader *r)
{
    return r->parent ? sm_arena_xprintf(r->arena, "%s %s", r->parent->name, r->cmd->name) : r->cmd->name;
}

static bool add_word(struct sm_reader *r, struct sm_line *out, size_t *cap, struct sm_word w, struct sm_err *err)
{
    const struct sm_arg *a = place(r->cmd, out->n_words);
    if (means_step(r, out, a, &w))
        return set_keyword(r, out, "step", w, err);
    if (!a)
        return sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%s\".  Try \"help %s\".", w.text.p, help_topic(r));
    if (a->kind == SM_ARG_WORD && !one_of(a->words, r->cmd->name, &w, err))
        return false;
    if (out->n_words == *cap) {
        struct sm_word *more = sm_arena_xalloc(r->arena, (2 * *cap + 4) * sizeof *more);
        if (out->n_words)
            memcpy(more, out->words, out->n_words * sizeof *more);
        out->words = more;
        *cap = 2 * *cap + 4;
    }
    out->words[out->n_words++] = w;
    return true;
}

/* `step S`: the keyword is at *at as a bare word. */
static int at_keyword(const struct sm_reader *r)
{
    size_t end = r->at;
    while (end < r->n && !sm_reader_blank(r->p[end]))
        end++;
    for (int i = 0; !r->literal && r->cmd->args && r->cmd->args[i].name; i++) {
        const char *k = r->cmd->args[i].keyword;
        if (k && strlen(k) == end - r->at && memcmp(k, r->p + r->at, end - r->at) == 0)
            return i;
    }
    return -1;
}

static bool read_keyword(struct sm_reader *r, struct sm_line *out, int i, struct sm_err *err)
{
    const struct sm_arg *a = &r->cmd->args[i];
    struct sm_word w;
    r->at += strlen(a->keyword);
    sm_reader_skip(r);
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" needs a value (%s).", a->keyword, a->name);
    if (!read_value(r, a->kind, true, &w, err))
        return false;
    if (a->kind == SM_ARG_STEP && !w.quoted && w.text.p[0] == '@' && keyword_index(r->cmd, "step") == i)
        return read_at(r, out, w, err);
    return set_keyword(r, out, a->keyword, w, err);
}

/* The next thing of a line whose command takes words. *done: comment, redirection or end. */
static bool read_item(struct sm_reader *r, struct sm_line *out, size_t *cap, bool *done, struct sm_err *err)
{
    sm_reader_skip(r);
    *done = r->at == r->n || r->p[r->at] == '#';
    if (*done)
        return true;
    if (sm_reader_redirect(r, false)) {
        *done = true;
        return sm_reader_target(r, out, err);
    }
    if (!r->literal && r->n - r->at >= 2 && memcmp(r->p + r->at, "--", 2) == 0 &&
        (r->at + 2 == r->n || sm_reader_blank(r->p[r->at + 2]))) {
        r->literal = true;
        r->at += 2;
        return true;
    }
    if (at_option(r))
        return read_option(r, out, err);
    int keyword = at_keyword(r);
    if (keyword >= 0)
        return read_keyword(r, out, keyword, err);
    const struct sm_arg *a = place(r->cmd, out->n_words);
    struct sm_word w;
    if (!read_value(r, a ? a->kind : SM_ARG_TEXT, true, &w, err))
        return false;
    if (!r->literal && !w.quoted && w.text.p[0] == '@' && keyword_index(r->cmd, "step") >= 0)
        return read_at(r, out, w, err);
    return add_word(r, out, cap, w, err);
}

static bool check_required(const struct sm_reader *r, const struct sm_line *out, struct sm_err *err)
{
    const struct sm_cmd *cmd = r->cmd;
    size_t at = 0;
    for (size_t i = 0; cmd->args && cmd->args[i].name; i++) {
        const struct sm_arg *a = &cmd->args[i];
        bool given = a->keyword ? out->keyword_values[i] != NULL : at++ < out->n_words;
        if (a->required && !given)
            return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s%s%s).  Try \"help %s\".",
                              a->keyword ? a->keyword : "", a->keyword ? " " : "", a->name, help_topic(r));
    }
    return true;
}

static bool read_words(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    size_t cap = 0;
    bool done = false;
    while (!done)
        if (!read_item(r, out, &cap, &done, err))
            return false;
    return out->help || check_required(r, out, err);
}

/* ---- raw commands ---- */

static bool is_expression(const struct sm_cmd *cmd)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++)
        if (a->kind == SM_ARG_EXPR)
            return true;
    return false;
}

/* Options in front of or behind a raw text; only whole names, as '-' may belong to the text. */
static bool read_raw_options(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    sm_reader_skip(r);
    while (r->at < r->n && sm_reader_option_here(r)) {
        if (!read_option(r, out, err))
            return false;
        sm_reader_skip(r);
    }
    return true;
}

static bool read_raw(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    bool expression = is_expression(r->cmd);
    if (!read_raw_options(r, out, err))
        return false;
    size_t end = (r->cmd->flags & (SM_CMD_SHELL | SM_CMD_LINE)) ? r->n : sm_reader_text_end(r, expression);
    bool rest = end == r->n && !expression;                /* echo and complete mind the blanks at the end */
    struct sm_text raw = rest ? (struct sm_text){r->p + r->at, end - r->at} : sm_reader_trim(r->p + r->at, end - r->at);
    out->raw = sm_reader_keep(r->arena, raw.p, raw.n);
    r->at = end;
    if (r->at < r->n && sm_reader_option_here(r)) {
        if (!read_raw_options(r, out, err))
            return false;
        expression = false;
    }
    if (r->at < r->n && r->p[r->at] == '#')
        return true;
    if (r->at < r->n && sm_reader_redirect(r, expression))
        return sm_reader_target(r, out, err);
    if (r->at < r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Junk at column %zu.", r->at + 1);
    bool needed = r->cmd->args && r->cmd->args[0].name && r->cmd->args[0].required;
    if (needed && !out->raw.n && !out->help)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s).  Try \"help %s\".", r->cmd->args[0].name, r->cmd->name);
    return true;
}

/* ---- the line ---- */

static bool is_command_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

static size_t command_word(const struct sm_reader *r)
{
    size_t end = r->at;
    while (end < r->n && is_command_char(r->p[end]))
        end++;
    if (end == r->at)
        while (end < r->n && !sm_reader_blank(r->p[end]))
            end++;
    return end - r->at;
}

static bool read_command(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    char c = r->p[r->at];
    size_t n = c == '!' || c == '|' ? 1 : command_word(r);
    const char *word = c == '!' ? "shell" : c == '|' ? "pipe" : r->p + r->at;
    size_t shown = sm_reader_trim(r->p + r->at, r->n - r->at).n;
    out->cmd = sm_cmd_find_in_line(r->users, NULL, word, c == '!' ? 5 : c == '|' ? 4 : n, shown, err);
    if (!out->cmd)
        return false;
    r->at += n;
    while (out->cmd->subs) {
        sm_reader_skip(r);
        n = r->at < r->n && is_command_char(r->p[r->at]) && r->p[r->at] != '-' ? command_word(r) : 0;
        if (!n)
            break;
        shown = sm_reader_trim(r->p + r->at, r->n - r->at).n;
        const struct sm_cmd *sub = sm_cmd_find_in_line(NULL, out->cmd, r->p + r->at, n, shown, err);
        if (!sub)
            return false;
        out->parent = r->parent = out->cmd;
        out->cmd = sub;
        r->at += n;
    }
    return true;
}

static void allot_values(struct sm_reader *r, struct sm_line *out)
{
    size_t options = 0, args = 0;
    while (out->cmd->options && out->cmd->options[options].name)
        options++;
    while (out->cmd->args && out->cmd->args[args].name)
        args++;
    out->option_values = sm_arena_xalloc(r->arena, (options + 1) * sizeof *out->option_values);
    out->keyword_values = sm_arena_xalloc(r->arena, (args + 1) * sizeof *out->keyword_values);
}

bool sm_line_parse(const struct sm_users *users, const char *text, size_t n, struct sm_arena *arena, struct sm_line *out,
                   struct sm_err *err)
{
    struct sm_reader r = {.p = text, .n = n, .arena = arena, .users = users};
    *out = (struct sm_line){.format.precision = -1};
    if (n > SM_LINE_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "The line is longer than %d bytes.", SM_LINE_MAX);
    if (memchr(text, 0, n))
        return sm_err_set(err, SM_ERR_USAGE, "The line contains a zero byte.");
    sm_reader_skip(&r);
    if (r.at < n && text[r.at] == '-' && (r.at + 1 == n || text[r.at + 1] != '-')) {
        out->forgiven = true;
        r.at++;
        sm_reader_skip(&r);
    }
    if (r.at == n || text[r.at] == '#')
        return true;
    if (!read_command(&r, out, err) || !read_format(&r, out, err))
        return false;
    r.cmd = out->cmd;
    allot_values(&r, out);
    size_t rest = r.at;
    if (out->cmd->flags & SM_CMD_RAW)
        return read_raw(&r, out, err);
    struct sm_text raw = sm_reader_trim(text + rest, n - rest);
    out->raw = sm_reader_keep(arena, raw.p, raw.n);
    return read_words(&r, out, err);
}
