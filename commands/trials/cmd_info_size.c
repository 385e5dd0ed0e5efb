/* SPDX-License-Identifier: Apache-2.0 */
/* info size: the disk space of each collection; the elements of a step by module or type. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/trials/trials.h"
#include "reader/analysis/saved_weights.h"
#include "reader/base/map.h"
#include "reader/nearest.h"
#include "reader/trial_place.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { DEPTH_MAX = 64 };
enum by { BY_COLLECTION, BY_MODULE, BY_TYPE };

static const struct sm_column columns[] = {
    {.key = "name", .header = "COLLECTION"},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "values", .header = "VALUES", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
};
static const struct sm_column group_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "values", .header = "VALUES", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "elements", .header = "ELEMENTS", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
    {.key = "share", .header = "SHARE-%", .format = SM_COL_NUMBER},
    {.key = "dtypes", .header = "DTYPES", .format = SM_COL_LIST},
    {.key = "tied", .header = "TIED", .format = SM_COL_NUMBER, .hidden = true},
};

/* ---- by collection: all records ---- */

struct size {
    uint64_t values, bytes;
};

/* A record that contains several values counts once. */
static struct size size_of(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    struct size size = {0};
    struct sm_entry before = sm_entry_none();
    for (size_t i = 0; i < x->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind == SM_ENTRY_SHAPE || sm_trial_part(t, e.part)->replaced)
            continue;
        bool same_record =
            sm_entry_exists(&before) && before.part == e.part && before.offset == e.offset;
        size.values++;
        size.bytes += same_record ? 0 : e.length;
        before = e;
    }
    return size;
}

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                    size_t collection)
{
    const struct sm_names *names = sm_trial_names(t);
    struct sm_node *row = sm_node_map(out, list, NULL);
    struct size sum = {0};
    size_t n;
    const uint32_t *ids = sm_trial_collection_tensors(t, collection, &n);
    for (size_t k = 0; k < n; k++) {
        const struct sm_trial_tensor *x =
            sm_trial_find(t, sm_names_text(names, ids[k]), sm_names_length(names, ids[k]));
        struct size size = x ? size_of(t, x) : (struct size){0};
        sum.values += size.values;
        sum.bytes += size.bytes;
    }
    sm_node_text(out, row, "name", sm_trial_collection(t, collection)->name);
    sm_node_uint(out, row, "tensors", n);
    sm_node_uint(out, row, "values", sum.values);
    sm_node_uint(out, row, "bytes", sum.bytes);
    sm_node_null(out, row, "elements");
    sm_node_null(out, row, "share");
    sm_node_list(out, row, "dtypes");
    sm_node_null(out, row, "tied");
}

static void list_collections(const struct sm_trial *t, struct sm_result *out)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    size_t steps = sm_trial_step_count(t);
    uint64_t bytes = sm_trial_bytes(t);
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        add_row(out, list, t, i);
    sm_result_listing(out, list, columns, COUNT(columns));
    sm_result_dim(
        out,
        "%zu tensors, %zu steps, %llu bytes of records: %llu per step. A tensor counts in "
        "each of its collections.",
        sm_trial_tensor_count(t), steps, (unsigned long long)bytes,
        (unsigned long long)(steps ? bytes / steps : 0));
}

/* ---- by module or type: the elements of one step, of all workers ---- */

struct group {
    struct sm_text name;
    uint64_t tensors, tied, values, elements, bytes;
    uint64_t types; /* bit per enum sm_dtype */
};
struct groups {
    struct sm_names *names;
    struct group *items; /* by id in names */
    size_t n;
    struct sm_names *places; /* where values lie: each is counted once */
    struct group model;      /* without state of optimizers and of random numbers */
    int64_t depth;           /* parts of a name that are a module */
};

/* Behind the first part of a name, with the number of a layer after it; NULL: it is the last one.
 */
static const char *next_part(const char *name)
{
    const char *dot = strpbrk(name, "./");
    size_t digits = dot ? strspn(dot + 1, "0123456789") : 0;
    if (digits && dot[1 + digits] && strchr("./", dot[1 + digits]))
        dot += 1 + digits;
    return dot ? dot + 1 : NULL;
}

/* The first parts of a name, without the last one, which is the tensor. */
static struct sm_text module_of(const char *name, int64_t depth)
{
    const char *end = name, *next;
    for (; depth > 0 && (next = next_part(end)); depth--)
        end = next;
    return end > name ? (struct sm_text){name, (size_t)(end - name) - 1} : sm_text(name);
}

