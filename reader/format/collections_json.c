/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/collections_json.h"

#include "reader/base/json.h"
#include "reader/base/vec.h"
#include "reader/format/index_json.h"
#include "reader/format/python_json.h"

#include <string.h>

enum { COLLECTIONS_MAX = 100000 };

/* ---- reading ----
 *
 * The path of keys to the current value gives its meaning; unknown paths are skipped. Lists grow on
 * the heap and move into the arena when complete. */

enum { PATH_MAX_KEYS = SM_JSON_DEPTH_MAX + 1 };

struct collections_parser {
    struct sm_arena *arena;
    struct sm_collections_def *out;
    struct sm_err *err;
    char *path[PATH_MAX_KEYS]; /* key at each depth, NULL inside lists */
    int depth;
    size_t cap;
    const char **texts; /* the list being read */
    int64_t *numbers;
    size_t n_texts, cap_texts, n_numbers, cap_numbers;
    bool has_collections; /* the key is there */
};

static bool no_memory(struct collections_parser *r)
{
    return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for a collections file");
}

static bool path_has(const struct collections_parser *r, int depth, const char *key)
{
    return r->depth >= depth && r->path[depth] && strcmp(r->path[depth], key) == 0;
}

static struct sm_collection_def *current_collection(const struct collections_parser *r)
{
    return path_has(r, 1, "collections") && r->depth >= 2 && r->out->n
               ? &r->out->items[r->out->n - 1]
               : NULL;
}

/* Keeps the order of the modes, so that a copy is identical. */
static void note_order(struct sm_collection_def *c, const char *mode)
{
    int m = sm_mode_of_name(mode, strlen(mode));
    for (int i = 0; m && i < 4; i++) {
        if (c->save_order[i] == m)
            return;
        if (!c->save_order[i]) {
            c->save_order[i] = (uint8_t)m;
            return;
        }
    }
}

/* As many as a trial can tell apart (struct sm_part). */
enum { WORKERS_MAX = UINT16_MAX };

static struct sm_save_rule *current_rule(const struct collections_parser *r)
{
    struct sm_collection_def *c = current_collection(r);
    if (!c || !path_has(r, 3, "save_config") || r->depth < 4 || !r->path[4])
        return NULL;
    int mode = sm_mode_of_name(r->path[4], strlen(r->path[4]));
    return mode ? &c->save[mode] : NULL;
}

/* ---- types ----
 *
 * What each path must hold; NULL in a path is any key. Other paths may hold anything. */

enum json_type {
    J_NULL = 1,
    J_BOOLEAN = 2,
    J_NUMBER = 4,
    J_STRING = 8,
    J_OBJECT = 16,
    J_LIST = 32
};
static const struct {
    int depth;
    const char *path[6]; /* from 1 */
    unsigned types;
    const char *expected;
} shapes[] = {
    {0, {0}, J_OBJECT, "an object"},
    {1, {"collections"}, J_OBJECT, "an object"},
    {1, {"_meta"}, J_OBJECT | J_NULL, "an object"},
    {2, {"_meta", "num_workers"}, J_NUMBER, "a number"},
    {2, {"collections", NULL}, J_OBJECT, "an object"},
    {3, {"collections", NULL, "name"}, J_STRING, "a string"},
    {3, {"collections", NULL, "include_regex"}, J_LIST | J_NULL, "a list"},
    {3, {"collections", NULL, "tensor_names"}, J_LIST | J_NULL, "a list"},
    {3, {"collections", NULL, "reduction_config"}, J_OBJECT | J_NULL, "an object or null"},
    {3, {"collections", NULL, "save_config"}, J_OBJECT | J_NULL, "an object or null"},
    {4, {"collections", NULL, "save_config", NULL}, J_OBJECT | J_NULL, "an object or null"},
    {4, {"collections", NULL, "reduction_config", "reductions"}, J_STRING | J_NULL, "a string"},
    {5, {"collections", NULL, "save_config", NULL, "save_interval"}, J_NUMBER | J_NULL, "a number"},
    {5, {"collections", NULL, "save_config", NULL, "save_steps"}, J_LIST | J_NULL, "a list"},
    {5, {"collections", NULL, "save_config", NULL, "start_step"}, J_NUMBER | J_NULL, "a number"},
    {5, {"collections", NULL, "save_config", NULL, "end_step"}, J_NUMBER | J_NULL, "a number"},
};

