/* SPDX-License-Identifier: Apache-2.0 */
/* Runs shell commands like system(), but with an input. */
#ifndef SM_SHELL_H
#define SM_SHELL_H

#include <stddef.h>

/* Runs a command with /bin/sh and waits for it. Its stdin is `input`; if that is NULL, the
 * debugger's stdin if it is a terminal, else empty. Returns its exit status, 128 + n if signal n
 * ended it, 127 if it could not be started. */
int sm_shell_run(const char *command, const char *input, size_t n);

#endif
