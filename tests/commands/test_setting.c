/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/pictures/pictures.h"
#include "commands/run/run_state.h"
#include "commands/session/session_settings.h"
#include "commands/session/setting.h"
#include "commands/values/values.h"

#include <string.h>

/* A feature with three settings, in addition to those of the debugger. */
struct own_settings {
    int64_t refresh;
    char *safe_path;
    bool prompt_context;
};
static const char *const on_off[] = {"on", "off", NULL};
static const struct sm_setting own_rows[] = {
    {.name = "refresh",
     .type = SM_SETTING_DURATION,
     .words = on_off,
     .min = 1e5,
     .max = 10e6,
     .initial = "on",
     .help = "How often",
     .offset = offsetof(struct own_settings, refresh)},
    {.name = "auto-load safe-path",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "Where",
     .offset = offsetof(struct own_settings, safe_path)},
    {.name = "prompt context",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Whether",
     .offset = offsetof(struct own_settings, prompt_context)},
    {0},
};
static const struct sm_feature own_feature = {
    .name = "own", .settings = own_rows, .settings_size = sizeof(struct own_settings)};
static const struct sm_feature *const features[] = {&sm_session_feature,  &sm_run_feature,
                                                    &sm_pictures_feature, &sm_values_feature,
                                                    &own_feature,         NULL};
static struct sm_settings settings;

static const struct own_settings *own(void)
{
    return sm_settings_of(&settings, own_rows);
}

static const struct sm_session_settings *general(void)
{
    return sm_settings_of(&settings, sm_session_setting_rows);
}

static const struct sm_run_settings *running(void)
{
    return sm_settings_of(&settings, sm_run_setting_rows);
}

static const struct sm_setting *named(const char *name)
{
    return sm_setting_named(&settings, name);
}
static struct sm_err err;

static int set_up(void **state)
{
    (void)state;
    sm_settings_init(&settings, features);
    err = (struct sm_err){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sm_settings_clear(&settings);
    return 0;
}

static bool set(const char *name, const char *text)
{
    return sm_setting_set(&settings, named(name), text, &err);
}

static void assert_text(const char *name, const char *want)
{
    struct sm_str text = {0};
    sm_setting_text(&settings, named(name), &text);
    assert_string_equal(sm_str_text(&text), want);
    sm_str_clear(&text);
}

static void rows_are_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < settings.n; i++) {
        const struct sm_setting *row = sm_setting_row(&settings, i);
        assert_true(!i || strcmp(sm_setting_row(&settings, i - 1)->name, row->name) < 0);
        assert_non_null(row->name);
        assert_non_null(row->help);
        if (strlen(row->help) > 70)
            fail_msg("%s: the help is longer than 70 columns", row->name);
        assert_text(row->name, row->initial); /* the output can be typed as input */
    }
    assert_int_equal(settings.version, 0);
}

static void every_value_reads_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < settings.n; i++) {
        struct sm_str text = {0};
        const struct sm_setting *row = sm_setting_row(&settings, i);
        sm_setting_text(&settings, row, &text);
        if (!sm_setting_set(&settings, row, sm_str_text(&text), &err))
            fail_msg("%s: \"%s\": %s", row->name, sm_str_text(&text), err.msg);
        assert_text(row->name, sm_str_text(&text));
        sm_str_clear(&text);
    }
}

static void booleans(void **state)
{
    (void)state;
    const char *const on[] = {"on", "1", "yes", "enable", "y"}, *const off[] = {"off", "0", "no",
                                                                                "disable"};
    for (size_t i = 0; i < 5; i++) {
        assert_true(set("strict", "off") && set("strict", on[i]));
        assert_true(running()->strict);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(set("strict", NULL)); /* without a value: on */
        assert_true(running()->strict);
        assert_true(set("strict", off[i]));
        assert_false(running()->strict);
    }
    assert_false(set("strict", "maybe"));
    assert_string_equal(err.msg, "Expected \"on\" or \"off\".");
}

