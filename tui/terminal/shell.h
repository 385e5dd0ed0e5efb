/* Shell commands, as system() runs them but with an input. */
#ifndef SM_SHELL_H
#define SM_SHELL_H

#include <stddef.h>

/* Runs a command by /bin/sh with `input` as its stdin (NULL: ours if that is a terminal, else
 * nothing) and waits. Returns its exit status, 128 + n when signal n ended it, 127 when it could
 * not be started. */
int sm_shell_run(const char *command, const char *input, size_t n);

#endif