/* Whether the path to the value that begins is this one. */
static bool is_at(const struct collections_parser *r, size_t row)
{
    if (r->depth != shapes[row].depth)
        return false;
    for (int i = 1; i <= r->depth; i++)
        if (!r->path[i] ||
            (shapes[row].path[i - 1] && strcmp(r->path[i], shapes[row].path[i - 1]) != 0))
            return false;
    return true;
}

static const char *type_name(enum json_type t)
{
    return t == J_NULL      ? "null"
           : t == J_BOOLEAN ? "true or false"
           : t == J_NUMBER  ? "a number"
           : t == J_STRING  ? "a string"
           : t == J_OBJECT  ? "an object"
                            : "a list";
}

static bool in_texts(const struct collections_parser *r)
{
    return r->depth == 4 && !r->path[4] && current_collection(r) &&
           (path_has(r, 3, "include_regex") || path_has(r, 3, "tensor_names"));
}

static bool check_type(const struct collections_parser *r, enum json_type t)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (is_at(r, i) && !(shapes[i].types & t))
            return sm_err_set(r->err, SM_ERR_DATA, "collections%s%s: expected %s, found %s",
                              r->depth ? ": " : "", r->depth ? r->path[r->depth] : "",
                              shapes[i].expected, type_name(t));
    if (in_texts(r) && t != J_STRING)
        return sm_err_set(r->err, SM_ERR_DATA, "collections: %s: expected strings, found %s",
                          r->path[3], type_name(t));
    return true;
}

static bool on_null(void *ctx)
{
    return check_type(ctx, J_NULL);
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct collections_parser *r = ctx;
    r->path[r->depth] = sm_arena_strndup(r->arena, p, n);
    if (!r->path[r->depth])
        return no_memory(r);
    r->has_collections = r->has_collections || (r->depth == 1 && path_has(r, 1, "collections"));
    if (r->depth == 4 && current_collection(r) && path_has(r, 3, "save_config"))
        note_order(current_collection(r), r->path[4]);
    return true;
}

static bool begin_collection(struct collections_parser *r)
{
    struct sm_collections_def *out = r->out;
    if (!r->path[2])
        return sm_err_set(r->err, SM_ERR_DATA, "collections: expected an object, found a list");
    if (out->n >= COLLECTIONS_MAX)
        return sm_err_set(r->err, SM_ERR_LIMIT, "more than %d collections", COLLECTIONS_MAX);
    if (!SM_VEC_ROOM(out->items, out->n, r->cap))
        return no_memory(r);
    out->items[out->n++] = (struct sm_collection_def){.name = r->path[2], .reductions = ""};
    return true;
}

static bool on_start_map(void *ctx)
{
    struct collections_parser *r = ctx;
    if (!check_type(r, J_OBJECT))
        return false;
    bool collection = r->depth == 2 && path_has(r, 1, "collections");
    if (collection && !begin_collection(r))
        return false;
    struct sm_collection_def *c = current_collection(r);
    if (c && r->depth == 3 && path_has(r, 3, "save_config"))
        c->has_save = true;
    if (c && r->depth == 3 && path_has(r, 3, "reduction_config"))
        c->has_reductions = true;
    struct sm_save_rule *rule = r->depth == 4 ? current_rule(r) : NULL;
    if (rule)
        *rule = (struct sm_save_rule){.given = true, .interval = 1, .end = -1};
    if (r->depth + 1 >= PATH_MAX_KEYS)
        return sm_err_set(r->err, SM_ERR_LIMIT, "collections: nested too deep");
    r->path[++r->depth] = NULL;
    return true;
}

static bool on_end_map(void *ctx)
{
    struct collections_parser *r = ctx;
    r->depth--;
    return true;
}

static bool on_start_array(void *ctx)
{
    struct collections_parser *r = ctx;
    r->n_texts = r->n_numbers = 0;
    if (!check_type(r, J_LIST))
        return false;
    if (r->depth + 1 >= PATH_MAX_KEYS)
        return sm_err_set(r->err, SM_ERR_LIMIT, "collections: nested too deep");
    r->path[++r->depth] = NULL;
    return true;
}

static void *copy_to_arena(struct collections_parser *r, const void *items, size_t bytes)
{
    void *copy = sm_arena_alloc(r->arena, bytes);
    if (copy && bytes)
        memcpy(copy, items, bytes);
    return copy;
}

