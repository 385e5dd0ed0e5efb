/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in a pickle that make one value, as JSON. They are known by their names; none is made. */
#include "reader/torch/torch_reader.h"

#include <inttypes.h>
#include <string.h>

typedef bool call_fn(const struct sm_pickle *t, const struct sm_pickle_object *o,
                     struct sm_str *out);

/* ---- numpy ---- */

/* The characters of a scalar of type U: UCS-4, little endian, with zeros behind. */
static bool add_wide_text(const struct sm_str *bytes, struct sm_str *out)
{
    struct sm_str text = {0};
    for (size_t i = 0; i + 4 <= bytes->len && text.len < SM_TORCH_TEXT_MAX; i += 4) {
        const uint8_t *p = (const uint8_t *)bytes->data + i;
        uint32_t c = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        char utf8[4];
        if (c && c < 0x110000)
            sm_str_addn(&text, utf8, sm_utf8_encode(c, utf8));
    }
    sm_torch_add_text(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return true;
}

static bool add_number(enum sm_dtype d, const struct sm_str *bytes, struct sm_str *out)
{
    const struct sm_dtype_info *info = sm_dtype_info(d);
    const uint8_t *p = (const uint8_t *)bytes->data;
    int64_t v;
    if (!info->size_bytes || bytes->len != info->size_bytes || info->kind == SM_KIND_COMPLEX)
        return false;
    if (info->kind == SM_KIND_BOOL)
        sm_str_add(out, p[0] ? "true" : "false");
    else if (sm_dtype_load_i64(d, p, &v))
        sm_str_printf(out, "%" PRId64, v);
    else if (d == SM_DTYPE_UINT64)
        sm_str_printf(out, "%" PRIu64, sm_dtype_load_u64(p));
    else
        sm_torch_add_real(out, sm_dtype_load(d, p));
    return true;
}

/* numpy.core.multiarray.scalar(dtype, bytes) */
static bool add_numpy_scalar(const struct sm_pickle *t, const struct sm_pickle_object *o,
                             struct sm_str *out)
{
    struct sm_str bytes = {0};
    bool big_endian;
    uint32_t type = sm_pickle_item(t, o->args, 0);
    enum sm_dtype d = sm_torch_numpy_dtype(t, type, &big_endian);
    const struct sm_pickle_object *of = sm_pickle_made_by(t, type, "numpy.dtype");
    struct sm_text code = of ? sm_pickle_text(t, sm_pickle_item(t, of->args, 0)) : sm_text("");
    bool ok = sm_torch_bytes(t, sm_pickle_item(t, o->args, 1), &bytes) && !big_endian;
    if (ok && code.n && code.p[0] == 'U')
        ok = add_wide_text(&bytes, out);
    else
        ok = ok && add_number(d, &bytes, out);
    sm_str_clear(&bytes);
    return ok;
}

/* numpy.dtype('f4', ...) and its state */
static bool add_numpy_dtype(const struct sm_pickle *t, const struct sm_pickle_object *o,
                            struct sm_str *out)
{
    return sm_torch_add_scalar(t, sm_pickle_item(t, o->args, 0), out);
}

/* ---- dates ---- */

/* "+02:00" for the timedelta of a timezone. */
static void add_zone(const struct sm_pickle *t, uint32_t zone, struct sm_str *text)
{
    const struct sm_pickle_object *o = sm_pickle_made_by(t, zone, "datetime.timezone");
    const struct sm_pickle_object *by =
        o ? sm_pickle_made_by(t, sm_pickle_item(t, o->args, 0), "datetime.timedelta") : NULL;
    int64_t days = 0, seconds = 0;
    if (!by || !sm_pickle_integer(t, sm_pickle_item(t, by->args, 0), &days) ||
        !sm_pickle_integer(t, sm_pickle_item(t, by->args, 1), &seconds) || days < -1 || days > 0 ||
        seconds < 0 || seconds > 86400)
        return;
    int minutes = (int)(days * 1440 + seconds / 60), part = minutes < 0 ? -minutes : minutes;
    sm_str_printf(text, "%c%02d:%02d", minutes < 0 ? '-' : '+', part / 60, part % 60);
}

static void add_time(const uint8_t *p, struct sm_str *text)
{
    unsigned us = (unsigned)p[3] << 16 | (unsigned)p[4] << 8 | p[5];
    sm_str_printf(text, "%02u:%02u:%02u", p[0], p[1], p[2]);
    if (us)
        sm_str_printf(text, ".%06u", us);
}

/* datetime.datetime, date and time of packed bytes: year (2), month, day, hour, minute, second,
 * microseconds (3). The upper bit of the month, or of the hour of a time, says which of two equal
 * hours is meant. */
static bool add_date(const struct sm_pickle *t, const struct sm_pickle_object *o,
                     struct sm_str *out)
{
    struct sm_str bytes = {0}, text = {0};
    bool ok = sm_torch_bytes(t, sm_pickle_item(t, o->args, 0), &bytes) &&
              (bytes.len == 4 || bytes.len == 6 || bytes.len == 10);
    uint8_t p[10] = {0};
    if (ok)
        memcpy(p, bytes.data, bytes.len);
    p[bytes.len == 6 ? 0 : 2] &= 0x7f;
    if (ok && bytes.len == 6)
        add_time(p, &text);
    else if (ok)
        sm_str_printf(&text, "%04u-%02u-%02u", p[0] * 256u + p[1], p[2], p[3]);
    if (ok && bytes.len == 10) {
        sm_str_addc(&text, 'T');
        add_time(p + 4, &text);
        add_zone(t, sm_pickle_item(t, o->args, 1), &text);
    }
    if (ok)
        sm_torch_add_text(out, sm_str_text(&text), text.len);
    sm_str_clear(&bytes);
    sm_str_clear(&text);
    return ok;
}

/* datetime.timedelta(days, seconds, microseconds), as Python prints it. */
static bool add_period(const struct sm_pickle *t, const struct sm_pickle_object *o,
                       struct sm_str *out)
{
    int64_t days, s, us;
    if (!sm_pickle_integer(t, sm_pickle_item(t, o->args, 0), &days) ||
        !sm_pickle_integer(t, sm_pickle_item(t, o->args, 1), &s) ||
        !sm_pickle_integer(t, sm_pickle_item(t, o->args, 2), &us) || s < 0 || us < 0)
        return false;
    sm_str_addc(out, '"');
    if (days)
        sm_str_printf(out, "%" PRId64 " day%s, ", days, days == 1 || days == -1 ? "" : "s");
    sm_str_printf(out, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60));
    if (us)
        sm_str_printf(out, ".%06" PRId64, us);
    sm_str_addc(out, '"');
    return true;
}

