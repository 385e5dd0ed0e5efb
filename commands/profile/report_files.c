/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/report_files.h"

#include "commands/answer/json_tree.h"
#include "commands/session/outfile.h"
#include "commands/session/read_file.h"
#include "reader/base/json.h"
#include "reader/trial.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_BYTES = 256 * 1024 * 1024 };

/* ---- reading a report that is there ---- */

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
static bool read_rule(struct sm_result *out, const char *dir, struct sm_profile_report_rule *rule,
                      struct sm_err *err)
{
    struct sm_str path = {0}, text = {0};
    struct sm_err why = {0};
    sm_str_printf(&path, "%s/%s.json", dir, rule->name);
    bool found = sm_read_file(sm_str_text(&path), REPORT_BYTES, &text, &why),
         ok = found ? sm_report_rule_read(out, sm_str_text(&text), text.len, &rule->map, err)
                    : why.code != SM_ERR_DATA;
    if (found && !ok)
        sm_err_prefix(err, "%s", sm_str_text(&path));
    else if (!ok)
        *err = why;
    sm_str_clear(&path);
    sm_str_clear(&text);
    return ok;
}

/* ---- where a report lies ---- */

static bool has_rule(const char *dir)
{
    struct sm_profile_report r;
    bool found = false;
    sm_profile_report_init(&r);
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES && !found; i++) {
        struct sm_str path = {0};
        sm_str_printf(&path, "%s/%s.json", dir, r.rules[i].name);
        found = access(sm_str_text(&path), F_OK) == 0;
        sm_str_clear(&path);
    }
    return found;
}

/* The folders of the service; of a rule's, those of several jobs of it, the last one comes first.
 */
static int is_way(const struct dirent *e)
{
    static const char *const names[] = {"profiler-reports", "profiler-output", "rule-output"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(e->d_name, names[i]) == 0)
            return 1;
    return strncmp(e->d_name, "ProfilerReport", 14) == 0;
}

enum { DEPTH = 4 };

/* Appends the folder with the files of the rules to `out`. */
static bool find_rules(const char *dir, int depth, struct sm_str *out)
{
    struct dirent **list = NULL;
    bool found = has_rule(dir);
    if (found)
        sm_str_add(out, dir);
    int n = found || depth == DEPTH ? 0 : scandir(dir, &list, is_way, alphasort);
    for (int i = n; i-- > 0;) {
        struct sm_str below = {0};
        sm_str_printf(&below, "%s/%s", dir, list[i]->d_name);
        found = found || find_rules(sm_str_text(&below), depth + 1, out);
        sm_str_clear(&below);
        free(list[i]);
    }
    free(list);
    return found;
}

static bool is_report(const char *dir)
{
    struct sm_str folder = {0};
    bool yes = find_rules(dir, 0, &folder);
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
    sm_str_add(dir, path);
    if (is_report(sm_str_text(dir) + before))
        return true;
    sm_str_truncate(dir, before + (size_t)(name - path));
    sm_str_add(dir, "rule-output");
    if (strcmp(name, "debug-output") == 0 && is_report(sm_str_text(dir) + before))
        return true;
    sm_str_truncate(dir, before);
    return false;
}

bool sm_report_files_read(const char *dir, struct sm_result *out, struct sm_profile_report *r,
                          struct sm_err *err)
{
    struct sm_str folder = {0};
    bool ok =
        find_rules(dir, 0, &folder) ||
        sm_err_set(err, SM_ERR_USAGE,
                   "%s has no report: no files such as profiler-reports/BatchSize.json.", dir);
    size_t good = 0;
    for (size_t i = 0; ok && i < SM_PROFILE_REPORT_RULES; i++) {
        struct sm_err why = {0};
        bool read = read_rule(out, sm_str_text(&folder), &r->rules[i], &why);
        good += r->rules[i].map != NULL;
        if (read)
            continue;
        *err = why;
        sm_result_dim(out, "Left out: %s", sm_result_escape(out, why.msg, strlen(why.msg)));
    }
    sm_str_clear(&folder);
    return good > 0;
}

