/* SPDX-License-Identifier: Apache-2.0 */
/* Completion by position in the grammar, from the tables and from data in memory. Never waits for a
 * disk; file names are read by one bounded readdir. */
#ifndef SM_COMPLETE_H
#define SM_COMPLETE_H

#include "commands/language/cmd.h"

enum { SM_CANDIDATES_MAX = 200 };
struct sm_candidates {
    struct sm_arena arena;
    const char **items; /* replacements of the word at `start`, quoted if needed */
    size_t n, cap;
    size_t start;  /* byte in the line where the word starts */
    bool finished; /* add a space after the candidate */
    bool more;     /* cut at SM_CANDIDATES_MAX */
};
void sm_complete(struct sm_session *s, const char *line, size_t cursor, struct sm_candidates *out);
void sm_candidates_clear(struct sm_candidates *c);

#endif
