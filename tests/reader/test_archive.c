/* SPDX-License-Identifier: Apache-2.0 */
/* Archives: a trial in one file reads like the trial itself, and damage affects only the frames it
 * hits. */
#include "tests/reader/live.h"

#include "reader/archive/archive.h"
#include "reader/base/crc32c.h"
#include "reader/format/smdz.h"
#include "reader/save/archive_save.h"
#include "reader/tail.h"

/* ---- making and opening ---- */

static const char *archive_path(struct live *l)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/a.smdz", l->dir);
    return path;
}

static struct sm_archive_saved save_as(struct live *l, const char *path, struct sm_archive_choice c)
{
    struct sm_archive_save *s;
    struct sm_archive_saved saved;
    struct sm_err err;
    atomic_bool cancelled = false;
    atomic_ulong left = 0;
    if (!sm_archive_save_new(l->trial, &c, &s, &err))
        fail_msg("%s", err.msg);
    if (!sm_archive_save_run(s, path, &cancelled, &left, &saved, &err))
        fail_msg("%s", err.msg);
    sm_archive_save_free(s);
    return saved;
}

static const struct sm_archive_choice everything = {.worker = SM_WORKER_ANY};

/* False if it cannot be opened at all. */
static bool open_archive(struct live *l, const char *path, struct sm_trial_options o)
{
    struct sm_err err;
    l->source = sm_archive_open(path, &err);
    if (!l->source)
        return false;
    assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
    live_settle(l);
    assert_true(sm_trial_scanned(l->trial));
    return true;
}

/* Saves and closes the open trial, and opens the archive instead. */
static struct sm_archive_saved reopen_as_archive(struct live *l, struct sm_archive_choice c)
{
    struct sm_archive_saved saved = save_as(l, archive_path(l), c);
    live_close(l);
    assert_true(open_archive(l, archive_path(l), (struct sm_trial_options){0}));
    return saved;
}

static struct sm_tensor *read_value(struct live *l, const struct sm_entry *e, struct sm_err *err)
{
    struct sm_tensor *t = NULL;
    while (!sm_fetch_tensor(l->fetch, l->trial, e, &t, err)) {
        if (err->code != SM_ERR_WAIT)
            return NULL;
        live_settle(l);
    }
    return t;
}

/* Everything a trial and its values can be asked for, as text. */
static void describe_trial(struct live *l, struct sm_str *out)
{
    const struct sm_trial *t = l->trial;
    sm_str_printf(out, "%s\n%zu workers, %lld\n", steps_text(l), sm_trial_worker_count(t),
                  (long long)sm_trial_num_workers(t));
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        size_t n;
        sm_trial_collection_tensors(t, i, &n);
        sm_str_printf(out, "%s %zu\n", sm_trial_collection(t, i)->name, n);
    }
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        for (size_t k = 0; k < x->n_entries; k++) {
            struct sm_entry e = sm_tensor_entry(t, x, k);
            const struct sm_part *p = sm_trial_part(t, e.part);
            struct sm_err err = {0};
            struct sm_tensor *v = e.kind == SM_ENTRY_SHAPE ? NULL : read_value(l, &e, &err);
            sm_str_printf(out, "%s %lld %d %lld %s %d %d", sm_trial_tensor_name(t, x),
                          (long long)p->step.n, p->mode, (long long)p->mode_step.n,
                          sm_trial_worker(t, p->worker), e.kind, e.reduction);
            if (v) {
                sm_str_printf(out, " %d ", v->dtype);
                sm_shape_text(out, v->dims, v->n_dims);
                bool number = sm_trial_traits(t)->runs && !v->n_dims; /* without a record */
                sm_str_printf(out, " crc %d sum %08x", number ? 0 : (int)v->crc,
                              v->strings ? 0u : sm_crc32c(v->data, v->size_bytes));
            }
            sm_str_printf(out, " %d\n", v ? 0 : (int)err.code);
            sm_tensor_unref(v);
        }
    }
}

