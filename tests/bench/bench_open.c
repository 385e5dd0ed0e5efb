/* Opens a trial of 10,000 steps with 50 tensors and lists them, by the library and by the program.
 * Floor: a loop that opens and reads the same index files. The files are in the page cache. */
#include "tests/bench/bench.h"

#include <dirent.h>
#include <fcntl.h>
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

static size_t read_index(const char *path)
{
    int root = open(path, O_RDONLY | O_DIRECTORY),
        index = root < 0 ? -1 : openat(root, "index", O_RDONLY | O_DIRECTORY);
    size_t total = index < 0 ? 0 : read_tree(index);
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

int main(void)
{
    const char *path = sm_bench_path("STEPS");
    double floors[ROUNDS], opens[ROUNDS], programs[ROUNDS];
    bool ok = read_index(path);
    for (int i = 0; i < ROUNDS; i++) {
        double start = sm_bench_now();
        read_index(path);
        double middle = sm_bench_now();
        ok = open_and_list(path) && ok;
        double end = sm_bench_now();
        ok = sm_bench_run_program("info tensors", path, NULL) && ok;
        programs[i] = (sm_bench_now() - end) * 1e3;
        opens[i] = (end - middle) * 1e3;
        floors[i] = (middle - start) * 1e3;
    }
    double floor = sm_bench_median(floors, ROUNDS);
    sm_bench_report(&(struct sm_bench_figure){"open_library_ms", sm_bench_median(opens, ROUNDS),
                                              floor, SM_BENCH_RATIO_AT_MOST, 6});
    sm_bench_report(&(struct sm_bench_figure){"open_program_ms", sm_bench_median(programs, ROUNDS),
                                              floor, SM_BENCH_RATIO_AT_MOST, 6});
    return ok ? 0 : 1;
}
