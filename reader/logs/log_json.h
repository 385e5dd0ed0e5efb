/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as loggers write it: bare NaN, Infinity and -Infinity are numbers. */
#ifndef SM_LOG_JSON_H
#define SM_LOG_JSON_H

#include "reader/base/json.h"

/* As sm_json_parse, but those words may stand where a number may; number() gets them as they are.
 */
bool sm_log_json_parse(const char *p, size_t n, const struct sm_json_ops *ops, void *ctx,
                       struct sm_err *err);
/* A number as JSON, Python or CSV write it: decimal, nan, NaN, inf, Infinity, with a sign. The
 * whole text, blanks around it allowed. Also accepts what strtod does not need: no hexadecimal. */
bool sm_log_number(const char *p, size_t n, double *out);
/* Calls leaf for every number, boolean, text, null and array of an object; the names on the way are
 * joined by `joint`. Elements of arrays are not visited. A document that is no object is one value
 * without a name. A name has at most SM_LOG_NAME_MAX bytes when it is joined, and no 0 byte (it
 * becomes '?'). False: not JSON, with what is wrong in err; leaves before that place were called.
 */
enum { SM_LOG_NAME_MAX = 4096 };
enum sm_log_leaf { SM_LOG_NUMBER, SM_LOG_BOOL, SM_LOG_TEXT, SM_LOG_NULL, SM_LOG_ARRAY };
struct sm_log_value {
    enum sm_log_leaf type;
    const char *name; /* joined; 0-terminated, valid during the call */
    size_t name_n;
    double number;    /* NUMBER, BOOL (0 or 1) */
    const char *text; /* TEXT: decoded; the others: their bytes in the document */
    size_t text_n;
};
bool sm_log_json_leaves(const char *p, size_t n, char joint,
                        void (*leaf)(void *ctx, const struct sm_log_value *v), void *ctx,
                        struct sm_err *err);
/* Appends the value as JSON on one line. */
void sm_log_value_json(const struct sm_log_value *v, struct sm_str *out);
/* Appends a text as a JSON string; bytes that are no UTF-8 stay as they are. */
void sm_json_quote(struct sm_str *out, const char *p, size_t n);

#endif