/* Two parts, or one more than all names of the model have in common. */
static int64_t usual_depth(const struct sm_trial *t)
{
    const char *first = NULL;
    size_t common = 0;
    int64_t parts = 1;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        const char *name = sm_trial_tensor_name(t, x);
        if (sm_is_training_state(name) || !sm_trial_in_named(t, "weights", x->name))
            continue;
        size_t n = 0;
        while (first && n < common && name[n] == first[n])
            n++;
        common = first ? n : strlen(name);
        first = first ? first : name;
    }
    for (const char *p = first; p && (p = next_part(p)) && (size_t)(p - first) <= common;)
        parts++;
    return parts > 2 ? parts : 2;
}

static void add_value(struct group *x, const struct sm_facts *facts, bool first, bool tied)
{
    unsigned bits = sm_dtype_stored_bits(facts->dtype);
    x->tensors += first;
    x->tied += first && tied;
    x->values++;
    x->types |= (uint64_t)1 << facts->dtype;
    if (tied)
        return;
    x->elements += facts->n;
    x->bytes += bits % 8 ? (facts->n * bits + 7) / 8 : facts->content_bytes;
}

static void count_value(struct groups *g, struct sm_text name, const struct sm_facts *facts,
                        bool first, bool tied)
{
    uint32_t id = sm_names_add(g->names, name.p, name.n);
    if (id == g->n) {
        g->items = sm_xrealloc(g->items, g->n + 1, sizeof *g->items);
        g->items[g->n++] =
            (struct group){.name = {sm_names_text(g->names, id), sm_names_length(g->names, id)}};
    }
    add_value(&g->items[id], facts, first, tied);
}

/* Whether a value that was counted is this one in the file. */
static bool is_counted(struct groups *g, const struct sm_trial *t, const struct sm_entry *e)
{
    struct sm_str place = {0};
    bool counted = false;
    if (sm_value_place(t, e, &place)) {
        uint32_t n = sm_names_count(g->places);
        counted = sm_names_add(g->places, sm_str_text(&place), place.len) < n;
    }
    sm_str_clear(&place);
    return counted;
}

/* The values of a tensor at the step. False with SM_ERR_WAIT. */
static bool count_tensor(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x,
                         struct sm_step step, enum by by, struct groups *g)
{
    size_t from, to;
    bool known = true, first = true;
    const char *name = sm_trial_tensor_name(t, x);
    struct sm_err err;
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return true;
    for (size_t i = from; i < to; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_facts *facts;
        if (e.kind != SM_ENTRY_VALUE || sm_entry_is_scalar(&e) ||
            sm_trial_part(t, e.part)->replaced)
            continue;
        if (!sm_fetch_head(c->session->fetch, t, &e, &facts, &err)) {
            known = known && err.code != SM_ERR_WAIT;
            continue;
        }
        bool tied = is_counted(g, t, &e);
        count_value(g,
                    by == BY_TYPE ? sm_text(sm_dtype_info(facts->dtype)->name)
                                  : module_of(name, g->depth),
                    facts, first, tied);
        if (!sm_is_training_state(name))
            add_value(&g->model, facts, first, tied);
        first = false;
    }
    return known;
}

static int by_bytes(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = (x->bytes < y->bytes) - (x->bytes > y->bytes);
    return order ? order : sm_natural_cmp(x->name.p, y->name.p);
}

static void add_group(struct sm_result *out, struct sm_node *list, const struct group *g,
                      uint64_t all)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_textn(out, row, "name", g->name.p, g->name.n);
    sm_node_uint(out, row, "tensors", g->tensors);
    sm_node_uint(out, row, "values", g->values);
    sm_node_uint(out, row, "bytes", g->bytes);
    sm_node_uint(out, row, "elements", g->elements);
    sm_node_double(out, row, "share", all ? 100 * (double)g->bytes / (double)all : 0, false);
    struct sm_node *types = sm_node_list(out, row, "dtypes");
    for (int d = 0; d < SM_DTYPE_COUNT; d++)
        if (g->types >> d & 1)
            sm_node_text(out, types, NULL, sm_dtype_info((enum sm_dtype)d)->name);
    sm_node_uint(out, row, "tied", g->tied);
}

static void say_model(const struct group *model, struct sm_result *out)
{
    char bytes[16], elements[32];
    sm_format_bytes(model->bytes, bytes);
    sm_format_count(model->elements, elements);
    sm_result_dim(out,
                  "Without state of optimizers and random numbers: %llu tensors, %s elements, %s.",
                  (unsigned long long)model->tensors, elements, bytes);
}

