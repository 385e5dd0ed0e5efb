/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/ckpt_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static volatile uint64_t seen;

/* Looks at all that was found, so that a sanitizer sees what does not belong to it. */
static void look_at(const struct sm_ckpt_file *out)
{
    for (size_t i = 0; i < out->n; i++) {
        const struct sm_ckpt_tensor *t = &out->tensors[i];
        for (uint32_t k = 0; k < t->name_n; k++)
            seen += (uint8_t)t->name[k];
        for (uint32_t k = 0; k < t->n_pieces; k++)
            seen += out->storages[t->pieces[k].storage].size_bytes;
    }
    for (size_t i = 0; i < out->n_storages; i++) {
        const struct sm_ckpt_storage *s = &out->storages[i];
        if (s->bytes && s->size_bytes)
            seen += s->bytes[0] + s->bytes[s->size_bytes - 1];
    }
}

/* The input is a file of torch. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_source *source = sm_source_mem_new(NULL);
    struct sm_file file = {0};
    struct sm_ckpt_file out = {.path = "x.pt", .size_bytes = n};
    struct sm_err err = {0};
    int64_t at;
    sm_source_mem_put(source, "x.pt", data, n);
    if (sm_file_open(&file, source, "x.pt", NULL))
        sm_ckpt_format_torch.read(&file, &out, &at, &err);
    look_at(&out);
    sm_ckpt_file_clear(&out);
    sm_file_close(&file);
    sm_source_unref(source);
    return 0;
}
