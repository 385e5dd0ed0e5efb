/* The way out to the terminal, which may be slow or hear nothing: what curses makes of a frame is collected, sent in one
 * write where the terminal takes it, and what it does not take now waits, at most one frame. No write blocks.
 *
 * Between begin and end what curses writes to `file` goes to memory; at other times that is the terminal. */
#ifndef SM_OUTLET_H
#define SM_OUTLET_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdio.h>

struct sm_outlet {
    FILE *file;                          /* for curses */
    int tty;                             /* the terminal, not blocking: an open file of our own */
    int memory;
    struct sm_str pending;               /* not taken yet, from `sent` on */
    size_t sent;
    const char *unwanted[2];             /* of curses: never sent; NULL: nothing */
    bool synchronized;                   /* the terminal shows frames whole when told where they begin and end (DEC 2026) */
};
bool sm_outlet_open(struct sm_outlet *o, struct sm_err *err);
void sm_outlet_close(struct sm_outlet *o);
void sm_outlet_begin(struct sm_outlet *o);
void sm_outlet_end(struct sm_outlet *o, bool frame);
void sm_outlet_add(struct sm_outlet *o, const char *text);
/* Sends what the terminal takes. True: nothing waits. */
bool sm_outlet_flush(struct sm_outlet *o);
/* Is it idle, and would take something? */
bool sm_outlet_ready(struct sm_outlet *o);
/* Waits until all is sent, for at most so long; then the rest is dropped: false. */
bool sm_outlet_drain(struct sm_outlet *o, int most_ms);

#endif
