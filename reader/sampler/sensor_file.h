/* SPDX-License-Identifier: Apache-2.0 */
/* A file of /proc or /sys that is read again and again. The kernel makes its text anew for each
 * read from its beginning, so it stays open and is read with pread. */
#ifndef SM_SENSOR_FILE_H
#define SM_SENSOR_FILE_H

#include "reader/base/str.h"

/* Where all sensors read into; what they get from it is valid until the next read. */
struct sm_sensor_buffer {
    char *bytes;
    size_t cap;
};
bool sm_sensor_buffer_init(struct sm_sensor_buffer *b); /* false: no memory */
void sm_sensor_buffer_clear(struct sm_sensor_buffer *b);

struct sm_sensor_file {
    int fd; /* -1: there is none */
};
/* The path is relative to the directory `root`. */
bool sm_sensor_open(struct sm_sensor_file *f, int root, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void sm_sensor_close(struct sm_sensor_file *f);
/* The whole text; n is 0 if it cannot be read, or is empty. A buffer that is too small grows. */
struct sm_text sm_sensor_read(const struct sm_sensor_file *f, struct sm_sensor_buffer *b);
/* The number that is all of its text, as in most files of /sys. */
bool sm_sensor_read_u64(const struct sm_sensor_file *f, struct sm_sensor_buffer *b, uint64_t *out);
/* Opens, reads and closes. */
struct sm_text sm_sensor_read_once(struct sm_sensor_buffer *b, int root, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Calls `each` for the names in a directory, in natural order so that numbers do not depend on the
 * order of the file system. At most `most` names. */
void sm_sensor_list(int root, const char *path, size_t most,
                    void (*each)(void *ctx, const char *name), void *ctx);

#endif
