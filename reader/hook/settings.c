/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the settings of the hook and of its collections by name. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <string.h>

enum { SAMPLE_MS_MIN = 100, SAMPLE_MS_MAX = 60000 }; /* as "smdbg-tui sample" has them */

bool hook_set_text(char **to, const char *value, struct sm_err *err)
{
    char *copy = sm_strdup(value);
    if (!copy)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a setting");
    sm_free(*to);
    *to = copy;
    return true;
}

static bool set_include_workers(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    h->include_all = strcmp(value, "all") == 0;
    return h->include_all || strcmp(value, "one") == 0 ||
           sm_err_set(err, SM_ERR_USAGE, "include_workers must be \"one\" or \"all\", not \"%s\"",
                      value);
}

static bool set_when_full(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    h->queue.drop = strcmp(value, "drop") == 0;
    return h->queue.drop || strcmp(value, "block") == 0 ||
           sm_err_set(err, SM_ERR_USAGE, "when_full must be \"block\" or \"drop\", not \"%s\"",
                      value);
}

static bool set_save_all(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    struct hook_collection *all = hook_plan_collection(&h->plan, "all", err);
    return hook_parse_bool(value, &h->save_all, err) && all && (all->saved = h->save_all, true);
}

static bool set_default_regex(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    struct hook_collection *default_collection = hook_plan_collection(&h->plan, "default", err);
    return default_collection && hook_collection_regexes(default_collection, value, err) &&
           (default_collection->saved = true);
}

static bool set_queue_bytes(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    int64_t v;
    if (!hook_parse_int(value, &v, err))
        return false;
    h->queue.limit_bytes = (size_t)v;
    return true;
}

static bool set_sample_ms(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    int64_t v;
    if (!hook_parse_int(value, &v, err))
        return false;
    if (v != 0 && (v < SAMPLE_MS_MIN || v > SAMPLE_MS_MAX))
        return sm_err_set(err, SM_ERR_USAGE,
                          "system_monitor_interval_millis must be 0 or from %d to %d, not \"%s\"",
                          SAMPLE_MS_MIN, SAMPLE_MS_MAX, value);
    h->sample_ms = v;
    return true;
}

/* The directory is taken again with the new value. */
static bool says_who_writes(const char *name)
{
    static const char *const names[] = {"rank",    "world_size", "worker",
                                        "dry_run", "if_exists",  "include_workers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool set_hook_setting(struct smdbg_hook *h, const char *name, const char *value, bool *known,
                             struct sm_err *err)
{
    *known = true;
    if (says_who_writes(name) && h->taken)
        hook_directory_release(h);
    if (strcmp(name, "if_exists") == 0)
        return hook_set_if_exists(h, value, err);
    if (strcmp(name, "rank") == 0)
        return hook_parse_int(value, &h->rank, err);
    if (strcmp(name, "world_size") == 0)
        return hook_parse_int(value, &h->world_size, err);
    if (strcmp(name, "worker") == 0)
        return hook_set_text(&h->worker, value, err);
    if (strcmp(name, "dry_run") == 0)
        return hook_parse_bool(value, &h->dry_run, err);
    if (strcmp(name, "save_all") == 0)
        return set_save_all(h, value, err);
    if (strcmp(name, "include_regex") == 0)
        return set_default_regex(h, value, err);
    if (strcmp(name, "include_workers") == 0)
        return set_include_workers(h, value, err);
    if (strcmp(name, "share_event_files") == 0)
        return hook_parse_bool(value, &h->share_files, err);
    if (strcmp(name, "queue_bytes") == 0)
        return set_queue_bytes(h, value, err);
    if (strcmp(name, "when_full") == 0)
        return set_when_full(h, value, err);
    if (strcmp(name, "export_tensorboard") == 0)
        return hook_parse_bool(value, &h->export_board, err);
    if (strcmp(name, "tensorboard_dir") == 0)
        return hook_set_text(&h->board_dir, value, err);
    if (strcmp(name, "system_monitor_interval_millis") == 0)
        return set_sample_ms(h, value, err);
    *known = false;
    return true;
}

static bool settings_open(const struct smdbg_hook *h, struct sm_err *err)
{
    return !h->started ||
           sm_err_set(err, SM_ERR_USAGE, "settings cannot change after the first step");
}

static int result_of_setting(struct smdbg_hook *h, bool ok, const struct sm_err *err)
{
    int result = ok ? 0 : hook_fail_now(h, err);
    hook_leave();
    return result;
}

int smdbg_hook_set(smdbg_hook *h, const char *name, const char *value)
{
    struct sm_err err = {0};
    bool known = false;
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    bool ok = settings_open(h, &err) && hook_check_name(name, "name of a setting", &err) &&
              hook_check_text(value, name, &err) && set_hook_setting(h, name, value, &known, &err);
    if (ok && !known)
        ok = hook_params_set(&h->params, name, value, &known, &err);
    if (ok && !known)
        ok = sm_err_set(&err, SM_ERR_USAGE, "\"%s\" is not a setting of a hook", name);
    pthread_mutex_unlock(&h->lock);
    return result_of_setting(h, ok, &err);
}

/* NULL: an error. */
static struct hook_collection *open_collection(struct smdbg_hook *h, const char *name,
                                               struct sm_err *err)
{
    bool ok = settings_open(h, err) && hook_check_name(name, "name of a collection", err);
    struct hook_collection *c = ok ? hook_plan_collection(&h->plan, name, err) : NULL;
    if (c)
        c->named = h->plan.configured = true;
    return c;
}

int smdbg_collection_set(smdbg_hook *h, const char *collection, const char *name, const char *value)
{
    struct sm_err err = {0};
    bool known = true;
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    struct hook_collection *c = open_collection(h, collection, &err);
    bool ok =
        c && hook_check_name(name, "name of a setting", &err) && hook_check_text(value, name, &err);
    if (ok && strcmp(name, "include_regex") == 0)
        ok = hook_collection_regexes(c, value, &err);
    else if (ok)
        ok = hook_params_set(&c->params, name, value, &known, &err);
    if (ok && !known)
        ok = sm_err_set(&err, SM_ERR_USAGE, "\"%s\" is not a setting of a collection", name);
    if (ok)
        c->saved = true;
    pthread_mutex_unlock(&h->lock);
    return result_of_setting(h, ok, &err);
}

int smdbg_collection_save(smdbg_hook *h, const char *collection)
{
    struct sm_err err = {0};
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    struct hook_collection *c = open_collection(h, collection, &err);
    if (c)
        c->saved = true;
    pthread_mutex_unlock(&h->lock);
    return result_of_setting(h, c, &err);
}

/* A collection that is saved may get members during the training, too. */
static bool add_member(struct smdbg_hook *h, const char *collection, const char *tensor,
                       struct sm_err *err)
{
    struct hook_collection *c = hook_check_name(collection, "name of a collection", err)
                                    ? hook_plan_find(&h->plan, collection)
                                    : NULL;
    if (h->started && c && c->saved)
        return hook_check_name(tensor, "tensor name", err) &&
               hook_plan_join(&h->plan, c, tensor, err);
    c = open_collection(h, collection, err);
    return c && hook_check_name(tensor, "tensor name", err) &&
           hook_collection_name(c, tensor, err) && (c->saved = true);
}

int smdbg_collection_add(smdbg_hook *h, const char *collection, const char *tensor)
{
    struct sm_err err = {0};
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    bool ok = add_member(h, collection, tensor, &err);
    pthread_mutex_unlock(&h->lock);
    return result_of_setting(h, ok, &err);
}
