/* SPDX-License-Identifier: Apache-2.0 */
/* hist: the histogram of a tensor, at one step, several steps or in several trials. */
#include "commands/answer/shape.h"
#include "commands/pictures/hist_steps.h"
#include "commands/pictures/hist_trials.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "plot/chart.h"
#include "reader/tensor/slice.h"

enum { TRIALS_BINS = 30 };

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool read_bins(struct sm_call *c, struct sm_summary_spec *spec, struct sm_err *err)
{
    const struct sm_word *bins = sm_call_option(c, "bins");
    int64_t n = 0;
    spec->want =
        bins && sm_text_is(bins->text, "tb") ? SM_SUMMARY_TENSORBOARD : SM_SUMMARY_HISTOGRAM;
    if (bins && spec->want == SM_SUMMARY_HISTOGRAM && !sm_text_is(bins->text, "numpy") &&
        !sm_call_int(bins, 1, SM_BINS_MAX, &n, err))
        return false;
    spec->bins = (size_t)n;
    return true;
}

/* Horizontal bars with their numbers; with -log, -w or -h vertical bars of that size. */
static bool hist_text(struct sm_call *c, struct sm_result *out, const struct sm_histogram *h,
                      struct sm_err *err)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    bool log = sm_call_flag(c, "log"),
         vertical = log || sm_call_option(c, "w") || sm_call_option(c, "h");
    int width = sm_plot_width(&o), height = 18;
    if (!sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &width, err) ||
        !sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &height, err))
        return false;
    if (h->bins && vertical) {
        struct sm_grid *g = sm_result_grid(out, width, height);
        sm_hist_draw(g, (struct sm_rect){0, 0, width, height}, h->edges, h->counts, h->bins, log,
                     o.glyphs);
    } else if (h->bins) {
        struct sm_grid *g = sm_result_grid(out, 1, 1);
        sm_hist_rows(g, h->edges, h->counts, h->bins, 40, o.glyphs);
    }
    if (h->nan || h->pos_inf || h->neg_inf)
        sm_result_text(out, "not counted: %llu nan, %llu +inf, %llu -inf",
                       (unsigned long long)h->nan, (unsigned long long)h->pos_inf,
                       (unsigned long long)h->neg_inf);
    return true;
}

static const struct sm_column hist_columns[] = {
    {.key = "left", .header = "LEFT", .format = SM_COL_NUMBER},
    {.key = "right", .header = "RIGHT", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
};

/* Tables have one row per bin; JSON is one object (doc/language.md). */
static void hist_rows(struct sm_result *out, const struct sm_histogram *h)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_hist_bins(out, list, h, NULL);
    out->rows = list;
    out->columns = hist_columns;
    out->n_columns = COUNT(hist_columns);
}

static bool hist_of_one(struct sm_call *c, struct sm_result *out, struct sm_place *place,
                        struct sm_summary_spec *spec, struct sm_err *err)
{
    struct sm_entry e;
    struct sm_summary summary;
    struct sm_str head = {0};
    bool whole = !place->slice;
    if (!sm_place_entry(place, &e, err) || !sm_place_sample(c, place, &e, err))
        return false;
    spec->slice = place->slice;
    if (!sm_summary_read(c->session->summaries, place->trial, &e, spec, &summary, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_place_node(out, map, place, &e);
    sm_hist_tree(out, map, &summary.histogram);
    hist_rows(out, &summary.histogram);
    out->root = map;
    sm_place_add_heading(&head, place, &e);
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
    if (whole && place->slice) {
        sm_place_note_sample(out, &e);
        sm_place_sample_node(out, map, place);
    }
    bool ok = hist_text(c, out, &summary.histogram, err);
    sm_summary_clear(&summary);
    return ok;
}

static bool run_hist(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_places places;
    struct sm_trial_set trials;
    struct sm_summary_spec spec = {0};
    if (!read_bins(c, &spec, err))
        return false;
    if (sm_call_option(c, "trials")) {
        spec.bins = sm_call_option(c, "bins") ? spec.bins : TRIALS_BINS;
        return sm_trial_set_read(c, &trials, err) && sm_hist_trials(c, out, &trials, &spec, err);
    }
    if (!sm_places_read(c, &places, err))
        return false;
    spec.slice = places.items[0].slice;
    return places.n > 1 ? sm_hist_steps(c, out, &places, &spec, err)
                        : hist_of_one(c, out, places.items, &spec, err);
}

static const struct sm_arg hist_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    SM_PLACE_ROWS,
    {0},
};
static const struct sm_option hist_options[] = {
    {.name = "bins",
     .kind = SM_ARG_TEXT,
     .value = "N|tb|numpy",
     .help = "number of bins (10, as in numpy; those saved in a histogram), or tb for "
             "TensorBoard's 30 bins",
     .initial = "10"},
    {.name = "as",
     .kind = SM_ARG_WORD,
     .value = "KIND",
     .help = "plot of several steps: heat map, ridge lines, or bands of the distribution",
     .words = sm_hist_kinds},
    {.name = "log", .kind = SM_ARG_FLAG, .help = "logarithmic counts"},
    {.name = "trials",
     .kind = SM_ARG_TEXT,
     .value = "all|current|1,NAME,...",
     .help = "compare one step of each of these open trials, as lines; 30 bins by default"},
    {.name = "w",
     .kind = SM_ARG_NUMBER,
     .value = "COLUMNS",
     .help = "vertical bars with this width (the terminal's, else 80)",
     .unit = "columns"},
    SM_PLOT_HEIGHT_OPTION("vertical bars with this height"),
    {0},
};
const struct sm_cmd sm_cmd_hist = {
    .name = "hist",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Histogram of a tensor, counted as in numpy, at a step or over steps",
    .help =
        "Several steps (\"step all\", \"step 0:100\") are drawn over time: the bins of each "
        "step are spread over the range of all\n"
        "steps, as in TensorBoard, with the counts as colours or ridge lines. Bands are "
        "TensorBoard's distributions. A histogram that TensorBoard's files hold is drawn as it was "
        "saved.",
    .example = "hist CNN_conv0.weight step 10 -bins 20",
    .see_also = "stat, plot",
    .args = hist_args,
    .options = hist_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_VALUE "," SM_SHAPE_HIST ",sample?:text}|[{step:int," SM_SHAPE_HIST
              ",distribution:[num]}]|[{" SM_SHAPE_VALUE "," SM_SHAPE_HIST ",trial:name}]",
    .run = run_hist,
};
