/* SPDX-License-Identifier: Apache-2.0 */
/* Pickles of all protocols as trees, and what is wrong with those that are damaged or hostile. */
#include "tests/reader/pickle_repr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LIMIT = 64 << 20 };

struct reading {
    struct sm_source *source;
    struct sm_file file;
    struct sm_file_span span;
    struct sm_byte_stream stream;
    struct sm_pickle_input in;
    struct sm_pickle tree;
    struct sm_err err;
    struct sm_str text;
};

static void begin(struct reading *r, struct sm_source *source, const char *path)
{
    *r = (struct reading){.source = source};
    assert_non_null(source);
    assert_true(sm_file_open(&r->file, source, path, &r->err));
    assert_true(sm_span_of_file(&r->span, &r->file, &r->err));
    assert_true(sm_byte_stream_open(&r->stream, r->span, SM_PACKING_NONE, 0, &r->err));
    r->in.stream = &r->stream;
}

static bool next(struct reading *r, size_t limit)
{
    sm_pickle_clear(&r->tree);
    bool ok = sm_pickle_read(&r->tree, &r->in, limit, &r->err);
    sm_str_truncate(&r->text, 0);
    if (ok)
        add_repr(&r->text, &r->tree, r->tree.root, 0);
    return ok;
}

static void end(struct reading *r)
{
    sm_pickle_clear(&r->tree);
    sm_pickle_input_clear(&r->in);
    sm_byte_stream_close(&r->stream);
    sm_file_close(&r->file);
    sm_source_unref(r->source);
    sm_str_clear(&r->text);
}

static void begin_bytes(struct reading *r, const void *p, size_t n)
{
    struct sm_source *source = sm_source_mem_new(NULL);
    assert_true(sm_source_mem_put(source, "x", p, n));
    begin(r, source, "x");
}

/* Reads one pickle of a literal, with a 0 at its end that does not belong to it. */
#define READS(literal, want)                                                                       \
    do {                                                                                           \
        struct reading r;                                                                          \
        begin_bytes(&r, literal, sizeof(literal) - 1);                                             \
        bool ok = next(&r, LIMIT);                                                                 \
        assert_string_equal(ok ? "" : r.err.msg, "");                                              \
        assert_string_equal(sm_str_text(&r.text), want);                                           \
        end(&r);                                                                                   \
    } while (0)
#define FAILS(literal, want)                                                                       \
    do {                                                                                           \
        struct reading r;                                                                          \
        begin_bytes(&r, literal, sizeof(literal) - 1);                                             \
        assert_false(next(&r, LIMIT));                                                             \
        assert_int_equal(r.err.code, SM_ERR_DATA);                                                 \
        assert_string_equal(r.err.msg, want);                                                      \
        end(&r);                                                                                   \
    } while (0)

/* ---- what Python writes ---- */

/* Bytes and sets are calls before protocols 3 and 4. */
static void check_protocol(int protocol)
{
    struct reading r;
    struct sm_str want = {0};
    char path[32];
    snprintf(path, sizeof path, "protocol_%d.pkl", protocol);
    begin(&r, sm_source_dir_new("tests/samples/pickle", NULL), path);
    assert_true(next(&r, LIMIT));
    assert_int_equal(r.tree.protocol, protocol < 2 ? 0 : protocol);
    sm_str_add(&want, "{'a': [1, -2, 300, 70000, 1099511627776, -9223372036854775808, "
                      "18446744073709551615, -1180591620717411303424], "
                      "'t': (1.5, True, False, None, -0), "
                      "'s': 'h\xc3\xa9\\x0a\\x\xe2\x82\xac', 'b': ");
    sm_str_add(&want,
               protocol < 3 ? "<_codecs.encode ('\\x00\xc3\xbf', 'latin1')>" : "b'\\x00\xff'");
    sm_str_add(&want, protocol < 4 ? ", 'set': <builtins.set ([1])>" : ", 'set': <1>");
    sm_str_add(&want, ", 'n': {}, 'o': <collections.OrderedDict ");
    sm_str_add(&want, "() dict={'x': 1}");
    sm_str_add(&want, ">, 'c': <builtins.complex (1, 2)>, 'self': {'a': [1, ");
    if (strncmp(sm_str_text(&r.text), want.data, want.len) != 0)
        assert_string_equal(sm_str_text(&r.text), want.data);
    sm_str_clear(&want);
    end(&r);
}

static void test_protocols(void **state)
{
    (void)state;
    for (int protocol = 0; protocol <= 5; protocol++)
        check_protocol(protocol);
}

