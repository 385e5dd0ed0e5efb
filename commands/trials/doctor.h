/* SPDX-License-Identifier: Apache-2.0 */
/* The missing and damaged parts of a trial with the likely cause: one row per finding. */
#ifndef SM_DOCTOR_H
#define SM_DOCTOR_H

#include "commands/trials/file_check.h"

/* Appends rows {part, verdict: "ok" | "note" | "bad", finding, cause} to the list. */
void sm_doctor(struct sm_result *r, struct sm_node *list, const struct sm_trial *t,
               const struct sm_file_check *files, int64_t now_us);

#endif
