/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps of the flight recorder: what is read of pickles and JSON, and whose fault a hang is. */
#include "reader/base/mem.h"
#include "rules/trace/hang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

struct place {
    struct sm_source *source;
    struct sm_pool *pool;
    struct sm_trace_set *set;
    struct sm_hang hang;
};

static void begin(struct place *p)
{
    struct sm_err err;
    *p = (struct place){.source = sm_source_mem_new(&err), .pool = sm_pool_new(0, 0, &err)};
}

/* A rank's dump of one group: an operation a word, "op", "op!" that is not over, "op~" of another
 * size. */
static void put(struct place *p, int rank, const char *const *ops)
{
    struct sm_str s = {0};
    char path[32];
    sm_str_add(&s, "{\"version\":\"2.10\",\"pg_config\":{\"0\":{\"name\":\"0\",\"desc\":\"pg\","
                   "\"ranks\":\"[0, 1, 2, 3]\"}},\"entries\":[");
    for (int i = 0; ops[i]; i++) {
        size_t n = strcspn(ops[i], "!~");
        sm_str_printf(&s,
                      "%s{\"collective_seq_id\":%d,\"profiling_name\":\"%.*s\",\"process_group\":["
                      "\"0\",\"pg\"],\"state\":\"%s\",\"retired\":false,\"is_p2p\":false,"
                      "\"time_created_ns\":%d,\"input_sizes\":[[%d]]}",
                      i ? "," : "", i + 1, (int)n, ops[i],
                      strchr(ops[i], '!') || strchr(ops[i], '~') ? "started" : "completed",
                      100 * i + rank, strchr(ops[i], '~') ? 9 : 8);
    }
    sm_str_add(&s, "]}");
    snprintf(path, sizeof path, "rank_%d.json", rank);
    sm_source_mem_put(p->source, path, s.data, s.len);
    sm_str_clear(&s);
}

static void find(struct place *p)
{
    p->set = sm_trace_set_new(p->source, NULL, SM_TRACE_FLIGHT, p->pool);
    for (int i = 0; i < 100 && !sm_trace_set_is_read(p->set); i++) {
        sm_trace_set_pump(p->set);
        sm_pool_collect(p->pool, 1);
    }
    sm_hang_find(p->set, &p->hang);
}

static void end(struct place *p, const char *text)
{
    struct sm_str s = {0};
    sm_hang_describe(&p->hang, &s);
    assert_string_equal(sm_str_text(&s), text);
    sm_str_clear(&s);
    sm_hang_clear(&p->hang);
    sm_trace_set_close(p->set);
    sm_pool_free(p->pool);
    sm_source_unref(p->source);
}

static const char *const over[] = {"all_reduce", "all_reduce", NULL};
static const char *const waits[] = {"all_reduce", "all_reduce!", NULL};
static const char *const behind[] = {"all_reduce", NULL};
static const char *const other[] = {"all_reduce", "broadcast!", NULL};
static const char *const longer[] = {"all_reduce", "all_reduce~", NULL};

static void a_job_that_ended_well_has_no_fault(void **state)
{
    (void)state;
    struct place p;
    begin(&p);
    for (int i = 0; i < 4; i++)
        put(&p, i, over);
    find(&p);
    assert_int_equal(p.hang.fault, SM_HANG_NONE);
    assert_int_equal(p.hang.n, 4);
    assert_int_equal(p.hang.ranks[3].last->seq, 2);
    end(&p, "no collective operation hangs");
}

static void a_rank_that_never_entered_is_named(void **state)
{
    (void)state;
    struct place p;
    begin(&p);
    put(&p, 0, waits);
    put(&p, 1, behind);
    put(&p, 2, waits); /* rank 3 has no dump: nothing is said against it */
    find(&p);
    assert_int_equal(p.hang.fault, SM_HANG_NEVER_ENTERED);
    assert_int_equal(p.hang.n, 4);
    assert_int_equal(p.hang.ranks[1].role, SM_HANG_AT_FAULT);
    assert_int_equal(p.hang.ranks[3].role, SM_HANG_NO_DUMP);
    end(&p, "rank 1 never entered all_reduce #2 of group 0 pg, in which 2 wait");
}

