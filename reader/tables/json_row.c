/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/json_row.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/logs/yaml.h"
#include "reader/tables/column_name.h"
#include "reader/tables/row_phase.h"

#include <math.h>
#include <string.h>

/* The length of the first part of a name if it is that of settings, with its '/'; else 0. */
static size_t setting_prefix(const char *name)
{
    static const char *const parts[] = {"config/", "args/", "hparams/", "hyperparameters/", "cfg/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(name, parts[i], strlen(parts[i])) == 0)
            return strlen(parts[i]);
    return 0;
}

uint32_t sm_json_row_key(struct sm_json_row *r, const char *name, size_t n)
{
    double seconds;
    if (!r->names)
        r->names = sm_names_new();
    if (!r->names)
        return SM_NAME_NONE;
    size_t before = sm_names_count(r->names);
    if (!sm_vec_reserve((void **)&r->keys, &r->cap_keys, before + 1, sizeof *r->keys))
        return SM_NAME_NONE;
    uint32_t id = sm_names_add(r->names, name, n);
    if (id == SM_NAME_NONE || id < before)
        return id;
    r->keys[id] = (struct sm_json_key){
        .rank = (uint8_t)sm_step_rank(name, n),
        .time = sm_is_time(name, n, 1e9, &seconds),
        .setting = setting_prefix(name),
        .phase = sm_is_phase_name(name, n),
    };
    return id;
}

static void take_leaf(void *ctx, const struct sm_log_value *v)
{
    struct sm_json_row *r = ctx;
    uint32_t key = v->name_n && !r->failed ? sm_json_row_key(r, v->name, v->name_n) : SM_NAME_NONE;
    if (v->name_n == 0)
        return;
    if (key == SM_NAME_NONE || !SM_VEC_ROOM(r->items, r->n, r->cap)) {
        r->failed = true;
        return;
    }
    struct sm_json_item *x = &r->items[r->n++];
    *x = (struct sm_json_item){key, v->type, v->number, r->texts.len, 0};
    x->text_n = v->text_n < SM_JSON_TEXT_MAX || r->keeps_texts ? v->text_n : SM_JSON_TEXT_MAX;
    sm_str_addn(&r->texts, v->text, x->text_n);
}

bool sm_json_row_read(struct sm_json_row *r, const char *p, size_t n, struct sm_err *err)
{
    if (!r->names)
        r->names = sm_names_new();
    r->failed = !r->names;
    r->n = 0;
    sm_str_truncate(&r->texts, 0);
    while (n && strchr(" \t\r\n", *p) && *p)
        p++, n--;
    if (n == 0 || *p != '{')
        return sm_err_set(err, SM_ERR_DATA, "not a JSON object");
    bool ok = !r->failed && sm_log_json_leaves(p, n, '/', take_leaf, r, err);
    r->failed = r->failed || r->texts.failed;
    return r->failed ? sm_err_set(err, SM_ERR_MEMORY, "no memory to read a row") : ok;
}

void sm_json_row_clear(struct sm_json_row *r)
{
    sm_names_free(r->names);
    sm_free(r->keys);
    sm_free(r->items);
    sm_str_clear(&r->texts);
    *r = (struct sm_json_row){0};
}

/* ---- handing on ---- */

bool sm_json_row_number(const struct sm_json_row *r, const struct sm_json_item *x, double *out)
{
    *out = x->number;
    if (x->type == SM_LOG_NUMBER)
        return true;
    return x->type == SM_LOG_TEXT && r->keys[x->key].listed && x->text_n &&
           sm_log_number(sm_str_text(&r->texts) + x->text, x->text_n, out) && !isfinite(*out);
}

bool sm_json_row_point(struct sm_json_row *r, const struct sm_json_item *x,
                       struct sm_log_sink *sink, int64_t step, double time)
{
    struct sm_json_key *k = &r->keys[x->key];
    double v;
    if (!sm_json_row_number(r, x, &v))
        return false;
    if (!k->listed)
        k->series =
            sm_log_series(sink, sm_names_text(r->names, x->key), sm_names_length(r->names, x->key));
    k->listed = true;
    sm_log_point(sink, k->series, step, time, v);
    return true;
}

bool sm_json_row_setting(struct sm_json_row *r, const struct sm_json_item *x,
                         struct sm_log_sink *sink)
{
    const char *name = sm_names_text(r->names, x->key);
    const char *text = sm_str_text(&r->texts) + x->text;
    struct sm_str key = {0}, json = {0};
    if (x->text_n >= SM_JSON_TEXT_MAX)
        return false;
    sm_str_add(&key, name + setting_prefix(name));
    for (char *p = key.data; p && *p; p++)
        *p = *p == '/' ? '.' : *p;
    if (x->type == SM_LOG_TEXT)
        sm_json_quote(&json, text, x->text_n);
    else
        sm_str_addn(&json, text, x->text_n);
    bool ok = !key.failed && !json.failed && key.len && json.len;
    if (ok)
        sm_log_config(sink, key.data, key.len, json.data, json.len);
    r->keys[x->key].told = true;
    sm_str_clear(&key);
    sm_str_clear(&json);
    return ok;
}
