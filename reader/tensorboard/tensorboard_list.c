/* SPDX-License-Identifier: Apache-2.0 */
/* Finds event files, and which of them have to be read. */
#include "reader/base/crc32c.h"
#include "reader/base/vec.h"
#include "reader/kind/loss_names.h"
#include "reader/kind/scalar_names.h"
#include "reader/tensorboard/tensorboard.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 6, FILES_MAX = 20000 };

/* ---- finding files ---- */

bool sm_board_is_event_file(const char *name)
{
    return strstr(name, "tfevents") && !sm_ends_with(name, ".tmp");
}

struct walk {
    struct sm_board *board; /* NULL: only checks whether there are any */
    struct sm_tail_changes *news;
    struct sm_source *source;
    const char *dir;
    unsigned depth, deepest;
    bool found, guest;
    bool notes;    /* the folders in this one are noted */
    bool settings; /* there may be files of settings */
};

static bool join_path(struct sm_str *out, const char *dir, const char *name)
{
    sm_str_printf(out, "%s%s%s", dir, *dir ? "/" : "", name);
    return !out->failed;
}

static void report_too_many(struct walk *w)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "more than %d event files: the rest is not read", FILES_MAX);
    sm_problems_add(&w->news->problems, ".", -1, &err);
}

/* A compressed file is read by the name it had (reader/source/source_packed.c). */
static bool add_file(struct walk *w, struct sm_str *path)
{
    struct sm_board *b = w->board;
    sm_str_truncate(path, sm_source_plain_name(sm_str_text(path)));
    if (sm_names_find(b->paths, path->data, path->len) != SM_NAME_NONE)
        return true;
    if (b->n_files == FILES_MAX) {
        report_too_many(w);
        return true;
    }
    if (!SM_VEC_ROOM(b->files, b->n_files, b->cap_files) ||
        !SM_VEC_ROOM(b->order, b->n_files, b->cap_order) ||
        sm_names_add(b->paths, path->data, path->len) == SM_NAME_NONE)
        return false;
    b->order[b->n_files] = (uint32_t)b->n_files;
    b->files[b->n_files++] = (struct sm_board_file){
        .run_bytes = strlen(w->dir), .purged_from = INT64_MAX, .guest = w->guest};
    return true;
}

static void scan_folder(struct walk *w);

static bool on_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct walk *w = ctx;
    struct sm_str path = {0};
    (void)inode;
    bool ok = join_path(&path, w->dir, name);
    w->settings = w->settings || sm_ends_with(name, ".yaml") || sm_ends_with(name, ".json") ||
                  (is_dir && strcmp(name, ".hydra") == 0);
    ok = ok && (!is_dir || !w->notes || sm_board_add_folder(w->board, name));
    if (ok && is_dir && w->depth < w->deepest) {
        struct walk below = {.board = w->board,
                             .news = w->news,
                             .source = w->source,
                             .dir = sm_str_text(&path),
                             .depth = w->depth + 1,
                             .deepest = w->deepest};
        scan_folder(&below);
        w->found = w->found || below.found;
    } else if (ok && !is_dir && sm_board_is_event_file(name)) {
        w->found = true;
        ok = !w->board || add_file(w, &path);
    }
    if (!ok && w->news)
        w->news->no_memory = true;
    sm_str_clear(&path);
    return ok && (w->board || !w->found); /* one file is enough to identify the kind of directory */
}

static void scan_folder(struct walk *w)
{
    struct sm_err err = {0};
    if (!sm_source_list(w->source, w->dir, on_name, w, &err) && w->news &&
        err.code != SM_ERR_MISSING)
        sm_problems_add(&w->news->problems, w->dir, -1, &err);
}

/* A folder that belongs to a trial ends the search of the root. */
static bool is_of_a_trial(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    static const char *const trials[] = {"index", "events", "collections"};
    bool *of_a_trial = ctx;
    (void)inode;
    for (size_t i = 0; i < 3 && is_dir; i++)
        *of_a_trial = *of_a_trial || strcmp(name, trials[i]) == 0;
    return !*of_a_trial;
}

