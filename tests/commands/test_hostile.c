/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile trial, or one with odd names: no command writes anything harmful to the terminal, a
 * file or another program, every tensor can be named, and no file outside of the trial is read. */
#include "commands/language/cmd.h"
#include "commands/language/command_line.h"
#include "reader/base/json.h"
#include "reader/format/dtype.h"
#include "reader/hook/writer.h"
#include "tests/commands/harmless.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#define EVIL                                                                                       \
    "\033]0;title\a\033[2J\xe2\x80\xae\xc2\x9b"                                                    \
    "31m\n\r\x7f\xff"

enum { LONG_NAME = 10240, MANY = 10000 };

static const char *const odd_names[] = {
    "plain",
    ("escape" EVIL),
    "line\nfeed",
    "tab\there",
    " blank in front",
    "two  blanks ",
    "-json",
    "--",
    "$(id)",
    "`id`",
    "quote\"'`,;",
    "back\\slash",
    "pipe | cat > file",
    "# comment",
    "=cmd|' /C calc'!A0",
    "slice[0]",
    "@5",
    "step",
    "worker",
    "mode",
    "last",
    "all",
    "100",
    "2:5",
    "*",
    "/re/",
    "+all",
    "\xff\xfe",
    "cut\xe2\x82",
    "umlaut\xc3\xa9",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\con",
};
enum { N_ODD = sizeof odd_names / sizeof *odd_names };

static struct driver d;
static char dir[64], trial[128], long_name[LONG_NAME + 1];

/* ---- the trial ---- */

static void put(struct sm_writer *w, const char *name, float value)
{
    struct sm_err err;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_elements = 1,
                               .content = {(const uint8_t *)&value, sizeof value}};
    if (!sm_writer_tensor(w, &v, 1e9, &err))
        fail_msg("%s", err.msg);
}

