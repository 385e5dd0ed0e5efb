/* SPDX-License-Identifier: Apache-2.0 */
/* profile report: the profiling report, as text or files. */
#include "commands/answer/json_tree.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_report.h"
#include "commands/profile/profile_rules.h"
#include "commands/session/outfile.h"
#include "commands/session/read_file.h"
#include "reader/base/json.h"

#include <string.h>
#include <sys/stat.h>

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
static void drop_words(const struct sm_str *in, struct sm_str *out)
{
    bool quoted = false;
    for (size_t i = 0; i < in->len;) {
        size_t word = quoted ? 0 : python_word(in->data + i, in->len - i),
               n = quoted && in->data[i] == '\\' && i + 1 < in->len ? 2 : 1;
        quoted = quoted != (in->data[i] == '"');
        if (word)
            sm_str_add(out, "null");
        else
            sm_str_addn(out, in->data + i, n);
        i += word ? word : n;
    }
}

/* False: there is no such file, or it is bad. */
static bool read_rule(struct sm_result *out, const char *dir, struct sm_profile_report_rule *rule,
                      struct sm_err *err)
{
    static const char *const folders[] = {"", "profiler-reports/",
                                          "profiler-output/profiler-reports/"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        struct sm_str path = {0}, text = {0}, json = {0};
        struct sm_node *tree = NULL;
        struct sm_err why = {0};
        sm_str_printf(&path, "%s/%s%s.json", dir, folders[k], rule->name);
        bool ok = sm_read_file(sm_str_text(&path), REPORT_BYTES, &text, &why);
        if (ok) {
            drop_words(&text, &json);
            ok = sm_json_tree(out, json.len ? json.data : "", json.len, &tree, &why);
            if (!ok)
                sm_err_prefix(&why, "%s", sm_str_text(&path));
        }
        rule->map = ok ? tree : NULL;
        if (!ok && why.code == SM_ERR_DATA)
            *err = why;
        sm_str_clear(&path);
        sm_str_clear(&text);
        sm_str_clear(&json);
        if (ok)
            return true;
    }
    return false;
}

static bool read_report(struct sm_result *out, const char *dir, struct sm_profile_report *r,
                        struct sm_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++)
        n += read_rule(out, dir, &r->rules[i], err);
    if (err->code)
        return false;
    return n ||
           sm_err_set(err, SM_ERR_USAGE,
                      "%s has no report: no files such as profiler-reports/BatchSize.json.", dir);
}

/* ---- making one ---- */

static bool make_report(struct sm_call *c, struct sm_result *out, struct sm_profile_report *r,
                        struct sm_err *err)
{
    bool doc;
    struct sm_profile_rules rules;
    if (!sm_profile_preset(c, &doc, err) || !sm_profile_rules(c, doc, &rules, err))
        return false;
    const struct sm_profile *p = sm_profile_ask(c, err);
    for (size_t i = 0; p && i < SM_PROFILE_REPORT_RULES; i++) {
        r->rules[i].map = sm_profile_rule_tree(out, rules.items[i], p, err);
        if (!r->rules[i].map)
            return false;
    }
    return p;
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

/* Writes DIR/NAME, and notes it in the answer. */
static bool write_file(struct sm_call *c, struct sm_result *out, struct sm_node *files,
                       const char *name, const struct sm_str *text, struct sm_err *err)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/%s", c->words[0].text.p, name);
    bool ok =
        sm_outfile_check(c->session, sm_str_text(&path), sm_call_flag(c, "f"), err) &&
        sm_outfile_write(c->session, sm_str_text(&path), false, sm_str_text(text), text->len, err);
    if (ok)
        sm_node_text(out, files, NULL, sm_str_text(&path));
    sm_str_clear(&path);
    return ok;
}

