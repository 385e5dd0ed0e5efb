/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/yaml.h"

#include "reader/logs/log_json.h"

#include <string.h>

/* The line that is looked at: its text from its first character that is no blank, without a
 * comment at its end unless a quote is open. */
struct yaml {
    const char *next, *end; /* what follows the line */
    const char *p, *stop;   /* what is left of the line */
    size_t indent;          /* columns before p, of its first character */
    size_t number;          /* of the line, from 1 */
    bool done;              /* there is no line */
    unsigned depth;
    struct sm_str *out;
    struct sm_err *err;
};

static bool put_node(struct yaml *y, size_t least);

static bool fail(struct yaml *y, const char *what)
{
    return sm_err_set(y->err, SM_ERR_DATA, "line %zu: %s", y->number, what);
}

/* ---- lines ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool begins(const struct yaml *y, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(y->stop - y->p) >= n && memcmp(y->p, word, n) == 0;
}

/* Reads the next line as it is; false at the end. */
static bool raw_line(struct yaml *y)
{
    if (y->next >= y->end)
        return false;
    const char *lf = memchr(y->next, '\n', (size_t)(y->end - y->next));
    y->p = y->next;
    y->stop = lf ? lf : y->end;
    y->next = lf ? lf + 1 : y->end;
    y->number++;
    if (y->stop > y->p && y->stop[-1] == '\r')
        y->stop--;
    return true;
}

static void skip_blanks(struct yaml *y)
{
    while (y->p < y->stop && is_blank(*y->p))
        y->p++;
    if (y->p < y->stop && *y->p == '#')
        y->p = y->stop;
}

/* Goes to the next line that has something. "---" after the first one, and "...", end. */
static void next_line(struct yaml *y, bool first)
{
    while (!y->done && raw_line(y)) {
        const char *begin = y->p;
        bool marker = begins(y, "---") && (y->stop - y->p == 3 || is_blank(y->p[3]));
        if (marker && first)
            y->p += 3;
        else if (marker || begins(y, "..."))
            break;
        if (begins(y, "%"))
            continue;
        skip_blanks(y);
        y->indent = (size_t)(y->p - begin);
        if (y->p < y->stop)
            return;
    }
    y->done = true;
    y->p = y->stop;
}

static void to_next_if_empty(struct yaml *y)
{
    skip_blanks(y);
    if (y->p == y->stop)
        next_line(y, false);
}

/* Skips tags and anchors. */
static void skip_properties(struct yaml *y)
{
    skip_blanks(y);
    while (y->p < y->stop && (*y->p == '!' || *y->p == '&')) {
        while (y->p < y->stop && !is_blank(*y->p))
            y->p++;
        skip_blanks(y);
    }
}

/* ---- scalars ---- */

void sm_json_quote(struct sm_str *out, const char *p, size_t n)
{
    sm_str_addc(out, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];
        if (c == '"' || c == '\\')
            sm_str_addc(out, '\\');
        if (c < 0x20)
            sm_str_printf(out, "\\u%04x", c);
        else
            sm_str_addc(out, p[i]);
    }
    sm_str_addc(out, '"');
}

static bool is_word(const char *p, size_t n, const char *words)
{
    char word[12] = " ";
    if (n == 0 || n > 9)
        return false;
    for (size_t i = 0; i < n; i++)
        word[i + 1] = (char)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] | 0x20 : p[i]);
    word[n + 1] = ' ';
    return strstr(words, word);
}

/* A number that JSON has, too: without a sign before, a bare point, zeros before. */
static void put_number(struct sm_str *out, const char *p, size_t n)
{
    bool minus = *p == '-';
    if (*p == '-' || *p == '+')
        p++, n--;
    while (n > 1 && *p == '0' && p[1] >= '0' && p[1] <= '9')
        p++, n--;
    const char *point = memchr(p, '.', n);
    size_t whole = point ? (size_t)(point - p) : n;
    bool bare = point && (whole + 1 == n || point[1] < '0' || point[1] > '9');
    sm_str_add(out, minus ? "-" : "");
    sm_str_add(out, whole ? "" : "0");
    sm_str_addn(out, p, bare ? whole : n);
    if (bare)
        sm_str_addn(out, point + 1, n - whole - 1);
}

