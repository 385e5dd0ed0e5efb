/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the time from a step on disk to its number in the dashboard: the program runs in a
 * pseudo-terminal, sm_writer writes the steps. Floor: waits for the same file with inotify and
 * reads it. The slowest step counts. */
#include "tests/bench/bench.h"
#include "tests/bench/generate.h"
#include "tests/bench/pty.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#define QUIET_SECONDS 0.3
enum { TIMEOUT_MS = 1000, TENSORS = 50, ELEMENTS = 16 };

/* Every digit differs from that of the previous number, so that the program sends all digits. */
static const long steps[] = {91, 102, 213, 324, 435, 546, 657, 768, 879, 980};
enum { STEPS = sizeof steps / sizeof *steps };

/* Waits for the index file with inotify and reads it. Returns the seconds from since; -1: error. */
static double wait_for_index_file(int fd, const char *dir, long step, double since)
{
    char bytes[64 * 1024];
    struct sm_str path = {0};
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, TIMEOUT_MS) != 1 || read(fd, bytes, sizeof bytes) <= 0)
        return -1;
    sm_str_printf(&path, "%s/index/000000000/%012ld_worker_0.json", dir, step);
    int file = open(sm_str_text(&path), O_RDONLY);
    ssize_t n = read(file, bytes, sizeof bytes);
    close(file);
    sm_str_clear(&path);
    return n > 0 ? sm_bench_now() - since : -1;
}

static bool write_step(struct sm_bench_generator *g, long step)
{
    struct sm_err err;
    bool ok = sm_bench_generator_step(g, step, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.msg);
    return ok;
}

static bool measure_live(struct sm_bench_generator *g, const char *dir, double *shown,
                         double *floors)
{
    struct sm_str folder = {0};
    struct sm_bench_pty p;
    char number[32];
    sm_str_printf(&folder, "%s/index/000000000", dir);
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    bool ok = inotify_add_watch(fd, sm_str_text(&folder), IN_MOVED_TO) >= 0;
    sm_bench_pty_start(&p, dir);
    ok = ok && sm_bench_pty_wait_for(&p, "step 91", sm_bench_now()) >= 0;
    for (int i = 1; ok && i < STEPS; i++) {
        sm_bench_pty_wait_quiet(&p, QUIET_SECONDS);
        sm_bench_pty_clear_text(&p);
        snprintf(number, sizeof number, "%ld", steps[i]);
        ok = write_step(g, steps[i]);
        double since = sm_bench_now();
        floors[i - 1] = 1e3 * wait_for_index_file(fd, dir, steps[i], since);
        shown[i - 1] = 1e3 * sm_bench_pty_wait_for(&p, number, since);
        ok = ok && floors[i - 1] > 0 && shown[i - 1] > 0;
    }
    sm_bench_pty_stop(&p);
    close(fd);
    sm_str_clear(&folder);
    return ok;
}

int main(void)
{
    struct sm_err err;
    struct sm_str dir = {0};
    double shown[STEPS - 1], floors[STEPS - 1];
    sm_str_printf(&dir, "%s/live", sm_bench_path("SCRATCH"));
    struct sm_bench_generator *g =
        sm_bench_generator_new(sm_str_text(&dir), 0, 1, TENSORS, ELEMENTS, &err);
    bool ok = g && write_step(g, steps[0]) && measure_live(g, sm_str_text(&dir), shown, floors);
    if (ok) {
        double floor = sm_bench_median(floors, STEPS - 1);
        sm_bench_median(shown, STEPS - 1); /* sorts */
        sm_bench_report(&(struct sm_bench_figure){"live_slowest_ms", shown[STEPS - 2], floor,
                                                  SM_BENCH_VALUE_AT_MOST, 200});
    }
    sm_bench_generator_free(g);
    sm_str_clear(&dir);
    return ok ? 0 : 1;
}
