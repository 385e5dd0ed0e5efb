/* SPDX-License-Identifier: Apache-2.0 */
/* Stores, parses and prints the values of settings. */
#include "commands/session/setting.h"

#include "commands/session/feature.h"

#include "commands/answer/typed_number.h"
#include "reader/base/grow.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points to the value in the struct of settings. */
union value {
    bool *b;
    int64_t *i;
    double *d;
    char **text;
};

/* ---- the list ---- */

static int by_name(const void *a, const void *b)
{
    const struct sm_settings_row *x = a, *y = b;
    return x->row->retired != y->row->retired ? x->row->retired - y->row->retired
                                              : strcmp(x->row->name, y->row->name);
}

static void add_rows(struct sm_settings *s, size_t feature, size_t *cap)
{
    const struct sm_setting *row = s->features[feature]->settings;
    for (; row && row->name; row++) {
        SM_GROW(s->rows, s->n_all, *cap);
        s->rows[s->n_all++] = (struct sm_settings_row){row, feature};
        s->n += !row->retired;
    }
}

void sm_settings_init(struct sm_settings *s, const struct sm_feature *const *features)
{
    size_t n = 0, cap = 0;
    *s = (struct sm_settings){.features = features};
    while (features[n])
        n++;
    s->blocks = sm_xalloc_zero(n + 1, sizeof *s->blocks);
    for (size_t f = 0; f < n; f++) {
        s->blocks[f] = sm_xalloc_zero(1, features[f]->settings_size + 1);
        add_rows(s, f, &cap);
    }
    qsort(s->rows, s->n_all, sizeof *s->rows, by_name);
    for (size_t i = 0; i < s->n_all; i++)
        sm_setting_set(s, s->rows[i].row, s->rows[i].row->initial, NULL);
    s->version = 0;
}

const void *sm_settings_of(const struct sm_settings *s, const struct sm_setting *rows)
{
    size_t i = 0;
    while (s->features[i] && s->features[i]->settings != rows)
        i++;
    assert(s->features[i]);
    return s->blocks[i];
}

const struct sm_setting *sm_setting_row(const struct sm_settings *s, size_t i)
{
    return s->rows[i].row;
}

const struct sm_setting *sm_setting_named(const struct sm_settings *s, const char *name)
{
    for (size_t i = 0; i < s->n_all; i++)
        if (strcmp(s->rows[i].row->name, name) == 0)
            return s->rows[i].row;
    return NULL;
}

static union value value_at(const struct sm_settings *s, const struct sm_setting *row)
{
    size_t i = 0;
    while (i < s->n_all && s->rows[i].row != row)
        i++;
    assert(i < s->n_all);
    void *at = (char *)s->blocks[s->rows[i].feature] + row->offset;
    switch (row->type) {
    case SM_SETTING_BOOL:
        return (union value){.b = at};
    case SM_SETTING_REAL:
        return (union value){.d = at};
    case SM_SETTING_TEXT:
        return (union value){.text = at};
    default:
        return (union value){.i = at};
    }
}

void sm_settings_clear(struct sm_settings *s)
{
    for (size_t i = 0; i < s->n_all; i++)
        if (s->rows[i].row->type == SM_SETTING_TEXT)
            sm_free(*value_at(s, s->rows[i].row).text);
    for (size_t f = 0; s->features && s->features[f]; f++)
        sm_free(s->blocks[f]);
    sm_free(s->blocks);
    sm_free(s->rows);
    *s = (struct sm_settings){0};
}

/* ---- setting ---- */

/* The index of the word that is t, or else starts with t; -1 if there is none, -2 if several. */
static int find_word(const char *const *words, struct sm_text t)
{
    int found = -1;
    for (int i = 0; words && words[i]; i++) {
        if (sm_text_is(t, words[i]))
            return i;
        if (t.n && strncmp(words[i], t.p, t.n) == 0)
            found = found == -1 ? i : -2;
    }
    return found;
}

static bool set_bool(union value v, struct sm_text t, struct sm_err *err)
{
    static const char *const words[] = {"on", "1",  "yes",     "enable", "off",
                                        "0",  "no", "disable", NULL};
    int i = t.n ? find_word(words, t) : 0;
    if (i < 0)
        return sm_err_set(err, SM_ERR_USAGE, "Expected \"on\" or \"off\".");
    *v.b = i < 4;
    return true;
}

static bool set_enum(const struct sm_setting *row, union value v, struct sm_text t,
                     struct sm_err *err)
{
    int i = find_word(row->words, t);
    if (i >= 0) {
        *v.i = i;
        return true;
    }
    struct sm_str all = {0};
    for (size_t k = 0; row->words[k]; k++)
        sm_str_printf(&all, "%s%s", k ? ", " : "", row->words[k]);
    if (!t.n)
        sm_err_set(err, SM_ERR_USAGE, "Requires an argument. Valid arguments are %s.",
                   sm_str_text(&all));
    else
        sm_err_set(err, SM_ERR_USAGE, "%s item \"%.*s\". Valid arguments are %s.",
                   i == -2 ? "Ambiguous" : "Undefined", (int)t.n, t.p, sm_str_text(&all));
    sm_str_clear(&all);
    return false;
}

