/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb.h"
#include "reader/wandb/wandb_keys.h"

#include "tests/reader/fake_log_sink.h"
#include "tests/reader/wandb_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

static const char path[] = "run-1.wandb";

struct run {
    struct sm_trial_input in;
    struct sm_log_sink *sink;
    struct sm_str file;
    void *format;
};

static int setup(void **state)
{
    struct run *t = calloc(1, sizeof *t);
    t->in.source = sm_source_mem_new(NULL);
    t->in.options.member = path;
    t->sink = fake_sink_new();
    t->format = sm_wandb_format.open(&t->in);
    wandb_begin(&t->file);
    *state = t;
    return t->format ? 0 : -1;
}

static int teardown(void **state)
{
    struct run *t = *state;
    sm_wandb_format.close(t->format);
    fake_sink_free(t->sink);
    sm_source_unref(t->in.source);
    sm_str_clear(&t->file);
    free(t);
    return 0;
}

static void put_bytes(struct run *t, size_t n)
{
    assert_true(sm_source_mem_put(t->in.source, path, t->file.data, n));
    fake_sink_poll(t->sink, &sm_wandb_format, t->format);
}

static void put(struct run *t)
{
    put_bytes(t, t->file.len);
}

/* A file beside it. */
static void put_text(struct run *t, const char *name, const char *text)
{
    assert_true(sm_source_mem_put(t->in.source, name, text, strlen(text)));
    fake_sink_poll(t->sink, &sm_wandb_format, t->format);
}

static void assert_points(struct run *t, const char *series, const char *points)
{
    assert_string_equal(fake_sink_points(t->sink, series), points);
}

/* ---- history ---- */

static void test_steps(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 0, "loss 4.5; _timestamp 1.7953934094021928e+09; _step 0");
    wandb_history(&t->file, 5, "_step 5; loss 2.5");
    wandb_history(&t->file, 6, "loss 2");
    wandb_history(&t->file, -1, "loss 1.5; _step 9");
    wandb_history(&t->file, -1, "loss 1");
    put(t);
    assert_string_equal(fake_sink_take(t->sink),
                        "point loss 0 4.5 @1795393409.4021928\n"
                        "point loss 5 2.5\npoint loss 6 2\npoint loss 9 1.5\npoint loss 10 1\n"
                        "summary loss 1\n");
}

static void test_names(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 1,
                  "train>opt>lr 0.5; =val/loss 3; a.b 4; _runtime 2; _x 1; _wandb>y 2");
    wandb_history(&t->file, 2, "=train {\"opt\": {\"lr\": 0.25}, \"n\": 1}");
    put(t);
    assert_points(t, "train.opt.lr", "1=0.5 2=0.25");
    assert_points(t, "train.n", "2=1");
    assert_points(t, "val/loss", "1=3");
    assert_points(t, "a.b", "1=4");
    assert_points(t, "_runtime", "");
    assert_points(t, "_x", "");
    assert_points(t, "_wandb.y", "");
}

static void test_values_of_json(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 1, "x NaN; y -Infinity; z 1e400; b true; t \"word\"; n null; a [1,2]");
    wandb_history(&t->file, 2,
                  "x \"NaN\"; y \"Infinity\"; b false; t \"3.5\"; =o {\"x\": NaN, \"s\": \"q\"}");
    wandb_history(&t->file, 3, "x 9007199254740993; y tru; z 1.5.2; b {\"c\":; t ");
    put(t);
    assert_points(t, "x", "1=nan 2=nan 3=9007199254740992");
    assert_points(t, "y", "1=-inf 2=inf");
    assert_points(t, "z", "1=inf");
    assert_points(t, "b", "1=1 2=0");
    assert_points(t, "o.x", "2=nan");
    assert_points(t, "t", "");
    assert_points(t, "n", "");
    assert_points(t, "a", "");
    assert_points(t, "o.s", "");
}

static void add_typed(struct sm_str *message, const char *name, unsigned field, uint64_t v)
{
    struct sm_str item = pb_item(name, NULL);
    pb_int(&item, field, v);
    pb_message(message, 1, &item);
}

