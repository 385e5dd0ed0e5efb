/* SPDX-License-Identifier: Apache-2.0 */
/* tensor: print the elements of a tensor, or a summary. */
#include "commands/answer/shape.h"
#include "commands/pictures/plot_input.h"
#include "commands/pictures/special_values.h"
#include "commands/place/describe.h"
#include "commands/place/elements.h"
#include "commands/place/other_workers.h"
#include "commands/place/place.h"
#include "commands/values/values.h"
#include "reader/tensor/slice.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Six digits, or all of an integer. */
static void add_number(struct sm_exact x, struct sm_str *out)
{
    if (x.is_int)
        sm_str_printf(out, "%s%llu", x.integer.negative ? "-" : "",
                      (unsigned long long)x.integer.magnitude);
    else
        sm_str_printf(out, "%.6g", x.real);
}

static void print_summary_line(struct sm_result *out, const struct sm_stats *s, struct sm_exact min,
                               struct sm_exact max)
{
    struct sm_str line = {0};
    sm_str_add(&line, "min ");
    add_number(min, &line);
    sm_str_add(&line, "  max ");
    add_number(max, &line);
    sm_result_text(out, "%s  mean %.6g  std %.6g  nan %llu  inf %llu  zero %llu",
                   sm_str_text(&line), s->mean, sm_stats_get(s, SM_REDUCE_STD),
                   (unsigned long long)s->nan, (unsigned long long)s->pos_inf + s->neg_inf,
                   (unsigned long long)s->zero);
    sm_str_clear(&line);
}

static void print_summary(struct sm_result *out, struct sm_node *map, const struct sm_tensor *t)
{
    struct sm_stats s;
    if (!sm_stats_of(t, &s, NULL) || !s.finite)
        return;
    struct sm_node *node = sm_node_map(out, map, "stats");
    const struct sm_exact min = sm_stats_extreme(&s, t->dtype, false),
                          max = sm_stats_extreme(&s, t->dtype, true);
    sm_node_exact(out, node, "min", &min, false);
    sm_node_exact(out, node, "max", &max, false);
    sm_node_double(out, node, "mean", s.mean, false);
    sm_node_double(out, node, "std", sm_stats_get(&s, SM_REDUCE_STD), false);
    sm_node_uint(out, node, "nan", s.nan);
    sm_node_uint(out, node, "inf", s.pos_inf + s.neg_inf);
    sm_node_uint(out, node, "zero", s.zero);
    print_summary_line(out, &s, min, max);
}

static const struct sm_column value_columns[] = {
    {.key = "index", .header = "INDEX", .format = SM_COL_SHAPE},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

/* CSV: one row per element. */
static void add_value_rows(struct sm_result *out, const struct sm_tensor *t)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (uint64_t i = 0; i < t->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_describe_element(out, row, t, i);
    }
    out->rows = list;
    out->columns = value_columns;
    out->n_columns = COUNT(value_columns);
}

/* " [12]=0.5 [30]=0.25", the flat indices and values of hits. */
static void add_hits(const struct sm_tensor *t, const struct sm_element_hits *hits,
                     struct sm_str *out)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (size_t i = 0; i < hits->n; i++) {
        sm_str_printf(out, " [%llu]=", (unsigned long long)hits->at[i]);
        add_number(sm_dtype_load_exact(t->dtype, t->data + hits->at[i] * size), out);
    }
}

/* -r LO:HI: prints the number of elements in the range, and the indices of the first. */
static bool print_range(struct sm_call *c, struct sm_result *out, struct sm_tensor *t,
                        struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "r");
    enum { SHOWN = 10 };
    struct sm_element_filter wanted = {.what = SM_WANT_RANGE, .key = w};
    struct sm_element_hits hits;
    char *end;
    if (!w)
        return true;
    if (!sm_element_range_parse(w->text.p, &end, &wanted.lo, &wanted.hi) || *end)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not a range LO:HI.", w->text.p);
    if (!sm_elements_search(c, &wanted, t, (struct sm_step){-1}, SHOWN, &hits, err))
        return false;
    struct sm_str line = {0};
    sm_str_printf(&line, "%llu of %llu elements in ", (unsigned long long)hits.found,
                  (unsigned long long)t->n);
    add_number(wanted.lo, &line);
    sm_str_addc(&line, ':');
    add_number(wanted.hi, &line);
    sm_str_add(&line, hits.found ? ", flat index" : "");
    add_hits(t, &hits, &line);
    sm_result_text(out, "%s%s", sm_str_text(&line), hits.found > SHOWN ? " ..." : "");
    sm_str_clear(&line);
    return true;
}

