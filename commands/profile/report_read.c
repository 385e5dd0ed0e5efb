/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/report_read.h"

#include "commands/answer/json_tree.h"
#include "reader/base/grow.h"
#include "reader/profile/profile_files.h"
#include "reader/s3/source_s3.h"
#include "reader/trial.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_BYTES = 256 * 1024 * 1024 };

/* ---- the file of a rule ---- */

/* The length of NaN, Infinity or -Infinity at p, 0 if there is none. */
static size_t python_word(const char *p, size_t n)
{
    static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (n >= strlen(words[k]) && memcmp(p, words[k], strlen(words[k])) == 0)
            return strlen(words[k]);
    return 0;
}

/* Python writes NaN and Infinity, which JSON has not: they become null. */
static void drop_words(const char *p, size_t length, struct sm_str *out)
{
    bool quoted = false;
    for (size_t i = 0; i < length;) {
        size_t word = quoted ? 0 : python_word(p + i, length - i),
               n = quoted && p[i] == '\\' && i + 1 < length ? 2 : 1;
        quoted = quoted != (p[i] == '"');
        if (word)
            sm_str_add(out, "null");
        else
            sm_str_addn(out, p + i, n);
        i += word ? word : n;
    }
}

bool sm_report_rule_read(struct sm_result *out, const char *bytes, size_t n,
                         const struct sm_node **map, struct sm_err *err)
{
    struct sm_str json = {0};
    struct sm_node *tree = NULL;
    drop_words(bytes, n, &json);
    bool ok = sm_json_tree(out, json.len ? json.data : "", json.len, &tree, err);
    sm_str_clear(&json);
    *map = ok ? tree : NULL;
    return ok;
}

/* True if the file is not there; its map is NULL then. */
static bool read_rule(struct sm_source *source, const char *dir, struct sm_result *out,
                      struct sm_profile_report_rule *rule, struct sm_err *err)
{
    struct sm_str path = {0}, text = {0};
    struct sm_err why = {0};
    sm_str_printf(&path, "%s%s%s.json", dir, *dir ? "/" : "", rule->name);
    bool found = sm_source_slurp(source, sm_str_text(&path), REPORT_BYTES, &text, &why),
         ok = found ? sm_report_rule_read(out, sm_str_text(&text), text.len, &rule->map, err)
                    : why.code == SM_ERR_MISSING;
    if (found && !ok)
        sm_err_prefix(err, "%s/%s", source->root, sm_str_text(&path));
    else if (!ok)
        *err = why;
    sm_str_clear(&path);
    sm_str_clear(&text);
    return ok;
}

/* ---- where a report lies ---- */

enum { DEPTH = 4, WAYS = 4096 };

/* What a folder has: files of rules, and folders in which they may be. */
struct look {
    bool rules;
    char **ways;
    size_t n, cap;
};

static bool note(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    static const char *const names[] = {"profiler-reports", "profiler-output", "rule-output"};
    struct look *l = ctx;
    bool way = strncmp(name, "ProfilerReport", 14) == 0;
    (void)inode;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        way = way || strcmp(name, names[i]) == 0;
    l->rules = l->rules || (!is_dir && sm_profile_is_rule_file(name));
    if (way && is_dir && l->n < WAYS) {
        SM_GROW(l->ways, l->n, l->cap);
        l->ways[l->n++] = sm_xstrdup(name);
    }
    return true;
}

/* Of the folders of several jobs, which have times in their names, the last one comes first. */
static int last_first(const void *a, const void *b)
{
    return strcmp(*(char *const *)b, *(char *const *)a);
}

/* Finds the folder with the files of the rules below `path`, which becomes it; "" is the root. */
static bool find_rules(struct sm_source *source, int depth, struct sm_str *path)
{
    struct look l = {0};
    struct sm_err err;
    sm_source_list(source, sm_str_text(path), note, &l, &err);
    bool found = l.rules;
    if (l.n)
        qsort(l.ways, l.n, sizeof *l.ways, last_first);
    for (size_t i = 0; i < l.n; i++) {
        size_t before = path->len;
        if (!found && depth < DEPTH) {
            sm_str_printf(path, "%s%s", before ? "/" : "", l.ways[i]);
            found = !path->failed && find_rules(source, depth + 1, path);
            if (!found)
                sm_str_truncate(path, before);
        }
        sm_free(l.ways[i]);
    }
    sm_free(l.ways);
    return found;
}

static bool is_report(const char *dir)
{
    struct sm_str folder = {0};
    struct sm_err err;
    struct sm_source *source = sm_source_files_new(dir, &err);
    bool yes = source && find_rules(source, 0, &folder);
    sm_source_unref(source);
    sm_str_clear(&folder);
    return yes;
}

bool sm_report_of_run(const struct sm_trial *t, struct sm_str *dir)
{
    if (!t || !sm_trial_scanned(t) || sm_trial_profile_root(t))
        return false;
    size_t before = dir->len;
    const char *path = sm_trial_path(t), *slash = strrchr(path, '/'),
               *name = slash ? slash + 1 : path;
    bool known = strcmp(sm_trial_kind_name(t), "profile_report") == 0;
    sm_str_add(dir, path);
    if (known || (!sm_is_s3(path) && is_report(sm_str_text(dir) + before)))
        return true;
    sm_str_truncate(dir, before + (size_t)(name - path));
    sm_str_add(dir, "rule-output");
    if (!sm_is_s3(path) && strcmp(name, "debug-output") == 0 &&
        is_report(sm_str_text(dir) + before))
        return true;
    sm_str_truncate(dir, before);
    return false;
}

/* How many were read; *err says why the last of those that were not could not. */
static size_t read_rules(struct sm_source *source, const char *dir, struct sm_result *out,
                         struct sm_profile_report *r, struct sm_err *err)
{
    size_t good = 0;
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++) {
        struct sm_err why = {0};
        bool read = read_rule(source, dir, out, &r->rules[i], &why);
        good += r->rules[i].map != NULL;
        if (read)
            continue;
        *err = why;
        sm_result_dim(out, "Left out: %s", sm_result_escape(out, why.msg, strlen(why.msg)));
    }
    return good;
}

bool sm_report_files_read(const char *dir, struct sm_result *out, struct sm_profile_report *r,
                          struct sm_err *err)
{
    struct sm_str folder = {0};
    struct sm_source *source = sm_source_files_new(dir, err);
    bool ok = source && find_rules(source, 0, &folder);
    if (source && !ok)
        sm_err_set(err, SM_ERR_USAGE,
                   "%s has no report: no files such as profiler-reports/BatchSize.json.", dir);
    ok = ok && read_rules(source, sm_str_text(&folder), out, r, err) > 0;
    sm_source_unref(source);
    sm_str_clear(&folder);
    return ok;
}