/* ---- others ---- */

/* The parts of a path or device, joined. */
static bool add_joined(const struct sm_pickle *t, const struct sm_pickle_object *o, char between,
                       struct sm_str *out)
{
    const struct sm_pickle_node *args = sm_pickle_node(t, o->args);
    struct sm_str text = {0};
    for (uint32_t i = 0;
         args->kind == SM_PICKLE_TUPLE && i < args->n && text.len < SM_TORCH_TEXT_MAX; i++) {
        if (text.len && text.data[text.len - 1] != between)
            sm_str_addc(&text, between);
        sm_torch_key(t, args->items[i], &text);
    }
    sm_torch_add_text(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return true;
}

static bool add_device(const struct sm_pickle *t, const struct sm_pickle_object *o,
                       struct sm_str *out)
{
    return add_joined(t, o, ':', out);
}

static bool add_member(const struct sm_pickle *t, const struct sm_pickle_object *o,
                       struct sm_str *out)
{
    return add_joined(t, o, '.', out);
}

static bool is_path(struct sm_text name)
{
    return name.n >= 12 && memcmp(name.p, "pathlib.", 8) == 0 &&
           memcmp(name.p + name.n - 4, "Path", 4) == 0;
}

/* _codecs.encode: bytes, as protocol 2 writes them. */
static bool add_encoded(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
{
    struct sm_str bytes = {0};
    bool ok = sm_torch_bytes(t, node, &bytes);
    if (ok)
        sm_torch_add_size(out, bytes.len, "bytes");
    sm_str_clear(&bytes);
    return ok;
}

/* Like that of an enumeration. */
static bool add_one_argument(const struct sm_pickle *t, const struct sm_pickle_object *o,
                             struct sm_str *out)
{
    const struct sm_pickle_node *args = sm_pickle_node(t, o->args);
    return args->kind == SM_PICKLE_TUPLE && args->n == 1 &&
           sm_pickle_kind(t, args->items[0]) != SM_PICKLE_GLOBAL &&
           sm_pickle_kind(t, args->items[0]) != SM_PICKLE_BYTES &&
           sm_torch_add_scalar(t, args->items[0], out);
}

bool sm_torch_add_call(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
{
    static const struct {
        const char *name;
        call_fn *add;
    } rows[] = {
        {"numpy.core.multiarray.scalar", add_numpy_scalar},
        {"torch.device", add_device},
        {"builtins.getattr", add_member},
        {"datetime.datetime", add_date},
        {"datetime.date", add_date},
        {"datetime.time", add_date},
        {"datetime.timedelta", add_period},
    };
    const struct sm_pickle_object *o = sm_pickle_object(t, node);
    if (!o || o->list || o->dict || o->keywords)
        return false;
    struct sm_text name = sm_pickle_text(t, o->callable);
    if (sm_text_is(name, "numpy.dtype"))
        return add_numpy_dtype(t, o, out);
    if (o->state)
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sm_text_is(name, rows[i].name) && rows[i].add(t, o, out))
            return true;
    if (sm_text_is(name, "_codecs.encode") && add_encoded(t, node, out))
        return true;
    return is_path(name) ? add_joined(t, o, '/', out) : add_one_argument(t, o, out);
}
