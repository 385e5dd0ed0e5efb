/* SPDX-License-Identifier: Apache-2.0 */
/* The forms in which torch writes a tensor (torch/_utils.py, torch/_tensor.py). */
#include "reader/torch/torch_reader.h"

enum { WRAPPED_MAX = 16 }; /* calls around a tensor */

uint32_t sm_torch_unwrap(const struct sm_pickle *t, uint32_t node)
{
    static const char *const wrappers[] = {
        "torch.Size",
        "builtins.list",
        "builtins.tuple",
        "torch.jit._pickle.build_intlist",
        "torch.jit._pickle.build_doublelist",
        "torch.jit._pickle.build_boollist",
        "torch.jit._pickle.build_tensorlist",
        "torch.jit._pickle.restore_type_tag",
    };
    const struct sm_pickle_object *o = sm_pickle_object(t, node);
    for (size_t i = 0; o && i < sizeof wrappers / sizeof *wrappers; i++)
        if (sm_pickle_is_global(t, o->callable, wrappers[i]))
            return sm_pickle_item(t, o->args, 0);
    return node;
}

bool sm_torch_sizes(const struct sm_pickle *t, uint32_t node, uint64_t *dims, unsigned *n,
                    struct sm_err *err)
{
    const struct sm_pickle_node *list = sm_pickle_node(t, sm_torch_unwrap(t, node));
    int64_t v;
    if (list->kind != SM_PICKLE_TUPLE && list->kind != SM_PICKLE_LIST)
        return sm_err_set(err, SM_ERR_DATA, "a shape that is no tuple");
    if (list->n > SM_CKPT_DIMS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "a shape of %u dimensions, more than %d", list->n,
                          SM_CKPT_DIMS_MAX);
    for (*n = 0; *n < list->n; ++*n) {
        if (!sm_pickle_integer(t, list->items[*n], &v) || v < 0)
            return sm_err_set(err, SM_ERR_DATA, "a size that is negative or no number");
        dims[*n] = (uint64_t)v;
    }
    return true;
}

static bool take_strides(const struct sm_pickle *t, uint32_t node, struct sm_torch_array *a,
                         struct sm_err *err)
{
    const struct sm_pickle_node *list = sm_pickle_node(t, sm_torch_unwrap(t, node));
    bool ok = (list->kind == SM_PICKLE_TUPLE || list->kind == SM_PICKLE_LIST) &&
              list->n == a->view.n_dims;
    for (unsigned i = 0; ok && i < list->n; i++)
        ok = sm_pickle_integer(t, list->items[i], &a->strides[i]);
    return ok || sm_err_set(err, SM_ERR_DATA, "strides that do not fit its shape");
}

/* Two elements in a byte: shape and strides of torch count bytes. */
static bool count_halves(struct sm_torch_array *a, struct sm_err *err)
{
    struct sm_ckpt_view *v = &a->view;
    if (!v->n_dims || a->strides[v->n_dims - 1] != 1 || v->first > INT64_MAX / 2)
        return sm_err_set(err, SM_ERR_LIMIT, "a view of float4 whose last stride is not 1");
    for (unsigned i = 0; i + 1 < v->n_dims; i++) {
        if (a->strides[i] > INT64_MAX / 2 || a->strides[i] < INT64_MIN / 2)
            return sm_err_set(err, SM_ERR_DATA, "a stride that is too large");
        a->strides[i] *= 2;
    }
    if (a->dims[v->n_dims - 1] > INT64_MAX / 2)
        return sm_err_set(err, SM_ERR_DATA, "a size that is too large");
    a->dims[v->n_dims - 1] *= 2;
    v->first *= 2;
    return true;
}

/* {'conj': True}, {'neg': True} */
static uint8_t change_of(const struct sm_pickle *t, uint32_t metadata)
{
    static const struct {
        const char *key;
        uint8_t change;
    } rows[] = {{"conj", SM_CKPT_CONJUGATED}, {"neg", SM_CKPT_NEGATED}};
    uint8_t change = SM_CKPT_AS_STORED;
    uint32_t value;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sm_pickle_get(t, metadata, rows[i].key, &value) &&
            sm_pickle_kind(t, value) == SM_PICKLE_BOOL && sm_pickle_node(t, value)->truth)
            change |= rows[i].change;
    return change;
}

/* Where in the arguments of a form its parts are; 0: it has no such part. */
struct form {
    const char *name;
    unsigned dtype, metadata;
};

