/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with a table for each series, as DVCLive writes them: plots/metrics/train/loss.tsv has the
 * columns "step" and "loss" of the series "train/loss". */
#ifndef SM_SERIES_FILES_H
#define SM_SERIES_FILES_H

#include "reader/kind/run_folder.h"
#include "reader/logs/log_sink.h"
#include "reader/source/source.h"

#define SM_SERIES_FILES_MEMBER "plots/metrics/*.tsv" /* the member of such a run */

/* Finds such a run in a folder, and claims its files. True: there is one. */
bool sm_series_files_find(struct sm_run_folder *f);

struct sm_series_files;
struct sm_series_files *sm_series_files_new(struct sm_source *source);
void sm_series_files_free(struct sm_series_files *s); /* NULL is all right */
bool sm_series_files_poll(struct sm_series_files *s, struct sm_log_sink *sink);

#endif
