/* The spots of a trial while a call looks at them: for each tensor and worker its saved values by
 * step, read on demand. A snapshot: what comes while the call waits is not in it, so indices stay.
 */
#ifndef SM_SAVED_VALUES_H
#define SM_SAVED_VALUES_H

#include "commands/answer/read_errors.h"
#include "commands/language/cmd.h"
#include "commands/origin/value_health.h"

struct sm_saved_value {
    struct sm_entry entry; /* the value, else the most telling reduction */
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    /* NULL: not read yet; n 0: cannot be read, or no numbers */
    const struct sm_value_health *vitals;
};
struct sm_saved_value_row {
    uint32_t tensor; /* name id */
    uint16_t worker;
    struct sm_tensor_role organ;
    struct sm_saved_value *spots; /* ascending steps */
    size_t n;
};
struct sm_saved_values_tally {
    size_t looked; /* spots that were read, or could not be */
    struct sm_read_errors unread;
};
struct sm_saved_values {
    struct sm_call *call;
    struct sm_trial *trial;
    struct sm_saved_value_row *rows; /* natural order of names, then worker */
    size_t n;
    struct sm_saved_values_tally *tally;
};
/* Up to a step, of a mode or any, of one tensor or all (SM_NAME_NONE); in the call's arena. */
void sm_saved_values_take(struct sm_call *c, struct sm_step last, enum sm_mode mode, uint32_t only,
                          struct sm_saved_values *out);
/* Index of the first spot of the row with this step or a later one. */
size_t sm_saved_value_row_at(const struct sm_saved_value_row *row, struct sm_step step);
/* False: SM_ERR_WAIT. */
bool sm_saved_value_read(const struct sm_saved_values *c, struct sm_saved_value *x,
                         struct sm_err *err);
/* All that was asked for has come: the values may be evicted, their vitals are kept. */
void sm_saved_values_rest(const struct sm_saved_values *c);

#endif