bool sm_board_detect(struct sm_source *source)
{
    struct walk w = {.source = source, .dir = "", .deepest = DEPTH_MAX};
    struct sm_err err = {0};
    bool of_a_trial = false;
    if (!sm_source_list(source, "", is_of_a_trial, &of_a_trial, &err) || of_a_trial)
        return false;
    scan_folder(&w);
    return w.found;
}

/* ---- order ---- */

static int compare_files(const void *x, const void *y, void *board)
{
    const struct sm_board *b = board;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    size_t m = b->files[i].run_bytes, n = b->files[j].run_bytes;
    const char *p = sm_names_text(b->paths, i), *q = sm_names_text(b->paths, j);
    int runs = memcmp(p, q, m < n ? m : n);
    if (runs || m != n)
        return runs ? runs : m < n ? -1 : 1;
    return strcmp(p + m, q + n);
}

bool sm_board_same_run(const struct sm_board *b, uint32_t i, uint32_t j)
{
    size_t n = b->files[i].run_bytes;
    return b->files[j].run_bytes == n &&
           memcmp(sm_names_text(b->paths, i), sm_names_text(b->paths, j), n) == 0;
}

static void sort_files(struct sm_board *b)
{
    if (!b->n_files)
        return;
    qsort_r(b->order, b->n_files, sizeof *b->order, compare_files, b);
    for (size_t k = 0; k < b->n_files; k++)
        b->files[b->order[k]].later =
            k + 1 < b->n_files && sm_board_same_run(b, b->order[k], b->order[k + 1]);
}

/* ---- changes ---- */

bool sm_board_print(struct sm_source *source, const char *path, uint64_t taken, uint32_t *print,
                    struct sm_err *err)
{
    uint8_t bytes[SM_BOARD_PRINT];
    size_t n = taken < sizeof bytes ? (size_t)taken : sizeof bytes, got = 0;
    if (n && !sm_source_read(source, path, taken - n, bytes, n, &got, err))
        return false;
    *print = sm_crc32c(bytes, n);
    return got == n || sm_err_set(err, SM_ERR_DATA, "%s: shorter than before", path);
}

/* Whether what was taken of a file that has changed is not in it any more. */
static bool is_other_content(const struct sm_board *b, uint32_t i)
{
    const struct sm_board_file *f = &b->files[i];
    struct sm_err err = {0};
    uint32_t print;
    if (!f->taken)
        return false;
    if (sm_board_print(b->in->source, sm_names_text(b->paths, i), f->taken, &print, &err))
        return print != f->print;
    return err.code == SM_ERR_DATA || err.code == SM_ERR_MISSING;
}

static bool has_changed(const struct sm_board_file *f, const struct sm_stat *st)
{
    return st->size_bytes != f->size_bytes || st->mtime_us != f->time_us || st->inode != f->inode;
}

/* Returns whether the file has bytes. */
static bool check_file(struct sm_board *b, uint32_t i)
{
    struct sm_board_file *f = &b->files[i];
    struct sm_stat st;
    struct sm_err err = {0};
    if (!sm_source_stat(b->in->source, sm_names_text(b->paths, i), &st, &err)) {
        f->lost = f->lost || (err.code == SM_ERR_MISSING && f->taken);
        f->again = f->again && err.code != SM_ERR_MISSING;
        f->inode = err.code == SM_ERR_MISSING ? 0 : f->inode;
        return false;
    }
    bool changed = has_changed(f, &st);
    f->lost = f->lost || (changed && is_other_content(b, i));
    f->again = f->again || changed || f->fault == SM_BOARD_TORN;
    f->inode = st.inode;
    f->packed = st.compressed;
    f->size_bytes = st.size_bytes;
    f->time_us = st.mtime_us;
    return st.size_bytes > 0;
}

