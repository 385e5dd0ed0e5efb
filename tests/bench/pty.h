/* The real program in a pseudo-terminal of 80x24: keys go in, and what it writes is counted and
 * read as text. */
#ifndef SM_BENCH_PTY_H
#define SM_BENCH_PTY_H

#include "reader/base/str.h"

#include <sys/types.h>

struct sm_bench_pty {
    pid_t pid;
    int fd;
    uint64_t bytes;     /* written by the program so far */
    struct sm_str text; /* without colours; any other escape sequence is a line feed */
    int state;          /* within an escape sequence */
};
/* Runs the dashboard on a trial. Ends the benchmark if that cannot be. */
void sm_bench_pty_start(struct sm_bench_pty *p, const char *trial);
void sm_bench_pty_stop(struct sm_bench_pty *p); /* ends the program if it has not ended */
void sm_bench_pty_type(struct sm_bench_pty *p, const char *keys);
/* Waits until the program has written `text` since the last sm_bench_pty_forget. Seconds from
 * `since`; -1: it does not come. */
double sm_bench_pty_await(struct sm_bench_pty *p, const char *text, double since);
/* takes what comes within that time */
void sm_bench_pty_listen(struct sm_bench_pty *p, double seconds);
/* until nothing came for so long */
void sm_bench_pty_settle(struct sm_bench_pty *p, double quiet_seconds);
void sm_bench_pty_forget(struct sm_bench_pty *p);
double sm_bench_pty_cpu(const struct sm_bench_pty *p); /* seconds that the program has computed */

#endif
