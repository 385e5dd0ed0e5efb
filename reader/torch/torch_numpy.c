/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of numpy in a pickle. */
#include "reader/torch/torch_reader.h"

/* The nodes of an array, as one of the two forms has them. */
struct parts {
    uint32_t shape, dtype, bytes;
    bool fortran; /* the first axis varies fastest */
};

/* _reconstruct(ndarray, (0,), b'b') and the state (version, shape, dtype, Fortran order, bytes). */
static bool parts_of_state(const struct sm_pickle *t, uint32_t node, struct parts *p)
{
    const struct sm_pickle_object *o =
        sm_pickle_made_by(t, node, "numpy.core.multiarray._reconstruct");
    if (!o || sm_pickle_kind(t, o->state) != SM_PICKLE_TUPLE || sm_pickle_node(t, o->state)->n != 5)
        return false;
    const struct sm_pickle_node *fortran = sm_pickle_node(t, sm_pickle_item(t, o->state, 3));
    *p = (struct parts){sm_pickle_item(t, o->state, 1), sm_pickle_item(t, o->state, 2),
                        sm_pickle_item(t, o->state, 4),
                        fortran->kind == SM_PICKLE_BOOL && fortran->truth};
    return true;
}

/* Protocol 5: _frombuffer(bytes, dtype, shape, 'C'). */
static bool parts_of_buffer(const struct sm_pickle *t, uint32_t node, struct parts *p)
{
    const struct sm_pickle_object *o = sm_pickle_made_by(t, node, "numpy.core.numeric._frombuffer");
    if (!o)
        return false;
    *p = (struct parts){sm_pickle_item(t, o->args, 2), sm_pickle_item(t, o->args, 1),
                        sm_pickle_item(t, o->args, 0),
                        sm_text_is(sm_pickle_text(t, sm_pickle_item(t, o->args, 3)), "F")};
    return true;
}

/* Strides of an array whose first axis varies fastest; sizes are checked by who adds the tensor. */
static void fortran_strides(struct sm_torch_array *a)
{
    uint64_t stride = 1;
    for (unsigned i = 0; i < a->view.n_dims; i++) {
        a->strides[i] = (int64_t)(stride & INT64_MAX);
        stride *= a->dims[i] ? a->dims[i] : 1;
    }
}

enum sm_torch_found sm_torch_numpy(struct sm_torch_reader *r, uint32_t node,
                                   struct sm_torch_array *out, struct sm_err *err)
{
    struct parts p;
    bool big_endian;
    if (!parts_of_state(r->tree, node, &p) && !parts_of_buffer(r->tree, node, &p))
        return SM_TORCH_OTHER;
    out->view.dtype = sm_torch_numpy_dtype(r->tree, p.dtype, &big_endian);
    /* objects, texts and dates are looked through as any other call */
    if (out->view.dtype == SM_DTYPE_UNKNOWN)
        return SM_TORCH_OTHER;
    if (!sm_torch_sizes(r->tree, p.shape, out->dims, &out->view.n_dims, err))
        return SM_TORCH_BAD;
    out->view.strides = NULL;
    if (p.fortran) {
        fortran_strides(out);
        out->view.strides = out->strides;
    }
    out->view.storage = sm_torch_inline(r, p.bytes, big_endian, err);
    return out->view.storage == SM_NAME_NONE ? SM_TORCH_BAD : SM_TORCH_ARRAY;
}
