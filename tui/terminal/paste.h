/* What a terminal pastes, told apart from typed keys (bracketed paste): it never acts as keys do.
 */
#ifndef SM_PASTE_H
#define SM_PASTE_H

#include "reader/base/str.h"

enum { SM_PASTE_MAX = 1 << 16 }; /* bytes; the rest is dropped */
struct sm_paste {
    struct sm_str text; /* lines, no control characters */
    bool open;          /* between begin and end */
    bool asked;         /* several lines wait for the person's yes */
};
/* True: the key belongs to a paste; *done: its last one, the text is whole, without empty lines at
 * its end. */
bool sm_paste_key(struct sm_paste *p, int key, bool *done);
size_t sm_paste_lines(const struct sm_paste *p);
void sm_paste_drop(struct sm_paste *p); /* empty again */
void sm_paste_clear(struct sm_paste *p);

#endif
