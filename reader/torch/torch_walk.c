/* SPDX-License-Identifier: Apache-2.0 */
/* The walk through the values of a pickle: what is in it, and by which keys it is found.
 *
 * A value that stands in several places has several names, as tied weights have. One that holds
 * itself is entered once, and each is entered at most VISITS_MAX times, so that 2^59 names of one
 * tensor are some thousand. There is no recursion. */
#include "reader/base/vec.h"
#include "reader/torch/torch_reader.h"

#include <string.h>

enum { DEPTH_MAX = 1000, VISITS_MAX = 1000, STEPS_MAX = 32 << 20 };
/* Bytes of leaves of one file, as a text may stand in many places too; and bytes that were written
 * to see whether a list is one. */
enum { LEAF_BYTES_MAX = 8 << 20, TRIED_MAX = 32 << 20 };

struct frame {
    uint32_t node;
    uint32_t at;     /* the next child */
    uint32_t name_n; /* bytes of the path to the node itself */
    bool pairs;      /* a list of (key, value) */
    bool module;     /* attributes of a module: only what a state_dict would have, and settings */
    bool quiet;      /* values that are no tensors are of no interest */
    const char *const *names; /* of the items of a tuple, or NULL */
};
struct walk {
    struct sm_torch_reader *r;
    const struct sm_pickle *t;
    struct sm_err *err;
    struct sm_str path, json;
    struct frame *frames;
    size_t n_frames, cap_frames;
    uint16_t *visits; /* of each node */
    uint8_t *open;    /* it is being walked through */
    uint64_t steps;
    size_t leaf_bytes, tried;
    bool cut; /* not all was walked through, and this was said */
};

static bool no_memory(struct walk *w)
{
    return sm_err_set(w->err, SM_ERR_MEMORY, "no memory for what a pickle holds");
}

static void report(struct walk *w, struct sm_err *err)
{
    struct sm_str name = {0};
    sm_str_addn(&name, sm_str_text(&w->path), w->path.len < 100 ? w->path.len : 100);
    sm_err_prefix(err, "%s", w->path.len ? sm_str_text(&name) : "the file's value");
    sm_ckpt_add_problem(w->r->out, -1, err);
    sm_str_clear(&name);
}

static void report_cut(struct walk *w, const char *what)
{
    struct sm_err err;
    if (w->cut)
        return;
    w->cut = true;
    sm_err_set(&err, SM_ERR_LIMIT, "%s: not all names are listed", what);
    report(w, &err);
}

/* ---- what a node holds ---- */

static bool is_container(const struct sm_pickle *t, uint32_t node)
{
    enum sm_pickle_kind kind = sm_pickle_kind(t, node);
    return (kind >= SM_PICKLE_TUPLE && kind <= SM_PICKLE_DICT) || kind == SM_PICKLE_OBJECT;
}

/* ---- children ---- */

/* An attribute of a module. False: it is none of its values. */
static bool attribute(const struct sm_pickle *t, struct sm_text key, struct sm_torch_child *c)
{
    if (sm_text_is(key, "_modules") || sm_text_is(key, "_parameters") ||
        sm_text_is(key, "_buffers")) {
        c->named = false;
        c->quiet = true;
        return is_container(t, c->node);
    }
    return !sm_text_is(key, "training") && (!key.n || key.p[0] != '_');
}

/* A value of a dict. False: it is left out. */
static bool value_of_dict(struct walk *w, const struct frame *f, uint32_t key,
                          struct sm_torch_child *c)
{
    struct sm_text text = sm_pickle_text(w->t, key);
    c->named = true;
    c->quiet = f->quiet;
    if (f->module && !attribute(w->t, text, c))
        return false;
    /* of a DTensor: the part of it that this rank has, and how it is distributed */
    uint32_t local;
    if (sm_text_is(text, "_local_tensor"))
        c->named = false;
    if (sm_text_is(text, "_spec") && sm_pickle_get(w->t, f->node, "_local_tensor", &local))
        return false;
    if (c->named)
        sm_torch_key(w->t, key, &w->path);
    return true;
}

