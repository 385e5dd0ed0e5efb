/* SPDX-License-Identifier: Apache-2.0 */
/* Live directories: everything that can happen while a job writes, without sleeping. */
#include "tests/reader/live.h"

#include "reader/kind/tail_news.h"

#include <fcntl.h>
#include <time.h>
#include <utime.h>

static void set_file_time(const char *path, time_t seconds)
{
    struct utimbuf t = {seconds, seconds};
    assert_int_equal(utime(path, &t), 0);
}

static const char *index_of(const struct live *l, int step, const char *worker)
{
    return in(l, "index/%09d/%012d_%s.json", step / 1000, step, worker);
}

static const char *events_of(const struct live *l, int step, const char *worker)
{
    return in(l, "events/%012d/%012d_%s.tfevents", step, step, worker);
}

static void move_file(const char *from, const char *to)
{
    assert_int_equal(rename(from, to), 0);
}

/* As an object store or rsync without renaming does: the same inode. */
static void write_in_place(const char *path, const void *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_TRUNC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
}

/* ---- appearing ---- */

static void test_a_directory_that_comes_later(void **state)
{
    struct live *l = *state;
    live_open(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    assert_int_equal(sm_trial_step_count(l->trial), 0);
    assert_false(live_beat(l));
    mkdir(l->path, 0777);
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    write_step(l, "worker_0", 0);
    assert_true(live_settle(l));
    assert_string_equal(steps_text(l), "0!");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    write_collections(l, "worker_0", 1);
    assert_true(live_settle(l));
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_a_new_step_is_seen_by_its_event(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    uint64_t version = sm_trial_version(l->trial);
    write_step(l, "worker_0", 10);
    assert_true(live_settle(l));
    assert_string_equal(steps_text(l), "0 10");
    assert_true(sm_trial_version(l->trial) > version);
    write_step(l, "worker_0", 1000); /* a new folder */
    assert_true(live_settle(l));
    write_step(l, "worker_0", 1001); /* in it */
    assert_true(live_settle(l));
    assert_string_equal(steps_text(l), "0 10 1000 1001");
}

static void test_a_heartbeat_finds_what_no_event_reported(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    char events[4096];
    live_settle(l);
    write_step(l, "worker_0", 1);
    while (read(sm_trial_fd(l->trial), events, sizeof events) > 0) /* NFS sends none */
        ;
    assert_false(live_settle(l));
    int64_t due = sm_trial_deadline_us(l->trial);
    assert_true(due > sm_clock_mono_us());
    assert_true(due <= sm_clock_mono_us() + HEARTBEAT_US);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1");
}

static void test_nothing_new_changes_nothing(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    live_settle(l);
    uint64_t version = sm_trial_version(l->trial);
    unsigned long reads = sm_source_read_count();
    assert_false(sm_trial_pump(l->trial));
    assert_int_equal(sm_pool_pending(l->pool), 0); /* not even a scan */
    assert_int_equal(sm_source_read_count(), reads);
    assert_false(live_beat(l));
    assert_int_equal(sm_trial_version(l->trial), version);
}

static unsigned long reads_of_a_beat(struct live *l)
{
    unsigned long before = sm_source_read_count();
    live_beat(l);
    return sm_source_read_count() - before;
}

static void test_a_beat_costs_the_same_after_many_steps(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 4; i++)
        write_step(l, "worker_0", 1000 * i);
    live_open(l);
    live_beat(l);
    unsigned long few = reads_of_a_beat(l);
    for (int i = 4; i < 40; i++)
        write_step(l, "worker_0", 1000 * i);
    live_settle(l);
    live_beat(l);
    assert_int_equal(sm_trial_step_count(l->trial), 40);
    assert_int_equal(reads_of_a_beat(l), few);
}

static void test_a_quiet_folder_is_not_listed(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 20; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    live_give_time(l);
    unsigned long quiet = reads_of_a_beat(l);
    assert_int_equal(reads_of_a_beat(l), quiet);
    write_step(l, "worker_0", 20);
    set_file_time(index_of(l, 20, "worker_0"), 1000);
    unsigned long busy = reads_of_a_beat(l);
    assert_true(busy > quiet);
    assert_int_equal(sm_trial_step_count(l->trial), 21);
    assert_true(reads_of_a_beat(l) > quiet); /* listed once more: times are coarse */
    live_give_time(l);
    assert_int_equal(reads_of_a_beat(l), quiet);
}

static void test_many_files_keep_their_order(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 700; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    assert_int_equal(sm_trial_step_count(l->trial), 700);
    const struct sm_trial_tensor *x = tensor(l, "loss");
    assert_int_equal(x->n_entries, 700);
    for (size_t i = 0; i < 700; i++)
        assert_int_equal(sm_tensor_part(l->trial, x, i)->step.n, i);
}

/* Many workers' files at once: they are merged in turns, each with a bounded amount of work. */
static void test_many_workers_are_merged_in_turns(void **state)
{
    enum { WORKERS = 300, STEPS = 3, TENSORS = 70, TURN = 16384 + 100 };
    struct live *l = *state;
    struct sm_err err;
    char worker[32], name[32];
    write_collections(l, "worker_0", WORKERS);
    for (int w = 0; w < WORKERS; w++) {
        snprintf(worker, sizeof worker, "worker_%d", w);
        struct sm_writer *out = writer(l, worker);
        for (int s = 0; s < STEPS; s++) {
            assert_true(sm_writer_begin_step(out, s, SM_MODE_TRAIN, s, &err));
            for (int x = 0; x < TENSORS; x++) {
                snprintf(name, sizeof name, "x%d", x);
                put_tensor(out, name, 1, 1);
            }
            assert_true(sm_writer_end_step(out, &err));
        }
        sm_writer_close(out);
    }
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_int_equal(sm_trial_worker_count(l->trial), WORKERS);
    assert_int_equal(tensor(l, "x7")->n_entries, WORKERS * STEPS);
    assert_in_range(sm_trial_merged_most(l->trial), 1, TURN);
    for (int s = 0; s < STEPS; s++) {
        const struct sm_part *p = sm_trial_step_part(l->trial, (size_t)s, 0);
        for (uint16_t w = 0; w < WORKERS; w++, p = sm_trial_next_part(l->trial, p))
            assert_int_equal(p->worker, w);
        assert_null(p);
    }
}

static void test_closing_between_two_turns(void **state)
{
    enum { FILES = 500, TENSORS = 100 };
    struct live *l = *state;
    struct sm_err err;
    char name[32];
    write_collections(l, "worker_0", 1);
    struct sm_writer *out = writer(l, "worker_0");
    for (int s = 0; s < FILES; s++) {
        assert_true(sm_writer_begin_step(out, s, SM_MODE_TRAIN, s, &err));
        for (int x = 0; x < TENSORS; x++) {
            snprintf(name, sizeof name, "x%d", x);
            put_tensor(out, name, 1, 1);
        }
        assert_true(sm_writer_end_step(out, &err));
    }
    sm_writer_close(out);
    l->source = sm_source_tree_new(l->path, &err);
    struct sm_trial_options o = {.follow = true};
    assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
    for (int i = 0; i < 6; i++) /* the list, and all that was read */
        sm_pool_collect(l->pool, sm_pool_pending(l->pool) > 0);
    assert_false(sm_trial_scanned(l->trial));
    live_close(l);
}

static void test_without_follow_only_refresh_looks(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open_path(l, l->path, (struct sm_trial_options){0});
    write_step(l, "worker_0", 1);
    assert_int_equal(sm_trial_fd(l->trial), -1);
    assert_int_equal(sm_trial_deadline_us(l->trial), INT64_MAX);
    assert_false(live_beat(l));
    sm_trial_refresh(l->trial);
    assert_false(sm_trial_scanned(l->trial));
    assert_true(live_settle(l));
    assert_true(sm_trial_scanned(l->trial));
    assert_string_equal(steps_text(l), "0 1");
}

static void test_an_old_folder_is_looked_at_in_turn(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 5; i++)
        write_step(l, "worker_0", 1000 * i);
    set_file_time(index_of(l, 4000, "worker_0"), 1000000);
    live_open(l);
    write_step(l, "worker_0", 7);
    live_settle(l);
    for (int i = 0; i < 3; i++)
        live_beat(l);
    assert_string_equal(steps_text(l), "0 7 1000 2000 3000 4000");
    /* later than step 4000, so the job was restarted */
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    write_step(l, "worker_1", 1007);
    sm_trial_refresh(l->trial);
    live_settle(l);
    assert_string_equal(steps_text(l), "0 7 1000 1007 2000 3000 4000");
}

