/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the values of SageMaker's HookParameters and CollectionParameters. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/tensor/statistic_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { INTERVAL_DEFAULT = 500 };

bool hook_parse_bool(const char *value, bool *out, struct sm_err *err)
{
    static const char *const yes[] = {"true", "1", "yes"}, *const no[] = {"false", "0", "no"};
    for (size_t i = 0; i < 3; i++) {
        if (strcasecmp(value, yes[i]) == 0 || strcasecmp(value, no[i]) == 0) {
            *out = strcasecmp(value, yes[i]) == 0;
            return true;
        }
    }
    return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is neither true nor false", value);
}

bool hook_parse_int(const char *value, int64_t *out, struct sm_err *err)
{
    char *end;
    errno = 0;
    long long v = strtoll(value, &end, 10);
    end += strspn(end, " ");
    if (end == value || *end || errno || v < 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not an integer of at least 0", value);
    *out = v;
    return true;
}

/* "1,2,17" */
static bool parse_steps(const char *value, struct hook_schedule *w, struct sm_err *err)
{
    size_t cap = 0;
    sm_free(w->steps);
    w->steps = NULL;
    w->n_steps = 0;
    for (const char *p = value; *p; p += strspn(p, ", ")) {
        char *end;
        errno = 0;
        long long v = strtoll(p, &end, 10);
        if (end == p || errno || v < 0 || (*end && *end != ',' && *end != ' '))
            return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not a list of steps such as 1,2,17",
                              value);
        if (!SM_VEC_ROOM(w->steps, w->n_steps, cap))
            return sm_err_set(err, SM_ERR_MEMORY, "no memory for steps");
        w->steps[w->n_steps++] = v;
        p = end;
    }
    w->has_steps = true;
    return true;
}

/* The original's order of reductions in files and in names: 0 plain, 1 norms, 2 and 3 the same of
 * absolute values. */
static int reduction_group(int code)
{
    int op = code & (SM_REDUCE_ABS - 1);
    return (code & SM_REDUCE_ABS ? 2 : 0) + (op == SM_REDUCE_L1 || op == SM_REDUCE_L2);
}

static void insert_reduction(int *codes, size_t n, int code)
{
    for (; n && reduction_group(codes[n - 1]) > reduction_group(code); n--)
        codes[n] = codes[n - 1];
    codes[n] = code;
}

/* "mean,l2_norm,abs_max"; NULL: no memory. Without the median: the original library knows none, and
 * does not open a trial whose collections file names it. */
static char *reductions_text(const int *codes, size_t n)
{
    struct sm_str text = {0};
    for (size_t i = 0; i < n; i++)
        if ((codes[i] & (SM_REDUCE_ABS - 1)) != SM_REDUCE_MEDIAN)
            sm_str_printf(&text, "%s%s%s", text.len ? "," : "", sm_reduction_name(codes[i]),
                          reduction_group(codes[i]) % 2 ? "_norm" : "");
    char *copy = text.failed ? NULL : sm_strdup(sm_str_text(&text));
    sm_str_clear(&text);
    return copy;
}

/* "min max ... l2_norm": the plain ones, as configurations spell them. */
static void list_reductions(struct sm_str *out)
{
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        if (x->reduction != SM_REDUCE_NONE && !(x->reduction & SM_REDUCE_ABS))
            sm_str_printf(out, "%s%s ", x->key, reduction_group(x->reduction) ? "_norm" : "");
    }
}

static bool no_such_reduction(struct sm_text name, struct sm_err *err)
{
    struct sm_str names = {0};
    list_reductions(&names);
    sm_err_set(err, SM_ERR_USAGE, "\"%.*s\" is not a reduction: %sand abs_ of each", (int)name.n,
               name.p, sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

static bool parse_reductions(struct hook_params *p, const char *value, struct sm_err *err)
{
    int codes[HOOK_REDUCTIONS_MAX];
    size_t n = 0;
    for (const char *at = value + strspn(value, ", "); *at; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ", ");
        int code = sm_reduction_of_name(at, length);
        if (code < 0 || n == HOOK_REDUCTIONS_MAX)
            return no_such_reduction((struct sm_text){at, length}, err);
        insert_reduction(codes, n++, code);
        at += length;
    }
    char *text = reductions_text(codes, n);
    if (!text)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for reductions");
    sm_free(p->reductions);
    p->reductions = text;
    p->n_codes = n;
    memcpy(p->codes, codes, n * sizeof *codes);
    return true;
}

/* Skips a prefix like "train." and returns its mode; 0 if there is none. */
static int mode_prefix(const char **name)
{
    static const char *const prefixes[] = {"", "train.", "eval.", "predict.", "global."};
    for (int m = 1; m < 5; m++) {
        size_t n = strlen(prefixes[m]);
        if (strncasecmp(*name, prefixes[m], n) == 0) {
            *name += n;
            return m;
        }
    }
    return 0;
}

static bool set_schedule(struct hook_schedule *w, const char *name, const char *value, bool *known,
                         struct sm_err *err)
{
    const struct {
        const char *name;
        bool *has;
        int64_t *v;
    } rows[] = {{"save_interval", &w->has_interval, &w->interval},
                {"start_step", &w->has_start, &w->start},
                {"end_step", &w->has_end, &w->end}};
    if (strcmp(name, "save_steps") == 0)
        return parse_steps(value, w, err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) != 0)
            continue;
        if (!hook_parse_int(value, rows[i].v, err))
            return false;
        if (i == 0 && w->interval < 1)
            return sm_err_set(err, SM_ERR_USAGE, "save_interval must be at least 1");
        *rows[i].has = true;
        return true;
    }
    *known = false;
    return true;
}

bool hook_params_set(struct hook_params *p, const char *name, const char *value, bool *known,
                     struct sm_err *err)
{
    *known = true;
    int mode = mode_prefix(&name);
    if (mode)
        return set_schedule(&p->schedules[mode], name, value, known, err);
    if (strcmp(name, "reductions") == 0)
        return parse_reductions(p, value, err);
    if (strcmp(name, "save_histogram") == 0) {
        p->has_histogram = true;
        return hook_parse_bool(value, &p->histogram, err);
    }
    bool raw = strcmp(name, "save_raw_tensor") == 0;
    if (raw || strcmp(name, "save_shape") == 0)
        return hook_parse_bool(value, raw ? &p->raw : &p->shape, err);
    return set_schedule(&p->schedules[0], name, value, known, err);
}

bool hook_params_has_reductions(const struct hook_params *p)
{
    return p->n_codes || p->shape;
}

void hook_params_clear(struct hook_params *p)
{
    for (int m = 0; m < 5; m++)
        sm_free(p->schedules[m].steps);
    sm_free(p->reductions);
    *p = (struct hook_params){0};
}

struct sm_save_rule hook_save_rule(const struct hook_params *collection,
                                   const struct hook_params *hook, int mode)
{
    const struct hook_schedule *sources[] = {&hook->schedules[0], &hook->schedules[mode],
                                             &collection->schedules[0],
                                             &collection->schedules[mode]};
    struct sm_save_rule r = {.given = true, .interval = INTERVAL_DEFAULT, .end = -1};
    for (size_t i = 0; i < 4; i++) {
        const struct hook_schedule *w = sources[i];
        r.interval = w->has_interval ? w->interval : r.interval;
        r.start = w->has_start ? w->start : r.start;
        r.end = w->has_end ? w->end : r.end;
        if (w->has_steps) {
            r.steps = w->steps;
            r.n_steps = w->n_steps;
        }
    }
    return r;
}
