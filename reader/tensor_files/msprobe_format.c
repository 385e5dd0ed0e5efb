/* SPDX-License-Identifier: Apache-2.0 */
/* dump.json of msProbe: what was saved of each call, in the order of the calls.
 *
 *   {"task": "statistics", "level": "L1", "data": {
 *     "Functional.relu.0.forward": {"input_args": [T, null], "input_kwargs": {}, "output": [T]},
 *     "Module.fc1.Linear.parameters_grad.0": {"bias": [T]}, ...}}
 *
 *   T = {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 3], "Max": 1, "Min": -1,
 *        "Mean": 0, "Norm": 2, "data_name": "Functional.relu.0.forward.input.0.pt"}
 *
 * With data_name the elements are in a file of their own, which dump_tensor_data has, and this file
 * says the order; without, there are four statistics, bare NaN among them. */
#include "reader/base/map.h"
#include "reader/logs/log_json.h"
#include "reader/tensor_files/ckpt_format.h"

#include <string.h>

enum { DUMP_MAX = 256 << 20, LEVELS = 16, TOP = 1, DATA, CALL };
enum number { MAX, MIN, MEAN, NORM, NUMBERS };

static const char *const number_keys[NUMBERS] = {"Max", "Min", "Mean", "Norm"};
static const char *const reductions[NUMBERS] = {"max", "min", "mean", "l2"};

/* Where the parser is in a value: an object or a list. */
struct level {
    bool list;
    size_t name; /* bytes of the name before it */
    unsigned index;
};
struct dump_parser {
    struct sm_ckpt_file *out;
    struct sm_err *err;
    struct level levels[LEVELS];
    unsigned depth, skipped; /* levels deeper than those are skipped */
    struct sm_str name;      /* of the value at hand */
    struct sm_str key;       /* of the member at hand */
    bool in_data, grads;
    /* the tensor at hand */
    bool is_tensor, in_shape, has[NUMBERS];
    double numbers[NUMBERS];
    unsigned n_dims;
    uint64_t dims[SM_CKPT_DIMS_MAX];
    struct sm_str data_name;
};

static bool dump_owns(const char *name, const uint8_t *head, size_t n)
{
    (void)head;
    (void)n;
    return strcmp(name, "dump.json") == 0;
}

/* ---- names ---- */

static const char *section_of(const char *key)
{
    return strcmp(key, "input_args") == 0 || strcmp(key, "input_kwargs") == 0 ? "input" : key;
}

/* Appends what leads from the value around to the next one: a key, or the index in a list. */
static void add_step(struct dump_parser *p)
{
    struct level *l = &p->levels[p->depth];
    if (!p->in_data || p->depth < DATA)
        return;
    if (l->list && !p->grads) {
        sm_str_printf(&p->name, ".%u", l->index);
    } else if (!l->list) {
        sm_str_add(&p->name, p->name.len ? "." : "");
        sm_str_add(&p->name,
                   p->depth == CALL ? section_of(sm_str_text(&p->key)) : sm_str_text(&p->key));
    }
    if (p->depth == DATA)
        p->grads = strstr(sm_str_text(&p->name), ".parameters_grad");
}

static bool enter_value(struct dump_parser *p, bool list)
{
    if (p->depth + 1 == LEVELS || p->skipped) {
        p->skipped++;
        return true;
    }
    if (list && p->is_tensor && strcmp(sm_str_text(&p->key), "shape") == 0)
        p->in_shape = true;
    size_t before = p->name.len;
    if (!p->in_shape)
        add_step(p);
    p->levels[++p->depth] = (struct level){.list = list, .name = before};
    return true;
}

static void leave_value(struct dump_parser *p)
{
    if (p->skipped) {
        p->skipped--;
        return;
    }
    sm_str_truncate(&p->name, p->levels[p->depth--].name);
    p->in_shape = false;
    p->levels[p->depth].index++;
}

/* ---- tensors ---- */

static bool add_reduction(struct dump_parser *p, enum number which)
{
    struct sm_str name = {0};
    sm_str_printf(&name, "smdebug/reductions/%s/", reductions[which]);
    sm_str_addn(&name, sm_str_text(&p->name), p->name.len);
    bool ok = !name.failed && sm_ckpt_add_number(p->out, (struct sm_text){name.data, name.len},
                                                 p->numbers[which], p->err);
    sm_str_clear(&name);
    return ok;
}

static bool note_file(struct dump_parser *p)
{
    size_t n = p->data_name.len;
    const char *dot = memrchr(p->data_name.data, '.', n);
    p->out->order = p->out->order ? p->out->order : sm_names_new();
    return p->out->order &&
           sm_names_add(p->out->order, p->data_name.data,
                        dot ? (size_t)(dot - p->data_name.data) : n) != SM_NAME_NONE;
}

