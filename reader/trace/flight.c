/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/flight.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/json_scan.h"
#include "reader/pickle/pickle.h"

#include <string.h>

void sm_flight_clear(struct sm_flight *f)
{
    sm_names_free(f->names);
    sm_free(f->ops);
    sm_free(f->groups);
    *f = (struct sm_flight){0};
}

bool sm_flight_looks_like(const char *p, size_t n)
{
    static const char *const keys[] = {"collective_seq_id", "pg_config", "comm_lib_version"};
    size_t k = 0;
    while (k < n && (p[k] == ' ' || p[k] == '\n'))
        k++;
    if (k == n || (p[k] != '{' && p[k] != '\x80'))
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (memmem(p, n, keys[i], strlen(keys[i])))
            return true;
    return false;
}

/* What is read of one operation, whatever the format. */
struct fields {
    struct sm_text group, description, op, state, sizes[4];
    struct sm_str stack;
    int64_t seq, created_ns;
    bool retired, p2p;
};

static uint32_t add_text(struct sm_names *names, struct sm_text t)
{
    return t.n ? sm_names_add(names, t.p, t.n) : SM_NAME_NONE;
}

static uint32_t add_group_name(struct sm_names *names, struct sm_text name, struct sm_text about)
{
    struct sm_str s = {0};
    sm_str_addn(&s, name.p, name.n);
    sm_str_addc(&s, ' ');
    sm_str_addn(&s, about.p, about.n);
    uint32_t id = s.failed ? SM_NAME_NONE : sm_names_add(names, s.data, s.len);
    sm_str_clear(&s);
    return id;
}

static uint32_t add_shape(struct sm_names *names, const struct fields *f)
{
    struct sm_str s = {0};
    for (int i = 0; i < 4; i++) {
        sm_str_addn(&s, f->sizes[i].p, f->sizes[i].n);
        sm_str_add(&s, i == 1 ? " -> " : " ");
    }
    uint32_t id = s.failed ? SM_NAME_NONE : sm_names_add(names, s.data, s.len);
    sm_str_clear(&s);
    return id;
}

static bool add_op(struct sm_flight *out, const struct fields *f)
{
    if (!SM_VEC_ROOM(out->ops, out->n, out->cap))
        return false;
    out->ops[out->n++] = (struct sm_flight_op){
        .seq = f->seq,
        .created_ns = f->created_ns,
        .group = add_group_name(out->names, f->group, f->description),
        .op = add_text(out->names, f->op),
        .shape = add_shape(out->names, f),
        .stack =
            f->stack.len ? sm_names_add(out->names, f->stack.data, f->stack.len) : SM_NAME_NONE,
        .state = sm_text_is(f->state, "completed") ? SM_FLIGHT_COMPLETED
                 : sm_text_is(f->state, "started") ? SM_FLIGHT_STARTED
                                                   : SM_FLIGHT_SCHEDULED,
        .retired = f->retired,
        .p2p = f->p2p,
    };
    return true;
}

static bool add_group(struct sm_flight *out, struct sm_text name, struct sm_text about,
                      struct sm_text ranks)
{
    if (!name.n || !ranks.n)
        return true; /* gloo's have no names */
    if (!SM_VEC_ROOM(out->groups, out->n_groups, out->cap_groups))
        return false;
    out->groups[out->n_groups++] = (struct sm_flight_group){add_group_name(out->names, name, about),
                                                            add_text(out->names, ranks)};
    return true;
}

/* ---- pickles ---- */

static struct sm_text text_of(const struct sm_pickle *t, uint32_t dict, const char *key)
{
    uint32_t at;
    return sm_pickle_get(t, dict, key, &at) ? sm_pickle_text(t, at) : (struct sm_text){"", 0};
}

static int64_t number_of(const struct sm_pickle *t, uint32_t dict, const char *key)
{
    uint32_t at;
    int64_t v;
    return sm_pickle_get(t, dict, key, &at) && sm_pickle_integer(t, at, &v) ? v : 0;
}

static bool truth_of(const struct sm_pickle *t, uint32_t dict, const char *key)
{
    uint32_t at;
    return sm_pickle_get(t, dict, key, &at) && sm_pickle_kind(t, at) == SM_PICKLE_BOOL &&
           sm_pickle_node(t, at)->truth;
}

static bool is_list(const struct sm_pickle *t, uint32_t i)
{
    return sm_pickle_kind(t, i) == SM_PICKLE_LIST || sm_pickle_kind(t, i) == SM_PICKLE_TUPLE;
}

