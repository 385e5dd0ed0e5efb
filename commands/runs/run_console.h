/* SPDX-License-Identifier: Apache-2.0 */
/* The console output of a run (sm_run_info.console) by lines. */
#ifndef SM_RUN_CONSOLE_H
#define SM_RUN_CONSOLE_H

#include "reader/base/str.h"

/* The line at *at, without its end, and moves *at to the next one; of a line that was drawn over
 * (a progress bar), what it showed last. False at the end. */
bool sm_run_console_next(const struct sm_str *console, size_t *at, struct sm_text *line);
/* Whether the line has the part, in any case of letters. */
bool sm_run_console_has(struct sm_text line, const char *part, size_t n);
/* Appends the line escaped, without the sequences that colour text and move the cursor. */
void sm_run_console_plain(struct sm_text line, struct sm_str *out);

#endif
