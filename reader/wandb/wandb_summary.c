/* SPDX-License-Identifier: Apache-2.0 */
/* Summary records { 1 items to set }. wandb-core writes one for each step, so only the newest value
 * of each name is kept, and handed on at the end of a turn. */
#include "reader/base/vec.h"
#include "reader/format/wire.h"
#include "reader/wandb/wandb_run.h"

enum { FIELD_UPDATE = 1 };

static bool is_internal(const struct sm_wandb_run *r, uint32_t id)
{
    const char *name = sm_names_text(r->keys.names, id);
    size_t n = sm_names_length(r->keys.names, id);
    return n == 0 || r->keys.items[id].role == SM_WANDB_ROLE_TOO_LONG ||
           (n >= 6 && memcmp(name, "_wandb", 6) == 0 && (n == 6 || name[6] == '.'));
}

/* The text of the key's summary, empty; NULL if there is no memory. */
static struct sm_str *change(struct sm_wandb_run *r, uint32_t id)
{
    struct sm_wandb_key *key = &r->keys.items[id];
    if (!key->changed && !SM_VEC_ROOM(r->changed, r->n_changed, r->cap_changed)) {
        r->failed = true;
        return NULL;
    }
    if (!key->changed)
        r->changed[r->n_changed++] = id;
    key->changed = true;
    sm_str_truncate(&key->json, 0);
    return &key->json;
}

static void set_item(struct sm_wandb_run *r, struct sm_bytes b)
{
    struct sm_wandb_item item;
    if (!sm_wandb_item_parse(b, &item, &r->scratch))
        return;
    uint32_t id = sm_wandb_key_of_path(&r->keys, item.path);
    if (id == SM_NAME_NONE) {
        r->failed = true;
    } else if (!is_internal(r, id)) {
        struct sm_str *json = change(r, id);
        if (json)
            sm_wandb_item_json(&item, json);
    }
}

void sm_wandb_take_summary(struct sm_wandb_run *r, struct sm_bytes summary)
{
    struct sm_wire_field f;
    r->has_summary = true;
    while (sm_wire_next(&summary, &f))
        if (f.number == FIELD_UPDATE && f.wire == 2)
            set_item(r, f.bytes);
}

static void derive(struct sm_wandb_run *r)
{
    for (uint32_t i = 0; r->keys.names && i < sm_names_count(r->keys.names); i++) {
        const struct sm_wandb_key *key = &r->keys.items[i];
        struct sm_wandb_item item = {.type = SM_WANDB_NUMBER, .number = key->number};
        struct sm_str *json =
            key->series != SM_NAME_NONE && key->seen > r->summed_to ? change(r, i) : NULL;
        if (json)
            sm_wandb_item_json(&item, json);
    }
    r->summed_to = r->records;
}

void sm_wandb_hand_summary(struct sm_wandb_run *r)
{
    if (!r->has_summary && r->summed_to < r->records)
        derive(r);
    for (size_t i = 0; i < r->n_changed; i++) {
        struct sm_wandb_key *key = &r->keys.items[r->changed[i]];
        r->failed = r->failed || key->json.failed;
        sm_log_summary(r->sink, sm_names_text(r->keys.names, r->changed[i]),
                       sm_names_length(r->keys.names, r->changed[i]), sm_str_text(&key->json),
                       key->json.len);
        key->changed = false;
    }
    r->n_changed = 0;
}