/* Item k of a list or tuple, or of a list of pairs. False: it is left out. */
static bool item_of(struct walk *w, const struct frame *f, uint32_t item, uint32_t k,
                    struct sm_torch_child *c)
{
    uint32_t value = f->pairs ? sm_pickle_item(w->t, item, 1) : 0;
    *c = (struct sm_torch_child){.node = value ? value : item};
    if (value)
        return value_of_dict(w, f, sm_pickle_item(w->t, item, 0), c);
    c->named = true;
    if (f->names)
        sm_str_add(&w->path, f->names[k]);
    else
        sm_str_printf(&w->path, "%u", k);
    return true;
}

/* The child at position f->at of a container, which is moved on. False: it is left out. */
static bool child_of_container(struct walk *w, struct frame *f, struct sm_torch_child *c)
{
    const struct sm_pickle_node *n = sm_pickle_node(w->t, f->node);
    uint32_t i = f->at;
    bool dict = n->kind == SM_PICKLE_DICT, has;
    f->at += dict ? 2 : 1;
    if (f->name_n)
        sm_str_addc(&w->path, '.');
    if (dict) {
        *c = (struct sm_torch_child){.node = n->items[i + 1]};
        has = value_of_dict(w, f, n->items[i], c);
    } else {
        has = item_of(w, f, n->items[i], i, c);
    }
    if (!c->named)
        sm_str_truncate(&w->path, f->name_n);
    return has;
}

/* The next child of the innermost node, its name added to the path. False: there is none. */
static bool next_child(struct walk *w, struct frame *f, struct sm_torch_child *c)
{
    const struct sm_pickle_node *n = sm_pickle_node(w->t, f->node);
    bool object = n->kind == SM_PICKLE_OBJECT, has = false;
    uint32_t children = object ? SM_TORCH_PARTS : n->n;
    while (!has && f->at < children) {
        sm_str_truncate(&w->path, f->name_n);
        if (object)
            *c = sm_torch_part(w->t, f->node, f->at++);
        has = object ? c->node != 0 : child_of_container(w, f, c);
    }
    return has;
}

/* ---- visiting ---- */

static bool add_tensor(struct walk *w, struct sm_torch_array *a)
{
    struct sm_err err = {0};
    a->view.name = (struct sm_text){sm_str_text(&w->path), w->path.len};
    if (sm_ckpt_add_tensor(w->r->out, &a->view, &err))
        return true;
    if (err.code == SM_ERR_MEMORY)
        return no_memory(w);
    if (w->r->out->full)
        report_cut(w, err.msg);
    else
        report(w, &err);
    return true;
}

/* Of a tensor whose elements are not there, or of an unknown type, the shape stays. */
static bool add_shape(struct walk *w, const struct sm_torch_array *a)
{
    struct sm_err err = {0};
    return sm_ckpt_add_shape(w->r->out, (struct sm_text){sm_str_text(&w->path), w->path.len},
                             a->view.n_dims, a->view.dims, &err) ||
           err.code != SM_ERR_MEMORY || no_memory(w);
}

static bool enter(struct walk *w, const struct sm_torch_child *c)
{
    uint32_t node = sm_torch_unwrap(w->t, c->node);
    if (!is_container(w->t, node) || w->open[node])
        return true;
    if (w->n_frames >= DEPTH_MAX || w->visits[node] >= VISITS_MAX) {
        report_cut(w, w->n_frames >= DEPTH_MAX ? "values in more than 1000 levels"
                                               : "a value that stands in more than 1000 places");
        return true;
    }
    if (!SM_VEC_ROOM(w->frames, w->n_frames, w->cap_frames))
        return no_memory(w);
    w->visits[node]++;
    w->open[node] = true;
    w->frames[w->n_frames++] = (struct frame){.node = node,
                                              .name_n = (uint32_t)w->path.len,
                                              .pairs = c->pairs,
                                              .module = c->module,
                                              .quiet = c->quiet,
                                              .names = c->names};
    return true;
}

