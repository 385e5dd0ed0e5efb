/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of torch.distributed.checkpoint: two metadata of ranks, and a shard that both name.
 */
#include "reader/checkpoints/ckpt_source.h"
#include "reader/tensor_files/ckpt_format.h"
#include "reader/tensor_files/ckpt_shards.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { FILES = 2, TENSORS_READ = 8 };

static void read_file(struct sm_source *source, struct sm_ckpt_file *f)
{
    struct sm_file file = {0};
    struct sm_err err = {0};
    int64_t at;
    if (sm_file_open(&file, source, f->path, NULL))
        sm_ckpt_format_dcp.read(&file, f, &at, &err);
    sm_file_close(&file);
}

static void read_values(struct sm_source *source, struct sm_ckpt_file *const *files)
{
    struct sm_stat stats[FILES] = {0};
    struct sm_ckpt_part part = {
        .path = files[0]->path, .files = files, .stats = stats, .n_files = FILES};
    size_t n = files[0]->n + files[1]->n, got;
    struct sm_ckpt_place *places = sm_alloc((n + 1) * sizeof *places);
    uint8_t bytes[600];
    bool ok = places && sm_ckpt_source_add(source, &part, places);
    for (size_t i = 0; i < n && i < TENSORS_READ && ok; i++)
        sm_source_read(source, part.path, places[i].offset, bytes, sizeof bytes, &got, NULL);
    sm_free(places);
}

/* Two bytes: the length of the metadata, which come next; the shard is the rest. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const shards[] = {"__0_0.distcp", "__1_0.distcp"};
    size_t meta = n >= 2 ? (size_t)(data[0] | data[1] << 8) : 0;
    if (n < 2 || meta > n - 2)
        return 0;
    struct sm_source *files = sm_source_mem_new(NULL), *source = sm_ckpt_source_new(files, NULL);
    struct sm_ckpt_file one = {.path = "__0.metadata", .size_bytes = meta},
                        all = {.path = ".metadata", .size_bytes = meta}, *both[] = {&one, &all};
    for (size_t i = 0; i < FILES; i++) {
        sm_source_mem_put(files, both[i]->path, data + 2, meta);
        sm_source_mem_put(files, shards[i], data + 2 + meta, n - 2 - meta);
    }
    read_file(files, &one);
    read_file(files, &all);
    if (sm_ckpt_join_shards(both, FILES, &all.problems))
        read_values(source, both);
    sm_ckpt_file_clear(&one);
    sm_ckpt_file_clear(&all);
    sm_source_unref(source);
    sm_source_unref(files);
    return 0;
}
