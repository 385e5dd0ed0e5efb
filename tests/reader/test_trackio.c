/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/reader/database_run.h"

#define OLD_SCHEMA                                                                                 \
    "CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, "        \
    "run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL);"
#define NEW_SCHEMA                                                                                 \
    "CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp " \
    "TEXT NOT NULL, run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL);"        \
    "CREATE TABLE configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name "  \
    "TEXT NOT NULL, config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id));"              \
    "CREATE TABLE system_metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, "    \
    "timestamp TEXT NOT NULL, run_name TEXT NOT NULL, metrics TEXT NOT NULL);"                     \
    "CREATE INDEX idx_metrics_run_step ON metrics(run_id, step);"                                  \
    "CREATE INDEX idx_system_metrics_run_timestamp ON system_metrics(run_id, timestamp);"

static void log_row(struct scratch *t, int second, int step, const char *json)
{
    sqlf(t,
         "INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES ('r1', "
         "'2026-11-23T00:00:%02d.500000+00:00', 'first', %d, CAST('%s' AS BLOB))",
         second, step, json);
}

static void test_new(void **state)
{
    struct scratch *t = *state;
    write_database(t, "p.db", "WAL", NEW_SCHEMA);
    sql(t,
        "INSERT INTO configs (run_id, run_name, config, created_at) VALUES ('r1', 'first', "
        "'{\"lr\":0.1,\"arch\":{\"depth\":3,\"name\":\"3\"},\"s\":\"NaN\",\"b\":true,\"l\":[1,2],"
        "\"_Username\":null,\"_x\":{\"y\":1}}', '2026-11-23T00:00:00+00:00')");
    log_row(t, 1, 0, "{\"loss\":1.5,\"note\":\"text\",\"ok\":true,\"a\":\"NaN\",\"n\":{\"x\":2}}");
    log_row(t, 2, 1,
            "{\"loss\":\"-Infinity\",\"h\":{\"bins\":[1],\"v\":3,\"_type\":\"trackio.histogram\"},"
            "\"i\":{\"_type\":\"trackio.image\",\"w\":4},\"iw\":5}");
    sql(t, "INSERT INTO system_metrics (run_id, timestamp, run_name, metrics) VALUES ('r1', "
           "'2026-11-23T00:00:01+00:00', 'first', '{\"gpu.0.util\":50}')");
    struct run r = open_member(t, &sm_trackio_format, "p.db#r1");
    const char *all = poll_member(&r);
    assert_non_null(strstr(all, "name first\nbegan 1795392000\nconfig lr 0.1\nconfig arch.depth 3\n"
                                "config arch.name \"3\"\nconfig s NaN\nconfig b true\n"
                                "config l [1,2]\npoint"));
    assert_non_null(strstr(all, "system gpu.0.util 1795392001 50\n"));
    assert_non_null(strstr(all, "point loss 0 1.5 @1795392001.5\n"));
    assert_string_equal(fake_sink_points(r.sink, "loss"), "0=1.5 1=-inf");
    assert_string_equal(fake_sink_points(r.sink, "a"), "0=nan");
    assert_string_equal(fake_sink_points(r.sink, "n.x"), "0=2");
    assert_string_equal(fake_sink_points(r.sink, "iw"), "1=5");
    static const char *const none[] = {"note", "h.v", "i.w", "ok"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(strlen(fake_sink_points(r.sink, none[i])), 0);
    log_row(t, 3, 1, "{\"loss\":7}");
    log_row(t, 4, 2, "{\"loss\":8}");
    assert_string_equal(poll_member(&r), "point loss 1 7 @1795392003.5\npoint loss 2 8 "
                                         "@1795392004.5\n");
    assert_string_equal(poll_member(&r), "");
    assert_false(exists(t, "p.db-shm") && !t->writer);
    close_member(&r);
}

/* Before run_id the name tells runs apart, and there was no configuration. */
static void test_old(void **state)
{
    struct scratch *t = *state;
    write_database(t, "p.db", "DELETE", OLD_SCHEMA);
    sql(t, "INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES "
           "('2025-08-01T10:00:00+00:00', 'a#1', 0, '{\"loss\": 1.5}'),"
           "('2025-08-01T10:00:01+00:00', 'b', 0, '{\"loss\": 2.5}'),"
           "('2025-08-01T10:00:02+00:00', 'a#1', 1, '{\"loss\": 0.5, \"x\": NaN}')");
    struct run r = open_member(t, &sm_trackio_format, "p.db#a#1");
    assert_non_null(strstr(poll_member(&r), "name a#1\n"));
    assert_string_equal(fake_sink_points(r.sink, "loss"), "0=1.5 1=0.5");
    assert_string_equal(fake_sink_points(r.sink, "x"), "1=nan");
    close_member(&r);
}

static void test_bad_rows(void **state)
{
    struct scratch *t = *state;
    write_database(t, "p.db", "DELETE", NEW_SCHEMA);
    log_row(t, 1, 0, "{\"loss\":1}");
    log_row(t, 2, 1, "{\"loss\":");
    log_row(t, 3, 2, "{\"loss\":3}");
    struct run r = open_member(t, &sm_trackio_format, "p.db#r1");
    assert_non_null(strstr(poll_member(&r), "problem p.db -1 row 2 of metrics: "));
    assert_string_equal(fake_sink_points(r.sink, "loss"), "0=1 2=3");
    close_member(&r);
}

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t us;
    } times[] = {{"2026-11-23T00:00:00+00:00", 1795392000000000},
                 {"2026-11-23T00:00:00.408653+00:00", 1795392000408653},
                 {"2026-11-23 02:30:00.5+02:30", 1795392000500000},
                 {"2026-11-22T23:00:00Z", 1795388400000000},
                 {"2026-11-22T19:00:00-0500", 1795392000000000},
                 {"2026-11-23", SM_NO_TIME},
                 {"", SM_NO_TIME},
                 {"yesterday", SM_NO_TIME}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        assert_int_equal(sm_trackio_time_us(times[i].text, strlen(times[i].text)), times[i].us);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)
    const struct CMUnitTest tests[] = {
        T(test_new),
        T(test_old),
        T(test_bad_rows),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