static void test_old_forms(void **state)
{
    (void)state;
    READS("I01\n.", "True");
    READS("I-17\n.", "-17");
    READS("L12345678901234567890L\n.", "12345678901234567890");
    READS("F1e3\n.", "1000");
    READS("S'a\\x41\\n\\\\'\n.", "'aA\\x0a\\'");
    READS("V\\u20ac\\U0001f600\xe9\\\n.", "'\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9\\'");
    READS("\x8a\x29\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
          "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
          "\xff\xff\xff.",
          "-0x0000000000000000000000000000000000000000000000000000000000000000000000000000000001");
    READS("(I1\nI2\ntp7\n0g7\n.", "(1, 2)");
    READS("Pkey\n.", "@'key'");
    READS("(I1\nios\nsystem\n.", "<os.system (1)>");
    READS("(cos\nsystem\nI1\no.", "<os.system (1)>");
    READS("U\3abcT\3\0\0\0def\x86.", "('abc', 'def')");
    READS("\x82\7.", "extension.7");
    READS("\x80\5\x97\x98.", "pickle.PickleBuffer");
}

/* Nothing is executed, and what is added to an object is kept with it. */
static void test_objects(void **state)
{
    (void)state;
    READS("cos\nsystem\nU\5touch\x85R.", "<os.system ('touch')>");
    READS("cm\nC\nK\1\x85\x81}U\1aK\2sbK\3aU\1bK\4s.",
          "<m.C (1) state={'a': 2} list=[3] dict={'b': 4}>");
    READS("cm\nC\n)}U\1aK\2s\x92.", "<m.C () **{'a': 2}>");
    READS("\x8c\1m\x8c\1C\x93\x94)R\x8c\x0b__builtin__\x8c\3set\x93\x86.",
          "(<m.C ()>, builtins.set)");
    READS("K\7QK\1K\2s.", "@7");
}

/* ---- what is damaged ---- */

static void test_damage(void **state)
{
    (void)state;
    FAILS("", "the pickle ends too early, at byte 0");
    FAILS("\x80\2}", "the pickle ends too early, at byte 3");
    FAILS("0.", "a value is missing on the stack in the pickle before byte 1");
    FAILS("(.", "a value is missing on the stack in the pickle before byte 2");
    FAILS("h\5.", "an entry of the memo that was never put in the pickle before byte 2");
    FAILS("Nj\xff\xff\xff\xff.",
          "an entry of the memo that was never put in the pickle before byte 6");
    FAILS("\xfe.", "an opcode that does not exist in the pickle before byte 1");
    FAILS("}(Nu.", "a key without a value in the pickle before byte 4");
    FAILS("NNa.", "items are added to what is no container in the pickle before byte 3");
    FAILS("NN\x93.", "a name that is no text in the pickle before byte 3");
    FAILS("t.", "a mark is missing in the pickle before byte 1");
    FAILS("\x80\6N.", "a protocol beyond 5 in the pickle before byte 2");
    FAILS("I1x\n.", "an integer that has no digits only in the pickle before byte 4");
    FAILS("\x8d\0\0\0\0\1\0\0\0.",
          "the pickle ends too early: 4294967296 bytes after byte 9, of 10");
}

static void test_memory_is_bounded(void **state)
{
    (void)state;
    struct reading r;
    size_t n = 1 << 20;
    char *bytes = malloc(n);
    assert_non_null(bytes);
    memset(bytes, ']', n);
    begin_bytes(&r, bytes, n);
    assert_false(next(&r, 1 << 20));
    assert_int_equal(r.err.code, SM_ERR_LIMIT);
    assert_non_null(strstr(r.err.msg, "needs more than 1 MiB of memory, at byte "));
    assert_true(r.tree.n_nodes < 1 << 17);
    end(&r);
    free(bytes);
}

/* ---- what is large ---- */

static void test_long_text_stays_in_the_file(void **state)
{
    (void)state;
    struct reading r;
    struct sm_str bytes = {0};
    sm_str_addn(&bytes, "\x80\4\x8e\x40\x42\x0f\0\0\0\0\0", 11);
    sm_str_fill(&bytes, 'x', 1000000);
    sm_str_addn(&bytes, "\x94K\1\x86.K\2.", 8);
    begin_bytes(&r, bytes.data, bytes.len);
    assert_true(next(&r, LIMIT));
    assert_string_equal(sm_str_text(&r.text), "(b'<1000000 bytes at 11>', 1)");
    assert_true(next(&r, LIMIT));
    assert_string_equal(sm_str_text(&r.text), "2");
    end(&r);
    sm_str_clear(&bytes);
}

static void test_depth(void **state)
{
    (void)state;
    struct reading r;
    struct sm_str bytes = {0};
    sm_str_fill(&bytes, ']', 100000);
    sm_str_fill(&bytes, 'a', 99999);
    sm_str_addc(&bytes, '.');
    begin_bytes(&r, bytes.data, bytes.len);
    assert_true(next(&r, LIMIT));
    assert_int_equal(r.tree.n_nodes, 100001);
    end(&r);
    sm_str_clear(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_protocols),
        cmocka_unit_test(test_old_forms),
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_long_text_stays_in_the_file),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
