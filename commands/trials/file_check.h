/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on disk that every event file exists and is as long as the index says, and finds the files
 * left by a killed job. A worker runs it. */
#ifndef SM_FILE_CHECK_H
#define SM_FILE_CHECK_H

#include "commands/language/cmd.h"

enum { SM_FILE_CHECK_SHOWN = 8 };
struct sm_file_check {
    struct sm_work work;
    struct sm_source *source;
    struct sm_arena arena;
    struct sm_file_check_file {
        const char *path;
        uint64_t bytes; /* expected by the index */
    } * files;
    size_t n_files, n_missing, n_short;
    struct sm_file_check_finding {
        const char *path, *text;
        enum sm_err_code code;
    } shown[SM_FILE_CHECK_SHOWN]; /* the first findings */
    size_t n_shown;
    const char *leftovers[SM_FILE_CHECK_SHOWN]; /* incomplete files in the newest folders */
    size_t n_leftovers;
};
/* Returns NULL with SM_ERR_WAIT until the check is done. The call owns it. */
const struct sm_file_check *sm_file_check_ask(struct sm_call *c, struct sm_err *err);

#endif
