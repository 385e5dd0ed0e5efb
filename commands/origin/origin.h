/* SPDX-License-Identifier: Apache-2.0 */
/* The origin of a bad value: it is traced back through the saved values.
 *
 * Provides: the saved values of a trial as a call reads them (saved_values.h), their health
 * (value_health.h), the write order within a step (write_order.h), the search for the origin
 * (find_origin.h), its frames (trace.h); the commands bt, up, down, frame, layers, explain. */
#ifndef SM_ORIGIN_H
#define SM_ORIGIN_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_ORIGIN_COMMANDS(X)                                                                      \
    X(bt)                                                                                          \
    X(frame)                                                                                       \
    X(up)                                                                                          \
    X(down)                                                                                        \
    X(explain) X(rule_explain) X(layers)

SM_ORIGIN_COMMANDS(SM_CMD_DECLARE)

struct sm_trace;
/* The state of the room in a session. */
struct sm_origin_state {
    struct sm_trace *trace; /* of the last bt (trace.h); NULL if none */
};
/* The settings of the room, in the order of their names. */
struct sm_origin_settings {
    char *bt_order;
};
extern const struct sm_setting sm_origin_setting_rows[]; /* ends with name NULL */
const struct sm_origin_settings *sm_origin_settings(const struct sm_session *s);
extern const struct sm_state_kind sm_origin_state_kind;
extern const struct sm_feature sm_origin_feature;
struct sm_origin_state *sm_origin_state(const struct sm_session *s);

#endif
