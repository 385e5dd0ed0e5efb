/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot save: copies a part of the trial into one file. */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/stored_findings.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/session/outfile.h"
#include "commands/trials/trials.h"
#include "reader/archive/archive.h"
#include "reader/save/archive_save.h"

#include <string.h>
#include <sys/stat.h>

/* Writes the file; run by a worker. */
struct saving {
    struct sm_work work;
    struct sm_archive_save *save;
    struct sm_str path;
    struct sm_archive_saved saved;
    bool ok;
    struct sm_err err;
};
/* Kept while the call waits. */
struct state {
    struct saving *saving;
    size_t findings; /* rule instances in the file */
    bool judged;     /* a rule is attached */
    uint64_t trial_bytes;
};

static void run_saving(struct sm_work *w)
{
    struct saving *x = (struct saving *)w;
    x->ok = sm_archive_save_run(x->save, sm_str_text(&x->path), &w->job.cancelled, &w->left,
                                &x->saved, &x->err);
}

static void free_saving(struct sm_work *w)
{
    struct saving *x = (struct saving *)w;
    sm_archive_save_free(x->save);
    sm_str_clear(&x->path);
    sm_free(x);
}

/* ---- selection ---- */

/* Adds the findings of the attached rules, after they have judged all steps on disk. */
static bool add_findings(struct sm_call *c, struct state *s, struct sm_str *out, struct sm_err *err)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    const struct sm_print_options how = {.output = SM_OUTPUT_JSON};
    struct sm_result result;
    if (!r || (!sm_rules_count(r) && !sm_rules_is_auto(r))) {
        const struct sm_archive_info *a = sm_trial_archive(sm_session_trial(c->session));
        s->findings = sm_stored_count(sm_session_trial(c->session));
        if (s->findings)
            sm_str_addn(out, a->findings.p, a->findings.n);
        return true;
    }
    if (!sm_rules_all_judged(r) || sm_rules_busy(r))
        return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    s->judged = true;
    s->findings = sm_rules_count(r);
    sm_result_init(&result);
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    for (size_t i = 0; i < s->findings; i++)
        sm_describe_instance(&result, list, r, sm_rules_item(r, i));
    result.root = list;
    sm_print_json(&result, &how, out);
    sm_result_clear(&result);
    return true;
}

static bool read_choice(struct sm_call *c, struct sm_archive_choice *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *step = sm_call_keyword(c, "step"), *worker = sm_call_keyword(c, "worker"),
                         *level = sm_call_option(c, "level");
    int64_t n = SM_ARCHIVE_LEVEL;
    struct sm_selection sel;
    struct sm_steps steps;
    *out = (struct sm_archive_choice){.worker = SM_WORKER_ANY,
                                      .stats_only = sm_call_flag(c, "stats-only")};
    if (!sm_place_mode_given(c, &out->mode, err) ||
        (worker && !sm_place_find_worker(t, worker->text, &out->worker, err)) ||
        (level && !sm_call_int(level, 1, SM_ARCHIVE_LEVEL_MAX, &n, err)) ||
        (step && !sm_place_steps(c, sm_place_all(c->session, out->mode), step->text, &steps, err)))
        return false;
    out->level = (int)n;
    if (step) {
        out->steps = steps.items;
        out->n_steps = steps.n;
    }
    if (c->n_words < 2 && !sm_call_keyword(c, "collection"))
        return true;
    if (!sm_args_select_in(c, c->words + 1, c->n_words - 1, &sel, err))
        return false;
    out->tensors = sel.items;
    out->n_tensors = sel.n;
    return sel.n || sm_err_set(err, SM_ERR_MISSING, "No tensor matches.");
}

/* The selection in words; stored in the file. */
static struct sm_text describe_choice(struct sm_call *c)
{
    struct sm_str text = {0};
    for (size_t i = 1; i < c->n_words; i++)
        sm_str_printf(&text, "%s ", c->words[i].text.p);
    for (const struct sm_arg *a = c->cmd->args; a->name; a++) {
        const struct sm_word *w = a->keyword ? sm_call_keyword(c, a->keyword) : NULL;
        if (w)
            sm_str_printf(&text, "%s %s ", a->keyword, w->text.p);
    }
    sm_str_add(&text, text.len ? "" : "everything ");
    sm_str_add(&text, sm_call_flag(c, "stats-only") ? "by its statistics" : "");
    while (text.len && text.data[text.len - 1] == ' ')
        sm_str_truncate(&text, text.len - 1);
    struct sm_text out = {sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len), text.len};
    sm_str_clear(&text);
    return out;
}

/* ---- the file ---- */

static bool check_path(struct sm_call *c, struct sm_str *path, struct sm_err *err)
{
    struct stat st;
    if (!sm_outfile_path(c->session, c->words[0].text.p, path, err))
        return false;
    if (stat(sm_str_text(path), &st) == 0 && !S_ISREG(st.st_mode))
        return sm_err_set(err, SM_ERR_USAGE, "%s is not a regular file.", sm_str_text(path));
    return sm_outfile_check(c->session, c->words[0].text.p, sm_call_flag(c, "f"), err);
}

