/* SPDX-License-Identifier: Apache-2.0 */
/* What the trials of a kind are like, for all who show or judge them. */
#ifndef SM_TRIAL_TRAITS_H
#define SM_TRIAL_TRAITS_H

#include <stdbool.h>

/* The collection of saved histograms in trials that have them. */
#define SM_HISTOGRAMS "histograms"

struct sm_trial_traits {
    const char *name;  /* in JSON: "tensorboard" */
    const char *label; /* one word: "TensorBoard" */
    const char *title; /* "TensorBoard directory" */
    const char *files; /* "TensorBoard's event files"; NULL unless runs */
    /* Workers are runs, each with steps of its own: one run makes a step complete. There are no
     * collections files (the kind says by names and values what is in losses, scalars and
     * histograms), no index and no end marker. */
    bool runs;
    bool ranks; /* of such a kind: its workers are those of one run all the same */
    /* Files that nobody need add to: after a silence the trial has ended and is not stalled;
     * another file makes it live again. */
    bool silence_ends;
    /* Files that say nothing of their end: after a day of silence the trial has ended, or was
     * stopped; it is not stalled. */
    bool day_ends;
    /* They are known by the kinds of their files (sm_run_info.tensor_files), and have this name
     * only while none was read. */
    bool named_by_files;
    /* They are files of a profiler (sm_trial_traces) and nothing else: 1 + enum sm_trace_format. */
    unsigned char traces;
};
/* Whether the workers are runs of their own, for those who say or compare what they are. */
static inline bool sm_traits_has_runs(const struct sm_trial_traits *t)
{
    return t->runs && !t->ranks;
}

#endif
