/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: JSON to columns in pieces of any size, damaged text, times, names of files. */
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/trace/trace_file.h"
#include "reader/trace/trace_name.h"
#include "reader/trace/trace_read.h"
#include "reader/trace/trace_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char whole[] =
    " {\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"H100\", \"x\": [1]}],\n"
    "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8},\n"
    "\"baseTimeNanoseconds\": 1790857026000000000, \"traceEvents\": [\n"
    "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"python\"}},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 2, \"ts\": "
    "-10.5, \"dur\": 3.001, \"args\": {\"External id\": 7, \"Input Dims\": [[2, 3], []]}},\n"
    "{\"args\": {\"stream\": 20, \"correlation\": 55, \"Collective name\": \"allreduce\", \"In msg "
    "nelems\": 4, \"Out msg nelems\": 4, \"Group size\": 2, \"dtype\": \"Float\", \"Process Group "
    "Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\", \"Seq\": 9, \"est. occupancy\": NaN}, "
    "\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"nccl\\u0041\", \"pid\": 0, \"tid\": 20, "
    "\"ts\": 1712195495519689.813, \"dur\": 2},,\n"
    "{\"ph\": \"s\", \"id\": 55, \"pid\": 1, \"tid\": 2, \"ts\": 1, \"cat\": \"ac2g\", \"name\": "
    "\"ac2g\"},\n"
    "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": "
    "2, \"ts\": 5, \"args\": {\"Bytes\": -256, \"Total Allocated\": 1024, \"Total Reserved\": "
    "2048, \"Device Type\": 1, \"Device Id\": 0, \"Addr\": 94486706524352}},\n"
    "{\"ph\": \"X\", \"cat\": \"Trace\", \"name\": \"PyTorch Profiler (0)\", \"pid\": \"Spans\", "
    "\"tid\": \"PyTorch Profiler\", \"ts\": 0, \"dur\": 9}],\n"
    "\"traceName\": \"x\"}\n";

/* Feeds the text in pieces of so many bytes. */
static bool feed(struct sm_trace_data *t, const char *text, size_t n, size_t piece)
{
    struct sm_trace_reader *r = sm_trace_reader_new(t);
    size_t from = 0;
    assert_non_null(r);
    for (size_t to = piece < n ? piece : n;; to = to + piece < n ? to + piece : n) {
        from += sm_trace_feed(r, text + from, to - from);
        if (to == n)
            break;
    }
    bool ok = sm_trace_finish(r);
    sm_trace_reader_free(r);
    return ok;
}

static void check_whole(const struct sm_trace_data *t)
{
    assert_int_equal(t->n, 4);
    assert_int_equal(t->objects, 6);
    assert_int_equal(t->bad, 0);
    assert_false(t->cut);
    assert_int_equal(t->rank, 3);
    assert_int_equal(t->world_size, 8);
    assert_int_equal(t->base_ns, 1790857026000000000);
    assert_string_equal(t->device, "H100");
    assert_int_equal(t->events[0].start_ns, -10500);
    assert_int_equal(t->events[0].duration_ns, 3001);
    assert_int_equal(t->events[0].external, 7);
    assert_int_equal(t->events[0].correlation, SM_NAME_NONE);
    assert_int_equal(t->events[0].cat, SM_TRACE_CPU_OP);
    /* 61 bits: a double would lose the last digits */
    assert_int_equal(t->events[1].start_ns, 1712195495519689813);
    assert_string_equal(sm_trace_name(t, t->events[1].name), "ncclA");
    assert_int_equal(t->events[1].correlation, 55);
    assert_int_equal(t->lanes[t->events[1].lane].stream, 20);
    const struct sm_trace_comm *c = &t->comms[t->events[1].extra];
    assert_string_equal(sm_trace_name(t, c->collective), "allreduce");
    assert_string_equal(sm_trace_name(t, c->ranks), "[0, 1]");
    assert_int_equal(c->seq, 9);
    assert_int_equal(c->in_elems, 4);
    const struct sm_trace_memory *m = &t->memory[t->events[2].extra];
    assert_int_equal(m->bytes, -256);
    assert_int_equal(m->allocated, 1024);
    assert_int_equal(m->device_type, 1);
    assert_int_equal(t->events[3].cat, SM_TRACE_SPAN);
}

