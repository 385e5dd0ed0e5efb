/* SPDX-License-Identifier: Apache-2.0 */
/* Reading lines into a tree of bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/features.h"
#include "commands/language/body.h"
#include "commands/language/cmd_set.h"

#include <string.h>

static struct sm_body_reader reader;
static struct sm_err err;

static enum sm_body_news feed(const char *line)
{
    static struct sm_cmd_set *set; /* kept until the program ends */
    if (!set)
        set = sm_cmd_set_new(sm_command_features);
    reader.set = set;
    return sm_body_feed(&reader, line, "file", 7, &err);
}

static enum sm_body_news feed_all(const char *const *lines)
{
    enum sm_body_news news = SM_BODY_SIMPLE;
    for (; *lines; lines++)
        news = feed(*lines);
    return news;
}

static void simple_lines_are_not_stored(void **state)
{
    (void)state;
    assert_int_equal(feed("echo if"), SM_BODY_SIMPLE);
    assert_int_equal(feed("nosuch"), SM_BODY_SIMPLE);
    assert_int_equal(feed(""), SM_BODY_SIMPLE);
    assert_false(sm_body_open(&reader));
}

static void bodies_form_a_tree(void **state)
{
    static const char *const lines[] = {"if 1",   "",    "  # no line", " echo a ", "while 0",
                                        "echo b", "end", "else",        "\techo c", NULL};
    struct sm_str text = {0};
    (void)state;
    assert_int_equal(feed_all(lines), SM_BODY_MORE);
    assert_int_equal(feed("end # of if"), SM_BODY_WHOLE);
    struct sm_body *b = sm_body_take(&reader);
    assert_false(sm_body_open(&reader));
    assert_int_equal(b->n, 1);
    assert_string_equal(b->file, "file");
    assert_int_equal(b->items[0].body->n, 2);
    assert_int_equal(b->items[0].otherwise->n, 1);
    assert_int_equal(b->items[0].line, 7);
    sm_body_text(b, 1, &text);
    assert_string_equal(
        sm_str_text(&text),
        "  if 1\n    echo a\n    while 0\n      echo b\n    end\n  else\n    echo c\n  end\n");
    sm_str_clear(&text);
    sm_body_unref(b);
}

static void a_referenced_body_outlives_its_tree(void **state)
{
    static const char *const lines[] = {"while 1", "echo a", "end", NULL};
    (void)state;
    feed_all(lines);
    struct sm_body *whole = sm_body_take(&reader), *body = sm_body_ref(whole->items[0].body);
    sm_body_unref(whole);
    assert_string_equal(body->items[0].text, "echo a");
    sm_body_unref(body);
}

static void misplaced_else_and_end_are_refused(void **state)
{
    static const char *const twice[] = {"if 1", "else", "else", NULL}, *const loop[] = {
                                                                           "while 1", "else", NULL};
    (void)state;
    assert_int_equal(feed("end"), SM_BODY_BAD);
    assert_int_equal(feed("else"), SM_BODY_BAD);
    assert_int_equal(feed_all(twice), SM_BODY_BAD);
    assert_false(sm_body_open(&reader));
    assert_int_equal(feed_all(loop), SM_BODY_BAD);
    assert_string_equal(err.msg, "\"else\" without \"if\".");
}

static void depth_is_limited(void **state)
{
    (void)state;
    for (int i = 0; i < SM_BODY_DEPTH_MAX; i++)
        assert_int_equal(feed("if 1"), SM_BODY_MORE);
    assert_int_equal(feed("if 1"), SM_BODY_BAD);
    assert_int_equal(err.code, SM_ERR_LIMIT);
    assert_false(sm_body_open(&reader));
}

static void missing_end_is_reported(void **state)
{
    (void)state;
    assert_true(sm_body_end(&reader, &err));
    feed("if 1");
    feed("while 2");
    assert_false(sm_body_end(&reader, &err));
    assert_string_equal(err.msg, "\"while 2\" in line 7 has no \"end\".");
    assert_false(sm_body_open(&reader));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_lines_are_not_stored),
        cmocka_unit_test(bodies_form_a_tree),
        cmocka_unit_test(a_referenced_body_outlives_its_tree),
        cmocka_unit_test(misplaced_else_and_end_are_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(missing_end_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
