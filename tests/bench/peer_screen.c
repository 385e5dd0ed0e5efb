/* peer_screen [-t TEXT] [-i SECONDS] COMMAND ...: runs a program in a pseudo-terminal of 120x40
 * until its screen is quiet, and prints in one line, in seconds, KiB and bytes: text chart quiet
 * cpu peak idle-percent idle-bytes text: TEXT was on the screen; chart: a chart was (cells of
 * braille); quiet: the last output and the last work of more than a few per cent of a core; "-":
 * did not happen. idle: CPU and output in the SECONDS after that. */
#include "tests/bench/bench.h"
#include "tests/bench/pty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { COLUMNS = 120, LINES = 40, CHART_CELLS = 40 };
#define SAMPLE_SECONDS  0.05
#define WORKING         0.1 /* of a core */
#define QUIET_SECONDS   1.5
#define TIMEOUT_SECONDS 180.0

struct seen {
    double text, chart, quiet; /* seconds; -1: not yet */
    size_t looked;             /* at so many bytes of the text for cells */
    size_t cells;
};

/* Dots of braille are U+2801 to U+28FF: e2 a0 81 to e2 a3 bf. */
static void count_cells(struct seen *s, const struct sm_str *text)
{
    const uint8_t *p = (const uint8_t *)sm_str_text(text);
    for (; s->looked + 3 <= text->len; s->looked++) {
        const uint8_t *c = p + s->looked;
        s->cells += c[0] == 0xe2 && c[1] >= 0xa0 && c[1] <= 0xa3 && (c[1] > 0xa0 || c[2] > 0x80);
    }
}

static void note(struct seen *s, const struct sm_bench_pty *p, const char *text, double now)
{
    count_cells(s, &p->text);
    if (s->chart < 0 && s->cells >= CHART_CELLS)
        s->chart = now;
    if (s->text < 0 && text && strstr(sm_str_text(&p->text), text))
        s->text = now;
}

/* One sample: what was written, and whether the program has worked. */
static void sample(struct seen *s, struct sm_bench_pty *p, const char *text, double began)
{
    double cpu = sm_bench_pty_cpu(p), from = sm_bench_now(), now = from;
    uint64_t bytes = p->bytes;
    while (now < from + SAMPLE_SECONDS && sm_bench_pty_read(p, from + SAMPLE_SECONDS - now)) {
        now = sm_bench_now();
        note(s, p, text, now - began);
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

static void measure(struct sm_bench_pty *p, const char *text, double idle)
{
    double began = sm_bench_now(), now = 0;
    struct seen s = {-1, -1, 0, 0, 0};
    while (now < s.quiet + QUIET_SECONDS && now < TIMEOUT_SECONDS &&
           waitpid(p->pid, NULL, WNOHANG) == 0) {
        sample(&s, p, text, began);
        now = sm_bench_now() - began;
    }
    double cpu = sm_bench_pty_cpu(p);
    uint64_t bytes = p->bytes;
    print_seconds(s.text);
    print_seconds(s.chart);
    print_seconds(now < TIMEOUT_SECONDS ? s.quiet : -1);
    printf("%.3f %ld ", cpu, sm_bench_pty_peak_kib(p));
    for (double until = sm_bench_now() + idle; sm_bench_now() < until;)
        sm_bench_pty_read(p, until - sm_bench_now());
    printf("%.3f %llu\n", idle > 0 ? 100 * (sm_bench_pty_cpu(p) - cpu) / idle : 0,
           (unsigned long long)(p->bytes - bytes));
}

int main(int argc, char **argv)
{
    struct sm_bench_pty p;
    const char *text = NULL;
    double idle = 0;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (strcmp(argv[i], "-t") == 0)
            text = argv[i + 1];
        else if (strcmp(argv[i], "-i") == 0)
            idle = atof(argv[i + 1]);
    }
    if (i >= argc) {
        fprintf(stderr, "usage: peer_screen [-t TEXT] [-i SECONDS] COMMAND ...\n");
        return 2;
    }
    sm_bench_pty_run(&p, argv + i, COLUMNS, LINES);
    measure(&p, text, idle);
    sm_bench_pty_stop(&p);
    return 0;
}
