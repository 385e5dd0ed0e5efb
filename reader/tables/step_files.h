/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with a file for each step, as OLMo-core writes them: metrics_step50.json is one JSON object,
 * the values of step 50. */
#ifndef SM_STEP_FILES_H
#define SM_STEP_FILES_H

#include "reader/logs/log_sink.h"
#include "reader/source/source.h"

/* Whether a file's name is PREFIXstepN.json (or iter, iteration, epoch), where PREFIX says that it
 * has metrics. *prefix_n: the length of what comes before N. */
bool sm_step_file_name(const char *name, size_t *prefix_n, int64_t *step);

/* The member of such a run: "FOLDER/metrics_step*.json"; "metrics_step50.json#step" for one file
 * only. */
bool sm_step_files_is(const char *member);
struct sm_step_files;
struct sm_step_files *sm_step_files_new(struct sm_source *source, const char *member);
void sm_step_files_free(struct sm_step_files *s); /* NULL is all right */
bool sm_step_files_poll(struct sm_step_files *s, struct sm_log_sink *sink);

#endif
