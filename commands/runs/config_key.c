/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/config_key.h"

#include "reader/logs/log_json.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool is_joint(char c)
{
    return c == '.' || c == '/';
}

static size_t part_length(const char *p)
{
    return strcspn(p, "./");
}

static bool is_one_of(const char *part, size_t n, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == n && memcmp(part, names[i], n) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(part, n, names) is_one_of(part, n, names, sizeof(names) / sizeof *(names))

static const char *last_part(const char *key)
{
    const char *last = key;
    for (const char *p = key; *p; p++)
        if (is_joint(*p) && p[1])
            last = p + 1;
    return last;
}

static bool ends_with(const char *part, const char *end)
{
    size_t n = strlen(part), m = strlen(end);
    return n >= m && strcmp(part + n - m, end) == 0;
}

/* ---- internal names ---- */

/* A part of any name: what is below is the state of a program. */
static const char *const states[] = {
    "loops",       "state_dict",        "optimizer_states", "lr_schedulers",
    "rng_state",   "rng_states",        "train_state",      "opt_param_scheduler",
    "grad_scaler", "generation_config", "planner_data",     "quantized",
};
/* The last part: what a program counts, or where it writes. */
static const char *const written[] = {
    "global_step",
    "epoch",
    "iteration",
    "iter",
    "total_flos",
    "best_metric",
    "best_global_step",
    "best_model_checkpoint",
    "consumed_train_samples",
    "consumed_valid_samples",
    "num_floating_point_operations_so_far",
    "num_input_tokens_seen",
    "last_epoch",
    "base_lrs",
    "output_dir",
    "logging_dir",
    "log_dir",
    "save_dir",
    "dump_data_dir",
    "checkpoint_dir",
    "checkpoint_path",
    "ckpt_path",
    "save_path",
    "resume_from_checkpoint",
    "run_name",
    "_name_or_path",
};
/* Of the groups of an optimizer, these are chosen; all else is its default or its state. */
static const char *const chosen[] = {"lr", "initial_lr", "weight_decay", "momentum"};

static bool in_group(const char *key)
{
    const char *group = strstr(key, "param_groups");
    return group && (group == key || is_joint(group[-1])) &&
           is_joint(group[strlen("param_groups")]);
}

/* Of the first group, which is that of most or all weights. */
static bool is_chosen(const char *key)
{
    const char *p = strstr(key, "param_groups") + strlen("param_groups") + 1;
    return *p == '0' && is_joint(p[1]) && p + 2 == last_part(key) &&
           IS_ONE_OF(p + 2, strlen(p + 2), chosen);
}

/* Lightning's checkpoints have the states of callbacks by the names of their classes. */
static bool is_callback(const char *part, size_t n)
{
    return n == strlen("callbacks") && memcmp(part, "callbacks", n) == 0 && is_joint(part[n]) &&
           isupper((unsigned char)part[n + 1]);
}

bool sm_config_key_is_internal(const char *key)
{
    const char *last = last_part(key);
    if (in_group(key))
        return !is_chosen(key);
    for (const char *p = key; *p; p += *p != 0) {
        size_t n = part_length(p);
        if (*p == '_' || IS_ONE_OF(p, n, states) || is_callback(p, n))
            return true;
        p += n;
    }
    return IS_ONE_OF(last, part_length(last), written) || ends_with(last, "_version");
}

/* ---- spellings ---- */

const char *sm_config_key_plain(const char *key)
{
    static const char *const sources[] = {"args",    "config",           "cfg",
                                          "hparams", "hyper_parameters", "hyperparameters",
                                          "params",  "training_args",    "train_args"};
    size_t n = part_length(key);
    if (in_group(key))
        return is_chosen(key) ? last_part(key) : key;
    return key[n] && key[n + 1] && IS_ONE_OF(key, n, sources) ? key + n + 1 : key;
}

static char folded(char c)
{
    return is_joint(c) ? '.' : c == '-' || c == ' ' ? '_' : (char)tolower((unsigned char)c);
}

void sm_config_key_fold(const char *key, struct sm_str *out)
{
    for (const char *p = sm_config_key_plain(key); *p; p++)
        sm_str_addc(out, folded(*p));
}

static bool is_spelling(const char *a, const char *b)
{
    a = sm_config_key_plain(a);
    b = sm_config_key_plain(b);
    while (*a && folded(*a) == folded(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

const char *sm_config_get(const struct sm_run_fields *config, const char *key)
{
    const char *value = sm_run_fields_get(config, key);
    for (size_t i = 0; !value && i < config->n; i++)
        if (is_spelling(config->items[i].key, key))
            value = config->items[i].json;
    return value;
}

bool sm_config_same(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0)
        return true;
    return sm_log_number(a, strlen(a), &x) && sm_log_number(b, strlen(b), &y) &&
           (x == y || (isnan(x) && isnan(y)));
}
