/* SPDX-License-Identifier: Apache-2.0 */
/* Packed statistics: what is written is read, what another version wrote is read as far as it is
 * known, and what was not saved is not 0. */
#include "tests/reader/live.h"

#include "reader/archive/facts_pack.h"
#include "reader/format/smdz.h"
#include "reader/format/wire.h"
#include "reader/tensor/statistic_list.h"

#include <math.h>

enum { KEYED_WITH_STATISTICS = 16 | 2 };

static const uint64_t shape[SM_DIMS_MAX] = {2, 3};

static struct sm_facts some_facts(void)
{
    static const float x[6] = {0, 1, 2, 3, 4, -5};
    struct sm_facts f = {.dtype = SM_DTYPE_FLOAT32,
                         .proto_dtype = 1,
                         .n_dims = 2,
                         .dims = shape,
                         .n = 6,
                         .content_bytes = 24,
                         .wall_time = 1.5,
                         .whole = true,
                         .has_stats = true};
    sm_stats_f32(x, 6, &f.stats);
    return f;
}

struct unpacked {
    struct sm_facts facts;
    uint64_t dims[SM_DIMS_MAX];
    double quantiles[SM_FACTS_QUANTILES];
    struct sm_err err;
};

static bool unpack(const struct sm_str *bytes, const struct sm_facts_columns *columns,
                   struct unpacked *out)
{
    struct sm_bytes b = {(const uint8_t *)bytes->data, bytes->len};
    return sm_facts_unpack(b, columns, &out->facts, out->dims, out->quantiles, &out->err);
}

static const struct sm_statistic *named(const char *key)
{
    const struct sm_statistic *x = sm_statistic_find(sm_text(key));
    assert_non_null(x);
    return x;
}

static void test_what_was_packed_is_unpacked(void **state)
{
    (void)state;
    static const double q[SM_FACTS_QUANTILES] = {1, 2, 3, 4, NAN, 6, 7, 8};
    struct sm_facts f = some_facts();
    struct sm_str bytes = {0};
    struct unpacked u;
    sm_facts_pack(&f, &bytes);
    assert_true(unpack(&bytes, sm_facts_columns(), &u));
    assert_null(u.facts.quantiles);
    assert_memory_equal(&u.facts.stats, &f.stats, sizeof f.stats);
    assert_int_equal(u.facts.n_dims, 2);
    assert_int_equal(u.facts.dims[1], 3);
    sm_str_truncate(&bytes, 0);
    f.quantiles = q;
    f.stats.inexact = true;
    sm_facts_pack(&f, &bytes);
    assert_true(unpack(&bytes, sm_facts_columns(), &u));
    assert_true(u.facts.stats.inexact);
    for (int i = 0; i < SM_FACTS_QUANTILES; i++)
        assert_true(isnan(q[i]) ? isnan(u.facts.quantiles[i]) : u.facts.quantiles[i] == q[i]);
    for (size_t n = 0; n < bytes.len; n++) { /* cut */
        struct sm_bytes b = {(const uint8_t *)bytes.data, n};
        assert_false(sm_facts_unpack(b, sm_facts_columns(), &u.facts, u.dims, u.quantiles, &u.err));
    }
    sm_str_clear(&bytes);
}

static void test_the_list_is_read_back(void **state)
{
    (void)state;
    struct sm_str list = {0};
    struct sm_facts_columns c = {.n = 77};
    struct sm_err err;
    sm_facts_columns_put(&list);
    assert_true(
        sm_facts_columns_get((struct sm_bytes){(const uint8_t *)list.data, list.len}, &c, &err));
    assert_int_equal(c.n, sm_facts_columns()->n);
    assert_int_equal(c.crc, sm_facts_columns()->crc);
    assert_memory_equal(c.row, sm_facts_columns()->row, c.n);
    for (size_t n = 0; n < list.len; n++)
        assert_false(
            sm_facts_columns_get((struct sm_bytes){(const uint8_t *)list.data, n}, &c, &err));
    assert_int_equal(c.n, sm_facts_columns()->n);
    sm_str_clear(&list);
}

/* ---- other versions of the program ---- */

struct column {
    const char *key;
    unsigned wire; /* 0: a count, 1: a number, 2: bytes */
};

/* The list and a record: counts are 7, numbers 0.25. gone: the column that the record has not. */
static void write_version(const struct column *columns, size_t n, size_t gone,
                          struct sm_facts_columns *list, struct sm_str *record)
{
    struct sm_str text = {0};
    struct sm_err err;
    uint8_t number[8] = {0, 0, 0, 0, 0, 0, 0xd0, 0x3f}, bits[2] = {0}, crc[4];
    sm_wire_put(&text, 1);
    sm_wire_put(&text, n);
    for (size_t i = 0; i < n; i++) {
        sm_smdz_put_text(&text, columns[i].key, strlen(columns[i].key));
        sm_wire_put(&text, columns[i].wire);
        bits[i / 8] |= (uint8_t)((i != gone) << i % 8);
    }
    assert_true(
        sm_facts_columns_get((struct sm_bytes){(const uint8_t *)text.data, text.len}, list, &err));
    struct sm_facts f = some_facts();
    f.has_stats = false;
    sm_str_truncate(record, 0);
    sm_facts_pack(&f, record);
    record->data[0] = (char)(record->data[0] | KEYED_WITH_STATISTICS);
    sm_put_u32(crc, list->crc);
    sm_str_addn(record, crc, sizeof crc);
    sm_str_addn(record, bits, (n + 7) / 8);
    for (size_t i = 0; i < n; i++) {
        if (i == gone)
            continue;
        if (columns[i].wire == 0)
            sm_wire_put(record, 7);
        else if (columns[i].wire == 1)
            sm_str_addn(record, number, sizeof number);
        else
            sm_smdz_put_text(record, "bytes", 5);
    }
    sm_str_clear(&text);
}