static bool on_end_array(void *ctx)
{
    struct collections_parser *r = ctx;
    r->depth--;
    struct sm_collection_def *c = current_collection(r);
    struct sm_save_rule *rule = current_rule(r);
    if (c && r->depth == 3 && (path_has(r, 3, "include_regex") || path_has(r, 3, "tensor_names"))) {
        const char **texts = copy_to_arena(r, r->texts, r->n_texts * sizeof *texts);
        if (!texts)
            return no_memory(r);
        bool regex = path_has(r, 3, "include_regex");
        *(regex ? &c->regexes : &c->names) = texts;
        *(regex ? &c->n_regexes : &c->n_names) = r->n_texts;
    } else if (rule && r->depth == 5 && path_has(r, 5, "save_steps")) {
        rule->steps = copy_to_arena(r, r->numbers, r->n_numbers * sizeof *rule->steps);
        rule->n_steps = r->n_numbers;
        return rule->steps || no_memory(r);
    }
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct collections_parser *r = ctx;
    struct sm_collection_def *c = current_collection(r);
    if (!check_type(r, J_STRING))
        return false;
    if (!c)
        return true;
    char *copy = sm_arena_strndup(r->arena, p, n);
    if (!copy)
        return no_memory(r);
    if (r->depth == 4 && !r->path[4] &&
        (path_has(r, 3, "include_regex") || path_has(r, 3, "tensor_names"))) {
        if (!SM_VEC_ROOM(r->texts, r->n_texts, r->cap_texts))
            return no_memory(r);
        r->texts[r->n_texts++] = copy;
    } else if (r->depth == 3 && path_has(r, 3, "name")) {
        c->name = copy;
    } else if (r->depth == 4 && path_has(r, 3, "reduction_config") &&
               path_has(r, 4, "reductions")) {
        c->reductions = copy;
    }
    return true;
}

static bool on_boolean(void *ctx, bool v)
{
    struct collections_parser *r = ctx;
    struct sm_collection_def *c = current_collection(r);
    if (!check_type(r, J_BOOLEAN))
        return false;
    if (c && r->depth == 4 && path_has(r, 3, "reduction_config") &&
        path_has(r, 4, "save_raw_tensor"))
        c->raw = v;
    else if (c && r->depth == 4 && path_has(r, 3, "reduction_config") &&
             path_has(r, 4, "save_shape"))
        c->shape = v;
    else if (c && r->depth == 3 && path_has(r, 3, "save_histogram"))
        c->histogram = v;
    return true;
}

static bool rule_number(struct collections_parser *r, struct sm_save_rule *rule, int64_t v)
{
    if (r->depth == 6 && path_has(r, 5, "save_steps")) {
        if (!SM_VEC_ROOM(r->numbers, r->n_numbers, r->cap_numbers))
            return no_memory(r);
        r->numbers[r->n_numbers++] = v;
    } else if (path_has(r, 5, "save_interval")) {
        rule->interval = v;
    } else if (path_has(r, 5, "start_step")) {
        rule->start = v;
    } else if (path_has(r, 5, "end_step")) {
        rule->end = v;
    }
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct collections_parser *r = ctx;
    struct sm_save_rule *rule = current_rule(r);
    bool workers = r->depth == 2 && path_has(r, 1, "_meta") && path_has(r, 2, "num_workers");
    int64_t v;
    if (!check_type(r, J_NUMBER))
        return false;
    if (!rule && !workers)
        return true;
    if (!sm_json_int(digits, n, &v) || v < 0)
        return sm_err_set(r->err, SM_ERR_DATA, "collections: %s is not a whole number",
                          r->path[r->depth] ? r->path[r->depth] : "save_steps");
    if (workers && v > WORKERS_MAX)
        return sm_err_set(r->err, SM_ERR_DATA, "collections: num_workers %lld is above %d",
                          (long long)v, WORKERS_MAX);
    if (workers)
        r->out->num_workers = v;
    return workers || rule_number(r, rule, v);
}

