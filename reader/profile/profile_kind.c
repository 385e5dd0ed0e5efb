/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of run `profile`, a profiler's tree alone, and `profile_report`, a profiling report
 * alone. As trials they have no tensors and no steps; what a tree holds is the trial's profile, a
 * report is read by the command profile report. */
#include "reader/base/mem.h"
#include "reader/kind/no_records.h"
#include "reader/kind/run_folder.h"
#include "reader/kind/trial_kind.h"
#include "reader/profile/profile_files.h"

#include <string.h>

static const char *const folders[] = {"system", "framework"};

static void find_profile(struct sm_run_folder *f)
{
    bool any = sm_run_folder_has_dir(f, folders[0]) || sm_run_folder_has_dir(f, folders[1]);
    if (!any || !sm_profile_is_root(sm_run_folder_source(f), sm_run_folder_path(f)))
        return;
    sm_run_folder_add(f, NULL, NULL);
    sm_run_folder_claim(f, folders[0]);
    sm_run_folder_claim(f, folders[1]);
}

static bool has_folder(struct sm_source *source, const char *name)
{
    struct sm_stat st;
    struct sm_err err;
    return sm_source_stat(source, name, &st, &err) && st.is_dir;
}

/* A trial beside the profile is the main part of the run. */
static bool detect(struct sm_source *source)
{
    return (has_folder(source, folders[0]) || has_folder(source, folders[1])) &&
           !has_folder(source, "index") && !has_folder(source, "collections") &&
           !has_folder(source, "events") && sm_profile_is_root(source, "");
}

/* Says no without reading anything where the names in the folder are of something else. */
static bool may_be_report(const struct sm_run_folder *f)
{
    if (*sm_run_folder_path(f))
        return false;
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *item = sm_run_folder_item(f, i);
        if (item->is_dir ? strncmp(item->name, "profiler-", 9) == 0 ||
                               strncmp(item->name, "ProfilerReport", 14) == 0
                         : sm_profile_is_rule_file(item->name))
            return true;
    }
    return false;
}

/* The folder of a job of which there is nothing but what its rules have left. */
static bool has_rules_only(const struct sm_run_folder *f)
{
    bool rules = false;
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *item = sm_run_folder_item(f, i);
        if (item->is_dir && strcmp(item->name, "rule-output") != 0)
            return false;
        rules = rules || item->is_dir;
    }
    return rules && !*sm_run_folder_path(f);
}

/* A report alone: where there is more of the job, that is what is opened. */
static void find_report(struct sm_run_folder *f)
{
    struct sm_source *source = sm_run_folder_source(f);
    bool job = has_rules_only(f);
    if (!(job || may_be_report(f)) || sm_profile_is_root(source, "") ||
        sm_profile_is_root(source, "profiler-output") ||
        !sm_profile_is_report(source, job ? "rule-output" : ""))
        return;
    sm_run_folder_add(f, NULL, NULL);
    if (job)
        sm_run_folder_claim(f, "rule-output");
    else
        sm_run_folder_claim_all(f);
}

/* The greatest names of a folder and of a file in a folder. */
struct greatest {
    struct sm_str dir, file;
};

static bool keep_greatest(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct greatest *g = ctx;
    struct sm_str *best = is_dir ? &g->dir : &g->file;
    (void)inode;
    if (best->len && sm_natural_cmp(name, best->data) <= 0)
        return true;
    sm_str_truncate(best, 0);
    sm_str_add(best, name);
    return true;
}

static bool note_time(struct sm_tail_changes *n, struct sm_source *source,
                      const struct sm_str *path)
{
    struct sm_stat st;
    struct sm_err err;
    if (path->failed || !sm_source_stat(source, sm_str_text(path), &st, &err))
        return false;
    n->newest_us = st.mtime_us > n->newest_us ? st.mtime_us : n->newest_us;
    return st.is_dir;
}

/* When something was last added to the newest folders, and written to the newest file of each: one
 * that grows, which its folder does not show. */
static void note_newest(struct sm_tail_changes *n, struct sm_source *source, const char *dir)
{
    struct sm_str path = {0};
    struct greatest g = {{0}, {0}};
    struct sm_err err;
    sm_str_add(&path, dir);
    for (int depth = 0; depth < 5 && note_time(n, source, &path); depth++) {
        size_t here = path.len;
        sm_str_truncate(&g.dir, 0);
        sm_str_truncate(&g.file, 0);
        if (!sm_source_list(source, sm_str_text(&path), keep_greatest, &g, &err))
            break;
        sm_str_printf(&path, "/%s", sm_str_text(&g.file));
        if (g.file.len)
            note_time(n, source, &path);
        sm_str_truncate(&path, here);
        if (!g.dir.len)
            break;
        sm_str_printf(&path, "/%s", sm_str_text(&g.dir));
    }
    sm_str_clear(&path);
    sm_str_clear(&g.dir);
    sm_str_clear(&g.file);
}

static void note_marker(struct sm_tail_changes *n, struct sm_source *source, const char *dir)
{
    struct sm_str path = {0};
    struct sm_stat st;
    struct sm_err err;
    sm_str_printf(&path, "%s/training_job_end.ts", dir);
    if (!path.failed && sm_source_stat(source, sm_str_text(&path), &st, &err)) {
        n->ended = true;
        n->ended_us = st.mtime_us;
    }
    sm_str_clear(&path);
}

static void list(void *state, struct sm_tail_changes *n)
{
    const struct sm_trial_input *in = *(const struct sm_trial_input **)state;
    struct sm_stat st;
    struct sm_err err = {0};
    n->exists = sm_source_stat(in->source, "", &st, &err);
    if (!n->exists) {
        sm_news_report(n, ".", &err);
        return;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        note_marker(n, in->source, folders[i]);
        note_newest(n, in->source, folders[i]);
    }
    note_marker(n, in->source, "system/incremental");
}

/* Of a report nothing more is expected. */
static void list_report(void *state, struct sm_tail_changes *n)
{
    const struct sm_trial_input *in = *(const struct sm_trial_input **)state;
    struct sm_stat st;
    struct sm_err err = {0};
    n->exists = n->ended = sm_source_stat(in->source, "", &st, &err);
    if (n->exists)
        n->newest_us = n->ended_us = st.mtime_us;
    else
        sm_news_report(n, ".", &err);
}

static const struct sm_trial_traits traits = {
    .name = "profile",
    .label = "profile",
    .title = "profiler's tree",
    .files = "files of a profiler (system/, framework/)",
    .runs = true,
};

const struct sm_trial_kind sm_trial_kind_profile = {
    .traits = &traits,
    .find = find_profile,
    .detect = detect,
    .new_state = sm_no_records_state,
    .free_state = sm_free,
    .list = list,
    .read = sm_no_records_read,
    .settle = sm_no_records_settle,
};

static const struct sm_trial_traits report_traits = {
    .name = "profile_report",
    .label = "profile",
    .title = "profiling report",
    .files = "files of a profiling report (profiler-reports/)",
    .runs = true,
    .silence_ends = true,
};

const struct sm_trial_kind sm_trial_kind_profile_report = {
    .traits = &report_traits,
    .find = find_report,
    .new_state = sm_no_records_state,
    .free_state = sm_free,
    .list = list_report,
    .read = sm_no_records_read,
    .settle = sm_no_records_settle,
};
