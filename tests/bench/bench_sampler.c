/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a sample of this machine, with the process of this benchmark followed, beside bare
 * reads of the same files: pread of each, and nothing is made of their bytes. */
#include "reader/base/clock.h"
#include "reader/sampler/sample_file.h"
#include "reader/sampler/sampler.h"
#include "tests/bench/bench.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 401, FILES_MAX = 512, BUFFER = 1 << 20, INTERVAL_MS = 500 };

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* The files of /proc and /sys that the sampler has opened: other descriptors of ours are few. */
static size_t open_the_same(int fds[FILES_MAX], int below)
{
    DIR *d = opendir("/proc/self/fd");
    size_t n = 0;
    for (const struct dirent *e; d && n < FILES_MAX && (e = readdir(d));) {
        char link[64], path[4096];
        snprintf(link, sizeof link, "/proc/self/fd/%.16s", e->d_name);
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length <= 0 || atoi(e->d_name) < below)
            continue;
        path[length] = 0;
        if (strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0)
            fds[n++] = atoi(e->d_name);
    }
    if (d)
        closedir(d);
    return n;
}

static double read_bare(const int *fds, size_t n, char *buffer)
{
    double start = cpu_ms();
    for (size_t i = 0; i < n; i++)
        if (pread(fds[i], buffer, BUFFER, 0) < 0)
            continue;
    return cpu_ms() - start;
}

static double take(struct sm_sampler *s, struct sm_sample_file *file, int64_t tick)
{
    int64_t us = tick * INTERVAL_MS * 1000;
    double start = cpu_ms();
    if (!sm_sample_file_write(file, sm_sampler_take(s, sm_clock_wall_us(), us), sm_clock_wall_us(),
                              NULL))
        return -1;
    return cpu_ms() - start;
}

/* Alternates the two; false: a sample could not be written. */
static bool measure(struct sm_sampler *s, struct sm_sample_file *file, int below)
{
    double samples[ROUNDS], floors[ROUNDS];
    int fds[FILES_MAX];
    char *buffer = malloc(BUFFER);
    bool ok = buffer && take(s, file, 1) >= 0 && take(s, file, 2) >= 0;
    size_t n = open_the_same(fds, below);
    for (int i = 0; ok && i < ROUNDS; i++) {
        floors[i] = read_bare(fds, n, buffer);
        samples[i] = take(s, file, i + 3);
        ok = samples[i] >= 0;
    }
    free(buffer);
    if (!ok)
        return false;
    double mean = 0;
    for (int i = 0; i < ROUNDS; i++)
        mean += samples[i] / ROUNDS;
    sm_bench_report(&(struct sm_bench_figure){"sample_ms", sm_bench_median(samples, ROUNDS),
                                              sm_bench_median(floors, ROUNDS),
                                              SM_BENCH_RATIO_AT_MOST, 2});
    sm_bench_report(&(struct sm_bench_figure){
        "sample_core_percent_at_500_ms", 100 * mean / INTERVAL_MS, 0, SM_BENCH_VALUE_AT_MOST, 0.5});
    return true;
}

int main(void)
{
    struct sm_sample_file file;
    struct sm_sampler *sampler = NULL;
    struct sm_err err = {0};
    const struct sm_sampler_options how = {.node = "algo-1", .interval_ms = INTERVAL_MS};
    int below = dup(0); /* all that is opened from here on */
    bool ok =
        sm_sample_file_open(&file, sm_bench_path("SCRATCH"), "algo-1", sm_clock_wall_us(), &err) &&
        sm_sampler_new(&how, &sampler, &err);
    if (ok) {
        sm_sampler_follow(sampler, (int)getpid());
        ok = measure(sampler, &file, below);
        sm_sample_file_close(&file, false, NULL);
    } else {
        fprintf(stderr, "%s\n", err.msg);
    }
    sm_sampler_free(sampler);
    return ok ? 0 : 1;
}
