/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/json.h"

#include "reader/base/mem.h"
#include "reader/base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

/* ---- reading ---- */

struct parse_state {
    const struct sm_json_ops *ops;
    void *ctx;
    int depth;
    bool too_deep, no_memory;
};

/* yajl does not check for NULL. So when sm_alloc fails, yajl gets memory from plain malloc, the
 * failure is recorded, and the parse reports SM_ERR_MEMORY whatever its result. yajl's requests are
 * small: its state, and a buffer for one string that is escaped or split. */
static void *yajl_alloc_or_note(void *ctx, size_t n)
{
    struct parse_state *r = ctx;
    void *p = sm_alloc(n);
    if (p)
        return p;
    r->no_memory = true;
    return malloc(n ? n : 1);
}

static void *yajl_realloc_or_note(void *ctx, void *old, size_t n)
{
    struct parse_state *r = ctx;
    void *p = sm_realloc(old, n, 1);
    if (p)
        return p;
    r->no_memory = true;
    return realloc(old, n ? n : 1);
}

static void yajl_release(void *ctx, void *p)
{
    (void)ctx;
    sm_free(p);
}

static int on_null(void *ctx)
{
    struct parse_state *r = ctx;
    return !r->ops->null || r->ops->null(r->ctx);
}

static int on_boolean(void *ctx, int v)
{
    struct parse_state *r = ctx;
    return !r->ops->boolean || r->ops->boolean(r->ctx, v != 0);
}

static int on_number(void *ctx, const char *digits, size_t n)
{
    struct parse_state *r = ctx;
    return !r->ops->number || r->ops->number(r->ctx, digits, n);
}

static int on_string(void *ctx, const unsigned char *p, size_t n)
{
    struct parse_state *r = ctx;
    return !r->ops->string || r->ops->string(r->ctx, (const char *)p, n);
}

static int on_key(void *ctx, const unsigned char *p, size_t n)
{
    struct parse_state *r = ctx;
    return !r->ops->key || r->ops->key(r->ctx, (const char *)p, n);
}

static bool enter_level(struct parse_state *r)
{
    r->too_deep = ++r->depth > SM_JSON_DEPTH_MAX;
    return !r->too_deep;
}

static int on_start_map(void *ctx)
{
    struct parse_state *r = ctx;
    return enter_level(r) && (!r->ops->start_map || r->ops->start_map(r->ctx));
}

static int on_end_map(void *ctx)
{
    struct parse_state *r = ctx;
    r->depth--;
    return !r->ops->end_map || r->ops->end_map(r->ctx);
}

static int on_start_array(void *ctx)
{
    struct parse_state *r = ctx;
    return enter_level(r) && (!r->ops->start_array || r->ops->start_array(r->ctx));
}

static int on_end_array(void *ctx)
{
    struct parse_state *r = ctx;
    r->depth--;
    return !r->ops->end_array || r->ops->end_array(r->ctx);
}

static bool report_parse(struct parse_state *r, yajl_handle h, yajl_status status, size_t at,
                         struct sm_err *err)
{
    if (r->no_memory)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to parse JSON");
    if (status == yajl_status_ok)
        return true;
    if (r->too_deep)
        return sm_err_set(err, SM_ERR_DATA, "JSON is nested deeper than %d at offset %zu",
                          SM_JSON_DEPTH_MAX, at);
    if (status == yajl_status_client_canceled)
        /* the handler has set the reason */
        return err && err->code == SM_ERR_DATA ? sm_err_prefix(err, "offset %zu", at) : false;
    unsigned char *text = yajl_get_error(h, 0, NULL, 0);
    if (r->no_memory)
        sm_err_set(err, SM_ERR_MEMORY, "no memory to parse JSON");
    else
        sm_err_set(err, SM_ERR_DATA, "invalid JSON at offset %zu: %.*s", at,
                   (int)strcspn((char *)text, "\n"), (char *)text);
    yajl_free_error(h, text);
    return false;
}

bool sm_json_parse(const char *p, size_t n, const struct sm_json_ops *ops, void *ctx,
                   struct sm_err *err)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_map_key = on_key,
        .yajl_start_map = on_start_map,
        .yajl_end_map = on_end_map,
        .yajl_start_array = on_start_array,
        .yajl_end_array = on_end_array,
    };
    struct parse_state r = {.ops = ops, .ctx = ctx};
    yajl_alloc_funcs memory = {yajl_alloc_or_note, yajl_realloc_or_note, yajl_release, &r};
    yajl_handle h = yajl_alloc(&callbacks, &memory, &r);
    if (!h)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to parse JSON");
    yajl_config(h, yajl_dont_validate_strings, 1);
    yajl_status status = yajl_parse(h, (const unsigned char *)p, n);
    size_t at = yajl_get_bytes_consumed(h);
    if (status == yajl_status_ok)
        /* all bytes were consumed: a truncated document ends at n */
        status = yajl_complete_parse(h);
    bool ok = report_parse(&r, h, status, at, err);
    yajl_free(h);
    return ok;
}

