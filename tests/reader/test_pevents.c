/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines, and the store of their events. */
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/profile/event_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    struct sm_event_store store;
    struct sm_pevents *file;
    uint64_t bad;
};

static int setup(void **state)
{
    struct place *t = calloc(1, sizeof *t);
    t->store.names = sm_names_new();
    t->file = sm_pevents_new(SM_PEVENTS_PYTHON, 0);
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    struct place *t = *state;
    struct sm_names *names = t->store.names;
    sm_event_store_clear(&t->store);
    sm_names_free(names);
    sm_pevents_free(t->file);
    free(t);
    return 0;
}

static void merge(struct place *t, struct sm_event_batch *b)
{
    struct sm_event_merge at = {0};
    bool done = false;
    while (!done) {
        size_t work = 2;
        assert_true(sm_event_store_merge(&t->store, b, 3, &at, &work, &done));
    }
    t->bad += b->bad;
    sm_event_batch_clear(b);
}

static void end(struct place *t, bool growing)
{
    struct sm_event_batch b = {0};
    sm_pevents_end(t->file, &b, growing);
    merge(t, &b);
}

/* Reads the text in pieces of so many bytes, each a batch. */
static void feed_part(struct place *t, const char *text, size_t piece)
{
    size_t n = strlen(text), from = 0;
    for (size_t to = piece < n ? piece : n;; to = to + piece < n ? to + piece : n) {
        struct sm_event_batch b = {0};
        from += sm_pevents_read(t->file, &b, text + from, to - from);
        merge(t, &b);
        if (to == n)
            break;
    }
}

static void feed(struct place *t, const char *text, size_t piece)
{
    feed_part(t, text, piece);
    end(t, false);
}

static const char whole[] =
    "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_"
    "micros\":1000}},\n"
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"Step:ModeKeys.TRAIN\"}}"
    ",\n"
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"Checkpoint\"}},\n"
    "{\"name\":\"s\",\"pid\":1,\"ph\":\"X\",\"ts\":10,\"dur\":5.5,\"args\":{\"pid\":9,\"step_num\":"
    "\"4\"}},\n"
    "{\"name\":\"Save\",\"pid\":2,\"ph\":\"B\",\"ts\":20},{\"name\":\"inner\",\"pid\":2,\"ph\":"
    "\"B\",\"ts\":22},\n"
    "{\"pid\":2,\"ph\":\"E\",\"ts\":23},{\"pid\":2,\"ph\":\"E\",\"ts\":29},{\"pid\":2,\"ph\":\"E\","
    "\"ts\":99},\n"
    "{\"name\":\"mark\",\"pid\":7,\"ph\":\"i\",\"ts\":30,\"s\":\"g\"},\n"
    "{\"name\":\"bad\",\"pid\":1,\"ph\":\"X\",\"ts\":\"x\",\"dur\":1},\n"
    "{\"name\":\"s\",\"pid\":1,\"ph\":\"X\",\"ts\":40,\"dur\":1,\"args\":{\"step_num\":5}},\n]\n";

static void check_whole(const struct place *t)
{
    const struct sm_phase *step = sm_event_phase(&t->store, "Step:ModeKeys.TRAIN"),
                          *save = sm_event_phase(&t->store, "Checkpoint");
    assert_non_null(step);
    assert_non_null(save);
    assert_int_equal(step->sum.count, 2);
    assert_int_equal(step->sum.total_ns, 6500);
    assert_int_equal(step->sum.first_ns, 1010000);
    assert_int_equal(save->sum.count, 2);
    assert_int_equal(save->sum.total_ns, 10000);
    assert_int_equal(t->store.n_instants, 1);
    assert_int_equal(t->store.n_steps, 2);
    assert_int_equal(t->store.steps[0].step, 4);
    assert_int_equal(t->store.steps[0].node, 3);
    assert_int_equal(t->bad, 1);
}

