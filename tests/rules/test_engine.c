/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: parameters, order of steps, statuses, modes, workers, counters, live trials. */
#include "reader/format/tfrecord.h"
#include "rules/builtin/rule_list.h"
#include "rules/private.h"
#include "tests/rules/judge.h"

#include <math.h>

static void write_losses(struct live *l, int64_t from, int64_t to)
{
    for (int64_t step = from; step < to; step++)
        write_mode_step(l, "worker_0", step, step % 2 ? SM_MODE_EVAL : SM_MODE_TRAIN, step / 2);
}

/* A judged instance on the written trial; the condition is true from loss 3 on. */
static struct sm_rule_instance *judged(struct live *l, struct sm_rules **r, const char *a,
                                       const char *b)
{
    *r = new_rules(l);
    struct sm_rule_instance *i =
        attach(*r, "expr", "expr=loss >= 3", a ? a : "policy=once", b ? b : "message=big", NULL);
    settle_rules(l, *r);
    return i;
}

static void test_once_and_continue(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 8);
    live_open(l);
    struct sm_rule_instance *i = judged(l, &r, NULL, NULL);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_int_equal(i->first_fired, 3);
    assert_int_equal(i->datapoints, 4); /* the steps after it were not judged */
    close_rules(l, r);
    i = judged(l, &r, "policy=continue", NULL);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_int_equal(i->triggered, 5);
    assert_int_equal(i->datapoints, 8);
    assert_int_equal(i->last_fired, 7);
    close_rules(l, r);
}

static void test_modes_and_ranges(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 8);
    live_open(l);
    struct sm_rule_instance *i = judged(l, &r, "mode=train", NULL);
    assert_int_equal(i->first_fired, 4);
    assert_int_equal(i->findings[0].mode, SM_MODE_TRAIN);
    assert_int_equal(i->findings[0].mode_step, 2);
    close_rules(l, r);
    i = judged(l, &r, "start_step=5", NULL);
    assert_int_equal(i->first_fired, 5);
    close_rules(l, r);
    i = judged(l, &r, "end_step=3", NULL);
    assert_int_equal(i->status, SM_RULE_NO_ISSUES);
    assert_int_equal(i->datapoints, 3);
    close_rules(l, r);
}

static void write_board(struct live *l, int64_t steps)
{
    struct sm_str file = {0}, payload = {0};
    struct sm_err err;
    for (int64_t step = 0; step < steps; step++) {
        struct sm_event_value v = {
            .tag = SM_TEXT("loss"), .kind = SM_VALUE_SCALAR, .simple = (float)step};
        struct sm_event e = {.wall_time = 1e9, .step = step, .values = &v, .n_values = 1};
        sm_str_truncate(&payload, 0);
        assert_true(sm_event_write(&payload, &e, &err));
        sm_frame_write(&file, (struct sm_bytes){(uint8_t *)payload.data, payload.len}, true);
    }
    mkdir(l->path, 0777);
    put_file(in(l, "events.out.tfevents.1.host"), file.data, file.len);
    sm_str_clear(&file);
    sm_str_clear(&payload);
}

/* Numbers that came with their steps need not be requested before their turn. */
static void test_only_records_are_requested_ahead(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_board(l, 8);
    live_open(l);
    struct sm_rule_instance *i = judged(l, &r, NULL, NULL);
    assert_int_equal(i->first_fired, 3);
    assert_true(r->ahead < 0);
    close_rules(l, r);
}

static void test_message(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    struct sm_str text = {0};
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 8);
    live_open(l);
    struct sm_rule_instance *i = judged(l, &r, "message=it is {loss} of {1+1}", "mode=train");
    sm_rule_reason(r, i, &text);
    assert_string_equal(sm_str_text(&text), "RuleEvaluationConditionMet: Evaluation of the rule "
                                            "Expr at step 4 resulted in the condition being met. "
                                            "Expr fired at step 4 (TRAIN 2): it is 4 of 2");
    sm_str_clear(&text);
    close_rules(l, r);
}

