/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of torch.distributed.checkpoint, by all its writers (tests/samples/dcp): pieces of
 * all ranks are put together, each file is opened once, and damage hides nothing beside it. */
#include "reader/checkpoints/ckpt_formats.h"
#include "reader/tensor_files/ckpt_gather.h"
#include "reader/tensor_files/ckpt_open.h"
#include "reader/tensor_files/ckpt_shards.h"

#include "reader/tensor/tensor.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILES_MAX = 4 };

/* A source that counts how often files are opened. */
struct counting {
    struct sm_source base;
    struct sm_source *files;
    unsigned opens;
};

static struct counting *counting_of(struct sm_source *s)
{
    return (struct counting *)s;
}

static bool count_stat(struct sm_source *s, const char *path, struct sm_stat *out,
                       struct sm_err *err)
{
    return sm_source_stat(counting_of(s)->files, path, out, err);
}

static bool count_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                       size_t *got, struct sm_err *err)
{
    return sm_source_read(counting_of(s)->files, path, offset, buf, n, got, err);
}

static bool count_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err)
{
    counting_of(s)->opens++;
    return sm_source_open(counting_of(s)->files, path, fd, err);
}

static void count_free(struct sm_source *s)
{
    sm_source_unref(counting_of(s)->files);
    free(s);
}

static struct sm_source *count_opens(struct sm_source *files)
{
    static const struct sm_source_ops ops = {
        .stat = count_stat, .read = count_read, .open = count_open, .free = count_free};
    struct counting *c = calloc(1, sizeof *c);
    assert_non_null(c);
    assert_true(sm_source_init(&c->base, &ops, "."));
    c->files = files;
    return &c->base;
}

/* The files of one step that have tensors. */
struct step {
    struct sm_source *source;
    struct sm_ckpt_file files[FILES_MAX], *all[FILES_MAX];
    struct sm_stat stats[FILES_MAX];
    size_t n;
    struct sm_problems problems;
    struct sm_err err;
    int64_t at;
    bool ok;
};

static void read_file(struct step *s, const char *path)
{
    struct sm_ckpt_file *f = &s->files[s->n];
    struct sm_file open = {0};
    uint8_t head[SM_CKPT_HEAD];
    size_t got;
    assert_true(sm_source_stat(s->source, path, &s->stats[s->n], &s->err));
    *f = (struct sm_ckpt_file){.path = path, .size_bytes = s->stats[s->n].size_bytes};
    assert_true(sm_file_open(&open, s->source, path, &s->err));
    assert_true(sm_file_read(&open, 0, head, sizeof head, &got, &s->err));
    s->ok = sm_ckpt_format_of(path, head, got)->read(&open, f, &s->at, &s->err) && s->ok;
    s->all[s->n++] = f;
    sm_file_close(&open);
}

/* Takes the source over. */
static void begin(struct step *s, struct sm_source *source, const char *const *paths, size_t n)
{
    *s = (struct step){.source = source, .ok = true};
    for (size_t i = 0; i < n; i++)
        read_file(s, paths[i]);
    assert_true(sm_ckpt_join_shards(s->all, s->n, &s->problems));
}

static void end(struct step *s)
{
    for (size_t i = 0; i < s->n; i++)
        sm_ckpt_file_clear(&s->files[i]);
    sm_problems_clear(&s->problems);
    sm_source_unref(s->source);
}

static const struct sm_ckpt_tensor *find_tensor(const struct step *s, const char *name,
                                                const struct sm_ckpt_file **in)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->files[i].n; k++)
            if (strcmp(s->files[i].tensors[k].name, name) == 0) {
                *in = &s->files[i];
                return &s->files[i].tensors[k];
            }
    return NULL;
}

static bool has_shape(const struct step *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->files[i].n_shapes; k++)
            if (strcmp(s->files[i].shapes[k].name, name) == 0)
                return true;
    return false;
}

