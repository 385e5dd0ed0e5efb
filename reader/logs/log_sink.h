/* SPDX-License-Identifier: Apache-2.0 */
/* Where the readers of logs put what they find: points of scalars, and what else a logger says of a
 * run. A sink belongs to one run (reader/logs/log_kind.h); its functions are called by the
 * operation `poll` only, in a worker. They do not fail: lack of memory is noted in the sink, and
 * the log is read again from its beginning. */
#ifndef SM_LOG_SINK_H
#define SM_LOG_SINK_H

#include "reader/base/err.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct sm_log_sink;

/* The number of a series; it stays the same for the life of the sink. The name is any bytes but 0,
 * and not empty. */
uint32_t sm_log_series(struct sm_log_sink *s, const char *name, size_t n);
/* A value of a series. step: as the logger counts; where it does not, the number of the row, from
 * 0; negative steps are left out and counted. Where one step comes twice the later one counts.
 * time: seconds since 1970; NaN: not known. value: NaN and infinities are values, too. */
void sm_log_point(struct sm_log_sink *s, uint32_t series, int64_t step, double time, double value);
/* A value of a series that is no number: a histogram, an image, a text. It is read when somebody
 * asks for it, by the operation `make` of the format; see sm_log_source_add. */
struct sm_source;
struct sm_event_value;
struct sm_log_origin;
void sm_log_value(struct sm_log_sink *s, struct sm_source *source, uint32_t series, int64_t step,
                  double time, const struct sm_event_value *v, const struct sm_log_origin *from);
/* What the log has that is not shown: a word or two, said once. */
void sm_log_unshown(struct sm_log_sink *s, const char *what);
/* All points so far are withdrawn, with configuration and all: the log was written anew. */
void sm_log_restart(struct sm_log_sink *s);

/* When the log was last written: the time of points that have none, for the state of the run. The
 * newest one counts. */
void sm_log_written(struct sm_log_sink *s, int64_t mtime_us);

/* What the logger calls the run. */
void sm_log_name(struct sm_log_sink *s, const char *name, size_t n);
/* Configuration and summary (struct sm_run_fields in reader/kind/run_info.h): a JSON value. An
 * object is taken apart: the names of what is in it are joined by '.', an empty one is no key.
 * Bytes that are no JSON become a string. */
void sm_log_config(struct sm_log_sink *s, const char *key, size_t n, const char *json, size_t m);
/* A text: one that is wholly a number becomes that number. */
void sm_log_config_text(struct sm_log_sink *s, const char *key, size_t n, const char *text,
                        size_t m);
void sm_log_summary(struct sm_log_sink *s, const char *key, size_t n, const char *json, size_t m);
/* Of a run that is logged twice: in files of which kinds a series is. */
void sm_log_kinds(struct sm_log_sink *s, const char *series, size_t n, const char *kinds);
void sm_log_began(struct sm_log_sink *s, double time);
/* The logger says that the run has ended; or, with ended false, that it goes on. */
void sm_log_ended(struct sm_log_sink *s, bool ended, int exit_code);
/* Bytes that the program printed. */
void sm_log_console(struct sm_log_sink *s, const char *p, size_t n);
/* What the program told those who watch it; step: -1 if of none, time: 0 or NaN if not known. */
void sm_log_alert(struct sm_log_sink *s, const char *text, size_t n, int64_t step, double time);
/* A metric of the machine, which has a time and no step. */
void sm_log_system(struct sm_log_sink *s, const char *name, size_t n, double time, double value);
/* What is wrong with a file, at an offset or -1. */
void sm_log_problem(struct sm_log_sink *s, const char *file, int64_t offset,
                    const struct sm_err *err);

#endif
