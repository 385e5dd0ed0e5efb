/* hist: the distribution of one value. */
#include "commands/args.h"
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "plot/chart.h"
#include "reader/slice.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool bins_of(struct sm_call *c, struct sm_summary_spec *spec, struct sm_err *err)
{
    const struct sm_word *bins = sm_call_option(c, "bins");
    int64_t n = 10;
    spec->want = bins && sm_text_is(bins->text, "tb") ? SM_SUMMARY_TENSORBOARD : SM_SUMMARY_HISTOGRAM;
    if (bins && spec->want == SM_SUMMARY_HISTOGRAM && !sm_text_is(bins->text, "numpy") &&
        !sm_call_int(bins, 1, SM_BINS_MAX, &n, err))
        return false;
    spec->bins = (size_t)n;
    return true;
}

static void hist_tree(struct sm_result *out, struct sm_node *map, const struct sm_histogram *h)
{
    struct sm_node *edges = sm_node_list(out, map, "edges");
    for (size_t i = 0; h->bins && i <= h->bins; i++)
        sm_node_double(out, edges, NULL, h->edges[i], false);
    struct sm_node *counts = sm_node_list(out, map, "counts");
    for (size_t i = 0; i < h->bins; i++)
        sm_node_uint(out, counts, NULL, h->counts[i]);
    sm_node_uint(out, map, "nan", h->nan);
    sm_node_uint(out, map, "pos_inf", h->pos_inf);
    sm_node_uint(out, map, "neg_inf", h->neg_inf);
}

static void hist_text(struct sm_call *c, struct sm_result *out, const struct sm_histogram *h)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    if (h->bins) {
        struct sm_grid *g = sm_result_grid(out, 1, 1);
        sm_hist_rows(g, h->edges, h->counts, h->bins, 40, o.glyphs);
    }
    if (h->nan || h->pos_inf || h->neg_inf)
        sm_result_text(out, "not counted: %llu nan, %llu +inf, %llu -inf", (unsigned long long)h->nan,
                       (unsigned long long)h->pos_inf, (unsigned long long)h->neg_inf);
}

static const struct sm_column hist_columns[] = {
    {.key = "left", .header = "LEFT", .format = SM_COL_NUMBER},
    {.key = "right", .header = "RIGHT", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
};

/* Tables have a row a bin; JSON is one object (doc/language.md). */
static void hist_rows(struct sm_result *out, const struct sm_histogram *h)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < h->bins; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_double(out, row, "left", h->edges[i], false);
        sm_node_double(out, row, "right", h->edges[i + 1], false);
        sm_node_uint(out, row, "count", h->counts[i]);
    }
    out->rows = list;
    out->columns = hist_columns;
    out->n_columns = COUNT(hist_columns);
}

static void hist_head(struct sm_result *out, const struct sm_target *t, const struct sm_part *p)
{
    struct sm_str head = {0};
    sm_str_add_escaped(&head, t->name, strlen(t->name));
    if (t->slice)
        sm_slice_text(&head, t->slice);
    sm_str_add(&head, "  ");
    sm_describe_step(&head, p->step, p->mode, p->mode_step);
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
}

static bool run_hist(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_target target;
    const struct sm_entry *e;
    struct sm_summary_spec spec = {0};
    struct sm_summary summary;
    if (!bins_of(c, &spec, err) || !sm_args_target(c, &target, err) || !sm_args_entry(c, &target, &e, err))
        return false;
    spec.slice = target.slice;
    if (!sm_summary_read(c->session->summaries, target.trial, e, &spec, &summary, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", target.name);
    sm_describe_place(out, map, target.trial, e);
    hist_tree(out, map, &summary.histogram);
    hist_rows(out, &summary.histogram);
    out->root = map;
    hist_head(out, &target, sm_trial_part(target.trial, e->part));
    hist_text(c, out, &summary.histogram);
    sm_summary_clear(&summary);
    return true;
}

static const struct sm_arg hist_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
static const struct sm_option hist_options[] = {
    {.name = "bins", .kind = SM_ARG_TEXT, .value = "N|tb|numpy", .help = "number of bins (10), or TensorBoard's own 30"},
    {0},
};
const struct sm_cmd sm_cmd_hist = {
    .name = "hist",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Histogram of a tensor at a step, as numpy.histogram counts",
    .example = "hist CNN_conv0.weight step 10 -bins 20",
    .see_also = "stat plot",
    .args = hist_args,
    .options = hist_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_hist,
};
