/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/archive/facts_pack.h"

#include "reader/base/crc32c.h"
#include "reader/format/smdz.h"
#include "reader/format/wire.h"
#include "reader/tensor/statistic_list.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* A record: flags, type, checksum, n_dims, dims, n, content bytes as varints; the time, 8 bytes;
 * the first element, 16. With STATS and KEYED then:
 *   u32 checksum of the archive's list | a bit for each column, filled up to bytes: it is here |
 *   the columns that are, a varint or 8 bytes each
 * Without KEYED, version 1: all of version_1 up to the quantiles with STATS, those with QUANTILES.
 *
 * The list: version, number of columns as varints; for each its key as a text, and its wire type.
 */
enum { WHOLE = 1, STATS = 2, QUANTILES = 4, INEXACT = 8, KEYED = 16 };
enum { LIST_VERSION = 1 };
enum { WIRE_VARINT = 0, WIRE_DOUBLE = 1 };

static const char *const version_1[] = {
    "size",   "nan",     "pos_inf", "neg_inf",      "zero",       "neg",  "pos",      "finite",
    "min",    "max",     "sum",     "sum_squares",  "prod",       "mean", "variance", "l1",
    "l2",     "abs_min", "abs_max", "abs_variance", "abs_prod",   "p1",   "p5",       "p25",
    "median", "p75",     "p95",     "p99",          "abs_median",
};
enum {
    VERSION_1_ALL = sizeof version_1 / sizeof *version_1,
    VERSION_1_STATS = VERSION_1_ALL - SM_FACTS_QUANTILES
};

/* ---- columns ---- */

static uint8_t wire_of(const struct sm_statistic *x)
{
    return x->kind == SM_STATISTIC_COUNT ? WIRE_VARINT : WIRE_DOUBLE;
}

/* -1: no statistic here, or stored in another way. */
static int8_t row_of(struct sm_text key, uint64_t wire)
{
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        if (sm_text_is(key, x->key))
            return x->derived || wire_of(x) != wire ? -1 : (int8_t)i;
    }
    return -1;
}

static void add_column(struct sm_facts_columns *c, struct sm_text key, uint8_t wire)
{
    const uint8_t end[2] = {0, wire};
    c->crc = sm_crc32c_more(c->crc, key.p, key.n);
    c->crc = sm_crc32c_more(c->crc, end, sizeof end);
    c->wire[c->n] = wire;
    c->row[c->n++] = row_of(key, wire);
}

static struct sm_facts_columns own, first;
static pthread_once_t columns_once = PTHREAD_ONCE_INIT;

static void make_columns(void)
{
    for (int wire = WIRE_VARINT; wire <= WIRE_DOUBLE; wire++)
        for (size_t i = 0; i < sm_statistic_count(); i++)
            if (!sm_statistic(i)->derived && wire_of(sm_statistic(i)) == wire)
                add_column(&own, sm_text(sm_statistic(i)->key), (uint8_t)wire);
    for (size_t i = 0; i < VERSION_1_ALL; i++)
        add_column(&first, sm_text(version_1[i]),
                   wire_of(sm_statistic_find(sm_text(version_1[i]))));
}

const struct sm_facts_columns *sm_facts_columns(void)
{
    pthread_once(&columns_once, make_columns);
    return &own;
}

static const struct sm_facts_columns *columns_of_version_1(void)
{
    pthread_once(&columns_once, make_columns);
    return &first;
}

void sm_facts_columns_put(struct sm_str *out)
{
    const struct sm_facts_columns *c = sm_facts_columns();
    sm_wire_put(out, LIST_VERSION);
    sm_wire_put(out, c->n);
    for (unsigned i = 0; i < c->n; i++) {
        const char *key = sm_statistic((size_t)c->row[i])->key;
        sm_smdz_put_text(out, key, strlen(key));
        sm_wire_put(out, c->wire[i]);
    }
}

static bool get_list(struct sm_bytes list, struct sm_facts_columns *out)
{
    size_t at = 0;
    uint64_t version, n, wire;
    struct sm_text key;
    if (!sm_wire_get(list, &at, &version) || version != LIST_VERSION ||
        !sm_wire_get(list, &at, &n) || n > SM_FACTS_COLUMNS_MAX)
        return false;
    while (out->n < n) {
        if (!sm_smdz_text(list, &at, &key) || !sm_wire_get(list, &at, &wire) || wire > 5)
            return false;
        add_column(out, key, (uint8_t)wire);
    }
    return true;
}

bool sm_facts_columns_get(struct sm_bytes list, struct sm_facts_columns *out, struct sm_err *err)
{
    struct sm_facts_columns c = {0};
    if (!get_list(list, &c))
        return sm_err_set(err, SM_ERR_DATA, "the list of statistics is broken");
    *out = c;
    return true;
}

/* ---- packing ---- */

