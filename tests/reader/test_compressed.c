/* SPDX-License-Identifier: Apache-2.0 */
/* Files with the suffix .zst: whole trials, truncated files, and files that decompress to more than
 * fits in memory. */
#include "reader/hook/replay.h"
#include "tests/reader/live.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <zstd.h>

enum { CUTS = 60, BOMB_FRAME = 64 << 20, BOMB_FRAMES = 48, ROOM_KB = 1 << 20 };

/* ---- creating ---- */

static const char *suffixed(const char *path)
{
    static char text[600];
    snprintf(text, sizeof text, "%s.zst", path);
    return text;
}

static void compress(const char *path)
{
    size_t n;
    void *bytes = get_file(path, &n), *packed = malloc(ZSTD_compressBound(n));
    size_t size = ZSTD_compress(packed, ZSTD_compressBound(n), bytes, n, 3);
    assert_false(ZSTD_isError(size));
    put_file(suffixed(path), packed, size);
    assert_int_equal(unlink(path), 0);
    free(bytes);
    free(packed);
}

static int compress_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    const char *dot = strrchr(path, '.');
    (void)st, (void)ftw;
    if (flag == FTW_F && dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".tfevents") == 0) &&
        !strstr(path, "_collections"))
        compress(path);
    return 0;
}

static bool at_once(void *ctx, int64_t us)
{
    (void)ctx, (void)us;
    return true;
}

static void copy_trial(struct live *l, const char *name)
{
    struct sm_replay_options o = {.pause = at_once};
    struct sm_err err;
    char path[256];
    snprintf(path, sizeof path, "tests/trials/%s", name);
    if (!sm_replay(path, l->path, &o, &err))
        fail_msg("%s", err.msg);
}

/* ---- all contents of a trial, as text ---- */

static void add_value(struct live *l, const struct sm_entry *e, struct sm_str *out)
{
    const struct sm_facts *f;
    struct sm_err err;
    bool ok = sm_fetch_stats(l->fetch, l->trial, e, &f, &err);
    for (int i = 0; i < 3 && !ok && err.code == SM_ERR_WAIT; i++) {
        live_settle(l);
        ok = sm_fetch_stats(l->fetch, l->trial, e, &f, &err);
    }
    if (!ok)
        fail_msg("%s", err.msg);
    sm_str_printf(out, " %d %llu %.17g %.17g %d\n", (int)f->dtype, (unsigned long long)f->n,
                  f->stats.mean, f->stats.min, (int)f->crc);
}

static struct sm_str describe_values(struct live *l)
{
    struct sm_str out = {0};
    sm_str_printf(&out, "%s\n", steps_text(l));
    for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(l->trial, i);
        sm_str_printf(&out, "%s\n", sm_trial_tensor_name(l->trial, x));
        for (size_t k = 0; k < x->n_entries; k++) {
            sm_str_printf(&out, "%lld", (long long)sm_tensor_part(l->trial, x, k)->step.n);
            if (sm_tensor_entry(l->trial, x, k).kind == SM_ENTRY_VALUE)
                add_value(l, (struct sm_entry[]){sm_tensor_entry(l->trial, x, k)}, &out);
        }
    }
    return out;
}

/* ---- tests ---- */

static void test_a_trial_reads_the_same(void **state)
{
    static const char *const names[] = {"cnn_healthy", "dtypes", "shapes_with_values",
                                        "ddp_two_workers"};
    struct live *l = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        open_shipped(l, names[i]);
        struct sm_str plain = describe_values(l);
        live_close(l);
        copy_trial(l, names[i]);
        nftw(l->path, compress_one, 16, FTW_PHYS);
        live_open(l);
        struct sm_str packed = describe_values(l);
        assert_string_equal(sm_str_text(&packed), sm_str_text(&plain));
        if (sm_trial_problems(l->trial)->n)
            fail_msg("%s: %s", sm_trial_problems(l->trial)->items[0].file,
                     sm_trial_problems(l->trial)->items[0].message);
        live_close(l);
        remove_tree(l->path);
        sm_str_clear(&plain);
        sm_str_clear(&packed);
    }
}

static void write_three_steps(struct live *l)
{
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
}

