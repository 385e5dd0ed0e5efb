#include "commands/line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What is being read: the line and how far. */
struct reader {
    const char *p;
    size_t n, at;
    struct sm_arena *arena;
    const struct sm_cmd *cmd;
    bool literal;                        /* after "--": no options and keywords */
};

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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_command_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->n && is_blank(r->p[r->at]))
        r->at++;
}

static struct sm_text keep(struct sm_arena *a, const char *p, size_t n)
{
    return (struct sm_text){sm_arena_xstrndup(a, p ? p : "", n), n};
}

static struct sm_text trim(const char *p, size_t n)
{
    while (n && is_blank(*p))
        p++, n--;
    while (n && is_blank(p[n - 1]))
        n--;
    return (struct sm_text){p, n};
}

bool sm_line_continues(const char *text, size_t n)
{
    size_t slashes = 0;
    while (slashes < n && text[n - 1 - slashes] == '\\')
        slashes++;
    return slashes % 2;
}

/* ---- words ---- */

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* Up to `most` hex digits at *at. */
static uint32_t hex_number(struct reader *r, unsigned most)
{
    uint32_t v = 0;
    for (; most && r->at < r->n && hex_digit(r->p[r->at]) >= 0; most--)
        v = v * 16 + (uint32_t)hex_digit(r->p[r->at++]);
    return v;
}

/* The escape behind a backslash, appended; *at is on the letter. */
static void read_escape(struct reader *r, struct sm_str *out)
{
    static const char letters[] = "ntrabfve", values[] = "\n\t\r\a\b\f\v\033";
    char c = r->p[r->at++];
    const char *known = strchr(letters, c);
    if (known && c) {
        sm_str_addc(out, values[known - letters]);
    } else if (c == 'x') {
        sm_str_addc(out, (char)hex_number(r, 2));
    } else if (c == 'u') {
        char utf8[4];
        bool braces = r->at < r->n && r->p[r->at] == '{';
        r->at += braces;
        size_t len = sm_utf8_encode(hex_number(r, braces ? 6 : 4), utf8);
        r->at += braces && r->at < r->n && r->p[r->at] == '}';
        sm_str_addn(out, utf8, len);
    } else if (c >= '0' && c <= '7') {
        unsigned v = (unsigned)(c - '0');
        for (int i = 0; i < 2 && r->at < r->n && r->p[r->at] >= '0' && r->p[r->at] <= '7'; i++)
            v = v * 8 + (unsigned)(r->p[r->at++] - '0');
        sm_str_addc(out, (char)v);
    } else {
        sm_str_addc(out, c);
    }
}

/* "..." or '...' at *at, appended without the quotes. */
static bool read_quoted(struct reader *r, struct sm_str *out, struct sm_err *err)
{
    size_t begin = r->at;
    char quote = r->p[r->at++];
    while (r->at < r->n && r->p[r->at] != quote) {
        if (quote == '"' && r->p[r->at] == '\\' && r->at + 1 < r->n) {
            r->at++;
            read_escape(r, out);
        } else {
            sm_str_addc(out, r->p[r->at++]);
        }
    }
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Unmatched %s quote at column %zu.", quote == '"' ? "double" : "single",
                          begin + 1);
    r->at++;
    return true;
}

/* The bytes from '[' at *at to its matching ']', or 0 when it is not closed. */
static size_t bracket_length(const struct reader *r)
{
    size_t depth = 0;
    for (size_t i = r->at; i < r->n; i++) {
        if (r->p[i] == '[')
            depth++;
        else if (r->p[i] == ']' && --depth == 0)
            return i + 1 - r->at;
    }
    return 0;
}

/* A word that begins and ends with '/' is a regular expression: nothing in it is a slice. */
static size_t regex_length(const struct reader *r)
{
    size_t i = r->at, begin = r->at;
    if (i < r->n && r->p[i] == '!')
        i++, begin++;
    if (i == r->n || r->p[i] != '/')
        return 0;
    while (i < r->n && !is_blank(r->p[i]))
        i++;
    return i - begin >= 2 && r->p[i - 1] == '/' ? i - r->at : 0;
}