static void test_bad_parameters(void **state)
{
    struct live *l = *state;
    static const struct {
        const char *rule, *arg, *message;
    } rows[] = {
        {"Overfit", "nosuch=1", "Overfit has no parameter \"nosuch\""},
        {"Overfit", "patience=1.5", "parameter patience: \"1.5\" is not of type int"},
        {"Overfit", "patience=0", "parameter patience must be between 1 and 1e+09, not 0"},
        {"ExplodingTensor", "only_nan=maybe", "parameter only_nan: \"maybe\" is not of type bool"},
        {"ExplodingTensor", "tensor_regex=a(b",
         "pattern \"a(b\" at character 4: missing closing parenthesis"},
        {"ExplodingTensor", "mode=sideways",
         "mode must be train, eval, predict or global, not \"sideways\""},
        {"ExplodingTensor", "policy=never", "policy must be once or continue, not \"never\""},
        {"ExplodingTensor", "plain", "expected NAME=VALUE, not \"plain\""},
        {"loss_limit", "patience=1", "LossLimit requires parameter limit: largest loss allowed"},
        {"expr", "expr=mean(", "unexpected end of the expression at column 6"},
    };
    write_collections(l, "worker_0", 1);
    live_open(l);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct sm_rules *r = new_rules(l);
        struct sm_rule_instance *i = attach(r, rows[k].rule, rows[k].arg, NULL);
        assert_int_equal(i->status, SM_RULE_ERROR);
        assert_string_equal(i->reason, rows[k].message);
        settle_rules(l, r);
        assert_int_equal(i->status, SM_RULE_ERROR);
        close_rules(l, r);
    }
}

static void test_lists(void **state)
{
    struct sm_arena a = {0};
    struct sm_err err;
    const struct sm_rule *rule = sm_rule_find("Exploding-Tensor");
    (void)state;
    struct sm_rule_value *v = sm_rule_values(rule, &a);
    assert_true(sm_rule_set(rule, v, "TENSOR_REGEX", " a{1,2}, b[,]c ,(d,e),\\[x, y", &a, &err));
    const struct sm_rule_value *list = sm_rule_value(rule, v, "tensor_regex");
    static const char *const items[] = {"a{1,2}", "b[,]c", "(d,e)", "\\[x", "y"};
    assert_int_equal(list->n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(list->items[i], items[i]);
    assert_true(sm_rule_set(rule, v, "tensor_regex", "None", &a, &err));
    assert_false(list->set);
    sm_arena_clear(&a);
}

static void test_workers(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    for (int k = 0; k < 2; k++) {
        struct sm_writer *w = writer(l, k ? "worker_1" : "worker_0");
        struct sm_err err;
        assert_true(sm_writer_begin_step(w, 0, SM_MODE_GLOBAL, 0, &err));
        put_tensor(w, "x", k ? NAN : 1, 3);
        assert_true(sm_writer_end_step(w, &err));
        sm_writer_close(w);
    }
    live_open(l);
    static const char *const choices[] = {"workers=first", "workers=all", "workers=worker_1",
                                          "workers=worker_0", "workers=nobody"};
    static const unsigned fires[] = {0, 1, 1, 0, 0}, seen[] = {1, 2, 1, 1, 0};
    for (size_t k = 0; k < 5; k++) {
        struct sm_rules *r = new_rules(l);
        struct sm_rule_instance *i = attach(r, "ExplodingTensor", choices[k], NULL);
        settle_rules(l, r);
        assert_int_equal(i->triggered, fires[k]);
        assert_int_equal(i->datapoints, seen[k]);
        if (i->triggered)
            assert_string_equal(i->findings[0].worker, "worker_1");
        close_rules(l, r);
    }
}

static void test_no_tensor(void **state)
{
    struct live *l = *state;
    struct sm_str text = {0};
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 2);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, "DeadRelu", NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_NO_ISSUES);
    sm_rule_reason(r, i, &text);
    assert_string_equal(sm_str_text(&text), "0 tensors matched; this result means nothing");
    sm_str_clear(&text);
    close_rules(l, r);
}

static const char *reason_of_pattern(struct live *l, const char *pattern)
{
    static struct sm_str text; /* until the next call */
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, "AllZero", pattern, NULL);
    settle_rules(l, r);
    sm_str_truncate(&text, 0);
    sm_rule_reason(r, i, &text);
    close_rules(l, r);
    return sm_str_text(&text);
}