/* Values in fields of their own; also before the name, and with names around it. */
static void test_typed_values(void **state)
{
    struct run *t = *state;
    struct sm_str m = {0}, item = {0};
    add_typed(&m, "none", 3, 0);
    add_typed(&m, "yes", 4, 1);
    add_typed(&m, "minus", 5, 6000000001);
    add_typed(&m, "_step", 5, 14);
    item = pb_item("pi", NULL);
    pb_double(&item, 6, 3.25);
    pb_message(&m, 1, &item);
    item = pb_item("word", NULL);
    pb_text(&item, 7, "3.5");
    pb_message(&m, 1, &item);
    item = pb_item("object", NULL);
    pb_text(&item, 8, "{\"a\": 1}");
    pb_message(&m, 1, &item);
    pb_text(&item, 2, "split");
    pb_double(&item, 6, 1);
    pb_text(&item, 2, "name");
    pb_message(&m, 1, &item);
    wandb_message(&t->file, 2, &m);
    put(t);
    assert_points(t, "none", "");
    assert_points(t, "yes", "7=1");
    assert_points(t, "minus", "7=-3000000001");
    assert_points(t, "pi", "7=3.25");
    assert_points(t, "word", "");
    assert_points(t, "object.a", "7=1");
    assert_points(t, "split.name", "7=1");
}

static void test_no_scalars(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 1, "h>bins [1,2]; h>count 3; h>_type \"histogram\"; hh>count 4");
    wandb_history(&t->file, 2, "img>_type \"image-file\"; img>width 10; img>size>x 4; loss 1");
    wandb_history(&t->file, 3, "=g {\"v\": 1, \"h\": {\"n\": 2, \"_type\": \"histogram\"}}");
    wandb_history(&t->file, 4, "h>count 5; =img {\"_type\": \"x\", \"width\": 3}");
    wandb_history(&t->file, 5, "a.b>_type \"table-file\"; a.b>nrows 3; a.c 2");
    put(t);
    assert_points(t, "h.count", "4=5"); /* of a record where it is a number */
    assert_points(t, "hh.count", "1=4");
    assert_points(t, "img.width", "");
    assert_points(t, "img.size.x", "");
    assert_points(t, "loss", "2=1");
    assert_points(t, "g.v", "3=1");
    assert_points(t, "g.h.n", "");
    assert_points(t, "a.b.nrows", "");
    assert_points(t, "a.c", "5=2");
}

/* ---- define_metric ---- */

static void test_axes(void **state)
{
    struct run *t = *state;
    wandb_define(&t->file, "epoch", "", "");
    wandb_define(&t->file, "", "val/*", "epoch");
    wandb_define(&t->file, "", "val/x*", "other");
    wandb_define(&t->file, "val/step", "", "_step");
    wandb_history(&t->file, 1, "train/loss 5");
    wandb_history(&t->file, 2, "val/loss 3; epoch 0; val/xy 1; other 40; val/step 2");
    wandb_history(&t->file, 3, "val/loss 2.5");
    wandb_history(&t->file, 4, "epoch 1; val/loss 2");
    put(t);
    assert_points(t, "train/loss", "1=5");
    assert_points(t, "val/loss", "0=3 0=2.5 1=2"); /* where it is not stated: the newest */
    assert_points(t, "val/xy", "40=1");
    assert_points(t, "val/step", "2=2");
    assert_points(t, "epoch", "2=0 4=1");
    assert_int_equal(t->sink->restarts, 0);
}

/* Transformers: everything goes over a metric that the glob matches, too. */
static void test_axis_of_itself(void **state)
{
    struct run *t = *state;
    wandb_define(&t->file, "", "*", "train/global_step");
    wandb_history(&t->file, 0, "loss 5; train/global_step 10");
    wandb_history(&t->file, 1, "loss 4; train/global_step 20");
    put(t);
    assert_points(t, "loss", "10=5 20=4");
    assert_points(t, "train/global_step", "0=10 1=20");
}

/* Also when the file is read as it grows. */
static void test_defined_late(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 0, "loss 5; epoch 3");
    put(t);
    assert_points(t, "loss", "0=5");
    wandb_define(&t->file, "loss", "", "gone");
    wandb_define(&t->file, "loss", "", "epoch");
    wandb_history(&t->file, 1, "loss 4; epoch 4");
    put(t);
    assert_points(t, "loss", "3=5 4=4");
    assert_int_equal(t->sink->restarts, 1);
    wandb_history(&t->file, 2, "loss 3; epoch 5");
    put(t);
    assert_points(t, "loss", "3=5 4=4 5=3");
    assert_int_equal(t->sink->restarts, 1);
}

