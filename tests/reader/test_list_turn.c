/* SPDX-License-Identifier: Apache-2.0 */
/* How often the folders of a bucket are listed again, by a clock that the test sets. */
#include "reader/s3/list_turn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SECOND = 1000000, FOLDERS = 64 };

struct watch {
    struct sm_list_turn turns[FOLDERS];
    size_t n, names[FOLDERS];
    bool lively[FOLDERS];                /* has news each time */
    int64_t now, pause, oldest[FOLDERS]; /* the greatest age of each list */
    size_t lists;
    struct sm_list_round round;
};

static const struct sm_list_round *round_of(struct watch *w)
{
    sm_list_round_begin(&w->round, w->pause);
    for (size_t i = 0; i < w->n; i++)
        assert_true(sm_list_round_add(&w->round, &w->turns[i], w->names[i], w->now));
    sm_list_round_end(&w->round);
    return &w->round;
}

/* Asks for all folders at each beat, for a time. */
static void run(struct watch *w, int64_t beat, int64_t for_us)
{
    for (int64_t until = w->now + for_us; w->now < until; w->now += beat) {
        for (size_t i = 0; i < w->n; i++) {
            struct sm_list_turn *t = &w->turns[i];
            bool due = sm_list_turn_is_due(t, round_of(w), w->now);
            sm_list_turn_ask(t, w->now);
            if (w->now - t->listed_us > w->oldest[i])
                w->oldest[i] = w->now - t->listed_us;
            if (due) {
                t->listed_us = w->now;
                t->expired = false;
                if (w->lively[i])
                    sm_list_turn_news(t, w->now);
                w->lists += 1 + w->names[i] / 1000;
            }
        }
    }
}

/* From here on, after all is known. */
static void begin_count(struct watch *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->oldest[i] = 0;
    w->lists = 0;
}

static struct watch folders(size_t n)
{
    struct watch w = {.n = n, .now = 1000LL * SECOND, .pause = SECOND};
    for (size_t i = 0; i < n; i++)
        w.turns[i].listed_us = w.now;
    return w;
}

/* Runs of so many folders each, of which the first has news. */
static struct watch runs(size_t n, size_t each)
{
    struct watch w = folders(n * each);
    for (size_t i = 0; i < w.n; i++) {
        w.turns[i].asker = (uint32_t)(i / each) + 1;
        w.lively[i] = i % each == 0;
    }
    return w;
}

static int64_t oldest(const struct watch *w, bool lively)
{
    int64_t most = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->lively[i] == lively && w->oldest[i] > most)
            most = w->oldest[i];
    return most;
}

static void test_one_list_a_second(void **state)
{
    (void)state;
    for (size_t n = 1; n <= FOLDERS; n *= 2)
        for (int64_t beat = SECOND / 20; beat <= 5 * SECOND; beat *= 5) {
            struct watch w = folders(n);
            run(&w, beat, 1000LL * SECOND);
            assert_true(w.lists <= 1000 + n);
            int64_t round = n < 2 ? 2 : (int64_t)n;
            assert_true(oldest(&w, false) <= round * SECOND + beat);
            sm_list_round_clear(&w.round);
        }
}

/* A run with news waits for the others that have news, and not for the folders of all runs, which
 * are listed nevertheless. */
static void test_runs_with_news_have_their_turns(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 8; n++)
        for (int64_t beat = SECOND / 20; beat <= SECOND; beat *= 5) {
            struct watch w = runs(n, 4);
            run(&w, beat, 200LL * SECOND);
            begin_count(&w);
            run(&w, beat, 1000LL * SECOND);
            assert_true(w.lists <= 1000 + w.n);
            int64_t bound = (int64_t)n * SECOND * 4 / 3;
            assert_int_equal(sm_list_round_wait_us(&w.round, 1, true),
                             bound < 2 * SECOND ? 2 * SECOND : bound);
            assert_true(oldest(&w, true) <= (bound < 2 * SECOND ? 2 * SECOND : bound) + beat);
            assert_true(oldest(&w, false) <= 4 * 3 * (int64_t)n * SECOND + beat);
            sm_list_round_clear(&w.round);
        }
}

/* Six runs at one list a second: each has news after 8 s, and uses its share. */
static void test_lists_of_six_runs(void **state)
{
    struct watch w = runs(6, 4);
    (void)state;
    run(&w, SECOND / 10, 200LL * SECOND);
    begin_count(&w);
    run(&w, SECOND / 10, 240LL * SECOND);
    assert_in_range(w.lists, 220, 246);
    assert_true(oldest(&w, true) <= 8200000);
    w.pause = SECOND / 10;
    run(&w, SECOND / 20, 20LL * SECOND);
    begin_count(&w);
    run(&w, SECOND / 20, 24LL * SECOND);
    assert_in_range(w.lists, 200, 260);
    assert_true(oldest(&w, true) <= 900000);
    sm_list_round_clear(&w.round);
}

