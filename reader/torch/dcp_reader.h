/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a checkpoint of torch.distributed.checkpoint while it is read: its metadata, a
 * pickle, and the items that the files of the ranks have. For the files dcp_*.c of this room. */
#ifndef SM_DCP_READER_H
#define SM_DCP_READER_H

#include "reader/torch/torch_file.h"

/* An item of storage_data: a small file of torch.save in the file of a rank, with a piece of a
 * tensor, or a value that is no tensor. */
struct sm_dcp_item {
    uint32_t name;   /* id in names */
    uint32_t offset; /* node of the metadata: torch.Size or None */
    uint32_t path;   /* id in paths */
    bool packed;     /* by a transformation, which is not undone */
    uint64_t at, length;
    size_t next; /* of the same name, plus 1; 0: none */
    /* What was read of a piece of a tensor; is_read: it is whole. */
    bool is_read;
    uint8_t dtype; /* enum sm_dtype */
    unsigned n_dims;
    struct sm_ckpt_piece piece; /* sizes and strides in `kept`, origin in the file's arena */
};
/* What the metadata says of a name. */
struct sm_dcp_name {
    uint32_t meta; /* node of its metadata; 0: none */
    size_t first;  /* of its items, plus 1; 0: none */
};
/* A file of a rank. */
struct sm_dcp_shard {
    bool there; /* and it can be opened */
    struct sm_stat st;
    struct sm_err why; /* if not */
    uint64_t lost;     /* items that it should have */
    uint32_t example;  /* the name of one of them */
};
struct sm_dcp_reader {
    const struct sm_file *file; /* of the metadata */
    struct sm_ckpt_file *out;
    struct sm_pickle tree;
    struct sm_names *names, *paths;
    struct sm_dcp_name *by_name; /* by id in names */
    size_t cap_names;
    struct sm_dcp_item *items;
    size_t n_items, cap_items;
    struct sm_dcp_shard *shards; /* by id in paths */
    struct sm_arena kept;
    struct sm_str path; /* of a shard, with the folder */
    struct sm_err *err;
};

/* A member of an object's state; 0 (None): there is none. */
uint32_t sm_dcp_member(const struct sm_dcp_reader *r, uint32_t node, const char *key);
/* Sets the error; false. */
bool sm_dcp_lack_memory(struct sm_dcp_reader *r);
/* Reads the headers of all items, in the order of files and of places in them, so that each file is
 * opened once. What cannot be read is a problem of its file; values that are no tensors are added
 * to the file. False: no memory. */
bool sm_dcp_read_items(struct sm_dcp_reader *r);

#endif
