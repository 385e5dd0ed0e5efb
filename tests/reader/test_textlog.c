/* SPDX-License-Identifier: Apache-2.0 */
/* Plain logs: the forms of lines in tests/samples/log/forms.txt, real logs, and the poll. */
#include "reader/base/clock.h"
#include "reader/base/map.h"
#include "reader/textlog/textlog.h"
#include "reader/textlog/textlog_lines.h"
#include "reader/textlog/textlog_state.h"

#include "fake_log_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- the parser ---- */

/* The points of a parser: "=> loss: 1=0.5 2=0.25\n" for each series. */
struct points {
    struct sm_names *names;
    struct sm_str *text; /* by series */
    uint32_t series, last;
    double time;
};

static uint32_t add_series(void *ctx, const char *name, size_t n)
{
    struct points *p = ctx;
    uint32_t id = sm_names_add(p->names, name, n);
    assert_true(id != SM_NAME_NONE);
    if (id < p->series)
        return id;
    if ((id & (id - 1)) == 0)
        p->text = realloc(p->text, (id ? 2 * id : 1) * sizeof *p->text);
    p->text[id] = (struct sm_str){0};
    p->series = id + 1;
    return id;
}

static void add_point(void *ctx, uint32_t series, int64_t step, double time, double value)
{
    struct points *p = ctx;
    sm_str_printf(&p->text[series], " %lld=%.10g", (long long)step, value);
    p->time = time;
    p->last++;
}

static void clear_points(struct points *p)
{
    for (uint32_t i = 0; i < p->series; i++)
        sm_str_clear(&p->text[i]);
    free(p->text);
    sm_names_free(p->names);
}

static void print_points(const struct points *p, struct sm_str *out)
{
    sm_str_add(out, "");
    for (uint32_t i = 0; i < p->series; i++)
        sm_str_printf(out, "=> %s:%s\n", sm_names_text(p->names, i), sm_str_text(&p->text[i]));
}

/* Parses a text in pieces of `piece` bytes. */
static void parse(const char *text, size_t n, size_t piece,
                  const struct sm_textlog_patterns *patterns, struct sm_str *out)
{
    struct points p = {.names = sm_names_new()};
    const struct sm_textlog_out to = {&p, add_series, add_point};
    struct sm_textlog *t = sm_textlog_new(patterns, &to), *next;
    for (; t; t = next) {
        for (size_t at = 0; at < n; at += piece)
            sm_textlog_feed(t, text + at, n - at < piece ? n - at : piece);
        sm_str_truncate(out, 0);
        print_points(&p, out);
        clear_points(&p);
        p = (struct points){.names = sm_names_new()};
        next = sm_textlog_again(t, patterns);
        sm_textlog_free(t);
    }
    clear_points(&p);
}

static void check_text(const char *text, const char *want)
{
    struct sm_str got = {0};
    parse(text, strlen(text), 1000, NULL, &got);
    assert_string_equal(sm_str_text(&got), want);
    parse(text, strlen(text), 1, NULL, &got);
    assert_string_equal(sm_str_text(&got), want);
    sm_str_clear(&got);
}

