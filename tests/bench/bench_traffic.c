/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the output of the dashboard to a terminal of 80x24: with one new step per second, with a
 * live trial that does not change, and with one that has ended. Floor: one rewritten status line
 * per second. */
#include "tests/bench/bench.h"
#include "tests/bench/generate.h"
#include "tests/bench/pty.h"

#include <stdio.h>

#define SECONDS        6
#define SETTLE_SECONDS 1.5
enum { FIRST_STEPS = 50, TENSORS = 50, ELEMENTS = 16, COLUMNS = 80 };

static bool write_steps(struct sm_bench_generator *g, long from, long to)
{
    struct sm_err err;
    for (long s = from; s < to; s++)
        if (!sm_bench_generator_step(g, s, &err)) {
            fprintf(stderr, "%s\n", err.msg);
            return false;
        }
    return true;
}

/* Reads output for that time. Returns the bytes per second. */
static double bytes_per_second(struct sm_bench_pty *p, double seconds)
{
    uint64_t before = p->bytes;
    sm_bench_pty_read_for(p, seconds);
    return (double)(p->bytes - before) / seconds;
}

static bool measure_traffic(struct sm_bench_generator *g, const char *dir)
{
    struct sm_bench_pty p;
    struct sm_err err;
    double live = 0;
    sm_bench_pty_start(&p, dir);
    bool ok = sm_bench_pty_wait_for(&p, "step 49", sm_bench_now()) >= 0;
    sm_bench_pty_read_for(&p, SETTLE_SECONDS);
    for (int i = 0; ok && i < SECONDS; i++) {
        ok = write_steps(g, FIRST_STEPS + i, FIRST_STEPS + i + 1);
        live += bytes_per_second(&p, 1) / SECONDS;
    }
    double still = bytes_per_second(&p, SECONDS);
    ok = ok && sm_bench_generator_end_job(g, &err) &&
         sm_bench_pty_wait_for(&p, "ended", sm_bench_now()) >= 0;
    sm_bench_pty_read_for(&p, SETTLE_SECONDS);
    double cpu = sm_bench_pty_cpu(&p), ended = bytes_per_second(&p, SECONDS);
    double busy = 100 * (sm_bench_pty_cpu(&p) - cpu) / SECONDS;
    sm_bench_pty_stop(&p);
    if (!ok)
        return false;
    sm_bench_report(&(struct sm_bench_figure){"traffic_step_a_second_bytes", live, COLUMNS,
                                              SM_BENCH_VALUE_AT_MOST, 2048});
    sm_bench_report(&(struct sm_bench_figure){"traffic_no_news_bytes", still, COLUMNS,
                                              SM_BENCH_VALUE_AT_MOST, 2048});
    sm_bench_report(
        &(struct sm_bench_figure){"traffic_ended_bytes", ended, 0, SM_BENCH_VALUE_AT_MOST, 0});
    sm_bench_report(&(struct sm_bench_figure){"dashboard_idle_cpu_percent", busy, 0,
                                              SM_BENCH_VALUE_AT_MOST, 1});
    return true;
}

int main(void)
{
    struct sm_err err;
    struct sm_str dir = {0};
    sm_str_printf(&dir, "%s/traffic", sm_bench_path("SCRATCH"));
    struct sm_bench_generator *g =
        sm_bench_generator_new(sm_str_text(&dir), 0, 1, TENSORS, ELEMENTS, &err);
    bool ok = g && write_steps(g, 0, FIRST_STEPS) && measure_traffic(g, sm_str_text(&dir));
    sm_bench_generator_free(g);
    sm_str_clear(&dir);
    return ok ? 0 : 1;
}