static void put_plain(struct sm_str *out, const char *p, size_t n)
{
    double v;
    if (n == 0 || is_word(p, n, " ~ null "))
        sm_str_add(out, "null");
    else if (is_word(p, n, " true yes on "))
        sm_str_add(out, "true");
    else if (is_word(p, n, " false no off "))
        sm_str_add(out, "false");
    else if (is_word(p, n, " .nan "))
        sm_str_add(out, "NaN");
    else if (is_word(p, n, " .inf +.inf "))
        sm_str_add(out, "Infinity");
    else if (is_word(p, n, " -.inf "))
        sm_str_add(out, "-Infinity");
    else if (strchr("+-.0123456789", *p) && n < 64 && (p[n - 1] | 0x20) != 'f' &&
             (p[n - 1] | 0x20) != 'n' && sm_log_number(p, n, &v))
        put_number(out, p, n);
    else
        sm_json_quote(out, p, n);
}

/* One character of a text in double quotes after a backslash. */
static void put_escaped(struct yaml *y, struct sm_str *text)
{
    static const char from[] = "0abtnvfre", to[] = "\0\a\b\t\n\v\f\r\033";
    char c = *y->p++;
    const char *known = memchr(from, c, sizeof from - 1);
    size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    uint32_t rune = 0;
    char utf8[4];
    if (!digits) {
        sm_str_addc(text, known ? to[known - from] : c);
        return;
    }
    for (; digits && y->p < y->stop && strchr("0123456789abcdefABCDEF", *y->p) && *y->p; digits--) {
        char d = *y->p++;
        rune = rune << 4 | (uint32_t)(d <= '9' ? d - '0' : (d | 0x20) - 'a' + 10);
    }
    sm_str_addn(text, utf8, sm_utf8_encode(rune, utf8));
}

/* The rest of a quoted text on this line. True: it ends here. */
static bool take_quoted(struct yaml *y, char quote, struct sm_str *text)
{
    while (y->p < y->stop) {
        char c = *y->p++;
        if (c == quote && quote == '\'' && y->p < y->stop && *y->p == '\'')
            y->p++;
        else if (c == quote)
            return true;
        if (c == '\\' && quote == '"' && y->p < y->stop)
            put_escaped(y, text);
        else
            sm_str_addc(text, c);
    }
    return false;
}

/* A quoted text goes on over lines, which are joined by a blank. */
static bool read_quoted(struct yaml *y, struct sm_str *text)
{
    char quote = *y->p++;
    while (!take_quoted(y, quote, text)) {
        if (!raw_line(y))
            return fail(y, "a quote that is not closed");
        while (y->p < y->stop && is_blank(*y->p))
            y->p++;
        sm_str_addc(text, y->p == y->stop ? '\n' : ' ');
    }
    return true;
}

static bool put_quoted(struct yaml *y)
{
    struct sm_str text = {0};
    bool ok = read_quoted(y, &text);
    if (ok)
        sm_json_quote(y->out, sm_str_text(&text), text.len);
    y->out->failed = y->out->failed || text.failed;
    sm_str_clear(&text);
    return ok;
}

/* The end of a plain scalar: at a comment, or in flow style at one of `ends`. */
static size_t plain_length(const struct yaml *y, const char *ends)
{
    const char *p = y->p;
    while (p < y->stop && !(*p && strchr(ends, *p)) &&
           !(*p == '#' && p > y->p && is_blank(p[-1])) &&
           !(*ends && *p == ':' && (p + 1 == y->stop || is_blank(p[1]))))
        p++;
    while (p > y->p && is_blank(p[-1]))
        p--;
    return (size_t)(p - y->p);
}

/* A plain scalar goes on in lines that are indented more. */
static bool put_plain_lines(struct yaml *y, size_t least)
{
    struct sm_str text = {0};
    size_t n = plain_length(y, "");
    sm_str_addn(&text, y->p, n);
    next_line(y, false);
    while (!y->done && y->indent >= least) {
        sm_str_addc(&text, ' ');
        sm_str_addn(&text, y->p, plain_length(y, ""));
        next_line(y, false);
    }
    put_plain(y->out, sm_str_text(&text), text.len);
    y->out->failed = y->out->failed || text.failed;
    sm_str_clear(&text);
    return true;
}

