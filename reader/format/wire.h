/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of protobuf's wire format needed to locate large contents without copying them. */
#ifndef SM_WIRE_H
#define SM_WIRE_H

#include "reader/base/bytes.h"
#include "reader/base/str.h"

/* Reads a varint; false if it does not end. */
bool sm_wire_get(struct sm_bytes b, size_t *at, uint64_t *out);
void sm_wire_put(struct sm_str *out, uint64_t v);
/* Moves past a field's value; *inside gets the value of a length-delimited field. */
bool sm_wire_skip(struct sm_bytes b, size_t *at, unsigned wire, struct sm_bytes *inside);
/* The next field of a message, taken off its front. */
struct sm_wire_field {
    uint64_t number;
    unsigned wire;         /* 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes */
    uint64_t value;        /* of all but 2 */
    struct sm_bytes bytes; /* the content of 2, which points into the message */
};
/* False: the end (rest is empty), or no valid field (rest is not). */
bool sm_wire_next(struct sm_bytes *rest, struct sm_wire_field *f);
/* Copies message b to out without the content of the field at the end of `path` (field numbers,
 * ended by 0); *content gets that. False: invalid wire format at *bad. */
bool sm_wire_cut(struct sm_bytes b, const unsigned *path, struct sm_str *out,
                 struct sm_bytes *content, const uint8_t **bad);

#endif
