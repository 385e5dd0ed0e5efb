/* SPDX-License-Identifier: Apache-2.0 */
/* print, output: print the value of an expression. */
#include "commands/answer/element_format.h"
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/answer/value_line.h"
#include "commands/pictures/inline_plot.h"
#include "commands/pictures/special_values.h"
#include "commands/place/evaluate.h"
#include "commands/values/values.h"

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void add_value_node(struct sm_result *out, struct sm_node *map, const struct sm_value *v)
{
    struct sm_exact exact = sm_value_exact(v);
    switch (v->type) {
    case SM_NUMBER:
        sm_node_exact(out, map, "value", &exact, v->single);
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
            exact = sm_point_exact(&v->points[i]);
            sm_node_exact(out, p, "value", &exact, false);
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

static void print_series(struct sm_result *out, const struct sm_value *v, const char *head)
{
    sm_result_text(out, "%sseries of %zu points%s%s%s", head, v->n_points,
                   !v->reduction ? ""
                   : v->rolled   ? ": of the "
                   : v->saved    ? ": the saved "
                                 : ": the ",
                   v->reduction ? v->reduction->key : "", v->reduction ? " of each step" : "");
    out->rows = sm_node_get(out->root, "value");
    out->columns = point_columns;
    out->n_columns = COUNT(point_columns);
    sm_result_table(out, sm_node_get(out->root, "value"), point_columns, COUNT(point_columns));
}

/* What is to be known of the value beside it. */
static void print_notes(struct sm_result *out, const struct sm_value *v)
{
    struct sm_read_errors_steps unread = {0};
    sm_read_errors_steps_add(&unread, NULL, v->unread, v->first_unread);
    sm_read_errors_steps_report(&unread, out);
    if (v->saved && v->type == SM_NUMBER)
        sm_result_dim(out, "Saved by the job, not computed.");
    if (v->rounded)
        sm_result_dim(out, "Rounded: integers beyond 2^53 took part.");
}

/* head: "$1 = "; NULL for output, which does not end the line. */
static void print_value_text(struct sm_call *c, struct sm_result *out, const struct sm_value *v,
                             const char *head)
{
    struct sm_str line = {0};
    bool line_open = !head && v->type != SM_TENSOR;
    if (v->type == SM_SERIES) {
        print_series(out, v, head ? head : "");
        return;
    }
    sm_str_add(&line, head ? head : "");
    sm_value_line(&line, v, &c->format);
    if (line_open)
        sm_result_piece(out, sm_str_text(&line), line.len);
    else
        sm_result_text(out, "%s", sm_str_text(&line));
    struct sm_str text = {0};
    if (v->type == SM_TENSOR && sm_special_text(v->tensor, &text))
        sm_result_text(out, "%s", sm_str_text(&text));
    else if (v->type == SM_TENSOR && sm_texts_have_lines(v->tensor))
        sm_texts_print(out, v->tensor);
    else if (v->type == SM_TENSOR)
        sm_result_array(out, v->tensor, false, &c->format);
    sm_str_clear(&text);
    sm_str_clear(&line);
}

/* The numbers that /h, /b and /m draw. The caller unrefs *out. Returns false if v has none. */
static bool drawable_numbers(const struct sm_value *v, struct sm_tensor **out, struct sm_err *err)
{
    uint64_t n = v->type == SM_SERIES ? v->n_points : 1;
    double number = 0;
    if (v->type == SM_TENSOR) {
        *out = sm_tensor_ref(v->tensor);
        return true;
    }
    if (v->type != SM_SERIES && !sm_value_as_number(v, &number))
        return sm_err_set(err, SM_ERR_USAGE, "A %s cannot be drawn.", sm_value_type_name(v->type));
    double *numbers = sm_xalloc((n + 1) * sizeof *numbers);
    numbers[0] = number;
    for (size_t i = 0; v->type == SM_SERIES && i < n; i++)
        numbers[i] = v->points[i].value;
    bool ok = sm_tensor_new(SM_DTYPE_FLOAT64, 1, &n, numbers, out, err);
    sm_free(numbers);
    return ok;
}

static bool draw_value(struct sm_call *c, struct sm_result *out, const struct sm_value *v,
                       const char *head, struct sm_err *err)
{
    struct sm_tensor *t;
    struct sm_str line = {0};
    if (!drawable_numbers(v, &t, err))
        return false;
    sm_str_add(&line, head);
    sm_value_line(&line, v, NULL);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
    bool ok = sm_inline_plot(c->session, &c->format, "", t, 0, t->n, out, err);
    sm_tensor_unref(t);
    return ok;
}

/* Evaluates text. A value that is not available is SM_ERR_MISSING (exit status 4). */
static bool evaluate_available(struct sm_call *c, struct sm_text text, struct sm_value *v,
                               struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (sm_evaluate_is_assignment(text)) /* as in gdb: p $v = 3 */
        return sm_evaluate_assignment(c, text, v, err);
    if (!sm_evaluate(c, text, v, err))
        return false;
    if (v->type == SM_UNAVAILABLE) {
        sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v->text.n, v->text.p);
        sm_value_clear(v);
        return false;
    }
    return true;
}

/* store: whether the value becomes $1, $2, ... */
static bool print_value(struct sm_call *c, struct sm_text text, bool store, struct sm_result *out,
                        struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_value v;
    char name[24], head[32] = "";
    if (!evaluate_available(c, text, &v, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_textn(out, map, "expr", text.p, text.n);
    sm_node_text(out, map, "type", sm_value_type_name(v.type));
    add_value_node(out, map, &v);
    if (v.type == SM_SERIES || v.unread)
        sm_node_uint(out, map, "unread", v.unread);
    if (v.reduction)
        sm_node_text(out, map, "reduction", v.reduction->key);
    if (v.saved)
        sm_node_bool(out, map, "saved", true);
    if (v.rounded)
        sm_node_bool(out, map, "rounded", true);
    out->root = map;
    if (store) {
        snprintf(name, sizeof name, "%zu", ++s->variables.n_history);
        snprintf(head, sizeof head, "$%s = ", name);
        sm_session_set_variable(s, name, &v);
    }
    bool ok = true;
    if (sm_format_is_drawn(&c->format))
        ok = draw_value(c, out, &v, head, err);
    else
        print_value_text(c, out, &v, store ? head : NULL);
    if (store || v.type == SM_SERIES)
        print_notes(out, &v);
    sm_value_clear(&v);
    return ok;
}

/* "NAME step 5", as other commands have it, is NAME@5. */
static struct sm_text with_step(struct sm_call *c)
{
    const char *p = c->raw.p, *end = p + c->raw.n, *number = end, *word;
    while (number > p && number[-1] >= '0' && number[-1] <= '9')
        number--;
    for (word = number; word > p && word[-1] == ' ';)
        word--;
    size_t n = (size_t)(word - p);
    if (number == end || word == number || n < 6 || memcmp(word - 5, " step", 5) != 0)
        return c->raw;
    for (n -= 5; n && p[n - 1] == ' ';)
        n--;
    if (memchr(p, ' ', n))
        return c->raw;
    char *text = sm_arena_xprintf(&c->arena, "%.*s@%.*s", (int)n, p, (int)(end - number), number);
    return sm_text(text);
}

static bool run_print(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return print_value(c, c->raw.n ? with_step(c) : SM_TEXT("$"), true, out, err);
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
    .summary = "Print the value of an expression and store it as $1, $2, ...",
    .help = "EXPR may contain tensor names (in backticks if they contain special characters), "
            "slices, @STEP (\"NAME step N\" is NAME@N), arithmetic, comparisons,\n"
            "and functions such as mean(x), q(x, 0.9), nan(x), cos(a, b). \"help expressions\" "
            "lists them.\n\n"
            "print/FMT: f all digits or fixed (.3f), e scientific, g general, .N digits, d u "
            "integers, c characters, x "
            "t r bits and bytes; h b m draw a\n"
            "histogram, bars or a heat map.",
    .example = "print l2(CNN_fc1.weight) / size(CNN_fc1.weight)",
    .see_also = "tensor, stat",
    .args = expr_args,
    .flags = SM_CMD_LISTING | SM_CMD_FORMAT | SM_CMD_RAW,
    .answer = SM_SHAPE_PRINT,
    .run = run_print,
};

static const struct sm_arg output_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR, .required = true},
                                            {0}};
const struct sm_cmd sm_cmd_output = {
    .name = "output",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print the value of an expression without storing it or ending the line",
    .help = "A following echo or printf continues the line.",
    .example = "output/.4f mean(CNN_fc1.weight)",
    .see_also = "print, printf",
    .args = output_args,
    .flags = SM_CMD_LISTING | SM_CMD_FORMAT | SM_CMD_RAW,
    .answer = SM_SHAPE_PRINT,
    .run = run_output,
};
