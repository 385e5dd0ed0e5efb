/* Reading one record, in a worker. Inside of reader/fetch.c and reader/summary.c. */
#ifndef SM_FETCH_READ_H
#define SM_FETCH_READ_H

#include "reader/cache.h"

struct sm_read {
    struct sm_cache_node *node; /* the loop's thread alone; NULL: forgotten meanwhile */
    const char *path;
    uint64_t offset, length;
    uint16_t value;        /* which of the record's */
    uint8_t want;          /* enum sm_want */
    bool ok, counted;      /* the facts have the statistics, also if that is none */
    struct sm_facts facts; /* dims point to the next */
    uint64_t dims[SM_DIMS_MAX];
    double quantiles[SM_FACTS_QUANTILES];
    /* when wanted; given: it is not read, only its statistics are counted */
    struct sm_tensor *tensor;
    struct sm_err err; /* also with ok: the checksum is wrong */
};
/* file: x->path's, if x has no tensor yet. scratch: of the job; what is read for its numbers alone
 * goes there, if it is large. Fills ok and what follows. SM_ERR_WAIT or MISSING: the file is not
 * there or ends before the record does. */
void sm_read_record(const struct sm_file *file, enum sm_checksum checksum, struct sm_read *x,
                    struct sm_scratch *scratch);

#endif