/* The lines of a literal or folded text: those that are indented at least so much, or empty. */
static bool put_block_text(struct yaml *y, size_t least)
{
    struct sm_str text = {0};
    bool folded = *y->p == '>', keeps = true;
    size_t indent = 0;
    const char *next = y->next;
    while (keeps && raw_line(y)) {
        const char *begin = y->p;
        while (y->p < y->stop && *y->p == ' ')
            y->p++;
        size_t columns = (size_t)(y->p - begin);
        keeps = y->p == y->stop || columns >= least;
        if (keeps) {
            indent = indent || y->p == y->stop ? indent : columns;
            begin += columns < indent ? columns : indent;
            sm_str_addn(&text, begin, (size_t)(y->stop - begin));
            sm_str_addc(&text, folded ? ' ' : '\n');
            next = y->next;
        } else {
            y->number--;
        }
    }
    y->next = next;
    while (text.len && strchr(" \n", text.data[text.len - 1]))
        sm_str_truncate(&text, text.len - 1);
    sm_json_quote(y->out, sm_str_text(&text), text.len);
    y->out->failed = y->out->failed || text.failed;
    sm_str_clear(&text);
    next_line(y, false);
    return true;
}

/* ---- flow style ---- */

static bool put_flow(struct yaml *y);

static bool put_flow_scalar(struct yaml *y, bool key)
{
    if (y->p < y->stop && (*y->p == '"' || *y->p == '\''))
        return put_quoted(y);
    size_t n = plain_length(y, ",[]{}");
    if (key)
        sm_json_quote(y->out, y->p, n);
    else
        put_plain(y->out, y->p, n);
    y->p += n;
    return true;
}

/* Before a value: skips blanks, comments and ends of lines. */
static bool flow_space(struct yaml *y)
{
    skip_properties(y);
    while (y->p == y->stop) {
        if (!raw_line(y))
            return fail(y, "a bracket that is not closed");
        skip_properties(y);
    }
    return true;
}

static bool put_flow_pair(struct yaml *y)
{
    if (!put_flow_scalar(y, true) || !flow_space(y))
        return false;
    sm_str_addc(y->out, ':');
    if (*y->p != ':') {
        sm_str_add(y->out, "null");
        return *y->p == ',' || *y->p == '}' || fail(y, "expected ':'");
    }
    y->p++;
    return flow_space(y) && put_flow(y);
}

static bool put_flow_items(struct yaml *y, char close)
{
    bool first = true;
    for (;;) {
        if (!flow_space(y))
            return false;
        if (*y->p == close)
            return true;
        if (!first && *y->p++ != ',')
            return fail(y, "expected ',' in a list");
        if (!flow_space(y))
            return false;
        if (*y->p == close)
            return true;
        sm_str_add(y->out, first ? "" : ",");
        first = false;
        if (!(close == '}' ? put_flow_pair(y) : put_flow(y)))
            return false;
    }
}

static bool put_flow(struct yaml *y)
{
    char open = *y->p, close = open == '[' ? ']' : '}';
    if (open != '[' && open != '{')
        return put_flow_scalar(y, false);
    if (++y->depth > SM_YAML_DEPTH_MAX)
        return fail(y, "nested too deep");
    y->p++;
    sm_str_addc(y->out, open);
    if (!put_flow_items(y, close))
        return false;
    y->p++;
    y->depth--;
    sm_str_addc(y->out, close);
    return true;
}

/* ---- blocks ---- */

/* The length of the key that the line begins with, up to its ':'; 0: none. */
static size_t key_length(const struct yaml *y)
{
    const char *p = y->p;
    if (p < y->stop && (*p == '"' || *p == '\'')) {
        char quote = *p++;
        while (p < y->stop && *p != quote)
            p += *p == '\\' && quote == '"' && p + 1 < y->stop ? 2 : 1;
        p += p < y->stop;
        while (p < y->stop && is_blank(*p))
            p++;
        return p < y->stop && *p == ':' ? (size_t)(p - y->p) : 0;
    }
    if (p < y->stop && (*p == '[' || *p == '{'))
        return 0;
    for (; p < y->stop && !(*p == '#' && p > y->p && is_blank(p[-1])); p++)
        if (*p == ':' && (p + 1 == y->stop || is_blank(p[1])))
            return (size_t)(p - y->p);
    return 0;
}