static void numbers_and_their_words(void **state)
{
    (void)state;
    assert_true(set("print threshold", "unlimited"));
    assert_true(general()->print_threshold == INT64_MAX);
    assert_text("print threshold", "unlimited");
    assert_true(set("print threshold", "0")); /* as in gdb */
    assert_text("print threshold", "unlimited");
    assert_true(set("print precision", "0")); /* but here 0 is 0 */
    assert_text("print precision", "0");
    assert_false(set("print precision", "17"));
    assert_string_equal(err.msg, "17 is out of range: 0 to 16");
    assert_false(set("print precision", "-1"));
    assert_false(set("print precision", "x"));
    assert_string_equal(err.msg, "Invalid number \"x\".");
    assert_false(set("print precision", NULL));
    assert_text("print precision", "0"); /* an error does not change the value */
    assert_true(set("width", "auto"));
    assert_int_equal(general()->width, -1);
    assert_true(set("sessions", "all"));
    assert_int_equal(general()->sessions, -2);
    assert_true(set("sessions", "3"));
    assert_text("sessions", "3");
}

static void sizes_times_and_reals(void **state)
{
    (void)state;
    assert_int_equal(general()->memory_limit, 256 << 20);
    assert_true(set("memory-limit", "1.5Gi"));
    assert_text("memory-limit", "1536Mi");
    assert_false(set("memory-limit", "1k"));
    assert_int_equal(general()->stall, -1);
    assert_text("stall", "auto");
    assert_true(set("stall", "90s"));
    assert_text("stall", "90s");
    assert_text("refresh", "on");
    assert_true(set("refresh", "off"));
    assert_int_equal(own()->refresh, -2);
    assert_true(set("refresh", "500ms"));
    assert_text("refresh", "500ms");
    assert_false(set("refresh", "1h"));
    assert_string_equal(err.msg, "1h is out of range: 0.1 to 10 seconds");
    assert_true(set("smoothing", "0.9"));
    assert_text("smoothing", "0.9");
    assert_false(set("smoothing", "1"));
    assert_false(set("smoothing", "nan"));
}

static void enums(void **state)
{
    (void)state;
    assert_true(set("symbols", "br"));
    assert_text("symbols", "braille");
    assert_false(set("symbols", "b"));
    assert_string_equal(err.msg,
                        "Ambiguous item \"b\". Valid arguments are auto, braille, block, ascii.");
    assert_false(set("symbols", "emoji"));
    assert_string_equal(
        err.msg, "Undefined item \"emoji\". Valid arguments are auto, braille, block, ascii.");
    assert_false(set("symbols", NULL));
    assert_string_equal(err.msg,
                        "Requires an argument. Valid arguments are auto, braille, block, ascii.");
}

static void texts(void **state)
{
    (void)state;
    assert_true(set("auto-load safe-path", "/a b:/c"));
    assert_text("auto-load safe-path", "/a b:/c");
    assert_true(set("auto-load safe-path", ""));
    assert_text("auto-load safe-path", "");
    assert_int_equal(settings.version, 2);
}

/* ---- names ---- */

static const struct sm_setting *find(const char *a, const char *b, const char *c, size_t *used)
{
    const char *words[] = {a, b, c};
    err = (struct sm_err){0};
    return sm_setting_find(&settings, "set", words, !a ? 0 : !b ? 1 : !c ? 2 : 3, used, &err);
}

static void names_may_be_short(void **state)
{
    (void)state;
    size_t used;
    assert_ptr_equal(find("print", "elements", "10", &used), named("print elements"));
    assert_int_equal(used, 2);
    assert_ptr_equal(find("pri", "el", NULL, &used), named("print elements"));
    assert_ptr_equal(find("print", "precision", "full", &used), named("print precision"));
    assert_ptr_equal(find("print", "precision-s", "full", &used), named("print precision-style"));
    assert_ptr_equal(find("prom", "con", NULL, &used), named("prompt context"));
    assert_ptr_equal(find("width", "80", NULL, &used), named("width"));
    assert_int_equal(used, 1);
    assert_ptr_equal(find("c", NULL, NULL, &used), NULL);
}

static void messages_are_those_of_gdb(void **state)
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
        cmocka_unit_test_setup_teardown(rows_are_valid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_value_reads_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(booleans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_and_their_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_times_and_reals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(enums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_may_be_short, set_up, tear_down),
        cmocka_unit_test_setup_teardown(messages_are_those_of_gdb, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
