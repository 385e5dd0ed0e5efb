/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program in a pseudo-terminal, types keys, and counts and reads its output. */
#ifndef SM_BENCH_PTY_H
#define SM_BENCH_PTY_H

#include "reader/base/str.h"

#include <sys/types.h>

struct sm_bench_pty {
    pid_t pid;
    int fd;
    uint64_t bytes;     /* written by the program so far */
    struct sm_str text; /* output without colours; other escape sequences become line feeds */
    int state;          /* of the parser of escape sequences */
    /* of the text: so many bytes were looked at for cells with dots of braille, so many there were
     */
    size_t looked, cells;
};
/* Runs the dashboard on a trial, on a terminal of 80x24. Exits if that fails. */
void sm_bench_pty_start(struct sm_bench_pty *p, const char *trial);
/* The same for any command, with its environment and a terminal of that size. */
void sm_bench_pty_run(struct sm_bench_pty *p, char *const *command, unsigned columns,
                      unsigned lines);
void sm_bench_pty_stop(struct sm_bench_pty *p); /* kills the program if it still runs */
void sm_bench_pty_type(struct sm_bench_pty *p, const char *keys);
/* Waits until the program has written `text` since the last sm_bench_pty_clear_text. Returns the
 * seconds from `since`, or -1 after a timeout. */
double sm_bench_pty_wait_for(struct sm_bench_pty *p, const char *text, double since);
/* The same for a chart: more cells with dots of braille than a few sparklines have. */
double sm_bench_pty_wait_for_chart(struct sm_bench_pty *p, double since);
bool sm_bench_pty_has_chart(struct sm_bench_pty *p);
/* Reads output for that time. */
void sm_bench_pty_read_for(struct sm_bench_pty *p, double seconds);
/* Reads output once, and waits for it no longer than that. False: there was none, or the program
 * has ended. */
bool sm_bench_pty_read(struct sm_bench_pty *p, double seconds);
/* Reads output until there was none for quiet_seconds. */
void sm_bench_pty_wait_quiet(struct sm_bench_pty *p, double quiet_seconds);
void sm_bench_pty_clear_text(struct sm_bench_pty *p);
double sm_bench_pty_cpu(const struct sm_bench_pty *p);    /* CPU seconds used by the program */
long sm_bench_pty_peak_kib(const struct sm_bench_pty *p); /* the most memory that it had; -1:
                                                             unknown */

#endif