/* Whether elements of the type can be read. */
static bool check_type(const struct sm_pickle *t, uint32_t args, const struct form *form,
                       struct sm_torch_array *a, struct sm_err *err)
{
    if (a->view.dtype != SM_DTYPE_NONE && a->view.dtype != SM_DTYPE_UNKNOWN)
        return true;
    struct sm_text name = form->dtype ? sm_pickle_text(t, sm_pickle_item(t, args, form->dtype))
                                      : sm_torch_storage_type(t, sm_pickle_item(t, args, 0));
    if (!name.n)
        name = sm_text("that is not known");
    a->unknown = true;
    return sm_err_set(err, SM_ERR_LIMIT, "elements of type %.*s are not read",
                      (int)(name.n < 60 ? name.n : 60), name.p);
}

/* (storage, first element, shape, strides, ...) */
static bool take_form(struct sm_torch_reader *r, uint32_t args, const struct form *form,
                      struct sm_torch_array *a, struct sm_err *err)
{
    const struct sm_pickle *t = r->tree;
    uint64_t begin;
    int64_t first;
    if (!sm_torch_sizes(t, sm_pickle_item(t, args, 2), a->dims, &a->view.n_dims, err) ||
        !take_strides(t, sm_pickle_item(t, args, 3), a, err))
        return false;
    a->view.storage = sm_torch_storage(r, sm_pickle_item(t, args, 0), &a->view.dtype, &begin, err);
    if (a->view.storage == SM_NAME_NONE)
        return false;
    if (!sm_pickle_integer(t, sm_pickle_item(t, args, 1), &first) || first < 0)
        return sm_err_set(err, SM_ERR_DATA, "its first element is before its storage");
    a->view.first = (uint64_t)first + begin;
    if (form->dtype)
        a->view.dtype = sm_torch_dtype(t, sm_pickle_item(t, args, form->dtype));
    if (form->metadata)
        a->view.change = change_of(t, sm_pickle_item(t, args, form->metadata));
    if (!check_type(t, args, form, a, err))
        return false;
    return a->view.dtype != SM_DTYPE_FLOAT4_E2M1FN || count_halves(a, err);
}

static const struct form *find_form(const struct sm_pickle *t, uint32_t callable)
{
    static const struct form forms[] = {
        {"torch._utils._rebuild_tensor_v2", 0, 6},
        {"torch._utils._rebuild_tensor_v3", 6, 7},
        {"torch._utils._rebuild_tensor", 0, 0},
        {"torch._utils._rebuild_qtensor", 0, 0},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (sm_pickle_is_global(t, callable, forms[i].name))
            return &forms[i];
    return NULL;
}

/* What a call that returns a tensor given to it was given; 0: it is no such call. */
static uint32_t inner_tensor(const struct sm_pickle *t, const struct sm_pickle_object *call,
                             bool *parameter)
{
    static const struct {
        const char *name;
        bool parameter;
    } wrappers[] = {
        {"torch._utils._rebuild_parameter", true},
        {"torch._utils._rebuild_parameter_with_state", true},
        {"torch._utils._rebuild_device_tensor_from_cpu_tensor", false},
        {"torch._utils._rebuild_device_tensor_from_numpy", false},
        {"torch._utils._rebuild_xla_tensor", false},
        {"torch.jit._pickle.restore_type_tag", false},
    };
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (sm_pickle_is_global(t, call->callable, wrappers[i].name)) {
            *parameter |= wrappers[i].parameter;
            return sm_pickle_item(t, call->args, 0);
        }
    return 0;
}

/* _rebuild_from_type_v2(function, type, arguments, state) calls the function. */
static void take_subclass(const struct sm_pickle *t, uint32_t *callable, uint32_t *args)
{
    uint32_t outer = *args;
    if (!sm_pickle_is_global(t, *callable, "torch._tensor._rebuild_from_type_v2") &&
        !sm_pickle_is_global(t, *callable, "torch._tensor._rebuild_from_type"))
        return;
    *callable = sm_pickle_item(t, outer, 0);
    *args = sm_pickle_item(t, outer, 2);
}

enum sm_torch_found sm_torch_array(struct sm_torch_reader *r, uint32_t node,
                                   struct sm_torch_array *out, struct sm_err *err)
{
    const struct sm_pickle *t = r->tree;
    const struct sm_pickle_object *o = sm_pickle_object(t, node);
    out->view = (struct sm_ckpt_view){.dims = out->dims, .strides = out->strides};
    out->unknown = false;
    for (unsigned i = 0; o && i < WRAPPED_MAX; i++) {
        struct sm_pickle_object call = *o;
        take_subclass(t, &call.callable, &call.args);
        const struct form *form = find_form(t, call.callable);
        if (form)
            return take_form(r, call.args, form, out, err) ? SM_TORCH_ARRAY : SM_TORCH_BAD;
        uint32_t inner = inner_tensor(t, &call, &out->view.parameter);
        if (!inner)
            return sm_torch_numpy(r, node, out, err);
        node = inner;
        o = sm_pickle_object(t, node);
    }
    return SM_TORCH_OTHER;
}
