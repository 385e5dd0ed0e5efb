/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the time from a key to its echo on the screen: idle, while a command loads gigabytes,
 * and while one computes. The program runs in a pseudo-terminal. Floor: the terminal's own echo.
 * The slowest key counts. */
#include "tests/bench/bench.h"
#include "tests/bench/pty.h"

#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <unistd.h>

#define QUIET_SECONDS      0.05
#define PAUSE_SECONDS      0.002
#define EXPRESSION_SECONDS 2
enum {
    IDLE_KEYS = 30,
    ENOUGH_KEYS = 5,
    FLOOR_KEYS = 101,
    TIMEOUT_MS = 1000,
    LOADING_BYTES = 1 << 20
};

/* Characters that no pane shows. */
static const char *const keys[] = {"@", "^", "{", "}", "`", "$", "&", ";"};
enum { KEYS = sizeof keys / sizeof *keys };

/* ---- the floor ---- */

static double echo_ms(void)
{
    double times[FLOOR_KEYS];
    int master, slave;
    if (openpty(&master, &slave, NULL, NULL, NULL) != 0)
        return 0;
    for (int i = 0; i < FLOOR_KEYS; i++) {
        char byte = 'x';
        struct pollfd p = {.fd = master, .events = POLLIN};
        double start = sm_bench_now();
        if (write(master, &byte, 1) != 1 || poll(&p, 1, TIMEOUT_MS) != 1 ||
            read(master, &byte, 1) != 1)
            return 0;
        times[i] = 1e3 * (sm_bench_now() - start);
    }
    close(slave);
    close(master);
    return sm_bench_median(times, FLOOR_KEYS);
}

/* ---- the measurement ---- */

/* Types a character at the prompt and deletes it. Returns the ms until its echo; -1: timeout. The
 * next character must differ, because the program sends only changes. */
static double key_echo_ms(struct sm_bench_pty *p, int i)
{
    sm_bench_pty_clear_text(p);
    double since = sm_bench_now();
    sm_bench_pty_type(p, keys[i % KEYS]);
    double seconds = sm_bench_pty_wait_for(p, keys[i % KEYS], since);
    sm_bench_pty_type(p, "\177");
    return seconds < 0 ? -1 : 1e3 * seconds;
}

static double slowest_idle(struct sm_bench_pty *p)
{
    double slowest = 0;
    for (int i = 0; i < IDLE_KEYS; i++) {
        sm_bench_pty_wait_quiet(p, QUIET_SECONDS);
        double ms = key_echo_ms(p, i);
        if (ms < 0)
            return -1;
        slowest = ms > slowest ? ms : slowest;
    }
    return slowest;
}

/* The number of bytes the program has read so far. */
static double bytes_read(const struct sm_bench_pty *p)
{
    char path[64];
    double n = 0;
    snprintf(path, sizeof path, "/proc/%ld/io", (long)p->pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "rchar: %lf", &n) != 1)
        n = 0;
    if (f)
        fclose(f);
    return n;
}

/* Types keys while the program reads. The last keys, after it stopped reading, do not count; *n is
 * the number of those that do. */
static double slowest_loading(struct sm_bench_pty *p, int *n)
{
    double slowest = 0, slowest_since = 0, before = bytes_read(p);
    *n = 0;
    for (int i = 0; i - *n < IDLE_KEYS; i++) {
        double ms = key_echo_ms(p, i);
        if (ms < 0)
            return -1;
        sm_bench_pty_read_for(p, PAUSE_SECONDS);
        slowest_since = ms > slowest_since ? ms : slowest_since;
        if (bytes_read(p) < before + LOADING_BYTES)
            continue;
        before = bytes_read(p);
        slowest = slowest_since > slowest ? slowest_since : slowest;
        slowest_since = 0;
        *n = i + 1;
    }
    return slowest;
}

static void report_key(const char *name, double ms, double floor)
{
    sm_bench_report(&(struct sm_bench_figure){name, ms, floor, SM_BENCH_VALUE_AT_MOST, 50});
}

static bool bench_loading(double floor)
{
    struct sm_bench_pty p;
    int n = 0;
    sm_bench_pty_start(&p, sm_bench_path("PAYLOAD"));
    bool ok = sm_bench_pty_wait_for(&p, "ended", sm_bench_now()) >= 0;
    sm_bench_pty_type(&p, ":series Net_layer0.weight\r:");
    double loading = slowest_loading(&p, &n), read = bytes_read(&p), idle = slowest_idle(&p);
    sm_bench_pty_stop(&p);
    if (!ok || idle < 0 || loading < 0)
        return false;
    report_key("key_idle_slowest_ms", idle, floor);
    if (n >= ENOUGH_KEYS)
        report_key("key_loading_slowest_ms", loading, floor);
    else
        fprintf(stderr, "%d keys while %.1f GB were read: raise BENCH_BYTES\n", n, read / 1e9);
    return n >= ENOUGH_KEYS;
}

/* Types keys while the program evaluates an expression over 16 million elements. */
static bool bench_expression(const char *name, const char *command, double floor)
{
    struct sm_bench_pty p;
    double slowest = 0, ms = 0;
    sm_bench_pty_start(&p, sm_bench_path("LARGE"));
    bool ok = sm_bench_pty_wait_for(&p, "ended", sm_bench_now()) >= 0;
    sm_bench_pty_wait_quiet(&p, 10 * QUIET_SECONDS);
    sm_bench_pty_type(&p, command);
    double end = sm_bench_now() + EXPRESSION_SECONDS;
    for (int i = 0; ms >= 0 && sm_bench_now() < end; i++) {
        ms = key_echo_ms(&p, i);
        sm_bench_pty_read_for(&p, PAUSE_SECONDS);
        slowest = ms > slowest ? ms : slowest;
    }
    sm_bench_pty_stop(&p);
    if (ok && ms >= 0)
        report_key(name, slowest, floor);
    return ok && ms >= 0;
}

int main(void)
{
    double floor = echo_ms();
    bool ok = bench_loading(floor);
    ok = bench_expression("key_expression_slowest_ms",
                          ":print median(Net_layer0.weight)\r:", floor) &&
         ok;
    ok = bench_expression("key_arithmetic_slowest_ms",
                          ":print Net_layer0.weight * 2 + 1\r:", floor) &&
         ok;
    ok = bench_expression("key_find_slowest_ms", ":find in * where x * x > 20\r:", floor) && ok;
    return ok ? 0 : 1;
}
