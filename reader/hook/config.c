/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a hook from SageMaker's JSON configuration (doc/formats.md "Configuration"). */
#include "reader/hook/hook_private.h"

#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_PATH "/opt/ml/input/config/debughookconfig.json"
#define DEFAULT_DIR  "/opt/ml/output/tensors"
#define BOARD_PATH   "/opt/ml/input/config/tensorboardoutputconfig.json"
#define BOARD_DIR    "/opt/ml/output/tensorboard"
enum { CONFIG_BYTES_MAX = 16 << 20 };

/* One parameter. An empty collection: of the hook. */
struct config_parameter {
    const char *collection, *name, *value;
};
struct config_reader {
    struct sm_arena arena;
    struct sm_err *err;
    unsigned depth;
    const char *section, *key; /* the key of the outermost object, and the innermost one */
    const char *collection;    /* CollectionName of the object being read */
    size_t first;              /* index of its first parameter */
    const char *dir;           /* LocalPath */
    struct config_parameter *items;
    size_t n, cap;
    const char **collections; /* every CollectionName */
    size_t n_collections, cap_collections;
};

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for the configuration");
}

static const char *keep_text(struct config_reader *r, const char *p, size_t n)
{
    return sm_arena_strndup(&r->arena, p, n);
}

static bool is_section(const struct config_reader *r, const char *name)
{
    return r->section && strcmp(r->section, name) == 0;
}

static bool add_parameter(struct config_reader *r, const char *value)
{
    if (!SM_VEC_ROOM(r->items, r->n, r->cap))
        return no_memory(r->err);
    r->items[r->n++] = (struct config_parameter){.collection = "", .name = r->key, .value = value};
    return true;
}

static bool add_config_value(struct config_reader *r, const char *p, size_t n)
{
    const char *value = keep_text(r, p, n);
    if (!value)
        return no_memory(r->err);
    if (!r->key)
        return true;
    if (r->depth == 1 && strcmp(r->key, "LocalPath") == 0)
        r->dir = value;
    if (r->depth == 2 && is_section(r, "HookParameters"))
        return add_parameter(r, value);
    if (!is_section(r, "CollectionConfigurations"))
        return true;
    if (r->depth == 2 && strcmp(r->key, "CollectionName") == 0)
        r->collection = value;
    return r->depth != 3 || add_parameter(r, value);
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    return add_config_value(ctx, p, n);
}

static bool on_boolean(void *ctx, bool v)
{
    return add_config_value(ctx, v ? "true" : "false", v ? 4 : 5);
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct config_reader *r = ctx;
    r->key = keep_text(r, p, n);
    if (r->depth == 1)
        r->section = r->key;
    return r->key || no_memory(r->err);
}

static bool on_start_map(void *ctx)
{
    struct config_reader *r = ctx;
    if (++r->depth == 2 && is_section(r, "CollectionConfigurations")) {
        r->collection = NULL;
        r->first = r->n;
    }
    return true;
}

/* CollectionName may come after the parameters. */
static bool on_end_map(void *ctx)
{
    struct config_reader *r = ctx;
    if (r->depth-- != 2 || !is_section(r, "CollectionConfigurations"))
        return true;
    if (!r->collection)
        return sm_err_set(r->err, SM_ERR_DATA, "a collection without CollectionName");
    for (size_t i = r->first; i < r->n; i++)
        r->items[i].collection = r->collection;
    if (!SM_VEC_ROOM(r->collections, r->n_collections, r->cap_collections))
        return no_memory(r->err);
    r->collections[r->n_collections++] = r->collection;
    return true;
}

bool hook_config_text(const char *path, struct sm_str *out, struct sm_err *err)
{
    char buffer[4096];
    size_t n;
    FILE *f = fopen(path, "re");
    if (!f)
        return sm_err_errno(err, "%s", path);
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0 && out->len < CONFIG_BYTES_MAX)
        sm_str_addn(out, buffer, n);
    bool ok = !ferror(f) || sm_err_errno(err, "%s", path);
    fclose(f);
    if (ok && out->len >= CONFIG_BYTES_MAX)
        ok = sm_err_set(err, SM_ERR_LIMIT, "%s: configuration file too large", path);
    return ok && (!out->failed || no_memory(err));
}

static bool read_config(const char *path, struct config_reader *r, struct sm_err *err)
{
    static const struct sm_json_ops ops = {.boolean = on_boolean,
                                           .number = on_string,
                                           .string = on_string,
                                           .key = on_key,
                                           .start_map = on_start_map,
                                           .end_map = on_end_map};
    struct sm_str text = {0};
    r->err = err;
    bool ok = hook_config_text(path, &text, err);
    if (ok && !sm_json_parse(sm_str_text(&text), text.len, &ops, r, err))
        ok = sm_err_prefix(err, "%s", path);
    sm_str_clear(&text);
    return ok;
}

/* The hook stores the errors; the valid parameters apply. */
static void apply_config(smdbg_hook *h, const struct config_reader *r)
{
    for (size_t i = 0; i < r->n_collections; i++)
        smdbg_collection_save(h, r->collections[i]);
    for (size_t i = 0; i < r->n; i++) {
        const struct config_parameter *p = &r->items[i];
        if (*p->collection)
            smdbg_collection_set(h, p->collection, p->name, p->value);
        else
            smdbg_hook_set(h, p->name, p->value);
    }
}

static void clear_config(struct config_reader *r)
{
    sm_free(r->items);
    sm_free(r->collections);
    sm_arena_clear(&r->arena);
}

bool hook_config_path(const char *variable, const char *default_path, char **dir, bool *found,
                      struct sm_err *err)
{
    struct config_reader r = {0};
    const char *named = getenv(variable);
    *dir = NULL;
    *found = named || access(default_path, F_OK) == 0;
    if (!*found)
        return true;
    bool ok = read_config(named ? named : default_path, &r, err);
    if (ok && r.dir && !(*dir = sm_strdup(r.dir)))
        ok = no_memory(err);
    clear_config(&r);
    return ok;
}

/* TensorBoard has its own configuration file. If it exists, TensorBoard files are written. */
static void configure_tensorboard(smdbg_hook *h)
{
    struct sm_err err = {0};
    bool found;
    char *dir;
    if (!hook_config_path("TENSORBOARD_CONFIG_FILE_PATH", BOARD_PATH, &dir, &found, &err)) {
        hook_fail(h, &err);
    } else if (found) {
        smdbg_hook_set(h, "export_tensorboard", "true");
        smdbg_hook_set(h, "tensorboard_dir", dir ? dir : BOARD_DIR);
    }
    sm_free(dir);
}

smdbg_hook *smdbg_hook_from_config(const char *path)
{
    struct config_reader r = {0};
    struct sm_err err = {0};
    const char *named = path ? path : getenv("SMDEBUG_CONFIG_FILE_PATH");
    bool ok = read_config(named ? named : DEFAULT_PATH, &r, &err);
    smdbg_hook *h = smdbg_hook_new(!ok ? NULL : r.dir ? r.dir : DEFAULT_DIR);
    if (h && ok) {
        configure_tensorboard(h);
        apply_config(h, &r);
    }
    if (h && !ok)
        hook_fail(h, &err);
    clear_config(&r);
    return h;
}
