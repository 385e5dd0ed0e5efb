/* SPDX-License-Identifier: Apache-2.0 */
/* Compares printed arrays with the output of numpy in tests/commands/array2string.txt, which
 * make_array2string.py writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/answer/digits.h"
#include "commands/answer/print.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sm_print_options usual = {
    .threshold = 1000,
    .edgeitems = 3,
    .precision = 8,
    .linewidth = 75,
    .numpy_style = true,
};

static const char *printed(struct sm_tensor *t, const struct sm_print_options *o)
{
    static struct sm_str s;
    sm_str_truncate(&s, 0);
    sm_print_array(t, o, false, &s);
    sm_tensor_unref(t);
    return sm_str_text(&s);
}

static struct sm_tensor *tensor(enum sm_dtype d, unsigned n_dims, const uint64_t *dims,
                                const void *data)
{
    struct sm_tensor *t = NULL;
    assert_true(sm_tensor_new(d, n_dims, dims, data, &t, NULL));
    return t;
}

/* ---- the fixture ---- */

static unsigned read_dims(const char *text, uint64_t dims[8])
{
    unsigned n = 0;
    char *end;
    if (*text == '-')
        return 0;
    for (const char *p = text; *p; p = *end ? end + 1 : end)
        dims[n++] = strtoull(p, &end, 10);
    return n;
}

static uint8_t *read_hex(const char *hex)
{
    size_t n = *hex == '-' ? 0 : strlen(hex) / 2;
    uint8_t *bytes = malloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(two, NULL, 16);
    }
    return bytes;
}

static char *next_line(FILE *f, char **line, size_t *cap)
{
    ssize_t n = getline(line, cap, f);
    assert_true(n > 0);
    (*line)[strcspn(*line, "\n")] = 0;
    return *line;
}

/* Returns false at the end of the file. */
static bool check_case(FILE *f, const char *name, unsigned number)
{
    char dtype[16], shape[64], style[16], *line = NULL;
    size_t cap = 0;
    unsigned lines;
    uint64_t dims[8];
    struct sm_print_options o = usual;
    if (fscanf(f, "%15s %63s %u %u %u %u %15s %u\n", dtype, shape, &o.threshold, &o.edgeitems,
               &o.precision, &o.linewidth, style, &lines) != 8)
        return false;
    o.numpy_style = strcmp(style, "numpy") == 0;
    uint8_t *bytes = read_hex(next_line(f, &line, &cap));
    struct sm_str want = {0};
    for (unsigned i = 0; i < lines; i++)
        sm_str_printf(&want, "%s%s", i ? "\n" : "", next_line(f, &line, &cap));
    unsigned n_dims = read_dims(shape, dims);
    const char *got = printed(tensor(sm_dtype_of_name(dtype), n_dims, dims, bytes), &o);
    size_t same = 0;
    while (got[same] && got[same] == sm_str_text(&want)[same])
        same++;
    if (strcmp(got, sm_str_text(&want)) != 0)
        fail_msg("%s: case %u: %s %s threshold %u edge %u precision %u width %u %s, byte "
                 "%zu:\nnumpy: %.60s\nours:  %.60s",
                 name, number, dtype, shape, o.threshold, o.edgeitems, o.precision, o.linewidth,
                 style, same, sm_str_text(&want) + (same > 30 ? same - 30 : 0),
                 got + (same > 30 ? same - 30 : 0));
    sm_str_clear(&want);
    free(bytes);
    free(line);
    return true;
}

static void matches_numpy(void **state)
{
    (void)state;
    const char *name =
        getenv("SMDBG_ARRAYS") ? getenv("SMDBG_ARRAYS") : "tests/commands/array2string.txt";
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    unsigned n = 0;
    while (check_case(f, name, n))
        n++;
    fclose(f);
    assert_true(n >= 400);
}

/* ---- cases that are not in the fixture ---- */

static void quotes_strings_like_python(void **state)
{
    (void)state;
    const struct sm_text words[] = {
        {"a", 1}, {"it's", 4}, {"both ' and \"", 12}, {"\x1b[2J\n", 5}, {"\xff", 1}};
    struct sm_tensor t = {
        .dtype = SM_DTYPE_STRING, .n_dims = 1, .dims = {5}, .n = 5, .strings = words};
    struct sm_str s = {0};
    sm_print_array(&t, &usual, false, &s);
    assert_string_equal(sm_str_text(&s), "['a' \"it's\" 'both \\' and \"' '\\x1b[2J\\n' '\\xff']");
    sm_str_clear(&s);
}

static void whole_ignores_threshold(void **state)
{
    (void)state;
    struct sm_print_options o = usual;
    struct sm_str s = {0};
    uint64_t n = 8;
    int8_t v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct sm_tensor *t = tensor(SM_DTYPE_INT8, 1, &n, v);
    o.threshold = 4;
    sm_print_array(t, &o, true, &s);
    assert_string_equal(sm_str_text(&s), "[1 2 3 4 5 6 7 8]");
    sm_str_clear(&s);
    assert_string_equal(printed(t, &o), "[1 2 3 ... 6 7 8]");
}

static void reports_unknown_type(void **state)
{
    (void)state;
    struct sm_tensor t = {.dtype = SM_DTYPE_UNKNOWN,
                          .proto_dtype = 12,
                          .n_dims = 1,
                          .dims = {3},
                          .n = 3,
                          .size_bytes = 7};
    struct sm_str s = {0};
    sm_print_array(&t, &usual, false, &s);
    assert_string_equal(sm_str_text(&s), "<7 bytes of type 12>");
    sm_str_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_numpy),
        cmocka_unit_test(quotes_strings_like_python),
        cmocka_unit_test(whole_ignores_threshold),
        cmocka_unit_test(reports_unknown_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
