/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the same scalars as the loggers do: TensorBoard's event files, W&B's files and trials of
 * smdebug. The values of a run are pseudo-random around a falling curve, the same in each format.
 */
#ifndef SM_BENCH_SCALARS_H
#define SM_BENCH_SCALARS_H

#include "reader/base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct sm_bench_scalars {
    long runs; /* with 1 the directory itself is the run, of W&B the one folder in it */
    long scalars, steps;
};
/* format: "tensorboard", "wandb" or "trial" (one record each, one file a step). dir must not exist;
 * its parent must. */
bool sm_bench_scalars_write(const char *format, const char *dir, const struct sm_bench_scalars *s,
                            struct sm_err *err);
/* Path of the event file of a run below `dir`, into out. */
const char *sm_bench_scalars_file(const char *dir, const struct sm_bench_scalars *s, long run,
                                  char *out, size_t n);
/* Appends one step with that value of each scalar to a file of TensorBoard. */
bool sm_bench_scalars_append(const char *file, long scalars, long step, double value,
                             struct sm_err *err);

#endif