static char *load(const char *name, size_t *n)
{
    char path[200];
    snprintf(path, sizeof path, "tests/samples/log/%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 1 << 20);
    *n = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    return text;
}

/* Takes the lines up to the next that begins with `stop`, or up to the end. */
static char *take_until(const char **p, const char *const *stop)
{
    struct sm_str out = {0};
    sm_str_add(&out, "");
    while (**p) {
        for (const char *const *s = stop; *s; s++)
            if (strncmp(*p, *s, strlen(*s)) == 0)
                return out.data;
        const char *lf = strchr(*p, '\n');
        sm_str_addn(&out, *p, (size_t)(lf + 1 - *p));
        *p = lf + 1;
    }
    return out.data;
}

static void test_forms(void **state)
{
    (void)state;
    size_t n, sections = 0;
    char *all = load("forms.txt", &n);
    for (const char *p = all; *p;) {
        p = strchr(p, '\n') + 1;
        char *text = take_until(&p, (const char *const[]){"=> ", "@ ", NULL});
        char *want = take_until(&p, (const char *const[]){"@ ", NULL});
        check_text(text, want);
        free(text);
        free(want);
        sections++;
    }
    free(all);
    assert_true(sections > 30);
}

/* ---- lines ---- */

static void test_redrawn_lines(void **state)
{
    (void)state;
    check_text("step 1 loss 5\rstep 1 loss 4\rstep 1 loss 3\n", "=> loss: 1=3\n");
    check_text("step 1 loss 5\r\nstep 2 loss 4\r\n", "=> loss: 1=5 2=4\n");
    check_text("step 1 loss 55\b\b4.5\n", "=> loss: 1=4.5\n");
    check_text("\x1b[31mstep 1\x1b[0m \x1b]0;title\x07loss \x1b[1m5\x1b[K\n", "=> loss: 1=5\n");
    check_text("step 1 loss 5\r          \r\n", "=> loss: 1=5\n");
    check_text(" 10%|#  | 1/10 [00:01<00:02, 3.1it/s, loss=9]step 1: loss 5\n", "=> loss: 1=5\n");
    check_text("30it [00:00, 230.2it/s]step 1: loss 5\n", "=> loss: 1=5\n");
    check_text("step 3: 50%|#####     | 5/10 [00:01<00:01, 4.0it/s, loss=2]\n", "=> loss: 3=2\n");
    check_text("step 1 loss 5 50%|###\n", "");
}

/* Values of bars, each state of which counts, unless a line of the log has the name. */
static void test_bars(void **state)
{
    (void)state;
#define BAR(what, n, values) what "  10%|#    | " n "/10 [00:01<00:02, 3.1it/s" values "]"
    check_text("\r" BAR("", "1", ", loss=9, acc=0.5") "\r" BAR("", "2", ", loss=8") "\n",
               "=> loss: 1=9 2=8\n=> acc: 1=0.5\n");
    check_text(BAR("Epoch 0: ", "10", ", loss=9") "\n" BAR("Epoch 1: ", "3", ", loss=8") "\n",
               "=> loss: 10=9 13=8\n");
    check_text(
        BAR("", "9", ", loss=9") "\r" BAR("", "10", ", loss=8") "\n" BAR("", "1", ", loss=7"),
        "=> loss: 9=9 10=8\n");
    check_text(BAR("", "10", ", loss=8") "\n" BAR("", "1", ", loss=7") "\n",
               "=> loss: 10=8 11=7\n");
    check_text("Epoch 3/9\n" BAR("", "10", ", loss=8") "\n" BAR("", "1", ", loss=7") "\n",
               "=> loss: 10=8 1=7\n");
    check_text(BAR("Epoch 0: : ", "1", ", v_num=0, loss=9, global_step=4.000") "\n",
               "=> loss: 4=9\n");
    check_text(BAR("1|10|Loss: 1.5: ", "7", "") "\n", "=> Loss: 7=1.5\n");
    check_text("steps: 7it [00:01, 3.1it/s, avr_loss=0.25]\n", "=> avr_loss: 7=0.25\n");
    check_text("Map (num_proc=4): " BAR("", "7", " examples/s") "\n", "");
    check_text("Download: 10%|#  | 1.2M/3.4M [00:01<00:02, 3.1MB/s, x=1]\n", "");
    check_text(BAR("", "1", ", loss=9, acc=0.5") "\rstep 2 loss 3\n",
               "=> acc: 1=0.5\n=> loss: 2=3\n");
    check_text(BAR("", "10", ", loss=9") "\n" BAR("Validating: ", "2", ", loss=8") "\n",
               "=> loss: 10=9\n=> val loss: 2=8\n");
#undef BAR
}

static void test_real_logs(void **state)
{
    (void)state;
    static const struct {
        const char *file, *line; /* one that must be among the points */
    } logs[] = {
        {"keras.log", "=> val_mae: 1=1.7576"},
        {"keras2.log", "=> val_mae: 1=1.8655 2=1.8418 3=1.8394 4=1.8392 5=1.8391\n"},
        {"lightgbm.log", "=> valid_1's l2: 1=5.12777 2=4.60794"},
        {"catboost.log", "=> learn: 0=1.8586315 1=1.4914279"},
        {"nohup.out", "=> train_loss: 4=2.62448 9=1.32474"},
        {"tqdm_bars.log", "=> mean: 1=1 2=0.75 3=0.611"},
        {"ultralytics.log", "=> box_loss: 1=0.8822 1=0.4759"},
        {"tqdm_print.log", "=> loss: 4=0.4 9=0.2 14=0.1333"},
        {"olmo.log", "=> System/Peak GPU Memory (MB): 1=31234"},
        {"megatron.log", "=> elapsed time per iteration (ms): 10=512.3"},
        {"xgboost.log", "=> eval-rmse: 0=2.16656 1=1.8567"},
        {"hf_prints.log", "=> train_runtime: 12=0.6207"},
        {"torchtitan.log", "=> tps: 1=4000 10=4321"},
        {"nanogpt.log", "=> val loss: 0=2.6476"},
        {"epochs.log", "=> lr: 1=0.001"},
    };
    struct sm_str got = {0}, pieces = {0};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        size_t n;
        char *text = load(logs[i].file, &n);
        parse(text, n, n, NULL, &got);
        parse(text, n, 7, NULL, &pieces);
        assert_non_null(strstr(sm_str_text(&got), logs[i].line));
        assert_string_equal(sm_str_text(&pieces), sm_str_text(&got));
        assert_true(sm_textlog_looks_like(text, n, NULL));
        free(text);
    }
    sm_str_clear(&got);
    sm_str_clear(&pieces);
}

