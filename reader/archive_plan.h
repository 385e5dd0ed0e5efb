/* What of a trial goes into an archive. Inside of archive_save.c and archive_plan.c. */
#ifndef SM_ARCHIVE_PLAN_H
#define SM_ARCHIVE_PLAN_H

#include "reader/archive.h"
#include "reader/archive_save.h"

struct sm_archive_record {
    uint32_t tensor;      /* place in the natural order of names */
    uint32_t value, part; /* in the batch */
    bool left_out;        /* the trial is an archive itself, which has only statistics of it */
};
struct sm_archive_save {
    struct sm_source *source;
    struct sm_batch *batch;
    struct sm_archive_record *records; /* by tensor, then as in the batch */
    size_t n_records, cap_records, n_steps, n_tensors;
    uint32_t *files; /* number of each event file, by its name's id */
    char **workers;  /* whose collections are saved: the first n_wanted, or one if they have none */
    size_t n_workers, n_wanted;
    struct sm_archive_info info;
    struct sm_arena arena; /* of its texts */
    bool stats_only;
    int level;
};

#endif
