#include "reader/kind/run_info.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

bool sm_run_fields_set(struct sm_run_fields *f, const char *key, size_t n, const char *json,
                       size_t m)
{
    if (!f->index && !(f->index = sm_names_new()))
        return false;
    uint32_t at = sm_names_find(f->index, key, n);
    char *value = sm_strndup(json, m);
    if (!value)
        return false;
    if (at != SM_NAME_NONE) {
        sm_free(f->items[at].json);
        f->items[at].json = value;
        return true;
    }
    char *name = sm_strndup(key, n);
    if (name && SM_VEC_ROOM(f->items, f->n, f->cap) &&
        sm_names_add(f->index, key, n) != SM_NAME_NONE) {
        f->items[f->n++] = (struct sm_run_field){name, value};
        return true;
    }
    sm_free(name);
    sm_free(value);
    return false;
}

const char *sm_run_fields_get(const struct sm_run_fields *f, const char *key)
{
    uint32_t at = f->index ? sm_names_find(f->index, key, strlen(key)) : SM_NAME_NONE;
    return at == SM_NAME_NONE ? NULL : f->items[at].json;
}

bool sm_run_fields_copy(const struct sm_run_fields *from, struct sm_run_fields *to)
{
    bool ok = true;
    for (size_t i = 0; i < from->n && ok; i++)
        ok = sm_run_fields_set(to, from->items[i].key, strlen(from->items[i].key),
                               from->items[i].json, strlen(from->items[i].json));
    return ok;
}

void sm_run_fields_clear(struct sm_run_fields *f)
{
    for (size_t i = 0; i < f->n; i++) {
        sm_free(f->items[i].key);
        sm_free(f->items[i].json);
    }
    sm_free(f->items);
    sm_names_free(f->index);
    *f = (struct sm_run_fields){0};
}

static bool copy_samples(const struct sm_run_info *from, struct sm_run_info *to)
{
    if (!from->metrics)
        return true;
    to->metrics = sm_names_new();
    for (uint32_t i = 0; to->metrics && i < sm_names_count(from->metrics); i++)
        if (sm_names_add(to->metrics, sm_names_text(from->metrics, i),
                         sm_names_length(from->metrics, i)) == SM_NAME_NONE)
            return false;
    if (!to->metrics || !sm_vec_reserve((void **)&to->samples, &to->cap_samples, from->n_samples,
                                        sizeof *to->samples))
        return false;
    if (from->n_samples)
        memcpy(to->samples, from->samples, from->n_samples * sizeof *to->samples);
    to->n_samples = from->n_samples;
    return true;
}

static bool replace_text(char **to, const char *from)
{
    if (!from)
        return true;
    sm_free(*to);
    *to = sm_strdup(from);
    return *to;
}

bool sm_run_info_ignore(struct sm_run_info *info, const char *word)
{
    struct sm_str all = {0};
    if (info->ignored && strstr(info->ignored, word))
        return true;
    sm_str_printf(&all, "%s%s%s", info->ignored ? info->ignored : "", info->ignored ? ", " : "",
                  word);
    bool ok = !all.failed && replace_text(&info->ignored, all.data);
    sm_str_clear(&all);
    return ok;
}

static bool add_ignored(struct sm_run_info *to, const char *words)
{
    bool ok = true;
    while (ok && words && *words) {
        const char *end = strstr(words, ", ");
        char *word = sm_strndup(words, end ? (size_t)(end - words) : strlen(words));
        ok = word && sm_run_info_ignore(to, word);
        sm_free(word);
        words = end ? end + 2 : NULL;
    }
    return ok;
}

bool sm_run_info_add(struct sm_run_info *to, const struct sm_run_info *more)
{
    to->ended = to->ended || more->ended;
    to->exit_code = more->ended ? more->exit_code : to->exit_code;
    to->began = more->began ? more->began : to->began;
    return replace_text(&to->name, more->name) && add_ignored(to, more->ignored) &&
           sm_run_fields_copy(&more->config, &to->config) &&
           sm_run_fields_copy(&more->summary, &to->summary);
}

bool sm_run_info_copy(const struct sm_run_info *from, struct sm_run_info *to)
{
    to->ended = from->ended;
    to->exit_code = from->exit_code;
    to->began = from->began;
    to->console_dropped = from->console_dropped;
    sm_str_addn(&to->console, from->console.data, from->console.len);
    return replace_text(&to->name, from->name) && replace_text(&to->ignored, from->ignored) &&
           !to->console.failed && sm_run_fields_copy(&from->config, &to->config) &&
           sm_run_fields_copy(&from->summary, &to->summary) && copy_samples(from, to);
}

void sm_run_info_clear(struct sm_run_info *info)
{
    sm_free(info->name);
    sm_free(info->ignored);
    sm_run_fields_clear(&info->config);
    sm_run_fields_clear(&info->summary);
    sm_str_clear(&info->console);
    sm_names_free(info->metrics);
    sm_free(info->samples);
    *info = (struct sm_run_info){0};
}

void sm_run_info_free(struct sm_run_info *info)
{
    if (info)
        sm_run_info_clear(info);
    sm_free(info);
}
