/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of run that are logs: files of numbers by name and step, without tensors.
 *
 * The room reader/logs is what these kinds share: a record of three functions for each format
 * (struct sm_log_format), where it puts what it reads (log_sink.h), a file that is followed while
 * it grows (log_file.h), lists of JSON values with bare NaN (log_json.h), and the operations of a
 * kind of trial made of them. A format is a file, here or in a room after this one, that defines
 *
 *     const struct sm_trial_kind sm_trial_kind_csv = SM_LOG_KIND(traits, format, find);
 *
 * and a line in reader/trial_kinds.h. */
#ifndef SM_LOG_KIND_H
#define SM_LOG_KIND_H

#include "reader/kind/run_folder.h"
#include "reader/kind/trial_kind.h"
#include "reader/logs/log_sink.h"
#include "reader/logs/log_source.h"

struct sm_log_format {
    /* The state of one run; no I/O. in->source is the folder of the run, in->options.member what
     * `find` gave; both live as long as the state. NULL: no memory. */
    void *(*open)(const struct sm_trial_input *in);
    void (*close)(void *state);
    /* Hands on what is new since the last call; one call at a time, in a worker. Returns at the end
     * of what is there, or earlier: true if more can be read at once. A turn should take at most
     * SM_LOG_TURN_BYTES of a file. What is not whole yet (the last line, a torn record) is left for
     * a later call. Files that are missing are no problem: they may come. */
    bool (*poll)(void *state, struct sm_log_sink *sink);
    /* Of formats whose values are not all numbers (sm_log_value), else NULL. */
    sm_log_make *make;
};
enum { SM_LOG_TURN_BYTES = 4 * 1024 * 1024 };

/* The operations of such a kind. */
void *sm_log_state_new(const struct sm_trial_input *in);
void sm_log_state_free(void *state);
void sm_log_list(void *state, struct sm_tail_changes *n);
struct sm_batch *sm_log_read(const void *state, size_t from, size_t to);
void sm_log_settle(void *state, const struct sm_batch *b, size_t n_merged);
void sm_log_unread(void *state);

#define SM_LOG_KIND(traits_, format_, find_)                                                       \
    {                                                                                              \
        .traits = &(traits_), .log = &(format_), .find = (find_), .new_state = sm_log_state_new,   \
        .free_state = sm_log_state_free, .list = sm_log_list, .read = sm_log_read,                 \
        .settle = sm_log_settle, .unread = sm_log_unread                                           \
    }

#endif