static void test_similar_names(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_dead_relu");
    assert_string_equal(reason_of_pattern(l, "tensor_regex=.*RELUS_outputs?$"),
                        "0 tensors matched; this result means nothing. Similar: relu0_output_0, "
                        "relu1_output_0, relu2_output_0");
    assert_string_equal(reason_of_pattern(l, "tensor_regex=^gradent/\\d"),
                        "0 tensors matched; this result means nothing. Similar: "
                        "gradient/CNN_conv0.bias, gradient/CNN_conv0.weight, "
                        "gradient/CNN_conv1.bias");
    assert_string_equal(reason_of_pattern(l, "tensor_regex=zzzz"),
                        "0 tensors matched; this result means nothing");
}

/* A large tensor: its values are in memory, but worker threads evaluate the expression. */
static struct sm_rule_instance *attach_large(struct live *l, struct sm_rules **r, const char *expr)
{
    static float x[40000];
    bool with_worker = false;
    x[7] = 3;
    write_collections(l, "worker_0", 1);
    for (int64_t step = 0; step < 3; step++)
        write_tensor(l, step, "big", x, 1, (uint64_t[]){sizeof x / sizeof *x});
    live_open(l);
    *r = new_rules(l);
    struct sm_rule_instance *i = attach(*r, "expr", expr, "tensor_regex=big", "policy=continue",
                                        "message=largest {max(x)} of {$_tensor} at {$_step}", NULL);
    for (int k = 0; k < 100 && !with_worker; k++) {
        sm_rules_pump(*r, true, 1000000);
        with_worker = sm_pool_pending(l->pool) && !sm_fetch_open(l->fetch);
        if (!with_worker)
            live_settle(l);
    }
    assert_true(with_worker);
    return i;
}

static void test_large_expression(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    struct sm_rule_instance *i = attach_large(l, &r, "expr=max(x * x) > 8 && $_step > 0");
    settle_rules(l, r);
    assert_int_equal(i->triggered, 2);
    assert_int_equal(i->datapoints, 3);
    assert_string_equal(i->findings[0].text, "largest 3 of big at 1");
    close_rules(l, r);
}

/* An answer that no rule needs: a command that waited while the rules were busy is run again. */
static void test_late_answer(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 8);
    live_open(l);
    judged(l, &r, NULL, NULL);
    assert_true(sm_rules_all_judged(r));
    r->answered = true;
    assert_true(sm_rules_busy(r));
    assert_true(sm_rules_pump(r, false, 1000000));
    assert_false(sm_rules_busy(r));
    assert_false(sm_rules_pump(r, false, 1000000));
    close_rules(l, r);
}

static void test_large_expression_is_abandoned(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    attach_large(l, &r, "expr=max(x * x) > 8");
    sm_rules_remove(r, 0);
    settle_rules(l, r);
    close_rules(l, r);
}

/* A step that not all workers have written is not judged, nor are later steps; nothing is judged
 * twice. */
static void test_live(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    write_step(l, "worker_0", 0);
    write_step(l, "worker_1", 0);
    write_step(l, "worker_0", 1);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = attach(r, "expr", "expr=loss >= 1", "policy=continue", NULL);
    settle_rules(l, r);
    assert_int_equal(i->datapoints, 1);
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    write_step(l, "worker_1", 1);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(i->datapoints, 2);
    assert_int_equal(i->triggered, 1);
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    assert_true(sm_rules_all_judged(r));
    write_step(l, "worker_0", 2);
    write_end(l);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(i->datapoints, 3);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_true(sm_rules_finished(r));
    close_rules(l, r);
}

/* Tensors that are saved later are picked, and `rule auto` attaches their rules. */
static void test_auto_grows(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    sm_rules_auto(r, sm_rule_table);
    settle_rules(l, r);
    assert_int_equal(sm_rules_find(r, "LossNotDecreasing"), sm_rules_count(r));
    write_step(l, "worker_0", 0);
    live_beat(l);
    settle_rules(l, r);
    assert_true(sm_rules_find(r, "LossNotDecreasing") < sm_rules_count(r));
    assert_true(sm_rules_find(r, "Overfit") < sm_rules_count(r));
    assert_int_equal(sm_rules_find(r, "VanishingGradient"), sm_rules_count(r));
    close_rules(l, r);
}

