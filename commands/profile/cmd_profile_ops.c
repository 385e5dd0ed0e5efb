/* SPDX-License-Identifier: Apache-2.0 */
/* profile ops: operators of the framework by their time. */
#include "commands/place/name_regex.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_rows.h"
#include "commands/trace/trace_tables.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };

static const struct sm_column columns[] = {
    {.key = "percentage", .header = "PERCENT", .format = SM_COL_NUMBER},
    {.key = "total_ns", .header = "TOTAL", .format = SM_COL_DURATION},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "mean_ns", .header = "MEAN", .format = SM_COL_DURATION},
    {.key = "max_ns", .header = "MAX", .format = SM_COL_DURATION},
    {.key = "operator", .header = "OPERATOR"},
    {.key = "phase", .header = "PHASE"},
    {.key = "device", .header = "DEVICE", .hidden = true},
};

struct sm_profile_columns sm_profile_op_columns(void)
{
    return (struct sm_profile_columns){columns, sizeof columns / sizeof *columns};
}

static const char *const devices[] = {"cpu", "gpu", "all", NULL};

static enum sm_profile_device device_of(const struct sm_event_store *x, uint32_t phase)
{
    uint64_t at;
    const char *name = sm_names_text(x->names, phase);
    bool known = sm_map_get(&x->by_phase, phase, &at);
    enum sm_phase_class c =
        sm_phase_class(name, known ? (enum sm_pevents_kind)x->phases[at].kind : SM_PEVENTS_OTHER);
    return c == SM_PHASE_CPU   ? SM_PROFILE_CPU
           : c == SM_PHASE_GPU ? SM_PROFILE_GPU
                               : SM_PROFILE_OTHER;
}

/* regex: NULL: the filter is none. */
static bool is_wanted(const struct sm_profile_choice *w, const struct sm_name_regex *regex,
                      const struct sm_event_store *x, const struct sm_operator *op)
{
    const struct sm_text name = {sm_names_text(x->names, op->name),
                                 sm_names_length(x->names, op->name)};
    return w->devices[device_of(x, op->phase)] &&
           (regex ? sm_name_regex_matches(regex, name)
                  : !w->filter || sm_glob_match(w->filter, name.p));
}

static int by_total(const void *a, const void *b)
{
    const struct sm_operator *x = *(const struct sm_operator *const *)a,
                             *y = *(const struct sm_operator *const *)b;
    if (x->sum.total_ns != y->sum.total_ns)
        return x->sum.total_ns > y->sum.total_ns ? -1 : 1;
    return x->name != y->name ? (x->name < y->name ? -1 : 1)
                              : (x->phase > y->phase) - (x->phase < y->phase);
}

static void add_operator(struct sm_result *out, struct sm_node *list,
                         const struct sm_event_store *x, const struct sm_operator *op,
                         const double sums[SM_PROFILE_DEVICES])
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    enum sm_profile_device device = device_of(x, op->phase);
    double own = (double)op->sum.total_ns, total = sums[device];
    sm_node_text(out, row, "device", device == SM_PROFILE_OTHER ? "other" : devices[device]);
    sm_node_textn(out, row, "operator", sm_names_text(x->names, op->name),
                  sm_names_length(x->names, op->name));
    sm_node_textn(out, row, "phase", sm_names_text(x->names, op->phase),
                  sm_names_length(x->names, op->phase));
    sm_node_double(out, row, "percentage", total > 0 ? 100 * own / total : 0, false);
    sm_node_int(out, row, "total_ns", op->sum.total_ns);
    sm_node_uint(out, row, "count", op->sum.count);
    sm_profile_node_duration(out, row, "mean_ns", own / (double)op->sum.count);
    sm_node_int(out, row, "min_ns", op->sum.min_ns);
    sm_node_int(out, row, "max_ns", op->sum.max_ns);
}

static bool has_devices(const struct sm_event_store *x)
{
    for (size_t i = 0; i < x->n_phases; i++)
        if (device_of(x, x->phases[i].name) != SM_PROFILE_OTHER)
            return true;
    return false;
}

/* Percentages are of all operators of the same device, whatever the filter. */
static void sum_devices(const struct sm_event_store *x, double sums[SM_PROFILE_DEVICES])
{
    for (size_t i = 0; i < x->n_phases; i++)
        sums[device_of(x, x->phases[i].name)] += (double)x->phases[i].sum.total_ns;
}

struct sm_profile_choice sm_profile_all_operators(const struct sm_event_store *x)
{
    struct sm_profile_choice w = {.devices = {true, true, true}};
    w.devices[SM_PROFILE_OTHER] = !has_devices(x);
    return w;
}

