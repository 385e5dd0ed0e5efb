/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the beginning of a file is a log. */
#include "reader/base/mem.h"
#include "reader/base/utf16.h"
#include "reader/base/vec.h"
#include "reader/textlog/textlog.h"

struct seen {
    int64_t step;
    unsigned points; /* with ascending steps */
};
struct look {
    struct seen *series;
    size_t n, cap;
    bool enough;
};

static uint32_t look_series(void *ctx, const char *name, size_t n)
{
    struct look *l = ctx;
    (void)name;
    (void)n;
    if (!SM_VEC_ROOM(l->series, l->n, l->cap))
        return UINT32_MAX;
    l->series[l->n] = (struct seen){.step = -1};
    return (uint32_t)l->n++;
}

static void look_point(void *ctx, uint32_t series, int64_t step, double time, double value)
{
    struct look *l = ctx;
    (void)time;
    (void)value;
    if (series >= l->n || step <= l->series[series].step)
        return;
    l->series[series].step = step;
    l->enough = l->enough || ++l->series[series].points >= 3;
}

bool sm_textlog_looks_like(const char *p, size_t n, const struct sm_textlog_patterns *patterns)
{
    enum { PIECE = 16 * 1024 };
    struct look look = {0};
    size_t mark = sm_text_mark(p, n);
    const struct sm_textlog_out out = {&look, look_series, look_point};
    struct sm_textlog *t = sm_textlog_new(patterns, &out), *next;
    for (; t && !look.enough; t = next) {
        look.n = 0;
        for (size_t at = mark; at < n && !look.enough; at += PIECE)
            sm_textlog_feed(t, p + at, n - at < PIECE ? n - at : PIECE);
        next = look.enough ? NULL : sm_textlog_again(t, patterns);
        sm_textlog_free(t);
    }
    sm_free(look.series);
    return look.enough;
}
