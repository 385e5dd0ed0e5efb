/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/tokens.h"

#include "commands/session/bookmark.h"

#include <ctype.h>
#include <string.h>

bool sm_reader_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool sm_reader_looks_like_step(const char *word)
{
    return !word[strspn(word, "0123456789:.,~+-")] && strpbrk(word, "0123456789");
}

void sm_reader_skip(struct sm_reader *r)
{
    while (r->at < r->n && sm_reader_blank(r->p[r->at]))
        r->at++;
}

struct sm_text sm_reader_keep(struct sm_arena *a, const char *p, size_t n)
{
    return (struct sm_text){sm_arena_xstrndup(a, p ? p : "", n), n};
}

struct sm_text sm_reader_trim(const char *p, size_t n)
{
    while (n && sm_reader_blank(*p))
        p++, n--;
    while (n && sm_reader_blank(p[n - 1]))
        n--;
    return (struct sm_text){p, n};
}

/* ---- escapes and quotes ---- */

/* Reads up to `most` hex digits. */
static uint32_t hex_number(struct sm_reader *r, unsigned most)
{
    uint32_t v = 0;
    for (; most && r->at < r->n && sm_hex_digit(r->p[r->at]) >= 0; most--)
        v = v * 16 + (uint32_t)sm_hex_digit(r->p[r->at++]);
    return v;
}

/* Reads the escape after a backslash and appends its character. */
static void read_escape(struct sm_reader *r, struct sm_str *out)
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

void sm_line_unescape(struct sm_str *out, const char *p, size_t n)
{
    struct sm_reader r = {.p = p, .n = n};
    while (r.at < n) {
        if (p[r.at] == '\\' && r.at + 1 < n) {
            r.at++;
            read_escape(&r, out);
        } else {
            sm_str_addc(out, p[r.at++]);
        }
    }
}

bool sm_reader_quoted(struct sm_reader *r, struct sm_str *out, struct sm_err *err)
{
    size_t start = r->at;
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
        return sm_err_set(err, SM_ERR_USAGE, "Unmatched %s quote at column %zu.",
                          quote == '"' ? "double" : "single", start + 1);
    r->at++;
    return true;
}

/* The length from '[' to the matching ']'; 0 if it is not closed. */
static size_t bracket_length(const struct sm_reader *r)
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

/* The length of a regular expression, a word that starts and ends with '/', optionally after '!'; 0
 * if the next word is not one. Brackets in it are not slices. */
static size_t regex_length(const struct sm_reader *r)
{
    size_t i = r->at, start = r->at;
    if (i < r->n && r->p[i] == '!')
        i++, start++;
    if (i == r->n || r->p[i] != '/')
        return 0;
    while (i < r->n && !sm_reader_blank(r->p[i]))
        i++;
    return i - start >= 2 && r->p[i - 1] == '/' ? i - r->at : 0;
}

/* Reads '[' in a word. A slice is at the end of the word; otherwise it is part of a pattern. */
static bool read_bracket(struct sm_reader *r, struct sm_str *out, struct sm_word *w,
                         bool after_quote, struct sm_err *err)
{
    size_t n = bracket_length(r);
    if (!n)
        return sm_err_set(err, SM_ERR_USAGE, "Unmatched \"[\" at column %zu.", r->at + 1);
    size_t end = r->at + n;
    bool slice = end == r->n || sm_reader_blank(r->p[end]) || r->p[end] == '@';
    if (!slice && after_quote)
        return sm_err_set(err, SM_ERR_USAGE, "Unexpected text after \"]\" at column %zu.", end + 1);
    if (slice)
        w->slice = sm_reader_keep(r->arena, r->p + r->at, n);
    else
        sm_str_addn(out, r->p + r->at, n);
    r->at = end;
    return true;
}

