/* SPDX-License-Identifier: Apache-2.0 */
/* A sandbox by the kernel (Landlock) for a program that must not write: afterwards it, and whatever
 * it starts, can neither open a file for writing, nor create, rename or remove one, nor execute
 * one. /dev is left out: terminals and /dev/null. It is a second wall behind
 * commands/session/permission.h: a hostile trial that found a mistake in a parser could still only
 * read. */
#ifndef SM_SANDBOX_H
#define SM_SANDBOX_H

#include <stdbool.h>

/* For the calling thread and those that it creates later; it cannot be undone. Returns false if the
 * kernel has no Landlock (before 5.13, or not allowed in this container): nothing has changed. */
bool sm_sandbox_enter(void);

#endif