/* Hours and the like are no steps: many points would become one. */
static void test_axis_without_steps(void **state)
{
    struct run *t = *state;
    wandb_define(&t->file, "", "*", "hours");
    wandb_define(&t->file, "val", "", "epoch");
    wandb_history(&t->file, 7, "loss 5; hours 0; val 1; epoch 3");
    for (int i = 8; i < 16; i++)
        wandb_history(&t->file, i, "loss 4; hours 0.25; acc 1");
    put(t);
    assert_points(t, "loss", "7=5 8=4 9=4 10=4 11=4 12=4 13=4 14=4 15=4");
    assert_points(t, "hours", "7=0 8=0.25 9=0.25 10=0.25 11=0.25 12=0.25 13=0.25 14=0.25 15=0.25");
    assert_points(t, "val", "3=1"); /* the other axis stays */
    assert_int_equal(t->sink->restarts, 1);
}

/* However many axes turn out to have no steps, and however often they are defined anew. */
static void test_few_restarts(void **state)
{
    struct run *t = *state;
    for (int i = 0; i < 40; i++) {
        char text[64], name[16], axis[16];
        snprintf(name, sizeof name, "v%d", i);
        snprintf(axis, sizeof axis, "x%d", i);
        snprintf(text, sizeof text, "%s 1; %s %d.5", name, axis, i);
        wandb_history(&t->file, 2 * i, text);
        wandb_define(&t->file, name, "", axis);
        wandb_history(&t->file, 2 * i + 1, text);
        wandb_define(&t->file, name, "", "y");
        wandb_define(&t->file, name, "", axis);
    }
    put(t);
    assert_in_range(t->sink->restarts, 1, 6);
    assert_points(t, "v39", "78=1 79=1");
}

/* ---- what else is said of the run ---- */

static void put_run(struct run *t, const char *name, const char *config)
{
    struct sm_str m = {0}, c = pb_items(1, config), time = {0};
    pb_text(&m, 1, "id");
    pb_message(&m, 4, &c);
    pb_text(&m, 8, name);
    pb_int(&time, 1, 1700000000);
    pb_int(&time, 2, 500000000);
    pb_message(&m, 17, &time);
    wandb_message(&t->file, 17, &m);
}

static void test_run(void **state)
{
    struct run *t = *state;
    put_run(t, "brave-fox", "=_wandb {}; =lr 0.05; =net {\"depth\": 3}; =s \"t\"; _wandb>t 1");
    struct sm_str m = pb_items(1, "net>depth 4; late {}");
    wandb_message(&t->file, 5, &m);
    pb_int(&m, 1, (uint64_t)-9);
    pb_int(&m, 2, 12);
    wandb_message(&t->file, 18, &m);
    put(t);
    assert_string_equal(fake_sink_take(t->sink), "config lr 0.05\nconfig net {\"depth\": 3}\n"
                                                 "config s \"t\"\nname brave-fox\n"
                                                 "began 1700000000.5\nconfig net.depth 4\n"
                                                 "config late {}\nended 1 -9\n");
}

static void test_summary(void **state)
{
    struct run *t = *state;
    for (int i = 0; i < 3; i++) {
        struct sm_str m =
            pb_items(1, i < 2 ? "loss 5; a>b \"x\"; _wandb>runtime 1" : "loss 4.25; best true");
        wandb_message(&t->file, 3, &m);
    }
    put(t);
    assert_string_equal(fake_sink_take(t->sink),
                        "summary loss 4.25\nsummary a.b \"x\"\nsummary best true\n");
}

static void put_output(struct run *t, unsigned record, unsigned field, const char *text)
{
    struct sm_str m = {0};
    pb_text(&m, field, text);
    wandb_message(&t->file, record, &m);
}

static void test_console(void **state)
{
    struct run *t = *state;
    put_text(t, "files/output.log", "early\n");
    put(t);
    put_text(t, "files/output.log", "early\nmore\n");
    assert_string_equal(fake_sink_take(t->sink), "console early\n\nconsole more\n\n");
    put_output(t, 13, 3, "step 0");
    put_output(t, 4, 3, "\n");
    put_output(t, 27, 1, "logged");
    put(t); /* the records have it: the file is not shown any more */
    const char *got = strstr(fake_sink_take(t->sink), "restart\n");
    assert_string_equal(got, "restart\nconsole step 0\nconsole \n\nconsole logged\nconsole \n\n");
    put_text(t, "files/output.log", "early\nmore\nlate\n");
    assert_string_equal(fake_sink_take(t->sink), "");
}

static void test_alerts(void **state)
{
    struct run *t = *state;
    struct sm_str m = {0};
    pb_text(&m, 1, "title");
    wandb_message(&t->file, 10, &m);
    pb_text(&m, 2, "text");
    pb_text(&m, 3, "WARN");
    wandb_message(&t->file, 10, &m);
    pb_text(&m, 1, "title");
    pb_text(&m, 2, "text");
    pb_text(&m, 3, "WARN");
    wandb_message(&t->file, 10, &m);
    put(t);
    assert_string_equal(fake_sink_take(t->sink),
                        "alert -1 0 title\nalert -1 0 WARN: text\nalert -1 0 WARN: title: text\n");
}

