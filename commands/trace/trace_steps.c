/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of traces, with their waits for data. */
#include "commands/trace/trace_tables.h"
#include "rules/trace/trace_loader.h"

#include <math.h>

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "ts", .header = "START", .hidden = true},
    {.key = "dur", .header = "DURATION", .format = SM_COL_DURATION},
    {.key = "dataloader", .header = "DATA LOADER", .format = SM_COL_DURATION},
    {.key = "dataloader_pctg", .header = "%", .format = SM_COL_NUMBER},
    {.key = "trace", .header = "TRACE"},
};

static void add_step(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                     size_t i, const struct sm_trace_step *s, int64_t loader)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    int64_t dur = s->end_ns - s->start_ns;
    sm_node_int(out, row, "rank", t->items[i]->rank);
    sm_node_int(out, row, "step", s->number);
    sm_node_int(out, row, "ts", s->start_ns);
    sm_node_int(out, row, "dur", dur);
    sm_node_int(out, row, "dataloader", loader);
    sm_trace_node_rounded(out, row, "dataloader_pctg",
                          dur > 0 ? 100 * (double)loader / (double)dur : NAN, 2);
    sm_trace_node_file(out, row, t, i);
}

static double duration(const struct sm_trace_step *s)
{
    return (double)(s->end_ns - s->start_ns);
}

/* Above this a step of the trace takes too long: as of a profile. */
static double limit_of(const struct sm_trace_view *v, double stddev)
{
    double mean = 0, sum = 0, n = (double)v->n_steps;
    for (size_t k = 0; k < v->n_steps; k++)
        mean += duration(&v->steps[k]) / n;
    for (size_t k = 0; k < v->n_steps; k++)
        sum += (duration(&v->steps[k]) - mean) * (duration(&v->steps[k]) - mean);
    return n > 0 ? mean + stddev * sqrt(sum / n) : 0;
}

bool sm_trace_run_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    const struct sm_word *word = sm_call_option(c, "stddev");
    bool outliers = sm_call_flag(c, "outliers") && !sm_call_flag(c, "list");
    size_t steps = 0;
    double stddev = 3;
    if (!t || (word && !sm_call_double(word, &stddev, err)))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < t->n; i++) {
        uint64_t seen;
        const struct sm_trace_view *v = &t->views[i];
        int64_t *loader = sm_trace_loader_find(v, &seen);
        double limit = limit_of(v, stddev);
        for (size_t k = 0; k < v->n_steps; k++)
            if (!outliers || duration(&v->steps[k]) > limit)
                add_step(out, list, t, i, &v->steps[k], loader[k]);
        steps += v->n_steps;
        sm_free(loader);
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns - !t->many);
    if (steps && !list->first)
        sm_result_dim(out, "No step takes longer than the mean and %g standard deviations.",
                      stddev);
    else if (!list->first)
        sm_result_dim(out, "The traces have no steps: no annotation \"ProfilerStep#N\".");
    sm_trace_remarks(out, t);
    return true;
}
