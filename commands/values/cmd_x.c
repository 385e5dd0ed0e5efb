/* SPDX-License-Identifier: Apache-2.0 */
/* x: print elements in memory order. */
#include "commands/answer/element_format.h"
#include "commands/answer/shape.h"
#include "commands/pictures/inline_plot.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/values/values.h"

#include <string.h>

/* Prints lines of up to eight elements: "name+16:  0.1  0.2 ...". Runs of equal elements are folded
 * as in gdb. */
static void print_elements(struct sm_call *c, struct sm_result *out, const struct sm_place_value *v,
                           uint64_t from, uint64_t to, const struct sm_format *f)
{
    enum { ACROSS = 8 };
    int64_t min_repeats = sm_values_settings(c->session)->print_repeats;
    struct sm_str line = {0}, text = {0}, next_text = {0};
    const char *name = sm_place_name(&v->place);
    for (uint64_t i = from; i < to;) {
        sm_str_truncate(&line, 0);
        sm_str_add_escaped(&line, name, strlen(name));
        sm_str_printf(&line, "+%llu:", (unsigned long long)i);
        for (int k = 0; k < ACROSS && i < to; k++) {
            sm_str_truncate(&text, 0);
            sm_element_text(v->tensor, i, f, &text);
            uint64_t run = 1;
            for (; i + run < to; run++) {
                sm_str_truncate(&next_text, 0);
                sm_element_text(v->tensor, i + run, f, &next_text);
                if (next_text.len != text.len || memcmp(next_text.data, text.data, text.len) != 0)
                    break;
            }
            bool fold = min_repeats > 0 && run >= (uint64_t)min_repeats;
            sm_str_printf(&line, "  %s", sm_str_text(&text));
            if (fold)
                sm_str_printf(&line, " <repeats %llu times>", (unsigned long long)run);
            i += fold ? run : 1;
        }
        sm_result_text(out, "%s", sm_str_text(&line));
    }
    sm_str_clear(&line);
    sm_str_clear(&text);
    sm_str_clear(&next_text);
}

/* Adds the element as JSON: a number, or text if the format shows its bits. */
static void add_element_value(struct sm_result *out, struct sm_node *row, const struct sm_tensor *t,
                              uint64_t i, const struct sm_format *f)
{
    struct sm_str text = {0};
    if (!f->letter || !strchr("xtrc", f->letter) || t->dtype == SM_DTYPE_STRING) {
        sm_describe_value(out, row, t, i);
        return;
    }
    sm_element_text(t, i, f, &text);
    sm_node_text(out, row, "value", sm_str_text(&text));
    sm_str_clear(&text);
}

static const struct sm_column columns[] = {
    {.key = "index", .header = "INDEX", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_element_list(struct sm_result *out, const struct sm_place_value *v, uint64_t from,
                             uint64_t to, const struct sm_format *f)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_place_node(out, map, &v->place, &v->entry);
    sm_node_text(out, map, "dtype", sm_dtype_info(v->tensor->dtype)->name);
    struct sm_node *list = sm_node_list(out, map, "elements");
    for (uint64_t i = from; i < to; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "index", i);
        add_element_value(out, row, v->tensor, i, f);
    }
    out->root = map;
    out->rows = list;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
}

static bool is_numeric(const struct sm_dtype_info *info)
{
    return info->kind >= SM_KIND_FLOAT && info->kind <= SM_KIND_BOOL;
}

/* x/20b, x/h, x/m: draws the elements. */
static bool draw_elements(struct sm_call *c, struct sm_result *out, const struct sm_place_value *v,
                          uint64_t from, uint64_t to, const struct sm_format *f, struct sm_err *err)
{
    struct sm_str head = {0};
    const char *name = sm_place_name(&v->place);
    sm_str_add_escaped(&head, name, strlen(name));
    sm_str_printf(&head, "+%llu:", (unsigned long long)from);
    if (f->letter == 'b')
        sm_str_add(&head, "  ");
    else
        sm_result_text(out, "%s  %llu elements", sm_str_text(&head),
                       (unsigned long long)(to - from));
    bool ok =
        sm_inline_plot(c->session, f, sm_str_text(&head), v->tensor, from, to - from, out, err);
    sm_str_clear(&head);
    return ok;
}

/* The number of elements to print. Without a count, a histogram and a heat map show all remaining
 * elements. */
