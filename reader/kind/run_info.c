/* SPDX-License-Identifier: Apache-2.0 */
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

bool sm_run_fields_add(struct sm_run_fields *to, const struct sm_run_fields *more)
{
    bool ok = true;
    for (size_t i = 0; i < more->n && ok; i++)
        ok = sm_run_fields_set(to, more->items[i].key, strlen(more->items[i].key),
                               more->items[i].json, strlen(more->items[i].json));
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

/* ---- console output and samples ---- */

bool sm_run_info_print(struct sm_run_info *info, const char *p, size_t n)
{
    struct sm_str *c = &info->console;
    sm_str_addn(c, p, n);
    if (c->failed || c->len <= SM_RUN_CONSOLE_BYTES)
        return !c->failed;
    size_t cut = c->len - SM_RUN_CONSOLE_BYTES / 2;
    const char *line = memchr(c->data + cut, '\n', c->len - cut);
    cut = line ? (size_t)(line + 1 - c->data) : cut;
    memmove(c->data, c->data + cut, c->len - cut);
    sm_str_truncate(c, c->len - cut);
    info->console_dropped += cut;
    return true;
}

static void drop_samples(struct sm_run_info *info)
{
    size_t n = SM_RUN_SAMPLES_MAX / 2;
    info->n_samples -= n;
    info->samples_dropped += n;
    memmove(info->samples, info->samples + n, info->n_samples * sizeof *info->samples);
}

bool sm_run_info_sample(struct sm_run_info *info, const char *name, size_t n, double time,
                        double value)
{
    if (!info->metrics)
        info->metrics = sm_names_new();
    uint32_t metric = info->metrics ? sm_names_add(info->metrics, name, n) : SM_NAME_NONE;
    if (metric == SM_NAME_NONE || !SM_VEC_ROOM(info->samples, info->n_samples, info->cap_samples))
        return false;
    info->samples[info->n_samples++] = (struct sm_run_sample){metric, time, value};
    if (info->n_samples >= SM_RUN_SAMPLES_MAX)
        drop_samples(info);
    return true;
}

static bool add_samples(struct sm_run_info *to, const struct sm_run_info *more)
{
    bool ok = true;
    for (size_t i = 0; i < more->n_samples && ok; i++) {
        const struct sm_run_sample *x = &more->samples[i];
        ok = sm_run_info_sample(to, sm_names_text(more->metrics, x->metric),
                                sm_names_length(more->metrics, x->metric), x->time, x->value);
    }
    to->samples_dropped += more->samples_dropped;
    return ok;
}

static bool add_console(struct sm_run_info *to, const struct sm_run_info *more)
{
    to->console_dropped += more->console_dropped;
    return !more->console.len || sm_run_info_print(to, more->console.data, more->console.len);
}

/* ---- the rest ---- */

static bool replace_text(char **to, const char *from)
{
    if (!from)
        return true;
    sm_free(*to);
    *to = sm_strdup(from);
    return *to;
}

static bool has_alert(const struct sm_run_info *info, const struct sm_run_alert *x)
{
    for (size_t i = 0; i < info->n_alerts; i++)
        if (info->alerts[i].time == x->time && info->alerts[i].step == x->step &&
            strcmp(info->alerts[i].text, x->text) == 0)
            return true;
    return false;
}

bool sm_run_info_alert(struct sm_run_info *info, const char *text, size_t n, double time,
                       int64_t step)
{
    struct sm_run_alert x = {sm_strndup(text, n), time, step};
    for (char *p = x.text; p && *p; p++)
        *p = *p == '\n' || *p == '\r' ? ' ' : *p;
    if (x.text && (info->n_alerts >= SM_RUN_ALERTS_MAX || has_alert(info, &x))) {
        sm_free(x.text);
        return true;
    }
    if (x.text && SM_VEC_ROOM(info->alerts, info->n_alerts, info->cap_alerts)) {
        info->alerts[info->n_alerts++] = x;
        return true;
    }
    sm_free(x.text);
    return false;
}

static bool add_alerts(struct sm_run_info *to, const struct sm_run_info *more)
{
    bool ok = true;
    for (size_t i = 0; ok && i < more->n_alerts; i++) {
        const struct sm_run_alert *x = &more->alerts[i];
        ok = sm_run_info_alert(to, x->text, strlen(x->text), x->time, x->step);
    }
    return ok;
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
    to->ended = more->ended || (to->ended && !more->goes_on);
    to->exit_code = more->ended ? more->exit_code : more->goes_on ? 0 : to->exit_code;
    to->began = more->began ? more->began : to->began;
    to->tensor_files |= more->tensor_files;
    to->damaged_files |= more->damaged_files;
    return replace_text(&to->name, more->name) && add_ignored(to, more->ignored) &&
           sm_run_fields_add(&to->config, &more->config) &&
           sm_run_fields_add(&to->summary, &more->summary) &&
           sm_run_fields_add(&to->sources, &more->sources) && add_console(to, more) &&
           add_samples(to, more) && add_alerts(to, more);
}

void sm_run_info_clear(struct sm_run_info *info)
{
    sm_free(info->name);
    sm_free(info->ignored);
    sm_run_fields_clear(&info->config);
    sm_run_fields_clear(&info->summary);
    sm_run_fields_clear(&info->sources);
    sm_str_clear(&info->console);
    sm_names_free(info->metrics);
    sm_free(info->samples);
    for (size_t i = 0; i < info->n_alerts; i++)
        sm_free(info->alerts[i].text);
    sm_free(info->alerts);
    *info = (struct sm_run_info){0};
}

void sm_run_info_free(struct sm_run_info *info)
{
    if (info)
        sm_run_info_clear(info);
    sm_free(info);
}