static bool read_parts(struct sm_reader *r, struct sm_str *out, struct sm_word *w, bool parens,
                       struct sm_err *err)
{
    size_t start = r->at, depth = 0;
    bool after_quote = false;
    while (r->at < r->n && !w->slice.n && (depth || !sm_reader_blank(r->p[r->at]))) {
        char c = r->p[r->at];
        if (c == '"' || c == '\'') {
            if (!sm_reader_quoted(r, out, err))
                return false;
            after_quote = true;
            continue;
        }
        if (c == '[' && r->at > start && !depth) {
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

bool sm_reader_word(struct sm_reader *r, bool parens, struct sm_word *w, struct sm_err *err)
{
    struct sm_str text = {0};
    *w = (struct sm_word){.column = r->at + 1, .quoted = r->p[r->at] == '"' || r->p[r->at] == '\''};
    size_t regex = regex_length(r);
    bool ok = true;
    if (regex)
        sm_str_addn(&text, r->p + r->at, regex), r->at += regex;
    else
        ok = read_parts(r, &text, w, parens, err);
    w->text = sm_reader_keep(r->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return ok;
}

bool sm_reader_tick(struct sm_reader *r, struct sm_word *w)
{
    size_t left = r->n - r->at;
    const char *p = r->p + r->at;
    if (left < 2 || *p != '\'' || !sm_bookmark_letter(p[1]) ||
        (left > 2 && !sm_reader_blank(p[2])) || memchr(p + 1, '\'', left - 1))
        return false;
    *w = (struct sm_word){.text = sm_reader_keep(r->arena, p, 2), .column = r->at + 1};
    r->at += 2;
    return true;
}

bool sm_line_word(const char *text, size_t n, size_t *at, struct sm_arena *arena,
                  struct sm_word *out, struct sm_err *err)
{
    struct sm_reader r = {.p = text, .n = n, .at = *at, .arena = arena};
    sm_reader_skip(&r);
    sm_err_clear(err);
    *at = r.at;
    if (r.at == n)
        return false;
    bool ok = sm_reader_word(&r, false, out, err);
    *at = r.at;
    return ok;
}

/* True if a terminal shows these bytes unchanged. */
static bool is_plain(const char *p, size_t n)
{
    struct sm_str shown = {0};
    sm_str_add_escaped(&shown, p, n);
    bool plain = shown.len == n && memcmp(sm_str_text(&shown), p, n) == 0;
    sm_str_clear(&shown);
    return plain;
}

/* Appends one rune; bytes that are not plain as \xNN. */
static void add_quoted(struct sm_str *out, const char *p, size_t n)
{
    bool plain = is_plain(p, n);
    if (plain && (*p == '"' || *p == '\\'))
        sm_str_addc(out, '\\');
    for (size_t i = 0; i < n; i++) {
        if (plain)
            sm_str_addc(out, p[i]);
        else
            sm_str_printf(out, "\\x%02x", (unsigned char)p[i]);
    }
}

void sm_line_quote(struct sm_str *out, const char *p, size_t n)
{
    bool bare = n > 0 && !strchr("-+!#@|>$", p[0]) && !(n > 1 && p[0] == '/' && p[n - 1] == '/');
    for (size_t i = 0; bare && i < n; i++)
        bare = p[i] != ' ' && p[i] && !strchr("\"'[]|>#*?\\`", p[i]);
    if (bare && is_plain(p, n)) {
        sm_str_addn(out, p, n);
        return;
    }
    sm_str_addc(out, '"');
    for (size_t i = 0, used; i < n; i += used) {
        uint32_t rune;
        used = sm_utf8_decode(p + i, n - i, &rune);
        used = used ? used : 1;
        add_quoted(out, p + i, used);
    }
    sm_str_addc(out, '"');
}

void sm_reader_join(struct sm_arena *a, struct sm_word *w)
{
    if (w->slice.n && !w->quoted) {
        char *p = sm_arena_xprintf(a, "%s%s", w->text.p, w->slice.p);
        w->text = (struct sm_text){p, strlen(p)};
        w->slice = (struct sm_text){0};
    }
}
