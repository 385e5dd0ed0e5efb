/* Values: tensor, print, output, x, save. */
#include "commands/args.h"
#include "commands/breakpoint.h"
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "commands/elements.h"
#include "commands/evaluate.h"
#include "commands/export.h"
#include "commands/outfile.h"
#include "commands/value_line.h"
#include "reader/slice.h"

#include <math.h>
#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- one value, read and sliced ---- */

struct value {
    struct sm_target target;
    const struct sm_entry *entry;
    struct sm_tensor *tensor;            /* counted */
};

static bool read_value(struct sm_call *c, struct value *v, struct sm_err *err)
{
    struct sm_tensor *whole;
    *v = (struct value){0};
    if (!sm_args_target(c, &v->target, err) || !sm_args_entry(c, &v->target, &v->entry, err) ||
        !sm_fetch_tensor(c->session->fetch, v->target.trial, v->entry, &whole, err))
        return false;
    if (!v->target.slice) {
        v->tensor = whole;
        return true;
    }
    bool ok = sm_slice_apply(v->target.slice, whole, &v->tensor, err);
    sm_tensor_unref(whole);
    return ok;
}

/* "conv0_weight[0,0]  step 100 (train 100)  float32 (3, 3)" */
static void heading(struct sm_result *out, const struct value *v)
{
    struct sm_str head = {0};
    const struct sm_part *p = sm_trial_part(v->target.trial, v->entry->part);
    sm_str_add_escaped(&head, v->target.name, strlen(v->target.name));
    if (v->target.slice)
        sm_slice_text(&head, v->target.slice);
    sm_str_add(&head, "  ");
    sm_describe_step(&head, p->step, p->mode, p->mode_step);
    if (sm_trial_worker_count(v->target.trial) > 1) {
        const char *worker = sm_trial_worker(v->target.trial, p->worker);
        sm_str_add(&head, "  ");
        sm_str_add_escaped(&head, worker, strlen(worker));
    }
    sm_str_printf(&head, "  %s ", sm_dtype_info(v->tensor->dtype)->name);
    sm_shape_text(&head, v->tensor->dims, v->tensor->n_dims);
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
}

static void summary_line(struct sm_result *out, struct sm_node *map, const struct sm_tensor *t)
{
    struct sm_stats s;
    if (!sm_stats_of(t, &s, NULL) || !s.finite)
        return;
    struct sm_node *node = sm_node_map(out, map, "stats");
    sm_node_double(out, node, "min", s.min, false);
    sm_node_double(out, node, "max", s.max, false);
    sm_node_double(out, node, "mean", s.mean, false);
    sm_node_double(out, node, "std", sm_stats_get(&s, SM_REDUCE_STD), false);
    sm_node_uint(out, node, "nan", s.nan);
    sm_node_uint(out, node, "inf", s.pos_inf + s.neg_inf);
    sm_node_uint(out, node, "zero", s.zero);
    sm_result_text(out, "min %.6g  max %.6g  mean %.6g  std %.6g  nan %llu  inf %llu  zero %llu", s.min, s.max, s.mean,
                   sm_stats_get(&s, SM_REDUCE_STD), (unsigned long long)s.nan,
                   (unsigned long long)(s.pos_inf + s.neg_inf), (unsigned long long)s.zero);
}

static const struct sm_column value_columns[] = {
    {.key = "index", .header = "INDEX", .format = SM_COL_SHAPE},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

/* CSV: a row an element. */
static void value_rows(struct sm_result *out, const struct sm_tensor *t)
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

/* -r LO:HI: how many elements lie in the range, and where the first are. */
static bool highlight(struct sm_call *c, struct sm_result *out, struct sm_tensor *t, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "r");
    enum { SHOWN = 10 };
    if (!w)
        return true;
    char *end;
    double lo = sm_parse_double(w->text.p, &end), hi = *end == ':' ? sm_parse_double(end + 1, &end) : lo;
    if (*end)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not a range LO:HI.", w->text.p);
    struct sm_wanted wanted = {.what = SM_WANT_RANGE, .lo = lo, .hi = hi, .key = w};
    struct sm_hits hits;
    if (!sm_elements_search(c, &wanted, t, (struct sm_step){-1}, SHOWN, &hits, err))
        return false;
    struct sm_str where = {0};
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (size_t i = 0; i < hits.n; i++)
        sm_str_printf(&where, " [%llu]=%.6g", (unsigned long long)hits.at[i], sm_dtype_load(t->dtype, t->data + hits.at[i] * size));
    sm_result_text(out, "%llu of %llu elements in %g:%g%s%s%s", (unsigned long long)hits.found, (unsigned long long)t->n, lo,
                   hi, hits.found ? ", flat index" : "", sm_str_text(&where), hits.found > SHOWN ? " ..." : "");
    sm_str_clear(&where);
    return true;
}

