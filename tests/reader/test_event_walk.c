/* SPDX-License-Identifier: Apache-2.0 */
/* Events walked in place: the numbers that sm_event_parse finds, exactly, and nothing else. */
#include "reader/format/event_walk.h"

#include "tests/reader/live.h"

static bool walk(const char *summary, size_t n, struct sm_walk_value *v)
{
    bool bad;
    struct sm_bytes b = {(const uint8_t *)summary, n};
    return sm_event_next_value(&b, v, &bad);
}
#define WALK(text, v) walk(text, sizeof(text) - 1, v)

static double number(const struct sm_walk_value *v)
{
    assert_int_equal(v->kind, SM_WALK_NUMBER);
    return sm_dtype_load(v->dtype, v->element);
}

/* What writers make of a number: simple_value; a tensor with content; with a typed field, packed or
 * not, and without a shape as torch does it; and what TensorFlow's eager writer makes. */
static void test_every_encoding_of_a_number(void **state)
{
    struct sm_walk_value v;
    (void)state;
    assert_true(WALK("\x0a\x08\x0a\x01w\x15\0\0\x80\x3f", &v));
    assert_true(number(&v) == 1 && v.dtype == SM_DTYPE_FLOAT32 && v.tag.n == 1);
    assert_true(WALK("\x0a\x0f\x0a\x01w\x42\x0a\x08\x01\x12\x00\x22\x04\0\0\0\x40", &v));
    assert_true(number(&v) == 2 && v.dtype == SM_DTYPE_FLOAT32);
    assert_true(WALK("\x0a\x0c\x0a\x01w\x42\x07\x08\x01\x2d\0\0\x40\x40", &v));
    assert_true(number(&v) == 3);
    assert_true(WALK("\x0a\x0d\x0a\x01w\x42\x08\x08\x01\x2a\x04\0\0\x80\x40", &v));
    assert_true(number(&v) == 4);
    assert_true(WALK(
        "\x0a\x13\x0a\x01w\x42\x0e\x08\x02\x12\x00\x32\x08\x9a\x99\x99\x99\x99\x99\xb9\x3f", &v));
    assert_true(number(&v) == 0.1 && v.dtype == SM_DTYPE_FLOAT64);
    assert_true(WALK("\x0a\x0e\x0a\x01w\x42\x09\x08\x09\x12\x00\x52\x03\x85\x80\x01", &v));
    assert_true(number(&v) == 16389 && v.dtype == SM_DTYPE_INT64);
    assert_true(WALK(
        "\x0a\x14\x0a\x01w\x42\x0f\x08\x09\x12\x00\x50\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        &v));
    assert_true(number(&v) == -1);
    assert_true(WALK(
        "\x0a\x14\x0a\x01w\x42\x0f\x08\x03\x12\x00\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        &v));
    assert_true(number(&v) == -1 && v.dtype == SM_DTYPE_INT32);
}

static void test_what_is_no_number(void **state)
{
    struct sm_walk_value v;
    (void)state;
    /* a dimension; a string; a histogram; only a name */
    assert_true(
        WALK("\x0a\x13\x0a\x01w\x42\x0e\x08\x01\x12\x04\x12\x02\x08\x01\x22\x04\0\0\0\x40", &v));
    assert_int_equal(v.kind, SM_WALK_OTHER);
    assert_true(WALK("\x0a\x0c\x0a\x01w\x42\x07\x08\x07\x12\x00\x42\x01x", &v));
    assert_int_equal(v.kind, SM_WALK_OTHER);
    assert_true(WALK("\x0a\x05\x0a\x01w\x2a\x00", &v));
    assert_int_equal(v.kind, SM_WALK_OTHER);
    assert_true(WALK("\x0a\x03\x0a\x01w", &v));
    assert_int_equal(v.kind, SM_WALK_NONE);
    /* content of another length than the type's; a second tensor */
    assert_true(WALK("\x0a\x0e\x0a\x01w\x42\x09\x08\x01\x12\x00\x22\x03\0\0\0", &v));
    assert_int_equal(v.kind, SM_WALK_OTHER);
    assert_true(WALK(
        "\x0a\x15\x0a\x01w\x42\x07\x08\x01\x2d\0\0\x40\x40\x42\x07\x08\x01\x2d\0\0\x40\x40", &v));
    assert_int_equal(v.kind, SM_WALK_OTHER);
    /* not whole; a wrong wire type */
    assert_false(WALK("\x0a\x09\x0a\x01w\x15\0\0\x80\x3f", &v));
    assert_false(WALK("\x0a\x08\x08\x01w\x15\0\0\x80\x3f", &v));
}

static void test_the_plugin_is_named(void **state)
{
    struct sm_walk_value v;
    (void)state;
    assert_true(WALK("\x0a\x10\x0a\x01w\x4a\x0b\x0a\x09\x0a\x03"
                     "abc\x12\x02xy",
                     &v));
    assert_true(sm_text_is(v.plugin, "abc"));
    assert_int_equal(v.plugin_content.n, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_encoding_of_a_number),
        cmocka_unit_test(test_what_is_no_number),
        cmocka_unit_test(test_the_plugin_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
