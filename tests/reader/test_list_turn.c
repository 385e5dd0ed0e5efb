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
    size_t lively;          /* the first ones, which have news each time */
    int64_t now, oldest[2]; /* the greatest age of a list, of the others and of these */
    size_t lists;
};

static struct sm_list_round round_of(const struct watch *w)
{
    struct sm_list_round round = {0};
    for (size_t i = 0; i < w->n; i++)
        sm_list_turn_add(&w->turns[i], w->names[i], w->now, &round);
    return round;
}

/* Asks for all folders at each beat, until a time. */
static void run(struct watch *w, int64_t beat, int64_t until)
{
    for (; w->now < until; w->now += beat) {
        for (size_t i = 0; i < w->n; i++) {
            struct sm_list_turn *t = &w->turns[i];
            struct sm_list_round round = round_of(w);
            bool due = sm_list_turn_is_due(t, &round, w->now), lively = i < w->lively;
            sm_list_turn_ask(t, w->now);
            if (w->now - t->listed_us > w->oldest[lively])
                w->oldest[lively] = w->now - t->listed_us;
            if (due) {
                t->listed_us = w->now;
                t->expired = false;
                if (lively)
                    sm_list_turn_news(t, w->now);
                w->lists += 1 + w->names[i] / 1000;
            }
        }
    }
}

static struct watch folders(size_t n)
{
    struct watch w = {.n = n, .now = 1000LL * SECOND};
    for (size_t i = 0; i < n; i++)
        w.turns[i].listed_us = w.now;
    return w;
}

static void test_one_list_a_second(void **state)
{
    (void)state;
    for (size_t n = 1; n <= FOLDERS; n *= 2)
        for (int64_t beat = SECOND / 20; beat <= 5 * SECOND; beat *= 5) {
            struct watch w = folders(n);
            run(&w, beat, w.now + 1000LL * SECOND);
            assert_true(w.lists <= 1000 + n);
            int64_t round = n < 2 ? 2 : (int64_t)n;
            assert_true(w.oldest[0] <= round * SECOND + beat);
        }
}

/* A folder with news does not wait for all others, which are listed nevertheless. */
static void test_news_are_looked_for_more_often(void **state)
{
    (void)state;
    for (size_t lively = 1; lively <= 4; lively *= 2)
        for (int64_t beat = SECOND / 20; beat <= SECOND; beat *= 5) {
            struct watch w = folders(16);
            w.lively = lively;
            run(&w, beat, w.now + 100LL * SECOND);
            w.oldest[0] = w.oldest[1] = 0;
            w.lists = 0;
            run(&w, beat, w.now + 1000LL * SECOND);
            assert_true(w.lists <= 1000 + 16);
            int64_t all = (int64_t)(16 + 3 * lively) * SECOND;
            assert_true(w.oldest[1] <= all / 4 + beat);
            assert_true(w.oldest[0] <= all + beat);
        }
}

static void test_long_folders_count_as_what_they_cost(void **state)
{
    struct watch w = folders(4);
    (void)state;
    w.names[0] = 10000;
    run(&w, SECOND, w.now + 1000LL * SECOND);
    assert_true(w.lists <= 1000 + 14);
    assert_true(w.oldest[0] <= 15LL * SECOND);
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
    assert_int_equal(round_of(&w).quiet_us, 0);
    w.n = 4;
    run(&w, SECOND, w.now + 20LL * SECOND);
    w.n = FOLDERS;
    assert_int_equal(round_of(&w).quiet_us, 4LL * SECOND);
}

static void test_what_nobody_asks_for_any_more_leaves(void **state)
{
    struct watch w = folders(8);
    (void)state;
    run(&w, SECOND, w.now + 20LL * SECOND);
    assert_int_equal(round_of(&w).quiet_us, 8LL * SECOND);
    w.now += 41LL * SECOND;
    assert_int_equal(round_of(&w).quiet_us, 0);
}

/* Many folders are listed together, and looked at one after the other. */
static void test_the_first_look_needs_no_list(void **state)
{
    struct watch w = folders(1);
    const struct sm_list_round none = {0};
    (void)state;
    assert_false(sm_list_turn_is_due(&w.turns[0], &none, w.now + 25LL * SECOND));
    assert_true(sm_list_turn_is_due(&w.turns[0], &none, w.now + 35LL * SECOND));
    sm_list_turn_ask(&w.turns[0], w.now + 25LL * SECOND);
    assert_false(sm_list_turn_is_due(&w.turns[0], &none, w.now + 25LL * SECOND + SECOND / 2));
    assert_true(sm_list_turn_is_due(&w.turns[0], &none, w.now + 26LL * SECOND));
}

static void test_expired_is_due(void **state)
{
    struct watch w = folders(8);
    const struct sm_list_round none = {0}, full = {.quiet_us = 8LL * SECOND};
    (void)state;
    assert_false(sm_list_turn_is_due(&w.turns[0], &none, w.now + SECOND));
    w.turns[0].expired = true;
    assert_true(sm_list_turn_is_due(&w.turns[0], &full, w.now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_list_a_second),
        cmocka_unit_test(test_news_are_looked_for_more_often),
        cmocka_unit_test(test_long_folders_count_as_what_they_cost),
        cmocka_unit_test(test_what_is_asked_for_once_has_no_turn),
        cmocka_unit_test(test_what_nobody_asks_for_any_more_leaves),
        cmocka_unit_test(test_the_first_look_needs_no_list),
        cmocka_unit_test(test_expired_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