static void pieces_of_any_size_give_the_same(void **state)
{
    (void)state;
    for (size_t piece = 1; piece <= sizeof whole; piece += piece < 40 ? 1 : 97) {
        struct sm_trace_data t = {0};
        assert_true(feed(&t, whole, sizeof whole - 1, piece));
        check_whole(&t);
        sm_trace_data_clear(&t);
    }
}

static void a_text_that_ends_early_gives_what_it_holds(void **state)
{
    (void)state;
    size_t before = 0;
    const char *end = strstr(whole, "\"traceName\"");
    for (size_t n = 1; n < (size_t)(end - whole); n++) {
        struct sm_trace_data t = {0};
        feed(&t, whole, n, n);
        assert_true(t.cut);
        assert_true(t.n >= before);
        before = t.n;
        sm_trace_data_clear(&t);
    }
    assert_int_equal(before, 4);
}

static void a_bare_list_is_a_trace(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"ph\":\"X\",\"cat\":\"Kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":2}]";
    struct sm_trace_data t = {0};
    assert_true(feed(&t, text, sizeof text - 1, 5));
    assert_int_equal(t.n, 1);
    assert_false(t.cut);
    assert_int_equal(t.events[0].cat, SM_TRACE_KERNEL);
    assert_int_equal(t.lanes[0].stream, 7);
    sm_trace_data_clear(&t);
    static const char other[] = "{\"a\": 1}";
    t = (struct sm_trace_data){0};
    assert_false(feed(&t, other, sizeof other - 1, 100));
    sm_trace_data_clear(&t);
}

static void what_is_no_event_is_counted_and_reading_goes_on(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},{\"ph\":\"X\",\"name\":\"no time\"},"
        "{\"ph\":\"X\" \"name\":\"no comma, no colon\",\"ts\":2},"
        "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1e30},{\"ph\":\"X\",\"name\":\"c\",\"ts\":3,"
        "\"dur\":1e15},{\"ph\":\"X\",\"name\":\"d\",\"ts\":4,\"dur\":-1},"
        "{\"ph\":\"X\",\"name\":\"e\",\"ts\":5}]";
    struct sm_trace_data t = {0};
    assert_true(feed(&t, text, sizeof text - 1, sizeof text));
    assert_string_equal(sm_trace_name(&t, t.events[0].name), "a");
    assert_string_equal(sm_trace_name(&t, t.events[t.n - 1].name), "e");
    assert_int_equal(t.overlong, 1);
    assert_int_equal(t.bad, 3);
    assert_int_equal(t.bad_at, strstr(text, "{\"ph\":\"X\",\"name\":\"no time\"") - text);
    sm_trace_data_clear(&t);
}

static void an_event_costs_40_bytes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct sm_trace_event), 40);
}

/* ---- files ---- */

