/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of following a trial of 10,000 steps that does not change: a wake-up by inotify for a
 * temporary file, the scan of a heartbeat, and the CPU use of one heartbeat per second.
 *
 * The clock is frozen and advanced by hand, and jobs run in this thread, so that each figure covers
 * all of the work. */
#include "reader/base/clock.h"
#include "reader/source/watch.h"
#include "tests/bench/bench.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 201, BEAT_US = 1000000, TIMEOUT_MS = 1000 };

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* ---- wake-ups ---- */

static bool make_and_remove(const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT, 0600);
    return fd >= 0 && close(fd) == 0 && unlink(file) == 0;
}

/* Creates a temporary file and handles the events. Returns the seconds; -1 if there were none. */
static double pump_wakeup(struct sm_trial *t, const char *file)
{
    struct pollfd p = {.fd = sm_trial_fd(t), .events = POLLIN};
    sm_watch_pump();
    sm_trial_pump(t);
    if (!make_and_remove(file))
        return -1;
    double start = sm_bench_now();
    if (poll(&p, 1, TIMEOUT_MS) != 1)
        return -1;
    sm_watch_pump();
    sm_trial_pump(t);
    return sm_bench_now() - start;
}

/* The floor: reads the same events and discards them. */
static double read_events(int fd, const char *file)
{
    char bytes[4096];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (read(fd, bytes, sizeof bytes) > 0)
        ;
    if (!make_and_remove(file))
        return -1;
    double start = sm_bench_now();
    if (poll(&p, 1, TIMEOUT_MS) != 1 || read(fd, bytes, sizeof bytes) <= 0)
        return -1;
    return sm_bench_now() - start;
}

static bool bench_wakeup(struct sm_bench_trial *t, const char *dir, const char *file)
{
    double wakes[ROUNDS], floors[ROUNDS];
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    bool ok = fd >= 0 && inotify_add_watch(fd, dir, IN_CREATE | IN_CLOSE_WRITE | IN_DELETE) >= 0;
    for (int i = 0; ok && i < ROUNDS; i++) {
        wakes[i] = 1e3 * pump_wakeup(t->trial, file);
        floors[i] = 1e3 * read_events(fd, file);
        ok = wakes[i] > 0 && floors[i] > 0 && !sm_pool_pending(t->pool);
    }
    close(fd);
    if (ok)
        sm_bench_report(&(struct sm_bench_figure){
            "wakeup_inotify_ms", sm_bench_median(wakes, ROUNDS), sm_bench_median(floors, ROUNDS),
            SM_BENCH_VALUE_AT_MOST, 0.2});
    return ok;
}

/* ---- heartbeats ---- */

/* The floor: lists the names in every index folder, and calls stat for each folder. */
static size_t list_folders(const char *index)
{
    struct stat st;
    size_t n = 0;
    DIR *d = opendir(index);
    for (const struct dirent *e; d && (e = readdir(d));) {
        bool ours = e->d_name[0] != '.' && fstatat(dirfd(d), e->d_name, &st, 0) == 0;
        DIR *folder = ours ? fdopendir(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY)) : NULL;
        while (folder && readdir(folder))
            n++;
        if (folder)
            closedir(folder);
    }
    if (d)
        closedir(d);
    return n;
}

static double scan_heartbeat(struct sm_bench_trial *t)
{
    sm_clock_advance(BEAT_US);
    double start = sm_bench_now();
    sm_bench_scan(t);
    return sm_bench_now() - start;
}

static bool bench_heartbeat(struct sm_bench_trial *t, const char *index)
{
    double beats[ROUNDS], floors[ROUNDS], busy = 0;
    size_t names = 0;
    uint64_t version = sm_trial_version(t->trial);
    for (int i = 0; i < ROUNDS; i++) {
        double before = cpu_seconds();
        beats[i] = 1e3 * scan_heartbeat(t);
        busy += cpu_seconds() - before;
        double start = sm_bench_now();
        names = list_folders(index);
        floors[i] = 1e3 * (sm_bench_now() - start);
    }
    sm_bench_report(&(struct sm_bench_figure){"heartbeat_scan_ms", sm_bench_median(beats, ROUNDS),
                                              sm_bench_median(floors, ROUNDS),
                                              SM_BENCH_VALUE_AT_MOST, 3});
    sm_bench_report(&(struct sm_bench_figure){"idle_cpu_percent",
                                              100 * busy / (ROUNDS * (BEAT_US * 1e-6)), 0,
                                              SM_BENCH_VALUE_AT_MOST, 1});
    return names && version == sm_trial_version(t->trial);
}

int main(void)
{
    const char *path = sm_bench_path("STEPS");
    struct sm_str index = {0}, newest = {0}, file = {0};
    struct sm_bench_trial t;
    sm_str_printf(&index, "%s/index", path);
    sm_str_printf(&newest, "%s/index/000000009", path);
    sm_str_printf(&file, "%s/index/000000009/bench.tmp", path);
    sm_clock_freeze(sm_clock_mono_us(), sm_clock_wall_us());
    sm_bench_open(&t, path, 0, true, BEAT_US);
    sm_bench_scan(&t);
    bool ok = bench_wakeup(&t, sm_str_text(&newest), sm_str_text(&file)) &&
              bench_heartbeat(&t, sm_str_text(&index));
    sm_bench_close(&t);
    sm_str_clear(&index);
    sm_str_clear(&newest);
    sm_str_clear(&file);
    return ok ? 0 : 1;
}
