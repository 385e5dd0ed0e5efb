/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/support/complete.h"
#include "reader/hook/writer.h"
#include "tests/commands/driver.h"

static struct driver d;
static struct sm_candidates found;

static int set_up(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", false);
    driver_prompt(&d, "info trial");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

/* The candidates, joined by '|'. */
static const char *complete(const char *line)
{
    static struct sm_str text;
    sm_candidates_clear(&found);
    sm_complete(d.session, line, strlen(line), &found);
    sm_str_truncate(&text, 0);
    sm_str_add(&text, "");
    for (size_t i = 0; i < found.n; i++)
        sm_str_printf(&text, "%s%s", i ? "|" : "", found.items[i]);
    return sm_str_text(&text);
}

static void commands(void **state)
{
    (void)state;
    assert_string_equal(complete("tens"), "tensor|tensors");
    assert_int_equal(found.start, 0);
    assert_string_equal(complete("  ap"), "apropos");
    assert_int_equal(found.start, 2);
    assert_true(found.finished);
    assert_string_equal(complete("insp"), "inspect");
    assert_string_equal(complete("-ap"), "apropos");
    assert_string_equal(complete("info wo"), "workers");
    assert_int_equal(found.start, 5);
    assert_string_equal(complete("i t"), "tensor|tensors|trial|trials");
    assert_string_equal(complete("nosuch x"), "");
    assert_string_equal(complete("# ten"), "");
    assert_string_equal(complete("help appr"), "");
    assert_string_equal(complete("help apr"), "apropos");
    assert_string_equal(complete("help stat"), "stat|status");
    assert_string_equal(complete("help info lo"), "location");
    assert_string_equal(complete("help set print e"), "edgeitems|elements");
    assert_non_null(strstr(complete(""), "apropos|assert|"));
}

static void names_from_the_trial(void **state)
{
    (void)state;
    assert_string_equal(complete("runs -field newe"), "newest");
    assert_string_equal(complete("runs -field run,newe"), "newest");
    assert_string_equal(complete("runs -field run,newest -jsonl"), "-jsonl");
    assert_string_equal(complete("tensors -field run,na"), "name|nan");
    assert_string_equal(complete("tensor CNN_conv0."), "CNN_conv0.bias|CNN_conv0.weight");
    assert_int_equal(found.start, 7);
    assert_string_equal(complete("tensor \"CNN_conv0.b"), "\"CNN_conv0.bias\"");
    assert_string_equal(complete("tensors labels scalar/a"), "scalar/accuracy");
    assert_string_equal(complete("tensors +lo"), "+losses");
    assert_string_equal(complete("tensors collection lo"), "losses");
    assert_string_equal(complete("tensor labels step 10"), "10|100|101");
    assert_string_equal(complete("tensor labels step la"), "last");
    assert_string_equal(complete("tensor labels mode "), "eval|global|predict|train");
    assert_string_equal(complete("tensor labels worker w"), "worker_0");
    assert_string_equal(complete("tensor labels mo"), "mode");
    assert_string_equal(complete("tensor -- CNN_conv0.b"), "CNN_conv0.bias");
}

static void options(void **state)
{
    (void)state;
    assert_string_equal(complete("tensors -s"), "-sort|-stats");
    assert_string_equal(complete("tensors -sort m"), "mean");
    assert_string_equal(complete("tensors -j"), "-json|-jsonl");
    assert_string_equal(complete("quit -"), "-help");
    assert_string_equal(complete("tensor labels -json wo"), "worker");
}

static void expressions(void **state)
{
    (void)state;
    assert_string_equal(complete("print mean(CNN_conv0."), "CNN_conv0.bias|CNN_conv0.weight");
    assert_int_equal(found.start, 11);
    assert_string_equal(complete("print 3 + l2(lab"), "labels");
    assert_non_null(strstr(complete("print mea"), "mean("));
    assert_false(found.finished);
    assert_string_equal(complete("print/4f lab"), "labels");
}

static void settings(void **state)
{
    (void)state;
    assert_string_equal(complete("set pri"), "print");
    assert_string_equal(complete("set print p"), "precision|precision-style");
    assert_string_equal(complete("set print precision-style "), "numpy|full");
    assert_string_equal(complete("set strict "), "off|on");
    assert_string_equal(complete("set strict of"), "off");
    assert_string_equal(complete("set print elements u"), "unlimited");
    assert_string_equal(complete("set width a"), "auto");
    assert_string_equal(complete("show ver"), "verbose|version");
    assert_string_equal(complete("show history s"), "save|size");
}

static void files(void **state)
{
    (void)state;
    assert_string_equal(complete("open tests/trials/cnn_h"),
                        "tests/trials/cnn_healthy.expected.json|tests/trials/cnn_healthy/");
    assert_string_equal(complete("open tests/tri"), "tests/trials/");
    assert_false(found.finished);
    assert_string_equal(complete("source tests/nosuch/x"), "");
    assert_string_equal(complete("tensors > tests/tri"), "tests/trials/");
    assert_string_equal(complete("open '"), complete("open '"));
}

static void without_a_trial(void **state)
{
    (void)state;
    driver_close(&d);
    driver_open(&d, NULL, false);
    assert_string_equal(complete("tensor "), "");
    assert_string_equal(complete("tensor x step "), "first|last|all");
    assert_string_equal(complete("tensors +"), "");
}

/* A trial with such names, in a separate folder. */
static void write_trial(const char *dir, const char *const *names, size_t n)
{
    struct sm_writer *w;
    struct sm_err err;
    const uint8_t zero[4] = {0};
    assert_true(sm_writer_open(dir, "worker_0", &w, &err));
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    for (size_t i = 0; i < n; i++) {
        struct sm_event_value v = {
            .tag = sm_text(names[i]), .dtype = SM_DTYPE_FLOAT32, .content = {zero, 4}};
        assert_true(sm_writer_tensor(w, &v, 0, &err));
    }
    assert_true(sm_writer_end_step(w, &err));
    assert_true(sm_writer_end_job(w, &err));
    sm_writer_close(w);
}

/* A candidate reads back as the name it was made from. */
static void hostile_names_are_quoted(void **state)
{
    (void)state;
    static const char *const names[] = {"a b",  "a[0]", "a#",    "a\x1b[2J",
                                        "a\"'", "a/b",  "-json", "@1"};
    char dir[] = "/tmp/smdbg-complete-XXXXXX";
    struct sm_err err;
    assert_non_null(mkdtemp(dir));
    write_trial(dir, names, sizeof names / sizeof *names);
    assert_true(sm_session_open(d.session, dir, NULL, false, &err));
    driver_prompt(&d, "info trial");
    complete("tensor ");
    assert_int_equal(found.n, sizeof names / sizeof *names);
    for (size_t i = 0; i < found.n; i++) {
        char line[64];
        snprintf(line, sizeof line, "tensor %s -json -field dtype", found.items[i]);
        assert_null(strchr(line, '\x1b'));
        driver_prompt(&d, line);
        if (strcmp(sm_str_text(&d.out), "{\"dtype\":\"float32\"}\n") != 0)
            fail_msg("%s: %s%s", line, sm_str_text(&d.out), sm_str_text(&d.err));
    }
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", dir);
    assert_int_equal(system(remove), 0);
}

static void never_more_than_a_screen_can_bear(void **state)
{
    (void)state;
    driver_close(&d);
    driver_open(&d, "many_steps", false);
    driver_prompt(&d, "info trial");
    complete("tensors step ");
    assert_int_equal(found.n, SM_CANDIDATES_MAX);
    assert_true(found.more);
}

/* Any prefix of any line must do no harm. */
static void any_prefix(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "tensors -where 'a > b' [x \"q\\\" -- | less",
        "set print precision-style full extra words here",
        "help set print elements and more",
        "print `a b`[0]@100 + mean(",
        "|tensors | wc",
        "!ls",
        "x/20g labels[0, :",
        "tensor @eval:12/worker_1 step",
        "info tensor 'x",
        "source > >> | \\",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (size_t n = 0; n <= strlen(lines[i]); n++) {
            sm_candidates_clear(&found);
            sm_complete(d.session, lines[i], n, &found);
            assert_true(found.start <= n);
        }
}

static void the_command_prints_whole_lines(void **state)
{
    (void)state;
    assert_answer(&d, "complete tensor CNN_conv0.",
                  "tensor CNN_conv0.bias\ntensor CNN_conv0.weight\n");
    assert_answer(&d, "complete info wo", "info workers\n");
    assert_answer(&d, "complete zz", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_from_the_trial, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(expressions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(settings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_trial, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_names_are_quoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(never_more_than_a_screen_can_bear, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_prefix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_command_prints_whole_lines, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sm_candidates_clear(&found);
    return failed;
}
