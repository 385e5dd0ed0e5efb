/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/reader/database_run.h"

static void begin(struct scratch *t, const char *mode, const char *schema)
{
    write_database(t, "mlflow.db", mode, schema);
    sql(t,
        "INSERT INTO experiments VALUES (1, 'first', 'active');"
        "INSERT INTO runs VALUES ('a', 'quick fox', 'RUNNING', 1700000000000, NULL, 'active', 1);"
        "INSERT INTO runs VALUES ('b', '', 'FAILED', 1700000000000, NULL, 'active', 1);");
}

/* time: half seconds. */
static void metric(struct scratch *t, const char *run, const char *key, double value, int time,
                   int step)
{
    sqlf(t, "INSERT INTO metrics VALUES ('%s', %.17g, %lld, '%s', %d, 0)", key, value,
         1700000000000LL + 500 * time, run, step);
}

static void reads_a_run(struct scratch *t, const char *mode, const char *schema)
{
    begin(t, mode, schema);
    sql(t, "INSERT INTO params VALUES ('lr', '0.01', 'a'), ('model/depth', '4', 'a'), ('x', 'y', "
           "'b')");
    metric(t, "a", "loss", 0.5, 1, 1);
    metric(t, "b", "loss", 7, 1, 1);
    metric(t, "a", "loss", 0.25, 2, 2);
    sql(t, "INSERT INTO metrics VALUES ('loss', 0, 1700000001500, 'a', 3, 1)");
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    static const char *const lines[] = {"ended 0 0\nbegan 1700000000\nsummary status \"RUNNING\"\n"
                                        "summary experiment \"first\"\nname quick fox\n",
                                        "config-text lr 0.01\nconfig-text model/depth 4\n",
                                        "point loss 1 0.5 @1700000000.5\n"
                                        "point loss 2 0.25 @1700000001\n"
                                        "point loss 3 nan @1700000001.5\n"};
    size_t n = 0;
    const char *all = poll_member(&a);
    for (size_t i = 0; i < 3; i++) {
        assert_non_null(strstr(all, lines[i]));
        n += strlen(lines[i]);
    }
    assert_int_equal(strlen(all), n);
    assert_string_equal(poll_member(&a), "");
    metric(t, "b", "loss", 8, 4, 2);
    metric(t, "a", "loss", 0.125, 4, 4);
    sql(t, "INSERT INTO params VALUES ('late', '1', 'a');"
           "INSERT INTO tags VALUES ('mlflow.runName', 'slow fox', 'a'), ('team', 'x', 'a');"
           "UPDATE runs SET status = 'FINISHED' WHERE run_uuid = 'a'");
    const char *news = poll_member(&a);
    assert_non_null(strstr(news, "ended 1 0\n"));
    assert_non_null(strstr(news, "name slow fox\n"));
    assert_non_null(strstr(news, "config-text late 1\n"));
    assert_non_null(strstr(news, "point loss 4 0.125"));
    assert_null(strstr(news, "config-text lr"));
    assert_string_equal(fake_sink_points(a.sink, "loss"), "1=0.5 2=0.25 3=nan 4=0.125");
    struct run b = open_member(t, &sm_mlflow_format, "mlflow.db#b");
    news = poll_member(&b);
    assert_non_null(strstr(news, "ended 1 1\n"));
    assert_non_null(strstr(news, "name b\n")); /* without a name: its id */
    assert_string_equal(fake_sink_points(b.sink, "loss"), "1=7 2=8");
    close_member(&a);
    close_member(&b);
}

static void test_journal(void **state)
{
    reads_a_run(*state, "DELETE", MLFLOW_SCHEMA MLFLOW_INDEXES);
}

