/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double sm_report_number(const struct sm_node *x)
{
    if (!x)
        return (double)NAN;
    return x->type == SM_NODE_INT      ? (double)x->i
           : x->type == SM_NODE_UINT   ? (double)x->u
           : x->type == SM_NODE_DOUBLE ? x->d
                                       : (double)NAN;
}

bool sm_report_is_map(const struct sm_node *x)
{
    return x && x->type == SM_NODE_MAP;
}

/* A member of a map that is a map; NULL: there is none. */
const struct sm_node *sm_report_member(const struct sm_node *map, const char *key)
{
    const struct sm_node *x = sm_report_is_map(map) ? sm_node_get(map, key) : NULL;
    return sm_report_is_map(x) ? x : NULL;
}

double sm_report_value(const struct sm_node *map, const char *key)
{
    return sm_report_is_map(map) ? sm_report_number(sm_node_get(map, key)) : (double)NAN;
}

const struct sm_node *sm_report_details(const struct sm_profile_report *r, const char *name)
{
    return sm_report_member(sm_profile_report_rule(r, name), "Details");
}

double sm_report_triggered(const struct sm_profile_report *r, const char *name)
{
    double n = sm_report_value(sm_profile_report_rule(r, name), "RuleTriggered");
    return isnan(n) ? 0 : n;
}

const char *sm_report_time_text(struct sm_sheet *o, double seconds)
{
    char text[64] = "-";
    bool known = isfinite(seconds) && fabs(seconds) < 1e11;
    time_t t = known ? (time_t)seconds : 0;
    struct tm tm;
    if (known && gmtime_r(&t, &tm))
        strftime(text, sizeof text, "%H:%M:%S %m/%d/%Y", &tm);
    return sm_arena_xstrndup(&o->text->arena, text, strlen(text));
}

double sm_report_at_least_0(double v)
{
    return v > 0 ? v : 0;
}

static int by_value(const void *a, const void *b)
{
    const struct sm_sheet_bar *x = a, *y = b;
    return x->value < y->value ? 1 : x->value > y->value ? -1 : 0;
}

/* The numbers of a map, the greatest first. */
size_t sm_report_fill_bars(const struct sm_node *map, struct sm_sheet_bar *bars)
{
    size_t n = 0;
    for (const struct sm_node *x = sm_report_is_map(map) ? map->first : NULL;
         x && n < SM_REPORT_BARS; x = x->next)
        if (!isnan(sm_report_number(x)))
            bars[n++] = (struct sm_sheet_bar){x->key, sm_report_number(x)};
    if (n)
        qsort(bars, n, sizeof *bars, by_value);
    return n;
}

void sm_report_put_shares(const struct sm_node *map, const char *caption, struct sm_sheet *o)
{
    struct sm_sheet_bar bars[SM_REPORT_BARS];
    sm_sheet_bars(o, caption, bars, sm_report_fill_bars(map, bars));
}

void sm_report_put_breakdown(const struct sm_node *d, struct sm_sheet *o)
{
    sm_report_put_shares(sm_report_member(d, "phase"), "Steps and the time between them", o);
    sm_report_put_shares(sm_report_member(d, "forward_backward"), "Forward and backward pass", o);
    sm_report_put_shares(sm_report_member(d, "ratio"), "Operators of CPU and GPU", o);
    sm_report_put_shares(sm_report_member(d, "general"), "Other phases", o);
    sm_report_put_shares(sm_report_member(d, "horovod"), "Horovod", o);
}