/* where EXPR: the elements for which it is true, instead of all. */
static bool print_where(struct sm_call *c, struct sm_result *out, const struct value *v, struct sm_text condition, struct sm_err *err)
{
    enum { SHOWN = 1000 };
    struct sm_wanted w;
    struct sm_element_rows rows = {.out = out, .list = sm_node_list(out, NULL, NULL),
                                   .most = sm_call_flag(c, "a") ? UINT64_MAX : SHOWN};
    if (!sm_wanted_where(c, condition, &w, err) || !sm_elements_find(c, &w, v->tensor, v->target.step, &rows, err))
        return false;
    heading(out, v);
    sm_result_listing(out, rows.list, value_columns, COUNT(value_columns));
    sm_result_dim(out, "%llu of %llu elements%s.", (unsigned long long)rows.found, (unsigned long long)v->tensor->n,
                  rows.found > rows.most ? ", the first 1000 are shown; -a shows all" : "");
    return true;
}

static bool run_tensor(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct value v;
    if (!read_value(c, &v, err))
        return false;
    const struct sm_word *where = sm_call_keyword(c, "where");
    if (where) {
        bool found = print_where(c, out, &v, where->text, err);
        sm_tensor_unref(v.tensor);
        return found;
    }
    bool whole = sm_call_flag(c, "a"), ok = true;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_textn(out, map, "name", v.target.name, sm_names_length(sm_trial_names(v.target.trial), v.target.tensor->name));
    sm_describe_place(out, map, v.target.trial, v.entry);
    sm_node_text(out, map, "dtype", sm_dtype_info(v.tensor->dtype)->name);
    sm_node_dims(out, map, "shape", v.tensor->dims, v.tensor->n_dims);
    sm_node_tensor(out, map, "values", v.tensor, whole);
    if (v.target.slice) {
        struct sm_str slice = {0};
        sm_slice_text(&slice, v.target.slice);
        sm_node_text(out, map, "slice", sm_str_text(&slice));
        sm_str_clear(&slice);
    }
    out->root = map;
    heading(out, &v);
    if (!sm_call_flag(c, "s") && !sm_call_flag(c, "stats"))
        sm_result_array(out, v.tensor, whole);
    else
        summary_line(out, map, v.tensor);
    ok = highlight(c, out, v.tensor, err);
    if (c->output == SM_OUTPUT_CSV || c->output == SM_OUTPUT_TSV || c->output == SM_OUTPUT_NUL)
        value_rows(out, v.tensor);
    sm_tensor_unref(v.tensor);
    return ok;
}

static const struct sm_arg tensor_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {.name = "CONDITION", .kind = SM_ARG_EXPR, .keyword = "where"},
    {0},
};
static const struct sm_option tensor_options[] = {
    {.name = "a", .kind = SM_ARG_FLAG, .help = "all elements, nothing elided"},
    {.name = "s", .kind = SM_ARG_FLAG, .help = "a summary instead of the elements"},
    {.name = "stats", .kind = SM_ARG_FLAG, .help = "the same"},
    {.name = "r", .kind = SM_ARG_TEXT, .value = "LO:HI", .help = "count and place the elements in a range"},
    {0},
};
const struct sm_cmd sm_cmd_tensor = {
    .name = "tensor",
    .aliases = "t pt",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print a tensor or a slice of it at a step, as numpy prints it",
    .help = "NAME may have a numpy slice attached: conv0_weight[0,:,-1]. The step may be written \"step 100\", \"@100\" or \"100\";\n"
            "without one it is the current step, or the newest that has the tensor. \"where x > 0.5\", at the end, lists the\n"
            "elements for which that is true, with their indices.",
    .example = "tensor CNN_conv0.weight[0] step 10",
    .see_also = "stat hist print find info",
    .args = tensor_args,
    .options = tensor_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_tensor,
};

/* ---- print ---- */