static void test_wal(void **state)
{
    reads_a_run(*state, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
}

static void test_without_indexes(void **state)
{
    reads_a_run(*state, "WAL", MLFLOW_SCHEMA);
}

static void test_index_of_key(void **state)
{
    /* as in a few versions: rows of a run are not in the order of their numbers */
    reads_a_run(*state, "DELETE",
                MLFLOW_SCHEMA
                "CREATE INDEX index_metrics_run_uuid_key_step ON metrics (run_uuid, key, step);");
}

/* The value with the later time counts, whatever the order of rows and steps. */
static void test_steps_that_go_back(void **state)
{
    struct scratch *t = *state;
    begin(t, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
    metric(t, "a", "x", 1, 5, 0);
    metric(t, "a", "x", 2, 4, 0); /* of the same step, but earlier */
    metric(t, "a", "x", 3, 5, 0); /* of the same time: the later row */
    metric(t, "a", "x", 4, 6, 7);
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    poll_member(&a);
    assert_string_equal(fake_sink_points(a.sink, "x"), "0=1 0=3 7=4");
    assert_int_equal(a.sink->restarts, 0);
    metric(t, "a", "x", 5, 3, 7);
    metric(t, "a", "x", 6, 9, 0); /* needs the times of all */
    metric(t, "a", "x", 7, 8, 0);
    poll_member(&a);
    assert_int_equal(a.sink->restarts, 1);
    assert_string_equal(fake_sink_points(a.sink, "x"), "0=1 0=3 7=4 0=6");
    metric(t, "a", "x", 8, 7, 0);
    metric(t, "a", "x", 9, 20, 3);
    poll_member(&a);
    assert_string_equal(fake_sink_points(a.sink, "x"), "0=1 0=3 7=4 0=6 3=9");
    assert_int_equal(a.sink->restarts, 1);
    close_member(&a);
}

static void copy_file(struct scratch *t, const char *from, const char *to)
{
    char bytes[65536];
    FILE *in_file = fopen(in(t, from), "rb"), *out;
    assert_non_null(in_file);
    out = fopen(in(t, to), "wb");
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in_file));)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in_file);
    fclose(out);
}

/* A writer that is killed leaves its journal; what it had not committed does not count. Its pages
 * are in the file already, as its cache is small. */
static void test_killed_writer(void **state)
{
    struct scratch *t = *state;
    begin(t, "DELETE", MLFLOW_SCHEMA MLFLOW_INDEXES);
    sql(t, "PRAGMA cache_size=4; PRAGMA synchronous=FULL");
    for (int i = 0; i < 500; i++)
        metric(t, "a", "loss", i, i, i);
    sql(t, "BEGIN; UPDATE runs SET name = 'half done'; DELETE FROM metrics WHERE step < 400");
    for (int i = 0; i < 500; i++)
        metric(t, "a", "other", i, i, i);
    copy_file(t, "mlflow.db", "killed.db");
    copy_file(t, "mlflow.db-journal", "killed.db-journal");
    sql(t, "ROLLBACK");
    struct run a = open_member(t, &sm_mlflow_format, "killed.db#a");
    assert_non_null(strstr(poll_member(&a), "name quick fox\n"));
    assert_int_equal(strlen(fake_sink_points(a.sink, "other")), 0);
    assert_non_null(strstr(fake_sink_points(a.sink, "loss"), "0=0 1=1 2=2 "));
    assert_int_equal(a.sink->problems, 0);
    unlink(in(t, "killed.db-journal"));
    struct run b = open_member(t, &sm_mlflow_format, "killed.db#a");
    const char *without = poll_member(&b); /* else this test tests nothing */
    assert_true(strstr(without, "half done") || strstr(without, "problem"));
    close_member(&a);
    close_member(&b);
}

