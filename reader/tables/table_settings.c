/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/table_settings.h"

#include "reader/logs/log_json.h"
#include "reader/logs/yaml.h"

#include <string.h>

enum { SETTINGS_BYTES_MAX = 1024 * 1024 };

/* The later ones count. */
static const char *const names[] = {
    "config.json", "params.json", "args.json",    "hparams.json", "hyp.yaml",
    "opt.yaml",    "params.yaml", "config.yml",   "config.yaml",  ".hydra/config.yaml",
    "args.yaml",   "hparams.yml", "hparams.yaml",
};
_Static_assert(sizeof names / sizeof *names == sizeof((struct sm_table_settings *)0)->seen /
                                                   sizeof(struct sm_table_settings_file),
               "one for each file");

static void set_leaf(void *ctx, const struct sm_log_value *v)
{
    struct sm_str json = {0};
    if (v->name_n == 0)
        return;
    sm_log_value_json(v, &json);
    if (!json.failed)
        sm_log_config(ctx, v->name, v->name_n, sm_str_text(&json), json.len);
    sm_str_clear(&json);
}

bool sm_settings_from_json(const char *p, size_t n, struct sm_log_sink *sink, struct sm_err *err)
{
    return sm_log_json_leaves(p, n, '.', set_leaf, sink, err);
}

static bool read_text(const char *name, const struct sm_str *text, struct sm_log_sink *sink,
                      struct sm_err *err)
{
    struct sm_str json = {0};
    if (sm_ends_with(name, ".json"))
        return sm_settings_from_json(sm_str_text(text), text->len, sink, err);
    bool ok = sm_yaml_to_json(sm_str_text(text), text->len, &json, err) &&
              sm_settings_from_json(sm_str_text(&json), json.len, sink, err);
    sm_str_clear(&json);
    return ok;
}

static bool is_unchanged(struct sm_table_settings_file *seen, const struct sm_stat *st)
{
    bool same = seen->inode == st->inode && seen->size_bytes == st->size_bytes &&
                seen->mtime_us == st->mtime_us;
    *seen = (struct sm_table_settings_file){st->size_bytes, st->inode, st->mtime_us};
    return same;
}

static bool read_file(struct sm_table_settings_file *seen, struct sm_source *source,
                      const char *path, struct sm_log_sink *sink)
{
    struct sm_stat st;
    struct sm_err err;
    struct sm_str text = {0};
    if (!sm_source_stat(source, path, &st, &err) || st.is_dir || is_unchanged(seen, &st))
        return false;
    if (!sm_source_slurp(source, path, SETTINGS_BYTES_MAX, &text, &err) ||
        !read_text(path, &text, sink, &err))
        sm_log_problem(sink, path, -1, &err);
    sm_str_clear(&text);
    return true;
}

bool sm_table_settings_read(struct sm_table_settings *s, struct sm_source *source,
                            const char *folder, struct sm_log_sink *sink)
{
    struct sm_str path = {0};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sm_str_truncate(&path, 0);
        sm_str_printf(&path, "%s%s", folder, names[i]);
        any |= !path.failed && read_file(&s->seen[i], source, sm_str_text(&path), sink);
    }
    sm_str_clear(&path);
    return any;
}
