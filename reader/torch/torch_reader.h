/* SPDX-License-Identifier: Apache-2.0 */
/* From the pickle of a file of torch to its tensors: the forms in which torch and numpy write
 * arrays, and the walk that names them. For the files torch_*.c of this room.
 *
 * Only forms that are listed are understood; whatever else a pickle would call is looked through
 * for what was handed to it. */
#ifndef SM_TORCH_READER_H
#define SM_TORCH_READER_H

#include "reader/base/map.h"
#include "reader/pickle/pickle.h"
#include "reader/tensor_files/ckpt_file.h"

/* What the container of a pickle knows: where storages lie. */
struct sm_torch_container {
    const struct sm_file *file;
    /* Where the storage of a key lies; size_bytes is all that there is. */
    bool (*find)(const struct sm_torch_container *c, struct sm_text key,
                 struct sm_ckpt_storage *out, struct sm_err *err);
    /* The stream of the pickle from its beginning, to read far bytes again. */
    bool (*reopen)(const struct sm_torch_container *c, struct sm_byte_stream *out,
                   struct sm_err *err);
    const char *shard;  /* sm_ckpt_storage.file of what it has; borrowed */
    uint64_t pickle_at; /* where the stream is in the file */
    bool deflated;      /* so that places in the stream are none in the file */
};

struct sm_torch_reader {
    struct sm_ckpt_file *out;
    const struct sm_pickle *tree;
    const struct sm_torch_container *container;
    struct sm_names *keys; /* of storages that were looked for */
    uint32_t *storages;    /* of each key, its index in out; SM_NAME_NONE: it cannot be read */
    size_t n_storages, cap_storages;
    struct sm_map inlined; /* of nodes of bytes, the storage and in the upper half the type */
    size_t inline_bytes;   /* copied into the arena of out so far */
    uint64_t lost; /* tensors whose elements are not there, as the container is cut: SM_ERR_MISSING
                    */
};

struct sm_torch_array {
    struct sm_ckpt_view view; /* without a name */
    uint64_t dims[SM_CKPT_DIMS_MAX];
    int64_t strides[SM_CKPT_DIMS_MAX];
    bool unknown; /* BAD because of the type of its elements alone: the shape is right */
};
enum sm_torch_found { SM_TORCH_OTHER, SM_TORCH_ARRAY, SM_TORCH_BAD };

/* Adds all that a tree holds to r->out, names beginning with `prefix`. False: no memory. */
bool sm_torch_walk(struct sm_torch_reader *r, const char *prefix, struct sm_err *err);
void sm_torch_reader_clear(struct sm_torch_reader *r);

/* A value found in another. Its name is appended to the path unless it has that of its parent. */
struct sm_torch_child {
    uint32_t node; /* 0: none */
    bool named;
    bool pairs;               /* a list of (key, value) */
    bool module;              /* the attributes of a module */
    bool quiet;               /* values in it that are no tensors are of no interest */
    bool from_call;           /* an argument of a call */
    const char *const *names; /* of the items of a tuple, or NULL */
};
/* Part number `part` of an object: arguments, list, dict, and two of its state. */
enum { SM_TORCH_PARTS = 5 };
struct sm_torch_child sm_torch_part(const struct sm_pickle *t, uint32_t node, uint32_t part);

/* Whether a node is a tensor of torch or an array of numpy; BAD: the reason is in err. Pointers in
 * out are into it: do not copy it. */
enum sm_torch_found sm_torch_array(struct sm_torch_reader *r, uint32_t node,
                                   struct sm_torch_array *out, struct sm_err *err);
enum sm_torch_found sm_torch_numpy(struct sm_torch_reader *r, uint32_t node,
                                   struct sm_torch_array *out, struct sm_err *err);
/* The sizes in a tuple, list or torch.Size. False, with err: they are none. */
bool sm_torch_sizes(const struct sm_pickle *t, uint32_t node, uint64_t *dims, unsigned *n,
                    struct sm_err *err);
/* Calls each with the key and the bytes of each storage that a pickle names, until it is false. */
void sm_torch_each_storage(const struct sm_pickle *t,
                           bool (*each)(void *ctx, struct sm_text key, uint64_t size_bytes),
                           void *ctx);
/* The name of the type that a persistent identifier gives a storage: "torch.FloatStorage"; may be
 * empty. */
struct sm_text sm_torch_storage_type(const struct sm_pickle *t, uint32_t node);
/* What a call that only wraps its argument was given: torch.Size, list, tuple; or the node. */
uint32_t sm_torch_unwrap(const struct sm_pickle *t, uint32_t node);

/* The index of the storage that a persistent identifier means, or that was pickled alone as the
 * bytes of a file of torch, and the type of its elements (NONE:
 * bytes). SM_NAME_NONE, with the reason in err. */
uint32_t sm_torch_storage(struct sm_torch_reader *r, uint32_t node, enum sm_dtype *dtype,
                          uint64_t *first, struct sm_err *err);
/* A storage of bytes that are in the pickle itself: bytes, or Latin-1 as text. */
uint32_t sm_torch_inline(struct sm_torch_reader *r, uint32_t node, bool big_endian,
                         struct sm_err *err);
/* The bytes of a node if they are near: of BYTES, and of text that is encoded as Latin-1, which
 * are appended to out. False: it is no such node, or far. */
bool sm_torch_bytes(const struct sm_pickle *t, uint32_t node, struct sm_str *out);

/* Element types by the names of torch: "torch.float32", "torch.FloatStorage"; UNKNOWN if there is
 * none, NONE for a storage of bytes. */
enum sm_dtype sm_torch_dtype(const struct sm_pickle *t, uint32_t global);
enum sm_dtype sm_torch_storage_dtype(const struct sm_pickle *t, uint32_t global);
/* By numpy.dtype('f4', ...); UNKNOWN if there is none. */
enum sm_dtype sm_torch_numpy_dtype(const struct sm_pickle *t, uint32_t node, bool *big_endian);

/* A value that is no container of tensors, as JSON. NOT: it has parts to look at one by one. */
enum sm_torch_leaf { SM_TORCH_NOT_LEAF, SM_TORCH_LEAF };
enum sm_torch_leaf sm_torch_leaf(const struct sm_pickle *t, uint32_t node, struct sm_str *json);
/* Of a leaf, as JSON: a number, text, bool or None (false: it is none); texts; "<3 bytes>". */
bool sm_torch_add_scalar(const struct sm_pickle *t, uint32_t node, struct sm_str *out);
void sm_torch_add_real(struct sm_str *out, double v);
void sm_torch_add_text(struct sm_str *out, const char *p, size_t n);
void sm_torch_add_size(struct sm_str *out, uint64_t n, const char *what);
/* A call that makes one value: a path, a device, a date, a number of numpy. False: it is none. */
bool sm_torch_add_call(const struct sm_pickle *t, uint32_t node, struct sm_str *out);
enum { SM_TORCH_TEXT_MAX = 16 << 10 };
/* The name that a key of a dict gives to its value. */
void sm_torch_key(const struct sm_pickle *t, uint32_t key, struct sm_str *out);

#endif
