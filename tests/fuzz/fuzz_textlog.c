/* SPDX-License-Identifier: Apache-2.0 */
/* Plain logs: the first byte says in how large pieces the rest comes. */
#include "reader/textlog/textlog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct count {
    uint32_t series;
};

static uint32_t add_series(void *ctx, const char *name, size_t n)
{
    struct count *c = ctx;
    if (n == 0 || !name[0])
        __builtin_trap();
    return c->series++;
}

static void add_point(void *ctx, uint32_t series, int64_t step, double time, double value)
{
    const struct count *c = ctx;
    (void)time;
    (void)value;
    if (series >= c->series || step < 0)
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct count c = {0};
    const struct sm_textlog_out out = {&c, add_series, add_point};
    struct sm_textlog *t = n ? sm_textlog_new(NULL, &out) : NULL, *next;
    size_t piece = n && data[0] ? data[0] : 4096;
    for (; t; t = next) {
        for (size_t at = 1; at < n; at += piece) {
            sm_textlog_feed(t, (const char *)data + at, n - at < piece ? n - at : piece);
            sm_textlog_peek(t, n % 2);
        }
        sm_textlog_feed(t, "\n", 1);
        next = sm_textlog_again(t, NULL);
        sm_textlog_free(t);
    }
    return 0;
}
