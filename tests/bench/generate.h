/* SPDX-License-Identifier: Apache-2.0 */
/* Writes trials of float32 tensors with sm_writer. The values are pseudo-random, the same in each
 * run. Names alternate: a weight and its gradient. */
#ifndef SM_BENCH_GENERATE_H
#define SM_BENCH_GENERATE_H

#include "reader/hook/writer.h"

struct sm_bench_generator;
/* A generator for one of n_workers workers; each step has n_tensors tensors of n_elements. Writes
 * the collections file with weights, gradients, relu_output and losses. */
struct sm_bench_generator *sm_bench_generator_new(const char *dir, long worker, long n_workers,
                                                  long n_tensors, long n_elements,
                                                  struct sm_err *err);
/* n_elements must not exceed that of the other tensors; 1 is written as a scalar. */
void sm_bench_generator_rename(struct sm_bench_generator *g, long tensor, const char *name,
                               long n_elements);
bool sm_bench_generator_step(struct sm_bench_generator *g, long step, struct sm_err *err);
bool sm_bench_generator_end_job(struct sm_bench_generator *g, struct sm_err *err);
void sm_bench_generator_free(struct sm_bench_generator *g);

#endif