/* Lists of lists of numbers or texts, as JSON has them: "[[8],[2]]". Depth is bounded. */
static void print_list(const struct sm_pickle *t, uint32_t i, unsigned depth, struct sm_str *out)
{
    int64_t v;
    if (is_list(t, i) && depth) {
        size_t n = sm_pickle_node(t, i)->n < 64 ? sm_pickle_node(t, i)->n : 64;
        sm_str_addc(out, '[');
        for (size_t k = 0; k < n; k++) {
            if (k)
                sm_str_addc(out, ',');
            print_list(t, sm_pickle_item(t, i, k), depth - 1, out);
        }
        sm_str_addc(out, ']');
    } else if (sm_pickle_integer(t, i, &v)) {
        sm_str_printf(out, "%lld", (long long)v);
    } else {
        struct sm_text text = sm_pickle_text(t, i);
        sm_str_addc(out, '"');
        sm_str_addn(out, text.p, text.n < 64 ? text.n : 64);
        sm_str_addc(out, '"');
    }
}

static const char *const shape_keys[] = {"input_sizes", "input_dtypes", "output_sizes",
                                         "output_dtypes"};

/* "train/model.py:57:forward" */
static void print_stack(const struct sm_pickle *t, uint32_t entry, struct sm_str *out)
{
    uint32_t frames;
    if (!sm_pickle_get(t, entry, "frames", &frames) || !is_list(t, frames))
        return;
    for (size_t i = 0; i < sm_pickle_node(t, frames)->n && !out->len; i++) {
        uint32_t f = sm_pickle_item(t, frames, i);
        struct sm_text file = text_of(t, f, "filename"), name = text_of(t, f, "name");
        if (!file.n || memmem(file.p, file.n, "site-packages", 13) ||
            memmem(file.p, file.n, ".cpp", 4))
            continue;
        sm_str_addn(out, file.p, file.n);
        sm_str_printf(out, ":%lld:", (long long)number_of(t, f, "line"));
        sm_str_addn(out, name.p, name.n);
    }
}

static bool take_entry(const struct sm_pickle *t, uint32_t e, struct sm_flight *out)
{
    struct sm_str shapes[4] = {{0}};
    uint32_t group, at;
    struct fields f = {.op = text_of(t, e, "profiling_name"),
                       .state = text_of(t, e, "state"),
                       .seq = number_of(t, e, "collective_seq_id"),
                       .created_ns = number_of(t, e, "time_created_ns"),
                       .retired = truth_of(t, e, "retired"),
                       .p2p = truth_of(t, e, "is_p2p")};
    if (sm_pickle_get(t, e, "process_group", &group) && is_list(t, group)) {
        f.group = sm_pickle_text(t, sm_pickle_item(t, group, 0));
        f.description = sm_pickle_text(t, sm_pickle_item(t, group, 1));
    }
    for (int i = 0; i < 4; i++) {
        if (sm_pickle_get(t, e, shape_keys[i], &at))
            print_list(t, at, 3, &shapes[i]);
        f.sizes[i] = (struct sm_text){sm_str_text(&shapes[i]), shapes[i].len};
    }
    print_stack(t, e, &f.stack);
    bool ok = add_op(out, &f);
    for (int i = 0; i < 4; i++)
        sm_str_clear(&shapes[i]);
    sm_str_clear(&f.stack);
    return ok;
}

static bool take_tree(const struct sm_pickle *t, struct sm_flight *out, struct sm_err *err)
{
    uint32_t entries, config;
    bool ok = true;
    if (!sm_pickle_get(t, t->root, "entries", &entries) || !is_list(t, entries))
        return sm_err_set(err, SM_ERR_DATA, "expected a dump of the flight recorder: \"entries\"");
    for (size_t i = 0; ok && i < sm_pickle_node(t, entries)->n; i++)
        ok = take_entry(t, sm_pickle_item(t, entries, i), out);
    if (ok && sm_pickle_get(t, t->root, "pg_config", &config) &&
        sm_pickle_kind(t, config) == SM_PICKLE_DICT)
        for (size_t i = 1; ok && i < sm_pickle_node(t, config)->n; i += 2) {
            uint32_t g = sm_pickle_node(t, config)->items[i];
            ok = add_group(out, text_of(t, g, "name"), text_of(t, g, "desc"),
                           text_of(t, g, "ranks"));
        }
    return ok || sm_err_set(err, SM_ERR_MEMORY, "no memory for a dump of the flight recorder");
}

static bool read_pickle(struct sm_file *file, struct sm_flight *out, struct sm_err *err)
{
    struct sm_file_span span;
    struct sm_byte_stream stream = {0};
    struct sm_pickle_input in = {.stream = &stream};
    struct sm_pickle tree = {0};
    bool ok = sm_span_of_file(&span, file, err) &&
              sm_byte_stream_open(&stream, span, SM_PACKING_NONE, span.size_bytes, err) &&
              sm_pickle_read(&tree, &in, SM_FLIGHT_TREE_MAX, err) && take_tree(&tree, out, err);
    sm_pickle_clear(&tree);
    sm_pickle_input_clear(&in);
    sm_byte_stream_close(&stream);
    return ok;
}

/* ---- JSON ---- */

static bool is_true(const struct sm_scan_value *v)
{
    return v->type == SM_SCAN_WORD && sm_text_is(v->text, "true");
}