static void list_groups(struct groups *g, struct sm_step step, struct sm_result *out)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct group sum = {0};
    char bytes[16], elements[32];
    for (size_t i = 0; i < g->n; i++) {
        sum.bytes += g->items[i].bytes;
        sum.elements += g->items[i].elements;
        sum.tensors += g->items[i].tensors;
        sum.tied += g->items[i].tied;
    }
    if (g->n)
        qsort(g->items, g->n, sizeof *g->items, by_bytes);
    for (size_t i = 0; i < g->n; i++)
        add_group(out, list, &g->items[i], sum.bytes);
    sm_result_listing(out, list, group_columns, COUNT(group_columns));
    sm_format_bytes(sum.bytes, bytes);
    sm_format_count(sum.elements, elements);
    sm_result_dim(out, "Step %lld: %llu tensors, %s elements, %s, those of all workers.",
                  (long long)step.n, (unsigned long long)sum.tensors, elements, bytes);
    if (sum.tied)
        sm_result_dim(out,
                      "%llu with the elements of another one in the file, which are counted once.",
                      (unsigned long long)sum.tied);
    if (g->model.tensors && g->model.tensors < sum.tensors)
        say_model(&g->model, out);
}

/* The step of the line, or of the place, else the newest one with weights. */
static bool read_size_step(struct sm_call *c, struct sm_step *out, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    const struct sm_trial *t = sm_session_trial(s);
    const struct sm_word *w = sm_call_keyword(c, "step");
    struct sm_step first;
    if (w)
        return sm_place_step(c, sm_place_all(s, SM_MODE_ANY), w->text, out, err) &&
               (sm_place_trial_step(t, *out) ||
                sm_err_set(err, SM_ERR_MISSING, "No step %lld is saved.", (long long)out->n));
    if (s->at.trial == t && s->at.step.n >= 0)
        *out = s->at.step;
    else
        sm_weight_steps(t, NULL, 0, &first, out);
    return true;
}

static bool count_all(struct sm_call *c, enum by by, struct sm_step step, struct groups *g)
{
    struct sm_trial *t = sm_session_trial(c->session);
    bool known = true;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++)
        known = count_tensor(c, t, sm_trial_tensor(t, i), step, by, g) && known;
    return known;
}

static bool run_groups(struct sm_call *c, enum by by, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *depth = sm_call_option(c, "depth");
    struct sm_step step;
    struct groups g = {.depth = by == BY_MODULE ? usual_depth(t) : 0};
    if ((depth && !sm_call_int(depth, 1, DEPTH_MAX, &g.depth, err)) ||
        !read_size_step(c, &step, err))
        return false;
    g.names = sm_names_new();
    g.places = sm_names_new();
    bool made = g.names && g.places, known = made && count_all(c, by, step, &g);
    if (known)
        list_groups(&g, step, out);
    sm_free(g.items);
    sm_names_free(g.names);
    sm_names_free(g.places);
    return known || (made ? sm_err_set(err, SM_ERR_WAIT, "reading shapes")
                          : sm_err_set(err, SM_ERR_MEMORY, "no memory"));
}

static const char *const by_words[] = {"collection", "module", "dtype", NULL};

static bool run_info_size(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "by");
    enum by by = BY_COLLECTION;
    for (int i = 0; w && by_words[i]; i++)
        by = sm_text_is(w->text, by_words[i]) ? (enum by)i : by;
    if (by != BY_COLLECTION)
        return run_groups(c, by, out, err);
    if (sm_call_keyword(c, "step"))
        return sm_err_set(err, SM_ERR_USAGE, "A step needs -by module or -by dtype.");
    list_collections(sm_session_trial(c->session), out);
    return true;
}

static const struct sm_option size_options[] = {
    {.name = "by",
     .kind = SM_ARG_WORD,
     .value = "WHAT",
     .words = by_words,
     .help = "collection: all records; module, dtype: the elements of a step",
     .initial = "collection"},
    {.name = "depth",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "so many parts of a name are a module, the number of a layer with the part before it; "
             "by default 2, or one more than all weights have in common"},
    {0},
};
static const struct sm_arg size_args[] = {
    {.name = "STEP",
     .kind = SM_ARG_STEP,
     .keyword = "step",
     .help = "of modules or types; the current one by default"},
    {0},
};
const struct sm_cmd sm_cmd_info_size = {
    .parent = "info",
    .name = "size",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the space of collections, modules or element types",
    .help =
        "By module or dtype it is the size of one step: elements and bytes as they are "
        "stored, the share of all, and types. Tensors that are one in\nthe file, as tied weights "
        "of torch are, are counted once.",
    .example = "info size -by dtype",
    .see_also = "info memory",
    .args = size_args,
    .options = size_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,tensors:int,values:int,bytes:int,elements:int?,share:num?,"
              "dtypes:[text],tied:int?}]",
    .run = run_info_size,
};