/* Returns false on an error, or with SM_ERR_WAIT. */
static bool start_saving(struct sm_call *c, struct state *s, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_archive_choice choice;
    struct sm_archive_save *save;
    struct sm_str findings = {0}, path = {0};
    bool ok = check_path(c, &path, err) && read_choice(c, &choice, err) &&
              add_findings(c, s, &findings, err);
    if (ok) {
        choice.words = describe_choice(c);
        choice.findings = (struct sm_text){sm_str_text(&findings), findings.len};
        ok = sm_archive_save_new(t, &choice, &save, err);
    }
    sm_str_clear(&findings);
    if (!ok) {
        sm_str_clear(&path);
        return false;
    }
    struct saving *x = s->saving = sm_xalloc_zero(1, sizeof *x);
    x->work = (struct sm_work){
        .run = run_saving, .free = free_saving, .what = c->cmd, .elements = UINT64_MAX};
    atomic_init(&x->work.left, sm_archive_save_count(save));
    x->save = save;
    x->path = path;
    s->trial_bytes = sm_trial_bytes(t);
    return sm_work_start(&c->works, &x->work, err);
}

/* ---- the answer ---- */

static void report_saved(const struct state *s, const char *file, struct sm_result *out)
{
    const struct sm_archive_saved *x = &s->saving->saved;
    char size[16], of[16];
    sm_format_bytes(x->bytes, size);
    sm_format_bytes(s->trial_bytes, of);
    double share = s->trial_bytes ? 100 * (double)x->bytes / (double)s->trial_bytes : 0;
    sm_result_text(
        out, "Saved %zu tensor%s at %zu step%s, %llu values, to %s: %s, %.3g %% of the trial's %s.",
        x->tensors, x->tensors == 1 ? "" : "s", x->steps, x->steps == 1 ? "" : "s",
        (unsigned long long)x->values, sm_result_escape(out, file, strlen(file)), size, share, of);
    if (x->left_out)
        sm_result_text(out, "%llu values are saved as statistics only.",
                       (unsigned long long)x->left_out);
    if (x->unread)
        sm_result_text(out, "%llu values could not be read and are not in it: %s",
                       (unsigned long long)x->unread, x->why.msg);
    if (s->judged)
        sm_result_text(out, "The findings of %zu rule%s are in it.", s->findings,
                       s->findings == 1 ? "" : "s");
    else if (s->findings)
        sm_result_text(out, "The stored findings of %zu rule%s are in it.", s->findings,
                       s->findings == 1 ? "" : "s");
    else
        sm_result_dim(out,
                      "No rule is attached, so no findings are in it. Try \"rule auto\" before.");
}

static bool run_save(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct state *s = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *s);
    const char *file = c->words[0].text.p;
    if ((!s->saving && !start_saving(c, s, err)) || !sm_work_check_done(&s->saving->work, err))
        return false;
    const struct sm_archive_saved *x = &s->saving->saved;
    if (!s->saving->ok) {
        *err = s->saving->err;
        if (err->code == SM_ERR_IO) /* the output file failed, not the trial */
            err->code = SM_ERR_USAGE;
        return false;
    }
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "file", file);
    sm_node_uint(out, map, "bytes", x->bytes);
    sm_node_uint(out, map, "trial_bytes", s->trial_bytes);
    sm_node_uint(out, map, "steps", x->steps);
    sm_node_uint(out, map, "tensors", x->tensors);
    sm_node_uint(out, map, "values", x->values);
    sm_node_uint(out, map, "stats_only", x->left_out);
    sm_node_uint(out, map, "unread", x->unread);
    sm_node_uint(out, map, "rules", s->findings);
    report_saved(s, file, out);
    return true;
}

static const struct sm_arg save_args[] = {
    {.name = "FILE", .kind = SM_ARG_FILE, .required = true},
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .repeats = true},
    {.name = "COLLECTION", .kind = SM_ARG_COLLECTION, .keyword = "collection"},
    {.name = "STEPS", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
static const struct sm_option save_options[] = {
    {.name = "stats-only",
     .kind = SM_ARG_FLAG,
     .help = "save only statistics and quantiles of values with more than one element"},
    {.name = "f", .kind = SM_ARG_FLAG, .help = "overwrite FILE if it exists"},
    {.name = "level",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "compression level of zstd, 1 to 19; 3 by default",
     .initial = "3"},
    {0},
};
const struct sm_cmd sm_cmd_snapshot_save = {
    .parent = "snapshot",
    .name = "save",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Save the trial, or a part of it, in one file",
    .help = "\"smdbg-tui FILE.smdz\" opens it like a trial. Without a selection everything is "
            "saved, including the statistics of\n"
            "larger values and the findings of attached rules. PATTERN selects tensors; "
            "STEPS may be a range, 100:200:10.\n"
            "The file gets its name when it is complete; Ctrl-C leaves no file.",
    .example = "snapshot save run.smdz +weights +losses step 0:100:10",
    .see_also = "open, save, rule",
    .args = save_args,
    .options = save_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_NO_REPEAT,
    .answer = "{file:name,bytes:int,trial_bytes:int,steps:int,tensors:int,values:int,stats_only:"
              "int,unread:int,rules:int}",
    .run = run_save,
};
