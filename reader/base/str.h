/* SPDX-License-Identifier: Apache-2.0 */
/* Growing byte strings, borrowed text, escaping, natural order, edit distance, globs, and numbers
 * in the C locale. Implemented in str.c (building), utf8.c and width.c, match.c (comparing),
 * str_number.c and decimal.c. */
#ifndef SM_STR_H
#define SM_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing string, 0-terminated once anything was appended. Zero-initialised is empty. Without
 * memory it sets `failed` and ignores further appends, so that a builder checks once at its end. */
struct sm_str {
    char *data;
    size_t len, cap;
    bool failed;
};
void sm_str_add(struct sm_str *s, const char *text);
void sm_str_addn(struct sm_str *s, const void *bytes, size_t n);
void sm_str_addc(struct sm_str *s, char c);
void sm_str_fill(struct sm_str *s, char c, size_t n);
void sm_str_printf(struct sm_str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sm_str_vprintf(struct sm_str *s, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
void sm_str_truncate(struct sm_str *s, size_t len);
const char *sm_str_text(const struct sm_str *s); /* never NULL */
void sm_str_clear(struct sm_str *s);             /* frees */

/* Borrowed bytes, not necessarily 0-terminated. */
struct sm_text {
    const char *p;
    size_t n;
};
#define SM_TEXT(literal) ((struct sm_text){(literal), sizeof(literal) - 1})
struct sm_text sm_text(const char *z);
bool sm_text_is(struct sm_text t, const char *z);
bool sm_text_same(struct sm_text a, struct sm_text b); /* an empty one may be NULL */
int sm_hex_digit(char c);                              /* 0 to 15; -1: it is none */
bool sm_ends_with(const char *z, const char *suffix);  /* true only if z is longer than suffix */

/* Appends untrusted bytes, escaped so that they are harmless on a terminal: C0/C1 controls, DEL,
 * ESC and invalid UTF-8 as \xNN, bidi overrides and other format characters (U+200B-F, 2028-E,
 * 2060-9, FEFF) as \u{NNNN}. Backslashes and printable UTF-8 stay. */
void sm_str_add_escaped(struct sm_str *s, const char *p, size_t n);
/* The same, except that line ends stay. Text that is escaped already is not changed. */
void sm_str_add_escaped_lines(struct sm_str *s, const char *p, size_t n);
/* Decodes one code point of at most n bytes; returns the bytes used (0: invalid, overlong,
 * surrogate or truncated). */
size_t sm_utf8_decode(const char *p, size_t n, uint32_t *rune);
size_t sm_utf8_encode(uint32_t rune, char out[4]);
int sm_rune_width(uint32_t rune); /* columns: 0, 1 or 2; controls 0; independent of the locale */
size_t sm_text_width(const char *p, size_t n); /* columns of UTF-8 text */

/* layer2 < layer10, and lr0.0001 < lr0.05 < lr0.1; ties by bytes */
int sm_natural_cmp(const char *a, const char *b);
/* Levenshtein distance over bytes; limit + 1 if it exceeds `limit`, or if the differing part is
 * longer than 512 bytes. */
unsigned sm_edit_distance(const char *a, const char *b, unsigned limit);
/* How far a typed word is from a name: 0 if equal, 1 or 2 if it is near, else SM_NOT_NEAR. Two
 * exchanged neighbours count as one. A short word may have one mistake; with another first letter
 * of the same length it is another word ("catch" is not "watch"). */
unsigned sm_word_distance(const char *typed, const char *name);
#define SM_NOT_NEAR 99u
/* Whether the two are equal except for case, _ and -. */
bool sm_same_letters(const char *a, const char *b);
/* Matches the whole text: * ? [a-z] [!a-z] \x. ? and [] match one UTF-8 character; a [ without ] is
 * literal. */
bool sm_glob_match(const char *pattern, const char *text);

/* Numbers, in the C locale whatever locale the process runs in. `end` gets where parsing
 * stopped. */
double sm_parse_double(const char *s, char **end); /* also inf, nan, hex */
/* The same for a whole text that is an ordinary decimal number: a sign, up to 19 digits, a point,
 * an exponent. False: it is not, or it needs sm_parse_double. */
bool sm_parse_decimal(const char *p, size_t n, double *out);
/* %.{digits}g, with nan inf -inf. */
void sm_format_double(double v, int digits, char out[32]);
/* The same, in fewer digits if that makes it fit in w columns; one digit may still be too long. */
void sm_format_fit(double v, int digits, int w, char out[32]);
/* The fewest digits that read back to the same value (as float32 if `single`), laid out like
 * Python's repr without ".0": 100, 0.1, 1e+16, 1e-05. */
void sm_format_shortest(double v, bool single, char out[32]);
void sm_format_bytes(uint64_t size_bytes, char out[16]);       /* 512 B, 1.5 KiB, 2.0 GiB */
void sm_format_bytes_short(uint64_t size_bytes, char out[16]); /* 512, 1.5K, 205M */
void sm_format_duration(int64_t us, char out[16]); /* 0.8 s, 42 s, 4m12s, 3h05m, 2d04h */
/* The same of an age that is shown while it grows: whole seconds, and from a minute on minutes. */
void sm_format_age(int64_t us, char out[16]); /* 42 s, 4 min, 3h05m */
/* 850 ns, 12.3 us, 4.56 ms, 1.23 s; from 100 s on as sm_format_duration. */
void sm_format_nanoseconds(double ns, char out[16]);
/* 0.043, 4.0, 4.3, 120: the number of digits does not flicker between updates. */
void sm_format_rate(double per_second, char out[16]);
void sm_format_count(uint64_t n, char out[32]); /* 14,210 */

#endif