static void node_of_value(struct sm_result *out, struct sm_node *map, const struct sm_value *v)
{
    switch (v->type) {
    case SM_NUMBER:
        if (v->is_int)
            sm_node_int(out, map, "value", v->integer);
        else
            sm_node_double(out, map, "value", v->number, v->single);
        break;
    case SM_BOOL:
        sm_node_bool(out, map, "value", v->number != 0);
        break;
    case SM_STRING:
        sm_node_textn(out, map, "value", v->text.p, v->text.n);
        break;
    case SM_TENSOR:
        sm_node_tensor(out, map, "value", v->tensor, false);
        break;
    case SM_SERIES: {
        struct sm_node *list = sm_node_list(out, map, "value");
        for (size_t i = 0; i < v->n_points; i++) {
            struct sm_node *p = sm_node_map(out, list, NULL);
            sm_node_int(out, p, "step", v->points[i].step.n);
            sm_node_double(out, p, "value", v->points[i].value, false);
        }
        break;
    }
    default:
        sm_node_null(out, map, "value");
    }
}

static const struct sm_column point_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void text_of_value(struct sm_call *c, struct sm_result *out, const struct sm_value *v, const char *head)
{
    char text[64];
    struct sm_str shape = {0};
    switch (v->type) {
    case SM_NUMBER:
        sm_value_number_text(v, &c->format, text);
        sm_result_text(out, "%s%s", head, text);
        break;
    case SM_BOOL:
        sm_result_text(out, "%s%s", head, v->number != 0 ? "true" : "false");
        break;
    case SM_STRING:
        sm_result_text(out, "%s\"%s\"", head, sm_result_escape(out, v->text.p, v->text.n));
        break;
    case SM_TENSOR:
        sm_shape_text(&shape, v->tensor->dims, v->tensor->n_dims);
        sm_result_text(out, "%s%s %s", head, sm_dtype_info(v->tensor->dtype)->name, sm_str_text(&shape));
        sm_result_array(out, v->tensor, false);
        break;
    case SM_SERIES:
        sm_result_text(out, "%sseries of %zu points", head, v->n_points);
        out->rows = sm_node_get(out->root, "value");
        out->columns = point_columns;
        out->n_columns = COUNT(point_columns);
        sm_result_table(out, sm_node_get(out->root, "value"), point_columns, COUNT(point_columns));
        break;
    case SM_UNAVAILABLE:
        sm_result_text(out, "unavailable: %s", sm_result_escape(out, v->text.p, v->text.n));
        break;
    default:
        sm_result_text(out, "%s%s", head, sm_value_type_name(v->type));
    }
    sm_str_clear(&shape);
}

/* A value that an expression is missing is an answer in text, and status 4. */
static bool find_value(struct sm_call *c, struct sm_text text, struct sm_value *v, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (!sm_evaluate(c, text, v, err))
        return false;
    if (v->type == SM_UNAVAILABLE) {
        sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v->text.n, v->text.p);
        sm_value_clear(v);
        return false;
    }
    return true;
}

/* keep: as $1, $2, ... */
static bool print_value(struct sm_call *c, struct sm_text text, bool keep, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_value v;
    char name[24], head[32] = "";
    if (!find_value(c, text, &v, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_textn(out, map, "expr", text.p, text.n);
    sm_node_text(out, map, "type", sm_value_type_name(v.type));
    node_of_value(out, map, &v);
    out->root = map;
    if (keep) {
        snprintf(name, sizeof name, "%zu", ++s->n_history);
        snprintf(head, sizeof head, "$%s = ", name);
        sm_session_set_variable(s, name, &v);
    }
    text_of_value(c, out, &v, head);
    sm_value_clear(&v);
    return true;
}

static bool run_print(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return print_value(c, c->raw.n ? c->raw : SM_TEXT("$"), true, out, err);
}

static bool run_output(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return print_value(c, c->raw, false, out, err);
}

static const struct sm_arg expr_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR}, {0}};
const struct sm_cmd sm_cmd_print = {
    .name = "print",
    .aliases = "p inspect",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print the value of an expression and keep it as $1, $2, ...",
    .help = "Tensors by name (in backticks where the name would not do), with slices and @STEP; arithmetic, comparisons and\n"
            "functions such as mean(x), q(x, 0.9), nan(x), cos(a, b). \"help expressions\" lists them.",
    .example = "print l2(CNN_fc1.weight) / size(CNN_fc1.weight)",
    .see_also = "tensor stat",
    .args = expr_args,
    .flags = SM_CMD_LISTING | SM_CMD_FORMAT | SM_CMD_RAW,
    .run = run_print,
};

static const struct sm_arg output_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR, .required = true}, {0}};
const struct sm_cmd sm_cmd_output = {
    .name = "output",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print the value of an expression and nothing else; it is not kept",
    .example = "output/.4f mean(CNN_fc1.weight)",
    .see_also = "print printf",
    .args = output_args,
    .flags = SM_CMD_LISTING | SM_CMD_FORMAT | SM_CMD_RAW,
    .run = run_output,
};

