/* SPDX-License-Identifier: Apache-2.0 */
/* Traces made of text, for tests. Times are in microseconds, as in files. */
#ifndef SM_TEST_TRACE_TEXT_H
#define SM_TEST_TRACE_TEXT_H

#include "reader/base/str.h"
#include "reader/trace/trace_read.h"
#include "rules/trace/trace_view.h"

#include <stdio.h>
#include <string.h>

static inline void trace_event(struct sm_str *s, const char *cat, const char *name, int tid,
                               double ts, double dur, const char *args)
{
    sm_str_printf(s,
                  "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,"
                  "\"dur\":%.3f,\"args\":{%s}}",
                  s->len ? "," : "", cat, name, tid, ts, dur, args);
}
/* A launch and its work, in a stream. */
static inline void trace_work(struct sm_str *s, int correlation, const char *name, int stream,
                              double launched, double ts, double dur, const char *args)
{
    char more[512];
    snprintf(more, sizeof more, "\"correlation\":%d", correlation);
    trace_event(s, "cuda_runtime", "cudaLaunchKernel", 100, launched, 2, more);
    snprintf(more, sizeof more, "\"correlation\":%d,\"stream\":%d%s%s", correlation, stream,
             *args ? "," : "", args);
    trace_event(s, strncmp(name, "Memcpy", 6) == 0 ? "gpu_memcpy" : "kernel", name, stream, ts, dur,
                more);
}
/* The item of these events; clears the text. */
static inline void trace_make(struct sm_str *s, int64_t rank, struct sm_trace_item *out)
{
    struct sm_str text = {0};
    *out = (struct sm_trace_item){.rank = rank, .named = true};
    snprintf(out->worker, sizeof out->worker, "rank_%lld", (long long)rank);
    sm_str_printf(&text, "[%s]", sm_str_text(s));
    struct sm_trace_reader *r = sm_trace_reader_new(&out->trace);
    sm_trace_feed(r, text.data, text.len);
    sm_trace_finish(r);
    sm_trace_reader_free(r);
    sm_str_clear(&text);
    sm_str_clear(s);
}

#endif
