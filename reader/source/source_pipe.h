/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input, or a named pipe, as a source: somebody writes a log into it.
 *
 * A thread copies what comes into a temporary file without a name, so that a program that prints
 * fast is not held up, memory is bounded, and the log can be read again from its beginning. The
 * source has one file, SM_PIPE_FILE. */
#ifndef SM_SOURCE_PIPE_H
#define SM_SOURCE_PIPE_H

#include "reader/source/source.h"

#define SM_PIPE_PATH "-"
#define SM_PIPE_FILE "stdin"

/* Starts copying fd, which it takes over; once in the process. From then on SM_PIPE_PATH is the
 * pipe. whole: readers wait for the end before they say that they have read all. */
bool sm_pipe_begin(int fd, bool whole, struct sm_err *err);
/* The same with a named pipe, whose path is the pipe then; it may have no writer yet. */
bool sm_pipe_begin_named(const char *path, bool whole, struct sm_err *err);
bool sm_pipe_is_path(const char *path); /* whether it is the pipe's, and that was begun */
/* NULL before sm_pipe_begin. */
struct sm_source *sm_pipe_source(void);
bool sm_pipe_is_source(const struct sm_source *s);
/* Whether nothing more comes. err: why something was lost, if its code is not 0. */
bool sm_pipe_ended(struct sm_err *err);
/* If readers wait for the end: returns when more than n bytes are there, at the end, or after
 * limit_us. False if they do not wait. */
bool sm_pipe_wait(uint64_t n, int64_t limit_us);

#endif