static void take_pair(struct fields *f, const struct sm_scan_value *v)
{
    struct sm_scan s = {v->text.p, v->text.p + v->text.n};
    struct sm_scan_value item;
    struct sm_text *const to[] = {&f->group, &f->description};
    if (sm_scan_enter(&s, '[') != SM_SCAN_ITEM)
        return;
    for (int i = 0; i < 2 && sm_scan_value(&s, &item) == SM_SCAN_ITEM; i++) {
        if (item.type == SM_SCAN_STRING)
            *to[i] = item.text;
        sm_scan_skip(&s, ",");
    }
}

static void take_member(struct fields *f, struct sm_text key, const struct sm_scan_value *v)
{
    if (sm_text_is(key, "profiling_name"))
        f->op = v->text;
    else if (sm_text_is(key, "state"))
        f->state = v->text;
    else if (sm_text_is(key, "collective_seq_id"))
        sm_scan_decimal(v, 0, &f->seq);
    else if (sm_text_is(key, "time_created_ns"))
        sm_scan_decimal(v, 0, &f->created_ns);
    else if (sm_text_is(key, "retired"))
        f->retired = is_true(v);
    else if (sm_text_is(key, "is_p2p"))
        f->p2p = is_true(v);
    else if (sm_text_is(key, "process_group"))
        take_pair(f, v);
    for (int i = 0; i < 4; i++)
        if (sm_text_is(key, shape_keys[i]))
            f->sizes[i] = v->text;
}

static bool take_entries(struct sm_scan s, struct sm_flight *out)
{
    struct sm_scan_value v;
    struct sm_text key;
    if (sm_scan_enter(&s, '[') != SM_SCAN_ITEM)
        return true;
    for (;;) {
        struct fields f = {.seq = 0};
        sm_scan_skip(&s, ",");
        if (sm_scan_enter(&s, '{') != SM_SCAN_ITEM)
            return true;
        while (sm_scan_key(&s, &key, &v) == SM_SCAN_ITEM)
            take_member(&f, key, &v);
        if (!add_op(out, &f))
            return false;
    }
}

static bool take_config(struct sm_scan s, struct sm_flight *out)
{
    struct sm_scan_value group, v;
    struct sm_text key;
    if (sm_scan_enter(&s, '{') != SM_SCAN_ITEM)
        return true;
    while (sm_scan_key(&s, &key, &group) == SM_SCAN_ITEM) {
        struct sm_scan inner = {group.text.p, group.text.p + group.text.n};
        struct sm_text name = {"", 0}, about = {"", 0}, ranks = {"", 0};
        if (group.type != SM_SCAN_MAP || sm_scan_enter(&inner, '{') != SM_SCAN_ITEM)
            continue;
        while (sm_scan_key(&inner, &key, &v) == SM_SCAN_ITEM) {
            name = sm_text_is(key, "name") ? v.text : name;
            about = sm_text_is(key, "desc") ? v.text : about;
            ranks = sm_text_is(key, "ranks") ? v.text : ranks;
        }
        if (!add_group(out, name, about, ranks))
            return false;
    }
    return true;
}

static bool read_json(const struct sm_str *text, struct sm_flight *out, struct sm_err *err)
{
    struct sm_scan s = {text->data, text->data + text->len};
    struct sm_scan_value v = {.text = {"", 0}};
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(&s, '{');
    bool ok = true, any = false;
    while (ok && r == SM_SCAN_ITEM) {
        r = sm_scan_key(&s, &key, &v);
        struct sm_scan inner = {v.text.p, v.text.p + v.text.n};
        if (r == SM_SCAN_ITEM && sm_text_is(key, "entries")) {
            ok = take_entries(inner, out);
            any = true;
        } else if (r == SM_SCAN_ITEM && sm_text_is(key, "pg_config")) {
            ok = take_config(inner, out);
        }
    }
    if (!ok)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a dump of the flight recorder");
    return (r == SM_SCAN_DONE && any) ||
           sm_err_set(err, SM_ERR_DATA, "a dump of the flight recorder that is damaged at byte %zu",
                      (size_t)(s.p - text->data));
}

bool sm_flight_read(struct sm_source *source, const char *path, struct sm_flight *out,
                    struct sm_err *err)
{
    struct sm_file file = {0};
    struct sm_str text = {0};
    char first = 0;
    size_t got = 0;
    out->names = sm_names_new();
    bool ok = out->names || sm_err_set(err, SM_ERR_MEMORY, "no memory for a dump");
    ok = ok && sm_file_open(&file, source, path, err) &&
         sm_file_read(&file, 0, &first, 1, &got, err);
    if (ok && first == '\x80')
        ok = read_pickle(&file, out, err);
    else if (ok)
        ok = sm_source_slurp(source, path, SM_FLIGHT_TEXT_MAX, &text, err) &&
             (text.len || sm_err_set(err, SM_ERR_DATA, "the dump is empty")) &&
             read_json(&text, out, err);
    sm_str_clear(&text);
    sm_file_close(&file);
    return ok;
}
