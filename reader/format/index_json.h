/* Index files (doc/formats.md): where each value of one step of one worker lies. */
#ifndef SM_INDEX_JSON_H
#define SM_INDEX_JSON_H

#include "reader/base/err.h"
#include "reader/base/str.h"
#include "reader/format/event.h"

struct sm_index_payload {
    struct sm_text name;
    uint64_t offset, length; /* of the whole record in the event file */
};
struct sm_index_shape {
    struct sm_text name, original;
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX];
};
/* Everything points into `strings`, which the caller clears with sm_index_clear; init by zero and
 * reuse for file after file. */
struct sm_index {
    int mode;                  /* 1..4; 0: missing or unknown (the caller may ask the record) */
    int64_t mode_step;         /* -1: missing */
    struct sm_text event_file; /* n == 0: none */
    struct sm_index_payload *payloads;
    size_t n_payloads, cap_payloads;
    struct sm_index_shape *shapes;
    size_t n_shapes, cap_shapes;
    struct sm_str strings;
};
/* Missing meta or payload keys are tolerated (empty); wrong types, negative or overflowing numbers
 * are SM_ERR_DATA with the offset. Unknown keys are skipped: at the top whatever they hold, further
 * in what is no list and no object. */
bool sm_index_parse(const char *p, size_t n, struct sm_index *out, struct sm_err *err);
void sm_index_clear(struct sm_index *x);
/* Appends the file's bytes as Python's json.dumps writes them (", " and ": ", non-ASCII as \uXXXX).
 */
void sm_index_write(struct sm_str *out, const struct sm_index *x);

int sm_mode_of_name(const char *p, size_t n); /* "TRAIN" -> 1 ... case-insensitive; 0: none */
const char *sm_mode_name(int mode);           /* 1 -> "TRAIN"; "-" for 0 */

#endif
