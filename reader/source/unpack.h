/* SPDX-License-Identifier: Apache-2.0 */
/* Decompression of what files may be stored as: zstd and gzip. Sizes that a file declares are not
 * trusted: it is decompressed in pieces. */
#ifndef SM_UNPACK_H
#define SM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Room for one step: what is consumed and produced is taken off. */
struct sm_unpack_room {
    const char *in;
    size_t n_in;
    char *out;
    size_t n_out;
};
struct sm_unpacker {
    const char *ending;  /* of the file's name */
    const char *name;    /* of the format, for messages */
    void *(*open)(void); /* NULL: no memory */
    /* Goes on as far as the room allows. *between: the input may end here, as far as is known.
     * Returns NULL, or what is wrong with the bytes. */
    const char *(*step)(void *state, struct sm_unpack_room *room, bool *between);
    void (*close)(void *state); /* may be NULL */
};
extern const struct sm_unpacker sm_unpack_zstd, sm_unpack_gzip;

#endif
