#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/session/setting.h"

#include <string.h>

static struct sm_settings settings;
static struct sm_err err;

static int set_up(void **state)
{
    (void)state;
    sm_settings_init(&settings);
    err = (struct sm_err){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sm_settings_clear(&settings);
    return 0;
}

static bool set(enum sm_setting_id id, const char *text)
{
    return sm_setting_set(&settings, sm_setting_row(id), text, &err);
}

static void assert_text(enum sm_setting_id id, const char *want)
{
    struct sm_str text = {0};
    sm_setting_text(&settings, sm_setting_row(id), &text);
    assert_string_equal(sm_str_text(&text), want);
    sm_str_clear(&text);
}

static void rows_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < SM_SETTING_COUNT; i++) {
        const struct sm_setting *row = sm_setting_row(i);
        assert_int_equal(row->id, i);
        assert_non_null(row->name);
        assert_non_null(row->help);
        if (strlen(row->help) > 70)
            fail_msg("%s: the help is longer than 70 columns", row->name);
        assert_text(row->id, row->initial); /* what is printed is what a person types */
    }
    assert_int_equal(settings.version, 0);
}

static void every_value_reads_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < SM_SETTING_COUNT; i++) {
        struct sm_str text = {0};
        const struct sm_setting *row = sm_setting_row(i);
        sm_setting_text(&settings, row, &text);
        if (!sm_setting_set(&settings, row, sm_str_text(&text), &err))
            fail_msg("%s: \"%s\": %s", row->name, sm_str_text(&text), err.msg);
        assert_text(row->id, sm_str_text(&text));
        sm_str_clear(&text);
    }
}

static void booleans(void **state)
{
    (void)state;
    const char *const on[] = {"on", "1", "yes", "enable", "y"}, *const off[] = {"off", "0", "no",
                                                                                "disable"};
    for (size_t i = 0; i < 5; i++) {
        assert_true(set(SM_SET_STRICT, "off") && set(SM_SET_STRICT, on[i]));
        assert_true(settings.values[SM_SET_STRICT].b);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(set(SM_SET_STRICT, NULL)); /* without a value: on */
        assert_true(settings.values[SM_SET_STRICT].b);
        assert_true(set(SM_SET_STRICT, off[i]));
        assert_false(settings.values[SM_SET_STRICT].b);
    }
    assert_false(set(SM_SET_STRICT, "maybe"));
    assert_string_equal(err.msg, "\"on\" or \"off\" expected.");
}

static void numbers_and_their_words(void **state)
{
    (void)state;
    assert_true(set(SM_SET_PRINT_THRESHOLD, "unlimited"));
    assert_true(settings.values[SM_SET_PRINT_THRESHOLD].i == INT64_MAX);
    assert_text(SM_SET_PRINT_THRESHOLD, "unlimited");
    assert_true(set(SM_SET_PRINT_THRESHOLD, "0")); /* as in gdb */
    assert_text(SM_SET_PRINT_THRESHOLD, "unlimited");
    assert_true(set(SM_SET_PRINT_PRECISION, "0")); /* but here 0 is 0 */
    assert_text(SM_SET_PRINT_PRECISION, "0");
    assert_false(set(SM_SET_PRINT_PRECISION, "17"));
    assert_string_equal(err.msg, "17 is out of range: 0 to 16");
    assert_false(set(SM_SET_PRINT_PRECISION, "-1"));
    assert_false(set(SM_SET_PRINT_PRECISION, "x"));
    assert_string_equal(err.msg, "Invalid number \"x\".");
    assert_false(set(SM_SET_PRINT_PRECISION, NULL));
    assert_text(SM_SET_PRINT_PRECISION, "0"); /* what fails changes nothing */
    assert_true(set(SM_SET_WIDTH, "auto"));
    assert_int_equal(settings.values[SM_SET_WIDTH].i, -1);
    assert_true(set(SM_SET_SESSIONS, "all"));
    assert_int_equal(settings.values[SM_SET_SESSIONS].i, -2);
    assert_true(set(SM_SET_SESSIONS, "3"));
    assert_text(SM_SET_SESSIONS, "3");
}