static void forget_files(struct sm_board *b)
{
    sm_run_info_clear(&b->info);
    for (size_t i = 0; i < b->n_files; i++) {
        struct sm_board_file *f = &b->files[i];
        *f = (struct sm_board_file){.run_bytes = f->run_bytes,
                                    .inode = f->inode,
                                    .size_bytes = f->size_bytes,
                                    .time_us = f->time_us,
                                    .later = f->later,
                                    .guest = f->guest,
                                    .packed = f->packed,
                                    .again = f->inode != 0,
                                    .purged_from = INT64_MAX};
    }
}

/* Checks all files; forgets them if content that was read is lost and there is other content. */
static void check_files(struct sm_board *b, struct sm_tail_changes *n)
{
    bool any = false, lost = false;
    for (uint32_t i = 0; i < b->n_files; i++) {
        any = check_file(b, i) || any;
        lost = lost || b->files[i].lost;
    }
    n->recreated = lost && any;
    n->emptied = lost && !any;
    if (n->recreated)
        forget_files(b);
}

/* The files of sessions in the folder of the run, if they are parts of it. */
static void scan_sessions(struct sm_board *b, struct sm_tail_changes *n)
{
    if (!sm_board_has_sessions(b, n))
        return;
    for (uint32_t i = 0; i < sm_names_count(b->below); i++) {
        struct walk w = {.board = b,
                         .news = n,
                         .source = b->in->source,
                         .dir = sm_names_text(b->below, i),
                         .guest = true};
        if (b->folders[i].content == SM_BOARD_SESSION)
            scan_folder(&w);
    }
}

/* Returns whether there may be files of settings. */
static bool scan_all(struct sm_board *b, struct sm_tail_changes *n)
{
    /* a run that was found by looking for runs is one folder */
    bool one = b->in->options.kind;
    struct walk w = {.board = b,
                     .news = n,
                     .source = b->in->source,
                     .dir = "",
                     .deepest = one ? 0 : DEPTH_MAX,
                     .notes = one && !b->in->validation_name};
    scan_folder(&w);
    if (w.notes)
        scan_sessions(b, n);
    return w.settings;
}

/* What is said of the run beside its values, if that is news. */
static void list_info(struct sm_board *b, struct sm_tail_changes *n, bool settings)
{
    bool news = settings && sm_table_settings_read(&b->settings, b->in->source, "", &b->sink);
    for (size_t i = 0; i < b->sink.problems.n; i++) {
        const struct sm_problem *p = &b->sink.problems.items[i];
        struct sm_err err;
        sm_err_set(&err, p->code, "%s", p->message);
        sm_problems_add(&n->problems, p->file, p->offset, &err);
    }
    sm_problems_clear(&b->sink.problems);
    n->ended = n->ended || b->info.ended;
    if (!news && !n->recreated)
        return;
    n->whole_info = true;
    n->info = sm_alloc_zero(1, sizeof *n->info);
    if (!n->info || !sm_run_info_add(n->info, &b->sink.info) || !sm_run_info_add(n->info, &b->info))
        n->no_memory = true;
}

void sm_board_list(void *state, struct sm_tail_changes *n)
{
    struct sm_board *b = state;
    struct sm_stat st;
    struct sm_err err = {0};
    b->n_queue = 0;
    if (!sm_news_check_root(n, b->in->source, &st, &err))
        return;
    bool settings = scan_all(b, n);
    sort_files(b);
    check_files(b, n);
    n->no_memory = n->no_memory || !sm_board_queue(b, n);
    n->n_files = b->n_queue;
    if (b->in->validation_name)
        return;
    if (b->n_queue && (!b->named || n->recreated))
        b->named = sm_scalar_collections(n);
    n->no_memory = n->no_memory || (b->n_queue && !b->named);
    list_info(b, n, settings);
}
