/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one value of a history again. */
#include "reader/base/mem.h"
#include "reader/format/wire.h"
#include "reader/logs/log_json.h"
#include "reader/wandb/wandb_log.h"
#include "reader/wandb/wandb_media.h"

#include <string.h>

enum { FIELD_HISTORY = 2, FIELD_ITEM = 1, READ_FIRST = 2 * SM_WANDB_BLOCK };

/* ---- the record at an offset ---- */

struct record {
    struct sm_arena *arena;
    struct sm_bytes bytes;
    bool found;
};

static void on_record(void *ctx, struct sm_bytes payload, uint64_t offset)
{
    struct record *r = ctx;
    (void)offset;
    if (r->found)
        return;
    char *copy = sm_arena_strndup(r->arena, (const char *)payload.p, payload.n);
    r->found = copy;
    r->bytes = (struct sm_bytes){(const uint8_t *)copy, payload.n};
}

static void on_problem(void *ctx, uint64_t offset, const struct sm_err *err)
{
    (void)ctx, (void)offset, (void)err;
}

/* Reads more and more, until the record is whole. */
static bool read_record(struct sm_source *files, const struct sm_log_origin *from,
                        struct record *out, struct sm_err *err)
{
    static const struct sm_wandb_log_ops ops = {on_record, on_problem};
    bool ok = true;
    for (size_t n = READ_FIRST; ok && !out->found && n <= 2 * (size_t)SM_WANDB_RECORD_MAX; n *= 4) {
        struct sm_wandb_log log = {.offset = from->offset};
        uint8_t *bytes = sm_alloc(n);
        size_t got = 0;
        ok = bytes ? sm_source_read(files, from->file, from->offset, bytes, n, &got, err)
                   : sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", from->file);
        if (ok)
            sm_wandb_log_take(&log, (struct sm_bytes){bytes, got}, false, &ops, out);
        sm_wandb_log_clear(&log);
        sm_free(bytes);
        if (got < n)
            break;
    }
    return out->found || (ok && sm_err_set(err, SM_ERR_DATA, "%s: no record at offset %llu",
                                           from->file, (unsigned long long)from->offset));
}

/* ---- its fields ---- */

struct wanted {
    const char *key;
    size_t key_n;
    struct sm_arena *arena;
    struct sm_wandb_media media;
};

static void take_field(struct wanted *w, struct sm_text name, struct sm_text value)
{
    size_t owner;
    enum sm_wandb_field f = sm_wandb_field_of(name, &owner);
    if (f && owner == w->key_n && memcmp(name.p, w->key, owner) == 0)
        w->media.fields[f] = value;
}

static void on_leaf(void *ctx, const struct sm_log_value *v)
{
    struct wanted *w = ctx;
    struct sm_str name = {0};
    const char *text = sm_arena_strndup(w->arena, v->text, v->text_n);
    sm_str_printf(&name, "%s.%s", w->key, v->name);
    if (text && !name.failed)
        take_field(w, (struct sm_text){name.data, name.len}, (struct sm_text){text, v->text_n});
    sm_str_clear(&name);
}

static void take_item(struct wanted *w, struct sm_bytes b)
{
    struct sm_wandb_item item;
    struct sm_str scratch = {0}, name = {0};
    struct sm_err err;
    if (sm_wandb_item_parse(b, &item, &scratch)) {
        sm_wandb_path_join(item.path, &name);
        struct sm_text t = {sm_str_text(&name), name.len};
        if (t.n == w->key_n && memcmp(t.p, w->key, t.n) == 0 && item.value.n &&
            item.value.p[0] == '{')
            sm_log_json_leaves((const char *)item.value.p, item.value.n, '.', on_leaf, w, &err);
        else if (t.n > w->key_n)
            take_field(w, t, sm_wandb_field_text(&item, w->arena));
    }
    sm_str_clear(&scratch);
    sm_str_clear(&name);
}

bool sm_wandb_make_value(struct sm_source *files, const struct sm_log_origin *from,
                         struct sm_arena *arena, struct sm_event_value *out, struct sm_err *err)
{
    struct record r = {.arena = arena};
    struct wanted w = {.key = from->key, .key_n = strlen(from->key), .arena = arena};
    const char *slash = strrchr(from->file, '/');
    struct sm_wire_field f, inner;
    if (!read_record(files, from, &r, err))
        return false;
    while (sm_wire_next(&r.bytes, &f))
        while (f.number == FIELD_HISTORY && f.wire == 2 && sm_wire_next(&f.bytes, &inner))
            if (inner.number == FIELD_ITEM && inner.wire == 2)
                take_item(&w, inner.bytes);
    const char *base =
        sm_arena_xprintf(arena, "%.*s", slash ? (int)(slash + 1 - from->file) : 0, from->file);
    return sm_wandb_media_value(&w.media, files, base, false, arena, out, err);
}
