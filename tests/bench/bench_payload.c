/* SPDX-License-Identifier: Apache-2.0 */
/* Reads payloads from the page cache and computes all their statistics, with checksums. Floor:
 * read() of the same records into one buffer by one thread. Tensors of 16 MiB and of 64 MiB, which
 * are larger than any CPU cache; with one worker thread, and with two as in the program. */
#include "reader/fetch/fetch.h"
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <unistd.h>

enum { ROUNDS = 3, CACHE_BYTES = 256 << 20 };

/* ---- the floor ---- */

/* The number of bytes of a record; -1 if not all can be read. */
static double read_record(int dir, const char *file, const struct sm_entry *e)
{
    static uint8_t buffer[8 << 20];
    uint64_t at = 0;
    int fd = openat(dir, file, O_RDONLY);
    for (ssize_t n = 1; fd >= 0 && at < e->length && n > 0; at += (uint64_t)n) {
        size_t left = e->length - at < sizeof buffer ? (size_t)(e->length - at) : sizeof buffer;
        n = pread(fd, buffer, left, (off_t)(e->offset + at));
    }
    close(fd);
    return at == e->length ? (double)at : -1;
}

/* Reads every record of the trial. Returns the number of bytes. */
static double read_records(const struct sm_trial *t, const char *path)
{
    double total = 0;
    int dir = open(path, O_RDONLY | O_DIRECTORY);
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        for (size_t k = 0; k < x->n_entries; k++)
            total += read_record(dir, sm_trial_event_path(t, sm_tensor_part(t, x, k)),
                                 (struct sm_entry[]){sm_tensor_entry(t, x, k)});
    }
    close(dir);
    return total;
}

/* ---- the measurement ---- */

/* Requests the statistics of all entries. Returns the number of elements of those that are known.
 */
static double fetch_all_stats(struct sm_fetch *f, struct sm_trial *t, bool *waiting, bool *failed)
{
    double elements = 0;
    *waiting = *failed = false;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        for (size_t k = 0; k < x->n_entries; k++) {
            const struct sm_facts *facts;
            struct sm_err err = {0};
            if (sm_fetch_stats(f, t, (struct sm_entry[]){sm_tensor_entry(t, x, k)}, &facts, &err))
                elements += (double)facts->stats.n;
            else if (err.code == SM_ERR_WAIT)
                *waiting = true;
            else
                *failed = true;
        }
    }
    return elements;
}

static double read_statistics(struct sm_bench_trial *t)
{
    struct sm_err err;
    struct sm_fetch *f = sm_fetch_new(t->pool, CACHE_BYTES, &err);
    bool waiting = true, failed = !f;
    double elements = 0;
    if (f)
        sm_fetch_begin(f);
    while (waiting && !failed) {
        elements = fetch_all_stats(f, t->trial, &waiting, &failed);
        sm_fetch_flush(f);
        if (waiting)
            sm_pool_wait(t->pool);
        sm_pool_collect(t->pool, SIZE_MAX);
        sm_fetch_pump(f);
    }
    sm_fetch_free(f);
    return failed ? -1 : elements;
}

static bool measure_payload(const char *path, const char *one_name, const char *two_name)
{
    struct sm_bench_trial one, two;
    double floors[ROUNDS], ones[ROUNDS], twos[ROUNDS], bytes = 0;
    bool ok = true;
    sm_bench_open(&one, path, 1, false, 0);
    sm_bench_scan(&one);
    sm_bench_open(&two, path, 2, false, 0);
    sm_bench_scan(&two);
    read_records(one.trial, path);
    for (int i = 0; i < ROUNDS; i++) {
        double start = sm_bench_now();
        bytes = read_records(one.trial, path);
        double first = sm_bench_now();
        ok = read_statistics(&one) * sizeof(float) > 0.9 * bytes && ok;
        double second = sm_bench_now();
        ok = read_statistics(&two) * sizeof(float) > 0.9 * bytes && ok;
        twos[i] = bytes / 1e9 / (sm_bench_now() - second);
        ones[i] = bytes / 1e9 / (second - first);
        floors[i] = bytes / 1e9 / (first - start);
    }
    sm_bench_close(&one);
    sm_bench_close(&two);
    double floor = sm_bench_median(floors, ROUNDS);
    sm_bench_report(&(struct sm_bench_figure){one_name, sm_bench_median(ones, ROUNDS), floor,
                                              SM_BENCH_RATIO_AT_LEAST, 0.5});
    sm_bench_report(&(struct sm_bench_figure){two_name, sm_bench_median(twos, ROUNDS), floor,
                                              SM_BENCH_RATIO_AT_LEAST, 0.5});
    return ok && bytes > 0;
}

int main(void)
{
    bool ok = measure_payload(sm_bench_path("PAYLOAD"), "payload_16mib_1_worker_gb_per_s",
                              "payload_16mib_2_workers_gb_per_s");
    ok = measure_payload(sm_bench_path("LARGE"), "payload_64mib_1_worker_gb_per_s",
                         "payload_64mib_2_workers_gb_per_s") &&
         ok;
    return ok ? 0 : 1;
}