/* The options that "where" would leave without effect. */
static bool check_where(const struct sm_call *c, struct sm_err *err)
{
    static const char *const names[] = {"s", "stats", "r"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (sm_call_option(c, names[i]))
            return sm_err_set(err, SM_ERR_USAGE, "-%s and \"where\" cannot be used together.",
                              names[i]);
    return true;
}

/* where EXPR: prints only the elements for which it is true. */
static bool print_where(struct sm_call *c, struct sm_result *out, const struct sm_place_value *v,
                        struct sm_text condition, struct sm_err *err)
{
    struct sm_element_filter w;
    struct sm_element_rows rows = {
        .out = out, .list = sm_node_list(out, NULL, NULL), .most = sm_values_listed(c)};
    if (!sm_element_filter_where(c, condition, &w, err) ||
        !sm_elements_find(c, &w, v->tensor, v->place.step, &rows, err))
        return false;
    sm_place_value_heading(out, v);
    sm_result_listing(out, rows.list, value_columns, COUNT(value_columns));
    sm_result_dim(out, "%llu of %llu elements%s.", (unsigned long long)rows.found,
                  (unsigned long long)v->tensor->n,
                  sm_values_listed_text(c, rows.found, rows.most));
    return true;
}

static void describe_histogram(struct sm_result *out, const struct sm_tensor *t)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    double n = 0;
    for (uint64_t i = 0; i < t->dims[0]; i++)
        n += sm_dtype_load(t->dtype, t->data + (i * 3 + 2) * size);
    sm_result_text(out, "a histogram of %.17g values in %llu bins: left edge, right edge, count", n,
                   (unsigned long long)t->dims[0]);
}

/* The elements as people read them: a curve as a table, texts of several lines as those lines, else
 * as numpy prints them. */
static void print_elements(struct sm_call *c, struct sm_result *out, struct sm_tensor *t, bool all)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    struct sm_str text = {0};
    if (t->pr_curve && t->n_dims == 2)
        sm_pr_curve_print(out, t, sm_plot_width(&o), o.glyphs);
    else if (!(all && t->table) && sm_special_text(t, &text))
        sm_result_text(out, "%s", sm_str_text(&text));
    else if (!all && sm_texts_have_lines(t))
        sm_texts_print(out, t);
    else
        sm_result_array(out, t, all, NULL);
    sm_str_clear(&text);
}

static bool run_tensor(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_place_value v;
    const struct sm_word *where = sm_call_keyword(c, "where");
    if ((where && !check_where(c, err)) || !sm_place_read_value(c, &v, err))
        return false;
    if (where) {
        bool found = print_where(c, out, &v, where->text, err);
        sm_tensor_unref(v.tensor);
        return found;
    }
    bool all = sm_call_flag(c, "a"), ok = true;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_place_node(out, map, &v.place, &v.entry);
    sm_node_text(out, map, "dtype", sm_dtype_info(v.tensor->dtype)->name);
    sm_node_dims(out, map, "shape", v.tensor->dims, v.tensor->n_dims);
    sm_node_tensor(out, map, "values", v.tensor, all);
    if (v.place.slice) {
        struct sm_str slice = {0};
        sm_slice_text(&slice, v.place.slice);
        sm_node_text(out, map, "slice", sm_str_text(&slice));
        sm_str_clear(&slice);
    }
    out->root = map;
    sm_place_value_heading(out, &v);
    if (v.tensor->histogram)
        describe_histogram(out, v.tensor);
    if (!sm_call_flag(c, "s") && !sm_call_flag(c, "stats"))
        print_elements(c, out, v.tensor, all);
    else
        print_summary(out, map, v.tensor);
    ok = print_range(c, out, v.tensor, err) &&
         sm_other_workers_note(c, out, &v.place, &v.entry, err);
    if (c->output == SM_OUTPUT_CSV || c->output == SM_OUTPUT_TSV || c->output == SM_OUTPUT_NUL)
        add_value_rows(out, v.tensor);
    sm_tensor_unref(v.tensor);
    return ok;
}

static const struct sm_arg tensor_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    SM_PLACE_ROWS,
    {.name = "CONDITION", .kind = SM_ARG_EXPR, .keyword = "where"},
    {0},
};
static const struct sm_option tensor_options[] = {
    {.name = "a", .kind = SM_ARG_FLAG, .help = "print all elements"},
    {.name = "s", .kind = SM_ARG_FLAG, .help = "print a summary instead of the elements"},
    {.name = "stats", .kind = SM_ARG_FLAG, .help = "same as -s"},
    {.name = "r",
     .kind = SM_ARG_TEXT,
     .value = "LO:HI",
     .help = "count the elements in a range and print the first indices"},
    {0},
};
const struct sm_cmd sm_cmd_tensor = {
    .name = "tensor",
    .aliases = "t pt",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print a tensor or a slice of it at a step, as numpy prints it",
    .help = "NAME may have a numpy slice: conv0_weight[0,:,-1]. The step is written \"step 100\", "
            "\"@100\" or \"100\"; the default is the\n"
            "current step, or the newest that has the tensor. \"where x > 0.5\", at the end, lists "
            "the elements for which the condition\n"
            "is true, with their indices.",
    .example = "tensor CNN_conv0.weight[0] step 10",
    .see_also = "stat, hist, print, find, info",
    .args = tensor_args,
    .options = tensor_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_DTYPED ",values:values,stats?:{min:num,max:num,mean:num,std:num,nan:int,"
              "inf:int,zero:int},slice?:text}|[{index:[int],value:element}]",
    .run = run_tensor,
};
