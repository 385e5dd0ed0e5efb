/* SPDX-License-Identifier: Apache-2.0 */
/* Archives that claim far more than they hold: small files whose contents would take much memory or
 * time. */
#include "tests/reader/live.h"

#include "reader/archive/archive.h"
#include "reader/base/crc32c.h"
#include "reader/format/smdz.h"
#include "reader/format/wire.h"

/* An archive under construction, with the text of its index. */
struct making {
    struct sm_str file, index;
};

static void start(struct making *m)
{
    uint8_t header[SM_SMDZ_HEADER];
    *m = (struct making){0};
    sm_smdz_put_header(header);
    sm_str_addn(&m->file, header, sizeof header);
}

static uint64_t add_frame(struct making *m, enum sm_smdz_kind kind, const struct sm_str *plain,
                          struct sm_smdz_head *h)
{
    struct sm_str packed = {0};
    struct sm_err err;
    uint8_t head[SM_SMDZ_HEAD];
    uint64_t at = m->file.len;
    assert_true(sm_smdz_pack((struct sm_bytes){(const uint8_t *)sm_str_text(plain), plain->len}, 3,
                             &packed, &err));
    *h = (struct sm_smdz_head){kind, (uint32_t)packed.len, (uint32_t)plain->len,
                               sm_crc32c(packed.data, packed.len)};
    sm_smdz_put_head(h, head);
    sm_str_addn(&m->file, head, sizeof head);
    sm_str_addn(&m->file, packed.data, packed.len);
    sm_str_clear(&packed);
    return at;
}

/* items: the list of a frame of values; its first bytes. */
static void name_frame(struct making *m, uint64_t at, const struct sm_smdz_head *h,
                       struct sm_bytes items)
{
    const uint64_t v[] = {at, h->kind, h->packed, h->plain, h->crc};
    for (size_t i = 0; i < 5; i++)
        sm_wire_put(&m->index, v[i]);
    sm_smdz_put_text(&m->index, (const char *)items.p, items.n);
}

static uint64_t add_named(struct making *m, enum sm_smdz_kind kind, const struct sm_str *plain)
{
    struct sm_smdz_head h;
    uint64_t at = add_frame(m, kind, plain, &h);
    name_frame(m, at, &h, (struct sm_bytes){0});
    return at;
}

static void finish(struct making *m, struct live *l)
{
    struct sm_smdz_head h;
    uint8_t footer[SM_SMDZ_FOOTER];
    uint64_t at = add_frame(m, SM_SMDZ_INDEX, &m->index, &h);
    sm_smdz_put_footer(at, 1, footer);
    sm_str_addn(&m->file, footer, sizeof footer);
    assert_false(m->file.failed || m->index.failed);
    put_file(l->path, m->file.data, m->file.len);
    sm_str_clear(&m->file);
    sm_str_clear(&m->index);
}

static void open_made(struct live *l)
{
    struct sm_err err;
    l->source = sm_archive_open(l->path, &err);
    assert_non_null(l->source);
    assert_true(sm_trial_open(l->source, &(struct sm_trial_options){0}, l->pool, &l->trial, &err));
    live_settle(l);
    assert_true(sm_trial_scanned(l->trial));
}

static bool has_problem_at(const struct live *l, uint64_t at, const char *words)
{
    const struct sm_problems *p = sm_trial_problems(l->trial);
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].offset == (int64_t)at && strstr(p->items[i].message, words))
            return true;
    return false;
}

/* One name "w", one part of step 3 with n values of it. */
static void put_steps(struct sm_str *out, uint64_t n)
{
    static const uint64_t part[] = {3, 6, 4, 1, 0, 0, 0}; /* step ... worker */
    sm_wire_put(out, 1);
    sm_smdz_put_text(out, "w", 1);
    sm_wire_put(out, 1);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        sm_wire_put(out, part[i]);
    sm_wire_put(out, n);
    for (uint64_t i = 0; i < n; i++)
        sm_str_addn(out, "\0\0\1\0", 4);
    sm_wire_put(out, 0);
}

