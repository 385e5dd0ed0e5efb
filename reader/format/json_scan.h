/* SPDX-License-Identifier: Apache-2.0 */
/* A tokenizer for JSON as profilers and traces have it: written by hand, torn, without its end.
 *
 * It reads from a buffer without copying and without a tree: a map is walked key by key, and a
 * value that is a map or a list is one value, which can be walked in turn. Besides JSON it takes
 * NaN and Infinity, control characters in strings, commas too many, and a missing end: where the
 * bytes end inside of a value it says so, and the caller asks again when there are more. Time is
 * linear in the bytes, no memory is used, and depth is bounded. */
#ifndef SM_JSON_SCAN_H
#define SM_JSON_SCAN_H

#include "reader/base/str.h"

enum { SM_SCAN_DEPTH_MAX = 64 };
enum sm_scan_type {
    SM_SCAN_NUMBER, /* also NaN, Infinity */
    SM_SCAN_STRING,
    SM_SCAN_MAP,
    SM_SCAN_LIST,
    SM_SCAN_WORD, /* true, false, null */
};
/* As written: a string without its quotes, a map and a list with their brackets. */
struct sm_scan_value {
    enum sm_scan_type type;
    bool escaped; /* of a string: has backslashes */
    struct sm_text text;
};
/* What is left to read; a plain value. */
struct sm_scan {
    const char *p, *end;
};
enum sm_scan_result {
    SM_SCAN_ITEM, /* a value was read */
    SM_SCAN_DONE, /* the end of the map or list; p is after it */
    SM_SCAN_TORN, /* the bytes end before that of the value */
    SM_SCAN_BAD,
};

void sm_scan_skip(struct sm_scan *s, const char *also); /* blanks, and these characters */
/* Enters a map or a list: p is at its bracket, perhaps after blanks. ITEM: it is entered. */
enum sm_scan_result sm_scan_enter(struct sm_scan *s, char bracket);
/* The next key and value of a map that was entered. */
enum sm_scan_result sm_scan_key(struct sm_scan *s, struct sm_text *key, struct sm_scan_value *v);
/* The same in two parts: the key alone, and p is at the value, perhaps after blanks. */
enum sm_scan_result sm_scan_name(struct sm_scan *s, struct sm_text *key);
/* One value, wherever it is. */
enum sm_scan_result sm_scan_value(struct sm_scan *s, struct sm_scan_value *v);

/* The value of a number, or of a string that is one. False: it is none. */
bool sm_scan_double(const struct sm_scan_value *v, double *out);
/* Its decimal value times 10^scale, rounded to the nearest: 1591748109.2321954 with scale 9 is
 * 1591748109232195400. It does not go through double. False: no number, or out of range. */
bool sm_scan_decimal(const struct sm_scan_value *v, int scale, int64_t *out);
/* Appends a string with its escapes decoded, other values as written. */
void sm_scan_text(const struct sm_scan_value *v, struct sm_str *out);

#endif
