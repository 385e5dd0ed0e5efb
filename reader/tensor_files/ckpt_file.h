/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of tensors holds, the same for every format: its tensors by name and place, the bytes
 * they lie in, and what else it says.
 *
 * The room reader/tensor_files reads single files of tensors. A format is a reader that fills a
 * struct sm_ckpt_file from one open file (ckpt_format.h lists them); it reads headers only and
 * never the elements. Elements are read later, by the places given here (ckpt_gather.h,
 * ckpt_open.h). Shards of one tensor are put together by ckpt_shards.h. The formats of torch are in
 * reader/torch; what lies in which folder, steps, workers and the names of the trial in
 * reader/checkpoints.
 *
 * Every byte of a file is untrusted. The functions here check what is the same for all formats:
 * sizes, strides and bounds of a tensor, the number of all things, the bytes of names. A tensor
 * that they refuse is a problem of the file, and hides none beside it. */
#ifndef SM_CKPT_FILE_H
#define SM_CKPT_FILE_H

#include "reader/base/mem.h"
#include "reader/format/dtype.h"
#include "reader/kind/problem.h"
#include "reader/kind/run_info.h"

enum { SM_CKPT_DIMS_MAX = 32, SM_CKPT_TENSORS_MAX = 4000000, SM_CKPT_LEAVES_MAX = 20000 };
enum { SM_CKPT_NAME_MAX = 64 << 10 };    /* bytes of one name */
enum { SM_CKPT_LEAF_MAX = 64 << 10 };    /* bytes of the JSON of one leaf */
enum { SM_CKPT_STRINGS_MAX = 64 << 20 }; /* bytes of all names, paths and leaves of a file */

/* Bytes that elements lie in: a storage of torch, an array of a zip, a range of a file. */
struct sm_ckpt_storage {
    uint64_t offset;       /* in the file; deflated: where the compressed bytes begin */
    uint64_t stored_bytes; /* in the file */
    uint64_t size_bytes;   /* of the elements; the same unless deflated */
    /* The file that has them: relative to the folder of the file that was read, in the arena; NULL:
     * that file itself. */
    const char *file;
    /* The elements themselves, in the arena, where the file has them in another form; NULL: they
     * are read from the file. */
    const uint8_t *bytes;
    /* The CRC-32 that the file has of the bytes, and of what comes before the elements in them: the
     * same as of nothing, 0, if that is all. crc32 0: the file has none. */
    uint32_t crc32, crc32_before;
    uint64_t skip_bytes; /* deflated: what comes before the elements when it is inflated */
    bool deflated;       /* raw deflate, as in a zip */
    bool big_endian;     /* elements have their bytes in reverse order */
};

/* A box of a tensor, and where its elements lie. A tensor has one piece that is all of it, or, put
 * together from shards, several that do not overlap. */
struct sm_ckpt_piece {
    uint32_t storage; /* index in storages */
    uint64_t first;   /* of element (0, 0, ...) of the box, in elements from the storage's start */
    const uint64_t *dims;   /* of the box; n_dims of the tensor */
    const int64_t *strides; /* in elements, 0 and negative ones too; NULL: C order without gaps */
    const uint64_t *origin; /* of the box in the tensor; NULL: at 0 */
};

enum sm_ckpt_change {
    SM_CKPT_AS_STORED,
    SM_CKPT_CONJUGATED = 1, /* of complex elements */
    SM_CKPT_NEGATED = 2
};

struct sm_ckpt_tensor {
    /* The keys that lead to it from the root of the file, joined by '.', nothing left out:
     * "state_dict.encoder.0.weight". Of safetensors its name. Empty: the file is this tensor. Any
     * bytes but 0; in the arena, 0-terminated. */
    const char *name;
    uint32_t name_n;
    uint8_t dtype; /* enum sm_dtype; a type that is smaller than a byte counts elements */
    uint8_t change;
    bool parameter; /* torch says so */
    /* Other files of the step have pieces of it, too, or may have: its dims are as far as its own
     * pieces reach, or further. sm_ckpt_join_shards puts them together. */
    bool shard;
    unsigned n_dims;
    const uint64_t *dims; /* in the arena; n_dims of them */
    uint64_t n;           /* elements */
    uint32_t n_pieces;
    const struct sm_ckpt_piece *pieces; /* in the arena */
    /* Of SM_DTYPE_STRING: its n elements, in the arena, and no pieces. NULL for other types. */
    const struct sm_text *strings;
    uint64_t own; /* for the format; 0 */
};

