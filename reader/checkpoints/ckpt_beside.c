/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_beside.h"

#include "reader/base/json.h"
#include "reader/base/map.h"
#include "reader/logs/log_json.h"

#include <string.h>

enum { INDEX_MAX = 64 << 20, SETTINGS_MAX = 1 << 20 };

/* ---- the index of shards ---- */

/* {"weight_map": {"NAME": "FILE", ...}, ...} */
struct index_reader {
    struct sm_names *shards;
    unsigned depth;
    bool in_map, failed;
};

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct index_reader *r = ctx;
    if (r->depth == 1)
        r->in_map = n == 10 && memcmp(p, "weight_map", n) == 0;
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct index_reader *r = ctx;
    if (r->in_map && r->depth == 2)
        r->failed = r->failed || sm_names_add(r->shards, p, n) == SM_NAME_NONE;
    return true;
}

static bool on_start(void *ctx)
{
    ((struct index_reader *)ctx)->depth++;
    return true;
}

static bool on_end(void *ctx)
{
    ((struct index_reader *)ctx)->depth--;
    return true;
}

static void check_shard(struct sm_source *files, const char *index, const char *name, size_t n,
                        struct sm_problems *problems)
{
    const char *slash = strrchr(index, '/');
    struct sm_str path = {0};
    struct sm_stat st;
    struct sm_err err = {0};
    sm_str_addn(&path, index, slash ? (size_t)(slash + 1 - index) : 0);
    sm_str_addn(&path, name, n);
    bool inside = !path.failed && sm_source_path_ok(sm_str_text(&path), path.len);
    if (!inside)
        sm_err_set(&err, SM_ERR_REFUSED, "names a shard outside of the folder");
    if (!inside)
        sm_problems_add(problems, index, -1, &err);
    else if (!sm_source_stat(files, sm_str_text(&path), &st, &err)) {
        sm_err_set(&err, SM_ERR_MISSING, "the shard is missing: %s names it", index);
        sm_problems_add(problems, sm_str_text(&path), -1, &err);
    }
    sm_str_clear(&path);
}

void sm_ckpt_check_index(struct sm_source *files, const char *path, struct sm_problems *problems)
{
    static const struct sm_json_ops ops = {.key = on_key,
                                           .string = on_string,
                                           .start_map = on_start,
                                           .end_map = on_end,
                                           .start_array = on_start,
                                           .end_array = on_end};
    struct index_reader r = {.shards = sm_names_new()};
    struct sm_str text = {0};
    struct sm_err err = {0};
    bool ok = r.shards && sm_source_slurp(files, path, INDEX_MAX, &text, &err) &&
              sm_json_parse(sm_str_text(&text), text.len, &ops, &r, &err);
    if (!ok) {
        sm_err_strip(&err, path);
        sm_problems_add(problems, path, -1, &err);
    }
    for (uint32_t i = 0; ok && i < sm_names_count(r.shards); i++)
        check_shard(files, path, sm_names_text(r.shards, i), sm_names_length(r.shards, i),
                    problems);
    sm_names_free(r.shards);
    sm_str_clear(&text);
}

/* ---- settings ---- */

struct settings {
    struct sm_run_fields *to;
    const char *prefix;
    bool failed;
};

static void take_leaf(void *ctx, const struct sm_log_value *v)
{
    struct settings *s = ctx;
    struct sm_str name = {0}, json = {0};
    sm_str_add(&name, s->prefix);
    sm_str_addn(&name, v->name, v->name_n);
    if (v->type == SM_LOG_TEXT) {
        struct sm_json_writer *w = sm_json_writer_new(&json);
        sm_json_text(w, v->text, v->text_n);
        sm_json_writer_free(w);
    } else {
        sm_str_addn(&json, v->text, v->text_n);
    }
    s->failed =
        s->failed || name.failed || json.failed ||
        !sm_run_fields_set(s->to, sm_str_text(&name), name.len, sm_str_text(&json), json.len);
    sm_str_clear(&name);
    sm_str_clear(&json);
}

bool sm_ckpt_add_settings(struct sm_source *files, const char *folder, struct sm_run_fields *to)
{
    static const struct {
        const char *file, *prefix;
    } rows[] = {{"generation_config.json", "generation_config."},
                {"adapter_config.json", ""},
                {"config.json", ""},
                {"params.json", ""}};
    struct settings s = {.to = to};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_str path = {0}, text = {0};
        struct sm_err err = {0};
        s.prefix = rows[i].prefix;
        sm_str_printf(&path, "%s%s%s", folder, *folder ? "/" : "", rows[i].file);
        if (!path.failed && sm_source_slurp(files, path.data, SETTINGS_MAX, &text, &err) &&
            text.len && text.data[0] == '{')
            sm_log_json_leaves(text.data, text.len, '.', take_leaf, &s, &err);
        sm_str_clear(&path);
        sm_str_clear(&text);
    }
    return !s.failed;
}
