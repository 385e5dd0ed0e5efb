/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that appear while the folder is open: written in place, half written for a while,
 * renamed when they are whole. */
#include "tests/reader/live.h"

#include "reader/base/bytes.h"
#include "reader/checkpoints/ckpt_source.h"
#include "reader/trial_kinds.h"

#include <fcntl.h>
#include <sys/time.h>

/* A file of one tensor "w" of four float32 with the value v, to its byte `n` at most, written
 * age_us ago by the frozen clock. */
static void put_weights(const char *path, float v, size_t n, int64_t age_us)
{
    static const char header[] =
        "{\"w\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}";
    uint8_t bytes[200];
    size_t size = sizeof header - 1;
    sm_put_u64(bytes, size);
    memcpy(bytes + 8, header, size);
    for (size_t i = 0; i < 4; i++)
        memcpy(bytes + 8 + size + 4 * i, &v, 4);
    size += 8 + 16;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n < size ? n : size, f), n < size ? n : size);
    assert_int_equal(fclose(f), 0);
    int64_t at = sm_clock_wall_us() - age_us;
    struct timeval times[2] = {{at / 1000000, at % 1000000}, {at / 1000000, at % 1000000}};
    assert_int_equal(utimes(path, times), 0);
}

static void make_folder(struct live *l, const char *name)
{
    assert_int_equal(mkdir(in(l, "%s", name), 0700), 0);
}

/* Looks again, at the same time of the clock. */
static void look(struct live *l)
{
    sm_trial_refresh(l->trial);
    live_settle(l);
}

/* "STEP:MEAN ..." of all steps of w, and " !N" if there are problems. */
static void expect(struct live *l, const char *want)
{
    struct sm_str got = {0};
    struct sm_err err;
    const struct sm_trial_tensor *x = sm_trial_find(l->trial, "w", 1);
    for (size_t i = 0; x && i < x->n_entries; i++) {
        const struct sm_facts *f;
        struct sm_entry e = sm_tensor_entry(l->trial, x, i);
        bool ok = sm_fetch_stats(l->fetch, l->trial, &e, &f, &err);
        for (int k = 0; k < 3 && !ok && err.code == SM_ERR_WAIT; k++) {
            live_settle(l);
            ok = sm_fetch_stats(l->fetch, l->trial, &e, &f, &err);
        }
        sm_str_printf(&got, "%s%lld:", i ? " " : "",
                      (long long)sm_tensor_part(l->trial, x, i)->step.n);
        if (ok)
            sm_str_printf(&got, "%g", f->stats.mean);
        else
            sm_str_add(&got, err.msg);
    }
    if (sm_trial_problems(l->trial)->total)
        sm_str_printf(&got, " !%llu", (unsigned long long)sm_trial_problems(l->trial)->total);
    assert_string_equal(sm_str_text(&got), want);
    sm_str_clear(&got);
}

static void open_run(struct live *l)
{
    assert_int_equal(mkdir(l->path, 0700), 0);
    make_folder(l, "checkpoint-100");
    put_weights(in(l, "checkpoint-100/model.safetensors"), 1, SIZE_MAX, 3600000000);
    struct sm_err err;
    struct sm_source *files = sm_source_dir_new(l->path, &err);
    const struct sm_trial_options o = {.follow = true, .kind = &sm_trial_kind_checkpoints};
    l->source = sm_ckpt_source_new(files, &err);
    sm_source_unref(files);
    assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
    live_settle(l);
    expect(l, "100:1");
}

/* A checkpoint counts when it is whole; the half of one is no problem while it may be written. */
static void test_half_written(void **state)
{
    struct live *l = *state;
    open_run(l);
    make_folder(l, "checkpoint-200");
    for (size_t n = 0; n < 80; n += 20) {
        put_weights(in(l, "checkpoint-200/model.safetensors"), 2, n, 0);
        look(l);
        expect(l, "100:1");
    }
    put_weights(in(l, "checkpoint-200/model.safetensors"), 2, SIZE_MAX, 0);
    look(l);
    expect(l, "100:1 200:2");
}

/* One that stays half is a problem, and hides none. */
static void test_stays_half(void **state)
{
    struct live *l = *state;
    open_run(l);
    make_folder(l, "checkpoint-200");
    put_weights(in(l, "checkpoint-200/model.safetensors"), 2, 60, 0);
    make_folder(l, "checkpoint-300");
    put_weights(in(l, "checkpoint-300/model.safetensors"), 3, SIZE_MAX, 0);
    look(l);
    expect(l, "100:1 300:3");
    live_beat(l);
    expect(l, "100:1 300:3 !1");
    put_weights(in(l, "checkpoint-200/model.safetensors"), 2, SIZE_MAX, 0);
    live_beat(l);
    expect(l, "100:1 200:2 300:3 !1");
}

/* Folders and files that get their name when they are whole are not read before. */
static void test_renamed(void **state)
{
    static const char *const names[] = {"tmp-checkpoint-200", "checkpoint-200.tmp",
                                        "checkpoint-200.partial"};
    struct live *l = *state;
    open_run(l);
    for (int64_t i = 0; i < 3; i++) {
        char to[64];
        snprintf(to, sizeof to, "checkpoint-%d", (int)(200 + i));
        make_folder(l, names[i]);
        put_weights(in(l, "%s/model.safetensors", names[i]), (float)(2 + i), SIZE_MAX, 0);
        look(l);
        assert_int_equal(sm_trial_step_count(l->trial), 1 + i);
        assert_int_equal(rename(in(l, "%s", names[i]), in(l, "%s", to)), 0);
        look(l);
        assert_int_equal(sm_trial_step_count(l->trial), 2 + i);
    }
    expect(l, "100:1 200:2 201:3 202:4");
}

/* Files in the folder itself; one is written again in place: the step is of another session. */
static void test_files(void **state)
{
    struct live *l = *state;
    open_run(l);
    put_weights(in(l, "step_200.safetensors.tmp"), 2, SIZE_MAX, 0);
    look(l);
    expect(l, "100:1");
    assert_int_equal(rename(in(l, "step_200.safetensors.tmp"), in(l, "step_200.safetensors")), 0);
    look(l);
    expect(l, "100:1 200:2");
    put_weights(in(l, "step_200.safetensors"), 5, SIZE_MAX, -1000000);
    look(l);
    expect(l, "100:1 200:2 200:5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_half_written, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_stays_half, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_renamed, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_files, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
