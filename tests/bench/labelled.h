/* SPDX-License-Identifier: Apache-2.0 */
/* Trainings with known answers: the verdict of each, and how often it is right. */
#ifndef SM_BENCH_LABELLED_H
#define SM_BENCH_LABELLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SM_LABEL_TEXT = 48, SM_LABEL_ACCEPT = 192, SM_LABEL_PATH = 512 };
struct sm_labelled {
    char name[SM_LABEL_PATH];     /* for the report; of a recorded one its path */
    char fault[SM_LABEL_TEXT];    /* "none": healthy */
    char accept[SM_LABEL_ACCEPT]; /* right answers, separated by blanks */
    int64_t from, to;             /* the onset is right within these steps; from < 0: anywhere */
    /* the answer */
    char cause[SM_LABEL_TEXT]; /* "-": there is none */
    int64_t since;             /* -1: none */
    double seconds;            /* for the verdict, without the training */
};
/* Fills in the answer for the trial at `path`, judged `later_us` after now. */
void sm_labelled_ask(struct sm_labelled *l, const char *path, int64_t later_us);
bool sm_labelled_is_right(const struct sm_labelled *l);

/* Appends a row for each NAME.expected.json with a fault in the folder; in order of names.
 * Exits if the folder cannot be read. */
void sm_labelled_find(const char *folder, struct sm_labelled **rows, size_t *n);

/* Prints the confusion table, the wrong ones, and two figures whose names begin with `prefix`. */
void sm_labelled_report(const struct sm_labelled *rows, size_t n, const char *prefix);

#endif
