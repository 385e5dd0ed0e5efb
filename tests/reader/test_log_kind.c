/* SPDX-License-Identifier: Apache-2.0 */
/* The operations that kinds of log share, on a table. */
#include "reader/base/map.h"
#include "reader/logs/log_kind.h"
#include "reader/trial_kinds.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static char dir[64], path[96];

static void put(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Lists, and takes over what was read. */
static struct sm_tail_changes *list(void *state)
{
    struct sm_tail_changes *n = sm_news_new();
    sm_log_list(state, n);
    struct sm_batch *b = n->n_files ? sm_log_read(state, 0, 1) : NULL;
    if (b) {
        sm_log_settle(state, b, b->n_parts);
        sm_batch_free(b);
    }
    return n;
}

/* A log that was emptied, and is filled in a later turn, is told which of its names are losses
 * again: the trial has forgotten. */
static void test_emptied(void **state)
{
    struct sm_err err;
    (void)state;
    assert_non_null(make_scratch(dir, sizeof dir));
    snprintf(path, sizeof path, "%s/t.csv", dir);
    put("step,loss\n1,2\n");
    struct sm_trial_input in = {.source = sm_source_tree_new(dir, &err),
                                .options.member = "t.csv",
                                .kind = &sm_trial_kind_csv};
    void *log = sm_log_state_new(&in);
    struct sm_tail_changes *n = list(log);
    assert_true(n->n_collections > 0);
    sm_tail_changes_free(n);
    put("");
    n = list(log);
    assert_true(n->recreated);
    assert_int_equal(n->n_files, 0);
    sm_tail_changes_free(n);
    put("step,loss\n1,2\n");
    n = list(log);
    assert_int_equal(n->n_files, 1);
    assert_true(n->n_collections > 0);
    sm_tail_changes_free(n);
    sm_log_state_free(log);
    sm_source_unref(in.source);
    remove_tree(dir);
}

/* Steps that go down are handed over in ascending order, rows of one step as they came. */
static void test_descending(void **state)
{
    struct sm_err err;
    (void)state;
    assert_non_null(make_scratch(dir, sizeof dir));
    snprintf(path, sizeof path, "%s/t.csv", dir);
    put("step,loss\n9,1\n5,2\n5,3\n7,4\n5,5\n");
    struct sm_trial_input in = {.source = sm_source_tree_new(dir, &err),
                                .options.member = "t.csv",
                                .kind = &sm_trial_kind_csv};
    void *log = sm_log_state_new(&in);
    struct sm_tail_changes *n = sm_news_new();
    sm_log_list(log, n);
    assert_int_equal(n->n_files, 1);
    struct sm_batch *b = sm_log_read(log, 0, 1);
    assert_non_null(b);
    double values[8];
    size_t n_values = 0;
    for (size_t i = 0; i < b->n_parts; i++) {
        assert_true(!i || b->parts[i - 1].step <= b->parts[i].step);
        for (size_t k = 0; k < b->parts[i].n_scalars; k++)
            values[n_values++] = b->scalars[b->parts[i].first_scalar + k].number;
    }
    static const double want[] = {2, 3, 5, 4, 1};
    assert_int_equal(n_values, 5);
    for (size_t i = 0; i < n_values; i++)
        assert_true(values[i] == want[i]);
    sm_log_settle(log, b, b->n_parts);
    sm_batch_free(b);
    sm_tail_changes_free(n);
    sm_log_state_free(log);
    sm_source_unref(in.source);
    remove_tree(dir);
}

/* ---- what is said of the run ---- */

static unsigned turn;
static void *open_speaker(const struct sm_trial_input *in)
{
    (void)in;
    return &turn;
}

static void close_speaker(void *state)
{
    (void)state;
}

/* 100 lines, then one; an end, then none. */
static bool speak(void *state, struct sm_log_sink *sink)
{
    (void)state;
    for (int i = 0; i < (turn ? 1 : 100); i++) {
        sm_log_console(sink, "line\n", 5);
        sm_log_system(sink, turn ? "gpu" : "cpu", 3, i, turn);
    }
    if (turn == 0)
        sm_log_config(sink, "lr", 2, "0.1", 3);
    if (turn == 1)
        sm_log_ended(sink, true, 3);
    if (turn == 2)
        sm_log_ended(sink, false, 0);
    if (turn == 3)
        sm_log_restart(sink);
    turn++;
    return false;
}

/* Each list hands on what is new; added up it is all. */
static void test_only_news_are_handed_on(void **state)
{
    static const struct sm_log_format format = {
        .open = open_speaker, .close = close_speaker, .poll = speak};
    const struct sm_trial_kind kind = {.log = &format};
    struct sm_err err;
    struct sm_run_info all = {0};
    struct sm_trial_input in = {.source = sm_source_tree_new("/tmp", &err), .kind = &kind};
    (void)state;
    void *log = sm_log_state_new(&in);
    struct sm_tail_changes *n = list(log);
    assert_int_equal(n->info->console.len, 500);
    assert_true(sm_run_info_add(&all, n->info));
    sm_tail_changes_free(n);
    n = list(log);
    assert_int_equal(n->info->console.len, 5);
    assert_int_equal(n->info->n_samples, 1);
    assert_int_equal(n->info->config.n, 0);
    assert_true(n->ended);
    assert_false(n->whole_info);
    assert_true(sm_run_info_add(&all, n->info));
    sm_tail_changes_free(n);
    assert_int_equal(all.console.len, 505);
    assert_int_equal(all.n_samples, 101);
    assert_string_equal(sm_names_text(all.metrics, all.samples[100].metric), "gpu");
    assert_string_equal(sm_run_fields_get(&all.config, "lr"), "0.1");
    assert_true(all.ended && all.exit_code == 3);
    n = list(log);
    assert_false(n->ended);
    assert_true(sm_run_info_add(&all, n->info));
    assert_false(all.ended || all.exit_code);
    sm_tail_changes_free(n);
    n = list(log);
    assert_true(n->whole_info && n->recreated);
    assert_int_equal(n->info->console.len, 0);
    sm_tail_changes_free(n);
    sm_run_info_clear(&all);
    sm_log_state_free(log);
    sm_source_unref(in.source);
}

/* The newest are kept. */
static void test_many_samples(void **state)
{
    struct sm_run_info info = {0};
    (void)state;
    for (int i = 0; i < SM_RUN_SAMPLES_MAX + 10; i++)
        assert_true(sm_run_info_sample(&info, "cpu", 3, i, i));
    assert_true(info.n_samples < SM_RUN_SAMPLES_MAX);
    assert_int_equal(info.n_samples + info.samples_dropped, SM_RUN_SAMPLES_MAX + 10);
    assert_true(info.samples[info.n_samples - 1].value == SM_RUN_SAMPLES_MAX + 9);
    sm_run_info_clear(&info);
}

/* Each alert is kept once, and only so many of them. */
static void test_alerts(void **state)
{
    struct sm_run_info info = {0}, more = {0};
    char text[16];
    (void)state;
    assert_true(sm_run_info_alert(&more, "a\r\nb", 4, 5, 1));
    assert_true(sm_run_info_add(&info, &more));
    assert_true(sm_run_info_add(&info, &more));
    assert_int_equal(info.n_alerts, 1);
    assert_string_equal(info.alerts[0].text, "a  b");
    assert_true(sm_run_info_alert(&info, "a  b", 4, 5, 2));
    assert_int_equal(info.n_alerts, 2);
    for (int i = 0; i < 2 * SM_RUN_ALERTS_MAX; i++) {
        int n = snprintf(text, sizeof text, "%d", i);
        assert_true(sm_run_info_alert(&info, text, (size_t)n, 5, 1));
    }
    assert_int_equal(info.n_alerts, SM_RUN_ALERTS_MAX);
    sm_run_info_clear(&info);
    sm_run_info_clear(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alerts), cmocka_unit_test(test_emptied),
        cmocka_unit_test(test_descending), cmocka_unit_test(test_only_news_are_handed_on),
        cmocka_unit_test(test_many_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
