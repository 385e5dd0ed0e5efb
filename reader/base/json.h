/* SPDX-License-Identifier: Apache-2.0 */
/* JSON through yajl: a streaming parser that reports offsets, and a writer with the conventions of
 * doc/language.md: one line, non-finite numbers as "nan" "inf" "-inf", escaped controls. */
#ifndef SM_JSON_H
#define SM_JSON_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_JSON_DEPTH_MAX = 64 };

/* Events of one document. A NULL member skips that event; a handler that returns false stops the
 * parse and leaves its error in err. Numbers come as written, so that 64-bit integers stay exact.
 * Strings have their escapes decoded, may be invalid UTF-8, are not 0-terminated, and are valid
 * during the call only. */
struct sm_json_ops {
    bool (*null)(void *ctx);
    bool (*boolean)(void *ctx, bool v);
    bool (*number)(void *ctx, const char *digits, size_t n);
    bool (*string)(void *ctx, const char *p, size_t n);
    bool (*key)(void *ctx, const char *p, size_t n);
    bool (*start_map)(void *ctx), (*end_map)(void *ctx);
    bool (*start_array)(void *ctx), (*end_array)(void *ctx);
};
/* Parses one whole document. Nesting deeper than SM_JSON_DEPTH_MAX, trailing bytes and an empty or
 * truncated document are SM_ERR_DATA with the byte offset in the message. If a handler stopped,
 * *err is what the handler set through its own pointer to the same err, with the offset in front if
 * it is SM_ERR_DATA. */
bool sm_json_parse(const char *p, size_t n, const struct sm_json_ops *ops, void *ctx,
                   struct sm_err *err);
bool sm_json_int(const char *digits, size_t n, int64_t *out); /* false: not an int64 */

/* The writer appends to `out`. The caller keeps order and nesting right (asserted). */
struct sm_json_writer;
/* Stops the program if there is no memory. */
struct sm_json_writer *sm_json_writer_new(struct sm_str *out);
void sm_json_writer_free(struct sm_json_writer *w);
void sm_json_start_map(struct sm_json_writer *w);
void sm_json_end_map(struct sm_json_writer *w);
void sm_json_start_array(struct sm_json_writer *w);
void sm_json_end_array(struct sm_json_writer *w);
void sm_json_key(struct sm_json_writer *w, const char *key);
void sm_json_null(struct sm_json_writer *w);
void sm_json_bool(struct sm_json_writer *w, bool v);
void sm_json_i64(struct sm_json_writer *w, int64_t v);
void sm_json_u64(struct sm_json_writer *w, uint64_t v);
/* 17 significant digits, or 9 if `single`; -0 keeps its sign. */
void sm_json_double(struct sm_json_writer *w, double v, bool single);
/* Takes any bytes: invalid UTF-8 becomes U+FFFD; controls, DEL and bidi overrides become \u
 * escapes. */
void sm_json_text(struct sm_json_writer *w, const char *p, size_t n);

#endif