/* ---- x: elements one after another ---- */


static void element_text(const struct sm_tensor *t, uint64_t i, const struct sm_format *f, struct sm_str *out)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    size_t size = info->size_bytes;
    const uint8_t *p = size ? t->data + i * size : NULL;
    char text[64];
    if (t->dtype == SM_DTYPE_STRING) {
        sm_str_addc(out, '"');
        sm_str_add_escaped(out, t->strings[i].p, t->strings[i].n);
        sm_str_addc(out, '"');
    } else if (f->letter == 'r') {
        for (size_t k = 0; k < size; k++)
            sm_str_printf(out, "%s%02x", k ? " " : "", p[k]);
    } else if (f->letter == 'x') {
        sm_str_add(out, "0x");
        for (size_t k = size; k-- > 0;)
            sm_str_printf(out, "%02x", p[k]);
    } else if (f->letter == 't') {
        for (size_t bit = size * 8; bit-- > 0;)
            sm_str_addc(out, p[bit / 8] >> bit % 8 & 1 ? '1' : '0');
    } else {
        struct sm_value v = {.type = SM_NUMBER, .number = sm_dtype_load(t->dtype, p), .single = info->single};
        v.is_int = sm_dtype_load_i64(t->dtype, p, &v.integer);
        sm_value_number_text(&v, f, text);
        sm_str_add(out, text);
        if (info->kind == SM_KIND_COMPLEX)
            sm_str_printf(out, "%+gj", sm_dtype_imag(t->dtype, p));
    }
}

/* Lines of up to eight elements: "name+16:  0.1  0.2 ...". Equal ones in a row are folded as gdb folds them. */
static void examine(struct sm_call *c, struct sm_result *out, const struct value *v, uint64_t from, uint64_t to, const struct sm_format *f)
{
    enum { ACROSS = 8 };
    int64_t least = c->session->settings.values[SM_SET_PRINT_REPEATS].i;
    struct sm_str line = {0}, text = {0}, other = {0};
    for (uint64_t i = from; i < to;) {
        sm_str_truncate(&line, 0);
        sm_str_add_escaped(&line, v->target.name, strlen(v->target.name));
        sm_str_printf(&line, "+%llu:", (unsigned long long)i);
        for (int k = 0; k < ACROSS && i < to; k++) {
            sm_str_truncate(&text, 0);
            element_text(v->tensor, i, f, &text);
            uint64_t run = 1;
            for (; i + run < to; run++) {
                sm_str_truncate(&other, 0);
                element_text(v->tensor, i + run, f, &other);
                if (other.len != text.len || memcmp(other.data, text.data, text.len) != 0)
                    break;
            }
            bool fold = least > 0 && run >= (uint64_t)least;
            sm_str_printf(&line, "  %s", sm_str_text(&text));
            if (fold)
                sm_str_printf(&line, " <repeats %llu times>", (unsigned long long)run);
            i += fold ? run : 1;
        }
        sm_result_text(out, "%s", sm_str_text(&line));
    }
    sm_str_clear(&line);
    sm_str_clear(&text);
    sm_str_clear(&other);
}

/* $_ and $__: the flat index of the last element, and what is there. */
static void note_visited(struct sm_session *s, const struct sm_tensor *t, uint64_t i)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    struct sm_value at = {.type = SM_NUMBER, .is_int = true, .integer = (int64_t)i, .number = (double)i}, what = {.type = SM_VOID};
    if (info->kind >= SM_KIND_FLOAT && info->kind <= SM_KIND_BOOL) {
        const uint8_t *p = t->data + i * info->size_bytes;
        what = (struct sm_value){.type = SM_NUMBER, .single = info->single, .number = sm_dtype_load(t->dtype, p)};
        what.is_int = info->kind != SM_KIND_FLOAT && sm_dtype_load_i64(t->dtype, p, &what.integer);
    }
    sm_session_set_variable(s, "_", &at);
    sm_session_set_variable(s, "__", &what);
}

