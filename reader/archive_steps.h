/* Steps as an archive keeps them: parts of a batch to bytes and back. */
#ifndef SM_ARCHIVE_STEPS_H
#define SM_ARCHIVE_STEPS_H

#include "reader/archive.h"

/* Parts [from, to) of b. files: the number of each event file, by its name's id. Appends. False: no
 * memory. */
bool sm_archive_put_steps(const struct sm_batch *b, size_t from, size_t to, const uint32_t *files,
                          struct sm_str *out);

struct sm_archive_steps {
    const struct sm_trial_options *options; /* which parts are wanted */
    const char *only_worker;
    /* of each event file; false: no memory */
    bool (*file)(void *ctx, struct sm_text path, uint32_t number);
    void *ctx;
    uint64_t most; /* values, and shapes; more are broken */
};
/* Adds what is wanted to b; a broken rest leaves the parts before it. */
bool sm_archive_get_steps(const struct sm_archive_steps *s, struct sm_bytes bytes,
                          struct sm_batch *b, struct sm_err *err);

/* A time, folded, as an archive has it; false: beyond what sm_clock_us_of gives, on either side of
 * 1970. */
bool sm_archive_get_time(uint64_t folded, int64_t *time_us);

#endif