static void test_looks_like(void **state)
{
    (void)state;
    static const char *const no[] = {
        "",
        "talked about loss and accuracy; nothing to see\n",
        "| epoch | loss |\n|---|---|\n| 1 | 0.5 |\n| 2 | 0.4 |\n| 3 | 0.3 |\n",
        "numpy==1.26.0\ntorch>=2.1\nscipy==1.11\n",
        "0 0.5 0.5 0.1 0.1\n1 0.5 0.5 0.1 0.1\n2 1 1 1 1\n",
        "step 1 loss 3\nstep 2 loss 2\n",
        "epochs: 10\nlr: 0.1\nbatch: 3\nsteps: 100\n",
        "step 3 loss 3\nstep 2 loss 2\nstep 1 loss 2\n"};
    static const char yes[] = "step 1 loss 3\nstep 2 loss 2\nstep 3 loss 2\n";
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(sm_textlog_looks_like(no[i], strlen(no[i]), NULL));
    assert_true(sm_textlog_looks_like(yes, sizeof yes - 1, NULL));
}

static void test_time(void **state)
{
    (void)state;
    static const char text[] = "2026-02-01 09:00:01,250 - root - INFO - step: 1 loss: 3\n";
    struct points p = {.names = sm_names_new()};
    const struct sm_textlog_out to = {&p, add_series, add_point};
    setenv("TZ", "UTC", 1);
    struct sm_textlog *t = sm_textlog_new(NULL, &to);
    sm_textlog_feed(t, text, sizeof text - 1);
    assert_true(p.time == 1769936401.25);
    sm_textlog_feed(t, text + 24, sizeof text - 1 - 24);
    assert_true(isnan(p.time));
    sm_textlog_free(t);
    clear_points(&p);
}

/* ---- hostile input ---- */

static void test_hostile(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "step 1 loss 2 (", "\x1b[", "{'a':", "[1/2] ", "a: ",  "(",  "%|", "\b",
        "step ",           "0",     "\r",    "x=1 ",   "= 1 ", "] ", "  "};
    struct sm_str text = {0}, got = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sm_str_truncate(&text, 0);
        while (text.len < 3 * SM_TEXTLOG_LINE_MAX)
            sm_str_add(&text, parts[i]);
        sm_str_add(&text, "\nstep 7 loss 2\n");
        parse(text.data, text.len, 100000, NULL, &got);
        assert_non_null(strstr(sm_str_text(&got), "7=2"));
    }
    sm_str_clear(&text);
    sm_str_clear(&got);
}

static void count_line(void *ctx, struct sm_text text)
{
    size_t *n = ctx;
    *n += text.n > 0;
}

/* A bar that is redrawn for days stays one line, and is not kept. */
static void test_endless_line(void **state)
{
    (void)state;
    struct sm_textlog_lines l = {0};
    char piece[100];
    size_t states = 0;
    for (int i = 0; i < 100000; i++) {
        int n = snprintf(piece, sizeof piece, "\r 10%%|#   | %d/9 [00:01<00:02, 3.1it/s]", i);
        sm_textlog_lines_feed(&l, piece, (size_t)n, count_line, &states);
    }
    assert_true(l.part.len <= SM_TEXTLOG_LINE_MAX);
    assert_int_equal(states, 99999);
    assert_true(l.drawn.len < 100);
    struct sm_text rest = sm_textlog_lines_rest(&l);
    assert_true(rest.n && memmem(rest.p, rest.n, "99999/9", 7));
    sm_textlog_lines_clear(&l);
}

