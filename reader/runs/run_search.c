/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/runs/run_search.h"
#include "reader/runs/run_ahead.h"
#include "reader/runs/run_pair.h"
#include "reader/runs/run_session.h"

#include "reader/base/clock.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/checkpoints/ckpt_tracker.h"
#include "reader/databases/db_run.h"
#include "reader/kind/run_folder.h"
#include "reader/logs/log_kind.h"
#include "reader/profile/profile_files.h"
#include "reader/s3/source_s3.h"
#include "reader/source/source_pipe.h"
#include "reader/trial_kinds.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SEEN_NAMES = 5, SEEN_BYTES = 80 };

/* A folder to look at, relative to the source. */
struct place {
    char *path;
    unsigned depth;
    bool in_run; /* a folder above it is a run */
};
struct search {
    struct sm_source *source;
    const char *only;
    const atomic_bool *cancelled;
    int64_t until_us;
    struct place *queue, *links; /* links are followed when all else was looked at */
    size_t n_queue, cap_queue, n_links, cap_links;
    struct sm_run_ahead *ahead;
    size_t n_begun;    /* of the queue, that were given to it */
    struct sm_map met; /* folders by device and inode */
    struct sm_run_list *out;
    bool failed;
};

/* ---- runs ---- */

static char *join(const char *dir, const char *name)
{
    struct sm_str s = {0};
    bool none = !*dir || strcmp(dir, ".") == 0;
    sm_str_printf(&s, "%s%s%s", none ? "" : dir, none ? "" : "/", name);
    char *path = s.failed ? NULL : sm_strdup(sm_str_text(&s));
    sm_str_clear(&s);
    return path;
}

static size_t count_of_kind(const struct sm_run_find *finds, size_t n,
                            const struct sm_trial_kind *kind)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++)
        same += finds[i].kind == kind;
    return same;
}

/* Event files in the folder of Hugging Face's Trainer are those of its sessions. */
static bool is_of_trainer(const struct sm_run_find *finds, size_t n, size_t i)
{
    return finds[i].kind == &sm_trial_kind_tensorboard && !finds[i].member &&
           count_of_kind(finds, n, &sm_trial_kind_trainer_state) == 1;
}