/* Of a log, commits count, and nothing after them. */
static void test_log_of_killed_writer(void **state)
{
    struct scratch *t = *state;
    begin(t, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
    sql(t, "PRAGMA cache_size=4");
    metric(t, "a", "loss", 1, 1, 1);
    sql(t, "BEGIN; DELETE FROM runs");
    for (int i = 0; i < 500; i++)
        metric(t, "a", "other", i, i, i);
    copy_file(t, "mlflow.db", "killed.db");
    copy_file(t, "mlflow.db-wal", "killed.db-wal");
    sql(t, "COMMIT");
    struct run a = open_member(t, &sm_mlflow_format, "killed.db#a");
    assert_non_null(strstr(poll_member(&a), "name quick fox\n"));
    assert_string_equal(fake_sink_points(a.sink, "loss"), "1=1");
    assert_int_equal(strlen(fake_sink_points(a.sink, "other")), 0);
    assert_false(exists(t, "killed.db-shm"));
    close_member(&a);
}

/* Each byte of the last frame torn off leaves what was there before. */
static void test_torn_log(void **state)
{
    struct scratch *t = *state;
    begin(t, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
    metric(t, "a", "loss", 1, 1, 1);
    copy_file(t, "mlflow.db", "torn.db");
    struct stat before, after;
    assert_int_equal(stat(in(t, "mlflow.db-wal"), &before), 0);
    metric(t, "a", "loss", 2, 2, 2);
    assert_int_equal(stat(in(t, "mlflow.db-wal"), &after), 0);
    for (off_t n = before.st_size; n < after.st_size; n += 1 + (after.st_size - n) / 7) {
        copy_file(t, "mlflow.db-wal", "torn.db-wal");
        assert_int_equal(truncate(in(t, "torn.db-wal"), n), 0);
        struct run a = open_member(t, &sm_mlflow_format, "torn.db#a");
        poll_member(&a);
        assert_string_equal(fake_sink_points(a.sink, "loss"), "1=1");
        assert_int_equal(a.sink->problems, 0);
        close_member(&a);
    }
}

/* While it is followed: a log that is written into the file and begins anew, again and again. */
static void test_checkpoints(void **state)
{
    struct scratch *t = *state;
    struct sm_str expected = {0};
    begin(t, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    for (int i = 0; i < 60; i++) {
        metric(t, "a", "loss", i, i, i);
        if (i % 7 == 3)
            sql(t, "PRAGMA wal_checkpoint(PASSIVE)");
        if (i % 20 == 11)
            sql(t, "PRAGMA wal_checkpoint(TRUNCATE)");
        poll_member(&a);
        sm_str_printf(&expected, "%s%d=%d", i ? " " : "", i, i);
        assert_string_equal(fake_sink_points(a.sink, "loss"), expected.data);
    }
    sqlite3_close(t->writer);
    t->writer = NULL;
    assert_string_equal(poll_member(&a), "");
    assert_false(exists(t, "mlflow.db-wal"));
    assert_int_equal(a.sink->restarts + a.sink->problems, 0);
    sm_str_clear(&expected);
    close_member(&a);
}

/* A log that was written into the file whole is written anew from its beginning, without another
 * write to the file: what lies over the pages is not there any more. */
static void test_log_begun_anew(void **state)
{
    struct scratch *t = *state;
    struct sm_db_pages pages;
    struct sm_err err;
    bool changed;
    begin(t, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
    sql(t, "PRAGMA wal_checkpoint(PASSIVE)");
    assert_true(sm_db_pages_init(&pages, t->source, "mlflow.db"));
    assert_true(sm_db_pages_look(&pages, &changed, &err));
    assert_true(sm_db_pages_open(&pages, &err));
    assert_non_null(pages.over);
    assert_true(sm_db_pages_hold(&pages));
    metric(t, "a", "loss", 1, 1, 1);
    assert_false(sm_db_pages_hold(&pages));
    assert_true(sm_db_pages_look(&pages, &changed, &err));
    assert_true(changed);
    assert_true(sm_db_pages_hold(&pages));
    sm_db_pages_clear(&pages);
}

/* Nothing appears beside a database that is read. */
static bool count_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    (void)name, (void)inode, (void)is_dir;
    ++*(int *)ctx;
    return true;
}

static void test_writes_nothing(void **state)
{
    struct scratch *t = *state;
    struct sm_err err;
    struct stat before, after;
    int files = 0;
    begin(t, "WAL", MLFLOW_SCHEMA MLFLOW_INDEXES);
    metric(t, "a", "loss", 1, 1, 1);
    sqlite3_close(t->writer);
    t->writer = NULL;
    assert_int_equal(stat(in(t, "mlflow.db"), &before), 0);
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    poll_member(&a);
    assert_string_equal(fake_sink_points(a.sink, "loss"), "1=1");
    assert_true(sm_source_list(t->source, "", count_name, &files, &err));
    assert_int_equal(files, 1);
    assert_int_equal(stat(in(t, "mlflow.db"), &after), 0);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    close_member(&a);
}

/* VACUUM gives rows new numbers; another file has other rows. */
static void test_rows_with_new_numbers(void **state)
{
    struct scratch *t = *state;
    begin(t, "DELETE", MLFLOW_SCHEMA MLFLOW_INDEXES);
    for (int i = 0; i < 9; i++)
        metric(t, "a", "loss", i, i, i);
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    poll_member(&a);
    sql(t, "DELETE FROM metrics WHERE step < 5; VACUUM");
    metric(t, "a", "loss", 10, 10, 10);
    poll_member(&a);
    assert_string_equal(fake_sink_points(a.sink, "loss"), "5=5 6=6 7=7 8=8 10=10");
    sql(t, "DELETE FROM metrics WHERE step > 6");
    metric(t, "a", "loss", 20, 20, 20);
    sql(t, "DELETE FROM metrics WHERE step = 20");
    poll_member(&a);
    assert_string_equal(fake_sink_points(a.sink, "loss"), "5=5 6=6");
    sqlite3_close(t->writer);
    unlink(in(t, "mlflow.db"));
    assert_string_equal(poll_member(&a), "");
    begin(t, "DELETE", MLFLOW_SCHEMA);
    metric(t, "a", "loss", 7, 7, 7);
    poll_member(&a);
    assert_string_equal(fake_sink_points(a.sink, "loss"), "7=7");
    close_member(&a);
}

/* More rows than a turn takes, of runs that lie side by side. */
static void test_many_rows(void **state)
{
    struct scratch *t = *state;
    begin(t, "DELETE", MLFLOW_SCHEMA);
    sql(t, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 250000) "
           "INSERT INTO metrics SELECT 'x', i, 1700000000000, CASE WHEN i % 9 THEN 'b' ELSE 'a' "
           "END, i, 0 FROM n");
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    struct run b = open_member(t, &sm_mlflow_format, "mlflow.db#b");
    poll_member(&a);
    poll_member(&b);
    const char *last = strrchr(fake_sink_points(a.sink, "x"), ' ');
    assert_string_equal(last, " 249993=249993");
    last = strrchr(fake_sink_points(b.sink, "x"), ' ');
    assert_string_equal(last, " 250000=250000");
    close_member(&a);
    close_member(&b);
}

enum { STEPS = 200 };

/* What it costs to open so many runs and to follow a few new points in each. */
static uint64_t work_of(struct scratch *t, int n, const char *schema)
{
    uint64_t before = sm_database_work();
    struct run *runs = calloc((size_t)n, sizeof *runs);
    write_database(t, "mlflow.db", "WAL", schema);
    sqlf(t,
         "WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < %d), s(k) AS "
         "(SELECT 0 UNION ALL SELECT k + 1 FROM s WHERE k < %d) INSERT INTO metrics SELECT 'x', k, "
         "1700000000000 + k, 'run' || i, k, 0 FROM s, r",
         n - 1, STEPS - 1);
    char member[32];
    for (int i = 0; i < n; i++) {
        snprintf(member, sizeof member, "mlflow.db#run%d", i);
        char *kept = strdup(member);
        runs[i] = open_member(t, &sm_mlflow_format, kept);
        free(kept);
    }
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < n; i++)
            poll_member(&runs[i]);
        sqlf(t,
             "INSERT INTO metrics SELECT 'x', 1, 1700000009000, run_uuid, %d, 0 FROM metrics "
             "WHERE step = 0",
             STEPS + k);
    }
    for (int i = 0; i < n; i++) {
        assert_non_null(strstr(fake_sink_points(runs[i].sink, "x"), " 203=1"));
        close_member(&runs[i]);
    }
    sqlite3_close(t->writer);
    t->writer = NULL;
    unlink(in(t, "mlflow.db"));
    free(runs);
    return sm_database_work() - before;
}

