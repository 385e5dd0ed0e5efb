#include "reader/base/json.h"

#include "reader/base/mem.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

/* ---- reading ---- */

struct reading {
    const struct sm_json_ops *ops;
    void *ctx;
    int depth;
    bool too_deep, no_memory;
};

/* yajl does not look whether it got memory, so a failure is remembered and the parse ends after the fact. */
static void *yajl_alloc_or_note(void *ctx, size_t n)
{
    struct reading *r = ctx;
    void *p = sm_alloc(n);
    if (p)
        return p;
    r->no_memory = true;
    return malloc(n ? n : 1);
}

static void *yajl_realloc_or_note(void *ctx, void *old, size_t n)
{
    struct reading *r = ctx;
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
    struct reading *r = ctx;
    return !r->ops->null || r->ops->null(r->ctx);
}

static int on_boolean(void *ctx, int v)
{
    struct reading *r = ctx;
    return !r->ops->boolean || r->ops->boolean(r->ctx, v != 0);
}

static int on_number(void *ctx, const char *digits, size_t n)
{
    struct reading *r = ctx;
    return !r->ops->number || r->ops->number(r->ctx, digits, n);
}

static int on_string(void *ctx, const unsigned char *p, size_t n)
{
    struct reading *r = ctx;
    return !r->ops->string || r->ops->string(r->ctx, (const char *)p, n);
}

static int on_key(void *ctx, const unsigned char *p, size_t n)
{
    struct reading *r = ctx;
    return !r->ops->key || r->ops->key(r->ctx, (const char *)p, n);
}

static bool deeper(struct reading *r)
{
    r->too_deep = ++r->depth > SM_JSON_DEPTH_MAX;
    return !r->too_deep;
}

static int on_start_map(void *ctx)
{
    struct reading *r = ctx;
    return deeper(r) && (!r->ops->start_map || r->ops->start_map(r->ctx));
}

static int on_end_map(void *ctx)
{
    struct reading *r = ctx;
    r->depth--;
    return !r->ops->end_map || r->ops->end_map(r->ctx);
}

static int on_start_array(void *ctx)
{
    struct reading *r = ctx;
    return deeper(r) && (!r->ops->start_array || r->ops->start_array(r->ctx));
}

static int on_end_array(void *ctx)
{
    struct reading *r = ctx;
    r->depth--;
    return !r->ops->end_array || r->ops->end_array(r->ctx);
}

static bool report(struct reading *r, yajl_handle h, yajl_status status, struct sm_err *err)
{
    size_t at = yajl_get_bytes_consumed(h);
    if (r->no_memory)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to parse JSON");
    if (status == yajl_status_ok)
        return true;
    if (r->too_deep)
        return sm_err_set(err, SM_ERR_LIMIT, "JSON is nested deeper than %d at offset %zu", SM_JSON_DEPTH_MAX, at);
    if (status == yajl_status_client_canceled)
        return false;                    /* the handler has said why */
    unsigned char *text = yajl_get_error(h, 0, NULL, 0);
    size_t n = text ? strcspn((char *)text, "\n") : 0;
    sm_err_set(err, SM_ERR_DATA, "invalid JSON at offset %zu: %.*s", at, (int)n, text ? (char *)text : "");
    yajl_free_error(h, text);
    return false;
}

bool sm_json_parse(const char *p, size_t n, const struct sm_json_ops *ops, void *ctx, struct sm_err *err)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null, .yajl_boolean = on_boolean, .yajl_number = on_number, .yajl_string = on_string,
        .yajl_map_key = on_key, .yajl_start_map = on_start_map, .yajl_end_map = on_end_map,
        .yajl_start_array = on_start_array, .yajl_end_array = on_end_array,
    };
    struct reading r = {.ops = ops, .ctx = ctx};
    yajl_alloc_funcs memory = {yajl_alloc_or_note, yajl_realloc_or_note, yajl_release, &r};
    yajl_handle h = yajl_alloc(&callbacks, &memory, &r);
    if (!h)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to parse JSON");
    yajl_config(h, yajl_dont_validate_strings, 1);
    yajl_status status = yajl_parse(h, (const unsigned char *)p, n);
    if (status == yajl_status_ok && !r.no_memory)
        status = yajl_complete_parse(h);
    bool ok = report(&r, h, status, err);
    yajl_free(h);
    return ok;
}