/* In order of time. False: the filter is no regular expression. */
static bool collect(const struct sm_event_store *x, const struct sm_profile_choice *w,
                    const struct sm_operator **order, size_t *n, struct sm_err *err)
{
    struct sm_text inside = w->filter ? sm_name_regex_text(sm_text(w->filter)) : sm_text("");
    bool is_regex = w->filter && inside.p;
    struct sm_name_regex regex = {0};
    bool ok = !is_regex || sm_name_regex_init(&regex, inside, false, err);
    *n = 0;
    for (size_t i = 0; ok && i < x->n_operators; i++)
        if (is_wanted(w, is_regex ? &regex : NULL, x, &x->operators[i]))
            order[(*n)++] = &x->operators[i];
    sm_name_regex_clear(&regex);
    if (*n)
        qsort(order, *n, sizeof(*order), by_total);
    return ok;
}

bool sm_profile_op_rows(struct sm_result *out, struct sm_node *list, const struct sm_event_store *x,
                        const struct sm_profile_choice *w, size_t most, size_t *n,
                        struct sm_err *err)
{
    double sums[SM_PROFILE_DEVICES] = {0};
    const struct sm_operator **order =
        sm_arena_xalloc(&out->arena, (x->n_operators + 1) * sizeof(*order));
    if (!collect(x, w, order, n, err))
        return false;
    sum_devices(x, sums);
    for (size_t i = 0; i < *n && i < most; i++)
        add_operator(out, list, x, order[i], sums);
    return true;
}

/* What stands before the pattern, and the pattern; NULL: it is not there. */
static bool read_words(const struct sm_call *c, const char **device, const char **pattern,
                       struct sm_err *err)
{
    size_t n = 0;
    *device = *pattern = NULL;
    for (size_t i = 0; c->n_words && devices[i]; i++)
        if (sm_text_is(c->words[0].text, devices[i])) {
            *device = devices[i];
            n = 1;
        }
    if (n < c->n_words)
        *pattern = c->words[n++].text.p;
    return n == c->n_words ||
           sm_err_set(err, SM_ERR_USAGE, "Too many patterns: \"%s\".", c->words[n].text.p);
}

/* Without a device: cpu and gpu, or all if there are none of these. */
static struct sm_profile_choice choice_of(const struct sm_event_store *x, const char *device,
                                          const char *pattern)
{
    struct sm_profile_choice w = sm_profile_all_operators(x);
    w.filter = pattern;
    for (int i = 0; device && i < SM_PROFILE_DEVICES; i++)
        w.devices[i] = strcmp(device, "all") == 0 || strcmp(device, devices[i]) == 0;
    return w;
}

static bool run_ops(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const char *device, *pattern;
    if (!read_words(c, &device, &pattern, err))
        return false;
    if (sm_trace_is_asked(c))
        return sm_trace_run_ops(c, device, pattern, out, err);
    const struct sm_profile *p = sm_profile_ask(c, err);
    const struct sm_word *most_word = sm_call_option(c, "n");
    int64_t most = c->output == SM_OUTPUT_TEXT ? SHOWN : INT64_MAX;
    if (!p || (most_word && !sm_call_int(most_word, 1, INT64_MAX, &most, err)))
        return false;
    const struct sm_event_store *x = sm_profile_events(p);
    struct sm_profile_choice w = choice_of(x, device, pattern);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    size_t n;
    if (!sm_profile_op_rows(out, list, x, &w, (size_t)most, &n, err))
        return false;
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if ((int64_t)n > most)
        sm_result_dim(out, "%zu more operators; use -n.", n - (size_t)most);
    if (!n && x->n_events)
        sm_result_dim(out, "No operator matches.");
    else if (!n)
        sm_profile_remarks(out, p);
    return true;
}

static const struct sm_arg args[] = {
    {.name = "cpu|gpu|all", .kind = SM_ARG_WORD, .words = devices, .may_lack = true},
    {.name = "PATTERN",
     .kind = SM_ARG_TEXT,
     .help = "only operators with such names, as conv* or /conv|gemm/"},
    {0},
};
static const struct sm_option options[] = {
    {.name = "n", .kind = SM_ARG_NUMBER, .value = "N", .help = "at most N operators (20 in text)"},
    SM_TRACE_OPTIONS,
    {0},
};
const struct sm_cmd sm_cmd_profile_ops = {
    .parent = "profile",
    .name = "ops",
    .cmd_class = SM_CLASS_DATA,
    .summary = "List the operators of CPU and GPU by their time",
    .help = "Operators are the events of phases with \"cpu\" or \"gpu\" in their names "
            "(cpu_functions, /device:GPU:0);\nwithout such phases, and with `all`, all events "
            "are listed. A percentage is of all time of operators of the same device.",
    .example = "profile ops cpu conv*",
    .see_also = "profile phases",
    .args = args,
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{device:'cpu'|'gpu'|'other',operator:name,phase:name,percentage:num,total_ns:int,"
              "count:int,mean_ns:int?,min_ns:int,max_ns:int}|" SM_SHAPE_TRACE_OP "]",
    .run = run_ops,
};
