/* x: elements one after another. */
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "commands/piece.h"
#include "commands/value_line.h"
#include "plot/chart.h"

#include <string.h>

enum { BARS_MAX = 72 };

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
        if (f->letter == 'u' && v.is_int && size < 8)
            v.integer &= ((int64_t)1 << size * 8) - 1;
        sm_value_number_text(&v, f, text);
        sm_str_add(out, text);
        if (info->kind == SM_KIND_COMPLEX)
            sm_str_printf(out, "%+gj", sm_dtype_imag(t->dtype, p));
    }
}

/* Lines of up to eight elements: "name+16:  0.1  0.2 ...". Equal ones in a row are folded as gdb folds them. */
static void examine(struct sm_call *c, struct sm_result *out, const struct sm_piece *v, uint64_t from, uint64_t to, const struct sm_format *f)
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

/* What an element is to a program: a number, or as text where the format asks for its bits. */
static void element_node(struct sm_result *out, struct sm_node *row, const struct sm_tensor *t, uint64_t i, const struct sm_format *f)
{
    struct sm_str text = {0};
    if (!f->letter || !strchr("xtrc", f->letter) || t->dtype == SM_DTYPE_STRING) {
        sm_describe_value(out, row, t, i);
        return;
    }
    element_text(t, i, f, &text);
    sm_node_text(out, row, "value", sm_str_text(&text));
    sm_str_clear(&text);
}

static const struct sm_column columns[] = {
    {.key = "index", .header = "INDEX", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_tree(struct sm_result *out, const struct sm_piece *v, uint64_t from, uint64_t to, const struct sm_format *f)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_textn(out, map, "name", v->target.name, sm_names_length(sm_trial_names(v->target.trial), v->target.tensor->name));
    sm_describe_place(out, map, v->target.trial, v->entry);
    sm_node_text(out, map, "dtype", sm_dtype_info(v->tensor->dtype)->name);
    struct sm_node *list = sm_node_list(out, map, "elements");
    for (uint64_t i = from; i < to; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "index", i);
        element_node(out, row, v->tensor, i, f);
    }
    out->root = map;
    out->rows = list;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
}

static bool is_number(const struct sm_dtype_info *info)
{
    return info->kind >= SM_KIND_FLOAT && info->kind <= SM_KIND_BOOL;
}

/* x/20b: the elements as bars. */
static bool draw_bars(struct sm_call *c, struct sm_result *out, const struct sm_piece *v, uint64_t from, uint64_t to, struct sm_err *err)
{
    struct sm_print_options o;
    struct sm_str line = {0};
    const struct sm_dtype_info *info = sm_dtype_info(v->tensor->dtype);
    size_t n = (size_t)(to - from), size = info->size_bytes;
    if (!is_number(info))
        return sm_err_set(err, SM_ERR_USAGE, "Elements of type %s are not drawn as bars.", info->name);
    double *values = sm_arena_xalloc(&c->arena, n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = sm_dtype_load(v->tensor->dtype, v->tensor->data + (from + i) * size);
    sm_session_print_options(c->session, &o);
    sm_str_add_escaped(&line, v->target.name, strlen(v->target.name));
    sm_str_printf(&line, "+%llu:  ", (unsigned long long)from);
    sm_spark_text(&line, values, n, n < BARS_MAX ? (int)n : BARS_MAX, o.glyphs);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
    return true;
}

/* $_ and $__: the flat index of the last element, and what is there. */
static void note_visited(struct sm_session *s, const struct sm_tensor *t, uint64_t i)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    struct sm_value at = {.type = SM_NUMBER, .is_int = true, .integer = (int64_t)i, .number = (double)i}, what = {.type = SM_VOID};
    if (is_number(info)) {
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
    struct sm_piece v;
    if (!sm_piece_read(c, &v, err))
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
    if (ok && (f.letter == 'h' || f.letter == 'm'))
        ok = sm_err_set(err, SM_ERR_USAGE, "x draws no %s: \"%s NAME\" does.", f.letter == 'h' ? "histogram" : "heat map",
                        f.letter == 'h' ? "hist" : "heatmap");
    if (ok) {
        uint64_t to = v.tensor->n - from < count ? v.tensor->n : from + count;
        if (f.letter == 'b')
            ok = draw_bars(c, out, &v, from, to, err);
        else
            examine(c, out, &v, from, to, &f);
        if (c->output != SM_OUTPUT_TEXT)
            add_tree(out, &v, from, to, &f);
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
    .help = "The format is a count and a letter: g general, f fixed, e scientific, d integer, u unsigned, c character, x hex\n"
            "bits, t binary bits, r raw bytes in the order of memory, b bars. Without letters the last format is used again;\n"
            "without a name the examination goes on. $_ is then the index of the last element, counted through the tensor from\n"
            "0, and $__ what is there.",
    .example = "x/8f CNN_conv0.weight step 10",
    .see_also = "tensor print",
    .args = sm_place_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_FORMAT | SM_CMD_CONTINUES,
    .run = run_x,
};