/* ---- whole archives ---- */

static void test_an_archive_reads_as_its_trial(void **state)
{
    static const char *const names[] = {
        "cnn_reductions",     "ddp_two_workers", "ddp_worker_lost",   "dtypes",
        "shapes_with_values", "tensorboard",     "tf_mirrored_names", "killed_midrun"};
    struct live *l = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sm_str before = {0}, after = {0};
        open_shipped(l, names[i]);
        uint64_t bytes = sm_trial_bytes(l->trial);
        bool runs = sm_trial_traits(l->trial)->runs; /* the records of their numbers are made */
        describe_trial(l, &before);
        struct sm_archive_saved saved = reopen_as_archive(l, everything);
        describe_trial(l, &after);
        assert_string_equal(sm_str_text(&before), sm_str_text(&after));
        assert_int_equal(saved.unread, 0);
        assert_true(runs || saved.trial_bytes == bytes);
        assert_int_equal(sm_trial_bytes(l->trial), saved.trial_bytes);
        assert_int_equal(sm_trial_problems(l->trial)->total, 0);
        assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
        live_close(l);
        sm_str_clear(&before);
        sm_str_clear(&after);
    }
}

static void test_a_large_value_is_cut_into_frames(void **state)
{
    struct live *l = *state;
    enum { N = 700000 }; /* 2.8 MB */
    struct sm_writer *w;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    put_tensor(w, "big", 1.5f, N);
    put_tensor(w, "loss", 2, 1);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    struct sm_archive_saved saved = reopen_as_archive(l, everything);
    assert_true(saved.bytes < 10000); /* all elements are the same */
    struct sm_tensor *t = read_value(l, (struct sm_entry[]){value_at(l, "big", 0)}, &err);
    assert_non_null(t);
    assert_int_equal(t->n, N);
    assert_float_equal(sm_dtype_load(t->dtype, t->data + (N - 1) * sizeof(float)), 1.5, 0);
    sm_tensor_unref(t);
}

/* Steps are read frame by frame: memory never holds all of them in addition to the trial. */
static void test_many_values_come_in_parts(void **state)
{
    struct live *l = *state;
    enum { STEPS = 12, TENSORS = 2000 };
    struct sm_err err;
    char name[32];
    write_collections(l, "worker_0", 1);
    struct sm_writer *w = writer(l, "worker_0");
    for (int step = 0; step < STEPS; step++) {
        assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
        for (int i = 0; i < TENSORS; i++) {
            snprintf(name, sizeof name, "t%d", i);
            put_tensor(w, name, (float)(step * i), 1);
        }
        assert_true(sm_writer_end_step(w, &err));
    }
    sm_writer_close(w);
    live_open(l);
    reopen_as_archive(l, everything);
    assert_int_equal(sm_trial_step_count(l->trial), STEPS);
    assert_int_equal(sm_trial_tensor_count(l->trial), TENSORS);
    struct sm_tensor *t = read_value(l, (struct sm_entry[]){value_at(l, "t1999", STEPS - 1)}, &err);
    assert_non_null(t);
    assert_float_equal(sm_dtype_load(t->dtype, t->data), (STEPS - 1) * 1999, 0);
    sm_tensor_unref(t);

    const struct sm_trial_options o = {0};
    struct sm_source *source = sm_archive_open(archive_path(l), &err);
    struct sm_tail *tail = sm_tail_new(source, &o, &err);
    assert_non_null(tail);
    struct sm_tail_changes *news = sm_tail_list(tail);
    size_t all = 0;
    for (size_t i = 0; i < news->n_files; i++) {
        struct sm_batch *b = sm_tail_read(tail, i, i + 1);
        assert_true(b->n_values < STEPS * TENSORS);
        all += b->n_values;
        sm_tail_settle(tail, b, b->n_parts);
        sm_batch_free(b);
        b = sm_tail_read(tail, i, i + 1); /* settled parts are not returned again */
        assert_int_equal(b->n_parts, 0);
        sm_batch_free(b);
    }
    assert_int_equal(all, STEPS * TENSORS);
    sm_tail_changes_free(news);
    sm_tail_free(tail);
    sm_source_unref(source);
}