/* Whether each element is its index. */
static bool is_counted(const struct step *s, const char *name)
{
    const struct sm_ckpt_file *f = NULL;
    const struct sm_ckpt_tensor *t = find_tensor(s, name, &f);
    uint8_t bytes[1024];
    struct sm_err err;
    if (!t)
        return false;
    struct sm_ckpt_open *open = sm_ckpt_open_new(s->source);
    const struct sm_ckpt_origin origin = {
        .path = f->path, .folder = "", .st = &s->stats[f - s->files]};
    struct sm_ckpt_reader reader;
    sm_ckpt_reader_begin(&reader, open, &origin);
    bool ok = sm_ckpt_gather(&reader.bytes, f->storages, t, 0, t->n, bytes, &err);
    sm_ckpt_reader_end(&reader);
    sm_ckpt_open_free(open);
    const struct sm_dtype_info *info = sm_dtype_info((enum sm_dtype)t->dtype);
    for (uint64_t i = 0; i < t->n && ok; i++)
        ok = sm_dtype_load((enum sm_dtype)t->dtype, bytes + i * info->size_bytes) == (double)i;
    return ok;
}

static struct sm_source *sample(const char *how)
{
    char path[200];
    snprintf(path, sizeof path, "tests/samples/dcp/%s/step-10", how);
    struct sm_source *s = sm_source_dir_new(path, NULL);
    assert_non_null(s);
    return s;
}

static const char *const one[] = {".metadata"};
static const char *const ranks[] = {"__0.metadata", "__1.metadata"};
static const char *const shards[] = {"shard-00001-model-00001-of-00001.safetensors",
                                     "shard-00002-model-00001-of-00001.safetensors",
                                     "shard-00003-model-00001-of-00001.safetensors"};
static const struct {
    const char *how, *prefix;
    const char *const *paths;
    size_t n;
} writers[] = {{"async", "model.", one, 1},
               {"grid", "model.", one, 1},
               {"ranks", "model.", ranks, 2},
               {"huggingface", "", shards, 3}};
enum { WRITERS = sizeof writers / sizeof *writers };

static void name_of(char out[64], size_t writer, const char *name)
{
    snprintf(out, 64, "%s%s", writers[writer].prefix, name);
}

static void test_writers(void **state)
{
    static const char *const names[] = {"weight", "odd", "whole"};
    (void)state;
    for (size_t i = 0; i < WRITERS; i++) {
        struct step s;
        char name[64];
        begin(&s, sample(writers[i].how), writers[i].paths, writers[i].n);
        assert_true(s.ok);
        assert_int_equal(s.problems.total, 0);
        for (size_t k = 0; k < 3; k++) {
            name_of(name, i, names[k]);
            if (!is_counted(&s, name))
                fail_msg("%s of %s", name, writers[i].how);
        }
        end(&s);
    }
}

/* Each file is opened once, whatever the order of the tensors is, and a small item costs one read
 * besides the two of its file. */
static void test_cost(void **state)
{
    struct step s;
    (void)state;
    struct sm_source *source = count_opens(sample("grid"));
    unsigned long before = sm_source_read_count();
    begin(&s, source, one, 1);
    assert_int_equal(counting_of(source)->opens, 1 + 4);
    assert_in_range(sm_source_read_count() - before, 1, 60);
    end(&s);
}

static void test_values(void **state)
{
    struct step s;
    (void)state;
    begin(&s, sample("async"), one, 1);
    const struct sm_run_fields *leaves = &s.files[0].leaves;
    assert_int_equal(leaves->n, 2);
    assert_string_equal(leaves->items[0].key, "train_state.step");
    assert_string_equal(leaves->items[0].json, "10");
    assert_string_equal(leaves->items[1].json, "[2.5, 2.25]");
    end(&s);
}

/* ---- damage ---- */

/* A sample in memory, without the file `missing`. */
static struct sm_source *in_memory(const char *how, const char *missing)
{
    char path[200];
    struct sm_source *from = sample(how), *to = sm_source_mem_new(NULL);
    snprintf(path, sizeof path, "tests/samples/dcp/%s/step-10", how);
    DIR *dir = opendir(path);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        struct sm_str bytes = {0};
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            strcmp(e->d_name, missing) != 0) {
            assert_true(sm_source_slurp(from, e->d_name, 1 << 20, &bytes, NULL));
            assert_true(sm_source_mem_put(to, e->d_name, sm_str_text(&bytes), bytes.len));
        }
        sm_str_clear(&bytes);
    }
    closedir(dir);
    sm_source_unref(from);
    return to;
}

static void load(struct sm_source *s, const char *path, struct sm_str *out)
{
    sm_str_truncate(out, 0);
    assert_true(sm_source_slurp(s, path, 1 << 20, out, NULL));
}