static void a_file_is_read_in_one_piece(void **state)
{
    feed(*state, whole, sizeof whole);
    check_whole(*state);
}

static void a_file_is_read_in_any_pieces(void **state)
{
    for (size_t piece = 1; piece < 400; piece += 7) {
        teardown(state);
        setup(state);
        feed(*state, whole, piece);
        check_whole(*state);
    }
}

static void the_list_may_be_in_an_object(void **state)
{
    static const char text[] =
        "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"a\":[1,2]},\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":701,\"name\":\"process_name\",\"args\":{\"name\":\"/host:CPU\"}},\n"
        "{\"ph\":\"X\",\"pid\":701,\"tid\":1,\"ts\":1.25,\"dur\":2,\"name\":\"op\"}],\"other\":{"
        "\"x\":1}}\n";
    struct place *t = *state;
    for (size_t piece = 1; piece <= sizeof text; piece += 11) {
        teardown(state);
        setup(state);
        t = *state;
        feed(t, text, piece);
        const struct sm_phase *p = sm_event_phase(&t->store, "/host:CPU");
        assert_non_null(p);
        assert_int_equal(p->sum.count, 1);
        assert_int_equal(p->sum.first_ns, 1250);
        assert_int_equal(t->bad, 0);
    }
}

/* A process whose name was not given is unknown; one without an id is one, too. */
static void a_process_may_have_no_name(void **state)
{
    struct place *t = *state;
    feed(t,
         "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1},{\"name\":\"a\",\"pid\":\"x "
         "y\",\"ph\":\"X\",\"ts\":1,\"dur\":1}",
         1000);
    assert_int_equal(sm_event_phase(&t->store, "Unknown")->sum.count, 2);
}

static void a_begin_may_have_no_name(void **state)
{
    struct place *t = *state;
    feed(t, "[{\"pid\":1,\"ph\":\"B\",\"ts\":1},{\"ph\":\"M\"},{\"pid\":1,\"ph\":\"E\",\"ts\":3}",
         1000);
    assert_int_equal(sm_event_phase(&t->store, "Unknown")->sum.total_ns, 2000);
}

/* Events before the name of their process, also pairs, have the name that comes later. */
static void a_name_may_come_late(void **state)
{
    static const char text[] =
        "[{\"name\":\"op\",\"pid\":1,\"ph\":\"X\",\"ts\":1,\"dur\":2,\"args\":{\"event_name\":"
        "\"who\"}},"
        "{\"name\":\"b\",\"pid\":2,\"ph\":\"B\",\"ts\":5},{\"pid\":2,\"ph\":\"E\",\"ts\":8},"
        "{\"name\":\"never\",\"pid\":3,\"ph\":\"X\",\"ts\":1,\"dur\":7},"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"Save\"}},"
        "{\"name\":\"op\",\"pid\":1,\"ph\":\"X\",\"ts\":9,\"dur\":2},"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"cpu_functions\"}},"
        "{\"name\":\"op\",\"pid\":1,\"ph\":\"X\",\"ts\":12,\"dur\":2}]";
    for (size_t piece = 1; piece < sizeof text; piece += 37) {
        teardown(state);
        setup(state);
        struct place *t = *state;
        feed(t, text, piece);
        assert_int_equal(t->bad, 0);
        assert_int_equal(sm_event_phase(&t->store, "cpu_functions")->sum.count, 3);
        assert_int_equal(sm_event_phase(&t->store, "Save")->sum.total_ns, 3000);
        assert_int_equal(sm_event_phase(&t->store, "Unknown")->sum.total_ns, 7000);
        struct sm_event_walk w = {.from_ns = 0, .to_ns = 2000};
        const struct sm_profile_event *e = sm_event_next(&t->store, &w);
        while (strcmp(sm_names_text(t->store.names, e->name), "op") != 0)
            e = sm_event_next(&t->store, &w);
        assert_string_equal(sm_names_text(t->store.names, e->detail), "who");
    }
}