bool sm_json_int(const char *digits, size_t n, int64_t *out)
{
    char text[32], *end;
    if (n == 0 || n >= sizeof text)
        return false;
    memcpy(text, digits, n);
    text[n] = 0;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && *end == 0;
}

/* ---- writing ---- */

struct sm_json_writer {
    yajl_gen gen;
    struct sm_str *out;
};

static void append(void *ctx, const char *p, size_t n)
{
    struct sm_json_writer *w = ctx;
    sm_str_addn(w->out, p, n);
}

static void expect(yajl_gen_status status)
{
    assert(status == yajl_gen_status_ok);
    (void)status;
}

struct sm_json_writer *sm_json_writer_new(struct sm_str *out)
{
    struct sm_json_writer *w = sm_xalloc_zero(1, sizeof *w);
    w->out = out;
    w->gen = yajl_gen_alloc(NULL);
    if (!w->gen)
        abort();
    yajl_gen_config(w->gen, yajl_gen_print_callback, append, w);
    return w;
}

void sm_json_writer_free(struct sm_json_writer *w)
{
    yajl_gen_free(w->gen);
    sm_free(w);
}

void sm_json_start_map(struct sm_json_writer *w)
{
    expect(yajl_gen_map_open(w->gen));
}

void sm_json_end_map(struct sm_json_writer *w)
{
    expect(yajl_gen_map_close(w->gen));
}

void sm_json_start_array(struct sm_json_writer *w)
{
    expect(yajl_gen_array_open(w->gen));
}

void sm_json_end_array(struct sm_json_writer *w)
{
    expect(yajl_gen_array_close(w->gen));
}

void sm_json_key(struct sm_json_writer *w, const char *key)
{
    expect(yajl_gen_string(w->gen, (const unsigned char *)key, strlen(key)));
}

void sm_json_null(struct sm_json_writer *w)
{
    expect(yajl_gen_null(w->gen));
}

void sm_json_bool(struct sm_json_writer *w, bool v)
{
    expect(yajl_gen_bool(w->gen, v));
}

static void raw(struct sm_json_writer *w, const char *text, size_t n)
{
    expect(yajl_gen_number(w->gen, text, n));
}

void sm_json_i64(struct sm_json_writer *w, int64_t v)
{
    char text[32];
    raw(w, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)v));
}

void sm_json_u64(struct sm_json_writer *w, uint64_t v)
{
    char text[32];
    raw(w, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)v));
}

void sm_json_double(struct sm_json_writer *w, double v, bool single)
{
    char text[32];
    sm_format_double(v, single ? 9 : 17, text);
    if (isfinite(v))
        raw(w, text, strlen(text));
    else
        expect(yajl_gen_string(w->gen, (const unsigned char *)text, strlen(text)));
}

/* Escapes more than yajl would (DEL, C1, bidi and other invisible characters), so the literal is made here. */
static void add_rune(struct sm_str *s, uint32_t r, const char *p, size_t n)
{
    if (r == '"' || r == '\\')
        sm_str_printf(s, "\\%c", (int)r);
    else if (r < 32 || (r >= 127 && r < 0xa0) || (r > 0x300 && r < 0x10000 && sm_rune_width(r) == 0))
        sm_str_printf(s, "\\u%04x", (unsigned)r);
    else
        sm_str_addn(s, p, n);
}

void sm_json_text(struct sm_json_writer *w, const char *p, size_t n)
{
    struct sm_str literal = {0};
    sm_str_addc(&literal, '"');
    while (n) {
        uint32_t r;
        size_t used = sm_utf8_decode(p, n, &r);
        if (used)
            add_rune(&literal, r, p, used);
        else
            sm_str_add(&literal, "\\ufffd");
        used += !used;
        p += used;
        n -= used;
    }
    sm_str_addc(&literal, '"');
    raw(w, sm_str_text(&literal), literal.len);
    sm_str_clear(&literal);
}
