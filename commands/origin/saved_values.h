/* SPDX-License-Identifier: Apache-2.0 */
/* The saved values of a trial as one call sees them: for each tensor and worker its values by step,
 * read on demand. Values written while the call waits are not added, so indices do not change. */
#ifndef SM_SAVED_VALUES_H
#define SM_SAVED_VALUES_H

#include "commands/answer/read_errors.h"
#include "commands/language/cmd.h"
#include "commands/origin/value_health.h"

struct sm_saved_value {
    struct sm_entry entry; /* the value, else the most useful reduction */
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    /* NULL if not read yet; n 0 if unreadable or without numbers */
    const struct sm_value_health *health;
};
struct sm_saved_value_row {
    uint32_t tensor; /* name id */
    uint16_t worker;
    struct sm_tensor_role role;
    struct sm_saved_value *values; /* ascending steps */
    size_t n;
};
struct sm_saved_values_tally {
    size_t tried; /* values that were read or could not be read */
    struct sm_read_errors unread;
};
struct sm_saved_values {
    struct sm_call *call;
    struct sm_trial *trial;
    struct sm_saved_value_row *rows; /* natural order of names, then worker */
    size_t n;
    struct sm_saved_values_tally *tally;
};
/* Lists the values up to step `last`, of a mode or any, of one tensor or all (SM_NAME_NONE). In the
 * call's arena. */
void sm_saved_values_init(struct sm_call *c, struct sm_step last, enum sm_mode mode, uint32_t only,
                          struct sm_saved_values *out);
/* Index of the first value of the row at this step or later. */
size_t sm_saved_value_row_at(const struct sm_saved_value_row *row, struct sm_step step);
/* Reads the health of a value. Returns false with SM_ERR_WAIT. */
bool sm_saved_value_read(const struct sm_saved_values *c, struct sm_saved_value *x,
                         struct sm_err *err);
/* All requested values were read: they may be evicted; their health is kept. */
void sm_saved_values_release(const struct sm_saved_values *c);

#endif
