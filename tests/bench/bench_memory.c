/* SPDX-License-Identifier: Apache-2.0 */
/* Memory per index entry: the peak resident size of the program, less 8 MB, after it has opened the
 * trial, and the memory that the trial accounts for. Floor: the size of an entry. */
#include "tests/bench/bench.h"

#include <sys/resource.h>

#define BASE_BYTES 8e6

int main(void)
{
    const char *path = sm_bench_path("STEPS");
    struct rusage use;
    struct sm_bench_trial t;
    size_t entries = 0;
    /* first, because a child starts with the peak of its parent */
    if (!sm_bench_run_program("info trial", path, &use))
        return 1;
    sm_bench_open(&t, path, 2, false, 0);
    sm_bench_scan(&t);
    for (size_t i = 0; i < sm_trial_tensor_count(t.trial); i++)
        entries += sm_trial_tensor(t.trial, i)->n_entries;
    double held = (double)sm_trial_memory(t.trial);
    sm_bench_close(&t);
    if (!entries)
        return 1;
    double each = (1024.0 * (double)use.ru_maxrss - BASE_BYTES) / (double)entries,
           floor = sizeof(struct sm_entry);
    sm_bench_report(
        &(struct sm_bench_figure){"memory_program_bytes", each, floor, SM_BENCH_VALUE_AT_MOST, 48});
    sm_bench_report(&(struct sm_bench_figure){"memory_held_bytes", held / (double)entries, floor,
                                              SM_BENCH_VALUE_AT_MOST, 48});
    return 0;
}
