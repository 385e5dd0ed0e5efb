/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank the others wait for: with clocks apart, with and without sequence numbers, and where
 * waiting passes on from one group to the next. */
#include "rules/trace/blame.h"
#include "tests/rules/trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RANKS = 4 };
struct place {
    struct sm_str text[RANKS];
    struct sm_trace_item items[RANKS];
    const struct sm_trace_item *borrowed[RANKS];
    struct sm_trace_view views[RANKS];
    struct sm_blame blame;
};

/* A part of an operation that ends at `end` on the true clock; the rank's is `clock` ahead. */
static void part(struct place *p, int rank, double clock, const char *group, const char *ranks,
                 int seq, double start, double end)
{
    char args[256], number[32] = "";
    static int correlation;
    if (seq)
        snprintf(number, sizeof number, ",\"Seq\":%d", seq);
    snprintf(args, sizeof args,
             "\"Collective name\":\"allreduce\",\"Process Group Name\":\"%s\",\"Process Group "
             "Ranks\":\"%s\"%s",
             group, ranks, number);
    trace_work(&p->text[rank], ++correlation, "ncclDevKernel_AllReduce", 20, start + clock - 1,
               start + clock, end - start, args);
}

static void find(struct place *p)
{
    for (int i = 0; i < RANKS; i++) {
        trace_make(&p->text[i], i, &p->items[i]);
        p->borrowed[i] = &p->items[i];
        sm_trace_view_make(&p->items[i], false, &p->views[i]);
    }
    sm_blame_find(p->views, p->borrowed, RANKS, &p->blame);
}

static void clear(struct place *p)
{
    sm_blame_clear(&p->blame);
    for (int i = 0; i < RANKS; i++) {
        sm_trace_view_clear(&p->views[i]);
        sm_trace_data_clear(&p->items[i].trace);
    }
}

static const double clocks[RANKS] = {0, 5000, -3000, 700};

/* All ranks but 2 begin at 0, 1, 3 us; rank 2 begins 50 us late. */
static void late_rank(struct place *p, bool numbered)
{
    for (int op = 0; op < 3; op++)
        for (int r = 0; r < RANKS; r++)
            part(p, r, clocks[r], "0", "[0, 1, 2, 3]", numbered ? op + 1 : 0,
                 1000 * op + (r == 2 ? 50 : r), 1000 * op + 60);
}

static void check_late(const struct sm_blame *b)
{
    assert_int_equal(b->n_rows, 3);
    for (size_t i = 0; i < b->n_rows; i++) {
        assert_int_equal(b->rows[i].last, 2);
        assert_int_equal(b->rows[i].root, 2);
        assert_int_equal(b->rows[i].shortest, 2);
        assert_int_equal(b->rows[i].waited_ns, 50000 + 49000 + 47000);
        assert_int_equal(b->rows[i].n, RANKS);
    }
    assert_int_equal(b->blame[2], 3 * 146000);
    assert_int_equal(b->blame[0] + b->blame[1] + b->blame[3], 0);
    assert_int_equal(b->suffered[0], 150000);
    assert_int_equal(b->suffered[2], 0);
    assert_int_equal(b->matrix[1 * RANKS + 2], 147000);
    assert_int_equal(b->n_steps, 1);
    assert_int_equal(b->steps[0].collectives, 3);
    assert_int_equal(b->steps[0].step, -1);
}

static void the_late_rank_is_found_whatever_the_clocks(void **state)
{
    (void)state;
    struct place p = {0};
    late_rank(&p, true);
    find(&p);
    check_late(&p.blame);
    clear(&p);
}

static void operations_without_numbers_are_counted(void **state)
{
    (void)state;
    struct place p = {0};
    late_rank(&p, false);
    find(&p);
    check_late(&p.blame);
    assert_int_equal(p.blame.rows[2].seq, 3);
    clear(&p);
}

/* Groups {0, 1} and {2, 3} have the same name. Rank 1 is late in the first; rank 0, which waits for
 * it there, is late for rank 2 in the group of both. */
static void waiting_passes_on_to_the_next_group(void **state)
{
    (void)state;
    struct place p = {0};
    part(&p, 0, clocks[0], "tp", "[0, 1]", 1, 0, 110);
    part(&p, 1, clocks[1], "tp", "[0, 1]", 1, 100, 110);
    part(&p, 2, clocks[2], "tp", "[2, 3]", 1, 0, 11);
    part(&p, 3, clocks[3], "tp", "[2, 3]", 1, 1, 11);
    part(&p, 0, clocks[0], "dp", "[0, 2]", 1, 120, 130);
    part(&p, 2, clocks[2], "dp", "[0, 2]", 1, 21, 130);
    find(&p);
    assert_int_equal(p.blame.n_rows, 3);
    assert_int_equal(p.blame.blame[0], 99000);
    assert_int_equal(p.blame.blame[1], 100000);
    assert_int_equal(p.blame.root_blame[0], 0);
    assert_int_equal(p.blame.root_blame[1], 199000);
    clear(&p);
}

static void what_one_rank_alone_has_says_nothing(void **state)
{
    (void)state;
    struct place p = {0};
    part(&p, 0, 0, "0", "[0, 1]", 1, 0, 10);
    part(&p, 1, 0, "0", "[0, 1]", 2, 0, 10);
    find(&p);
    assert_int_equal(p.blame.n_rows, 0);
    clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_late_rank_is_found_whatever_the_clocks),
        cmocka_unit_test(operations_without_numbers_are_counted),
        cmocka_unit_test(waiting_passes_on_to_the_next_group),
        cmocka_unit_test(what_one_rank_alone_has_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