/* Writes a file with an old time, so that the trial is not live. */
static void write_file(const char *name, const char *text)
{
    const struct utimbuf long_ago = {1000000000, 1000000000};
    char path[512];
    snprintf(path, sizeof path, "%s/%s", trial, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(utime(path, &long_ago), 0);
}

static void write_index(int step, const char *worker, const char *events, const char *mode)
{
    char name[256], text[1024];
    snprintf(name, sizeof name, "index/000000000/%012d_%s.json", step, worker);
    snprintf(
        text, sizeof text,
        "{\"meta\": {\"mode\": \"%s\", \"mode_step\": %d, \"event_file_name\": \"%s\"}, "
        "\"tensor_payload\": "
        "[{\"tensorname\": \"outside\", \"start_idx\": 0, \"length\": 40}], \"shape_payload\": []}",
        mode, step, events);
    write_file(name, text);
}

static void write_odd_names(void)
{
    struct sm_writer *w;
    struct sm_err err;
    const char *regexes[] = {"(" EVIL, "plain"};
    struct sm_collection_def coll = {
        .name = "coll" EVIL, .regexes = regexes, .n_regexes = 2, .reductions = ""};
    struct sm_collections_def all = {&coll, 1, 1};
    assert_true(sm_writer_open(trial, "worker_0", &w, &err));
    assert_true(sm_writer_collections(w, &all, &err));
    for (int step = 0; step < 2; step++) {
        assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
        for (int i = 0; i < N_ODD; i++)
            put(w, odd_names[i], (float)i);
        put(w, long_name, -1);
        assert_true(sm_writer_end_step(w, &err));
    }
    sm_writer_close(w);
}

static int open_trial(void **state)
{
    struct sm_err err;
    (void)state;
    memset(long_name, 'x', LONG_NAME);
    if (!make_scratch(dir, sizeof dir))
        return -1;
    snprintf(trial, sizeof trial, "%s/trial%s", dir, "\033[31m\n");
    write_odd_names();
    driver_open(&d, NULL, true);
    sm_exec_keep_going(d.exec, true);
    return sm_session_open(d.session, trial, NULL, true, &err) ? 0 : -1;
}

static int close_trial(void **state)
{
    (void)state;
    driver_close(&d);
    return remove_tree(dir);
}

/* ---- checks of output ---- */

static void assert_json(const char *line, const struct sm_str *text)
{
    static const struct sm_json_ops ops = {0};
    const char *p = sm_str_text(text);
    struct sm_err err;
    while (*p) {
        size_t n = strcspn(p, "\n");
        if (!sm_json_parse(p, n, &ops, NULL, &err))
            fail_msg("%s: %s", line, err.msg);
        p += n + (p[n] == '\n');
    }
}

static const char *run_line(const char *line)
{
    driver_say(&d, line, SM_FROM_OPTION);
    assert_harmless(line, &d.out);
    assert_harmless(line, &d.err);
    return sm_str_text(&d.out);
}

static const char *const commands[] = {
    "tensors",
    "tensors -stats",
    "tensors *",
    "info trial",
    "info errors",
    "info tensors",
    "info steps",
    "info modes",
    "info workers",
    "info collections",
    "info files",
    "info session",
    "info sessions",
    "info memory",
    "info tensor plain",
    "stat *",
    "doctor",
    "why plain",
    "plot *",
    "spark *",
    "find nan",
    "find 3",
    "tensor nosuch",
    "tensor \"no\\x1bsuch\\xff\"",
    "info nosuch\033[31m",
    "nosuch\033[31m\xff",
    "set nosuch\033 1",
    "print nosuch\xff",
    "print `escape`",
    "open \"/no\\x1b[31m\\xff\"",
    "source \"/no\\x1b[31m\\xff\"",
    "watch \xe2\x80\xae",
    "break nosuch\033",
    "display \"\xe2\x80\xae\"",
    "info breakpoints",
    "info display",
};

static void sweep(void)
{
    static const char *const formats[] = {"", " -json", " -jsonl", " -csv", " -tsv"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            char line[256];
            snprintf(line, sizeof line, "%s%s", commands[i], formats[f]);
            run_line(line);
            if (f == 1 || f == 2)
                assert_json(line, &d.out);
        }
    run_line("complete tensors +");
    run_line("complete tensors collection ");
    run_line("complete stat plain worker ");
    assert_string_equal(run_line("echo still listening\\n"), "still listening\n");
}

/* ---- tests ---- */

static void test_output_is_harmless(void **state)
{
    (void)state;
    run_line("tensors -csv -field name");
    assert_non_null(
        strstr(d.out.data, "escape\\x1b]0;title\\x07\\x1b[2J\\u{202e}\\x9b31m\n\\x0d\\x7f"));
    sweep();
}

static void test_completion_finds_every_name(void **state)
{
    static const char *const verbs[] = {"stat", "info tensor", "whatis", "tensor"};
    (void)state;
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        char line[64];
        int found = 0;
        snprintf(line, sizeof line, "complete %s ", verbs[v]);
        char *all = strdup(run_line(line)), *rest = all;
        for (char *candidate; (candidate = strsep(&rest, "\n"));)
            if (strlen(candidate) > strlen(verbs[v]) + 1 &&
                strncmp(candidate, verbs[v], strlen(verbs[v])) == 0) {
                run_line(candidate);
                if (d.err.len || !d.out.len)
                    fail_msg("%s: %s", candidate, sm_str_text(&d.err));
                found++;
            }
        assert_int_equal(found, N_ODD + 1);
        free(all);
    }
}

struct names_read {
    bool name;
    size_t n_same;
};

static bool on_key(void *ctx, const char *p, size_t n)
{
    ((struct names_read *)ctx)->name = n == 4 && memcmp(p, "name", 4) == 0;
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct names_read *r = ctx;
    for (int i = 0; r->name && i < N_ODD; i++)
        r->n_same += strlen(odd_names[i]) == n && memcmp(odd_names[i], p, n) == 0;
    r->name = false;
    return true;
}

