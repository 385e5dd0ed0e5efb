/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that show values as numbers: tensors, statistics, series, expressions, files.
 *
 * Interface: the commands (tensor, tensors, stat, series, print, x, find, save ...). */
#ifndef SM_VALUES_H
#define SM_VALUES_H

#include "commands/language/cmd.h"

/* All commands of the room. */
#define SM_VALUES_COMMANDS(X)                                                                      \
    X(x)                                                                                           \
    X(find_value)                                                                                  \
    X(print)                                                                                       \
    X(output)                                                                                      \
    X(printf)                                                                                      \
    X(eval)                                                                                        \
    X(save)                                                                                        \
    X(series)                                                                                      \
    X(range)                                                                                       \
    X(stat)                                                                                        \
    X(tensor)                                                                                      \
    X(tensors)                                                                                     \
    X(info_tensors)

SM_VALUES_COMMANDS(SM_CMD_DECLARE)

/* Where `x` continues, and its last format. */
struct sm_examined {
    uint64_t next, count;
    char letter;
    int precision;
};
/* The state of the room in a session. */
struct sm_values {
    struct sm_examined x;
};
/* The settings of the room, in the order of their names. */
struct sm_values_settings {
    int64_t print_elements; /* see sm_values_listed */
    int64_t print_repeats;
};
extern const struct sm_setting sm_values_setting_rows[]; /* ends with name NULL */
const struct sm_values_settings *sm_values_settings(const struct sm_session *s);
extern const struct sm_state_kind sm_values_state_kind;
extern const struct sm_feature sm_values_feature;
struct sm_values *sm_values(const struct sm_session *s);
/* How many elements find and "tensor ... where" list: "print elements", for programs at least 1000;
 * all with the option -a. */
uint64_t sm_values_listed(const struct sm_call *c);
/* "; the first 200 are listed, ..." if more than `listed` were found, else "". */
const char *sm_values_listed_text(struct sm_call *c, uint64_t found, uint64_t listed);

#endif
