/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_count.h"
#include "reader/textlog/textlog_number.h"

#include <string.h>

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && sm_textlog_is_blank(*p))
        p++;
    return p;
}

const char *sm_textlog_read_count(const char *p, const char *end, int64_t *n)
{
    struct sm_textlog_number number;
    p = skip_blanks(p, end);
    if (p >= end || !sm_textlog_is_digit(*p) || !sm_textlog_number(p, end, true, &number) ||
        !number.whole || number.integer < 0)
        return NULL;
    *n = number.integer;
    return number.next;
}

const char *sm_textlog_read_total(const char *p, const char *end, int64_t *of)
{
    const char *q = skip_blanks(p, end);
    *of = 0;
    if (q < end && *q == '/') {
        const char *next = sm_textlog_read_count(q + 1, end, of);
        for (q = skip_blanks(q + 1, end); !next && q < end && *q == '?';)
            q++;
        return next ? next : q > p && q[-1] == '?' ? q : NULL;
    }
    if (end - q > 3 && memcmp(q, "of ", 3) == 0) {
        const char *next = sm_textlog_read_count(q + 3, end, of);
        return next ? next : p;
    }
    return p;
}

bool sm_textlog_count_ends(const char *p, const char *end)
{
    if (p < end && *p == '-')
        return p + 1 == end || !sm_textlog_is_word(p[1]);
    return p == end || (!sm_textlog_is_letter(*p) && *p != '%' && sm_textlog_number_ends(p, end));
}

bool sm_textlog_read_position(const char *p, const char *end, struct sm_textlog_head *h)
{
    const char *q = p;
    while (q < end && (sm_textlog_is_blank(*q) || *q == ':' || *q == '|' || *q == ','))
        q++;
    bool open = q < end && (*q == '[' || *q == '(');
    *h = (struct sm_textlog_head){.unit = SM_TEXTLOG_BATCH, .begin = q};
    q = sm_textlog_read_count(q + open, end, &h->n);
    q = q ? sm_textlog_read_total(q, end, &h->of) : NULL;
    if (!q || h->of == 0 || !sm_textlog_count_ends(q, end))
        return false;
    if (open) { /* perhaps with " (1%)" before the bracket */
        const char *close = memchr(q, h->begin[0] == '[' ? ']' : ')', (size_t)(end - q));
        q = close && close - q < 16 ? close + 1 : q;
    }
    h->end = q;
    return true;
}

bool sm_textlog_find_position(struct sm_text line, struct sm_textlog_head *out)
{
    const char *end = line.p + line.n;
    for (const char *p = line.p; p < end && (p = memchr(p, '[', (size_t)(end - p))); p++)
        if (sm_textlog_read_position(p, end, out))
            return true;
    return false;
}
