/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/machine_events.h"

#include <string.h>
#include <strings.h>
#include <time.h>

enum { LINES = 10 };

struct occurrences {
    size_t n;
    double value;
    int64_t first_ns, last_ns;
};

/* A state that begins and ends has the values 1 and 0 by turns. */
static struct occurrences count(const struct sm_metric_store *m, const struct sm_metric_series *s)
{
    struct occurrences x = {0};
    for (size_t i = 0; i < s->n; i++) {
        if (!(s->values[i] > 0))
            continue;
        x.last_ns = sm_metric_time(m, s, i);
        x.first_ns = x.n++ ? x.first_ns : x.last_ns;
        x.value = s->values[i];
    }
    return x;
}

static void add_time(int64_t ns, struct sm_str *out)
{
    char text[16];
    struct tm tm;
    time_t seconds = (time_t)(ns / 1000000000);
    if (gmtime_r(&seconds, &tm) && strftime(text, sizeof text, "%H:%M:%S", &tm))
        sm_str_add(out, text);
}

/* "algo-1 gpu0: XidError 79, 2 times from 11:22:56 to 11:23:10 UTC" */
static void say(struct sm_result *out, const struct sm_metric_store *m,
                const struct sm_metric_series *s, const struct occurrences *x)
{
    struct sm_str text = {0};
    const char *const names[] = {sm_metric_name(m, s->key.node), sm_metric_name(m, s->key.name),
                                 sm_metric_name(m, s->key.dimension)};
    for (size_t i = 0; i < 3; i++) {
        sm_str_add(&text, i == 2 ? ": " : i ? " " : "");
        sm_str_add_escaped(&text, names[i], strlen(names[i]));
    }
    sm_str_printf(&text, " %g, ", x->value);
    if (x->n > 1)
        sm_str_printf(&text, "%zu times from ", x->n);
    else
        sm_str_add(&text, "at ");
    add_time(x->first_ns, &text);
    if (x->n > 1) {
        sm_str_add(&text, " to ");
        add_time(x->last_ns, &text);
    }
    sm_result_text(out, "%s UTC", sm_str_text(&text));
    sm_str_clear(&text);
}

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_metric_store *m,
                    const struct sm_metric_series *s, const struct occurrences *x)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "node", sm_metric_name(m, s->key.node));
    sm_node_text(out, row, "name", sm_metric_name(m, s->key.name));
    sm_node_text(out, row, "event", sm_metric_name(m, s->key.dimension));
    sm_node_uint(out, row, "times", x->n);
    sm_node_double(out, row, "value", x->value, false);
    sm_node_int(out, row, "first_ns", x->first_ns);
    sm_node_int(out, row, "last_ns", x->last_ns);
}

void sm_machine_events_add(struct sm_result *out, struct sm_node *map, const struct sm_profile *p)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    struct sm_node *list = sm_node_list(out, map, "events");
    size_t n = 0;
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        if (s->key.name == SM_NAME_NONE || strcasecmp(sm_metric_name(m, s->key.type), "event") != 0)
            continue;
        struct occurrences x = count(m, s);
        if (!x.n)
            continue;
        add_row(out, list, m, s, &x);
        if (n++ < LINES)
            say(out, m, s, &x);
    }
    if (n > LINES)
        sm_result_dim(out, "%zu more kinds of events; -json has all.", n - LINES);
}
