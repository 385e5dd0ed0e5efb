/* The way out to the terminal, which may be slow or hear nothing: what curses makes of a frame is
 * collected, sent in one write where the terminal takes it, and what it does not take now waits, at
 * most one frame. No write blocks.
 *
 * Between begin and end what curses writes to `file` goes to memory; at other times that is the
 * terminal. */
#ifndef SM_TERM_WRITER_H
#define SM_TERM_WRITER_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdio.h>

struct sm_term_writer {
    FILE *file; /* for curses */
    int tty;    /* the terminal, not blocking: an open file of our own */
    int memory;
    struct sm_str pending; /* not taken yet, from `sent` on */
    size_t sent;
    const char *unwanted[2]; /* of curses: never sent; NULL: nothing */
    /* the terminal shows frames whole when told where they begin and end (DEC 2026) */
    bool synchronized;
};
bool sm_term_writer_open(struct sm_term_writer *o, struct sm_err *err);
void sm_term_writer_close(struct sm_term_writer *o);
void sm_term_writer_begin(struct sm_term_writer *o);
void sm_term_writer_end(struct sm_term_writer *o, bool frame);
void sm_term_writer_add(struct sm_term_writer *o, const char *text);
/* Sends what the terminal takes. True: nothing waits. */
bool sm_term_writer_flush(struct sm_term_writer *o);
/* Is it idle, and would take something? */
bool sm_term_writer_ready(struct sm_term_writer *o);
/* Waits until all is sent, for at most so long; then the rest is dropped: false. */
bool sm_term_writer_drain(struct sm_term_writer *o, int most_ms);

#endif
