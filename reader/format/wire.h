/* Protobuf's wire format, as far as it is walked by hand: to find large contents without copying
 * them. */
#ifndef SM_WIRE_H
#define SM_WIRE_H

#include "reader/base/bytes.h"
#include "reader/base/str.h"

/* a varint; false: it does not end */
bool sm_wire_get(struct sm_bytes b, size_t *at, uint64_t *out);
void sm_wire_put(struct sm_str *out, uint64_t v);
/* Moves past a field's value; for length-delimited ones *inside gets it. */
bool sm_wire_skip(struct sm_bytes b, size_t *at, unsigned wire, struct sm_bytes *inside);
/* Copies message b to out without the bytes at the end of the path of fields (ended by 0), which
 * *content gets. False: broken wire format at *bad. */
bool sm_wire_cut(struct sm_bytes b, const unsigned *path, struct sm_str *out,
                 struct sm_bytes *content, const uint8_t **bad);

#endif
