/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are made in the background: they come, change when the trial grows, and are dropped
 * when nobody asks for them; a command that waits meanwhile loses nothing. */
#include "tests/commands/live.h"

#include "commands/run/answer_live.h"
#include "reader/base/clock.h"

enum { PAUSE_US = 20000000 };

static struct live l;

static void write_step(int64_t step)
{
    const float loss = (float)step, w[] = {(float)step, 1, 2};
    live_begin_step(&l, step);
    live_tensor(&l, "loss", &loss, 1);
    live_tensor(&l, "w", w, 3);
    live_end_step(&l);
}

static int setup(void **state)
{
    (void)state;
    sm_clock_freeze(1000000, 1000000);
    live_create(&l);
    write_step(0);
    write_step(1);
    live_open(&l);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return live_close(&l);
}

/* Goes on until nothing happens any more. */
static const struct sm_answer_live *settle(const char *line)
{
    const struct sm_answer_live *x = NULL;
    struct sm_session *s = l.d.session;
    sm_trial_refresh(sm_session_trial(s));
    for (int calm = 0; calm < 10; calm++) {
        if (sm_session_pump(s) || sm_pool_pending(l.d.pool))
            calm = 0;
        sm_fetch_flush(s->fetch);
        x = line ? sm_answer_live_get(s, line) : NULL;
    }
    return x;
}

static double update_of(const struct sm_answer_live *x, const char *name)
{
    for (const struct sm_node *row = sm_result_rows(&x->result)->first; row; row = row->next)
        if (sm_text_is(sm_node_get(row, "name")->text, name))
            return sm_node_get(row, "update")->d;
    return -1;
}

static void an_answer_is_made_and_kept(void **state)
{
    (void)state;
    const struct sm_answer_live *x = sm_answer_live_get(l.d.session, "updates in w");
    assert_int_equal(x->made, 0);
    assert_false(sm_answer_live_settled(l.d.session));
    assert_null(sm_answer_live_find(l.d.session, "updates in w"));
    x = settle("updates in w");
    assert_true(sm_answer_live_settled(l.d.session));
    assert_int_equal(x->err.code, SM_OK);
    uint64_t made = x->made;
    assert_true(made > 0);
    assert_true(update_of(x, "w") > 0.44 && update_of(x, "w") < 0.45); /* 1 / sqrt(5) */
    assert_ptr_equal(sm_answer_live_find(l.d.session, "updates in w"), x);
    sm_clock_advance(PAUSE_US);
    assert_int_equal(settle("updates in w")->made, made); /* nothing is new */
}

static void it_is_made_again_when_the_trial_has_grown(void **state)
{
    (void)state;
    const struct sm_answer_live *x = settle("updates in w");
    double before = update_of(x, "w");
    uint64_t made = x->made;
    write_step(2);
    write_step(3);
    assert_int_equal(settle("updates in w")->made, made); /* not yet: it pauses */
    sm_clock_advance(PAUSE_US);
    x = settle("updates in w");
    assert_true(x->made > made);
    assert_true(update_of(x, "w") > 2 * before);
}

static void an_error_is_said(void **state)
{
    (void)state;
    const struct sm_answer_live *x = settle("updates in nosuch");
    assert_int_equal(x->made, 0);
    assert_int_equal(x->err.code, SM_ERR_MISSING);
    assert_non_null(strstr(x->err.msg, "nosuch"));
    x = settle("no such command");
    assert_true(x->err.code != SM_OK);
    assert_true(sm_answer_live_settled(l.d.session));
}

static void the_oldest_makes_room(void **state)
{
    (void)state;
    char line[32];
    settle("updates in w");
    for (int i = 0; i < 8; i++) {
        snprintf(line, sizeof line, "info size step %d", i);
        l.d.session->news++;
        settle(line);
    }
    assert_null(sm_answer_live_find(l.d.session, "updates in w"));
}

static void a_closed_trial_takes_its_answers_along(void **state)
{
    (void)state;
    settle("updates in w");
    sm_session_close(l.d.session, 0);
    assert_null(sm_answer_live_get(l.d.session, "updates in w"));
    assert_true(sm_answer_live_settled(l.d.session));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(an_answer_is_made_and_kept),
        T(it_is_made_again_when_the_trial_has_grown),
        T(an_error_is_said),
        T(the_oldest_makes_room),
        T(a_closed_trial_takes_its_answers_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
