/* SPDX-License-Identifier: Apache-2.0 */
/* The walk through the values of a pickle: what is in it, and by which keys it is found.
 *
 * A value that stands in several places has several names, as tied weights have. One that holds
 * itself is entered once, and each is entered at most VISITS_MAX times, so that 2^59 names of one
 * tensor are some thousand. There is no recursion. */
#include "reader/base/vec.h"
#include "reader/checkpoints/torch_reader.h"

#include <string.h>

enum { DEPTH_MAX = 1000, VISITS_MAX = 1000, STEPS_MAX = 32 << 20 };
/* Bytes of leaves of one file, as a text may stand in many places too; and bytes that were written
 * to see whether a list is one. */
enum { LEAF_BYTES_MAX = 8 << 20, TRIED_MAX = 32 << 20 };
enum { OBJECT_PARTS = 5 }; /* arguments, list, dict, and two of its state */

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

/* A child: its name is appended to the path unless it is found under that of its parent. */
struct child {
    uint32_t node;
    bool named, pairs, module, quiet, from_call;
    const char *const *names;
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
    {"torch._tensor._rebuild_from_type_v2", 3, false},
    {"torch._tensor._rebuild_from_type", 3, false},
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

/* The parts of a sparse tensor, as torch names them: (layout, parts). */
enum { SPARSE_PARTS = 4 };
static const char *const *sparse_names(const struct sm_pickle *t, uint32_t layout)
{
    static const char *const coo[SPARSE_PARTS] = {"indices", "values", "shape", "coalesced"},
                             *const rows[SPARSE_PARTS] = {"crow_indices", "col_indices", "values",
                                                          "shape"},
                             *const columns[SPARSE_PARTS] = {"ccol_indices", "row_indices",
                                                             "values", "shape"};
    const struct sm_pickle_object *call = sm_pickle_object(t, layout); /* _get_layout(NAME) */
    struct sm_text name = sm_pickle_text(t, call ? sm_pickle_item(t, call->args, 0) : layout);
    if (sm_text_is(name, "torch.sparse_coo"))
        return coo;
    return sm_text_is(name, "torch.sparse_csc") || sm_text_is(name, "torch.sparse_bsc") ? columns
                                                                                        : rows;
}

/* The arguments of a call that may hold values. A call of one argument has its name. */
static struct child arguments(const struct sm_pickle *t, const struct sm_pickle_object *o)
{
    const struct known_call *known = known_call(t, o->callable);
    struct child c = {.node = o->args, .from_call = true};
    if (known) {
        c.node = known->argument < 0 ? 0 : sm_pickle_item(t, o->args, (size_t)known->argument);
        c.pairs = known->pairs;
        if (sm_pickle_is_global(t, o->callable, "torch._utils._rebuild_sparse_tensor") &&
            sm_pickle_node(t, c.node)->n <= SPARSE_PARTS)
            c.names = sparse_names(t, sm_pickle_item(t, o->args, 0));
        return c;
    }
    const struct sm_pickle_node *args = sm_pickle_node(t, o->args);
    if (args->kind == SM_PICKLE_TUPLE && args->n == 1)
        c.node = args->items[0];
    return c;
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

static struct child part_of_object(const struct sm_pickle *t, uint32_t node, uint32_t part)
{
    const struct sm_pickle_object *o = sm_pickle_object(t, node);
    if (part == 0)
        return arguments(t, o);
    if (part < 3)
        return (struct child){.node = part == 1 ? o->list : o->dict};
    uint32_t state = state_part(t, o->state, part - 3);
    /* the versions of modules in a state_dict; an array of objects */
    if (sm_pickle_is_global(t, o->callable, "collections.OrderedDict"))
        state = 0;
    if (sm_pickle_is_global(t, o->callable, "numpy.core.multiarray._reconstruct"))
        state = part == 3 ? sm_pickle_item(t, o->state, 4) : 0;
    return (struct child){.node = state, .module = state && is_module(t, o, state)};
}

/* ---- children ---- */

/* An attribute of a module. False: it is none of its values. */
static bool attribute(const struct sm_pickle *t, struct sm_text key, struct child *c)
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
static bool value_of_dict(struct walk *w, const struct frame *f, uint32_t key, struct child *c)
{
    struct sm_text text = sm_pickle_text(w->t, key);
    c->named = true;
    c->quiet = f->quiet;
    if (f->module && !attribute(w->t, text, c))
        return false;
    /* of a DTensor: the part of it that this rank has */
    if (sm_text_is(text, "_local_tensor"))
        c->named = false;
    if (c->named)
        sm_torch_key(w->t, key, &w->path);
    return true;
}

/* Item k of a list or tuple, or of a list of pairs. False: it is left out. */
static bool item_of(struct walk *w, const struct frame *f, uint32_t item, uint32_t k,
                    struct child *c)
{
    uint32_t value = f->pairs ? sm_pickle_item(w->t, item, 1) : 0;
    *c = (struct child){.node = value ? value : item};
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
static bool child_of_container(struct walk *w, struct frame *f, struct child *c)
{
    const struct sm_pickle_node *n = sm_pickle_node(w->t, f->node);
    uint32_t i = f->at;
    bool dict = n->kind == SM_PICKLE_DICT, has;
    f->at += dict ? 2 : 1;
    if (f->name_n)
        sm_str_addc(&w->path, '.');
    if (dict) {
        *c = (struct child){.node = n->items[i + 1]};
        has = value_of_dict(w, f, n->items[i], c);
    } else {
        has = item_of(w, f, n->items[i], i, c);
    }
    if (!c->named)
        sm_str_truncate(&w->path, f->name_n);
    return has;
}

/* The next child of the innermost node, its name added to the path. False: there is none. */
static bool next_child(struct walk *w, struct frame *f, struct child *c)
{
    const struct sm_pickle_node *n = sm_pickle_node(w->t, f->node);
    bool object = n->kind == SM_PICKLE_OBJECT, has = false;
    uint32_t children = object ? OBJECT_PARTS : n->n;
    while (!has && f->at < children) {
        sm_str_truncate(&w->path, f->name_n);
        if (object)
            *c = part_of_object(w->t, f->node, f->at++);
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

static bool enter(struct walk *w, const struct child *c)
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

/* A value that is no tensor and holds none. False: no memory. *is: whether it is one. */
static bool take_leaf(struct walk *w, const struct child *c, bool *is)
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

static bool visit(struct walk *w, const struct child *c)
{
    struct sm_torch_array array;
    struct sm_err err = {0};
    bool leaf;
    w->steps++;
    switch (sm_torch_array(w->r, c->node, &array, &err)) {
    case SM_TORCH_ARRAY:
        return add_tensor(w, &array);
    case SM_TORCH_BAD:
        if (err.code == SM_ERR_MEMORY)
            return no_memory(w);
        report(w, &err);
        return true;
    case SM_TORCH_OTHER:
        break;
    }
    return take_leaf(w, c, &leaf) && (leaf || enter(w, c));
}

static bool walk_all(struct walk *w, const char *prefix)
{
    struct child child = {.node = w->t->root};
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
