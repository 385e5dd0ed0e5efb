/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files in a trial: parsing and making them (doc/formats.md). */
#ifndef SM_LOCATION_H
#define SM_LOCATION_H

#include "reader/base/str.h"

#include <stdint.h>

#define SM_INDEX_DIR       "index"
#define SM_EVENTS_DIR      "events"
#define SM_COLLECTIONS_DIR "collections/000000000"
#define SM_END_FILE        "training_job_end.ts"
#define SM_CLAIM_FILE      "claim.smd"

/* "000000000010_worker_0.json" -> 10, "worker_0"; also .tfevents, and both with .zst. A worker that
 * begins with '_' is converted back to TensorFlow's device name. False: .tmp, a negative step, or
 * any other name. */
bool sm_location_parse(const char *file, const char *suffix, int64_t *step, struct sm_str *worker);
bool sm_location_parse_collections(const char *file, struct sm_str *worker);
bool sm_location_parse_index_dir(const char *dir, int64_t *thousand); /* "000000002" -> 2 */

/* index/000000000/000000000010_worker_0.json */
void sm_location_index(struct sm_str *out, int64_t step, const char *worker);
/* events/…/….tfevents */
void sm_location_events(struct sm_str *out, int64_t step, const char *worker);
void sm_location_collections(struct sm_str *out, const char *worker);

/* "smdebug/reductions/abs_mean/conv0" -> op "mean", absolute, tensor "conv0". False: an ordinary
 * tensor name. */
bool sm_location_reduction(struct sm_text name, struct sm_text *op, bool *absolute,
                           struct sm_text *tensor);

#endif
