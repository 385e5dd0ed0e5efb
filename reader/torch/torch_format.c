/* SPDX-License-Identifier: Apache-2.0 */
/* The format of torch.save: a pickle that names tensors, and their elements beside it. Nothing of
 * the pickle is executed (reader/pickle/pickle.h). */
#include "reader/tensor_files/ckpt_format.h"
#include "reader/torch/torch_file.h"

#include <string.h>

enum { PICKLE_PROTO = 0x80 };

static bool is_pickle(const uint8_t *head, size_t n)
{
    return n > 2 && head[0] == PICKLE_PROTO && head[1] >= 2 && head[1] <= 5;
}

/* A zip file that begins with the pickle of torch, or a pickle: after its protocol stands a frame
 * or one of the opcodes that picklers begin with. */
static bool torch_begins(const uint8_t *head, size_t n)
{
    return sm_zip_first_ends_with(head, n, "/data.pkl") ||
           (is_pickle(head, n) && head[2] && strchr("\x95\x8a\x8c}](cX)", head[2]));
}

/* Names that other programs use too are torch's if the content is. */
static bool torch_owns(const char *name, const uint8_t *head, size_t n)
{
    static const char *const own[] = {".pt", ".pth", ".ckpt", ".distcp"}, *const shared[] = {
                                                                              ".bin", ".tar",
                                                                              ".pkl", ".pickle",
                                                                              ".model"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (sm_ends_with(name, own[i]))
            return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (sm_ends_with(name, shared[i]))
            return sm_zip_begins(head, n) || is_pickle(head, n) ||
                   (i == 0 && strncmp(name, "pytorch_model", 13) == 0);
    return false;
}

/* A file whose end is missing: what is whole before that. err says why it is no zip file. */
static bool read_cut(struct sm_file_span span, struct sm_ckpt_file *out, int64_t *at,
                     struct sm_err *err)
{
    struct sm_torch_zip zip;
    struct sm_err why = {0};
    if (err->code != SM_ERR_DATA || !sm_torch_zip_open_cut(&zip, span, &why))
        return false;
    bool ok = sm_torch_zip_read(&zip, "", out, &why);
    if (why.code == SM_ERR_MEMORY)
        *err = why;
    else if (zip.lost || !ok)
        sm_err_set(err, SM_ERR_DATA,
                   "the zip file is cut, or still written: the elements of %llu tensors are behind "
                   "its end",
                   (unsigned long long)zip.lost);
    *at = zip.fault_at < 0 ? (int64_t)span.size_bytes : zip.fault_at;
    sm_torch_zip_close(&zip);
    return false;
}

static bool read_zip(struct sm_file_span span, struct sm_ckpt_file *out, int64_t *at,
                     struct sm_err *err)
{
    struct sm_torch_zip zip;
    if (!sm_torch_zip_open(&zip, span, err))
        return read_cut(span, out, at, err);
    bool ok = sm_torch_zip_read(&zip, "", out, err);
    *at = zip.fault_at;
    sm_torch_zip_close(&zip);
    return ok;
}

static bool torch_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                       struct sm_err *err)
{
    uint8_t head[4];
    struct sm_file_span span = {f, 0, out->size_bytes};
    *at = -1;
    if (span.size_bytes < sizeof head)
        return sm_err_set(err, SM_ERR_DATA, "a file of %llu bytes is none of torch",
                          (unsigned long long)span.size_bytes);
    if (!sm_span_read(&span, 0, head, sizeof head, err))
        return false;
    return sm_zip_begins(head, sizeof head) ? read_zip(span, out, at, err)
                                            : sm_torch_legacy_read(span, out, at, err);
}

const struct sm_ckpt_format sm_ckpt_format_torch = {
    .files = SM_FILES_TORCH, .begins = torch_begins, .owns = torch_owns, .read = torch_read};
