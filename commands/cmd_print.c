/* print, output: the value of an expression. */
#include "commands/cmd_list.h"
#include "commands/evaluate.h"
#include "commands/unread.h"
#include "commands/value_line.h"

#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

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
    struct sm_unread_steps unread = {0};
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
        sm_unread_steps_note(&unread, NULL, v->unread, v->first_unread);
        sm_unread_steps_say(&unread, out);
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
    if (v.type == SM_SERIES)
        sm_node_uint(out, map, "unread", v.unread);
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
