/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of gdb that have no counterpart of the same name: the message for an undefined command
 * says what to use instead. */
#ifndef SM_GDB_WORD_H
#define SM_GDB_WORD_H

#include <stddef.h>

/* One sentence, or NULL if word[0..n) is not such a command. parent: "info", or NULL. */
const char *sm_gdb_word_hint(const char *parent, const char *word, size_t n);

#endif
