/* SPDX-License-Identifier: Apache-2.0 */
/* Shows long answers one screen at a time, like gdb. It does not block: the rest is kept until the
 * user answers. */
#ifndef SM_PAGER_H
#define SM_PAGER_H

#include "reader/base/str.h"

struct sm_pager {
    int out;               /* file descriptor for the text */
    int width, height;     /* of the terminal; height 0: never asks */
    struct sm_str waiting; /* text not shown yet */
    size_t at;             /* bytes of it that were shown */
    int row;               /* lines shown since the last question */
    bool asking;           /* the question is on the screen */
    bool unlimited;        /* `c`: no more questions for this command */
    bool failed;           /* the terminal cannot be written */
};
enum sm_pager_key { SM_PAGER_MORE, SM_PAGER_QUIT };

void sm_pager_begin(struct sm_pager *p); /* a new command: counts lines from here */
void sm_pager_add(struct sm_pager *p, const char *text, size_t n); /* shows what fits */
/* A key while it asks. After QUIT the rest is dropped, and the caller must cancel the command. */
enum sm_pager_key sm_pager_key(struct sm_pager *p, char key);
void sm_pager_drop(struct sm_pager *p); /* drops the rest and the question */
void sm_pager_clear(struct sm_pager *p);

#endif
