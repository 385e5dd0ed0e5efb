/* What the dashboard sends to a terminal of 80x24: with one new step a second, with a live trial in
 * which nothing comes, and with one that has ended. The floor is the status line written anew for
 * each step. */
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

/* Bytes a second from now on. */
static double count(struct sm_bench_pty *p, double seconds)
{
    uint64_t before = p->bytes;
    sm_bench_pty_listen(p, seconds);
    return (double)(p->bytes - before) / seconds;
}

static bool measure(struct sm_bench_generator *g, const char *dir)
{
    struct sm_bench_pty p;
    struct sm_err err;
    double live = 0;
    sm_bench_pty_start(&p, dir);
    bool ok = sm_bench_pty_await(&p, "step 49", sm_bench_now()) >= 0;
    sm_bench_pty_listen(&p, SETTLE_SECONDS);
    for (int i = 0; ok && i < SECONDS; i++) {
        ok = write_steps(g, FIRST_STEPS + i, FIRST_STEPS + i + 1);
        live += count(&p, 1) / SECONDS;
    }
    double still = count(&p, SECONDS);
    ok = ok && sm_bench_generator_end_job(g, &err) &&
         sm_bench_pty_await(&p, "ended", sm_bench_now()) >= 0;
    sm_bench_pty_listen(&p, SETTLE_SECONDS);
    double cpu = sm_bench_pty_cpu(&p), ended = count(&p, SECONDS);
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
    bool ok = g && write_steps(g, 0, FIRST_STEPS) && measure(g, sm_str_text(&dir));
    sm_bench_generator_free(g);
    sm_str_clear(&dir);
    return ok ? 0 : 1;
}
