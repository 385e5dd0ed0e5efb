/* SPDX-License-Identifier: Apache-2.0 */
/* Bookmarks: steps that the user marks with a letter, for each trial. */
#ifndef SM_BOOKMARK_H
#define SM_BOOKMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_bookmark {
    char *trial; /* path of the trial */
    char letter;
    int64_t step;
};
struct sm_bookmarks {
    struct sm_bookmark *items; /* in the order in which they were set */
    size_t n, cap;
};
bool sm_bookmark_letter(int c); /* true for a to z, A to Z, 0 to 9 */
/* Sets a bookmark, or moves it if the trial has one with this letter. */
void sm_bookmarks_set(struct sm_bookmarks *b, const char *trial, char letter, int64_t step);
/* Returns false if there is no such bookmark. */
bool sm_bookmarks_find(const struct sm_bookmarks *b, const char *trial, char letter, int64_t *step);
void sm_bookmarks_clear(struct sm_bookmarks *b);

#endif