static void put_double(struct sm_str *out, double v)
{
    uint64_t bits;
    uint8_t p[8];
    memcpy(&bits, &v, sizeof bits);
    sm_put_u64(p, bits);
    sm_str_addn(out, p, sizeof p);
}

static const struct sm_statistic *statistic_at(const struct sm_facts_columns *c, unsigned i)
{
    return c->row[i] < 0 ? NULL : sm_statistic((size_t)c->row[i]);
}

static bool has(const struct sm_facts *facts, const struct sm_statistic *x)
{
    return x->kind == SM_STATISTIC_QUANTILE ? facts->quantiles && !isnan(facts->quantiles[x->point])
                                            : sm_statistic_known(&facts->stats, x);
}

static void put_statistic(struct sm_str *out, const struct sm_facts *facts,
                          const struct sm_statistic *x)
{
    uint64_t bits;
    const char *from = (const char *)&facts->stats + x->field * sizeof bits;
    if (x->kind == SM_STATISTIC_QUANTILE)
        from = (const char *)&facts->quantiles[x->point];
    memcpy(&bits, from, sizeof bits);
    if (x->kind == SM_STATISTIC_COUNT) {
        sm_wire_put(out, bits);
    } else {
        uint8_t p[sizeof bits];
        sm_put_u64(p, bits);
        sm_str_addn(out, p, sizeof p);
    }
}

static void put_statistics(struct sm_str *out, const struct sm_facts *facts)
{
    const struct sm_facts_columns *c = sm_facts_columns();
    uint8_t crc[4], here[SM_FACTS_COLUMNS_MAX / 8] = {0};
    for (unsigned i = 0; i < c->n; i++)
        here[i / 8] |= (uint8_t)(has(facts, statistic_at(c, i)) << i % 8);
    sm_put_u32(crc, c->crc);
    sm_str_addn(out, crc, sizeof crc);
    sm_str_addn(out, here, (c->n + 7) / 8);
    for (unsigned i = 0; i < c->n; i++)
        if (here[i / 8] >> i % 8 & 1)
            put_statistic(out, facts, statistic_at(c, i));
}

void sm_facts_pack(const struct sm_facts *facts, struct sm_str *out)
{
    sm_wire_put(out, KEYED | (facts->whole ? WHOLE : 0u) | (facts->has_stats ? STATS : 0u) |
                         (facts->stats.inexact ? INEXACT : 0u));
    sm_wire_put(out, (uint64_t)facts->proto_dtype);
    sm_wire_put(out, facts->crc);
    sm_wire_put(out, facts->n_dims);
    for (unsigned i = 0; i < facts->n_dims; i++)
        sm_wire_put(out, facts->dims[i]);
    sm_wire_put(out, facts->n);
    sm_wire_put(out, facts->content_bytes);
    put_double(out, facts->wall_time);
    sm_str_addn(out, facts->first, sizeof facts->first);
    if (facts->has_stats)
        put_statistics(out, facts);
}

/* ---- unpacking ---- */

struct unpacking {
    struct sm_bytes b;
    size_t at;
    unsigned flags;
    struct sm_facts *out;
    double *quantiles;
    bool some_quantiles;
};

static bool get_double(struct unpacking *u, double *v)
{
    if (u->b.n - u->at < 8)
        return false;
    uint64_t bits = sm_get_u64(u->b.p + u->at);
    memcpy(v, &bits, sizeof *v);
    u->at += 8;
    return true;
}

static bool get_head(struct unpacking *u, uint64_t dims[SM_DIMS_MAX])
{
    struct sm_facts *out = u->out;
    uint64_t v[4];
    for (int i = 0; i < 4; i++)
        if (!sm_wire_get(u->b, &u->at, &v[i]))
            return false;
    if (v[0] > (WHOLE | STATS | QUANTILES | INEXACT | KEYED) || v[1] > INT32_MAX ||
        v[2] > SM_CRC_BAD || v[3] > SM_DIMS_MAX)
        return false;
    u->flags = (unsigned)v[0];
    out->proto_dtype = (int)v[1];
    out->dtype = sm_dtype_of_proto((int)v[1]);
    out->crc = (enum sm_crc)v[2];
    out->n_dims = (unsigned)v[3];
    out->dims = dims;
    for (unsigned i = 0; i < out->n_dims; i++)
        if (!sm_wire_get(u->b, &u->at, &dims[i]))
            return false;
    return sm_wire_get(u->b, &u->at, &out->n) && sm_wire_get(u->b, &u->at, &out->content_bytes) &&
           get_double(u, &out->wall_time);
}

static void take(struct unpacking *u, const struct sm_statistic *x, uint64_t bits)
{
    if (x->kind == SM_STATISTIC_QUANTILE) {
        memcpy(&u->quantiles[x->point], &bits, sizeof bits);
        u->some_quantiles = true;
        return;
    }
    memcpy((char *)&u->out->stats + x->field * sizeof bits, &bits, sizeof bits);
    u->out->stats.lacks &= ~((uint64_t)1 << x->field);
}

