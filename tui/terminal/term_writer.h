/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to the terminal, which may be slow or accept nothing: the output of curses for a frame is
 * collected and sent in one write if possible. The rest waits, at most one frame. No write blocks.
 *
 * Between begin and end, `file` writes to memory; at other times it writes to the terminal. */
#ifndef SM_TERM_WRITER_H
#define SM_TERM_WRITER_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdio.h>

struct sm_term_writer {
    FILE *file; /* for curses */
    int tty;    /* the terminal, non-blocking, opened separately */
    int memory;
    struct sm_str pending; /* not sent yet, from `sent` */
    size_t sent;
    const char *unwanted[2]; /* output of curses that is never sent, or NULL */
    /* the terminal has synchronized output (DEC 2026): mark the start and end of frames */
    bool synchronized;
};
bool sm_term_writer_open(struct sm_term_writer *o, struct sm_err *err);
void sm_term_writer_close(struct sm_term_writer *o);
void sm_term_writer_begin(struct sm_term_writer *o);
void sm_term_writer_end(struct sm_term_writer *o, bool frame);
void sm_term_writer_add(struct sm_term_writer *o, const char *text);
/* Sends what the terminal accepts. Returns true if all is sent. */
bool sm_term_writer_flush(struct sm_term_writer *o);
/* Returns true if nothing waits and the terminal accepts output. */
bool sm_term_writer_ready(struct sm_term_writer *o);
/* Waits until all is sent, for at most most_ms; then drops the rest and returns false. */
bool sm_term_writer_drain(struct sm_term_writer *o, int most_ms);

#endif