static void test_system_metrics(void **state)
{
    struct run *t = *state;
    struct sm_str m = {0}, time = {0};
    struct sm_str items = pb_items(3, "=cpu 37.5; =disk.\\.usageGB 40; "
                                      "=network {\"sent\": 1, \"recv\": {\"x\": 2}}; =gpu \"A\"");
    sm_str_addn(&m, items.data, items.len);
    sm_str_clear(&items);
    pb_int(&time, 1, 1700000000);
    pb_message(&m, 2, &time);
    wandb_message(&t->file, 7, &m);
    put(t);
    assert_string_equal(fake_sink_take(t->sink),
                        "system cpu 1700000000 37.5\nsystem disk.\\.usageGB 1700000000 40\n"
                        "system network.sent 1700000000 1\nsystem network.recv.x 1700000000 2\n");
}

static void test_config_file(void **state)
{
    struct run *t = *state;
    put(t);
    put_text(t, "files/config.yaml",
             "wandb_version: 1\n\n_wandb:\n  desc: null\n  value:\n    cli_version: 0.9\n"
             "lr:\n  desc: null\n  value: 0.02\n"
             "net:\n    value:\n        act:\n            name: 'it''s'\n        depth: 3\n"
             "    desc: x\n"
             "layers:\n  value:\n  - 4\n  - \"a: b\"\n  - [1, 2]\n"
             "deep:\n    value:\n        - 1\n        - k: v\n          l: w\n        - 2\n"
             "text:\n  value: |\n    lr: 5\n    more\n"
             "last:\n  value: .nan\n");
    assert_string_equal(fake_sink_take(t->sink),
                        "config lr 0.02\nconfig net.act.name \"it's\"\nconfig net.depth 3\n"
                        "config layers [4,\"a: b\",[1,2]]\n"
                        "config deep [1,{\"k\":\"v\",\"l\":\"w\"},2]\n"
                        "config text \"lr: 5\\u000amore\\u000a\"\nconfig last NaN\n");
    put_run(t, "r", "=lr 3");
    put(t);
    assert_non_null(strstr(fake_sink_take(t->sink), "config lr 3\n"));
    put_text(t, "files/config.yaml", "lr:\n  value: 7\n");
    assert_string_equal(fake_sink_take(t->sink), "");
}

/* ---- the file ---- */

static void put_everything(struct run *t)
{
    put_run(t, "all", "=lr 1");
    wandb_define(&t->file, "", "val/*", "epoch");
    for (int i = 0; i < 400; i++) {
        char text[128];
        snprintf(text, sizeof text, "loss %d.5; _timestamp 17%d; epoch %d; val/acc %d", i, i,
                 i / 10, i);
        wandb_history(&t->file, i, text);
        put_output(t, 13, 3,
                   "0123456789012345678901234567890123456789012345678901234567890123456789");
    }
    wandb_history(&t->file, 400, "loss 0");
}

/* The same calls, however the file grows. */
static void test_growth(void **state)
{
    struct run *t = *state;
    put_everything(t);
    put(t);
    struct sm_str want = {0};
    sm_str_add(&want, fake_sink_take(t->sink));
    assert_true(t->file.len > WANDB_BLOCK + 1000);
    sm_wandb_format.close(t->format);
    t->format = sm_wandb_format.open(&t->in);
    sm_source_mem_remove(t->in.source, path);
    fake_sink_poll(t->sink, &sm_wandb_format, t->format);
    for (size_t end = 0; end < t->file.len; end += end < 300 ? 1 : 1009)
        put_bytes(t, end);
    put(t);
    /* the summary comes with each turn */
    const char *got = fake_sink_take(t->sink);
    size_t points = 0;
    for (const char *p = got; (p = strstr(p, "\npoint ")); p++)
        points++;
    assert_int_equal(points, 400 * 3 + 1);
    assert_null(strstr(got, "problem"));
    assert_null(strstr(got, "restart"));
    sm_str_clear(&want);
}

static void test_torn_end(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 1, "loss 5");
    size_t whole = t->file.len;
    wandb_history(&t->file, 2, "loss 4");
    for (size_t end = whole; end < t->file.len; end++)
        put_bytes(t, end);
    assert_points(t, "loss", "1=5");
    put(t);
    assert_points(t, "loss", "1=5 2=4");
    assert_int_equal(t->sink->problems, 0);
}

