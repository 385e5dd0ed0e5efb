/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of traces by their own time. */
#include "commands/place/name_regex.h"
#include "commands/trace/trace_tables.h"
#include "rules/trace/trace_ops.h"

#include <string.h>

enum { SHOWN = 20 };

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "self_cpu_time", .header = "SELF", .format = SM_COL_DURATION},
    {.key = "cpu_time", .header = "TOTAL", .format = SM_COL_DURATION},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_DURATION},
    {.key = "name", .header = "OPERATOR"},
    {.key = "trace", .header = "TRACE"},
};

/* What operators are chosen by: a glob, or a regular expression between slashes. */
struct filter {
    const char *glob; /* NULL: all */
    bool is_regex;
    struct sm_name_regex regex;
};

static bool read_filter(const char *text, struct filter *f, struct sm_err *err)
{
    struct sm_text inside = text ? sm_name_regex_text(sm_text(text)) : sm_text("");
    *f = (struct filter){.glob = text, .is_regex = text && inside.p};
    return !f->is_regex || sm_name_regex_init(&f->regex, inside, false, err);
}

static bool is_wanted(const struct filter *f, const char *name)
{
    return f->is_regex ? sm_name_regex_matches(&f->regex, sm_text(name))
                       : !f->glob || sm_glob_match(f->glob, name);
}

static size_t add_ops(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                      size_t i, const struct filter *f, size_t most)
{
    const struct sm_trace_data *trace = t->views[i].trace;
    struct sm_op_sum *sums;
    size_t n = sm_op_sums_find(&t->views[i], &sums), wanted = 0;
    for (size_t k = 0; k < n; k++) {
        const char *name = sums[k].step ? "ProfilerStep*" : sm_trace_name(trace, sums[k].name);
        if (!is_wanted(f, name) || wanted++ >= most)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", t->items[i]->rank);
        if (sums[k].step)
            sm_node_text(out, row, "name", name);
        else
            sm_trace_node_name(out, row, "name", trace, sums[k].name);
        sm_node_uint(out, row, "count", sums[k].count);
        sm_node_int(out, row, "self_cpu_time", sums[k].self_ns);
        sm_node_int(out, row, "cpu_time", sums[k].total_ns);
        sm_node_int(out, row, "max", sums[k].max_ns);
        sm_trace_node_file(out, row, t, i);
    }
    sm_free(sums);
    return wanted > most ? wanted - most : 0;
}

bool sm_trace_run_ops(struct sm_call *c, const char *device, const char *pattern,
                      struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    const struct sm_word *n = sm_call_option(c, "n");
    int64_t most = c->output == SM_OUTPUT_TEXT ? SHOWN : INT64_MAX;
    size_t more = 0;
    struct filter f;
    if (!t || (n && !sm_call_int(n, 1, INT64_MAX, &most, err)))
        return false;
    if (device && strcmp(device, "gpu") == 0)
        return sm_err_set(err, SM_ERR_USAGE, "Use \"profile kernels\" for the work of GPUs.");
    if (!read_filter(pattern, &f, err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < t->n; i++)
        more += add_ops(out, list, t, i, &f, (size_t)most);
    sm_name_regex_clear(&f.regex);
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns - !t->many);
    if (more)
        sm_result_dim(out, "%zu more operators; use -n.", more);
    else if (!list->first)
        sm_result_dim(out, f.glob ? "No operator matches." : "The traces have no operators.");
    return true;
}