static bool run_x(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct value v;
    if (!read_value(c, &v, err))
        return false;
    struct sm_format f = c->format;
    if (!f.letter) {
        f.letter = s->x.letter;
        f.precision = f.precision >= 0 ? f.precision : s->x.precision;
    }
    uint64_t count = f.count > 0 ? (uint64_t)f.count : c->again && s->x.count ? s->x.count : 1;
    bool goes_on = !c->n_words || c->again;
    uint64_t from = goes_on ? s->x.next : 0;
    bool ok = from < v.tensor->n || sm_err_set(err, SM_ERR_MISSING, "%s ends at element %llu.", v.target.name, (unsigned long long)v.tensor->n);
    if (ok && !sm_dtype_info(v.tensor->dtype)->size_bytes && v.tensor->dtype != SM_DTYPE_STRING)
        ok = sm_err_set(err, SM_ERR_USAGE, "elements of type %d have no known size; save the bytes with \"save FILE.bin\".", v.tensor->proto_dtype);
    if (ok) {
        uint64_t to = v.tensor->n - from < count ? v.tensor->n : from + count;
        examine(c, out, &v, from, to, &f);
        note_visited(s, v.tensor, to - 1);
        s->x.next = to;
        s->x.count = count;
        s->x.letter = f.letter;
        s->x.precision = f.precision;
    }
    sm_tensor_unref(v.tensor);
    return ok;
}

const struct sm_cmd sm_cmd_x = {
    .name = "x",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Examine elements in memory order: x/20g NAME; again for the next",
    .help = "The format is a count and a letter: g general, f fixed, e scientific, d integer, x hex bits, t binary bits, r raw\n"
            "bytes in the order of memory. Without letters the last format is used again; without a name the examination goes on.\n"
            "$_ is then the index of the last element, counted through the tensor from 0, and $__ what is there.",
    .example = "x/8f CNN_conv0.weight step 10",
    .see_also = "tensor print",
    .args = sm_place_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_FORMAT | SM_CMD_CONTINUES,
    .run = run_x,
};

/* ---- save ---- */

static bool is_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), s = strlen(suffix);
    return n > s && strcmp(path + n - s, suffix) == 0;
}

static bool export_json(struct sm_call *c, const struct value *v, struct sm_str *out)
{
    struct sm_result r;
    struct sm_print_options o;
    sm_result_init(&r);
    sm_session_print_options(c->session, &o);
    o.output = SM_OUTPUT_JSON;
    struct sm_node *map = sm_node_map(&r, NULL, NULL);
    sm_node_text(&r, map, "name", v->target.name);
    sm_describe_place(&r, map, v->target.trial, v->entry);
    sm_node_text(&r, map, "dtype", sm_dtype_info(v->tensor->dtype)->name);
    sm_node_dims(&r, map, "shape", v->tensor->dims, v->tensor->n_dims);
    sm_node_tensor(&r, map, "values", v->tensor, true);
    r.root = map;
    sm_print_json(&r, &o, out);
    sm_result_clear(&r);
    return true;
}

static bool run_save(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct value v;
    struct sm_str bytes = {0};
    const char *path = c->words[0].text.p;
    if (!c->words[0].quoted && sm_text_is(c->words[0].text, "breakpoints") && c->n_words > 1)
        return sm_breakpoints_save(c->session, c->words[1].text.p, out, err);
    struct sm_call rest = *c;            /* NAME is the second word */
    rest.words++;
    rest.n_words--;
    if (!is_suffix(path, ".npy") && !is_suffix(path, ".csv") && !is_suffix(path, ".json") && !is_suffix(path, ".bin"))
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\": the suffix says how to save: .npy, .csv, .json or .bin.", path);
    bool ok = read_value(&rest, &v, err);
    c->arena = rest.arena;
    if (!ok)
        return false;
    if (is_suffix(path, ".npy"))
        ok = sm_export_npy(v.tensor, &bytes, err);
    else if (is_suffix(path, ".csv"))
        sm_export_csv(v.tensor, &bytes);
    else if (is_suffix(path, ".json"))
        export_json(c, &v, &bytes);
    else
        sm_export_bin(v.tensor, &bytes);
    ok = ok && sm_outfile_write(c->session, path, false, sm_str_text(&bytes), bytes.len, err);
    if (ok) {
        heading(out, &v);
        sm_result_text(out, "Saved to %s (%zu bytes).", sm_result_escape(out, path, strlen(path)), bytes.len);
    }
    sm_str_clear(&bytes);
    sm_tensor_unref(v.tensor);
    return ok;
}

static const struct sm_arg save_args[] = {
    {.name = "FILE", .kind = SM_ARG_FILE, .required = true},
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
const struct sm_cmd sm_cmd_save = {
    .name = "save",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Save a tensor or a slice as .npy, .csv, .json or .bin",
    .help = "Without NAME the current tensor is saved, without a step the current one. \"save breakpoints FILE\" writes lines that\n"
            "\"source FILE\" makes breakpoints of again.",
    .example = "save /tmp/w.npy CNN_conv0.weight step 10",
    .see_also = "tensor",
    .args = save_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_save,
};