static void the_majority_is_right(void **state)
{
    (void)state;
    struct place p;
    begin(&p);
    put(&p, 0, other);
    for (int i = 1; i < 4; i++)
        put(&p, i, waits);
    find(&p);
    assert_int_equal(p.hang.fault, SM_HANG_TYPE);
    assert_string_equal(p.hang.other, "broadcast");
    end(&p, "rank 0 is in broadcast, where the others are in all_reduce, #2 of group 0 pg");
    begin(&p);
    put(&p, 3, longer);
    for (int i = 0; i < 3; i++)
        put(&p, i, waits);
    find(&p);
    assert_int_equal(p.hang.fault, SM_HANG_SHAPE);
    end(&p, "rank 3 has other sizes or types in all_reduce #2 of group 0 pg");
}

static void of_halves_the_first_is_right(void **state)
{
    (void)state;
    struct place p;
    begin(&p);
    for (int i = 0; i < 4; i++)
        put(&p, i, i < 2 ? other : waits);
    find(&p);
    assert_int_equal(p.hang.fault, SM_HANG_TYPE);
    end(&p, "ranks 2, 3 are in all_reduce, where the others are in broadcast, #2 of group 0 pg");
}

static void an_operation_that_all_entered_may_hang(void **state)
{
    (void)state;
    struct place p;
    begin(&p);
    for (int i = 0; i < 4; i++)
        put(&p, i, waits);
    find(&p);
    assert_int_equal(p.hang.fault, SM_HANG_UNFINISHED);
    end(&p, "all 4 ranks entered all_reduce #2 of group 0 pg, which is not over");
}

static void pickles_and_json_say_the_same(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_source *s = sm_source_dir_new("tests/samples/traces/flight", &err);
    struct sm_flight a = {0}, b = {0};
    assert_true(sm_flight_read(s, "rank_2", &a, &err));
    assert_true(sm_flight_read(s, "rank_3.json", &b, &err));
    assert_int_equal(a.n, 2);
    assert_int_equal(b.n, 3);
    assert_int_equal(a.n_groups, 2);
    assert_int_equal(b.n_groups, 2);
    for (size_t i = 0; i < a.n; i++) {
        const struct sm_flight_op *x = &a.ops[i], *y = &b.ops[i];
        assert_string_equal(sm_names_text(a.names, x->op), sm_names_text(b.names, y->op));
        assert_string_equal(sm_names_text(a.names, x->group), sm_names_text(b.names, y->group));
        assert_int_equal(x->seq, y->seq);
        assert_int_equal(x->state, y->state);
        assert_int_equal(x->created_ns + 1000, y->created_ns);
    }
    assert_string_equal(sm_names_text(a.names, a.ops[0].stack), "train/loop.py:40:step");
    assert_int_equal(b.ops[0].stack, SM_NAME_NONE);
    sm_flight_clear(&a);
    sm_flight_clear(&b);
    sm_source_unref(s);
}

static void damaged_dumps_are_errors(void **state)
{
    (void)state;
    static const char *const files[] = {"rank_0", "rank_3.json"};
    struct sm_err err = {0};
    struct sm_source *dir = sm_source_dir_new("tests/samples/traces/flight", &err),
                     *s = sm_source_mem_new(&err);
    for (int k = 0; k < 2; k++) {
        struct sm_str bytes = {0};
        assert_true(sm_source_slurp(dir, files[k], 1 << 20, &bytes, &err));
        for (size_t n = 0; n < bytes.len; n += 37) {
            struct sm_flight f = {0};
            sm_source_mem_put(s, "x", bytes.data, n);
            assert_false(sm_flight_read(s, "x", &f, &err));
            sm_flight_clear(&f);
        }
        sm_str_clear(&bytes);
    }
    sm_source_unref(dir);
    sm_source_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_that_ended_well_has_no_fault),
        cmocka_unit_test(a_rank_that_never_entered_is_named),
        cmocka_unit_test(the_majority_is_right),
        cmocka_unit_test(of_halves_the_first_is_right),
        cmocka_unit_test(an_operation_that_all_entered_may_hang),
        cmocka_unit_test(pickles_and_json_say_the_same),
        cmocka_unit_test(damaged_dumps_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