/* ---- half-written ---- */

static void open_with_one_step(struct live *l)
{
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
}

static void test_a_late_index(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    move_file(index_of(l, 1, "worker_0"), in(l, "index/000000000/000000000001_worker_0.json.tmp"));
    live_beat(l);
    assert_string_equal(steps_text(l), "0");
    move_file(in(l, "index/000000000/000000000001_worker_0.json.tmp"), index_of(l, 1, "worker_0"));
    assert_true(live_settle(l));
    assert_string_equal(steps_text(l), "0 1");
}

static void test_an_index_before_its_event_file(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    move_file(events_of(l, 1, "worker_0"), in(l, "aside"));
    live_beat(l);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_true(sm_trial_deadline_us(l->trial) <= sm_clock_mono_us() + HEARTBEAT_US);
    move_file(in(l, "aside"), events_of(l, 1, "worker_0"));
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    assert_true(mean == 1.0);
}

static void test_late_files_are_looked_at_less_and_less_often(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    unlink(events_of(l, 1, "worker_0"));
    live_settle(l);
    int64_t first = sm_trial_deadline_us(l->trial) - sm_clock_mono_us();
    assert_in_range(first, 1, HEARTBEAT_US / 2);
    for (int i = 0; i < 8; i++) {
        sm_clock_advance(sm_trial_deadline_us(l->trial) - sm_clock_mono_us());
        live_settle(l);
    }
    assert_in_range(sm_trial_deadline_us(l->trial) - sm_clock_mono_us(), HEARTBEAT_US,
                    5 * HEARTBEAT_US);
    for (int i = 0; i < 100; i++) { /* for any length of time */
        sm_clock_advance(sm_trial_deadline_us(l->trial) - sm_clock_mono_us());
        live_settle(l);
        assert_in_range(sm_trial_deadline_us(l->trial) - sm_clock_mono_us(), HEARTBEAT_US,
                        5 * HEARTBEAT_US);
    }
}

