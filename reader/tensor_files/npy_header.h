/* SPDX-License-Identifier: Apache-2.0 */
/* The header of an array of numpy: "\x93NUMPY", version, length, and a dictionary of Python.
 *
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
 *
 * (numpy/lib/format.py). Nothing of it is evaluated. */
#ifndef SM_NPY_HEADER_H
#define SM_NPY_HEADER_H

#include "reader/tensor_files/ckpt_file.h"

enum { SM_NPY_HEADER_MAX = 1 << 20, SM_NPY_PREFIX = 12 };

struct sm_npy_header {
    enum sm_dtype dtype; /* STRING for both kinds of text */
    uint64_t text_bytes; /* of one text; 0: not texts */
    bool unicode;        /* texts are of 4 bytes a character, else of bytes */
    bool big_endian, fortran;
    unsigned n_dims;
    uint64_t dims[SM_CKPT_DIMS_MAX];
};
/* The bytes of prefix and dictionary together, from the first SM_NPY_PREFIX bytes of an array. 0,
 * with the reason in err: it is none, or longer than SM_NPY_HEADER_MAX. */
size_t sm_npy_header_bytes(const uint8_t *p, size_t n, struct sm_err *err);
/* Reads it: those bytes. Records of several fields and arrays of objects are SM_ERR_DATA. */
bool sm_npy_header_parse(const uint8_t *p, size_t n, struct sm_npy_header *out, struct sm_err *err);

#endif