static void sizes_times_and_reals(void **state)
{
    (void)state;
    assert_int_equal(settings.values[SM_SET_MEMORY_LIMIT].i, 256 << 20);
    assert_true(set(SM_SET_MEMORY_LIMIT, "1.5Gi"));
    assert_text(SM_SET_MEMORY_LIMIT, "1536Mi");
    assert_false(set(SM_SET_MEMORY_LIMIT, "1k"));
    assert_int_equal(settings.values[SM_SET_STALL].i, 600000000);
    assert_true(set(SM_SET_STALL, "90s"));
    assert_text(SM_SET_STALL, "90s");
    assert_text(SM_SET_REFRESH, "on");
    assert_true(set(SM_SET_REFRESH, "off"));
    assert_int_equal(settings.values[SM_SET_REFRESH].i, -2);
    assert_true(set(SM_SET_REFRESH, "500ms"));
    assert_text(SM_SET_REFRESH, "500ms");
    assert_false(set(SM_SET_REFRESH, "1h"));
    assert_string_equal(err.msg, "1h is out of range: 0.1 to 10 seconds");
    assert_true(set(SM_SET_SMOOTHING, "0.9"));
    assert_text(SM_SET_SMOOTHING, "0.9");
    assert_false(set(SM_SET_SMOOTHING, "1"));
    assert_false(set(SM_SET_SMOOTHING, "nan"));
}

static void enums(void **state)
{
    (void)state;
    assert_true(set(SM_SET_SYMBOLS, "br"));
    assert_text(SM_SET_SYMBOLS, "braille");
    assert_false(set(SM_SET_SYMBOLS, "b"));
    assert_string_equal(err.msg,
                        "Ambiguous item \"b\". Valid arguments are auto, braille, block, ascii.");
    assert_false(set(SM_SET_SYMBOLS, "emoji"));
    assert_string_equal(
        err.msg, "Undefined item \"emoji\". Valid arguments are auto, braille, block, ascii.");
    assert_false(set(SM_SET_SYMBOLS, NULL));
    assert_string_equal(err.msg,
                        "Requires an argument. Valid arguments are auto, braille, block, ascii.");
}

static void texts(void **state)
{
    (void)state;
    assert_true(set(SM_SET_SAFE_PATH, "/a b:/c"));
    assert_text(SM_SET_SAFE_PATH, "/a b:/c");
    assert_true(set(SM_SET_SAFE_PATH, ""));
    assert_text(SM_SET_SAFE_PATH, "");
    assert_int_equal(settings.version, 2);
}

/* ---- names ---- */

static const struct sm_setting *find(const char *a, const char *b, const char *c, size_t *used)
{
    const char *words[] = {a, b, c};
    err = (struct sm_err){0};
    return sm_setting_find("set", words, !a ? 0 : !b ? 1 : !c ? 2 : 3, used, &err);
}

static void names_may_be_short(void **state)
{
    (void)state;
    size_t used;
    assert_ptr_equal(find("print", "elements", "10", &used), sm_setting_row(SM_SET_PRINT_ELEMENTS));
    assert_int_equal(used, 2);
    assert_ptr_equal(find("pri", "el", NULL, &used), sm_setting_row(SM_SET_PRINT_ELEMENTS));
    assert_ptr_equal(find("print", "precision", "full", &used),
                     sm_setting_row(SM_SET_PRINT_PRECISION));
    assert_ptr_equal(find("print", "precision-s", "full", &used),
                     sm_setting_row(SM_SET_PRINT_PRECISION_STYLE));
    assert_ptr_equal(find("prom", "con", NULL, &used), sm_setting_row(SM_SET_PROMPT_CONTEXT));
    assert_ptr_equal(find("width", "80", NULL, &used), sm_setting_row(SM_SET_WIDTH));
    assert_int_equal(used, 1);
    assert_ptr_equal(find("c", NULL, NULL, &used), NULL);
}

static void names_speak_as_gdb_does(void **state)
{
    (void)state;
    size_t used;
    assert_null(find("nosuch", NULL, NULL, &used));
    assert_string_equal(err.msg, "Undefined set command: \"nosuch\".  Try \"help set\".");
    assert_null(find("print", "nosuch", NULL, &used));
    assert_string_equal(err.msg,
                        "Undefined set print command: \"nosuch\".  Try \"help set print\".");
    assert_null(find("print", NULL, NULL, &used));
    assert_string_equal(err.msg, "\"set print\" must be followed by the name of a setting.");
    assert_null(find("pr", NULL, NULL, &used));
    assert_string_equal(err.msg, "Ambiguous set command \"pr\": print, prompt.");
    assert_null(find("print", "pre", NULL, &used));
    assert_string_equal(err.msg,
                        "Ambiguous set print command \"pre\": precision, precision-style.");
    assert_null(find(NULL, NULL, NULL, &used));
    assert_string_equal(err.msg, "\"set\" must be followed by the name of a setting.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_sound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_value_reads_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(booleans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_and_their_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_times_and_reals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(enums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_may_be_short, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_speak_as_gdb_does, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
