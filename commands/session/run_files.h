/* SPDX-License-Identifier: Apache-2.0 */
/* Which files that are written in a directory may make a new run of it. Internal to
 * commands/session. */
#ifndef SM_RUN_FILES_H
#define SM_RUN_FILES_H

#include "reader/base/map.h"
#include "reader/runs/run_search.h"

/* Begin with {0}. */
struct sm_run_files {
    struct sm_names *noticed; /* FOLDER\nNAME: it was written before */
    struct sm_names *of_runs; /* of runs: FOLDER\nNAME, or FOLDER\n for all in it */
};
/* A file of the run is no news of other runs, unless it may have several. */
void sm_run_files_add(struct sm_run_files *f, const struct sm_run_ref *run);
/* What it means that a file was written: it is new; it may be a run by now, or have one more, as a
 * log whose program takes a while to start, or a database; nothing. */
enum sm_run_news { SM_RUN_NEWS_FILE, SM_RUN_NEWS_GROWN, SM_RUN_NEWS_NONE };
enum sm_run_news sm_run_files_written(struct sm_run_files *f, const char *folder, const char *name);
void sm_run_files_clear(struct sm_run_files *f);

#endif
