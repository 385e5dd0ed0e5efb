/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb_log.h"

#include "tests/reader/wandb_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

/* Records are written down as their first byte and length, problems as '!' and the offset. */
struct seen {
    struct sm_wandb_log log;
    struct sm_str text;
};

static void on_record(void *ctx, struct sm_bytes payload, uint64_t offset)
{
    struct seen *s = ctx;
    (void)offset;
    sm_str_printf(&s->text, "%c%zu ", payload.n ? payload.p[0] : '0', payload.n);
    for (size_t i = 0; i < payload.n; i++)
        assert_int_equal(payload.p[i], payload.p[0]);
}

static void on_problem(void *ctx, uint64_t offset, const struct sm_err *err)
{
    struct seen *s = ctx;
    assert_int_not_equal(err->code, SM_OK);
    sm_str_printf(&s->text, "!%llu ", (unsigned long long)offset);
}

static const struct sm_wandb_log_ops ops = {on_record, on_problem};

static void add(struct sm_str *file, char letter, size_t n)
{
    char *p = malloc(n + 1);
    memset(p, letter, n);
    wandb_record(file, p, n);
    free(p);
}

static void take(struct seen *s, const struct sm_str *file, size_t end)
{
    const uint8_t *p = (const uint8_t *)file->data + s->log.offset;
    sm_wandb_log_take(&s->log, (struct sm_bytes){p, end - (size_t)s->log.offset}, true, &ops, s);
}

static void assert_seen(struct seen *s, const char *text)
{
    assert_string_equal(sm_str_text(&s->text), text);
    sm_wandb_log_clear(&s->log);
    sm_str_clear(&s->text);
}

/* The file as a whole, then as it grows by `by` bytes. */
static void assert_reads(const struct sm_str *file, size_t by, const char *text)
{
    struct seen s = {0};
    take(&s, file, file->len);
    assert_int_equal(s.log.offset, file->len);
    assert_seen(&s, text);
    for (size_t end = 0; by && end < file->len; end += by)
        take(&s, file, end);
    take(&s, file, file->len);
    assert_seen(&s, text);
}

static void test_records_cross_blocks(void **state)
{
    (void)state;
    for (size_t first = WANDB_BLOCK - 40; first < WANDB_BLOCK; first++) {
        struct sm_str file = {0}, want = {0};
        wandb_begin(&file);
        add(&file, 'a', first);
        add(&file, 'b', 3);
        add(&file, 'c', 100000);
        add(&file, 'd', 0);
        sm_str_printf(&want, "a%zu b3 c100000 00 ", first);
        assert_reads(&file, 9973, want.data);
        sm_str_clear(&file);
        sm_str_clear(&want);
    }
}

static void test_every_growth(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    add(&file, 'a', 20);
    add(&file, 'b', WANDB_BLOCK - 7 - 27 - 7 - 3);
    add(&file, 'c', 30);
    add(&file, 'd', 70);
    assert_reads(&file, 1, "a20 b32724 c30 d70 ");
    sm_str_clear(&file);
}

static void test_header_only(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    assert_reads(&file, 1, "");
    file.data[1] = 'x';
    add(&file, 'a', 5);
    assert_reads(&file, 1, "!0 a5 ");
    sm_str_clear(&file);
}

/* One byte of each kind of place in the second of four records. */
static void test_one_bad_byte(void **state)
{
    (void)state;
    static const size_t places[] = {0, 3, 4, 5, 6, 7, 20, 36};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct sm_str file = {0};
        wandb_begin(&file);
        add(&file, 'a', 10);
        size_t at = file.len;
        add(&file, 'b', 30);
        add(&file, 'c', 50);
        add(&file, 'd', WANDB_BLOCK);
        file.data[at + places[i]] ^= (char)0x85;
        assert_reads(&file, 0, "a10 !24 c50 d32768 ");
        sm_str_clear(&file);
    }
}

