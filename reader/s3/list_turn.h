/* SPDX-License-Identifier: Apache-2.0 */
/* When a folder that is known is listed again: one list in each pause, of all folders together,
 * which is 1 s unless the user says otherwise.
 *
 * Who asks for a folder is its asker, a run that is followed. Folders that had news within the last
 * minute, or when they were listed last, have three quarters of the lists, and the others have what
 * is left. The larger part is divided among the askers equally, and then among the folders of each.
 * So a run with a folder that has news does not wait for all folders of all runs: with R such runs
 * it is listed every R * 4/3 pauses. The other part is divided among all folders, but those of one
 * asker have no more than 64 would have.
 *
 * A folder of n names counts as one and one for each 1000 names. None is listed again before two
 * pauses, or 2 s if that is less. One that was listed together with others and nobody has asked for
 * is good for 30 s, and for the first second in which it is. All times are of one monotonic clock,
 * in microseconds. Pure: no clock is read, nothing is asked. */
#ifndef SM_LIST_TURN_H
#define SM_LIST_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_list_turn {
    bool expired;      /* to be listed again whatever it costs */
    uint32_t asker;    /* who asked for it last; numbers from 0 on */
    int64_t listed_us; /* when the last list began */
    int64_t asked_us;  /* when it was asked for, at most once a second; 0: never */
    int64_t wanted_us; /* when it was asked for again, a second or more later; 0: never */
    int64_t news_us;   /* when something came into it, as far as lists say; 0: never */
};

/* Notes that the folder is asked for. */
void sm_list_turn_ask(struct sm_list_turn *t, int64_t now);
/* Notes that something came into the folder then. */
void sm_list_turn_news(struct sm_list_turn *t, int64_t at);

/* What the folders of an asker count. */
struct sm_list_share {
    int64_t lively, quiet; /* of those with news, and of the others */
};
/* What all folders count; zeroed before, and to be cleared. */
struct sm_list_round {
    struct sm_list_share *of; /* by asker */
    size_t n, cap;
    int64_t lively;        /* askers that have folders with news */
    int64_t quiet;         /* folders without news, at most 64 of each asker */
    int64_t pause_us;      /* between two lists */
    double quiet_pause_us; /* between two lists of folders without news */
};
/* Begins a round; then each folder is added, of n names, and then it is ended. A folder that was
 * asked for once, or long ago, does not count. */
void sm_list_round_begin(struct sm_list_round *r, int64_t pause_us);
bool sm_list_round_add(struct sm_list_round *r, const struct sm_list_turn *t, size_t n,
                       int64_t now); /* false: no memory */
void sm_list_round_end(struct sm_list_round *r);
void sm_list_round_clear(struct sm_list_round *r);
/* The time between two lists of a folder of an asker, with news or without. */
int64_t sm_list_round_wait_us(const struct sm_list_round *r, uint32_t asker, bool lively);

/* round: of all folders, ended. Before sm_list_turn_ask. */
bool sm_list_turn_is_due(const struct sm_list_turn *t, const struct sm_list_round *round,
                         int64_t now);

#endif
