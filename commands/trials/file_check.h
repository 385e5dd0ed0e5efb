/* Is every event file there, and as long as the index says? What did a killed job leave? Asked of
 * the disk by a worker. */
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
        uint64_t bytes; /* that the index speaks of */
    } * files;
    size_t n_files, n_missing, n_short;
    struct sm_file_check_finding {
        const char *path, *text;
        enum sm_err_code code;
    } shown[SM_FILE_CHECK_SHOWN]; /* the first findings */
    size_t n_shown;
    const char *leftovers[SM_FILE_CHECK_SHOWN]; /* files half written, of the newest folders */
    size_t n_leftovers;
};
/* NULL with SM_ERR_WAIT until it is done; it belongs to the call. */
const struct sm_file_check *sm_file_check_ask(struct sm_call *c, struct sm_err *err);

#endif