/* Ten times as many runs and rows cost ten times as much, with an index and without. */
static void test_cost_of_many_runs(void **state)
{
    struct scratch *t = *state;
    static const char *const schemas[] = {MLFLOW_SCHEMA MLFLOW_INDEXES, MLFLOW_SCHEMA};
    for (size_t i = 0; i < 2; i++) {
        uint64_t few = work_of(t, 10, schemas[i]), many = work_of(t, 100, schemas[i]);
        assert_true(few > 0);
        assert_true(many < 15 * few);
    }
}

static void is_refused(struct scratch *t, const char *schema)
{
    unlink(in(t, "mlflow.db"));
    write_database(t, "mlflow.db", "DELETE", schema);
    sqlite3_close(t->writer);
    t->writer = NULL;
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    poll_member(&a);
    assert_int_equal(strlen(fake_sink_points(a.sink, "x")), 0);
    close_member(&a);
}

/* Views, virtual tables and columns that are computed run code of the database. */
static void test_hostile_schemas(void **state)
{
    struct scratch *t = *state;
    is_refused(t, "CREATE TABLE runs(run_uuid, name, status, start_time);"
                  "CREATE VIEW metrics AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                  "FROM n) SELECT 'x' AS key, i AS value, i AS timestamp, 'a' AS run_uuid, i AS "
                  "step, 0 AS is_nan FROM n");
    is_refused(t, "CREATE TABLE runs(run_uuid, name, status, start_time);"
                  "CREATE TABLE metrics(key, value, timestamp, run_uuid, step, is_nan, PRIMARY KEY "
                  "(key, step)) WITHOUT ROWID; INSERT INTO metrics VALUES ('x', 1, 1, 'a', 1, 0)");
    is_refused(t, "CREATE TABLE runs(run_uuid, name, status, start_time);"
                  "CREATE TABLE metrics(key, value AS (length(hex(zeroblob(30000000)))), "
                  "timestamp, run_uuid, step, is_nan);"
                  "INSERT INTO metrics VALUES ('x', 1, 'a', 1, 0)");
}