bool sm_json_int(const char *digits, size_t n, int64_t *out)
{
    char text[32], *end;
    if (n == 0 || n >= sizeof text || !(digits[0] == '-' || (digits[0] >= '0' && digits[0] <= '9')))
        return false;
    memcpy(text, digits, n);
    text[n] = 0;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (errno || end != text + n)
        return false;
    *out = v;
    return true;
}

/* ---- writing ----
 *
 * yajl_gen handles commas, colons and nesting, and escapes quotes, backslashes and C0. Any other
 * bytes outside printable ASCII can only come from a key or a text, so the remaining escapes are
 * applied to its output. */

struct sm_json_writer {
    yajl_gen gen;
    int depth;
};

static void put_escape(struct sm_str *out, uint32_t rune)
{
    if (rune < 0x10000) {
        sm_str_printf(out, "\\u%04x", (unsigned)rune);
    } else {
        rune -= 0x10000;
        sm_str_printf(out, "\\u%04x\\u%04x", 0xd800u + (unsigned)(rune >> 10),
                      0xdc00u + (unsigned)(rune & 0x3ff));
    }
}

/* yajl splits a string only at characters that it escapes, so never within a valid character. */
static void print_escaped(void *ctx, const char *p, size_t n)
{
    struct sm_str *out = ctx;
    while (n) {
        uint32_t rune;
        size_t used = sm_ascii_run(p, n);
        if (used) {
            sm_str_addn(out, p, used);
        } else if (!(used = sm_utf8_decode(p, n, &rune))) {
            put_escape(out, 0xfffd);
            used = 1;
        } else if (sm_rune_is_harmful(rune)) {
            put_escape(out, rune);
        } else {
            sm_str_addn(out, p, used);
        }
        p += used;
        n -= used;
    }
}

static void *gen_alloc(void *ctx, size_t n)
{
    (void)ctx;
    return sm_xalloc(n);
}

static void *gen_realloc(void *ctx, void *p, size_t n)
{
    (void)ctx;
    return sm_xrealloc(p, n, 1);
}

struct sm_json_writer *sm_json_writer_new(struct sm_str *out)
{
    static const yajl_alloc_funcs memory = {gen_alloc, gen_realloc, yajl_release, NULL};
    struct sm_json_writer *w = sm_xalloc_zero(1, sizeof *w);
    w->gen = yajl_gen_alloc(&memory);
    yajl_gen_config(w->gen, yajl_gen_print_callback, print_escaped, out);
    return w;
}

void sm_json_writer_free(struct sm_json_writer *w)
{
    if (!w)
        return;
    yajl_gen_free(w->gen);
    sm_free(w);
}

/* Called after every value: resets yajl_gen after a whole document, so that the next may start. */
static void note_value(struct sm_json_writer *w, yajl_gen_status status, int level_change)
{
    assert(status == yajl_gen_status_ok);
    (void)status;
    w->depth += level_change;
    if (w->depth == 0)
        yajl_gen_reset(w->gen, NULL);
}

void sm_json_start_map(struct sm_json_writer *w)
{
    note_value(w, yajl_gen_map_open(w->gen), 1);
}

void sm_json_end_map(struct sm_json_writer *w)
{
    note_value(w, yajl_gen_map_close(w->gen), -1);
}

void sm_json_start_array(struct sm_json_writer *w)
{
    note_value(w, yajl_gen_array_open(w->gen), 1);
}

void sm_json_end_array(struct sm_json_writer *w)
{
    note_value(w, yajl_gen_array_close(w->gen), -1);
}

void sm_json_text(struct sm_json_writer *w, const char *p, size_t n)
{
    note_value(w, yajl_gen_string(w->gen, (const unsigned char *)p, n), 0);
}

void sm_json_key(struct sm_json_writer *w, const char *key)
{
    sm_json_text(w, key, strlen(key));
}

void sm_json_null(struct sm_json_writer *w)
{
    note_value(w, yajl_gen_null(w->gen), 0);
}

void sm_json_bool(struct sm_json_writer *w, bool v)
{
    note_value(w, yajl_gen_bool(w->gen, v), 0);
}

static void put_number(struct sm_json_writer *w, const char *text)
{
    note_value(w, yajl_gen_number(w->gen, text, strlen(text)), 0);
}

void sm_json_i64(struct sm_json_writer *w, int64_t v)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, v);
    put_number(w, text);
}

void sm_json_u64(struct sm_json_writer *w, uint64_t v)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, v);
    put_number(w, text);
}

void sm_json_double(struct sm_json_writer *w, double v, bool single)
{
    char text[32];
    sm_format_double(v, single ? 9 : 17, text);
    if (!isfinite(v))
        sm_json_text(w, text, strlen(text));
    else if (v == 0 && signbit(v))
        put_number(w, "-0.0"); /* most parsers read -0 as an integer and lose its sign */
    else
        put_number(w, text);
}
