/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as programs print them for people: thousands' commas, exponents, nan, inf. */
#ifndef SM_TEXTLOG_NUMBER_H
#define SM_TEXTLOG_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_textlog_number {
    double value;
    bool whole;       /* digits only, with commas perhaps */
    int64_t integer;  /* of a whole one; -1: more than 18 digits */
    const char *next; /* behind it */
};
/* Reads a number at p. commas: "4,194,304" is one number. False: there is none. */
bool sm_textlog_number(const char *p, const char *end, bool commas, struct sm_textlog_number *out);
/* "4,194" at the comma: three digits and no fourth behind it. */
bool sm_textlog_is_thousands(const char *p, const char *end);
/* Whether what is glued to a number, at p, lets it be a value: an end, "%", a unit, "/3". Dates,
 * times, versions and hashes are not values. */
bool sm_textlog_number_ends(const char *p, const char *end);

/* Bytes of ASCII, whatever the locale. */
bool sm_textlog_is_digit(char c);
bool sm_textlog_is_letter(char c);
bool sm_textlog_is_word(char c); /* letter, digit, '_' or part of a rune */
bool sm_textlog_is_blank(char c);
char sm_textlog_lower(char c);
/* Whether the word is one of a list of lower-case words with a blank around each. */
bool sm_textlog_in_words(const char *list, const char *p, size_t n);

#endif