static bool get_column(struct unpacking *u, const struct sm_facts_columns *c, unsigned i)
{
    const struct sm_statistic *x = statistic_at(c, i);
    struct sm_bytes inside;
    uint64_t bits = 0;
    if (!x)
        return sm_wire_skip(u->b, &u->at, c->wire[i], &inside);
    if (c->wire[i] == WIRE_VARINT) {
        if (!sm_wire_get(u->b, &u->at, &bits))
            return false;
    } else {
        double v;
        if (!get_double(u, &v))
            return false;
        memcpy(&bits, &v, sizeof bits);
    }
    take(u, x, bits);
    return true;
}

/* All are missing until they are taken. */
static void begin_statistics(struct unpacking *u)
{
    const double none = (double)NAN;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        if (x->kind == SM_STATISTIC_REAL && !x->derived)
            memcpy((char *)&u->out->stats + x->field * sizeof none, &none, sizeof none);
        if (x->kind != SM_STATISTIC_QUANTILE)
            u->out->stats.lacks |= (uint64_t)1 << x->field;
    }
}

static bool has_required(const struct sm_stats *s)
{
    for (size_t i = 0; i < sm_statistic_count(); i++)
        if (sm_statistic(i)->required && !sm_statistic_known(s, sm_statistic(i)))
            return false;
    return true;
}

static bool get_version_1(struct unpacking *u)
{
    unsigned begin = u->flags & STATS ? 0 : VERSION_1_STATS,
             end = u->flags & QUANTILES ? VERSION_1_ALL : VERSION_1_STATS;
    for (unsigned i = begin; i < end; i++)
        if (!get_column(u, columns_of_version_1(), i))
            return false;
    return true;
}

/* At the list's checksum. */
static bool get_keyed(struct unpacking *u, const struct sm_facts_columns *c)
{
    size_t bits_at = u->at + 4;
    if (u->b.n - bits_at < (c->n + 7) / 8)
        return false;
    u->at = bits_at + (c->n + 7) / 8;
    for (unsigned i = 0; i < c->n; i++)
        if ((u->b.p[bits_at + i / 8] >> i % 8 & 1) && !get_column(u, c, i))
            return false;
    return true;
}

/* The archive's list, or the own one where that is the same: the archive's may be damaged. */
static const struct sm_facts_columns *find_columns(const struct unpacking *u,
                                                   const struct sm_facts_columns *c)
{
    uint32_t crc = sm_get_u32(u->b.p + u->at);
    if (c->n && c->crc == crc)
        return c;
    return sm_facts_columns()->crc == crc ? sm_facts_columns() : NULL;
}

static bool get_statistics(struct unpacking *u, const struct sm_facts_columns *columns,
                           struct sm_err *err)
{
    if (!(u->flags & KEYED))
        return get_version_1(u);
    if (!(u->flags & STATS))
        return true;
    if (u->b.n - u->at < 4)
        return false;
    const struct sm_facts_columns *c = find_columns(u, columns);
    if (!c)
        return sm_err_set(err, SM_ERR_DATA, "the archive's list of statistics is lost");
    return get_keyed(u, c);
}

static bool get_all(struct unpacking *u, const struct sm_facts_columns *columns,
                    uint64_t dims[SM_DIMS_MAX], struct sm_err *err)
{
    struct sm_facts *out = u->out;
    if (!get_head(u, dims) || u->b.n - u->at < sizeof out->first)
        return false;
    memcpy(out->first, u->b.p + u->at, sizeof out->first);
    u->at += sizeof out->first;
    out->whole = u->flags & WHOLE;
    out->has_stats = u->flags & STATS;
    for (int i = 0; i < SM_FACTS_QUANTILES; i++)
        u->quantiles[i] = (double)NAN;
    if (out->has_stats)
        begin_statistics(u);
    if (!get_statistics(u, columns, err) || (out->has_stats && !has_required(&out->stats)))
        return false;
    out->stats.inexact = u->flags & INEXACT;
    out->quantiles = u->some_quantiles ? u->quantiles : NULL;
    return u->at == u->b.n;
}

bool sm_facts_unpack(struct sm_bytes b, const struct sm_facts_columns *columns,
                     struct sm_facts *out, uint64_t dims[SM_DIMS_MAX], double *quantiles,
                     struct sm_err *err)
{
    struct unpacking u = {.b = b, .out = out, .quantiles = quantiles};
    struct sm_err why = {0};
    *out = (struct sm_facts){0};
    if (get_all(&u, columns, dims, &why))
        return true;
    return sm_err_set(err, SM_ERR_DATA, "%s", why.code ? why.msg : "broken statistics");
}