static const char *events_2 = "events/000000000002/000000000002_worker_0.tfevents";
static const char *index_2 = "index/000000000/000000000002_worker_0.json";

static void assert_steps_before_are_whole(struct live *l)
{
    double mean = -1;
    struct sm_err err;
    for (int step = 0; step < 2; step++) {
        assert_true(mean_at(l, "loss", step, &mean, &err));
        assert_true(mean == step);
        assert_true(mean_at(l, "weight", step, &mean, &err));
        assert_true(mean == 0.5);
    }
}

/* Truncated anywhere: not yet there, and a problem only once a later step proves it. */
static void cut_everywhere(struct live *l, const char *file, bool hides_the_step)
{
    size_t n;
    double mean;
    struct sm_err err;
    write_three_steps(l);
    compress(in(l, "%s", file));
    char *packed = get_file(suffixed(in(l, "%s", file)), &n);
    assert_true(n > 20);
    for (size_t cut = 0; cut < n; cut++) {
        put_file(suffixed(in(l, "%s", file)), packed, cut);
        live_open(l);
        assert_steps_before_are_whole(l);
        assert_int_equal(sm_trial_step_count(l->trial), hides_the_step ? 2 : 3);
        assert_false(!hides_the_step && mean_at(l, "weight", 2, &mean, &err));
        assert_int_equal(sm_trial_problems(l->trial)->total, 0);
        if (cut == n / 2) {
            write_step(l, "worker_0", 3);
            live_give_time(l);
            if (!hides_the_step)
                assert_false(mean_at(l, "weight", 2, &mean, &err));
            assert_true(sm_trial_problems(l->trial)->total > 0);
            assert_true(mean_at(l, "loss", 3, &mean, &err));
            remove(in(l, "events/000000000003/000000000003_worker_0.tfevents"));
            remove(in(l, "index/000000000/000000000003_worker_0.json"));
        }
        live_close(l);
    }
    put_file(suffixed(in(l, "%s", file)), packed, n);
    live_open(l);
    assert_true(mean_at(l, "weight", 2, &mean, &err));
    live_close(l);
    free(packed);
}

static void test_an_event_file_that_is_cut(void **state)
{
    cut_everywhere(*state, events_2, false);
}

static void test_an_index_file_that_is_cut(void **state)
{
    cut_everywhere(*state, index_2, true);
}

/* Three gigabytes of zeros in half a megabyte. */
static void put_bomb(const char *path)
{
    char *zeros = calloc(1, BOMB_FRAME), *packed = malloc(ZSTD_compressBound(BOMB_FRAME));
    size_t n = ZSTD_compress(packed, ZSTD_compressBound(BOMB_FRAME), zeros, BOMB_FRAME, 1);
    FILE *f = fopen(path, "wb");
    for (int i = 0; i < BOMB_FRAMES; i++)
        assert_int_equal(fwrite(packed, 1, n, f), n);
    fclose(f);
    free(zeros);
    free(packed);
}

static long peak_kb(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_maxrss;
}

static void test_a_bomb(void **state)
{
    static const char *const files[] = {"events/000000000002/000000000002_worker_0.tfevents",
                                        "index/000000000/000000000002_worker_0.json",
                                        "collections/000000000/worker_1_collections.json"};
    struct live *l = *state;
    double mean;
    struct sm_err err;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_three_steps(l);
        remove(in(l, "%s", files[i]));
        put_bomb(suffixed(in(l, "%s", files[i])));
        long before = peak_kb();
        live_open(l);
        assert_steps_before_are_whole(l);
        write_step(l, "worker_0", 3);
        live_give_time(l);
        if (i == 0)
            assert_false(mean_at(l, "weight", 2, &mean, &err));
        assert_true(mean_at(l, "weight", 3, &mean, &err));
        assert_true(i == 2 || sm_trial_problems(l->trial)->total > 0);
        assert_in_range(peak_kb() - before, 0, ROOM_KB);
        live_close(l);
        remove_tree(l->path);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_trial_reads_the_same),
        T(test_an_event_file_that_is_cut),
        T(test_an_index_file_that_is_cut),
        T(test_a_bomb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