/* As long as a file grows an event waits for its name until the piece after its own was read. */
static void a_growing_file_waits_for_names(void **state)
{
    struct place *t = *state;
    feed_part(t, "[{\"name\":\"a\",\"pid\":1,\"ph\":\"X\",\"ts\":1,\"dur\":1},", 1000);
    end(t, true);
    assert_int_equal(t->store.n_events, 0);
    feed_part(t, "{\"name\":\"b\",\"pid\":1,\"ph\":\"X\",\"ts\":5,\"dur\":1},", 1000);
    end(t, true);
    assert_int_equal(t->store.n_events, 1);
    assert_non_null(sm_event_phase(&t->store, "Unknown"));
    feed_part(t, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"P\"}},",
              1000);
    assert_int_equal(sm_event_phase(&t->store, "P")->sum.count, 1);
}

static void overlapping_events_are_walked(void **state)
{
    struct place *t = *state;
    struct sm_str text = {0};
    size_t n = 0;
    for (int i = 0; i < 5000; i++)
        sm_str_printf(&text, "{\"name\":\"e\",\"pid\":1,\"ph\":\"X\",\"ts\":%d,\"dur\":15},\n",
                      i * 10);
    feed(t, text.data, text.len);
    struct sm_event_walk w = {20000000, 20010000, 0, 0};
    for (const struct sm_profile_event *e; (e = sm_event_next(&t->store, &w));) {
        assert_true(e->start_ns < 20010000 && sm_event_end(e) > 20000000);
        n++;
    }
    assert_int_equal(n, 2);
    sm_str_clear(&text);
}

/* Steps of two processes, which come one after the other, are in order of time. */
static void steps_are_sorted(void **state)
{
    struct place *t = *state;
    struct sm_str text = {0};
    sm_str_add(&text, "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":"
                      "\"Step:ModeKeys.EVAL\"}},");
    for (int i = 0; i < 2000; i++)
        sm_str_printf(&text,
                      "{\"name\":\"e\",\"pid\":1,\"ph\":\"X\",\"ts\":%d,\"dur\":5,\"args\":{\"step_"
                      "num\":%d}},\n",
                      (1999 - i) * 10, 1999 - i);
    feed(t, text.data, 10000);
    assert_int_equal(t->store.n_steps, 2000);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(t->store.steps[i].step, i);
    assert_int_equal(sm_event_step_span(&t->store, SM_MODE_EVAL, 7)->from_ns, 70000);
    assert_null(sm_event_step_span(&t->store, SM_MODE_TRAIN, 7));
    sm_str_clear(&text);
}

static void an_event_without_an_end_is_given_up(void **state)
{
    struct place *t = *state;
    struct sm_str text = {0};
    sm_str_add(&text, "[{\"name\":\"");
    sm_str_fill(&text, 'x', SM_PEVENTS_EVENT_MAX + 1);
    sm_str_add(&text, "\n{\"name\":\"e\",\"pid\":1,\"ph\":\"X\",\"ts\":1,\"dur\":15},\n");
    feed(t, text.data, text.len);
    assert_int_equal(t->bad, 1);
    assert_int_equal(t->store.n_events, 1);
    sm_str_clear(&text);
}

static void events_cost_48_bytes(void **state)
{
    (void)state;
    assert_true(sizeof(struct sm_profile_event) <= 48);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_read_in_one_piece),
        TEST(a_file_is_read_in_any_pieces),
        TEST(the_list_may_be_in_an_object),
        TEST(a_process_may_have_no_name),
        TEST(a_begin_may_have_no_name),
        TEST(a_name_may_come_late),
        TEST(a_growing_file_waits_for_names),
        TEST(overlapping_events_are_walked),
        TEST(steps_are_sorted),
        TEST(an_event_without_an_end_is_given_up),
        TEST(events_cost_48_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
