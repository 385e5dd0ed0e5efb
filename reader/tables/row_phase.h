/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of training and of validation in one table, told apart by a column: mode, phase, split.
 * Where both have the same metric, the names of both get the word of their row: "train/loss",
 * "val/loss". */
#ifndef SM_ROW_PHASE_H
#define SM_ROW_PHASE_H

#include "reader/base/bytes.h"
#include "reader/base/str.h"

#include <stdbool.h>

enum sm_row_phase { SM_PHASE_NONE, SM_PHASE_TRAINING, SM_PHASE_VALIDATION, SM_PHASE_TEST };
/* Whether a column of that name may say so. */
bool sm_is_phase_name(const char *name, size_t n);
enum sm_row_phase sm_row_phase_of(const char *text, size_t n);
/* Notes in *seen, a bit a phase, that a row of that phase has a number of that name. True: another
 * phase had it, too, and it is a metric. */
bool sm_phase_divides(enum sm_row_phase phase, const char *name, size_t n, uint8_t *seen);
/* Appends the name of a series in a row of the phase whose column has that text. */
void sm_phase_add_name(struct sm_str *out, enum sm_row_phase phase, struct sm_text text,
                       const char *name, size_t n);

#endif