static bool in_range(const struct sm_setting *row, double v, struct sm_text t, struct sm_err *err)
{
    if (v >= row->min && v <= row->max)
        return true;
    double scale = row->type == SM_SETTING_DURATION ? 1e6 : 1;
    return sm_err_set(err, SM_ERR_USAGE, "%.*s is out of range: %g to %g%s", (int)t.n, t.p,
                      row->min / scale, row->max / scale,
                      row->type == SM_SETTING_DURATION ? " seconds" : "");
}

static bool set_integer(const struct sm_setting *row, union value v, struct sm_text t,
                        struct sm_err *err)
{
    int64_t i;
    int word = find_word(row->words, t);
    if (word >= 0) {
        *v.i = -1 - word;
        return true;
    }
    bool unbounded = row->max >= SM_SETTING_UNLIMITED;
    if (unbounded &&
        (find_word((const char *const[]){"unlimited", NULL}, t) == 0 || sm_text_is(t, "0"))) {
        *v.i = INT64_MAX;
        return true;
    }
    if (!t.n)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s).",
                          unbounded ? "a number, or \"unlimited\"" : "a number");
    bool ok = row->type == SM_SETTING_DURATION ? sm_number_duration(t, &i) : sm_number_int(t, &i);
    if (!ok)
        return sm_err_set(err, SM_ERR_USAGE, "Invalid %s \"%.*s\".",
                          row->type == SM_SETTING_DURATION ? "duration" : "number", (int)t.n, t.p);
    if (!in_range(row, (double)i, t, err))
        return false;
    *v.i = i;
    return true;
}

static bool set_real(const struct sm_setting *row, union value v, struct sm_text t,
                     struct sm_err *err)
{
    double d;
    if (!sm_number_double(t, &d) || isnan(d))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid number \"%.*s\".", (int)t.n, t.p);
    if (!in_range(row, d, t, err))
        return false;
    *v.d = d;
    return true;
}

bool sm_setting_set(struct sm_settings *s, const struct sm_setting *row, const char *text,
                    struct sm_err *err)
{
    union value v = value_at(s, row);
    struct sm_text t = sm_text(text ? text : "");
    bool ok = true;
    switch (row->type) {
    case SM_SETTING_BOOL:
        ok = set_bool(v, t, err);
        break;
    case SM_SETTING_ENUM:
        ok = set_enum(row, v, t, err);
        break;
    case SM_SETTING_INT:
    case SM_SETTING_SIZE:
    case SM_SETTING_DURATION:
        ok = set_integer(row, v, t, err);
        break;
    case SM_SETTING_REAL:
        ok = set_real(row, v, t, err);
        break;
    case SM_SETTING_TEXT:
        if (row->check && !row->check(t.p, err))
            return false;
        sm_free(*v.text);
        *v.text = sm_xstrndup(t.p, t.n);
    }
    if (ok)
        s->version++;
    return ok;
}

static void add_size(struct sm_str *out, int64_t n)
{
    static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti"};
    size_t u = 0;
    for (; u < 4 && n && n % 1024 == 0; u++)
        n /= 1024;
    sm_str_printf(out, "%" PRId64 "%s", n, units[u]);
}

/* Uses the largest unit that gives an integer. */
static void add_duration(struct sm_str *out, int64_t us)
{
    static const struct {
        int64_t us;
        const char *unit;
    } units[] = {{3600000000, "h"}, {60000000, "m"}, {1000000, "s"}, {1000, "ms"}, {1, "us"}};
    size_t u = 0;
    while (us % units[u].us)
        u++;
    sm_str_printf(out, "%" PRId64 "%s", us / units[u].us, us ? units[u].unit : "");
}

static void add_integer(struct sm_str *out, const struct sm_setting *row, int64_t i)
{
    if (i < 0 && row->words)
        sm_str_add(out, row->words[-1 - i]);
    else if (i == INT64_MAX)
        sm_str_add(out, "unlimited");
    else if (row->type == SM_SETTING_SIZE)
        add_size(out, i);
    else if (row->type == SM_SETTING_DURATION)
        add_duration(out, i);
    else
        sm_str_printf(out, "%" PRId64, i);
}

void sm_setting_text(const struct sm_settings *s, const struct sm_setting *row, struct sm_str *out)
{
    union value v = value_at(s, row);
    char number[32];
    switch (row->type) {
    case SM_SETTING_BOOL:
        sm_str_add(out, *v.b ? "on" : "off");
        break;
    case SM_SETTING_ENUM:
        sm_str_add(out, row->words[*v.i]);
        break;
    case SM_SETTING_REAL:
        sm_format_shortest(*v.d, false, number);
        sm_str_add(out, number);
        break;
    case SM_SETTING_TEXT:
        sm_str_add(out, *v.text ? *v.text : "");
        break;
    default:
        add_integer(out, row, *v.i);
    }
}

void sm_setting_cycle(struct sm_settings *s, const struct sm_setting *row, bool forward)
{
    union value v = value_at(s, row);
    int64_t n = 0;
    while (row->type == SM_SETTING_ENUM && row->words[n])
        n++;
    const char *word = row->type == SM_SETTING_BOOL
                           ? (*v.b ? "off" : "on")
                           : row->words[(*v.i + (forward ? 1 : n - 1)) % n];
    sm_setting_set(s, row, word, NULL);
}

bool sm_setting_is_initial(const struct sm_settings *s, const struct sm_setting *row)
{
    struct sm_str now = {0};
    sm_setting_text(s, row, &now);
    bool same = strcmp(sm_str_text(&now), row->initial) == 0;
    sm_str_clear(&now);
    return same;
}
