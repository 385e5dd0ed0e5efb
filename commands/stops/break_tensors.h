/* What break, watch and dprintf share: which tensors a breakpoint is about, and the answer that it
 * is there. */
#ifndef SM_BREAK_TENSORS_H
#define SM_BREAK_TENSORS_H

#include "commands/stops/breakpoint.h"

/* "step", "error", "end" or "stall" as the only word: what breakpoints there are about, in words.
 * NULL: another place. */
const char *sm_break_place(const struct sm_word *words, size_t n, enum sm_break_kind *kind);
/* "weights", which is no tensor but a collection, and "collection weights" become "+weights". t may
 * be NULL. */
void sm_break_collections(const struct sm_trial *t, struct sm_arena *arena, struct sm_word *words,
                          size_t *n);
/* How many tensors there are; none on a run that goes on: *why, and they may come. False: there are
 * none, nor will be. */
bool sm_break_tensors(struct sm_call *c, const struct sm_word *words, size_t n_words, size_t *n,
                      const char **why, struct sm_err *err);
/* place: in words; NULL: what it says itself, with the number of tensors or why there are none. */
void sm_break_report(const struct sm_breakpoint *b, const char *place, size_t tensors,
                     const char *why, struct sm_result *out);

#endif