static void test_what_was_chosen(void **state)
{
    struct live *l = *state;
    struct sm_step steps[] = {{2}, {4}, {1000}};
    write_collections(l, "worker_0", 1);
    for (int64_t i = 0; i < 8; i++)
        write_mode_step(l, "worker_0", i, i % 2 ? SM_MODE_EVAL : SM_MODE_TRAIN, i / 2);
    live_open(l);
    const struct sm_trial_tensor *loss = tensor(l, "loss");
    struct sm_archive_choice c = everything;
    c.tensors = &loss;
    c.n_tensors = 1;
    c.steps = steps;
    c.n_steps = 3;
    struct sm_archive_saved saved = reopen_as_archive(l, c);
    assert_int_equal(saved.values, 2);
    assert_int_equal(saved.tensors, 1);
    assert_string_equal(steps_text(l), "2 4");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    live_close(l);
    live_open(l);
    c = everything;
    c.mode = SM_MODE_EVAL;
    reopen_as_archive(l, c);
    assert_string_equal(steps_text(l), "1 3 5 7");
    live_close(l); /* the options given to open apply too */
    assert_true(open_archive(l, archive_path(l),
                             (struct sm_trial_options){.first = {2}, .last = {6}, .stride = 1}));
    assert_string_equal(steps_text(l), "3 5");
}

static void test_one_worker_of_two_is_complete(void **state)
{
    struct live *l = *state;
    struct sm_archive_choice c = everything;
    write_collections(l, "worker_0", 2);
    write_collections(l, "worker_1", 2);
    for (int64_t i = 0; i < 3; i++) {
        write_step(l, "worker_0", i);
        write_step(l, "worker_1", i);
    }
    live_open(l);
    c.worker = sm_trial_find_worker(l->trial, "worker_1");
    reopen_as_archive(l, c);
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    assert_string_equal(sm_trial_worker(l->trial, 0), "worker_1");
    assert_null(strchr(steps_text(l), '!'));
}

static void test_sessions_stay_apart(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int64_t i = 0; i < 4; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    for (int64_t i = 2; i < 6; i++) { /* a new session */
        write_step(l, "worker_0", i);
        live_beat(l);
    }
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    reopen_as_archive(l, everything);
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    assert_int_equal(sm_trial_session(l->trial, 1)->first.n, 2);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5");
}