/* ---- files ---- */

static void put_node(const struct sm_node *x, struct sm_json_writer *w)
{
    if (x->type == SM_NODE_MAP)
        sm_json_start_map(w);
    else if (x->type == SM_NODE_LIST)
        sm_json_start_array(w);
    else if (x->type == SM_NODE_INT)
        sm_json_i64(w, x->i);
    else if (x->type == SM_NODE_UINT)
        sm_json_u64(w, x->u);
    else if (x->type == SM_NODE_DOUBLE)
        sm_json_double(w, x->d, false);
    else if (x->type == SM_NODE_BOOL)
        sm_json_bool(w, x->b);
    else if (x->type == SM_NODE_TEXT)
        sm_json_text(w, x->text.p, x->text.n);
    else
        sm_json_null(w);
    if (x->type != SM_NODE_MAP && x->type != SM_NODE_LIST)
        return;
    for (const struct sm_node *k = x->first; k; k = k->next) {
        if (x->type == SM_NODE_MAP)
            sm_json_key(w, k->key);
        put_node(k, w);
    }
    if (x->type == SM_NODE_MAP)
        sm_json_end_map(w);
    else
        sm_json_end_array(w);
}

/* Where a report is written. */
struct target {
    struct sm_session *session;
    const char *dir;
    bool over;
    struct sm_result *out;
    struct sm_node *files;
};

/* Writes DIR/NAME, and notes it in the answer. */
static bool write_file(const struct target *t, const char *name, const struct sm_str *text,
                       struct sm_err *err)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/%s", t->dir, name);
    bool ok =
        sm_outfile_check(t->session, sm_str_text(&path), t->over, err) &&
        sm_outfile_write(t->session, sm_str_text(&path), false, sm_str_text(text), text->len, err);
    if (ok)
        sm_node_text(t->out, t->files, NULL, sm_str_text(&path));
    sm_str_clear(&path);
    return ok;
}

static bool make_folder(const struct target *t, const char *name, struct sm_err *err)
{
    struct sm_str path = {0}, full = {0};
    sm_str_printf(&path, "%s%s", t->dir, name);
    bool ok = sm_outfile_path(t->session, sm_str_text(&path), &full, err);
    if (ok)
        mkdir(sm_str_text(&full), 0777); /* if it fails, the files say so */
    sm_str_clear(&path);
    sm_str_clear(&full);
    return ok;
}

static bool write_rules(const struct target *t, const struct sm_profile_report *r,
                        struct sm_err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < SM_PROFILE_REPORT_RULES; i++) {
        struct sm_str name = {0}, text = {0};
        if (!r->rules[i].map)
            continue;
        struct sm_json_writer *w = sm_json_writer_new(&text);
        put_node(r->rules[i].map, w);
        sm_json_writer_free(w);
        sm_str_addc(&text, '\n');
        sm_str_printf(&name, "profiler-reports/%s.json", r->rules[i].name);
        ok = write_file(t, sm_str_text(&name), &text, err);
        sm_str_clear(&name);
        sm_str_clear(&text);
    }
    return ok;
}

bool sm_report_files_write(struct sm_session *s, const char *dir, bool over, struct sm_result *out,
                           struct sm_node *files, const struct sm_profile_report *r,
                           struct sm_err *err)
{
    struct sm_str html = {0};
    struct sm_sheet sheet = {.text = out, .html = &html};
    struct target t = {s, dir, over, out, files};
    bool ok = make_folder(&t, "", err) && make_folder(&t, "/profiler-reports", err) &&
              write_rules(&t, r, err);
    if (ok) {
        sm_profile_report_write(r, &sheet);
        ok = write_file(&t, "profiler-report.html", &html, err);
    }
    sm_str_clear(&html);
    return ok;
}