#define COUNTS                                                                                     \
    {"size", 0}, {"nan", 0}, {"pos_inf", 0}, {"neg_inf", 0}, {"zero", 0}, {"neg", 0}, {"pos", 0},  \
    {                                                                                              \
        "finite", 0                                                                                \
    }
enum { N_COUNTS = 8, NONE = 99 };

static void test_what_is_unknown_is_skipped(void **state)
{
    (void)state;
    static const struct column newer[] = {{"colour", 2}, COUNTS,          {"taste", 0},
                                          {"max", 1},    {"loudness", 1}, {"min", 0}};
    struct sm_facts_columns list;
    struct sm_str record = {0};
    struct unpacked u;
    write_version(newer, sizeof newer / sizeof *newer, NONE, &list, &record);
    if (!unpack(&record, &list, &u))
        fail_msg("%s", u.err.msg);
    const struct sm_stats *s = &u.facts.stats;
    assert_int_equal(s->zero, 7);
    assert_true(s->max == 0.25 && sm_statistic_of(s, named("max")) == 0.25);
    assert_true(sm_statistic_known(s, named("max")));
    /* min is stored in a way that is not known here */
    assert_false(sm_statistic_known(s, named("min")));
    sm_str_clear(&record);
}

static void test_what_was_not_saved_is_not_0(void **state)
{
    (void)state;
    static const struct column fewer[] = {COUNTS, {"max", 1}, {"variance", 1}};
    struct sm_facts_columns list;
    struct sm_str record = {0};
    struct unpacked u;
    write_version(fewer, N_COUNTS + 2, N_COUNTS, &list, &record);
    assert_true(unpack(&record, &list, &u));
    const struct sm_stats *s = &u.facts.stats;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        bool counted = x->required || x->field == named("pos_inf")->field,
             saved = counted || x->field == named("variance")->field;
        if (x->kind == SM_STATISTIC_QUANTILE)
            continue;
        assert_int_equal(sm_statistic_known(s, x), saved);
        assert_int_equal(isnan(sm_statistic_of(s, x)), !saved);
    }
    assert_true(isnan(s->max) && isnan(s->l2));
    assert_true(sm_stats_get(s, SM_REDUCE_STD) == 0.5); /* of what is there */
    sm_str_truncate(&record, 0); /* and packed again it is not there either */
    struct sm_facts again = u.facts;
    sm_facts_pack(&again, &record);
    assert_true(unpack(&record, sm_facts_columns(), &u));
    assert_int_equal(u.facts.stats.lacks, again.stats.lacks);
    sm_str_clear(&record);
}

static void test_counts_are_needed(void **state)
{
    (void)state;
    static const struct column columns[] = {COUNTS, {"max", 1}};
    struct sm_facts_columns list;
    struct sm_str record = {0};
    struct unpacked u;
    for (size_t i = 0; i < N_COUNTS; i++) {
        write_version(columns, N_COUNTS + 1, i, &list, &record);
        assert_false(unpack(&record, &list, &u));
        assert_int_equal(u.err.code, SM_ERR_DATA);
    }
    sm_str_clear(&record);
}

static void test_a_lost_list(void **state)
{
    (void)state;
    static const struct column other[] = {COUNTS, {"max", 1}};
    static const struct sm_facts_columns lost;
    struct sm_facts_columns list;
    struct sm_facts f = some_facts();
    struct sm_str record = {0};
    struct unpacked u;
    sm_facts_pack(&f, &record); /* as this program writes it: the list is known */
    assert_true(unpack(&record, &lost, &u));
    assert_memory_equal(&u.facts.stats, &f.stats, sizeof f.stats);
    write_version(other, N_COUNTS + 1, NONE, &list, &record);
    assert_false(unpack(&record, &lost, &u));
    assert_non_null(strstr(u.err.msg, "list of statistics is lost"));
    assert_false(unpack(&record, sm_facts_columns(), &u)); /* another one */
    sm_str_clear(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_packed_is_unpacked),
        cmocka_unit_test(test_the_list_is_read_back),
        cmocka_unit_test(test_what_is_unknown_is_skipped),
        cmocka_unit_test(test_what_was_not_saved_is_not_0),
        cmocka_unit_test(test_counts_are_needed),
        cmocka_unit_test(test_a_lost_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