/* A run with many folders that have news takes nothing from one that has a single one. */
static void test_turns_are_divided_by_run(void **state)
{
    struct watch w = runs(2, 30);
    (void)state;
    for (size_t i = 0; i < 30; i++)
        w.lively[i] = true;
    run(&w, SECOND / 5, 600LL * SECOND); /* until all are known to have news */
    begin_count(&w);
    run(&w, SECOND / 5, 1000LL * SECOND);
    assert_true(w.lists <= 1000 + w.n);
    assert_true(w.oldest[30] <= 2 * SECOND * 4 / 3 + SECOND / 5);
    assert_true(w.oldest[29] <= 30LL * 2 * SECOND * 4 / 3 + SECOND / 5);
    sm_list_round_clear(&w.round);
}

/* Nor do the many folders without news of one run keep the others waiting. */
static void test_many_quiet_folders_of_a_run(void **state)
{
    struct watch w = folders(2);
    (void)state;
    w.turns[1].asker = 1;
    w.names[0] = 999000; /* as a thousand folders */
    run(&w, SECOND, 1000LL * SECOND);
    assert_in_range(w.oldest[1], 60LL * SECOND, 66LL * SECOND);
    sm_list_round_clear(&w.round);
}

static void test_long_folders_count_as_what_they_cost(void **state)
{
    struct watch w = folders(4);
    (void)state;
    w.names[0] = 10000;
    run(&w, SECOND, 1000LL * SECOND);
    assert_true(w.lists <= 1000 + 14);
    assert_true(oldest(&w, false) <= 15LL * SECOND);
    sm_list_round_clear(&w.round);
}

static int64_t count_quiet(struct watch *w)
{
    int64_t n = 0;
    const struct sm_list_round *round = round_of(w);
    for (size_t i = 0; i < round->n; i++)
        n += round->of[i].quiet;
    return n;
}

/* A folder for each step is asked for once, and does not delay the others. */
static void test_what_is_asked_for_once_has_no_turn(void **state)
{
    struct watch w = folders(4);
    (void)state;
    for (; w.n < FOLDERS; w.n++) {
        w.turns[w.n].listed_us = w.now;
        sm_list_turn_ask(&w.turns[w.n], w.now);
        sm_list_turn_ask(&w.turns[w.n], w.now + SECOND / 20); /* its index, then its values */
    }
    w.now += 10LL * SECOND;
    assert_int_equal(count_quiet(&w), 0);
    w.n = 4;
    run(&w, SECOND, 20LL * SECOND);
    w.n = FOLDERS;
    assert_int_equal(count_quiet(&w), 4);
    sm_list_round_clear(&w.round);
}

static void test_what_nobody_asks_for_any_more_leaves(void **state)
{
    struct watch w = folders(8);
    (void)state;
    run(&w, SECOND, 20LL * SECOND);
    assert_int_equal(count_quiet(&w), 8);
    w.now += 41LL * SECOND;
    assert_int_equal(count_quiet(&w), 0);
    sm_list_round_clear(&w.round);
}

/* Many folders are listed together, and looked at one after the other. */
static void test_the_first_look_needs_no_list(void **state)
{
    struct watch w = folders(1);
    const struct sm_list_round *none = round_of(&w);
    (void)state;
    assert_false(sm_list_turn_is_due(&w.turns[0], none, w.now + 25LL * SECOND));
    assert_true(sm_list_turn_is_due(&w.turns[0], none, w.now + 35LL * SECOND));
    sm_list_turn_ask(&w.turns[0], w.now + 25LL * SECOND);
    assert_false(sm_list_turn_is_due(&w.turns[0], none, w.now + 25LL * SECOND + SECOND / 2));
    assert_true(sm_list_turn_is_due(&w.turns[0], none, w.now + 26LL * SECOND));
    sm_list_round_clear(&w.round);
}

static void test_expired_is_due(void **state)
{
    struct watch w = folders(8);
    (void)state;
    assert_false(sm_list_turn_is_due(&w.turns[0], round_of(&w), w.now + SECOND));
    w.turns[0].expired = true;
    assert_true(sm_list_turn_is_due(&w.turns[0], round_of(&w), w.now));
    sm_list_round_clear(&w.round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_list_a_second),
        cmocka_unit_test(test_runs_with_news_have_their_turns),
        cmocka_unit_test(test_lists_of_six_runs),
        cmocka_unit_test(test_turns_are_divided_by_run),
        cmocka_unit_test(test_many_quiet_folders_of_a_run),
        cmocka_unit_test(test_long_folders_count_as_what_they_cost),
        cmocka_unit_test(test_what_is_asked_for_once_has_no_turn),
        cmocka_unit_test(test_what_nobody_asks_for_any_more_leaves),
        cmocka_unit_test(test_the_first_look_needs_no_list),
        cmocka_unit_test(test_expired_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
