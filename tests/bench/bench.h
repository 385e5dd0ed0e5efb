/* What every benchmark needs: a clock, medians, and one way to report a figure.
 *
 * A figure is always compared with a floor measured in the same run (a plain loop, read() of the same bytes, the SDK),
 * because seconds alone say more about the machine than about the program. Alternate the two and take medians. */
#ifndef SM_BENCH_H
#define SM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double sm_bench_now(void)                    /* seconds of a steady clock */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int sm_bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double sm_bench_median(double *x, size_t n)  /* sorts x; n >= 1 */
{
    qsort(x, n, sizeof *x, sm_bench_compare);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Prints "name value floor ratio bar met|not" and, if BENCH_JSON names a file, appends the same as one JSON object a line.
 * name: no blanks or quotes, ends in its unit ("stats_f32_gbps"); value and floor in that unit; ratio: of the two, as the
 * bar is stated (no floor: pass 0, and the value as ratio). higher_is_better: met when ratio >= bar, else when ratio <= bar.
 * Returns whether it was met. */
static inline bool sm_bench_report(const char *name, double value, double floor, double ratio, double bar, bool higher_is_better)
{
    bool met = higher_is_better ? ratio >= bar : ratio <= bar;
    const char *path = getenv("BENCH_JSON");
    printf("%-32s %12.6g %12.6g %8.3f %8.3g %s\n", name, value, floor, ratio, bar, met ? "met" : "not");
    fflush(stdout);
    FILE *f = path && *path ? fopen(path, "a") : NULL;
    if (f) {
        fprintf(f, "{\"name\": \"%s\", \"value\": %.9g, \"floor\": %.9g, \"ratio\": %.6g, \"bar\": %.6g, \"higher_is_better\": %s, "
                "\"met\": %s}\n", name, value, floor, ratio, bar, higher_is_better ? "true" : "false", met ? "true" : "false");
        fclose(f);
    }
    return met;
}

#endif
