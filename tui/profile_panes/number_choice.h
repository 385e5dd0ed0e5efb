/* SPDX-License-Identifier: Apache-2.0 */
/* Cores and GPUs that are chosen by typing their numbers: of "cpu0" to "cpu31" 4 is the whole
 * number, 1 may be the begin of 12. */
#ifndef SM_NUMBER_CHOICE_H
#define SM_NUMBER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

enum { SM_NUMBERS_MOST = 4096 };
/* Numbers from 0 to SM_NUMBERS_MOST - 1. Zero-initialised it is empty. */
struct sm_number_set {
    uint64_t bits[SM_NUMBERS_MOST / 64];
};
bool sm_number_set_has(const struct sm_number_set *s, int number);
void sm_number_set_flip(struct sm_number_set *s, int number); /* puts it in, or takes it out */
/* Zero-initialised nothing is chosen and nothing typed. */
struct sm_number_choice {
    struct sm_number_set chosen;
    int n;             /* chosen ones */
    int typed, digits; /* of a number that is not complete; digits 0: none */
};
/* The number at the end of a name: 3 of "cpu3"; -1: it has none, or one that is too great. */
int sm_number_of_name(const char *name);
/* A digit was typed. A number that is complete, as none that goes on with it is there, is chosen,
 * or no longer so. False: it is not there; nothing is typed then. */
bool sm_number_choice_type(struct sm_number_choice *c, const struct sm_number_set *there,
                           int digit);
/* Takes what was typed so far as a number. False: nothing was typed, or it is not there. */
bool sm_number_choice_end(struct sm_number_choice *c, const struct sm_number_set *there);

#endif