/* Each name is a series only up to a limit. */
static void test_many_names(void **state)
{
    (void)state;
    struct sm_str text = {0};
    struct points p = {.names = sm_names_new()};
    const struct sm_textlog_out to = {&p, add_series, add_point};
    struct sm_textlog *t = sm_textlog_new(NULL, &to);
    for (int i = 0; i < 30000; i++) {
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "step 1 | x%d: 3\n", i);
        sm_textlog_feed(t, text.data, text.len);
    }
    assert_int_equal(p.series, 20000);
    sm_textlog_free(t);
    clear_points(&p);
    sm_str_clear(&text);
}

/* ---- patterns of the user ---- */

static void test_patterns(void **state)
{
    (void)state;
    static const char file[] = "# mine\n\n"
                               "^T(?<step>\\d+) L (?<train__loss>\\S+)\n"
                               "^U(?<step>\\d+)|(?<name>\\w+)~(?<value>\\S+)\r\n"
                               "^row (?<x>[-\\d.]+)$";
    static const char text[] =
        "T10 L 0.5\nT1,000 L x\nU7 a~1 b~2.5 c~no\nrow 3\nrow 4\nstep 9 loss 1\n";
    struct sm_err err;
    struct sm_str got = {0};
    struct sm_textlog_patterns *p = sm_textlog_patterns_new("f", file, sizeof file - 1, &err);
    assert_non_null(p);
    parse(text, sizeof text - 1, 100, p, &got);
    assert_string_equal(sm_str_text(&got), "=> train/loss: 10=0.5\n=> a: 7=1\n=> b: 7=2.5\n"
                                           "=> x: 2=3 3=4\n=> loss: 9=1\n");
    sm_textlog_patterns_free(p);
    sm_str_clear(&got);
}

static void test_bad_patterns(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"# x\n(?<loss>", "my file: line 2: at "},
        {"(\\d+)", "my file: line 1: no named group"},
        {"(?<step>\\d+)", "my file: line 1: no named group"},
        {"\n\n(?<name>a)", "my file: line 3: the groups \"name\" and \"value\" need each other"},
    };
    struct sm_err err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(sm_textlog_patterns_new("my file", bad[i][0], strlen(bad[i][0]), &err));
        assert_non_null(strstr(err.msg, bad[i][1]));
    }
}

