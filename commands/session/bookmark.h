/* Steps that people remember by a letter, for each trial. */
#ifndef SM_BOOKMARK_H
#define SM_BOOKMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_bookmark {
    char *trial; /* its path */
    char letter;
    int64_t step;
};
struct sm_bookmarks {
    struct sm_bookmark *items; /* in the order they were made */
    size_t n, cap;
};
bool sm_bookmark_letter(int c); /* a to z, A to Z, 0 to 9 */
void sm_bookmarks_set(struct sm_bookmarks *b, const char *trial, char letter, int64_t step);
bool sm_bookmarks_find(const struct sm_bookmarks *b, const char *trial, char letter, int64_t *step);
void sm_bookmarks_clear(struct sm_bookmarks *b);

#endif