bool sm_collections_parse(const char *p, size_t n, struct sm_arena *arena,
                          struct sm_collections_def *out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        .null = on_null,
        .boolean = on_boolean,
        .number = on_number,
        .string = on_string,
        .key = on_key,
        .start_map = on_start_map,
        .end_map = on_end_map,
        .start_array = on_start_array,
        .end_array = on_end_array,
    };
    struct collections_parser r = {.arena = arena, .out = out, .err = err};
    *out = (struct sm_collections_def){.num_workers = -1};
    bool ok = sm_json_parse(p, n, &ops, &r, err);
    if (ok && !r.has_collections)
        ok = sm_err_set(err, SM_ERR_DATA, "offset 0: there is no member \"collections\"");
    struct sm_collection_def *items = out->items;
    out->items = ok ? copy_to_arena(&r, items, out->n * sizeof *items) : NULL;
    if (ok && !out->items)
        ok = no_memory(&r);
    if (!ok)
        out->n = 0;
    sm_free(items);
    sm_free(r.texts);
    sm_free(r.numbers);
    return ok;
}

bool sm_save_rule_matches(const struct sm_save_rule *r, int64_t mode_step)
{
    if (!r->given)
        return false;
    for (size_t i = 0; i < r->n_steps; i++)
        if (r->steps[i] == mode_step)
            return true;
    return mode_step >= r->start && (r->end < 0 || mode_step < r->end) && r->interval > 0 &&
           mode_step % r->interval == 0;
}

/* ---- writing ---- */

static void write_texts(struct sm_str *out, const char *key, const char *const *texts, size_t n)
{
    sm_str_printf(out, "\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        sm_str_add(out, i ? ", " : "");
        sm_python_string(out, sm_text(texts[i]));
    }
    sm_str_add(out, "]");
}

static void write_rule(struct sm_str *out, int mode, const struct sm_save_rule *r, bool first)
{
    sm_str_printf(out, "%s\"%s\": ", first ? "" : ", ", sm_mode_name(mode));
    if (!r->given) {
        sm_str_add(out, "null");
        return;
    }
    sm_str_printf(out, "{\"save_interval\": %lld, \"save_steps\": [", (long long)r->interval);
    for (size_t i = 0; i < r->n_steps; i++)
        sm_str_printf(out, "%s%lld", i ? ", " : "", (long long)r->steps[i]);
    sm_str_printf(out, "], \"start_step\": %lld, \"end_step\": ", (long long)r->start);
    if (r->end < 0)
        sm_str_add(out, "null}");
    else
        sm_str_printf(out, "%lld}", (long long)r->end);
}

static void write_reductions(struct sm_str *out, const struct sm_collection_def *c)
{
    if (!c->has_reductions) {
        sm_str_add(out, "null");
        return;
    }
    sm_str_printf(out, "{\"save_raw_tensor\": %s, \"reductions\": ", c->raw ? "true" : "false");
    sm_python_string(out, sm_text(c->reductions));
    sm_str_printf(out, ", \"save_shape\": %s}", c->shape ? "true" : "false");
}

static void write_rules(struct sm_str *out, const struct sm_collection_def *c)
{
    if (!c->has_save) {
        sm_str_add(out, "null");
        return;
    }
    sm_str_addc(out, '{');
    for (int i = 0; i < 4; i++) {
        int mode = c->save_order[0] ? c->save_order[i] : i + 1;
        if (mode)
            write_rule(out, mode, &c->save[mode], i == 0);
    }
    sm_str_addc(out, '}');
}

static void write_collection(struct sm_str *out, const struct sm_collection_def *c)
{
    sm_python_string(out, sm_text(c->name));
    sm_str_add(out, ": {\"name\": ");
    sm_python_string(out, sm_text(c->name));
    sm_str_add(out, ", ");
    write_texts(out, "include_regex", c->regexes, c->n_regexes);
    sm_str_add(out, ", ");
    write_texts(out, "tensor_names", c->names, c->n_names);
    sm_str_add(out, ", \"reduction_config\": ");
    write_reductions(out, c);
    sm_str_add(out, ", \"save_config\": ");
    write_rules(out, c);
    sm_str_printf(out, ", \"save_histogram\": %s}", c->histogram ? "true" : "false");
}

void sm_collections_write(struct sm_str *out, const struct sm_collections_def *c)
{
    sm_str_add(out, "{\"collections\": {");
    for (size_t i = 0; i < c->n; i++) {
        sm_str_add(out, i ? ", " : "");
        write_collection(out, &c->items[i]);
    }
    sm_str_printf(out, "}, \"_meta\": {\"num_workers\": %lld}}", (long long)c->num_workers);
}