/* A tensor of which the file has the shape, but no elements. */
struct sm_ckpt_shape {
    const char *name; /* in the arena */
    unsigned n_dims;
    const uint64_t *dims;
};

/* Begin with {.path = ...}; clear in any case. What it points to is in its arena. */
struct sm_ckpt_file {
    const char *path;    /* for messages; borrowed */
    uint64_t size_bytes; /* of the file */
    struct sm_arena arena;
    struct sm_ckpt_tensor *tensors; /* in the order of the file: that is the write order */
    size_t n, cap;
    struct sm_ckpt_storage *storages;
    size_t n_storages, cap_storages;
    struct sm_ckpt_shape *shapes;
    size_t n_shapes, cap_shapes;
    /* The order in which files beside this one were written: their names without folder and ending.
     * NULL: it does not say. */
    struct sm_names *order;
    /* What else there is: keys joined by '.', JSON values ("epoch", "args.lr",
     * "hyper_parameters.depth"). Objects are taken apart by the format. */
    struct sm_run_fields leaves;
    struct sm_problems problems;
    size_t strings; /* bytes of names and leaves so far */
    bool full;      /* a limit was reached, and said so */
};
void sm_ckpt_file_clear(struct sm_ckpt_file *f);

/* Adds a storage: SM_NAME_NONE without memory, or, with the reason in err, if it does not lie in
 * its file (not checked if s->file is set) or its sizes cannot be. */
uint32_t sm_ckpt_add_storage(struct sm_ckpt_file *f, const struct sm_ckpt_storage *s,
                             struct sm_err *err);

/* A tensor of one piece, as formats have it. */
struct sm_ckpt_view {
    struct sm_text name;
    enum sm_dtype dtype;
    uint8_t change;
    bool parameter;
    unsigned n_dims;
    const uint64_t *dims;
    const int64_t *strides; /* NULL: C order without gaps */
    uint32_t storage;
    uint64_t first; /* in elements */
};
/* Adds it; all is copied. NULL, with the reason in err: sizes that overflow, too many dimensions,
 * elements before or behind the storage, a limit, no memory. Two tensors of one name are not looked
 * for here. */
struct sm_ckpt_tensor *sm_ckpt_add_tensor(struct sm_ckpt_file *f, const struct sm_ckpt_view *v,
                                          struct sm_err *err);
/* The same of several pieces: each is checked, and lies inside; what no piece covers reads as 0. */
struct sm_ckpt_tensor *sm_ckpt_add_pieces(struct sm_ckpt_file *f, const struct sm_ckpt_view *v,
                                          const struct sm_ckpt_piece *pieces, size_t n,
                                          struct sm_err *err);

/* Adds one of n texts, which are copied; NULL as above. */
struct sm_ckpt_tensor *sm_ckpt_add_strings(struct sm_ckpt_file *f, struct sm_text name,
                                           unsigned n_dims, const uint64_t *dims,
                                           const struct sm_text *strings, struct sm_err *err);

/* Adds a shape; all is copied. False, with the reason in err, as above. */
bool sm_ckpt_add_shape(struct sm_ckpt_file *f, struct sm_text name, unsigned n_dims,
                       const uint64_t *dims, struct sm_err *err);
/* Adds a tensor of one number, which the file has in another form. NULL as above. */
struct sm_ckpt_tensor *sm_ckpt_add_number(struct sm_ckpt_file *f, struct sm_text name, double v,
                                          struct sm_err *err);

/* Adds a leaf: a JSON value that is no object. Over a limit it is left out, and f->full is set.
 * False: no memory. */
bool sm_ckpt_add_leaf(struct sm_ckpt_file *f, struct sm_text path, struct sm_text json);
/* A problem at an offset in the file, or -1. */
void sm_ckpt_add_problem(struct sm_ckpt_file *f, int64_t offset, const struct sm_err *err);

/* The strides of a tensor in C order, in elements. */
void sm_ckpt_c_strides(const uint64_t *dims, unsigned n_dims, int64_t *out);
/* Bytes of n elements in a storage: those of float4 and float6 are packed. */
uint64_t sm_ckpt_stored_bytes(enum sm_dtype d, uint64_t n);

#endif