static bool make_folder(struct sm_call *c, const char *name, struct sm_err *err)
{
    struct sm_str path = {0}, full = {0};
    sm_str_printf(&path, "%s%s", c->words[0].text.p, name);
    bool ok = sm_outfile_path(c->session, sm_str_text(&path), &full, err);
    if (ok)
        mkdir(sm_str_text(&full), 0777); /* if it fails, the files say so */
    sm_str_clear(&path);
    sm_str_clear(&full);
    return ok;
}

static bool write_rules(struct sm_call *c, struct sm_result *out, struct sm_node *files,
                        const struct sm_profile_report *r, struct sm_err *err)
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
        ok = write_file(c, out, files, sm_str_text(&name), &text, err);
        sm_str_clear(&name);
        sm_str_clear(&text);
    }
    return ok;
}

static bool write_report(struct sm_call *c, struct sm_result *out,
                         const struct sm_profile_report *r, struct sm_err *err)
{
    struct sm_str html = {0};
    struct sm_node *map = sm_node_map(out, NULL, NULL), *files = sm_node_list(out, map, "files");
    struct sm_sheet o = {.text = out, .html = &html};
    bool ok = make_folder(c, "", err) && make_folder(c, "/profiler-reports", err) &&
              write_rules(c, out, files, r, err);
    if (ok) {
        sm_profile_report_write(r, &o);
        ok = write_file(c, out, files, "profiler-report.html", &html, err);
    }
    sm_str_clear(&html);
    if (ok)
        sm_result_text(out, "Wrote the report to %s: profiler-report.html and profiler-reports.",
                       sm_result_escape(out, c->words[0].text.p, strlen(c->words[0].text.p)));
    out->root = map;
    return ok;
}

/* ---- the command ---- */

static void show_report(struct sm_result *out, const struct sm_profile_report *r)
{
    struct sm_sheet o = {.text = out};
    struct sm_node *map = sm_node_map(out, NULL, NULL), *list = sm_node_list(out, map, "files"),
                   *rules = sm_node_map(out, map, "rules");
    (void)list;
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++) {
        const struct sm_node *x = r->rules[i].map;
        if (!x)
            continue;
        struct sm_node *copy = sm_node_map(out, rules, r->rules[i].name);
        copy->first = x->first;
        copy->last = x->last;
    }
    sm_profile_report_write(r, &o);
    out->root = map;
}

static bool run_report(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_word *from = sm_call_option(c, "read");
    struct sm_profile_report r;
    sm_profile_report_init(&r);
    if (from ? !read_report(out, from->text.p, &r, err) : !make_report(c, out, &r, err))
        return false;
    if (c->n_words)
        return write_report(c, out, &r, err);
    show_report(out, &r);
    return true;
}

static const struct sm_arg args[] = {
    {.name = "DIR", .kind = SM_ARG_FILE},
    {.name = "PRESET", .kind = SM_ARG_WORD, .words = sm_profile_presets, .keyword = "preset"},
    {0},
};
static const struct sm_option options[] = {
    {.name = "read",
     .kind = SM_ARG_FILE,
     .value = "FROM",
     .help = "the report of this directory, which has BatchSize.json and the like"},
    {.name = "f", .kind = SM_ARG_FLAG, .help = "overwrite files that exist"},
    {0},
};
const struct sm_cmd sm_cmd_profile_report = {
    .parent = "profile",
    .name = "report",
    .cmd_class = SM_CLASS_DATA,
    .summary = "The profiling report as text, or to files with one of HTML",
    .help =
        "To DIR it writes profiler-report.html, which needs no other file, and "
        "profiler-reports/RULE.json as the service does.\n-read shows or converts a report that "
        "is there, of the service, too; it needs no trial.",
    .example = "profile report /tmp/report",
    .see_also = "profile rules, report",
    .args = args,
    .options = options,
    .without_trial = "read",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer =
        "{files:[name],rules?:{*:{RuleTriggered:int,Violations:int,Details:" SM_PROFILE_DETAILS
        ",Datapoints:int,RuleParameters:text}}}",
    .run = run_report,
};