static void test_json_preserves_names(void **state)
{
    static const struct sm_json_ops ops = {.key = on_key, .string = on_string};
    struct names_read r = {0};
    struct sm_err err;
    (void)state;
    run_line("tensors -json");
    assert_true(sm_json_parse(d.out.data, d.out.len - 1, &ops, &r, &err));
    assert_int_equal(r.n_same, N_ODD - 3); /* three are not UTF-8 */
}

static void test_no_outside_file_is_read(void **state)
{
    char path[256], link[512];
    (void)state;
    snprintf(path, sizeof path, "%s/secret", dir);
    FILE *f = fopen(path, "w");
    fputs("do not read this, whatever the index says about it", f);
    fclose(f);
    snprintf(link, sizeof link, "%s/events/link", trial);
    assert_int_equal(symlink(path, link), 0);
    write_index(5, "worker_0", "../secret", "TRAIN");
    write_index(6, "worker_0", path, "TRAIN");
    write_index(7, "worker_0", "events/link", "TRAIN");
    write_index(8, "worker_0", "events/none\\u001b[31m\\n", "TR\\u001bAIN");
    write_index(9, "work\033[31m\ner", "events/../../secret", "TRAIN");
    write_index(10, "worker_0", "events", "TRAIN");
    run_line("refresh");
    for (int step = 5; step <= 10; step++) {
        char line[64];
        snprintf(line, sizeof line, "stat outside step %d", step);
        run_line(line);
        if (d.out.len || !d.err.len)
            fail_msg("%s: %s", line, sm_str_text(&d.out));
        assert_null(strstr(d.err.data, "do not read"));
    }
    assert_non_null(strstr(run_line("info errors"), "leaves the trial"));
    sweep();
}

static void test_broken_files_with_odd_names(void **state)
{
    (void)state;
    write_file("collections/000000000/w\033[31m\n_collections.json", "{\"\033[2J");
    write_file("collections/000000000/v_collections.json",
               "{\"collections\": {\"\\u001b[31m\": 5}}");
    write_file("index/000000000/000000000005_w\033]0;x\a.json", "[\033]");
    write_index(6, "w\033]0;x\a", "events/none", "TRAIN");
    run_line("refresh");
    run_line("info errors");
    assert_non_null(strstr(d.out.data, "w\\x1b]0;x\\x07.json"));
    assert_non_null(strstr(d.out.data, "w\\x1b[31m\\x0a_collections.json"));
    sweep();
}

static void test_names_that_are_not_utf8(void **state)
{
    (void)state;
    write_file("index/000000000/000000000005_worker_0.json",
               "{\"meta\": {\"mode\": \"TRAIN\", \"mode_step\": 5, \"event_file_name\": "
               "\"events/none\"}, \"tensor_payload\": "
               "[{\"tensorname\": \"raw\xff\xfe\", \"start_idx\": 0, \"length\": 40}], "
               "\"shape_payload\": []}");
    write_index(6, "worker_0", "events/none", "TRAIN");
    run_line("refresh");
    assert_non_null(strstr(run_line("tensors -csv -field name"), "raw\\xff\\xfe\n"));
    assert_non_null(strstr(run_line("tensors -json -field name"),
                           "{\"name\":\"raw\\ufffd\\ufffd\",\"raw\":\"cmF3//4=\"}"));
    assert_non_null(strstr(run_line("complete stat raw"), "stat \"raw\\xff\\xfe\"\n"));
    assert_non_null(strstr(run_line("info tensor \"raw\\xff\\xfe\""), "raw\\xff\\xfe"));
    sweep();
}