/* '[' in a word. A slice ends the word; with more behind it, it was part of a pattern. */
static bool read_bracket(struct reader *r, struct sm_str *out, struct sm_word *w, bool after_quote, struct sm_err *err)
{
    size_t n = bracket_length(r);
    if (!n)
        return sm_err_set(err, SM_ERR_USAGE, "Unmatched \"[\" at column %zu.", r->at + 1);
    size_t end = r->at + n;
    bool slice = end == r->n || is_blank(r->p[end]) || r->p[end] == '@';
    if (!slice && after_quote)
        return sm_err_set(err, SM_ERR_USAGE, "Junk after \"]\" at column %zu.", end + 1);
    if (slice)
        w->slice = keep(r->arena, r->p + r->at, n);
    else
        sm_str_addn(out, r->p + r->at, n);
    r->at = end;
    return true;
}

static bool read_parts(struct reader *r, struct sm_str *out, struct sm_word *w, bool parens, struct sm_err *err)
{
    size_t begin = r->at, depth = 0;
    bool after_quote = false;
    while (r->at < r->n && !w->slice.n && (depth || !is_blank(r->p[r->at]))) {
        char c = r->p[r->at];
        if (c == '"' || c == '\'') {
            if (!read_quoted(r, out, err))
                return false;
            after_quote = true;
            continue;
        }
        if (c == '[' && r->at > begin && !depth) {
            if (!read_bracket(r, out, w, after_quote, err))
                return false;
            continue;
        }
        after_quote = false;
        if (parens && c == '(')
            depth++;
        else if (c == ')' && depth)
            depth--;
        sm_str_addc(out, c);
        r->at++;
    }
    return true;
}

