/* SPDX-License-Identifier: Apache-2.0 */
/* How long the steps of a trace wait for the data loader. */
#ifndef SM_TRACE_LOADER_H
#define SM_TRACE_LOADER_H

#include "rules/trace/trace_view.h"

bool sm_trace_is_loader(const char *name); /* of an event: the next batch is waited for */
/* Of each step of the view, the time of the loader's events that begin in it, ns; the caller frees
 * the array with sm_free. *seen: events of the loader, in steps or not. */
int64_t *sm_trace_loader_find(const struct sm_trace_view *v, uint64_t *seen);
/* The share of the steps' time; the step with the longest wait does not count, if there are more
 * than two: it may be that of an epoch's begin. NaN: there are fewer than two steps. */
double sm_trace_loader_share(const struct sm_trace_view *v, const int64_t *loader);

#endif