static void test_disable_and_names(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = attach(r, "expr", "expr=loss >= 0", "policy=continue", NULL);
    struct sm_rule_instance *other = attach(r, "expr", "expr=loss >= 0", "policy=continue", NULL);
    assert_string_equal(i->name, "Expr");
    assert_string_equal(other->name, "Expr_2");
    settle_rules(l, r);
    sm_rules_enable(r, sm_rules_find(r, "expr"), false);
    assert_int_equal(i->status, SM_RULE_STOPPED);
    write_step(l, "worker_0", 1);
    live_beat(l);
    settle_rules(l, r);
    sm_rules_enable(r, 0, true); /* steps written while it was disabled are not judged */
    write_step(l, "worker_0", 2);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 2);
    assert_int_equal(other->triggered, 3);
    close_rules(l, r);
}

static void test_explain(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 4);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    sm_rules_explain(r, 1);
    struct sm_rule_instance *i = attach(r, "expr", "expr=loss >= 3", "end_step=2", NULL);
    settle_rules(l, r);
    assert_int_equal(i->n_findings, 1);
    assert_false(i->findings[0].violated);
    assert_string_equal(i->findings[0].text, "loss >= 3 is false");
    close_rules(l, r);
}

/* A pause between two steps. */
static void test_pause(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 3);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    sm_rules_pause(r, 500000);
    const struct sm_rule_instance *i = attach(r, "expr", "expr=loss >= 9", NULL);
    for (uint64_t judged = 1; judged <= 3; judged++) {
        settle_rules(l, r);
        assert_int_equal(i->datapoints, judged);
        if (judged < 3) {
            assert_int_equal(sm_rules_deadline_us(r), sm_clock_mono_us() + 500000);
            sm_clock_advance(500000);
        }
    }
    assert_true(sm_rules_finished(r)); /* no pause after the last */
    close_rules(l, r);
}

/* While the steps are being looked for there is nothing to judge, and no turn of the loop is asked
 * for. */
static void test_nothing_is_due_before_the_steps_are_known(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    write_losses(l, 0, 3);
    l->source = sm_source_dir_new(l->path, &err);
    struct sm_trial_options o = {.follow = true};
    assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
    struct sm_rules *r = new_rules(l);
    attach(r, "expr", "expr=loss >= 9", NULL);
    assert_false(sm_trial_scanned(l->trial));
    assert_true(sm_rules_deadline_us(r) == INT64_MAX);
    live_settle(l);
    assert_true(sm_rules_deadline_us(r) < INT64_MAX);
    settle_rules(l, r);
    close_rules(l, r);
}

/* Every record is complete, and its parameters accept their default values. */
static void test_records(void **state)
{
    (void)state;
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++) {
        struct sm_arena a = {0};
        struct sm_err err = {0};
        assert_true((*r)->name && (*r)->class_name && (*r)->summary && (*r)->fires &&
                    (*r)->advice && (*r)->saves && (*r)->judge);
        assert_true(strlen((*r)->summary) <= 70);
        assert_ptr_equal(sm_rule_find((*r)->class_name), *r);
        struct sm_rule_value *v = sm_rule_values(*r, &a);
        for (size_t i = 0; i < sm_rule_param_count(*r); i++) {
            assert_non_null((*r)->params[i].help);
            assert_int_equal(v[i].set, (*r)->params[i].initial != NULL);
            if ((*r)->params[i].initial &&
                !sm_rule_set(*r, v, (*r)->params[i].name, (*r)->params[i].initial, &a, &err))
                fail_msg("%s: %s", (*r)->name, err.msg);
        }
        sm_arena_clear(&a);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_once_and_continue),
        TEST(test_modes_and_ranges),
        TEST(test_only_records_are_requested_ahead),
        TEST(test_message),
        TEST(test_bad_parameters),
        cmocka_unit_test(test_lists),
        TEST(test_workers),
        TEST(test_no_tensor),
        TEST(test_live),
        TEST(test_similar_names),
        TEST(test_large_expression),
        TEST(test_late_answer),
        TEST(test_large_expression_is_abandoned),
        TEST(test_auto_grows),
        TEST(test_disable_and_names),
        TEST(test_explain),
        TEST(test_pause),
        TEST(test_nothing_is_due_before_the_steps_are_known),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
