/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/map.h"
#include "reader/checkpoints/ckpt_formats.h"
#include "reader/checkpoints/ckpt_names.h"
#include "reader/checkpoints/ckpt_source.h"
#include "reader/tensor_files/ckpt_shards.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { TENSORS_READ = 8 };

/* Reads some of the records, each at its beginning and its end. */
static void read_records(struct sm_source *source, const char *path,
                         const struct sm_ckpt_place *places, size_t n)
{
    uint8_t bytes[600];
    size_t got;
    for (size_t i = 0; i < n && i < TENSORS_READ; i++) {
        uint64_t tail = places[i].length > sizeof bytes ? places[i].length - sizeof bytes : 0;
        sm_source_read(source, path, places[i].offset, bytes, sizeof bytes, &got, NULL);
        sm_source_read(source, path, places[i].offset + tail, bytes, sizeof bytes, &got, NULL);
    }
}

/* Names the tensors, and reads elements of them as a trial does. */
static void use_file(struct sm_source *source, struct sm_ckpt_file *f)
{
    struct sm_ckpt_file *files[] = {f};
    struct sm_stat st = {.size_bytes = f->size_bytes};
    struct sm_ckpt_part part = {.path = f->path, .files = files, .stats = &st, .n_files = 1};
    bool joined = sm_ckpt_join_shards(files, 1, &f->problems);
    size_t n = f->n;
    struct sm_ckpt_place *places = sm_alloc((n + 1) * sizeof *places);
    if (places && joined && sm_ckpt_name_tensors(files, 1) &&
        sm_ckpt_source_add(source, &part, places))
        read_records(source, part.path, places, n);
    sm_free(places);
}

/* The first byte says the format, the others are the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const names[] = {"x.safetensors", "x.npy",     "x.npz",
                                        "dump.json",     ".metadata", "x.pt"};
    struct sm_file file = {0};
    struct sm_err err = {0};
    int64_t at;
    if (!n)
        return 0;
    const char *name = names[data[0] % (sizeof names / sizeof *names)];
    struct sm_source *files = sm_source_mem_new(NULL), *source = sm_ckpt_source_new(files, NULL);
    struct sm_ckpt_file f = {.path = name, .size_bytes = n - 1};
    const struct sm_ckpt_format *format = sm_ckpt_format_of(name, data + 1, n - 1);
    sm_source_mem_put(files, name, data + 1, n - 1);
    if (format && sm_file_open(&file, files, name, NULL)) {
        format->read(&file, &f, &at, &err);
        use_file(source, &f);
    }
    sm_ckpt_file_clear(&f);
    sm_file_close(&file);
    sm_source_unref(source);
    sm_source_unref(files);
    return 0;
}
