/* SPDX-License-Identifier: Apache-2.0 */
/* Selects what goes from a trial into an archive. Internal to archive_save.c and archive_plan.c. */
#ifndef SM_ARCHIVE_PLAN_H
#define SM_ARCHIVE_PLAN_H

#include "reader/archive/archive.h"
#include "reader/save/archive_save.h"

struct sm_archive_record {
    uint32_t tensor;      /* position in the natural order of names */
    uint32_t value, part; /* indexes in the batch */
    bool left_out;        /* the trial is an archive that has only its statistics */
    bool scalar;          /* it has no record: one is made of scalars[number] */
    uint32_t number;
};
struct sm_archive_save {
    struct sm_source *source;
    struct sm_batch *batch;
    struct sm_archive_record *records; /* by tensor, then in batch order */
    size_t n_records, cap_records, n_steps, n_tensors;
    struct sm_batch_scalar *scalars;
    size_t n_scalars, cap_scalars;
    uint64_t scalars_end; /* offset after the last record that is made */
    uint32_t *files;      /* number of each event file, by the id of its name */
    /* workers whose collections are saved: the first n_wanted, or one if those have none */
    char **workers;
    size_t n_workers, n_wanted;
    struct sm_archive_info info;
    /* Of a trial whose kind says by names and values what is in its collections: a collections file
     * with the names; empty otherwise. */
    struct sm_str named;
    struct sm_arena arena; /* memory of its texts */
    bool stats_only;
    int level;
};

/* The record of a scalar; its step is that of the part. */
bool sm_archive_scalar_record(const struct sm_archive_save *s, const struct sm_archive_record *r,
                              struct sm_str *out);

#endif
