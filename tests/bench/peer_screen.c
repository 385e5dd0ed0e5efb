/* SPDX-License-Identifier: Apache-2.0 */
/* peer_screen [-t TEXT] [-w TEXT] [-i SECONDS] COMMAND ...: runs a program in a pseudo-terminal of
 * 120x40 until its screen is quiet, and prints one line of figures, in seconds, KiB, per cent and
 * bytes.
 *
 *     text, chart    TEXT, a chart was on the screen
 *     quiet          the last output, and the last work of more than a few per cent of a core
 *     cpu, peak      until then: CPU time, and the most memory
 *     idle-cpu, idle-bytes    CPU use and output in SECONDS, some time later, when messages have
 * gone
 *     whole          the TEXT of -w was on the screen
 *
 * "-": did not happen. peer_screen -b 1 COMMAND ...: without a terminal, until it ends. */
#include "tests/bench/bench.h"
#include "tests/bench/pty.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 120, LINES = 40 };
#define SAMPLE_SECONDS  0.05
#define WORKING         0.1 /* of a core */
#define QUIET_SECONDS   1.5
#define SETTLE_SECONDS  10.0
#define TIMEOUT_SECONDS 180.0

struct seen {
    double text, chart, quiet, whole; /* seconds; -1: not yet */
};
struct texts {
    const char *text, *whole; /* NULL: nobody asks */
};

static void note(struct seen *s, struct sm_bench_pty *p, const struct texts *t, double now)
{
    if (s->chart < 0 && sm_bench_pty_has_chart(p))
        s->chart = now;
    if (s->text < 0 && t->text && strstr(sm_str_text(&p->text), t->text))
        s->text = now;
    if (s->whole < 0 && t->whole && strstr(sm_str_text(&p->text), t->whole))
        s->whole = now;
}

/* One sample: what was written, and whether the program has worked. */
static void sample(struct seen *s, struct sm_bench_pty *p, const struct texts *t, double began)
{
    double cpu = sm_bench_pty_cpu(p), from = sm_bench_now(), now = from;
    uint64_t bytes = p->bytes;
    while (now < from + SAMPLE_SECONDS && sm_bench_pty_read(p, from + SAMPLE_SECONDS - now)) {
        now = sm_bench_now();
        note(s, p, t, now - began);
    }
    now = sm_bench_now();
    if (p->bytes > bytes || sm_bench_pty_cpu(p) - cpu > WORKING * (now - from))
        s->quiet = now - began;
}

static void print_seconds(double x)
{
    if (x < 0)
        printf("- ");
    else
        printf("%.3f ", x);
}

static bool has_ended(const struct sm_bench_pty *p)
{
    siginfo_t info = {0};
    waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == p->pid;
}

static void measure_screen(struct sm_bench_pty *p, const struct texts *t, double idle)
{
    double began = sm_bench_now(), now = 0;
    struct seen s = {-1, -1, 0, -1};
    while (now < s.quiet + QUIET_SECONDS && now < TIMEOUT_SECONDS && !has_ended(p)) {
        sample(&s, p, t, began);
        now = sm_bench_now() - began;
    }
    print_seconds(s.text);
    print_seconds(s.chart);
    print_seconds(now < TIMEOUT_SECONDS && !has_ended(p) ? s.quiet : -1);
    printf("%.3f %ld ", sm_bench_pty_cpu(p), sm_bench_pty_peak_kib(p));
    sm_bench_pty_read_for(p, idle > 0 ? SETTLE_SECONDS : 0);
    double cpu = sm_bench_pty_cpu(p);
    uint64_t bytes = p->bytes;
    sm_bench_pty_read_for(p, idle);
    printf("%.3f %llu ", idle > 0 ? 100 * (sm_bench_pty_cpu(p) - cpu) / idle : 0,
           (unsigned long long)(p->bytes - bytes));
    print_seconds(s.whole);
    printf("\n");
}

static int measure_batch(char *const *command)
{
    struct rusage use;
    int status = 0;
    double began = sm_bench_now();
    pid_t pid = fork();
    if (pid == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &use) != pid || status != 0)
        return 1;
    printf("- - %.3f %.3f %ld - -\n", sm_bench_now() - began,
           (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
               1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec),
           use.ru_maxrss);
    return 0;
}

int main(int argc, char **argv)
{
    struct sm_bench_pty p;
    struct texts texts = {0};
    double idle = 0;
    bool batch = false;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (strcmp(argv[i], "-t") == 0)
            texts.text = argv[i + 1];
        else if (strcmp(argv[i], "-w") == 0)
            texts.whole = argv[i + 1];
        else if (strcmp(argv[i], "-i") == 0)
            idle = atof(argv[i + 1]);
        else if (strcmp(argv[i], "-b") == 0)
            batch = true;
    }
    if (i >= argc) {
        fprintf(stderr, "usage: peer_screen [-t TEXT] [-w TEXT] [-i SECONDS] [-b 1] COMMAND ...\n");
        return 2;
    }
    if (batch)
        return measure_batch(argv + i);
    sm_bench_pty_run(&p, argv + i, COLUMNS, LINES);
    measure_screen(&p, &texts, idle);
    sm_bench_pty_stop(&p);
    return 0;
}