/* The index names one frame a hundred thousand times: what is there is read once. */
static void test_a_frame_that_is_named_again(void **state)
{
    struct live *l = *state;
    struct making m;
    struct sm_smdz_head h;
    struct sm_str plain = {0};
    start(&m);
    put_steps(&plain, 2);
    uint64_t at = add_frame(&m, SM_SMDZ_STEPS, &plain, &h);
    for (int i = 0; i < 100000; i++)
        name_frame(&m, at, &h, (struct sm_bytes){0});
    finish(&m, l);
    open_made(l);
    assert_int_equal(sm_archive_frames(l->source), 1);
    assert_int_equal(sm_trial_step_count(l->trial), 1);
    assert_int_equal(tensor(l, "w")->n_entries, 2);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    assert_non_null(strstr(sm_trial_problems(l->trial)->items[0].message, "others overlap"));
    sm_str_clear(&plain);
}

/* Frames of zeros that become 6 MiB each: their sum counts. */
static void test_frames_that_expand(void **state)
{
    struct live *l = *state;
    struct making m;
    struct sm_str plain = {0}, zeros = {0};
    uint64_t at[4];
    sm_str_fill(&zeros, 0, 6 << 20);
    put_steps(&plain, 2);
    start(&m);
    for (int i = 0; i < 2; i++)
        at[i] = add_named(&m, SM_SMDZ_STEPS, &zeros);
    at[2] = add_named(&m, SM_SMDZ_COLLECTIONS, &zeros);
    at[3] = add_named(&m, SM_SMDZ_FINDINGS, &zeros);
    add_named(&m, SM_SMDZ_STEPS, &plain);
    finish(&m, l);
    open_made(l);
    for (int i = 0; i < 4; i++)
        assert_true(has_problem_at(l, at[i], "together more than"));
    assert_int_equal(sm_trial_problems(l->trial)->total, 4);
    assert_int_equal(tensor(l, "w")->n_entries, 2);
    sm_str_clear(&plain);
    sm_str_clear(&zeros);
}

/* A small file cannot hold so many values. */
static void test_more_values_than_bytes(void **state)
{
    struct live *l = *state;
    struct making m;
    struct sm_str plain = {0};
    put_steps(&plain, 500000);
    start(&m);
    uint64_t at = add_named(&m, SM_SMDZ_STEPS, &plain);
    finish(&m, l);
    open_made(l);
    assert_true(has_problem_at(l, at, "too many for an archive"));
    assert_int_equal(sm_trial_step_count(l->trial), 0);
    sm_str_clear(&plain);
}

static void test_more_names_than_bytes(void **state)
{
    struct live *l = *state;
    struct making m;
    struct sm_str plain = {0};
    sm_wire_put(&plain, 500000);
    for (int i = 0; i < 500000; i++)
        sm_smdz_put_text(&plain, "w", 1);
    start(&m);
    uint64_t at = add_named(&m, SM_SMDZ_STEPS, &plain);
    finish(&m, l);
    open_made(l);
    assert_true(has_problem_at(l, at, "too many for an archive"));
    assert_int_equal(sm_trial_step_count(l->trial), 0);
    sm_str_clear(&plain);
}

static void test_more_places_than_bytes(void **state)
{
    struct live *l = *state;
    struct making m;
    struct sm_smdz_head h;
    struct sm_str plain = {0};
    sm_wire_put(&plain, 500000);
    for (int i = 0; i < 500000; i++)
        sm_str_addn(&plain, "\0\0\0\0", 4);
    start(&m);
    uint64_t at = add_frame(&m, SM_SMDZ_VALUES, &plain, &h);
    name_frame(&m, at, &h, (struct sm_bytes){(const uint8_t *)plain.data, plain.len});
    finish(&m, l);
    open_made(l);
    assert_true(has_problem_at(l, 0, "the others are not read"));
    sm_str_clear(&plain);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_frame_that_is_named_again), T(test_frames_that_expand),
        T(test_more_values_than_bytes),      T(test_more_names_than_bytes),
        T(test_more_places_than_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