/* Metadata that are damaged from some byte on: names and shapes before it are known, and tensors
 * whose places are before it have their elements. */
static void test_metadata(void **state)
{
    struct sm_str bytes = {0};
    size_t most_names = 0, most_values = 0;
    struct sm_source *whole = in_memory("grid", "");
    (void)state;
    load(whole, ".metadata", &bytes);
    sm_source_unref(whole);
    for (size_t at = 2; at < bytes.len; at++) {
        struct step s;
        struct sm_str copy = {0};
        struct sm_source *source = in_memory("grid", ".metadata");
        sm_str_addn(&copy, bytes.data, bytes.len);
        memset(copy.data + at, 0xff, bytes.len - at);
        assert_true(sm_source_mem_put(source, ".metadata", copy.data, copy.len));
        begin(&s, source, one, 1);
        assert_false(s.ok);
        assert_int_equal(s.err.code, SM_ERR_DATA);
        assert_in_range(s.at, 1, bytes.len);
        size_t names = s.files[0].n + s.files[0].n_shapes;
        assert_true(names + 1 >= most_names); /* one that is not complete */
        most_names = names > most_names ? names : most_names;
        most_values = s.files[0].n > most_values ? s.files[0].n : most_values;
        end(&s);
        sm_str_clear(&copy);
    }
    assert_int_equal(most_names, 4);
    assert_int_equal(most_values, 4);
    sm_str_clear(&bytes);
}

/* One piece is damaged: its tensor is a shape, the problem says where, the others are read. */
static void test_piece(void **state)
{
    struct sm_str bytes = {0};
    struct step s;
    (void)state;
    struct sm_source *source = in_memory("async", "");
    load(source, "__1_0.distcp", &bytes);
    memset(bytes.data + 2522 + 70, 0xff, 16); /* in the pickle of the second piece of weight */
    assert_true(sm_source_mem_put(source, "__1_0.distcp", bytes.data, bytes.len));
    begin(&s, source, one, 1);
    assert_true(s.ok);
    assert_int_equal(s.files[0].problems.total, 1);
    const struct sm_problem *p = &s.files[0].problems.items[0];
    assert_string_equal(p->file, "__1_0.distcp");
    assert_in_range(p->offset, 2522, 2522 + 200);
    assert_true(strncmp(p->message, "model.weight: ", 14) == 0);
    assert_true(has_shape(&s, "model.weight"));
    assert_true(is_counted(&s, "model.odd") && is_counted(&s, "model.whole"));
    end(&s);
    sm_str_clear(&bytes);
}

/* A file of a rank is missing: one problem, which counts what was in it. */
static void test_missing(void **state)
{
    struct step s;
    (void)state;
    begin(&s, in_memory("async", "__0_0.distcp"), one, 1);
    assert_true(s.ok);
    assert_int_equal(s.files[0].problems.total, 1);
    assert_string_equal(s.files[0].problems.items[0].file, "__0_0.distcp");
    assert_non_null(
        strstr(s.files[0].problems.items[0].message, ": 2 items are lost, such as model."));
    assert_true(has_shape(&s, "model.weight") && has_shape(&s, "model.odd"));
    assert_true(is_counted(&s, "model.whole"));
    end(&s);
}

/* Shards of which the middle one is missing, and one alone. */
static void test_shards(void **state)
{
    static const char *const two[] = {"shard-00001-model-00001-of-00001.safetensors",
                                      "shard-00003-model-00001-of-00001.safetensors"};
    const struct sm_ckpt_file *f;
    struct step s;
    (void)state;
    begin(&s, sample("huggingface"), two, 2);
    assert_int_equal(s.problems.total, 2);
    assert_non_null(strstr(s.problems.items[0].message, "its pieces do not make up its shape"));
    assert_true(has_shape(&s, "weight") && has_shape(&s, "odd"));
    assert_null(find_tensor(&s, "weight", &f));
    end(&s);
    begin(&s, sample("huggingface"), two + 1, 1);
    assert_int_equal(s.problems.total, 0);
    assert_int_equal(find_tensor(&s, "weight", &f)->dims[0], 2);
    assert_int_equal(find_tensor(&s, "weight", &f)->n, 12);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writers), cmocka_unit_test(test_cost),
        cmocka_unit_test(test_values),  cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_piece),   cmocka_unit_test(test_missing),
        cmocka_unit_test(test_shards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
