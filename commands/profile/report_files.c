/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/report_files.h"

#include "commands/session/outfile.h"
#include "reader/base/json.h"

#include <sys/stat.h>

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
