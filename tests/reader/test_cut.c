/* SPDX-License-Identifier: Apache-2.0 */
/* A writer that was killed or is still writing: the newest files truncated at every offset. Earlier
 * steps stay readable, and the truncated part is not yet there, until something later proves that
 * it will never be. */
#include "reader/hook/replay.h"
#include "tests/reader/live.h"

#include <fcntl.h>

enum { PIECES = 150, PLACES_MAX = 1000 };

struct places {
    size_t at[PLACES_MAX], n;
};

static void add_place(struct places *p, int64_t at, size_t size)
{
    if (at < 0 || (size_t)at > size)
        return;
    assert_true(p->n < PLACES_MAX);
    p->at[p->n++] = (size_t)at;
}

static int compare_places(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* As many offsets as there is time for: evenly spaced, and around the start of each record. */
static struct places cut_at(const struct live *l, int64_t step, size_t size)
{
    struct places p = {0};
    size_t pace = size / PIECES + 1;
    for (size_t at = 0; at < size; at += pace)
        add_place(&p, (int64_t)at, size);
    for (size_t i = 0; l && i < sm_trial_tensor_count(l->trial); i++) {
        struct sm_entry e =
            sm_trial_entry(l->trial, sm_trial_tensor(l->trial, i), (struct sm_step){step},
                           SM_WORKER_ANY, SM_ENTRY_VALUE, 0);
        static const int around[] = {-4, -1, 0, 1, 8, 12};
        for (size_t k = 0; sm_entry_exists(&e) && k < sizeof around / sizeof *around; k++)
            add_place(&p, (int64_t)e.offset + around[k], size);
    }
    add_place(&p, (int64_t)size - 1, size);
    qsort(p.at, p.n, sizeof *p.at, compare_places);
    return p;
}

static bool at_once(void *ctx, int64_t us)
{
    (void)ctx, (void)us;
    return true;
}

struct newest {
    char events[600], index[600];
    int64_t step;
    char before[4096]; /* the steps without it */
    const char *tensor;
    double mean; /* of the tensor at the preceding step */
    int64_t step_before;
};

/* Opens a real trial of a job that did not end. */
static struct newest open_unended_trial(struct live *l)
{
    struct sm_replay_options o = {.pause = at_once};
    struct sm_err err;
    struct newest x = {.tensor = "CrossEntropyLoss_output_0"};
    if (!sm_replay("tests/trials/killed_midrun", l->path, &o, &err))
        fail_msg("%s", err.msg);
    live_open(l);
    assert_int_not_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    size_t n = sm_trial_step_count(l->trial);
    assert_true(n > 3);
    x.step = sm_trial_step(l->trial, n - 1)->step.n;
    x.step_before = sm_trial_step(l->trial, n - 2)->step.n;
    strcpy(x.before, steps_text(l));
    *strrchr(x.before, ' ') = 0;
    assert_true(mean_at(l, x.tensor, x.step_before, &x.mean, &err));
    strcpy(x.events,
           in(l, "events/%012lld/%012lld_worker_0.tfevents", (long long)x.step, (long long)x.step));
    strcpy(x.index, in(l, "index/%09lld/%012lld_worker_0.json", (long long)x.step / 1000,
                       (long long)x.step));
    return x;
}

static void assert_only_what_came_before(struct live *l, const struct newest *x, const char *file,
                                         size_t cut)
{
    double mean;
    struct sm_err err;
    if (strcmp(steps_text(l), x->before) != 0)
        fail_msg("%s cut at %zu: steps \"%s\"", file, cut, steps_text(l));
    if (sm_trial_problems(l->trial)->total)
        fail_msg("%s cut at %zu: %s", file, cut, sm_trial_problems(l->trial)->items[0].message);
    assert_int_not_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_true(mean_at(l, x->tensor, x->step_before, &mean, &err));
    assert_true(mean == x->mean);
}

/* ---- opened after the writer was killed ---- */

static void open_cut_files(struct live *l, const struct newest *x, const char *file,
                           const struct places *p, const char *bytes, size_t n)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->at[i] >= n)
            continue;
        put_file(file, bytes, p->at[i]);
        live_open(l);
        assert_only_what_came_before(l, x, file, p->at[i]);
        live_close(l);
    }
    put_file(file, bytes, n);
}

static void test_killed_at_any_byte(void **state)
{
    struct live *l = *state;
    struct newest x = open_unended_trial(l);
    size_t n_events, n_index;
    char *events = get_file(x.events, &n_events), *index = get_file(x.index, &n_index);
    struct places in_events = cut_at(l, x.step, n_events), in_index = cut_at(NULL, 0, n_index);
    live_close(l);
    open_cut_files(l, &x, x.events, &in_events, events, n_events);
    open_cut_files(l, &x, x.index, &in_index, index, n_index);
    live_open(l);
    assert_int_equal(sm_trial_step(l->trial, sm_trial_step_count(l->trial) - 1)->step.n, x.step);
    free(events);
    free(index);
}

/* ---- watched while it grows, as written by an object store or a copy ---- */

static void append_range(const char *path, const char *bytes, size_t from, size_t to)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes + from, to - from, (off_t)from), to - from);
    close(fd);
}

static void grow_file(struct live *l, const struct newest *x, const char *file,
                      const struct places *p, const char *bytes, size_t n)
{
    size_t at = 0;
    assert_int_equal(truncate(file, 0), 0);
    live_open(l);
    for (size_t i = 0; i < p->n; i++) {
        if (p->at[i] >= n || p->at[i] < at)
            continue;
        append_range(file, bytes, at, p->at[i]);
        at = p->at[i];
        live_beat(l);
        assert_only_what_came_before(l, x, file, at);
    }
    append_range(file, bytes, at, n);
    live_beat(l);
    assert_int_equal(sm_trial_step(l->trial, sm_trial_step_count(l->trial) - 1)->step.n, x->step);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    live_close(l);
}

static void test_watched_while_it_grows(void **state)
{
    struct live *l = *state;
    struct newest x = open_unended_trial(l);
    size_t n_events, n_index;
    char *events = get_file(x.events, &n_events), *index = get_file(x.index, &n_index);
    struct places in_events = cut_at(l, x.step, n_events), in_index = cut_at(NULL, 0, n_index);
    live_close(l);
    grow_file(l, &x, x.events, &in_events, events, n_events);
    grow_file(l, &x, x.index, &in_index, index, n_index);
    free(events);
    free(index);
}

/* ---- one step later it is a problem, of that step only ---- */

static void test_a_later_step_proves_it(void **state)
{
    struct live *l = *state;
    struct newest x = open_unended_trial(l);
    double mean;
    struct sm_err err;
    size_t n;
    char *events = get_file(x.events, &n);
    live_close(l);
    put_file(x.events, events, n / 2);
    live_open(l);
    write_step(l, "worker_0", x.step + 1);
    live_give_time(l);
    assert_true(mean_at(l, x.tensor, x.step_before, &mean, &err));
    assert_true(mean == x.mean);
    assert_true(mean_at(l, "weight", x.step + 1, &mean, &err));
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    free(events);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_killed_at_any_byte),
        T(test_watched_while_it_grows),
        T(test_a_later_step_proves_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
