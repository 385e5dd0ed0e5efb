/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one training: Keras, TensorFlow's Estimator and many scripts write TensorBoard's files of
 * validation into a folder of its own, with the same tags: train and validation, x_train and
 * x_valid, train/x and val/x, DIR and DIR/eval. */
#ifndef SM_RUN_PAIR_H
#define SM_RUN_PAIR_H

#include "reader/runs/run_search.h"

/* Sets sm_run_ref.validation of each run of training that has one; of several the first that is not
 * called a test. The list is complete and sorted. False: no memory. */
bool sm_run_pair(struct sm_run_list *list);
/* Sets sm_run_ref.bare. */
void sm_run_mark_bare(struct sm_run_list *list, struct sm_source *source);

#endif