static bool is_item(const struct yaml *y)
{
    return *y->p == '-' && (y->p + 1 == y->stop || is_blank(y->p[1]));
}

static void put_key(struct yaml *y, size_t n)
{
    const char *colon = y->p + n;
    struct sm_str text = {0};
    if (*y->p == '"' || *y->p == '\'')
        read_quoted(y, &text);
    else
        sm_str_addn(&text, y->p, n);
    while (text.len && is_blank(text.data[text.len - 1]))
        sm_str_truncate(&text, text.len - 1);
    sm_json_quote(y->out, sm_str_text(&text), text.len);
    sm_str_addc(y->out, ':');
    y->out->failed = y->out->failed || text.failed;
    sm_str_clear(&text);
    y->p = colon + 1;
}

/* What is left of the line after a value is nothing, or a comment. */
static bool end_value(struct yaml *y)
{
    skip_blanks(y);
    if (y->p < y->stop)
        return fail(y, "text after a value");
    next_line(y, false);
    return true;
}

/* A value that is no block: it may begin behind its key. */
static bool put_value(struct yaml *y, size_t least)
{
    if (*y->p == '|' || *y->p == '>')
        return put_block_text(y, least);
    if (*y->p == '[' || *y->p == '{')
        return put_flow(y) && end_value(y);
    if (*y->p == '"' || *y->p == '\'')
        return put_quoted(y) && end_value(y);
    return put_plain_lines(y, least);
}

static bool put_pair(struct yaml *y, size_t n)
{
    size_t indent = y->indent;
    put_key(y, n);
    size_t line = y->number;
    skip_properties(y);
    to_next_if_empty(y);
    if (!y->done && y->number == line)
        return put_value(y, indent + 1);
    /* a list may stand below its key, without an indent */
    bool list = !y->done && y->indent == indent && is_item(y);
    return put_node(y, list ? indent : indent + 1);
}

static bool put_map(struct yaml *y)
{
    size_t indent = y->indent, n;
    sm_str_addc(y->out, '{');
    for (bool first = true; !y->done && y->indent == indent && (n = key_length(y)); first = false) {
        sm_str_add(y->out, first ? "" : ",");
        if (!put_pair(y, n))
            return false;
    }
    sm_str_addc(y->out, '}');
    return y->done || y->indent < indent || fail(y, "neither a key nor a comment");
}

static bool put_list(struct yaml *y)
{
    size_t indent = y->indent;
    sm_str_addc(y->out, '[');
    for (bool first = true; !y->done && y->indent == indent && is_item(y); first = false) {
        const char *dash = y->p;
        sm_str_add(y->out, first ? "" : ",");
        y->p++;
        skip_properties(y);
        y->indent += (size_t)(y->p - dash);
        to_next_if_empty(y);
        if (!put_node(y, indent + 1))
            return false;
    }
    sm_str_addc(y->out, ']');
    return true;
}

static bool put_block(struct yaml *y, size_t least)
{
    if (is_item(y))
        return put_list(y);
    return key_length(y) ? put_map(y) : put_value(y, least);
}

/* The value at p, whose lines are indented by at least so much; else null. */
static bool put_node(struct yaml *y, size_t least)
{
    if (y->done || y->indent < least) {
        sm_str_add(y->out, "null");
        return true;
    }
    skip_properties(y);
    to_next_if_empty(y);
    if (++y->depth > SM_YAML_DEPTH_MAX)
        return fail(y, "nested too deep");
    bool ok = y->done ? (sm_str_add(y->out, "null"), true) : put_block(y, least);
    y->depth--;
    return ok;
}

bool sm_yaml_to_json(const char *p, size_t n, struct sm_str *out, struct sm_err *err)
{
    struct yaml y = {.next = p, .end = p + n, .out = out, .err = err};
    sm_err_clear(err);
    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        y.next += 3;
    next_line(&y, true);
    if (y.done)
        sm_str_add(out, "{}");
    else if (!put_node(&y, 0))
        return false;
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "no memory to read YAML");
}