/* TensorBoard's records may have several values. */
static void test_each_value_of_a_record(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    struct sm_str payload = {0}, bytes = {0}, before = {0}, after = {0};
    const float one = 1, many[] = {2, 3, 4};
    struct sm_event_value v[] = {
        {.tag = SM_TEXT("loss"),
         .kind = SM_VALUE_TENSOR,
         .dtype = SM_DTYPE_FLOAT32,
         .proto_dtype = 1,
         .n_elements = 1,
         .content = {(const uint8_t *)&one, sizeof one}},
        {.tag = SM_TEXT("weight"),
         .kind = SM_VALUE_TENSOR,
         .dtype = SM_DTYPE_FLOAT32,
         .proto_dtype = 1,
         .n_dims = 1,
         .dims = {3},
         .n_elements = 3,
         .content = {(const uint8_t *)many, sizeof many}},
    };
    struct sm_event e = {.wall_time = 1e9, .step = 7, .values = v, .n_values = 2};
    assert_true(sm_event_write(&payload, &e, &err));
    sm_frame_write(&bytes, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    mkdir(l->path, 0777);
    put_file(in(l, "events.out.tfevents.1.host"), bytes.data, bytes.len);
    live_open(l);
    describe_trial(l, &before);
    assert_non_null(strstr(sm_str_text(&before), "weight 7"));
    reopen_as_archive(l, everything);
    assert_true(sm_trial_bytes(l->trial) > bytes.len); /* and the record of the number */
    assert_true(sm_trial_traits(l->trial)->runs);
    describe_trial(l, &after);
    assert_string_equal(sm_str_text(&before), sm_str_text(&after));
    sm_str_clear(&payload);
    sm_str_clear(&bytes);
    sm_str_clear(&before);
    sm_str_clear(&after);
}

static void test_statistics_only(void **state)
{
    struct live *l = *state;
    struct sm_archive_choice c = everything;
    struct sm_err err = {0};
    double before, after;
    c.stats_only = true;
    open_shipped(l, "cnn_healthy");
    assert_true(mean_at(l, "CNN_conv0.weight", 0, &before, &err));
    struct sm_archive_saved saved = reopen_as_archive(l, c);
    assert_true(saved.left_out > 0 && saved.left_out < saved.values);
    assert_true(saved.bytes * 10 < saved.trial_bytes);
    assert_true(mean_at(l, "CNN_conv0.weight", 0, &after, &err));
    assert_true(before == after);
    struct sm_entry e = value_at(l, "CNN_conv0.weight", 0);
    assert_true(sm_trial_left_out(l->trial, &e));
    assert_null(read_value(l, &e, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
    struct sm_entry loss = value_at(l, "CrossEntropyLoss_output_0", 0);
    assert_false(sm_trial_left_out(l->trial, &loss));
    sm_tensor_unref(read_value(l, &loss, &err));
    assert_true(mean_at(l, "CrossEntropyLoss_output_0", 0, &after, &err));
    assert_int_equal(sm_trial_problems(l->trial)->total, 0); /* omitted values are no problem */
}

static void test_an_archive_of_an_archive(void **state)
{
    struct live *l = *state;
    struct sm_archive_choice c = everything;
    struct sm_str before = {0}, after = {0};
    char second[128];
    c.stats_only = true;
    c.findings = SM_TEXT("[{\"instance\":\"x\"}]");
    open_shipped(l, "cnn_healthy");
    reopen_as_archive(l, c);
    describe_trial(l, &before);
    snprintf(second, sizeof second, "%s/b.smdz", l->dir);
    save_as(l, second, everything);
    live_close(l);
    assert_true(open_archive(l, second, (struct sm_trial_options){0}));
    describe_trial(l, &after);
    assert_string_equal(sm_str_text(&before), sm_str_text(&after));
    assert_true(sm_text_is(sm_trial_archive(l->trial)->findings, "[{\"instance\":\"x\"}]"));
    assert_true(sm_text_is(sm_trial_archive(l->trial)->name, "cnn_healthy"));
    sm_str_clear(&before);
    sm_str_clear(&after);
}

static void test_no_file_is_left(void **state)
{
    struct live *l = *state;
    struct sm_archive_save *s;
    struct sm_archive_saved saved;
    struct sm_err err = {0};
    atomic_bool cancelled = true;
    atomic_ulong left = 0;
    open_shipped(l, "cnn_healthy");
    assert_true(sm_archive_save_new(l->trial, &everything, &s, &err));
    assert_false(sm_archive_save_run(s, archive_path(l), &cancelled, &left, &saved, &err));
    assert_int_equal(err.code, SM_ERR_CANCELLED);
    assert_int_equal(rmdir(l->dir), 0); /* it is empty */
    assert_false(sm_archive_save_run(s, archive_path(l), &cancelled, &left, &saved, &err));
    assert_int_equal(err.code, SM_ERR_IO); /* there is no such directory */
    assert_int_equal(mkdir(l->dir, 0777), 0);
    sm_archive_save_free(s);
    struct sm_archive_choice none = everything;
    struct sm_step step = {5};
    none.steps = &step;
    none.n_steps = 1;
    assert_false(sm_archive_save_new(l->trial, &none, &s, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
}

/* ---- damage ---- */

struct frame {
    size_t at, content, n;
    enum sm_smdz_kind kind;
};
static size_t list_frames(const uint8_t *p, size_t n, struct frame *out, size_t most)
{
    struct sm_smdz_head h;
    size_t count = 0;
    for (size_t at = SM_SMDZ_HEADER;
         at + SM_SMDZ_HEAD <= n && count < most && sm_smdz_head(p + at, &h);
         at += SM_SMDZ_HEAD + h.packed)
        out[count++] = (struct frame){at, at + SM_SMDZ_HEAD, h.packed, h.kind};
    return count;
}

/* Three steps of loss and weight: small, with frames of every kind. */
static uint8_t *small_archive(struct live *l, size_t *n)
{
    struct sm_archive_choice c = everything;
    write_collections(l, "worker_0", 1);
    for (int64_t i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
    write_end(l);
    live_open(l);
    c.stats_only = true;
    c.findings = SM_TEXT("[]");
    save_as(l, archive_path(l), c);
    live_close(l);
    return get_file(archive_path(l), n);
}

static void test_opening_reads_the_index_only(void **state)
{
    struct live *l = *state;
    struct frame frames[400];
    struct sm_err err = {0};
    size_t n, count, damaged = 0, hit = 0;
    double mean;
    open_shipped(l, "cnn_healthy");
    save_as(l, archive_path(l), everything);
    live_close(l);
    uint8_t *p = get_file(archive_path(l), &n);
    count = list_frames(p, n, frames, 400);
    /* all of the first tensor, every second frame of the others */
    for (size_t i = 0; i < count; i++)
        if ((frames[i].kind == SM_SMDZ_VALUES || frames[i].kind == SM_SMDZ_STATS) &&
            damaged++ % 2 == 0)
            p[frames[i].content + frames[i].n / 2] ^= 0x40;
    put_file(archive_path(l), p, n);
    free(p);
    assert_true(open_archive(l, archive_path(l), (struct sm_trial_options){0}));
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_tensor_count(l->trial), 29);
    for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(l->trial, i);
        bool ok =
            x->has_value && mean_at(l, sm_trial_tensor_name(l->trial, x), x->first.n, &mean, &err);
        hit += !ok;
        if (!ok)
            assert_non_null(strstr(err.msg, "a.smdz: frame at offset"));
    }
    assert_true(hit > 5 && hit < 24);
    assert_true(has_problem(l, "events/", "a.smdz: frame at offset"));
}

/* Opens it and requests everything: it may report missing data, but must not crash. */
static size_t exercise(struct live *l, const uint8_t *p, size_t n, struct sm_str *out)
{
    sm_str_truncate(out, 0);
    put_file(archive_path(l), p, n);
    size_t problems = 1;
    if (open_archive(l, archive_path(l), (struct sm_trial_options){0})) {
        describe_trial(l, out);
        problems = sm_trial_problems(l->trial)->total;
    }
    live_close(l);
    return problems;
}

static void test_every_byte_may_be_wrong(void **state)
{
    struct live *l = *state;
    size_t n;
    struct sm_str whole = {0}, now = {0};
    uint8_t *p = small_archive(l, &n);
    assert_int_equal(exercise(l, p, n, &whole), 0);
    for (size_t i = 0; i < n; i++)
        for (int bit = 1; bit < 256; bit *= 8) {
            p[i] ^= (uint8_t)bit;
            size_t problems = exercise(l, p, n, &now);
            if (!problems) /* frames of values are only read on request */
                assert_string_equal(sm_str_text(&now), sm_str_text(&whole));
            p[i] ^= (uint8_t)bit;
        }
    free(p);
    sm_str_clear(&whole);
    sm_str_clear(&now);
}

static void test_every_end_may_be_missing(void **state)
{
    struct live *l = *state;
    struct frame frames[40];
    size_t n, seen = 0;
    struct sm_str now = {0};
    uint8_t *p = small_archive(l, &n);
    size_t count = list_frames(p, n, frames, 40);
    assert_true(count > 5 && frames[count - 1].kind == SM_SMDZ_INDEX);
    for (size_t k = 0; k < n; k++)
        assert_true(exercise(l, p, k, &now) > 0);
    put_file(archive_path(l), p, n - 1);
    assert_true(open_archive(l, archive_path(l), (struct sm_trial_options){0}));
    assert_int_equal(sm_trial_problems(l->trial)->items[0].offset, n - 1 - SM_SMDZ_FOOTER);
    live_close(l);
    /* whole frames without an index: everything up to the cut */
    for (size_t i = 0; i < count; i++) {
        exercise(l, p, frames[i].at, &now);
        seen += strstr(sm_str_text(&now), "loss 2 ") != NULL;
    }
    assert_true(seen >= 3 && seen < count);
    free(p);
    sm_str_clear(&now);
}

static void test_what_is_between_damage_is_used(void **state)
{
    struct live *l = *state;
    struct frame frames[40];
    size_t n;
    struct sm_str now = {0}, whole = {0};
    uint8_t *p = small_archive(l, &n);
    exercise(l, p, n, &whole);
    size_t count = list_frames(p, n, frames, 40);
    /* no footer: frames are read in sequence, and nothing is lost */
    memset(p + n - SM_SMDZ_FOOTER, 0, SM_SMDZ_FOOTER);
    /* the end is missing and replaced by bytes that are no frame */
    assert_int_equal(exercise(l, p, n, &now), 2);
    assert_string_equal(sm_str_text(&now), sm_str_text(&whole));
    /* with a damaged head in the middle, only that frame is lost */
    for (size_t i = 0; i < count; i++) {
        uint8_t keep = p[frames[i].at + 9];
        p[frames[i].at + 9] ^= 1;
        exercise(l, p, n, &now);
        bool steps = frames[i].kind == SM_SMDZ_STEPS;
        assert_int_equal(strstr(sm_str_text(&now), "weight 2 ") != NULL, !steps);
        p[frames[i].at + 9] = keep;
    }
    free(p);
    sm_str_clear(&whole);
    sm_str_clear(&now);
}

/* The archive with other content in frame k and matching checksums: without an index, or with frame
 * k as its index. */
static void put_content(struct sm_str *out, const uint8_t *p, const struct frame *frames,
                        size_t count, size_t k, struct sm_bytes plain)
{
    struct sm_str packed = {0};
    struct sm_err err;
    uint8_t head[SM_SMDZ_HEAD], footer[SM_SMDZ_FOOTER];
    size_t at = 0;
    sm_str_truncate(out, 0);
    sm_str_addn(out, p, SM_SMDZ_HEADER);
    assert_true(sm_smdz_pack(plain, 1, &packed, &err));
    for (size_t i = 0; i < count; i++) {
        struct sm_smdz_head h = {frames[i].kind, (uint32_t)packed.len, (uint32_t)plain.n,
                                 sm_crc32c(packed.data, packed.len)};
        bool other = i != k;
        at = i == k ? out->len : at;
        sm_smdz_put_head(&h, head);
        sm_str_addn(out, other ? p + frames[i].at : head, SM_SMDZ_HEAD);
        sm_str_addn(out, other ? (const char *)p + frames[i].content : packed.data,
                    other ? frames[i].n : packed.len);
    }
    if (frames[k].kind == SM_SMDZ_INDEX) {
        sm_smdz_put_footer(at, 1, footer);
        sm_str_addn(out, footer, sizeof footer);
    }
    assert_false(out->failed);
    sm_str_clear(&packed);
}

static size_t count_damaged(struct sm_source *s)
{
    struct sm_err err;
    uint64_t at;
    size_t n = 0;
    for (size_t i = 0; i < sm_archive_frames(s); i++)
        n += !sm_archive_check(s, i, &at, &err);
    return n;
}

/* Damaged statistics are computed again, if the values are intact. */
static void test_values_tell_what_statistics_do_not(void **state)
{
    struct live *l = *state;
    struct sm_smdz_head h;
    size_t n, flipped = 0;
    open_shipped(l, "mlp_exploding_tensor");
    reopen_as_archive(l, everything);
    assert_int_equal(count_damaged(l->source), 0);
    live_close(l);
    uint8_t *bytes = get_file(archive_path(l), &n);
    for (size_t at = SM_SMDZ_HEADER; at + SM_SMDZ_HEAD <= n && sm_smdz_head(bytes + at, &h);
         at += SM_SMDZ_HEAD + h.packed)
        if (h.kind == SM_SMDZ_STATS) {
            bytes[at + SM_SMDZ_HEAD + h.packed / 2] ^= 0x55;
            flipped++;
        }
    assert_true(flipped > 0);
    put_file(archive_path(l), bytes, n);
    free(bytes);
    assert_true(open_archive(l, archive_path(l), (struct sm_trial_options){0}));
    struct sm_err err = {0};
    double mean;
    if (!mean_at(l, "MLP_fc0.weight", 1, &mean, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(count_damaged(l->source), flipped);
}

static void test_contents_may_lie(void **state)
{
    static const uint8_t bits[] = {0x01, 0x80, 0xff};
    struct live *l = *state;
    struct frame frames[40];
    size_t n;
    struct sm_str plain = {0}, lying = {0}, now = {0};
    struct sm_err err;
    uint8_t *p = small_archive(l, &n);
    size_t count = list_frames(p, n, frames, 40);
    for (size_t k = 0; k < count; k++) {
        struct sm_smdz_head h;
        assert_true(sm_smdz_head(p + frames[k].at, &h));
        assert_true(sm_smdz_unpack(&h, (struct sm_bytes){p + frames[k].content, frames[k].n},
                                   &plain, &err));
        for (size_t i = 0; i < plain.len * sizeof bits; i++) {
            plain.data[i / sizeof bits] ^= (char)bits[i % sizeof bits];
            put_content(&lying, p, frames, count, k,
                        (struct sm_bytes){(const uint8_t *)plain.data, plain.len});
            exercise(l, (const uint8_t *)lying.data, lying.len, &now);
            plain.data[i / sizeof bits] ^= (char)bits[i % sizeof bits];
        }
        for (size_t i = 0; i < plain.len; i++) { /* and ends early */
            put_content(&lying, p, frames, count, k,
                        (struct sm_bytes){(const uint8_t *)plain.data, i});
            exercise(l, (const uint8_t *)lying.data, lying.len, &now);
            if (h.kind == SM_SMDZ_STEPS)
                assert_null(strstr(sm_str_text(&now), "weight 2 "));
        }
    }
    free(p);
    sm_str_clear(&plain);
    sm_str_clear(&lying);
    sm_str_clear(&now);
}

static void test_what_is_no_archive(void **state)
{
    struct live *l = *state;
    struct sm_err err = {0};
    put_file(archive_path(l), "SMDZ", 4);
    assert_null(sm_archive_open(archive_path(l), &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_null(sm_archive_open(l->dir, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_an_archive_reads_as_its_trial, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_a_large_value_is_cut_into_frames, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_many_values_come_in_parts, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_what_was_chosen, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_one_worker_of_two_is_complete, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_sessions_stay_apart, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_each_value_of_a_record, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_statistics_only, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_an_archive_of_an_archive, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_no_file_is_left, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_opening_reads_the_index_only, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_every_byte_may_be_wrong, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_every_end_may_be_missing, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_what_is_between_damage_is_used, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_values_tell_what_statistics_do_not, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_contents_may_lie, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_archive, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