static void test_a_missing_event_file_that_will_not_come(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    unlink(events_of(l, 1, "worker_0"));
    live_beat(l);
    write_step(l, "worker_0", 2);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 2"); /* it may still be copied */
    live_give_time(l);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_true(has_problem(l, "000000000001_worker_0.json", "no such file"));
    assert_int_equal(value_at(l, "loss", 1).kind, SM_ENTRY_VALUE);
    assert_false(mean_at(l, "loss", 1, &mean, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_non_null(strstr(err.msg, "000000000001_worker_0.tfevents"));
    assert_true(mean_at(l, "loss", 2, &mean, &err));
}

static void test_the_end_proves_it_too(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    unlink(events_of(l, 1, "worker_0"));
    live_beat(l);
    assert_string_equal(steps_text(l), "0");
    write_end(l);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
}

static void test_another_worker_proves_nothing(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    unlink(events_of(l, 1, "worker_0"));
    write_step(l, "worker_1", 2);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 2");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_a_truncated_record(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    size_t n;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    char *bytes = get_file(events_of(l, 1, "worker_0"), &n);
    assert_int_equal(truncate(events_of(l, 1, "worker_0"), (off_t)n - 1), 0);
    live_beat(l);
    assert_string_equal(steps_text(l), "0");
    write_step(l, "worker_0", 2);
    live_give_time(l);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_true(has_problem(l, "000000000001_worker_0.json", "the index says"));
    assert_true(mean_at(l, "loss", 1, &mean, &err)); /* the first record is whole */
    assert_false(mean_at(l, "weight", 1, &mean, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_true(has_problem(l, "000000000001_worker_0.tfevents", ""));
    free(bytes);
}

static void test_a_tail_of_zeros(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    size_t n;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    live_settle(l);
    char *bytes = get_file(events_of(l, 1, "worker_0"), &n), *cut = malloc(n);
    uint64_t first = value_at(l, "weight", 1).offset;
    memcpy(cut, bytes, n);
    memset(cut + first, 0, n - first);
    write_in_place(events_of(l, 1, "worker_0"), cut, n);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1"); /* its length is correct */
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    assert_false(mean_at(l, "weight", 1, &mean, &err));
    assert_int_equal(sm_trial_problems(l->trial)->total, 0); /* it may still come */
    write_in_place(events_of(l, 1, "worker_0"), bytes, n);
    write_step(l, "worker_0", 2);
    live_beat(l);
    assert_true(mean_at(l, "weight", 1, &mean, &err));
    assert_true(mean == 0.5);
    free(bytes);
    free(cut);
}

static void test_an_index_that_is_not_whole(void **state)
{
    struct live *l = *state;
    size_t n;
    open_with_one_step(l);
    for (size_t cut = 0; cut < 2; cut++) {
        int step = 1 + (int)cut;
        write_step(l, "worker_0", step);
        char *bytes = get_file(index_of(l, step, "worker_0"), &n);
        write_in_place(index_of(l, step, "worker_0"), bytes, cut * 40);
        live_beat(l);
        assert_int_equal(sm_trial_problems(l->trial)->total, 0);
        write_in_place(index_of(l, step, "worker_0"), bytes, n);
        live_beat(l);
        free(bytes);
    }
    assert_string_equal(steps_text(l), "0 1 2");
}

static void test_an_index_that_stays_broken_hides_no_other(void **state)
{
    struct live *l = *state;
    size_t n;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    char *bytes = get_file(index_of(l, 1, "worker_0"), &n);
    write_in_place(index_of(l, 1, "worker_0"), bytes, n / 2);
    write_step(l, "worker_0", 2);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 2");
    live_give_time(l);
    assert_true(has_problem(l, "000000000001_worker_0.json", "JSON"));
    for (int i = 0; i < 3; i++)
        live_beat(l);
    assert_int_equal(sm_trial_problems(l->trial)->items[0].times, 1); /* not read again */
    put_file(in(l, "new"), bytes, n);
    move_file(in(l, "new"), index_of(l, 1, "worker_0"));
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2");
    free(bytes);
}

static void test_a_collections_file_that_is_not_whole(void **state)
{
    struct live *l = *state;
    size_t n;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    const char *path = in(l, "collections/000000000/worker_0_collections.json");
    char *bytes = get_file(path, &n);
    write_in_place(path, bytes, n / 2);
    sm_clock_freeze(sm_clock_mono_us(), (int64_t)time(NULL) * 1000000);
    live_open(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    write_in_place(path, bytes, n);
    live_beat(l);
    assert_int_equal(sm_trial_num_workers(l->trial), 1);
    live_close(l);
    write_in_place(path, bytes, n / 2);
    set_file_time(path, time(NULL) - 60);
    live_open(l);
    assert_true(has_problem(l, "worker_0_collections.json", "JSON"));
    free(bytes);
}

/* ---- replaced ---- */

static void test_a_step_written_again(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    live_settle(l);
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    const struct sm_entry old = value_at(l, "loss", 1);
    struct sm_writer *w = writer(l, "worker_0");
    sm_writer_begin_step(w, 1, SM_MODE_TRAIN, 1, &err);
    put_tensor(w, "loss", 42, 1);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    assert_true(live_settle(l));
    assert_string_equal(steps_text(l), "0 1");
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    assert_true(mean == 42);
    assert_true(sm_trial_part(l->trial, old.part)->replaced);
    assert_int_equal(tensor(l, "loss")->n_entries, 3); /* nothing is deleted */
    assert_int_equal(sm_trial_step(l->trial, 1)->tensors, 1);
    assert_int_equal(sm_trial_step(l->trial, 1)->n_workers, 1);
    assert_int_equal(value_at(l, "weight", 1).kind, SM_ENTRY_NONE);
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    const struct sm_facts *facts;
    assert_true(sm_fetch_stats(l->fetch, l->trial, &old, &facts, &err)); /* still known */
    assert_int_equal(sm_trial_index_files(l->trial), 2);
}

static void test_the_newest_written_over_in_place(void **state)
{
    struct live *l = *state;
    size_t n, other;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    char *bytes = get_file(index_of(l, 0, "worker_0"), &n);
    free(get_file(index_of(l, 1, "worker_0"), &other));
    live_settle(l);
    write_in_place(index_of(l, 1, "worker_0"), bytes, n);
    set_file_time(index_of(l, 1, "worker_0"), time(NULL) + 5);
    live_beat(l);
    struct sm_entry e = value_at(l, "loss", 1);
    assert_string_equal(sm_trial_event_path(l->trial, sm_trial_part(l->trial, e.part)),
                        "events/000000000000/000000000000_worker_0.tfevents");
    free(bytes);
}

static void test_a_restart_with_lower_steps(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    for (int i = 0; i < 50; i += 10) {
        write_step(l, "worker_0", i);
        write_step(l, "worker_1", i);
        set_file_time(index_of(l, i, "worker_0"), 1000000 + i);
        set_file_time(index_of(l, i, "worker_1"), 1000001 + i);
    }
    live_open(l);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_int_equal(sm_trial_session(l->trial, 0)->steps, 5);
    for (int i = 20; i < 50; i += 10) { /* worker_1 lags */
        write_step(l, "worker_0", i);
        set_file_time(index_of(l, i, "worker_0"), 2000000 + i);
        live_beat(l);
        if (i >= 30) {
            write_step(l, "worker_1", i - 10);
            set_file_time(index_of(l, i - 10, "worker_1"), 2000001 + i);
            live_beat(l);
        }
    }
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    const struct sm_trial_session *s = sm_trial_session(l->trial, 1);
    assert_int_equal(s->first.n, 20);
    assert_int_equal(s->last.n, 40);
    assert_int_equal(s->steps, 3);
    assert_int_equal(s->begin_us, 2000020000000);
    assert_string_equal(steps_text(l), "0 10 20 30 40");
}

static void test_a_restart_between_the_steps_there_are(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 50; i += 10) {
        write_step(l, "worker_0", i);
        set_file_time(index_of(l, i, "worker_0"), 1000000 + i);
    }
    live_open(l);
    write_step(l, "worker_0", 25);
    live_settle(l);
    write_step(l, "worker_0", 35);
    live_settle(l);
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    assert_int_equal(sm_trial_session(l->trial, 1)->steps, 2);
    assert_string_equal(steps_text(l), "0 10 20 25 30 35 40");
}

static void test_a_late_worker_is_no_restart(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    for (int i = 0; i < 5; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    for (int i = 0; i < 5; i++) {
        write_step(l, "worker_1", i);
        live_settle(l);
    }
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_string_equal(steps_text(l), "0 1 2 3 4");
}

static void test_a_file_that_arrives_late_is_no_restart(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    write_step(l, "worker_0", 1);
    write_step(l, "worker_0", 2);
    set_file_time(index_of(l, 1, "worker_0"), 1000);
    set_file_time(index_of(l, 2, "worker_0"), 2000);
    move_file(index_of(l, 1, "worker_0"), in(l, "aside"));
    live_settle(l);
    assert_string_equal(steps_text(l), "0 2");
    move_file(in(l, "aside"), index_of(l, 1, "worker_0"));
    live_settle(l);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_int_equal(sm_trial_session_count(l->trial), 1);
}

/* As tools do that copy a trial: the file is made again, under another name first. */
static void copy_again(const struct live *l, const char *path)
{
    size_t n;
    char *bytes = get_file(path, &n), *aside = strdup(in(l, "aside"));
    put_file(aside, bytes, n);
    move_file(aside, path);
    free(bytes);
    free(aside);
}

static void test_the_same_again_is_no_news(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 5; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    write_step(l, "worker_0", 5);
    live_settle(l);
    uint64_t version = sm_trial_version(l->trial), arrivals = sm_trial_arrivals(l->trial);
    set_file_time(index_of(l, 5, "worker_0"), time(NULL) + 100); /* touched */
    live_beat(l);
    set_file_time(index_of(l, 5, "worker_0"), 1000);
    live_beat(l);
    for (int i = 5; i >= 0; i -= 1) { /* as well as what the first scan found */
        copy_again(l, events_of(l, i, "worker_0"));
        copy_again(l, index_of(l, i, "worker_0"));
        set_file_time(index_of(l, i, "worker_0"), time(NULL) + 100 - i);
        live_beat(l);
    }
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_int_equal(sm_trial_version(l->trial), version);
    assert_int_equal(sm_trial_arrivals(l->trial), arrivals);
    assert_int_equal(tensor(l, "loss")->n_entries, 6);
}

static void test_an_event_file_that_comes_very_late_is_no_restart(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    move_file(events_of(l, 1, "worker_0"), in(l, "aside"));
    write_step(l, "worker_0", 2);
    live_give_time(l);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_false(mean_at(l, "loss", 1, &mean, &err));
    move_file(in(l, "aside"), events_of(l, 1, "worker_0"));
    copy_again(l, index_of(l, 1, "worker_0"));
    live_beat(l);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    assert_true(mean == 1);
}

static void test_steps_that_arrive_out_of_order_are_no_restart(void **state)
{
    struct live *l = *state;
    static const int order[] = {4, 2, 8, 6, 0, 1, 9, 3, 7, 5};
    char *held[10];
    for (int i = 0; i < 10; i++) {
        write_step(l, "worker_0", i);
        held[i] = malloc(96);
        snprintf(held[i], 96, "%s/held%d", l->dir, i);
        move_file(index_of(l, i, "worker_0"), held[i]);
    }
    write_collections(l, "worker_0", 1);
    live_open(l);
    for (int i = 0; i < 10; i++) { /* times as of the copying, or set back */
        move_file(held[order[i]], index_of(l, order[i], "worker_0"));
        set_file_time(index_of(l, order[i], "worker_0"), i % 3 ? 1000000 + i : 1000);
        live_beat(l);
        free(held[order[i]]);
    }
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5 6 7 8 9");
}

static void test_the_same_size_with_other_values_is_a_restart(void **state)
{
    struct live *l = *state;
    for (int big = 0; big < 2; big++) { /* the first scan found one, the other came later */
        struct sm_writer *w = writer(l, "worker_0");
        struct sm_err err;
        write_collections(l, "worker_0", 1);
        for (int turn = 0; turn < 2; turn++) {
            assert_true(sm_writer_begin_step(w, 3 + big, SM_MODE_TRAIN, 3 + big, &err));
            put_tensor(w, "x", (float)turn, big ? 6000 : 1);
            assert_true(sm_writer_end_step(w, &err));
            if (!l->trial)
                live_open(l);
            live_beat(l);
            assert_int_equal(sm_trial_session_count(l->trial), 1 + turn + big);
        }
        sm_writer_close(w);
    }
}

static void test_a_step_that_cannot_be_named_is_reported(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 2; i++)
        write_step(l, "worker_0", i);
    char *usual = strdup(index_of(l, 1, "worker_0"));
    move_file(usual, in(l, "index/000000000/0140737488355328_worker_0.json"));
    free(usual);
    live_open(l);
    for (int i = 0; i < 3; i++)
        live_beat(l);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(p->total, 1);
    assert_non_null(strstr(p->items[0].file, "0140737488355328_worker_0.json"));
    assert_non_null(strstr(p->items[0].message, "below 140737488355328"));
}

/* ---- end and stall ---- */

static void test_the_end(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    write_step(l, "worker_0", 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0!");
    write_end(l);
    live_settle(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE); /* another worker may still write */
    assert_string_equal(steps_text(l), "0!");
    assert_true(sm_trial_deadline_us(l->trial) <= sm_clock_mono_us() + SM_END_GRACE_US);
    sm_clock_advance(SM_END_GRACE_US - 1);
    write_step(l, "worker_0", 1);
    live_settle(l);
    assert_false(sm_trial_writing_after_end(l->trial)); /* and does: the time begins anew */
    sm_clock_advance(SM_END_GRACE_US - 1);
    live_settle(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    sm_clock_advance(1);
    assert_true(live_settle(l));
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_string_equal(steps_text(l), "0 1");
    assert_false(sm_trial_writing_after_end(l->trial));
    write_step(l, "worker_1", 2);
    assert_true(live_settle(l));
    assert_true(sm_trial_writing_after_end(l->trial));
    assert_string_equal(steps_text(l), "0 1 2");
    unlink(in(l, "training_job_end.ts"));
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    assert_string_equal(steps_text(l), "0! 1! 2!");
}

/* Whoever opens the trial may come between two workers that end. */
static void test_the_end_came_just_before_the_opening(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    write_step(l, "worker_0", 0);
    write_end(l);
    sm_clock_freeze(sm_clock_mono_us(), 1000000LL * 1000000 + SM_END_GRACE_US - 10);
    set_file_time(in(l, "training_job_end.ts"), 1000000);
    live_open_path(l, l->path, (struct sm_trial_options){.follow = true, .waits_for_end = true});
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    assert_string_equal(steps_text(l), "0!");
    sm_clock_advance(9);
    write_step(l, "worker_1", 0);
    live_settle(l);
    assert_false(sm_trial_writing_after_end(l->trial)); /* the time begins anew */
    sm_clock_advance(SM_END_GRACE_US - 1);
    live_settle(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    sm_clock_advance(1);
    assert_true(live_settle(l));
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_string_equal(steps_text(l), "0");
    assert_false(sm_trial_writing_after_end(l->trial));
}

static void test_an_old_end_is_believed_at_once(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    write_step(l, "worker_0", 0);
    write_end(l);
    set_file_time(in(l, "training_job_end.ts"), 1000000);
    live_open(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_string_equal(steps_text(l), "0");
}

static void test_silence(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    int64_t newest = sm_trial_newest_us(l->trial);
    sm_clock_freeze(sm_clock_mono_us(), newest);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    sm_clock_freeze(sm_clock_mono_us(), newest + STALL_US + 1);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
    write_step(l, "worker_0", 1);
    set_file_time(index_of(l, 1, "worker_0"), (newest + STALL_US) / 1000000);
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
}

static void test_heartbeats_grow_with_silence(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    live_settle(l);
    assert_int_equal(sm_trial_deadline_us(l->trial) - sm_clock_mono_us(), HEARTBEAT_US);
    for (int i = 0; i < 12; i++)
        live_beat(l);
    int64_t wait = sm_trial_deadline_us(l->trial) - sm_clock_mono_us();
    assert_in_range(wait, 1, 5 * HEARTBEAT_US);
    assert_int_equal(sm_trial_deadline_us(l->trial) % (5 * HEARTBEAT_US), 0); /* as others */
    write_step(l, "worker_0", 1);
    live_settle(l);
    assert_int_equal(sm_trial_deadline_us(l->trial) - sm_clock_mono_us(), HEARTBEAT_US);
}

/* Once for all trials, not by each. */
static void test_one_call_reads_the_events(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    live_settle(l);
    write_step(l, "worker_0", 1);
    sm_trial_pump(l->trial);
    assert_int_equal(sm_pool_pending(l->pool), 0);
    sm_watch_pump();
    sm_trial_pump(l->trial);
    assert_int_equal(sm_pool_pending(l->pool), 1);
}

static void test_claim(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    put_file(in(l, "claim.smd"), "", 0);
    assert_true(live_settle(l));
    assert_true(sm_trial_claimed(l->trial));
}

/* ---- directories that are removed ---- */

static void test_the_directory_goes_and_comes_again(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
    write_end(l);
    live_open(l);
    remove_tree(l->path);
    assert_true(live_settle(l));
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    assert_string_equal(steps_text(l), "0 1 2"); /* known steps stay */
    assert_false(mean_at(l, "loss", 1, &mean, &err));
    live_beat(l);
    write_step(l, "worker_0", 7);
    write_collections(l, "worker_0", 1);
    live_beat(l);
    assert_string_equal(steps_text(l), "7");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    assert_int_equal(sm_trial_tensor_count(l->trial), 2);
    assert_true(mean_at(l, "loss", 7, &mean, &err));
    assert_true(mean == 7);
    write_step(l, "worker_0", 8);
    live_settle(l);
    assert_string_equal(steps_text(l), "7 8");
}

static void test_the_directory_is_replaced_between_two_looks(void **state)
{
    struct live *l = *state;
    char aside[300];
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    snprintf(aside, sizeof aside, "%s/aside", l->dir);
    move_file(l->path, aside);
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_beat(l);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(tensor(l, "loss")->n_entries, 1);
    size_t n;
    assert_int_equal(sm_trial_collection_tensors(l->trial, 0, &n)[0], tensor(l, "loss")->name);
    assert_int_equal(n, 1);
}

static void test_the_directory_is_emptied(void **state)
{
    struct live *l = *state;
    open_with_one_step(l);
    remove_tree(in(l, "index"));
    remove_tree(in(l, "events"));
    remove_tree(in(l, "collections"));
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    write_step(l, "worker_0", 3);
    live_beat(l);
    assert_string_equal(steps_text(l), "3!");
    assert_int_equal(sm_trial_collection_count(l->trial), 0);
}

static void test_closing_while_a_scan_runs(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    struct sm_trial_options o = {.follow = true};
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 300; i++)
        write_step(l, "worker_0", i);
    for (int jobs = 0; jobs < 4; jobs++) {
        l->source = sm_source_dir_new(l->path, &err);
        assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
        for (int i = 0; i < jobs; i++)
            sm_pool_collect(l->pool, 1);
        live_close(l);
    }
    assert_int_equal(sm_pool_pending(l->pool), 0);
}

/* ---- foreign files ---- */

static void test_strange_names(void **state)
{
    struct live *l = *state;
    size_t n;
    open_with_one_step(l);
    char *bytes = get_file(index_of(l, 0, "worker_0"), &n);
    put_file(in(l, "index/000000000/-00000000001_worker_0.json"), bytes, n);
    put_file(in(l, "index/000000000/000000000005_worker_0.json.tmp"), bytes, n);
    put_file(in(l, "index/000000000/readme.json"), bytes, n);
    put_file(in(l, "index/000000000/99999999999999999999_worker_0.json"), bytes, n);
    put_file(in(l, "index/000000000/999999999999999999_worker_0.json"), bytes, n);
    put_file(in(l, "index/000000000/9_worker_0.json"), bytes, n);
    mkdir(in(l, "index/000000000/000000000006_worker_0.json"), 0777);
    mkdir(in(l, "index/notes"), 0777);
    put_file(in(l, "index/000000001"), "", 0);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 9"); /* smdebug takes unpadded numbers too */
    live_beat(l);
    assert_string_equal(steps_text(l), "0 9");
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1); /* a step, but beyond the limit */
    free(bytes);
}

static void test_no_path_leaves_the_trial(void **state)
{
    static const char index[] = "{\"meta\": {\"mode\": \"TRAIN\", \"mode_step\": 1, "
                                "\"event_file_name\": \"../../../etc/passwd\"}, "
                                "\"tensor_payload\": [{\"tensorname\": \"x\", \"start_idx\": 0, "
                                "\"length\": 99}], \"shape_payload\": []}";
    struct live *l = *state;
    double mean;
    struct sm_err err;
    open_with_one_step(l);
    put_file(index_of(l, 1, "worker_0"), index, sizeof index - 1);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_true(has_problem(l, "000000000001_worker_0.json", "leaves the trial"));
    assert_false(mean_at(l, "x", 1, &mean, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
}

static void test_an_index_without_meta(void **state)
{
    static const char format[] =
        "{\"tensor_payload\": [{\"tensorname\": \"loss\", \"start_idx\": 0, \"length\": %llu}]}";
    struct live *l = *state;
    char index[200];
    double mean;
    struct sm_err err;
    open_with_one_step(l);
    write_step(l, "worker_0", 1);
    live_settle(l);
    int n =
        snprintf(index, sizeof index, format, (unsigned long long)value_at(l, "loss", 1).length);
    put_file(in(l, "new"), index, (size_t)n);
    move_file(in(l, "new"), index_of(l, 1, "worker_0"));
    live_beat(l);
    const struct sm_trial_step *s = sm_trial_step(l->trial, 1);
    assert_int_equal(s->mode, SM_MODE_GLOBAL);
    assert_int_equal(s->mode_step.n, 1);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_int_equal(p->total, 3);
    assert_non_null(strstr(p->items[0].message, "no mode, the step counts as GLOBAL"));
    assert_non_null(strstr(p->items[1].message, "no mode_step"));
    assert_non_null(strstr(p->items[2].message, "no event_file_name"));
    assert_non_null(strstr(p->items[0].file, "000000000001_worker_0.json"));
    assert_int_equal(p->items[0].offset, 0);
    /* the name of the event file follows from the step */
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    assert_true(mean == 1.0);
}

static void test_a_meta_without_a_member_is_reported(void **state)
{
    static const char *const index[] = {
        "{\"meta\": {\"mode\": \"TRAIN\"}, \"tensor_payload\": []}",
        "{\"meta\": {\"mode\": \"TRAIN\", \"mode_step\": 2}, \"tensor_payload\": [{\"tensorname\": "
        "\"loss\", \"start_idx\": 0, \"length\": 20}]}",
    };
    struct live *l = *state;
    open_with_one_step(l);
    for (int i = 1; i < 3; i++)
        write_step(l, "worker_0", i);
    for (int i = 1; i < 3; i++)
        put_file(index_of(l, i, "worker_0"), index[i - 1], strlen(index[i - 1]));
    live_beat(l);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_int_equal(p->total, 2);
    assert_non_null(strstr(p->items[0].file, "000000000001_worker_0.json"));
    assert_non_null(strstr(p->items[0].message, "no mode_step"));
    assert_int_equal(p->items[0].offset, 1);
    assert_non_null(strstr(p->items[1].file, "000000000002_worker_0.json"));
    assert_non_null(strstr(p->items[1].message, "no event_file_name"));
}

static void test_an_unknown_element_type_is_reported(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    double mean;
    struct sm_event_value v = {.tag = sm_text("x"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .proto_dtype = 99,
                               .n_dims = 1,
                               .dims = {1},
                               .n_elements = 1,
                               .content = {(const uint8_t *)"abcd", 4}};
    struct sm_writer *w = writer(l, "worker_0");
    write_collections(l, "worker_0", 1);
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    assert_true(sm_writer_tensor(w, &v, 1e9, &err) && sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    mean_at(l, "x", 0, &mean, &err);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_int_equal(p->n, 1);
    assert_non_null(strstr(p->items[0].file, "000000000000_worker_0.tfevents"));
    assert_non_null(strstr(p->items[0].message, "element type 99 is unknown"));
    assert_int_equal(p->items[0].offset, 0);
}

static void test_an_index_with_an_unknown_mode(void **state)
{
    static const char index[] = "{\"meta\": {\"mode\": \"FIT\", \"mode_step\": 3}, "
                                "\"tensor_payload\": []}";
    struct live *l = *state;
    open_with_one_step(l);
    put_file(in(l, "new"), index, sizeof index - 1);
    move_file(in(l, "new"), index_of(l, 1, "worker_0"));
    live_beat(l);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_int_equal(p->total, 1);
    assert_non_null(strstr(p->items[0].message, "unknown mode"));
    assert_int_equal(p->items[0].offset, 10);
}

static void test_compressed_index_files(void **state)
{
    static const uint8_t empty_frame_of[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x02,
                                             0x11, 0x00, 0x00, '{',  '}'}; /* a raw block of "{}" */
    struct live *l = *state;
    open_with_one_step(l);
    put_file(in(l, "index/000000000/000000000003_worker_0.json.zst"), empty_frame_of,
             sizeof empty_frame_of);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 3");
    live_beat(l);
    assert_int_equal(sm_trial_index_files(l->trial), 2);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_directory_that_comes_later),
        T(test_a_new_step_is_seen_by_its_event),
        T(test_a_heartbeat_finds_what_no_event_reported),
        T(test_nothing_new_changes_nothing),
        T(test_a_beat_costs_the_same_after_many_steps),
        T(test_a_quiet_folder_is_not_listed),
        T(test_many_files_keep_their_order),
        T(test_many_workers_are_merged_in_turns),
        T(test_closing_between_two_turns),
        T(test_without_follow_only_refresh_looks),
        T(test_an_old_folder_is_looked_at_in_turn),
        T(test_a_late_index),
        T(test_an_index_before_its_event_file),
        T(test_late_files_are_looked_at_less_and_less_often),
        T(test_a_missing_event_file_that_will_not_come),
        T(test_the_end_proves_it_too),
        T(test_another_worker_proves_nothing),
        T(test_a_truncated_record),
        T(test_a_tail_of_zeros),
        T(test_an_index_that_is_not_whole),
        T(test_an_index_that_stays_broken_hides_no_other),
        T(test_a_collections_file_that_is_not_whole),
        T(test_a_step_written_again),
        T(test_the_newest_written_over_in_place),
        T(test_a_restart_with_lower_steps),
        T(test_a_restart_between_the_steps_there_are),
        T(test_a_late_worker_is_no_restart),
        T(test_a_file_that_arrives_late_is_no_restart),
        T(test_the_same_again_is_no_news),
        T(test_an_event_file_that_comes_very_late_is_no_restart),
        T(test_steps_that_arrive_out_of_order_are_no_restart),
        T(test_the_same_size_with_other_values_is_a_restart),
        T(test_a_step_that_cannot_be_named_is_reported),
        T(test_the_end),
        T(test_the_end_came_just_before_the_opening),
        T(test_an_old_end_is_believed_at_once),
        T(test_silence),
        T(test_heartbeats_grow_with_silence),
        T(test_one_call_reads_the_events),
        T(test_claim),
        T(test_the_directory_goes_and_comes_again),
        T(test_the_directory_is_replaced_between_two_looks),
        T(test_the_directory_is_emptied),
        T(test_closing_while_a_scan_runs),
        T(test_strange_names),
        T(test_no_path_leaves_the_trial),
        T(test_an_index_without_meta),
        T(test_a_meta_without_a_member_is_reported),
        T(test_an_unknown_element_type_is_reported),
        T(test_an_index_with_an_unknown_mode),
        T(test_compressed_index_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
