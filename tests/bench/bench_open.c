/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a trial of 10,000 steps with 50 tensors, by the library and by the program, and lists them
 * with the statistics of all values. Floor: a loop that opens and reads the same files, those of
 * the index, or those of the values, too. The files are in the page cache. */
#include "tests/bench/bench.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 7, THREADS = 2 };

/* ---- the floor ---- */

static size_t read_file(int fd)
{
    static char bytes[256 * 1024];
    size_t total = 0;
    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0;)
        total += (size_t)n;
    close(fd);
    return total;
}

/* Total bytes of all files below a directory; closes fd. */
static size_t read_tree(int fd)
{
    size_t total = 0;
    DIR *d = fdopendir(fd);
    for (const struct dirent *e; d && (e = readdir(d));) {
        int below = e->d_name[0] == '.' ? -1 : openat(fd, e->d_name, O_RDONLY);
        if (below >= 0)
            total += e->d_type == DT_DIR ? read_tree(below) : read_file(below);
    }
    if (d)
        closedir(d);
    return total;
}

static size_t read_folder(const char *path, const char *name)
{
    int root = open(path, O_RDONLY | O_DIRECTORY),
        folder = root < 0 ? -1 : openat(root, name, O_RDONLY | O_DIRECTORY);
    size_t total = folder < 0 ? 0 : read_tree(folder);
    close(root);
    return total;
}

/* ---- the measurement ---- */

static size_t open_and_list(const char *path)
{
    struct sm_bench_trial t;
    size_t entries = 0;
    sm_bench_open(&t, path, THREADS, false, 0);
    sm_bench_scan(&t);
    for (size_t i = 0; i < sm_trial_tensor_count(t.trial); i++)
        entries += sm_trial_tensor(t.trial, i)->n_entries;
    sm_bench_close(&t);
    return entries;
}

static double ms_since(double start)
{
    return (sm_bench_now() - start) * 1e3;
}

struct round {
    double floor, library, program, all_floor, list;
};

static bool measure(const char *path, struct round *r)
{
    double start = sm_bench_now();
    bool ok = read_folder(path, "index");
    r->floor = ms_since(start);
    start = sm_bench_now();
    ok = open_and_list(path) && ok;
    r->library = ms_since(start);
    start = sm_bench_now();
    ok = sm_bench_run_program("info trial", path, NULL) && ok;
    r->program = ms_since(start);
    start = sm_bench_now();
    ok = read_folder(path, "index") && read_folder(path, "events") && ok;
    r->all_floor = ms_since(start);
    start = sm_bench_now();
    ok = sm_bench_run_program("info tensors", path, NULL) && ok;
    r->list = ms_since(start);
    return ok;
}

static void report(const char *name, const double *x, const double *floors)
{
    double values[ROUNDS], floor[ROUNDS];
    memcpy(values, x, sizeof values);
    memcpy(floor, floors, sizeof floor);
    sm_bench_report(&(struct sm_bench_figure){name, sm_bench_median(values, ROUNDS),
                                              sm_bench_median(floor, ROUNDS),
                                              SM_BENCH_RATIO_AT_MOST, 6});
}

int main(void)
{
    const char *path = sm_bench_path("STEPS");
    double floors[ROUNDS], libraries[ROUNDS], programs[ROUNDS], all_floors[ROUNDS], lists[ROUNDS];
    bool ok = read_folder(path, "index") && read_folder(path, "events");
    for (int i = 0; ok && i < ROUNDS; i++) {
        struct round r;
        ok = measure(path, &r);
        floors[i] = r.floor;
        libraries[i] = r.library;
        programs[i] = r.program;
        all_floors[i] = r.all_floor;
        lists[i] = r.list;
    }
    if (ok) {
        report("open_library_ms", libraries, floors);
        report("open_program_ms", programs, floors);
        report("list_program_ms", lists, all_floors);
    }
    return ok ? 0 : 1;
}