/* A zero byte does not end a name. A quoted name is also completed after an escape. */
static void test_names_with_a_zero_byte(void **state)
{
    (void)state;
    write_file("index/000000000/000000000005_worker_0.json",
               "{\"meta\": {\"mode\": \"TRAIN\", \"mode_step\": 5, \"event_file_name\": "
               "\"events/none\"}, \"tensor_payload\": "
               "[{\"tensorname\": \"nul\\u0000one\", \"start_idx\": 0, \"length\": 40}, "
               "{\"tensorname\": \"nul\\u0000two\", \"start_idx\": 40, \"length\": 40}, "
               "{\"tensorname\": \"step\\u0000\", \"start_idx\": 80, \"length\": 40}], "
               "\"shape_payload\": []}");
    write_index(6, "worker_0", "events/none", "TRAIN");
    run_line("refresh");
    assert_string_equal(run_line("complete stat nul"),
                        "stat \"nul\\x00one\"\nstat \"nul\\x00two\"\n");
    assert_string_equal(run_line("complete stat \"nul\\x00t"), "stat \"nul\\x00two\"\n");
    assert_string_equal(run_line("complete whatis \"step\\"), "whatis \"step\\x00\"\n");
    assert_non_null(strstr(run_line("info tensor \"nul\\x00two\" -field name"), "nul\\x00two"));
    assert_non_null(strstr(run_line("info files step 5"), "events/none"));
    sweep();
}

/* In a saved file of lines, every name is one word. */
static void test_saved_breakpoints_can_be_read(void **state)
{
    char line[200], *before;
    (void)state;
    for (int i = 0; i < N_ODD; i++) {
        struct sm_str text = {0}, name = {0};
        if (strchr(odd_names[i], '\xff') || strstr(odd_names[i], "cut"))
            continue; /* not UTF-8: the index has a different name */
        sm_line_quote(&name, odd_names[i], strlen(odd_names[i]));
        bool quoted = name.data[0] == '"';
        sm_str_printf(&text, "%s %s%s%s", i % 2 ? "watch" : "break", quoted ? "" : "\"",
                      sm_str_text(&name), quoted ? "" : "\"");
        if (!strstr(run_line(sm_str_text(&text)), "(1 tensor)"))
            fail_msg("%s: %s %s", sm_str_text(&text), sm_str_text(&d.out), sm_str_text(&d.err));
        sm_str_clear(&text);
        sm_str_clear(&name);
    }
    before = strdup(run_line("info breakpoints -csv -field what"));
    snprintf(line, sizeof line, "save breakpoints %s/lines", dir);
    run_line(line);
    run_line("delete");
    snprintf(line, sizeof line, "source %s/lines", dir);
    run_line(line);
    assert_int_equal(d.err.len, 0);
    assert_string_equal(run_line("info breakpoints -csv -field what"), before);
    free(before);
}

static void test_ten_thousand_names(void **state)
{
    struct sm_writer *w;
    struct sm_err err;
    char name[64];
    (void)state;
    assert_true(sm_writer_open(trial, "worker_0", &w, &err));
    assert_true(sm_writer_begin_step(w, 2, SM_MODE_TRAIN, 2, &err));
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "net/block%d/weight", i);
        put(w, name, (float)i);
    }
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    run_line("refresh");
    assert_non_null(strstr(run_line("tensors net/* -stats"), "net/block9999/weight"));
    assert_non_null(
        strstr(run_line("tensors /block12.4.w/ -csv -field name"), "net/block1254/weight\n"));
    assert_string_equal(run_line("complete tensor net/block9998"), "tensor net/block9998/weight\n");
    assert_non_null(strstr(run_line("complete tensor net/"), "max-completions"));
    assert_string_equal(run_line("print max(net/block777/weight)"), "$1 = 777\n");
    assert_non_null(strstr(run_line("tensors -jsonl -sort name -r"), "block9999"));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, open_trial, close_trial)
    const struct CMUnitTest tests[] = {
        T(test_output_is_harmless),          T(test_completion_finds_every_name),
        T(test_json_preserves_names),        T(test_no_outside_file_is_read),
        T(test_broken_files_with_odd_names), T(test_names_that_are_not_utf8),
        T(test_names_with_a_zero_byte),      T(test_saved_breakpoints_can_be_read),
        T(test_ten_thousand_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
