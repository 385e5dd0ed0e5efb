/* SPDX-License-Identifier: Apache-2.0 */
/* Where the profiler's tree of a run is. */
#include "reader/profile/profile_files.h"
#include "reader/profile/profile_name.h"
#include "reader/s3/source_s3.h"

#include <string.h>

#define OUTPUT "profiler-output"

struct look {
    bool in_system, found;
};

/* Folders that only the profiler makes, or one of its files. */
static bool note_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    static const char *const folders[] = {"incremental", "pevents"};
    struct look *l = ctx;
    struct sm_profile_name what;
    (void)inode;
    if (is_dir)
        l->found = l->found || strcmp(name, folders[l->in_system ? 0 : 1]) == 0 ||
                   (!l->in_system && strcmp(name, "detailed_profiling") == 0);
    else
        l->found = l->found || sm_profile_name_read(name, l->in_system, &what);
    return !l->found;
}

static bool looks_like(struct sm_source *source, const char *dir, const char *name)
{
    struct look l = {.in_system = strcmp(name, "system") == 0};
    struct sm_str path = {0};
    struct sm_err err;
    sm_str_printf(&path, "%s%s%s", dir, *dir ? "/" : "", name);
    if (!path.failed)
        sm_source_list(source, sm_str_text(&path), note_name, &l, &err);
    sm_str_clear(&path);
    return l.found;
}

bool sm_profile_is_root(struct sm_source *source, const char *path)
{
    return looks_like(source, path, "system") || looks_like(source, path, "framework") ||
           looks_like(source, path, "framework/tensorflow");
}

/* ---- reports ---- */

bool sm_profile_is_rule_file(const char *name)
{
    static const char *const rules[] = {"BatchSize.json",          "CPUBottleneck.json",
                                        "Dataloader.json",         "GPUMemoryIncrease.json",
                                        "IOBottleneck.json",       "LoadBalancing.json",
                                        "LowGPUUtilization.json",  "MaxInitializationTime.json",
                                        "OverallSystemUsage.json", "OverallFrameworkMetrics.json",
                                        "StepOutlier.json"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(name, rules[i]) == 0)
            return true;
    return false;
}

/* A rule's file, or the name of a folder of the service. */
struct report_look {
    bool found;
    struct sm_str folder;
};

static bool note_report(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct report_look *l = ctx;
    (void)inode;
    l->found = l->found || (!is_dir && sm_profile_is_rule_file(name));
    if (is_dir && strncmp(name, "ProfilerReport", 14) == 0 && !l->folder.len)
        sm_str_add(&l->folder, name);
    return !l->found;
}

static bool has_rules(struct sm_source *source, const char *dir, struct report_look *l)
{
    struct sm_err err;
    sm_source_list(source, dir, note_report, l, &err);
    return l->found;
}

/* "" is the source's root. */
static bool has_rules_below(struct sm_source *source, const char *dir, const char *name,
                            struct report_look *l)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s%s%s", dir, *dir ? "/" : "", name);
    bool yes = !path.failed && has_rules(source, sm_str_text(&path), l);
    sm_str_clear(&path);
    return yes;
}

bool sm_profile_is_report(struct sm_source *source, const char *dir)
{
    static const char below[] = OUTPUT "/profiler-reports";
    struct report_look l = {0};
    bool yes = has_rules(source, dir, &l) || has_rules_below(source, dir, "profiler-reports", &l) ||
               has_rules_below(source, dir, below, &l);
    if (!yes && l.folder.len) {
        sm_str_printf(&l.folder, "/%s", below);
        yes = has_rules_below(source, dir, sm_str_text(&l.folder), &l);
    }
    sm_str_clear(&l.folder);
    return yes;
}

/* ---- the profile of a run ---- */

static bool stop_at_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    (void)name, (void)inode, (void)is_dir;
    *(bool *)ctx = true;
    return false;
}

/* A place without anything is one request of a bucket, not one for each folder. */
static bool is_root_path(const char *path)
{
    struct sm_err err;
    struct sm_source *s = sm_source_files_new(path, &err);
    bool any = false, yes = s && sm_source_list(s, "", stop_at_name, &any, &err) && any &&
                            sm_profile_is_root(s, "");
    sm_source_unref(s);
    return yes;
}

/* The folder that has a run. An address has no "..". False: there is none. */
static bool add_parent(const char *run, struct sm_str *out)
{
    size_t n = strlen(run);
    if (!sm_is_s3(run)) {
        sm_str_printf(out, "%s/..", *run ? run : ".");
        return true;
    }
    while (n && run[n - 1] == '/')
        n--;
    while (n && run[n - 1] != '/')
        n--;
    sm_str_addn(out, run, n ? n - 1 : 0);
    return n > strlen("s3://");
}

bool sm_profile_find(const char *run, struct sm_str *root)
{
    enum { ITSELF, BELOW, BESIDE, PLACES };
    for (int place = ITSELF; place < PLACES; place++) {
        sm_str_truncate(root, 0);
        bool any = true;
        if (place == BESIDE)
            any = add_parent(run, root);
        else
            sm_str_add(root, *run ? run : ".");
        sm_str_add(root, place == ITSELF ? "" : "/" OUTPUT);
        if (any && !root->failed && is_root_path(sm_str_text(root)))
            return true;
    }
    sm_str_truncate(root, 0);
    return false;
}

struct sm_text sm_profile_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, OUTPUT) != 0)
        return (struct sm_text){NULL, 0};
    return slash ? (struct sm_text){path, (size_t)(slash - path)} : SM_TEXT(".");
}