/* A database with any byte changed is read, or it is said what is wrong; it ends. */
static void test_damage(void **state)
{
    struct scratch *t = *state;
    begin(t, "DELETE", "PRAGMA page_size=512;" MLFLOW_SCHEMA MLFLOW_INDEXES);
    for (int i = 0; i < 40; i++)
        metric(t, "a", "loss", i, i, i);
    sqlite3_close(t->writer);
    t->writer = NULL;
    struct stat st;
    assert_int_equal(stat(in(t, "mlflow.db"), &st), 0);
    for (off_t at = 0; at < st.st_size; at += 37) {
        copy_file(t, "mlflow.db", "bad.db");
        FILE *f = fopen(in(t, "bad.db"), "r+b");
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        int c = fgetc(f);
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        fputc(c ^ (1 << at % 8), f);
        fclose(f);
        struct run a = open_member(t, &sm_mlflow_format, "bad.db#a");
        poll_member(&a);
        close_member(&a);
    }
    copy_file(t, "mlflow.db", "bad.db");
    assert_int_equal(truncate(in(t, "bad.db"), st.st_size / 2), 0);
    struct run a = open_member(t, &sm_mlflow_format, "bad.db#a");
    assert_non_null(strstr(poll_member(&a), "problem bad.db -1 "));
    assert_string_equal(poll_member(&a), ""); /* it is said once */
    close_member(&a);
}

static void test_not_a_database(void **state)
{
    struct scratch *t = *state;
    put_text(t, "mlflow.db", "w",
             "this is a text, and it has more than one hundred bytes .......\n"
             ".............................................................");
    struct run a = open_member(t, &sm_mlflow_format, "mlflow.db#a");
    assert_string_equal(poll_member(&a), "problem mlflow.db -1 not a SQLite database\n");
    close_member(&a);
    a = open_member(t, &sm_mlflow_format, "missing.db#a");
    assert_string_equal(poll_member(&a), "");
    close_member(&a);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)
    const struct CMUnitTest tests[] = {
        T(test_journal),
        T(test_wal),
        T(test_without_indexes),
        T(test_index_of_key),
        T(test_steps_that_go_back),
        T(test_killed_writer),
        T(test_log_of_killed_writer),
        T(test_torn_log),
        T(test_checkpoints),
        T(test_log_begun_anew),
        T(test_writes_nothing),
        T(test_rows_with_new_numbers),
        T(test_many_rows),
        T(test_cost_of_many_runs),
        T(test_hostile_schemas),
        T(test_damage),
        T(test_not_a_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
