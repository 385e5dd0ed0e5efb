/* SPDX-License-Identifier: Apache-2.0 */
/* Where in an object of a pickle values are: its arguments, what was added to it, its state. */
#include "reader/torch/torch_reader.h"

#include <string.h>

/* Calls whose arguments are known: number of the one that has values, or none. */
static const struct known_call {
    const char *name;
    int argument; /* -1: none */
    bool pairs;
} known_calls[] = {
    {"collections.OrderedDict", 0, true},
    {"collections.defaultdict", -1, false},
    {"collections.Counter", 0, false},
    {"collections.deque", 0, false},
    {"builtins.set", 0, false},
    {"builtins.frozenset", 0, false},
    {"builtins.dict", 0, true},
    {"copyreg._reconstructor", 2, false},
    {"torch._tensor._rebuild_from_type_v2", -1, false}, /* its state is the fourth argument */
    {"torch._tensor._rebuild_from_type", -1, false},
    {"torch._utils._rebuild_parameter", 0, false},
    {"torch._utils._rebuild_parameter_with_state", 0, false},
    {"torch._utils._rebuild_meta_tensor_no_storage", -1, false},
    {"torch._utils._rebuild_wrapper_subclass", -1, false},
    {"torch._utils._rebuild_sparse_tensor", 1, false},
    {"torch._utils._rebuild_qtensor", 4, false},
    {"numpy.core.multiarray._reconstruct", -1, false},
};

static const struct known_call *known_call(const struct sm_pickle *t, uint32_t callable)
{
    for (size_t i = 0; i < sizeof known_calls / sizeof *known_calls; i++)
        if (sm_pickle_is_global(t, callable, known_calls[i].name))
            return &known_calls[i];
    return NULL;
}

/* The parts of a tensor of several, as torch names them: (layout, parts) of a sparse one, the
 * parameters of a quantizer, all arguments of a nested one. */
enum { PARTS_MAX = 4 };
static const char *const *sparse_names(const struct sm_pickle *t, uint32_t layout)
{
    static const char *const coo[PARTS_MAX] = {"indices", "values", "shape", "coalesced"},
                             *const rows[PARTS_MAX] = {"crow_indices", "col_indices", "values",
                                                       "shape"},
                             *const columns[PARTS_MAX] = {"ccol_indices", "row_indices", "values",
                                                          "shape"};
    const struct sm_pickle_object *call = sm_pickle_object(t, layout); /* _get_layout(NAME) */
    struct sm_text name = sm_pickle_text(t, call ? sm_pickle_item(t, call->args, 0) : layout);
    if (sm_text_is(name, "torch.sparse_coo"))
        return coo;
    return sm_text_is(name, "torch.sparse_csc") || sm_text_is(name, "torch.sparse_bsc") ? columns
                                                                                        : rows;
}

/* NULL if the parts of a call have no names. */
static const char *const *names_of_parts(const struct sm_pickle *t,
                                         const struct sm_pickle_object *o, uint32_t parts)
{
    static const char *const quantizer[PARTS_MAX] = {"scheme", "scale", "zero_point", "axis"},
                             *const nested[PARTS_MAX] = {"values", "sizes", "strides", "offsets"};
    if (sm_pickle_node(t, parts)->n > PARTS_MAX)
        return NULL;
    if (sm_pickle_is_global(t, o->callable, "torch._utils._rebuild_sparse_tensor"))
        return sparse_names(t, sm_pickle_item(t, o->args, 0));
    if (sm_pickle_is_global(t, o->callable, "torch._utils._rebuild_qtensor"))
        return quantizer;
    return sm_pickle_is_global(t, o->callable, "torch._utils._rebuild_nested_tensor") ? nested
                                                                                      : NULL;
}

/* The arguments of a call that may hold values. One argument alone has the name of the call, unless
 * a state may have the same names. */
static struct sm_torch_child arguments(const struct sm_pickle *t, const struct sm_pickle_object *o)
{
    const struct known_call *known = known_call(t, o->callable);
    struct sm_torch_child c = {.node = o->args, .from_call = true};
    if (known) {
        c.node = known->argument < 0 ? 0 : sm_pickle_item(t, o->args, (size_t)known->argument);
        c.pairs = known->pairs;
    }
    c.names = names_of_parts(t, o, c.node);
    const struct sm_pickle_node *args = sm_pickle_node(t, o->args);
    if (!known && !o->state && args->kind == SM_PICKLE_TUPLE && args->n == 1)
        c.node = args->items[0];
    return c;
}

/* The state of an object; of a subclass of tensors it is an argument of the call. */
static uint32_t state_of(const struct sm_pickle *t, const struct sm_pickle_object *o)
{
    if (sm_pickle_is_global(t, o->callable, "torch._tensor._rebuild_from_type_v2") ||
        sm_pickle_is_global(t, o->callable, "torch._tensor._rebuild_from_type"))
        return sm_pickle_item(t, o->args, 3);
    return o->state;
}

/* A state is a dict of attributes, or that and a dict of slots. */
static uint32_t state_part(const struct sm_pickle *t, uint32_t state, unsigned k)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, state);
    bool two = n->kind == SM_PICKLE_TUPLE && n->n == 2;
    for (unsigned i = 0; two && i < 2; i++)
        two = n->items[i] == 0 || sm_pickle_kind(t, n->items[i]) == SM_PICKLE_DICT;
    return two ? n->items[k] : k ? 0 : state;
}

/* TorchScript's classes are below __torch__; others are known by the dict of their modules. */
static bool is_module(const struct sm_pickle *t, const struct sm_pickle_object *o, uint32_t state)
{
    struct sm_text class = sm_pickle_text(t, o->callable);
    uint32_t modules;
    return (class.n > 10 && memcmp(class.p, "__torch__.", 10) == 0) ||
           sm_pickle_get(t, state, "_modules", &modules);
}

struct sm_torch_child sm_torch_part(const struct sm_pickle *t, uint32_t node, uint32_t part)
{
    const struct sm_pickle_object *o = sm_pickle_object(t, node);
    if (part == 0)
        return arguments(t, o);
    if (part < 3)
        return (struct sm_torch_child){.node = part == 1 ? o->list : o->dict};
    uint32_t state = state_part(t, state_of(t, o), part - 3);
    /* the versions of modules in a state_dict; an array of objects */
    if (sm_pickle_is_global(t, o->callable, "collections.OrderedDict"))
        state = 0;
    if (sm_pickle_is_global(t, o->callable, "numpy.core.multiarray._reconstruct"))
        state = part == 3 ? sm_pickle_item(t, o->state, 4) : 0;
    return (struct sm_torch_child){.node = state, .module = state && is_module(t, o, state)};
}