static bool take_tensor(struct dump_parser *p)
{
    struct sm_text name = {sm_str_text(&p->name), p->name.len};
    bool ok = true;
    if (!p->is_tensor)
        return true;
    p->is_tensor = false;
    if (p->data_name.len)
        return note_file(p) || sm_err_set(p->err, SM_ERR_MEMORY, "no memory for a dump");
    ok = sm_ckpt_add_shape(p->out, name, p->n_dims, p->dims, p->err);
    for (int i = 0; i < NUMBERS && ok; i++)
        ok = !p->has[i] || add_reduction(p, (enum number)i);
    return ok;
}

static void begin_tensor(struct dump_parser *p)
{
    memset(p->has, 0, sizeof p->has);
    p->n_dims = 0;
    sm_str_truncate(&p->data_name, 0);
}

/* ---- events of the parser ---- */

static bool on_key(void *ctx, const char *key, size_t n)
{
    struct dump_parser *p = ctx;
    sm_str_truncate(&p->key, 0);
    sm_str_addn(&p->key, key, n);
    if (p->depth == TOP && !p->skipped)
        p->in_data = n == 4 && memcmp(key, "data", 4) == 0;
    return true;
}

static bool on_string(void *ctx, const char *text, size_t n)
{
    struct dump_parser *p = ctx;
    struct sm_text t = {text, n};
    if (p->depth == TOP && !p->in_data && !p->skipped && p->key.len) {
        struct sm_str json = {0};
        struct sm_json_writer *w = sm_json_writer_new(&json);
        sm_json_text(w, text, n);
        sm_json_writer_free(w);
        bool ok = sm_ckpt_add_leaf(p->out, (struct sm_text){p->key.data, p->key.len},
                                   (struct sm_text){json.data, json.len});
        sm_str_clear(&json);
        return ok;
    }
    if (!p->in_data || p->skipped || p->levels[p->depth].list)
        p->levels[p->depth].index += !p->skipped;
    else if (strcmp(sm_str_text(&p->key), "type") == 0)
        p->is_tensor = sm_text_is(t, "torch.Tensor") || sm_text_is(t, "mindspore.Tensor");
    else if (strcmp(sm_str_text(&p->key), "data_name") == 0)
        sm_str_addn(&p->data_name, text, n);
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct dump_parser *p = ctx;
    int64_t size;
    if (p->skipped)
        return true;
    if (p->in_shape) {
        if (p->n_dims == SM_CKPT_DIMS_MAX || !sm_json_int(digits, n, &size) || size < 0)
            return sm_err_set(p->err, SM_ERR_DATA, "a shape that is none");
        p->dims[p->n_dims++] = (uint64_t)size;
        return true;
    }
    p->levels[p->depth].index++;
    for (int i = 0; i < NUMBERS && p->is_tensor; i++)
        if (strcmp(sm_str_text(&p->key), number_keys[i]) == 0)
            p->has[i] = sm_log_number(digits, n, &p->numbers[i]);
    return true;
}

static bool on_null(void *ctx)
{
    struct dump_parser *p = ctx;
    p->levels[p->depth].index += !p->skipped;
    return true;
}

static bool on_boolean(void *ctx, bool v)
{
    (void)v;
    return on_null(ctx);
}

static bool on_start_map(void *ctx)
{
    struct dump_parser *p = ctx;
    enter_value(p, false);
    if (!p->skipped && p->in_data && p->depth > CALL)
        begin_tensor(p);
    return true;
}

static bool on_start_array(void *ctx)
{
    return enter_value(ctx, true);
}

static bool on_end_map(void *ctx)
{
    struct dump_parser *p = ctx;
    if (!p->skipped && !take_tensor(p))
        return false;
    leave_value(p);
    return true;
}

static bool on_end_array(void *ctx)
{
    leave_value(ctx);
    return true;
}

static bool dump_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                      struct sm_err *err)
{
    static const struct sm_json_ops ops = {.null = on_null,
                                           .boolean = on_boolean,
                                           .number = on_number,
                                           .string = on_string,
                                           .key = on_key,
                                           .start_map = on_start_map,
                                           .end_map = on_end_map,
                                           .start_array = on_start_array,
                                           .end_array = on_end_array};
    struct dump_parser p = {.out = out, .err = err};
    struct sm_str text = {0};
    *at = -1;
    bool ok = sm_source_slurp(f->source, f->path, DUMP_MAX, &text, err) &&
              sm_log_json_parse(sm_str_text(&text), text.len, &ops, &p, err);
    sm_str_clear(&text);
    sm_str_clear(&p.name);
    sm_str_clear(&p.key);
    sm_str_clear(&p.data_name);
    return ok;
}

const struct sm_ckpt_format sm_ckpt_format_msprobe = {
    .files = SM_FILES_MSPROBE, .owns = dump_owns, .read = dump_read};