/* Scale and zero point of a quantized tensor, whose elements were added as they are stored. */
static bool enter_quantized(struct walk *w, const struct sm_torch_child *c)
{
    return !sm_pickle_made_by(w->t, c->node, "torch._utils._rebuild_qtensor") || enter(w, c);
}

/* A value that is no tensor and holds none. False: no memory. *is: whether it is one. */
static bool take_leaf(struct walk *w, const struct sm_torch_child *c, bool *is)
{
    enum sm_pickle_kind kind = sm_pickle_kind(w->t, c->node);
    *is = !is_container(w->t, c->node);
    if (c->from_call && (kind == SM_PICKLE_GLOBAL || kind == SM_PICKLE_TUPLE || !c->node))
        return true;
    if ((w->r->out->full || w->leaf_bytes > LEAF_BYTES_MAX) && *is)
        return true;
    if (w->tried > TRIED_MAX && !*is)
        return true;
    *is = sm_torch_leaf(w->t, c->node, &w->json) == SM_TORCH_LEAF;
    w->tried += w->json.len;
    if (!*is || !w->json.len || c->quiet || !w->path.len)
        return true;
    struct sm_text path = {sm_str_text(&w->path), w->path.len};
    w->leaf_bytes += path.n + w->json.len;
    if (w->leaf_bytes > LEAF_BYTES_MAX)
        return true;
    return sm_ckpt_add_leaf(w->r->out, path,
                            (struct sm_text){sm_str_text(&w->json), w->json.len}) ||
           no_memory(w);
}

static bool visit(struct walk *w, const struct sm_torch_child *c)
{
    struct sm_torch_array array;
    struct sm_err err = {0};
    bool leaf;
    w->steps++;
    switch (sm_torch_array(w->r, c->node, &array, &err)) {
    case SM_TORCH_ARRAY:
        return add_tensor(w, &array) && enter_quantized(w, c);
    case SM_TORCH_BAD:
        if (err.code == SM_ERR_MEMORY)
            return no_memory(w);
        if (err.code == SM_ERR_MISSING)
            w->r->lost++;
        else
            report(w, &err);
        return (err.code != SM_ERR_MISSING && !array.unknown) || add_shape(w, &array);
    case SM_TORCH_OTHER:
        break;
    }
    return take_leaf(w, c, &leaf) && (leaf || enter(w, c));
}

static bool walk_all(struct walk *w, const char *prefix)
{
    struct sm_torch_child child = {.node = w->t->root};
    sm_str_add(&w->path, prefix);
    if (!visit(w, &child))
        return false;
    while (w->n_frames) {
        struct frame *f = &w->frames[w->n_frames - 1];
        bool more = w->steps < STEPS_MAX && next_child(w, f, &child);
        if (w->path.failed || (more && !visit(w, &child)))
            return w->path.failed ? no_memory(w) : false;
        if (!more)
            w->open[w->frames[--w->n_frames].node] = false;
    }
    if (w->steps >= STEPS_MAX)
        report_cut(w, "too many values");
    return true;
}

bool sm_torch_walk(struct sm_torch_reader *r, const char *prefix, struct sm_err *err)
{
    struct walk w = {.r = r, .t = r->tree, .err = err};
    w.visits = sm_alloc_zero(r->tree->n_nodes, sizeof *w.visits);
    w.open = sm_alloc_zero(r->tree->n_nodes, sizeof *w.open);
    bool ok = w.visits && w.open ? walk_all(&w, prefix) : no_memory(&w);
    sm_free(w.visits);
    sm_free(w.open);
    sm_free(w.frames);
    sm_str_clear(&w.path);
    sm_str_clear(&w.json);
    return ok;
}