static void test_damage(void **state)
{
    struct run *t = *state;
    wandb_history(&t->file, 1, "loss 5");
    size_t at = t->file.len;
    wandb_history(&t->file, 2, "loss 4");
    wandb_history(&t->file, 3, "loss 3");
    wandb_record(&t->file, "\377\377\377", 3); /* no message */
    wandb_define(&t->file, "loss", "", "epoch");
    wandb_history(&t->file, 4, "loss 3; epoch 9"); /* reads all again; problems are told once */
    t->file.data[at + 12] ^= 1;
    put(t);
    assert_points(t, "loss", "1=5 3=3 9=3");
    assert_int_equal(t->sink->problems, 2);
    assert_non_null(strstr(fake_sink_take(t->sink), "problem run-1.wandb 32 a chunk's checksum"));
}

static void test_other_file(void **state)
{
    struct run *t = *state;
    wandb_define(&t->file, "loss", "", "epoch");
    wandb_history(&t->file, 1, "loss 5; epoch 3");
    put(t);
    sm_str_truncate(&t->file, 0);
    wandb_begin(&t->file);
    wandb_history(&t->file, 1, "loss 6; epoch 3");
    put(t);
    assert_points(t, "loss", "1=6");
    assert_int_equal(t->sink->restarts, 1);
    sm_source_mem_remove(t->in.source, path);
    fake_sink_poll(t->sink, &sm_wandb_format, t->format);
    assert_points(t, "loss", "");
    put(t);
    assert_points(t, "loss", "1=6");
    assert_int_equal(t->sink->problems, 0);
}

/* Names of many parts, of many bytes, with bytes of 0, and without any. */
static void test_hostile_names(void **state)
{
    struct run *t = *state;
    struct sm_str name = {0}, m = {0}, item = {0};
    for (int i = 0; i < 2000; i++)
        sm_str_add(&name, i ? ">a" : "a");
    item = pb_item(sm_str_text(&name), "1");
    pb_message(&m, 1, &item);
    sm_str_truncate(&name, 0);
    sm_str_fill(&name, 'x', 100000);
    item = pb_item(sm_str_text(&name), "1");
    pb_message(&m, 1, &item);
    pb_bytes(&item, 1, "nul\0byte", 8);
    pb_double(&item, 6, 1);
    pb_message(&m, 1, &item);
    item = pb_item("", "1");
    pb_message(&m, 1, &item);
    pb_text(&item, 2, "");
    pb_text(&item, 16, "1");
    pb_message(&m, 1, &item);
    item = pb_item("._type>._type", "{\"\": 1}");
    pb_message(&m, 1, &item);
    wandb_message(&t->file, 2, &m);
    put(t);
    assert_points(t, "nul?byte", "0=1");
    assert_null(strstr(fake_sink_take(t->sink), "xxxx"));
    sm_str_clear(&name);
}

/* A name of many parts takes no memory for each of its beginnings. */
static void test_deep_names_are_one(void **state)
{
    (void)state;
    struct sm_wandb_keys keys = {0};
    char name[2000];
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = i % 2 ? '.' : 'a';
    assert_int_not_equal(sm_wandb_key_of(&keys, name, 1999), SM_NAME_NONE);
    assert_int_equal(sm_names_count(keys.names), 1);
    assert_false(sm_wandb_key_is_typed(&keys, 0, 0));
    uint32_t kind = sm_wandb_key_of(&keys, "h.x._type", 9),
             value = sm_wandb_key_of(&keys, "h.x.v.w", 7);
    keys.items[keys.items[kind].parent].typed = 5;
    assert_true(sm_wandb_key_is_typed(&keys, value, 5));
    assert_false(sm_wandb_key_is_typed(&keys, value, 6));
    sm_wandb_keys_clear(&keys);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_steps),
        TEST(test_names),
        TEST(test_values_of_json),
        TEST(test_typed_values),
        TEST(test_no_scalars),
        TEST(test_axes),
        TEST(test_axis_of_itself),
        TEST(test_defined_late),
        TEST(test_axis_without_steps),
        TEST(test_few_restarts),
        TEST(test_run),
        TEST(test_summary),
        TEST(test_console),
        TEST(test_alerts),
        TEST(test_system_metrics),
        TEST(test_config_file),
        TEST(test_growth),
        TEST(test_torn_end),
        TEST(test_damage),
        TEST(test_other_file),
        TEST(test_hostile_names),
        TEST(test_deep_names_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