static uint64_t element_count(const struct sm_call *c, const struct sm_format *f,
                              uint64_t remaining)
{
    const struct sm_session *s = c->session;
    uint64_t n = f->count > 0                        ? (uint64_t)f->count
                 : c->again && sm_values(s)->x.count ? sm_values(s)->x.count
                                                     : 1;
    if (f->count <= 0 && f->letter && strchr("hm", f->letter))
        n = remaining;
    return n < remaining ? n : remaining;
}

/* Sets $_ to the flat index of the last element, and $__ to its value. */
static void set_last_element(struct sm_session *s, const struct sm_tensor *t, uint64_t i)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    struct sm_value index = {.type = SM_NUMBER,
                             .is_int = true,
                             .integer = (int64_t)i,
                             .number = (double)i},
                    value = {.type = SM_VOID};
    if (is_numeric(info)) {
        const struct sm_exact x = sm_dtype_load_exact(t->dtype, t->data + i * info->size_bytes);
        sm_value_set_exact(&value, &x);
        value.single = info->single;
    }
    sm_session_set_variable(s, "_", &index);
    sm_session_set_variable(s, "__", &value);
}

/* A size letter must be that of the elements: x does not read them as another type. */
static bool check_size(const struct sm_place_value *v, char size, struct sm_err *err)
{
    static const char letters[] = "bhwg";
    size_t bytes = sm_dtype_info(v->tensor->dtype)->size_bytes;
    size_t asked = size ? (size_t)1 << (strchr(letters, size) - letters) : bytes;
    return asked == bytes ||
           sm_err_set(err, SM_ERR_USAGE,
                      "Size letter %c is %zu byte%s, the elements of %s have %zu.", size, asked,
                      asked == 1 ? "" : "s", sm_place_name(&v->place), bytes);
}

static bool run_x(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_place_value v;
    if (!sm_place_read_value(c, &v, err))
        return false;
    struct sm_format f = c->format;
    if (!f.letter) {
        f.letter = sm_values(s)->x.letter;
        f.precision = f.precision >= 0 ? f.precision : sm_values(s)->x.precision;
    }
    bool continues = !c->n_words || c->again;
    uint64_t from = continues ? sm_values(s)->x.next : 0;
    bool ok =
        from < v.tensor->n || sm_err_set(err, SM_ERR_MISSING, "No more elements: %s has %llu.",
                                         sm_place_name(&v.place), (unsigned long long)v.tensor->n);
    if (ok && !sm_dtype_info(v.tensor->dtype)->size_bytes && v.tensor->dtype != SM_DTYPE_STRING)
        ok = sm_err_set(
            err, SM_ERR_USAGE,
            "Elements of type %d have an unknown size; save the bytes with \"save FILE.bin\".",
            v.tensor->proto_dtype);
    ok = ok && check_size(&v, f.size, err);
    uint64_t count = ok ? element_count(c, &f, v.tensor->n - from) : 0, to = from + count;
    if (ok && sm_format_is_drawn(&f))
        ok = draw_elements(c, out, &v, from, to, &f, err);
    else if (ok)
        print_elements(c, out, &v, from, to, &f);
    if (ok) {
        if (c->output != SM_OUTPUT_TEXT)
            add_element_list(out, &v, from, to, &f);
        set_last_element(s, v.tensor, to - 1);
        sm_values(s)->x.next = to;
        sm_values(s)->x.count = count;
        sm_values(s)->x.letter = f.letter;
        sm_values(s)->x.precision = f.precision;
    }
    sm_tensor_unref(v.tensor);
    return ok;
}

const struct sm_cmd sm_cmd_x = {
    .name = "x",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Examine elements in memory order: x/20g NAME; repeat for the next",
    .help = "The format is a count and a letter: g general, f all digits or fixed (.3f), e "
            "scientific, d integer, u "
            "unsigned, c character, x hex bits,\n"
            "t binary bits, r raw bytes in memory order, b bars, h a histogram, m a heat map "
            "(without a count, h and m show all\n"
            "remaining elements). Without a letter the last format is used; without a name x "
            "continues after the last element.\n"
            "x sets $_ to the flat index of the last element (from 0) and $__ to its value.",
    .example = "x/8f CNN_conv0.weight step 10",
    .see_also = "tensor, print",
    .args = sm_place_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_FORMAT | SM_CMD_CONTINUES,
    .answer = "{" SM_SHAPE_VALUE ",dtype:text,elements:[{index:int,value:text|num|bool}]}",
    .run = run_x,
};