/* A pattern that takes exponential time is given up. */
static void test_slow_pattern(void **state)
{
    (void)state;
    static const char file[] = "^(?<x>(a+)+)$\n";
    struct sm_err err;
    struct sm_str text = {0}, got = {0};
    struct sm_textlog_patterns *p = sm_textlog_patterns_new("f", file, sizeof file - 1, &err);
    for (int i = 0; i < 2000; i++)
        sm_str_add(&text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0b\n");
    sm_str_add(&text, "step 1 loss 2\n");
    parse(text.data, text.len, 10000, p, &got);
    assert_string_equal(sm_str_text(&got), "=> loss: 1=2\n");
    sm_textlog_patterns_free(p);
    sm_str_clear(&text);
    sm_str_clear(&got);
}

/* ---- the poll ---- */

struct run {
    struct sm_source *source;
    struct sm_log_sink *sink;
    void *state;
};

static bool follows = true;

static struct run open_run(const char *text)
{
    struct sm_err err;
    struct run r = {.source = sm_source_mem_new(&err), .sink = fake_sink_new()};
    static struct sm_trial_input in;
    sm_source_mem_put(r.source, "a.log", text, strlen(text));
    in = (struct sm_trial_input){.source = r.source,
                                 .options = {.member = "a.log", .follow = follows}};
    r.state = sm_textlog_format.open(&in);
    fake_sink_poll(r.sink, &sm_textlog_format, r.state);
    return r;
}

static void change(struct run *r, const char *text)
{
    sm_source_mem_put(r->source, "a.log", text, strlen(text));
    fake_sink_poll(r->sink, &sm_textlog_format, r->state);
}

static void check_points(const struct run *r, const char *name, const char *want)
{
    assert_string_equal(fake_sink_points(r->sink, name), want);
}

static void close_run(struct run *r)
{
    sm_textlog_format.close(r->state);
    fake_sink_free(r->sink);
    sm_source_unref(r->source);
}

static void test_grows(void **state)
{
    (void)state;
    struct run r = open_run("step 1 loss 3\n");
    check_points(&r, "loss", "1=3");
    change(&r, "step 1 loss 3\nstep 2 loss 2\nstep 3 lo");
    check_points(&r, "loss", "1=3 2=2");
    change(&r, "step 1 loss 3\nstep 2 loss 2\nstep 3 loss 1\n");
    check_points(&r, "loss", "1=3 2=2 3=1");
    const char *calls = fake_sink_take(r.sink);
    assert_non_null(strstr(calls, "console step 1 loss 3"));
    assert_int_equal(r.sink->problems, 0);
    close_run(&r);
}

/* Values that something follows are sure in a line without an end; the last one may be torn. */
static void test_torn_end(void **state)
{
    (void)state;
    sm_clock_freeze(1000000, 1000000);
    struct run r = open_run("step 1 | loss: 3.5 | acc: 0.1");
    check_points(&r, "loss", "1=3.5");
    check_points(&r, "acc", "");
    change(&r, "step 1 | loss: 3.5 | acc: 0.125\n");
    check_points(&r, "acc", "1=0.125");
    close_run(&r);
    r = open_run("{'loss': 1.5}\n{'loss': 0.");
    check_points(&r, "loss", "0=1.5");
    change(&r, "{'loss': 1.5}\n{'loss': 0.5}");
    check_points(&r, "loss", "0=1.5 1=0.5");
    close_run(&r);
    sm_clock_thaw();
}

/* The last value counts when nothing more will come; if it does come, it is another value. */
static void test_no_end(void **state)
{
    (void)state;
    sm_clock_freeze(1000000, 1000000);
    struct run r = open_run("step 1 loss: 3.5\nstep 2 loss: 0.1");
    check_points(&r, "loss", "1=3.5");
    sm_clock_advance(61000000);
    fake_sink_poll(r.sink, &sm_textlog_format, r.state);
    check_points(&r, "loss", "1=3.5 2=0.1");
    fake_sink_poll(r.sink, &sm_textlog_format, r.state);
    check_points(&r, "loss", "1=3.5 2=0.1");
    change(&r, "step 1 loss: 3.5\nstep 2 loss: 0.125\n");
    check_points(&r, "loss", "1=3.5 2=0.1 2=0.125");
    close_run(&r);
    follows = false;
    r = open_run("step 1 loss: 3.5\nstep 2 loss: 0.1");
    check_points(&r, "loss", "1=3.5 2=0.1");
    close_run(&r);
    follows = true;
    sm_clock_thaw();
}

static void test_written_anew(void **state)
{
    (void)state;
    struct run r = open_run("step 1 loss 3\nstep 2 loss 2\n");
    change(&r, "step 1 loss 7\n");
    assert_int_equal(r.sink->restarts, 1);
    check_points(&r, "loss", "1=7");
    close_run(&r);
}

static void test_nothing_found(void **state)
{
    (void)state;
    struct sm_err err;
    struct sm_trial_input in = {.source = sm_source_mem_new(&err), .options = {.member = "a.txt"}};
    struct sm_log_sink *sink = fake_sink_new();
    sm_source_mem_put(in.source, "a.txt", "hello\n", 6);
    void *s = sm_textlog_format.open(&in);
    fake_sink_poll(sink, &sm_textlog_format, s);
    fake_sink_poll(sink, &sm_textlog_format, s);
    assert_non_null(strstr(fake_sink_take(sink), "problem a.txt -1 no line has a step"));
    assert_int_equal(sink->problems, 1);
    sm_textlog_format.close(s);
    fake_sink_free(sink);
    sm_source_unref(in.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),         cmocka_unit_test(test_redrawn_lines),
        cmocka_unit_test(test_bars),          cmocka_unit_test(test_real_logs),
        cmocka_unit_test(test_looks_like),    cmocka_unit_test(test_time),
        cmocka_unit_test(test_hostile),       cmocka_unit_test(test_endless_line),
        cmocka_unit_test(test_many_names),    cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_bad_patterns),  cmocka_unit_test(test_slow_pattern),
        cmocka_unit_test(test_grows),         cmocka_unit_test(test_torn_end),
        cmocka_unit_test(test_no_end),        cmocka_unit_test(test_written_anew),
        cmocka_unit_test(test_nothing_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
