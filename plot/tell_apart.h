/* SPDX-License-Identifier: Apache-2.0 */
/* Names that stand beside each other, such as those of runs, shortened so that they still differ.
 */
#ifndef SM_TELL_APART_H
#define SM_TELL_APART_H

#include "plot/grid/glyphs.h"
#include "reader/base/mem.h"

/* Shortens n names (escaped) to w columns. If one of them does not fit, all lose the words that are
 * the same in all: "adam-lr0.001-s0" and "sgd-lr0.01-s1" become "adam…001…0" and "sgd…01…1". A word
 * is letters, digits or one other character. What is still too long loses its end, or its middle
 * where the starts are the same. out[i] is in
 * the arena; out may be the names. */
void sm_tell_apart(const char *const *names, size_t n, int w, const struct sm_glyphs *glyphs,
                   struct sm_arena *arena, const char **out);

#endif
