/* Completion by grammar position, from the tables and from what is in memory; never waits for a
 * disk (file names come from one bounded readdir). */
#ifndef SM_COMPLETE_H
#define SM_COMPLETE_H

#include "commands/language/cmd.h"

enum { SM_CANDIDATES_MAX = 200 };
struct sm_candidates {
    struct sm_arena arena;
    const char **items; /* whole replacements of the word at `start`, quoted where needed */
    size_t n, cap;
    size_t start;  /* byte in the line where the word begins */
    bool finished; /* a space may follow */
    bool more;     /* cut at SM_CANDIDATES_MAX */
};
void sm_complete(struct sm_session *s, const char *line, size_t cursor, struct sm_candidates *out);
void sm_candidates_clear(struct sm_candidates *c);

#endif
