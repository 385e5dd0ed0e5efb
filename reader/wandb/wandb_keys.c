/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb_keys.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/logs/log_json.h"
#include "reader/wandb/wandb_item.h"
#include "reader/wandb/wandb_media.h"

#include <string.h>

enum { PARENTS_MAX = 16 };
static enum sm_wandb_role role_of(struct sm_text name)
{
    size_t owner;
    if (name.n > SM_LOG_NAME_MAX)
        return SM_WANDB_ROLE_TOO_LONG;
    if (name.n == 0)
        return SM_WANDB_ROLE_INTERNAL;
    if (sm_text_is(name, "_step"))
        return SM_WANDB_ROLE_STEP;
    if (sm_text_is(name, "_timestamp"))
        return SM_WANDB_ROLE_TIME;
    if (sm_wandb_field_of(name, &owner) == SM_WANDB_FIELD_TYPE)
        return SM_WANDB_ROLE_KIND;
    return name.p[0] == '_' ? SM_WANDB_ROLE_INTERNAL : SM_WANDB_ROLE_VALUE;
}

static uint32_t intern(struct sm_wandb_keys *k, struct sm_text text)
{
    uint32_t id = sm_names_find(k->names, text.p, text.n);
    if (id != SM_NAME_NONE)
        return id;
    if (!sm_vec_reserve((void **)&k->items, &k->cap, (size_t)sm_names_count(k->names) + 1,
                        sizeof *k->items))
        return SM_NAME_NONE;
    id = sm_names_add(k->names, text.p, text.n);
    if (id == SM_NAME_NONE)
        return SM_NAME_NONE;
    k->items[id] = (struct sm_wandb_key){
        .parent = SM_NAME_NONE,
        .series = SM_NAME_NONE,
        .axis = SM_NAME_NONE,
        .role = role_of(text),
    };
    return id;
}

uint32_t sm_wandb_key_of(struct sm_wandb_keys *k, const char *name, size_t n)
{
    struct sm_text text = {name, n < SM_LOG_NAME_MAX ? n : SM_LOG_NAME_MAX + 1};
    if (!k->names)
        k->names = sm_names_new();
    uint32_t id = k->names ? intern(k, text) : SM_NAME_NONE;
    size_t owner;
    if (id == SM_NAME_NONE || k->items[id].parent != SM_NAME_NONE ||
        k->items[id].role == SM_WANDB_ROLE_TOO_LONG)
        return id;
    enum sm_wandb_field field = sm_wandb_field_of(text, &owner);
    if (!field)
        return id;
    uint32_t parent = intern(k, (struct sm_text){name, owner});
    k->items[id].parent = parent;
    k->items[id].field = (uint8_t)field;
    return parent == SM_NAME_NONE ? SM_NAME_NONE : id;
}

bool sm_wandb_key_is_typed(const struct sm_wandb_keys *k, uint32_t key, uint64_t record)
{
    const char *name = sm_names_text(k->names, key), *dot = name + sm_names_length(k->names, key);
    for (int i = 0; i < PARENTS_MAX && (dot = memrchr(name, '.', (size_t)(dot - name))); i++) {
        uint32_t id = sm_names_find(k->names, name, (size_t)(dot - name));
        if (id != SM_NAME_NONE && k->items[id].typed == record)
            return true;
    }
    return false;
}

static uint32_t join_path(struct sm_wandb_keys *k, struct sm_bytes path)
{
    sm_str_truncate(&k->text, 0);
    sm_wandb_path_join(path, &k->text);
    bool failed = k->text.failed;
    k->text.failed = false;
    return failed ? SM_NAME_NONE : sm_wandb_key_of(k, sm_str_text(&k->text), k->text.len);
}

uint32_t sm_wandb_key_of_path(struct sm_wandb_keys *k, struct sm_bytes path)
{
    if (!k->paths)
        k->paths = sm_names_new();
    size_t before = k->paths ? sm_names_count(k->paths) : 0;
    if (!k->paths ||
        !sm_vec_reserve((void **)&k->of_path, &k->cap_paths, before + 1, sizeof *k->of_path))
        return SM_NAME_NONE;
    uint32_t id = sm_names_add(k->paths, (const char *)path.p, path.n);
    if (id == SM_NAME_NONE)
        return SM_NAME_NONE;
    if (id == before)
        k->of_path[id] = SM_NAME_NONE;
    if (k->of_path[id] == SM_NAME_NONE)
        k->of_path[id] = join_path(k, path);
    return k->of_path[id];
}

void sm_wandb_keys_clear(struct sm_wandb_keys *k)
{
    for (size_t i = 0; k->names && i < sm_names_count(k->names) && i < k->cap; i++)
        sm_str_clear(&k->items[i].json);
    sm_names_free(k->names);
    sm_free(k->items);
    sm_names_free(k->paths);
    sm_free(k->of_path);
    sm_str_clear(&k->text);
    *k = (struct sm_wandb_keys){0};
}
