/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of tables share: a file that is followed, and the settings beside it. */
#ifndef SM_TABLE_FILE_H
#define SM_TABLE_FILE_H

#include "reader/logs/log_file.h"
#include "reader/logs/log_kind.h"
#include "reader/tables/table_settings.h"

struct sm_table_file {
    const struct sm_trial_input *in;
    struct sm_log_file log;
    struct sm_table_settings settings;
    struct sm_str folder;     /* of the file, with '/', or empty */
    struct sm_log_sink *sink; /* during a poll */
};
void sm_table_file_open(struct sm_table_file *t, const struct sm_trial_input *in);
void sm_table_file_clear(struct sm_table_file *t);
/* As sm_log_file_look; a file that is not readable is reported. */
enum sm_log_change sm_table_file_look(struct sm_table_file *t);
/* Hands on the settings that are new; false: none. */
bool sm_table_file_settings(struct sm_table_file *t);
/* Reads whole lines and a last one without an end (sm_log_file_lines), and reports what is wrong;
 * *failed: there was no memory. True: more can be read at once. */
bool sm_table_file_lines(struct sm_table_file *t,
                         void (*line)(void *ctx, const struct sm_log_line *line), void *ctx,
                         const bool *failed);

#endif
