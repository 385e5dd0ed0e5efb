/* SPDX-License-Identifier: Apache-2.0 */
/* Analysis of a trial, shared by all front ends: panes, prompt, JSON, `doctor` and the status line
 * call these functions, so their results always agree.
 *
 *   workers.h         progress of each worker: behind, lost
 *   worker_gaps.h     steps missing from workers
 *   timeline.h        a note for each step: missing steps, pauses, sessions, missing workers
 *   step_moments.h    steps as times of the profile, and times as steps
 *   step_values.h     the values of a tensor step by step, and the worst of several steps
 *   all_values.h      all values, counted: read, NaN or infinite
 *   tensor_health.h   the value of a tensor at a step, its problems, its trend
 *   worker_values.h   the values of a tensor from every worker, and their defects
 *   saved_weights.h   steps with weights, and tensors that are one in the file
 *   trend.h           whether numbers rise, fall or differ, by tests of their ranks
 *   trial_events.h    events, newest first
 *   trial_problems.h  problems with their step and tensor
 *
 * The functions take a trial (and statistics from the fetch), return plain values, and do not
 * depend on sessions, terminals or rules. Texts are not escaped. Unlike the rest of reader/,
 * running out of memory stops the program: the hook uses nothing of this room. */
#ifndef SM_ANALYSIS_H
#define SM_ANALYSIS_H

#include "reader/analysis/all_values.h"
#include "reader/analysis/saved_weights.h"
#include "reader/analysis/step_moments.h"
#include "reader/analysis/step_values.h"
#include "reader/analysis/tensor_health.h"
#include "reader/analysis/timeline.h"
#include "reader/analysis/trend.h"
#include "reader/analysis/trial_events.h"
#include "reader/analysis/trial_problems.h"
#include "reader/analysis/worker_gaps.h"
#include "reader/analysis/worker_values.h"
#include "reader/analysis/workers.h"

#endif