/* A length that goes past what there is looks like a chunk that is being written; those behind it
 * tell. */
static void test_bad_length_at_the_end(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    add(&file, 'a', 10);
    add(&file, 'b', 30);
    add(&file, 'c', 50);
    file.data[24 + 5] = 0x20;
    assert_reads(&file, 0, "a10 !24 c50 ");
    sm_str_clear(&file);
}

static void test_last_record_bad(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    add(&file, 'a', 10);
    add(&file, 'b', 30);
    file.data[40] ^= 1;
    struct seen s = {0};
    take(&s, &file, file.len);
    assert_string_equal(s.text.data, "a10 !24 ");
    add(&file, 'c', 5);
    take(&s, &file, file.len);
    assert_seen(&s, "a10 !24 c5 ");
    sm_str_clear(&file);
}

/* Of a record in three parts, the part in the middle. */
static void test_bad_part(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    add(&file, 'a', 10);
    add(&file, 'b', 2 * WANDB_BLOCK);
    add(&file, 'c', 5);
    file.data[WANDB_BLOCK + 100] ^= 1;
    assert_reads(&file, 0, "a10 !32768 c5 ");
    sm_str_clear(&file);
}

/* A program that was killed, and another that appended: the first record has no end. */
static void test_parts_out_of_order(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    wandb_chunk(&file, 2, "aaa", 3);
    wandb_chunk(&file, 1, "bb", 2);
    wandb_chunk(&file, 4, "cc", 2);
    wandb_chunk(&file, 1, "d", 1);
    assert_reads(&file, 1, "!7 b2 !26 d1 ");
    sm_str_clear(&file);
}

static void test_zeros(void **state)
{
    (void)state;
    struct sm_str file = {0};
    struct seen s = {0};
    wandb_begin(&file);
    add(&file, 'a', 10);
    size_t whole = file.len;
    sm_str_fill(&file, 0, 100); /* not written yet */
    take(&s, &file, file.len);
    assert_int_equal(s.log.offset, whole);
    assert_string_equal(s.text.data, "a10 ");
    sm_str_truncate(&file, whole);
    add(&file, 'b', 5);
    take(&s, &file, file.len);
    assert_seen(&s, "a10 b5 ");
    sm_str_fill(&file, 0, WANDB_BLOCK - file.len); /* a gap: others follow */
    add(&file, 'c', 5);
    assert_reads(&file, 0, "a10 b5 !36 c5 ");
    sm_str_clear(&file);
}

/* Every byte could be the type of a chunk whose checksum would have to be computed: the work is
 * bounded by the bytes read, not by their product with the size of a block. */
static void test_search_is_bounded(void **state)
{
    (void)state;
    struct sm_str file = {0};
    struct seen s = {0};
    wandb_begin(&file);
    for (int i = 0; i < 100 * WANDB_BLOCK / 4; i++)
        sm_str_addn(&file, "\1\x20\1\x20", 4);
    take(&s, &file, file.len);
    assert_true(s.log.searched < 65 * 1024 * 1024);
    assert_int_equal(s.log.offset, file.len);
    assert_seen(&s, "!7 ");
    sm_str_clear(&file);
}

static void test_too_large(void **state)
{
    (void)state;
    struct sm_str file = {0};
    wandb_begin(&file);
    add(&file, 'a', SM_WANDB_RECORD_MAX + 1);
    add(&file, 'b', 5);
    assert_reads(&file, 0, "!7 b5 ");
    sm_str_clear(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_cross_blocks),
        cmocka_unit_test(test_every_growth),
        cmocka_unit_test(test_header_only),
        cmocka_unit_test(test_one_bad_byte),
        cmocka_unit_test(test_bad_length_at_the_end),
        cmocka_unit_test(test_last_record_bad),
        cmocka_unit_test(test_bad_part),
        cmocka_unit_test(test_parts_out_of_order),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_search_is_bounded),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