static size_t zip(const char *text, size_t n, uint8_t *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static struct sm_trace_file read_file(struct sm_source *s, const char *path)
{
    struct sm_trace_file f = {.source = s, .path = path};
    sm_trace_file_read(&f);
    return f;
}

static void compressed_files_are_known_by_their_bytes(void **state)
{
    (void)state;
    static uint8_t packed[8192];
    struct sm_err err;
    struct sm_source *s = sm_source_mem_new(&err);
    size_t n = zip(whole, sizeof whole - 1, packed, sizeof packed);
    sm_source_mem_put(s, "plain.json", whole, sizeof whole - 1);
    sm_source_mem_put(s, "packed.json", packed, n);
    sm_source_mem_put(s, "torn.json", packed, n - 20);
    struct sm_trace_file f = read_file(s, "plain.json");
    assert_int_equal(f.err.code, SM_OK);
    check_whole(&f.trace);
    sm_trace_data_clear(&f.trace);
    f = read_file(s, "packed.json");
    assert_int_equal(f.err.code, SM_OK);
    check_whole(&f.trace);
    sm_trace_data_clear(&f.trace);
    f = read_file(s, "torn.json");
    assert_int_equal(f.err.code, SM_ERR_DATA);
    assert_non_null(strstr(f.err.msg, "ends too early"));
    assert_true(f.trace.n >= 1);
    assert_true(f.err_at > 0 && f.err_at < (int64_t)sizeof whole);
    sm_trace_data_clear(&f.trace);
    f = read_file(s, "none.json");
    assert_int_equal(f.err.code, SM_ERR_MISSING);
    sm_trace_data_clear(&f.trace);
    sm_source_unref(s);
}

static void an_object_longer_than_the_buffer_is_given_up(void **state)
{
    (void)state;
    struct sm_err err;
    struct sm_str text = {0};
    struct sm_source *s = sm_source_mem_new(&err);
    sm_str_add(&text, "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},{\"ph\":\"X\",\"name\":\"");
    sm_str_fill(&text, 'x', 3 * 1024 * 1024);
    sm_str_add(&text, "\",\"ts\":2},{\"ph\":\"X\",\"name\":\"");
    sm_str_fill(&text, 'y', 9 * 1024 * 1024);
    sm_source_mem_put(s, "long.json", text.data, text.len);
    struct sm_trace_file f = read_file(s, "long.json");
    assert_int_equal(f.trace.n, 2); /* the first of them fits */
    assert_true(f.trace.bad >= 1);
    assert_int_equal(f.err.code, SM_ERR_DATA);
    sm_trace_data_clear(&f.trace);
    sm_str_clear(&text);
    sm_source_unref(s);
}

/* ---- sets ---- */

static void the_files_of_a_folder_are_ranks(void **state)
{
    (void)state;
    static const char text[] = "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1}]}";
    static const char bad[] = "{\"traceEvents\":[";
    struct sm_err err;
    struct sm_source *s = sm_source_mem_new(&err);
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    sm_source_mem_put(s, "rank1_trace.json", text, sizeof text - 1);
    sm_source_mem_put(s, "a.json", whole, sizeof whole - 1);
    sm_source_mem_put(s, "rank0.pt.trace.json", bad, sizeof bad - 1);
    sm_source_mem_put(s, "settings.json", "{\"a\":1}", 7);
    struct sm_trace_set *set = sm_trace_set_new(s, NULL, SM_TRACE_KINETO, pool);
    for (int i = 0; i < 100 && !sm_trace_set_is_read(set); i++) {
        sm_trace_set_pump(set);
        sm_pool_collect(pool, 1);
    }
    assert_true(sm_trace_set_is_read(set));
    assert_int_equal(sm_trace_set_count(set), 2);
    assert_string_equal(sm_trace_set_item(set, 0)->worker, "rank_1");
    assert_string_equal(sm_trace_set_item(set, 1)->worker, "rank_3");
    assert_int_equal(sm_trace_set_world(set), 8);
    assert_int_equal(sm_trace_set_problems(set)->n, 1);
    assert_string_equal(sm_trace_set_problems(set)->items[0].file, "rank0.pt.trace.json");
    sm_trace_set_close(set);
    /* closed before its jobs are done: the last of them frees it */
    set = sm_trace_set_new(s, "a.json", SM_TRACE_KINETO, pool);
    sm_trace_set_pump(set);
    sm_trace_set_close(set);
    sm_pool_free(pool);
    sm_source_unref(s);
}

static void names_say_rank_and_step(void **state)
{
    (void)state;
    assert_int_equal(sm_trace_name_rank("rank3_trace.json.gz"), 3);
    assert_int_equal(sm_trace_name_rank("rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"), 0);
    assert_int_equal(sm_trace_name_rank("sampled_rank_12.json"), 12);
    assert_int_equal(sm_trace_name_rank("host_41.1795.pt.trace.json"), 41);
    assert_int_equal(sm_trace_name_rank("franking.json"), -1);
    assert_int_equal(sm_trace_name_rank("rank99999999999.json"), -1);
    assert_int_equal(sm_trace_step_number("ProfilerStep#1009"), 1009);
    assert_int_equal(sm_trace_step_number("ProfilerStep # 7"), 7);
    assert_int_equal(sm_trace_step_number("ProfilerStep*"), -1);
    assert_int_equal(sm_trace_step_number("aten::mm"), -1);
    assert_true(sm_trace_is_name("x.json.gz"));
    assert_false(sm_trace_is_name("x.jsonl"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size_give_the_same),
        cmocka_unit_test(a_text_that_ends_early_gives_what_it_holds),
        cmocka_unit_test(a_bare_list_is_a_trace),
        cmocka_unit_test(what_is_no_event_is_counted_and_reading_goes_on),
        cmocka_unit_test(an_event_costs_40_bytes),
        cmocka_unit_test(compressed_files_are_known_by_their_bytes),
        cmocka_unit_test(an_object_longer_than_the_buffer_is_given_up),
        cmocka_unit_test(the_files_of_a_folder_are_ranks),
        cmocka_unit_test(names_say_rank_and_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