/* A file's name without its ending. */
static char *stem_of(const char *member)
{
    const char *slash = strrchr(member, '/'), *name = slash ? slash + 1 : member;
    const char *dot = strrchr(name, '.');
    return sm_strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static void add_run(struct search *s, const struct sm_run_folder *f, const struct sm_run_find *x,
                    bool several)
{
    struct sm_run_list *out = s->out;
    const char *below = sm_run_folder_path(f);
    bool of_file = x->member && (!s->only || (several && strchr(x->member, '#')));
    char *path = of_file ? join(below, x->member) : sm_strdup(*below ? below : ".");
    struct sm_run_ref run = {
        .kind = x->kind,
        .beside = x->beside,
        .path = path,
        .titled = x->name,
        .found = out->n,
        .folder = join(s->source->root, below),
        .member = x->member ? sm_strdup(x->member) : NULL,
        .name = x->name                             ? sm_strdup(x->name)
                : x->member && (several || s->only) ? stem_of(x->member)
                                                    : sm_strdup(sm_run_folder_name(f)),
    };
    if (*below == 0) {
        sm_free(run.folder);
        run.folder = sm_strdup(s->source->root);
    }
    if (run.path && run.folder && run.name && (run.member || !x->member) &&
        SM_VEC_ROOM(out->items, out->n, out->cap)) {
        out->items[out->n++] = run;
        return;
    }
    s->failed = true;
    sm_free(run.path);
    sm_free(run.folder);
    sm_free(run.member);
    sm_free(run.name);
}

/* ---- folders ---- */

static bool is_skipped(const char *name)
{
    static const char *const names[] = {"node_modules", "__pycache__", "site-packages"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The folder's stat; false if it cannot be looked at. */
static bool stat_folder(const struct search *s, const char *path, struct sm_stat *st)
{
    struct sm_err err = {0};
    return sm_source_stat(s->source, path, st, &err);
}

/* Whether the folder was not met before, by another path. */
static bool is_new(struct search *s, const struct sm_stat *st)
{
    uint64_t once, key = st->inode ^ st->device << 48;
    return !sm_map_get(&s->met, key, &once) && sm_map_put(&s->met, key, 1);
}

/* Takes the path over. */
static void add_place(struct place **list, size_t *n, size_t *cap, char *path, unsigned depth,
                      bool in_run)
{
    if (sm_vec_reserve((void **)list, cap, *n + 1, sizeof **list))
        (*list)[(*n)++] = (struct place){path, depth, in_run};
    else
        sm_free(path);
}

static void add_folder(struct search *s, const struct place *above, const struct sm_run_item *x)
{
    struct sm_stat st;
    char *path = join(above->path, x->name);
    bool deep = above->depth >= SM_RUNS_DEPTH, many = s->n_queue >= SM_RUNS_FOLDERS;
    s->out->cut = s->out->cut || many;
    s->out->deep = s->out->deep || (deep && !above->in_run);
    if (!path || deep || many || !stat_folder(s, path, &st))
        sm_free(path);
    else if (st.inode != x->inode)
        add_place(&s->links, &s->n_links, &s->cap_links, path, above->depth + 1, above->in_run);
    else if (is_new(s, &st))
        add_place(&s->queue, &s->n_queue, &s->cap_queue, path, above->depth + 1, above->in_run);
    else
        sm_free(path);
}

static void note_names(struct search *s, const struct sm_run_folder *f)
{
    size_t n = sm_run_folder_count(f), i;
    struct sm_str *seen = &s->out->seen;
    for (i = 0; i < n && i < SEEN_NAMES && seen->len < SEEN_BYTES; i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        size_t whole = strlen(x->name), shown = whole < SEEN_BYTES / 2 ? whole : SEEN_BYTES / 2;
        sm_str_add(seen, i ? ", " : "");
        sm_str_add_escaped(seen, x->name, shown);
        sm_str_add(seen, shown < whole ? "..." : x->is_dir ? "/" : "");
    }
    const char *hidden = n ? NULL : sm_run_folder_hidden(f);
    s->out->hides = hidden;
    if (hidden) {
        sm_str_add_escaped(seen, hidden, strlen(hidden));
        sm_str_addc(seen, '/');
    }
    if (n > i)
        sm_str_printf(seen, " and %zu more", n - i);
}

static void note_root(struct search *s, const struct sm_run_folder *f)
{
    static const char *const names[] = {"index", "events", "collections"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        s->out->begun = s->out->begun || sm_run_folder_has_dir(f, names[i]);
    note_names(s, f);
}

/* Whether the folder itself is a run, rather than files in it. */
static bool is_run(const struct sm_run_find *finds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!finds[i].member)
            return true;
    return false;
}

static void note_open(struct search *s, const struct place *at)
{
    struct sm_run_list *out = s->out;
    if (out->n_open == SM_RUNS_OPEN) {
        out->more_open = true;
        return;
    }
    char *path = at->depth ? join(s->source->root, at->path) : sm_strdup(s->source->root);
    if (path && SM_VEC_ROOM(out->open_folders, out->n_open, out->cap_open))
        out->open_folders[out->n_open++] = path;
    else
        sm_free(path);
}

/* The folder of the queue's next place. */
static struct sm_run_folder *next_folder(struct search *s, struct sm_err *err)
{
    while (s->n_begun < s->n_queue && sm_run_ahead_add(s->ahead, s->queue[s->n_begun].path))
        s->n_begun++;
    return sm_run_ahead_take(s->ahead, err);
}

static void look_at(struct search *s, struct place *at)
{
    struct sm_err err = {0};
    size_t n;
    struct sm_run_folder *f = next_folder(s, &err);
    if (!f) {
        s->failed = s->failed || err.code == SM_ERR_MEMORY;
        s->out->unreadable = s->out->unreadable || !at->depth;
        if (err.code != SM_ERR_MISSING && err.code != SM_ERR_CANCELLED)
            sm_problems_add(&s->out->problems, *at->path ? at->path : ".", -1, &err);
        return;
    }
    if (!at->depth)
        note_root(s, f);
    s->out->folders++;
    s->out->crowded = s->out->crowded || sm_run_folder_is_cut(f);
    const struct sm_run_find *finds = sm_run_folder_finds(f, &n);
    for (size_t i = 0; i < n; i++)
        if (!is_of_trainer(finds, n, i))
            add_run(s, f, &finds[i], count_of_kind(finds, n, finds[i].kind) > 1);
    at->in_run = at->in_run || is_run(finds, n);
    if (!at->in_run || !at->depth)
        note_open(s, at);
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        s->out->files += !x->is_dir;
        if (x->is_dir && !x->claimed && !is_skipped(x->name))
            add_folder(s, at, x);
    }
    sm_run_folder_free(f);
}

/* ---- order ---- */

/* Whether both are runs of one file, FILE#ID. */
static bool of_one_file(const struct sm_run_ref *x, const struct sm_run_ref *y)
{
    const char *hash = x->member && y->member ? strrchr(x->member, '#') : NULL;
    size_t n = hash ? (size_t)(hash + 1 - x->member) : 0;
    return hash && strncmp(x->member, y->member, n) == 0 && strcmp(x->folder, y->folder) == 0;
}

static int by_path(const void *a, const void *b)
{
    const struct sm_run_ref *x = a, *y = b;
    if (of_one_file(x, y))
        return (x->found > y->found) - (x->found < y->found);
    int order = sm_natural_cmp(x->path, y->path);
    return order ? order : strcmp(x->path, y->path);
}

bool sm_run_file_is_shared(const char *name)
{
    return sm_db_is_name(name);
}

/* ---- parts of runs ---- */

static void free_run(struct sm_run_ref *run)
{
    sm_free(run->path);
    sm_free(run->folder);
    sm_free(run->member);
    sm_free(run->name);
    sm_free(run->validation);
    sm_free(run->validation_name);
}

void sm_run_ref_free(struct sm_run_ref *run)
{
    if (run)
        free_run(run);
    sm_free(run);
}

struct sm_run_ref *sm_run_ref_copy(const struct sm_run_ref *run)
{
    struct sm_run_ref *copy = sm_alloc_zero(1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *run;
    copy->path = sm_strdup(run->path);
    copy->folder = sm_strdup(run->folder);
    copy->member = run->member ? sm_strdup(run->member) : NULL;
    copy->name = sm_strdup(run->name);
    copy->validation = run->validation ? sm_strdup(run->validation) : NULL;
    copy->validation_name = run->validation ? sm_strdup(run->validation_name) : NULL;
    if (copy->path && copy->folder && copy->name && (copy->member || !run->member) &&
        (copy->validation_name || !run->validation))
        return copy;
    sm_run_ref_free(copy);
    return NULL;
}

/* The runs that a profile may belong to, by their folder and by the one above (sm_profile_find). */
struct homes {
    struct sm_names *paths;
};

static bool add_homes(struct homes *h, const struct sm_run_list *out)
{
    bool ok = h->paths;
    for (size_t i = 0; ok && i < out->n; i++) {
        const struct sm_run_ref *run = &out->items[i];
        if (run->kind == &sm_trial_kind_profile)
            continue;
        size_t n = strlen(run->path);
        ok = sm_names_add(h->paths, run->path, n) != SM_NAME_NONE;
        while (n && run->path[n - 1] != '/')
            n--;
        n -= n > 0;
        ok = ok && sm_names_add(h->paths, n ? run->path : ".", n ? n : 1) != SM_NAME_NONE;
    }
    return ok;
}

static bool has_home(const struct homes *h, const char *path)
{
    struct sm_text parent = sm_profile_parent(path);
    return sm_names_find(h->paths, path, strlen(path)) != SM_NAME_NONE ||
           (parent.n && sm_names_find(h->paths, parent.p, parent.n) != SM_NAME_NONE);
}

/* A profile in the folder of a run, or beside it, is a part of that run. */
static void join_profiles(struct search *s)
{
    struct sm_run_list *out = s->out;
    struct homes h = {sm_names_new()};
    size_t kept = 0;
    s->failed = !add_homes(&h, out) || s->failed;
    for (size_t i = 0; i < out->n && !s->failed; i++) {
        if (out->items[i].kind == &sm_trial_kind_profile && has_home(&h, out->items[i].path))
            free_run(&out->items[i]);
        else
            out->items[kept++] = out->items[i];
    }
    out->n = s->failed ? out->n : kept;
    sm_names_free(h.paths);
}

/* A session of hyperparameters that is the only one of its run, or repeats it, is a part of it. */
static void join_sessions(struct search *s)
{
    struct sm_run_list *out = s->out;
    size_t kept = 0;
    s->failed = !sm_run_mark_sessions(out, s->source) || s->failed;
    for (size_t i = 0; i < out->n; i++) {
        struct sm_run_ref *run = &out->items[i];
        if (run->joined && !s->failed) {
            out->joined = out->joined ? out->joined : sm_names_new();
            s->failed = !out->joined ||
                        sm_names_add(out->joined, run->path, strlen(run->path)) == SM_NAME_NONE;
            free_run(run);
        } else {
            out->items[kept++] = *run;
        }
    }
    out->n = kept;
}

/* ---- the search ---- */

/* Moves the links that lead to folders that were not met into the queue. False: there are none. */
static bool follow_links(struct search *s)
{
    size_t before = s->n_queue, n = s->n_links;
    s->n_links = 0;
    for (size_t i = 0; i < n; i++) {
        struct sm_stat st;
        if (stat_folder(s, s->links[i].path, &st) && is_new(s, &st))
            add_place(&s->queue, &s->n_queue, &s->cap_queue, s->links[i].path, s->links[i].depth,
                      s->links[i].in_run);
        else
            sm_free(s->links[i].path);
    }
    return s->n_queue > before;
}

static bool is_over(const struct search *s)
{
    if (s->until_us && s->out->n && sm_clock_mono_us() >= s->until_us)
        s->out->late = true;
    return s->out->late || s->failed || (s->cancelled && atomic_load(s->cancelled));
}

static void search_all(struct search *s)
{
    struct sm_stat st;
    char *root = sm_strdup("");
    size_t i = 0;
    s->failed = !root;
    if (!root)
        return;
    add_place(&s->queue, &s->n_queue, &s->cap_queue, root, 0, false);
    if (stat_folder(s, "", &st))
        is_new(s, &st);
    do {
        for (; i < s->n_queue && !is_over(s); i++) {
            struct place at = s->queue[i]; /* the queue may move */
            look_at(s, &at);
        }
    } while (!is_over(s) && follow_links(s));
}

static void free_places(struct place *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sm_free(list[i].path);
    sm_free(list);
}

static bool search_source(struct search *s, struct sm_err *err)
{
    s->ahead = sm_run_ahead_new(s->source, s->only, s->cancelled);
    s->failed = !s->ahead;
    if (s->ahead)
        search_all(s);
    sm_run_ahead_free(s->ahead);
    free_places(s->queue, s->n_queue);
    free_places(s->links, s->n_links);
    sm_map_clear(&s->met);
    join_profiles(s);
    if (s->out->n)
        qsort(s->out->items, s->out->n, sizeof *s->out->items, by_path);
    sm_run_mark_bare(s->out, s->source);
    join_sessions(s);
    s->failed = !sm_run_pair(s->out) || !sm_run_put_sessions_last(s->out) || s->failed;
    return !s->failed || sm_err_set(err, SM_ERR_MEMORY, "no memory to look for runs");
}

/* What a path is. False: it cannot be asked. */
static bool look_at_path(const char *path, struct sm_run_list *out, bool *is_file,
                         struct sm_err *err)
{
    struct stat st;
    if (sm_is_s3(path)) {
        enum sm_s3_place what = SM_S3_NOTHING;
        out->source = sm_source_files_new(path, err);
        bool ok = out->source && sm_s3_look(path, &what, err);
        out->exists = what != SM_S3_NOTHING;
        out->is_folder = what == SM_S3_FOLDER;
        *is_file = what == SM_S3_OBJECT;
        return ok;
    }
    out->exists = !sm_pipe_is_path(path) && stat(path, &st) == 0;
    out->is_folder = out->exists && S_ISDIR(st.st_mode);
    *is_file = out->exists && S_ISREG(st.st_mode);
    return true;
}

/* The path of the folder that has a file. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == path ? sm_strdup("/")
           : slash       ? sm_strndup(path, (size_t)(slash - path))
                         : sm_strdup(".");
}

bool sm_run_search(const char *path, int64_t until_us, const atomic_bool *cancelled,
                   struct sm_run_list *out, struct sm_err *err)
{
    bool is_file = false;
    if (!look_at_path(path, out, &is_file, err))
        return false;
    if (!out->is_folder && !is_file)
        return true;
    const char *slash = strrchr(path, '/');
    char *root = is_file ? folder_of(path) : sm_strdup(path);
    struct search s = {.only = !is_file ? NULL
                               : slash  ? slash + 1
                                        : path,
                       .cancelled = cancelled,
                       .until_us = until_us,
                       .out = out};
    s.source = root ? sm_source_files_new(root, err) : NULL;
    if (s.source && s.only && sm_ckpt_is_tracker(s.source, s.only)) {
        s.only = NULL;
        out->is_folder = true;
    }
    bool ok = s.source && search_source(&s, err);
    if (!root)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    sm_source_unref(out->source);
    out->source = s.source;
    sm_free(root);
    return ok;
}

void sm_run_list_clear(struct sm_run_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free_run(&list->items[i]);
    sm_free(list->items);
    for (size_t i = 0; i < list->n_open; i++)
        sm_free(list->open_folders[i]);
    sm_free(list->open_folders);
    sm_str_clear(&list->seen);
    sm_problems_clear(&list->problems);
    sm_names_free(list->joined);
    sm_source_unref(list->source);
    *list = (struct sm_run_list){0};
}

void sm_run_list_deal(struct sm_run_list *list, unsigned part, unsigned of)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (i % of == part)
            list->items[n++] = list->items[i];
        else
            free_run(&list->items[i]);
    }
    list->n = n;
}

/* Takes the source over. */
static struct sm_source *wrap_source(const struct sm_trial_kind *kind, struct sm_source *files,
                                     struct sm_err *err)
{
    if (!files || !kind || !kind->wrap)
        return files;
    struct sm_source *source = kind->wrap(files, err);
    sm_source_unref(files);
    return source;
}

static struct sm_source *open_folder(const struct sm_run_ref *run, struct sm_err *err)
{
    const struct sm_log_format *log = run->kind->log;
    struct sm_source *files = sm_source_files_new(run->folder, err), *source = files;
    if (files && log && log->make) {
        source = sm_log_source_new(files, log->make, err);
        sm_source_unref(files);
    }
    source = wrap_source(run->kind, source, err);
    return wrap_source(run->beside, source, err);
}

struct sm_source *sm_run_source(const struct sm_run_ref *run, struct sm_err *err)
{
    if (!run->kind->open_path || !run->member)
        return open_folder(run, err);
    char *path = join(run->folder, run->member);
    struct sm_source *source = path ? run->kind->open_path(path, err) : NULL;
    if (!path)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", run->folder);
    sm_free(path);
    return source;
}

struct sm_source *sm_run_validation_source(const struct sm_run_ref *run)
{
    struct sm_err err;
    return run->validation ? sm_source_files_new(run->validation, &err) : NULL;
}

void sm_run_list_left_out(const struct sm_run_list *list, struct sm_str *out)
{
    const char *joint = "";
    if (list->cut) {
        sm_str_printf(out, "folders after the first %d", SM_RUNS_FOLDERS);
        joint = ", ";
    }
    if (list->crowded) {
        sm_str_printf(out, "%sin a folder names after the first %d", joint, SM_RUN_FOLDER_ITEMS);
        joint = ", ";
    }
    if (list->deep)
        sm_str_printf(out, "%sfolders more than %d levels down", joint, SM_RUNS_DEPTH);
}

bool sm_run_may_come(const char *path, const struct sm_run_list *list, struct sm_err *err)
{
    if (!list->exists || (!list->is_folder && !sm_is_s3(path)) ||
        (!list->files && !list->problems.total && list->folders <= 1 && !list->hides) ||
        list->unreadable || list->begun)
        return true;
    struct sm_str titles = {0}, left = {0};
    sm_trial_kind_labels(&titles);
    sm_str_add(&left, "; left out: ");
    size_t bare = left.len;
    sm_run_list_left_out(list, &left);
    if (left.len == bare)
        sm_str_truncate(&left, 0);
    if (list->problems.n)
        sm_str_printf(&left, "; %s: %s", list->problems.items[0].file,
                      list->problems.items[0].message);
    sm_err_set(err, SM_ERR_DATA,
               "%s: no run in %zu file%s of %zu folder%s (%s)%s.  Kinds that open: %s.", path,
               list->files, list->files == 1 ? "" : "s", list->folders,
               list->folders == 1 ? "" : "s", sm_str_text(&list->seen), sm_str_text(&left),
               sm_str_text(&titles));
    sm_str_clear(&titles);
    sm_str_clear(&left);
    return false;
}
