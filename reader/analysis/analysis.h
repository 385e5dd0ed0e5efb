/* Questions about a trial that several front ends ask, each answered once: panes, prompt, JSON,
 * `doctor` and the status line call these functions, so they cannot contradict each other.
 *
 *   workers.h         how far each worker is, who is behind, who is lost
 *   worker_gaps.h     steps that workers left out
 *   timeline.h        steps left out, pauses, sessions, workers lacking: a note for each step
 *   tensor_health.h   the value of a tensor at a step, what is wrong with it, its trend
 *   trial_events.h    what happened, newest first
 *   trial_problems.h  what is wrong, with its place
 *
 * They take a trial (and statistics from the fetch), return plain values, and know no session,
 * terminal or rule. Texts are not escaped. Unlike the rest of reader/, lack of memory stops the
 * program: the hook uses nothing of this room. */
#ifndef SM_ANALYSIS_H
#define SM_ANALYSIS_H

#include "reader/analysis/tensor_health.h"
#include "reader/analysis/timeline.h"
#include "reader/analysis/trial_events.h"
#include "reader/analysis/trial_problems.h"
#include "reader/analysis/worker_gaps.h"
#include "reader/analysis/workers.h"

#endif
