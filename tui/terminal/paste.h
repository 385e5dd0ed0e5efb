/* SPDX-License-Identifier: Apache-2.0 */
/* Text pasted into the terminal (bracketed paste). Pasted characters never act as keys. */
#ifndef SM_PASTE_H
#define SM_PASTE_H

#include "reader/base/str.h"

enum { SM_PASTE_MAX = 1 << 16 }; /* bytes; the rest is dropped */
struct sm_paste {
    struct sm_str text; /* lines, no control characters */
    bool open;          /* between the start and the end of a paste */
    bool asked;         /* several lines wait for the user's confirmation */
};
/* Returns true if the key belongs to a paste. *done: the paste is complete; its text has no empty
 * lines at the end. */
bool sm_paste_key(struct sm_paste *p, int key, bool *done);
size_t sm_paste_lines(const struct sm_paste *p);
void sm_paste_drop(struct sm_paste *p); /* empties it */
void sm_paste_clear(struct sm_paste *p);

#endif
