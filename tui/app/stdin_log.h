/* SPDX-License-Identifier: Apache-2.0 */
/* "smdbg-tui -": standard input is the log, and keys come from the terminal. */
#ifndef SM_STDIN_LOG_H
#define SM_STDIN_LOG_H

#include "tui/app/options.h"

/* If a trial of the command line is "-": begins to read standard input (source_pipe.h), and gives
 * the process the terminal, or in a batch nothing, as its new standard input. To be called before
 * anything reads it. False: SM_ERR_USAGE if it is not possible with these options. */
bool sm_stdin_log_begin(const struct sm_options *o, struct sm_err *err);

#endif