static bool read_word(struct reader *r, bool parens, struct sm_word *w, struct sm_err *err)
{
    struct sm_str text = {0};
    *w = (struct sm_word){.column = r->at + 1, .quoted = r->p[r->at] == '"' || r->p[r->at] == '\''};
    size_t regex = regex_length(r);
    bool ok = true;
    if (regex)
        sm_str_addn(&text, r->p + r->at, regex), r->at += regex;
    else
        ok = read_parts(r, &text, w, parens, err);
    w->text = keep(r->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return ok;
}

bool sm_line_word(const char *text, size_t n, size_t *at, struct sm_arena *arena, struct sm_word *out, struct sm_err *err)
{
    struct reader r = {.p = text, .n = n, .at = *at, .arena = arena};
    skip_blanks(&r);
    sm_err_clear(err);
    *at = r.at;
    if (r.at == n)
        return false;
    bool ok = read_word(&r, false, out, err);
    *at = r.at;
    return ok;
}

void sm_line_quote(struct sm_str *out, const char *p, size_t n)
{
    bool bare = n > 0 && !strchr("-+!#@|>$", p[0]) && !(n > 1 && p[0] == '/' && p[n - 1] == '/');
    for (size_t i = 0; bare && i < n; i++)
        bare = (unsigned char)p[i] > ' ' && p[i] != 0x7f && !strchr("\"'[]|>#*?\\`", p[i]);
    if (bare) {
        sm_str_addn(out, p, n);
        return;
    }
    struct sm_str text = {0};
    sm_str_addc(&text, '"');
    for (size_t i = 0, used; i < n; i += used) {
        uint32_t rune;
        used = sm_utf8_decode(p + i, n - i, &rune);
        used = used ? used : 1;
        if (p[i] == '"' || p[i] == '\\')
            sm_str_addc(&text, '\\');
        sm_str_add_escaped(&text, p + i, used);
    }
    sm_str_addc(&text, '"');
    sm_str_addn(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

/* Where a slice does not belong, brackets are part of the text. */
static void join_slice(struct sm_arena *a, struct sm_word *w)
{
    if (w->slice.n && !w->quoted) {
        char *p = sm_arena_xprintf(a, "%s%s", w->text.p, w->slice.p);
        w->text = (struct sm_text){p, strlen(p)};
        w->slice = (struct sm_text){0};
    }
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
    if (i < n && !is_blank(text[i]))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid character \"%c\" in /FMT.", text[i]);
    if (out->precision > 99)
        return sm_err_set(err, SM_ERR_USAGE, "The precision in /FMT is too large.");
    *used = i;
    return true;
}

static bool read_format(struct reader *r, struct sm_line *out, struct sm_err *err)
{
    bool attached = r->at < r->n && r->p[r->at] == '/';
    size_t used = 0, at = r->at;
    if (!attached) {
        while (at < r->n && is_blank(r->p[at]))
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

/* ---- redirection and comment ---- */

/* In an expression '>' compares, unless what follows can only be a file. */
static bool looks_like_file(struct sm_text t)
{
    static const char *const starts[] = {"/", "./", "../", "~/", "\"", "'"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (t.n > strlen(starts[i]) && memcmp(t.p, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static bool read_target(const char *p, size_t n, size_t column, struct sm_line *out, struct sm_arena *arena, struct sm_err *err)
{
    enum sm_redirect kind = *p == '|' ? SM_REDIRECT_PIPE : n > 1 && p[1] == '>' ? SM_REDIRECT_APPEND : SM_REDIRECT_WRITE;
    size_t skip = kind == SM_REDIRECT_APPEND ? 2 : 1;
    struct sm_text rest = trim(p + skip, n - skip);
    out->redirect = kind;
    if (!rest.n)
        return sm_err_set(err, SM_ERR_USAGE, "%s expected after column %zu.",
                          kind == SM_REDIRECT_PIPE ? "A shell command is" : "A file name is", column);
    if (kind == SM_REDIRECT_PIPE) {
        out->target = keep(arena, rest.p, rest.n).p;
        return true;
    }
    struct reader r = {.p = rest.p, .n = rest.n, .arena = arena};
    struct sm_word file;
    if (!read_word(&r, false, &file, err))
        return false;
    join_slice(arena, &file);
    skip_blanks(&r);
    if (r.at < r.n && r.p[r.at] != '#')
        return sm_err_set(err, SM_ERR_USAGE, "Junk after the file name \"%s\".", file.text.p);
    out->target = file.text.p;
    return true;
}

/* Is there a redirection at *at, the begin of a word? `expression`: '>' may be a comparison. */
static bool at_redirect(const struct reader *r, bool expression)
{
    char c = r->p[r->at], next = r->at + 1 < r->n ? r->p[r->at + 1] : 0;
    if (c == '|')
        return next != '|';
    if (c != '>')
        return false;
    if (next == '>' || !expression)
        return next != '=';
    return looks_like_file(trim(r->p + r->at + 1, r->n - r->at - 1));
}

/* Words that end an expression: options of the command, and the listing's. Exact, as '-' may be a minus. */
static const struct sm_option *exact_option(const struct sm_cmd *cmd, const char *p, size_t n)
{
    for (const struct sm_option *o = cmd->options; o && o->name; o++)
        if (strlen(o->name) == n && memcmp(o->name, p, n) == 0)
            return o;
    for (const struct sm_option *o = sm_line_options; o->name; o++)
        if (((cmd->flags & SM_CMD_LISTING) || o == sm_line_options) && strlen(o->name) == n && memcmp(o->name, p, n) == 0)
            return o;
    return NULL;
}

static const struct sm_option *option_here(const struct reader *r)
{
    size_t i = r->at + 1;
    if (r->p[r->at] != '-')
        return NULL;
    while (i < r->n && !is_blank(r->p[i]))
        i++;
    return exact_option(r->cmd, r->p + r->at + 1, i - r->at - 1);
}

/* The end of free text that begins at *at: a comment, a redirection, or an option that may follow an expression. */
static size_t free_text_end(const struct reader *r, bool expression)
{
    struct reader s = *r;
    while (true) {
        skip_blanks(&s);
        if (s.at == s.n || s.p[s.at] == '#' || at_redirect(&s, expression))
            return s.at;
        if (expression && s.at > r->at && option_here(&s))
            return s.at;
        while (s.at < s.n && !is_blank(s.p[s.at])) {
            struct sm_str skipped = {0};
            size_t before = s.at;
            bool quote = s.p[s.at] == '"' || s.p[s.at] == '\'';
            if (!quote || !read_quoted(&s, &skipped, NULL))
                s.at = before + 1;
            sm_str_clear(&skipped);
        }
    }
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

/* One value: an expression takes free text (as the value of an option, a word), everything else a word. */
static bool read_value(struct reader *r, enum sm_arg_kind kind, bool to_the_end, struct sm_word *w, struct sm_err *err)
{
    bool quoted = r->p[r->at] == '"' || r->p[r->at] == '\'';
    if (kind == SM_ARG_EXPR && to_the_end && !quoted) {
        size_t end = free_text_end(r, true);
        struct sm_text t = trim(r->p + r->at, end - r->at);
        *w = (struct sm_word){.text = keep(r->arena, t.p, t.n), .column = r->at + 1};
        r->at = end;
        return true;
    }
    if (!read_word(r, kind == SM_ARG_EXPR, w, err))
        return false;
    if (kind != SM_ARG_TENSOR)
        join_slice(r->arena, w);
    return true;
}

static struct sm_word *new_word(struct reader *r, struct sm_word w)
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
    const struct sm_option *found = exact_option(cmd, p, n);
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

static bool option_value(struct reader *r, const struct sm_option *o, struct sm_word *w, struct sm_err *err)
{
    skip_blanks(r);
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Option \"-%s\" needs a value (%s).", o->name, o->value ? o->value : "VALUE");
    return read_value(r, o->kind, false, w, err) && (o->kind != SM_ARG_WORD || one_of(o->words, o->name, w, err));
}

/* "-name value", "--name value" or "-name=value" at *at. */
static bool read_option(struct reader *r, struct sm_line *out, struct sm_err *err)
{
    size_t begin = r->at, name = begin + 1 + (r->p[begin + 1] == '-'), end = name;
    while (end < r->n && !is_blank(r->p[end]) && r->p[end] != '=')
        end++;
    const struct sm_option *o = find_option(r->cmd, r->p + name, end - name, err);
    if (!o)
        return false;
    struct sm_word value = {.text = keep(r->arena, r->p + name, end - name), .column = begin + 1};
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
static bool at_option(const struct reader *r)
{
    static const char *const numbers[] = {"-inf", "-infinity", "-nan"};
    size_t end = r->at, name = r->at + 1;
    if (r->literal || r->p[r->at] != '-')
        return false;
    while (end < r->n && !is_blank(r->p[end]))
        end++;
    if (name < end && r->p[name] == '-')
        name++;
    if (name == end)
        return false;
    if (exact_option(r->cmd, r->p + name, end - name))
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

static bool set_keyword(struct reader *r, struct sm_line *out, const char *keyword, struct sm_word w, struct sm_err *err)
{
    int i = keyword_index(r->cmd, keyword);
    if (i < 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" takes no %s (column %zu).", r->cmd->name, keyword, w.column);
    if (r->cmd->args[i].kind == SM_ARG_WORD && !one_of(r->cmd->args[i].words, keyword, &w, err))
        return false;
    out->keyword_values[i] = new_word(r, w);
    return true;
}

static bool is_clock_time(const char *p)
{
    int used = 0;
    unsigned h, m, s;
    return isdigit((unsigned char)p[0]) && sscanf(p, "%2u:%2u:%2u%n", &h, &m, &s, &used) == 3 && used == 8 && !p[used] &&
           h < 24 && m < 60 && s < 61;
}

/* "-10m": so long ago. */
static bool is_time_ago(const char *p)
{
    size_t n = strlen(p);
    return n > 2 && p[0] == '-' && isdigit((unsigned char)p[1]) && isalpha((unsigned char)p[n - 1]);
}

static bool is_mode(const char *p, size_t n)
{
    static const char *const modes[] = {"train", "eval", "predict", "global"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strlen(modes[i]) == n && strncasecmp(modes[i], p, n) == 0)
            return true;
    return false;
}

/* "@100", "@eval:12", "@100/worker_1", "@eval", "@12:30:05", "@-10m". */
static bool read_at(struct reader *r, struct sm_line *out, struct sm_word w, struct sm_err *err)
{
    const char *p = w.text.p + 1, *slash = strchr(p, '/');
    size_t n = slash ? (size_t)(slash - p) : strlen(p);
    struct sm_word part = w;
    if (slash) {
        part.text = keep(r->arena, slash + 1, strlen(slash + 1));
        if (!set_keyword(r, out, "worker", part, err))
            return false;
    }
    const char *colon = memchr(p, ':', n);
    size_t mode = colon ? (size_t)(colon - p) : n;
    if (is_mode(p, mode)) {
        part.text = keep(r->arena, p, mode);
        if (!set_keyword(r, out, "mode", part, err))
            return false;
        p += mode + (colon != NULL);
        n -= mode + (colon != NULL);
    }
    if (!n)
        return slash || colon || w.text.n > 1 ? true : sm_err_set(err, SM_ERR_USAGE, "A step is expected after \"@\".");
    part.text = keep(r->arena, p, n);
    if (is_clock_time(part.text.p) || is_time_ago(part.text.p))
        part.text = sm_text(sm_arena_xprintf(r->arena, "@%s", part.text.p));
    return set_keyword(r, out, "step", part, err);
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
static bool means_step(const struct reader *r, const struct sm_line *out, const struct sm_arg *a, const struct sm_word *w)
{
    int step = keyword_index(r->cmd, "step");
    if (step < 0 || out->keyword_values[step] || w->quoted || !out->n_words || r->literal)
        return false;
    return !a || ((a->kind == SM_ARG_TENSOR || a->kind == SM_ARG_PATTERN) && looks_like_step(w->text.p));
}

static bool add_word(struct reader *r, struct sm_line *out, size_t *cap, struct sm_word w, struct sm_err *err)
{
    const struct sm_arg *a = place(r->cmd, out->n_words);
    if (means_step(r, out, a, &w))
        return set_keyword(r, out, "step", w, err);
    if (!a)
        return sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%s\".  Try \"help %s\".", w.text.p, r->cmd->name);
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
static int at_keyword(const struct reader *r)
{
    size_t end = r->at;
    while (end < r->n && !is_blank(r->p[end]))
        end++;
    for (int i = 0; !r->literal && r->cmd->args && r->cmd->args[i].name; i++) {
        const char *k = r->cmd->args[i].keyword;
        if (k && strlen(k) == end - r->at && memcmp(k, r->p + r->at, end - r->at) == 0)
            return i;
    }
    return -1;
}

static bool read_keyword(struct reader *r, struct sm_line *out, int i, struct sm_err *err)
{
    const struct sm_arg *a = &r->cmd->args[i];
    struct sm_word w;
    r->at += strlen(a->keyword);
    skip_blanks(r);
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" needs a value (%s).", a->keyword, a->name);
    if (!read_value(r, a->kind, true, &w, err))
        return false;
    if (a->kind == SM_ARG_STEP && !w.quoted && w.text.p[0] == '@' && keyword_index(r->cmd, "step") == i)
        return read_at(r, out, w, err);
    return set_keyword(r, out, a->keyword, w, err);
}

/* The next thing of a line whose command takes words. *done: comment, redirection or end. */
static bool read_item(struct reader *r, struct sm_line *out, size_t *cap, bool *done, struct sm_err *err)
{
    skip_blanks(r);
    *done = r->at == r->n || r->p[r->at] == '#';
    if (*done)
        return true;
    if (at_redirect(r, false)) {
        *done = true;
        return read_target(r->p + r->at, r->n - r->at, r->at + 1, out, r->arena, err);
    }
    if (!r->literal && r->n - r->at >= 2 && memcmp(r->p + r->at, "--", 2) == 0 &&
        (r->at + 2 == r->n || is_blank(r->p[r->at + 2]))) {
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

static bool check_required(const struct sm_cmd *cmd, const struct sm_line *out, struct sm_err *err)
{
    size_t at = 0;
    for (size_t i = 0; cmd->args && cmd->args[i].name; i++) {
        const struct sm_arg *a = &cmd->args[i];
        bool given = a->keyword ? out->keyword_values[i] != NULL : at++ < out->n_words;
        if (a->required && !given)
            return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s%s%s).  Try \"help %s\".",
                              a->keyword ? a->keyword : "", a->keyword ? " " : "", a->name, cmd->name);
    }
    return true;
}

static bool read_words(struct reader *r, struct sm_line *out, struct sm_err *err)
{
    size_t cap = 0;
    bool done = false;
    while (!done)
        if (!read_item(r, out, &cap, &done, err))
            return false;
    return out->help || check_required(r->cmd, out, err);
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
static bool read_raw_options(struct reader *r, struct sm_line *out, struct sm_err *err)
{
    skip_blanks(r);
    while (r->at < r->n && option_here(r)) {
        if (!read_option(r, out, err))
            return false;
        skip_blanks(r);
    }
    return true;
}

static bool read_raw(struct reader *r, struct sm_line *out, struct sm_err *err)
{
    bool expression = is_expression(r->cmd);
    if (!read_raw_options(r, out, err))
        return false;
    size_t end = (r->cmd->flags & SM_CMD_SHELL) ? r->n : free_text_end(r, expression);
    struct sm_text raw = trim(r->p + r->at, end - r->at);
    out->raw = keep(r->arena, raw.p, raw.n);
    r->at = end;
    if (r->at < r->n && option_here(r)) {
        if (!read_raw_options(r, out, err))
            return false;
        expression = false;
    }
    if (r->at < r->n && r->p[r->at] == '#')
        return true;
    if (r->at < r->n && at_redirect(r, expression))
        return read_target(r->p + r->at, r->n - r->at, r->at + 1, out, r->arena, err);
    if (r->at < r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Junk at column %zu.", r->at + 1);
    bool needed = r->cmd->args && r->cmd->args[0].name && r->cmd->args[0].required;
    if (needed && !out->raw.n && !out->help)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s).  Try \"help %s\".", r->cmd->args[0].name, r->cmd->name);
    return true;
}

/* ---- the line ---- */

static size_t command_word(const struct reader *r)
{
    size_t end = r->at;
    while (end < r->n && is_command_char(r->p[end]))
        end++;
    if (end == r->at)
        while (end < r->n && !is_blank(r->p[end]))
            end++;
    return end - r->at;
}

static bool read_command(struct reader *r, struct sm_line *out, struct sm_err *err)
{
    char c = r->p[r->at];
    size_t n = c == '!' || c == '|' ? 1 : command_word(r);
    const char *word = c == '!' ? "shell" : c == '|' ? "pipe" : r->p + r->at;
    out->cmd = sm_cmd_find(NULL, word, c == '!' ? 5 : c == '|' ? 4 : n, err);
    if (!out->cmd)
        return false;
    r->at += n;
    while (out->cmd->subs) {
        skip_blanks(r);
        n = r->at < r->n && is_command_char(r->p[r->at]) && r->p[r->at] != '-' ? command_word(r) : 0;
        if (!n)
            break;
        const struct sm_cmd *sub = sm_cmd_find(out->cmd, r->p + r->at, n, err);
        if (!sub)
            return false;
        out->parent = out->cmd;
        out->cmd = sub;
        r->at += n;
    }
    return true;
}

static void allot_values(struct reader *r, struct sm_line *out)
{
    size_t options = 0, args = 0;
    while (out->cmd->options && out->cmd->options[options].name)
        options++;
    while (out->cmd->args && out->cmd->args[args].name)
        args++;
    out->option_values = sm_arena_xalloc(r->arena, (options + 1) * sizeof *out->option_values);
    out->keyword_values = sm_arena_xalloc(r->arena, (args + 1) * sizeof *out->keyword_values);
}

bool sm_line_parse(const char *text, size_t n, struct sm_arena *arena, struct sm_line *out, struct sm_err *err)
{
    struct reader r = {.p = text, .n = n, .arena = arena};
    *out = (struct sm_line){.format.precision = -1};
    if (n > SM_LINE_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "The line is longer than %d bytes.", SM_LINE_MAX);
    if (memchr(text, 0, n))
        return sm_err_set(err, SM_ERR_USAGE, "The line contains a zero byte.");
    skip_blanks(&r);
    if (r.at < n && text[r.at] == '-' && (r.at + 1 == n || text[r.at + 1] != '-')) {
        out->forgiven = true;
        r.at++;
        skip_blanks(&r);
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
    struct sm_text raw = trim(text + rest, n - rest);
    out->raw = keep(arena, raw.p, raw.n);
    return read_words(&r, out, err);
}
