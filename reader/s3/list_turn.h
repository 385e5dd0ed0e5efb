/* SPDX-License-Identifier: Apache-2.0 */
/* When a folder that is known is listed again. Of N folders that are asked for again and again each
 * is listed every N seconds, and after 2 s at the earliest, which is one list a second in all; a
 * folder of n names counts as one and one for each 1000 names. Those that had news within the last
 * minute have four turns while the others have one. One that was listed together with others and
 * nobody has asked for is good for 30 s, and for the first second in which it is. All times are of
 * one monotonic clock, in microseconds. Pure: no clock is read, nothing is asked. */
#ifndef SM_LIST_TURN_H
#define SM_LIST_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_list_turn {
    bool expired;      /* to be listed again whatever it costs */
    int64_t listed_us; /* when the last list began */
    int64_t asked_us;  /* when it was asked for, at most once a second; 0: never */
    int64_t wanted_us; /* when it was asked for again, a second or more later; 0: never */
    int64_t news_us;   /* when something came into it, as far as lists say; 0: never */
};

/* Notes that the folder is asked for. */
void sm_list_turn_ask(struct sm_list_turn *t, int64_t now);
/* Notes that something came into the folder then. */
void sm_list_turn_news(struct sm_list_turn *t, int64_t at);
/* What the folders take of each round; begin with {0}. */
struct sm_list_round {
    int64_t lively_us, quiet_us; /* of those with news, and of the others */
};
/* Adds a folder of n names: nothing if it was asked for once, or long ago. */
void sm_list_turn_add(const struct sm_list_turn *t, size_t n, int64_t now,
                      struct sm_list_round *round);
/* round: of all folders. Before sm_list_turn_ask. */
bool sm_list_turn_is_due(const struct sm_list_turn *t, const struct sm_list_round *round,
                         int64_t now);

#endif
