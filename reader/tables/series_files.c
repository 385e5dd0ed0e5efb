/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/series_files.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/logs/log_file.h"
#include "reader/logs/log_kind.h"
#include "reader/tables/column_name.h"
#include "reader/tables/csv_line.h"
#include "reader/tables/table_settings.h"

#include <string.h>

enum { FILES_MAX = 20000, DEPTH_MAX = 8 };
static const char folder[] = "plots/metrics", ending[] = ".tsv";

struct series_file {
    struct sm_log_file log; /* its path is owned */
    bool named;             /* the line of names was read */
    size_t step_column;
};
struct sm_series_files {
    struct sm_source *source;
    struct sm_names *paths; /* an id is the index in files */
    struct series_file **files;
    size_t n, cap;
    struct sm_table_settings settings;
    bool failed; /* no memory */
};

/* ---- which runs there are ---- */

bool sm_series_files_find(struct sm_run_folder *f)
{
    struct sm_str path = {0};
    struct sm_stat st;
    struct sm_err err;
    bool yes =
        sm_run_folder_has_dir(f, "plots") && sm_run_folder_has_file(f, "metrics.json") &&
        sm_source_stat(sm_run_folder_source(f), sm_run_folder_join(f, folder, &path), &st, &err) &&
        st.is_dir;
    sm_str_clear(&path);
    if (!yes)
        return false;
    sm_run_folder_claim(f, "plots");
    sm_run_folder_claim(f, "metrics.json");
    sm_run_folder_add(f, SM_SERIES_FILES_MEMBER, NULL);
    return true;
}

/* ---- the files ---- */

struct sm_series_files *sm_series_files_new(struct sm_source *source)
{
    struct sm_series_files *s = sm_alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->source = source;
    s->paths = sm_names_new();
    if (s->paths)
        return s;
    sm_free(s);
    return NULL;
}

static void free_file(struct series_file *f)
{
    if (!f)
        return;
    sm_log_file_clear(&f->log);
    sm_free((char *)(uintptr_t)f->log.path);
    sm_free(f);
}

void sm_series_files_free(struct sm_series_files *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        free_file(s->files[i]);
    sm_free(s->files);
    sm_names_free(s->paths);
    sm_free(s);
}

static bool add_file(struct sm_series_files *s, const char *path)
{
    uint32_t id = sm_names_add(s->paths, path, strlen(path));
    if (id != SM_NAME_NONE && id < s->n)
        return true;
    struct series_file *f = id == s->n ? sm_alloc_zero(1, sizeof *f) : NULL;
    if (f)
        f->log = (struct sm_log_file){.source = s->source, .path = sm_strdup(path)};
    if (f && f->log.path && SM_VEC_ROOM(s->files, s->n, s->cap)) {
        s->files[s->n++] = f;
        return true;
    }
    free_file(f);
    s->failed = true;
    return false;
}

struct listing {
    struct sm_series_files *s;
    const char *dir;
    unsigned depth;
};

static void list_folder(struct sm_series_files *s, const char *dir, unsigned depth);

static bool on_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    const struct listing *l = ctx;
    struct sm_str path = {0};
    (void)inode;
    sm_str_printf(&path, "%s/%s", l->dir, name);
    l->s->failed = l->s->failed || path.failed;
    if (path.failed || *name == '.')
        ;
    else if (is_dir)
        list_folder(l->s, path.data, l->depth + 1);
    else if (sm_ends_with(name, ending) && l->s->n < FILES_MAX)
        add_file(l->s, path.data);
    sm_str_clear(&path);
    return !l->s->failed;
}

/* What cannot be listed is not there yet. */
static void list_folder(struct sm_series_files *s, const char *dir, unsigned depth)
{
    struct listing l = {s, dir, depth};
    struct sm_err err;
    if (depth < DEPTH_MAX)
        sm_source_list(s->source, dir, on_name, &l, &err);
}

/* ---- rows ---- */

struct reading {
    struct series_file *f;
    struct sm_log_sink *sink;
    uint32_t series;
};

/* The cell of a column; the last one if there are fewer. */
static struct sm_text cell(const struct sm_log_line *line, size_t column)
{
    const char *p = line->p, *end = line->p + line->n, *tab;
    while (column-- && (tab = memchr(p, '\t', (size_t)(end - p))))
        p = tab + 1;
    tab = memchr(p, '\t', (size_t)(end - p));
    return (struct sm_text){p, (size_t)((tab ? tab : end) - p)};
}

static void read_names(struct series_file *f, const struct sm_log_line *line)
{
    size_t columns = 1;
    for (size_t i = 0; i < line->n; i++)
        columns += line->p[i] == '\t';
    f->named = true;
    f->step_column = 0;
    for (size_t i = 0; i < columns; i++)
        if (sm_text_is(cell(line, i), "step"))
            f->step_column = i;
}

static void on_line(void *ctx, const struct sm_log_line *line)
{
    struct reading *r = ctx;
    struct sm_text at = cell(line, r->f->step_column), last = cell(line, SIZE_MAX);
    double step, value;
    int64_t number;
    if (!line->whole)
        return;
    if (!r->f->named)
        read_names(r->f, line);
    else if (last.p > at.p && sm_csv_number(at, '\t', &step) && sm_step_value(step, &number) &&
             sm_csv_number(last, '\t', &value))
        sm_log_point(r->sink, r->series, number, NAN, value);
}

/* The series is called as its path, without the ending. */
static bool read_file(struct series_file *f, struct sm_log_sink *sink)
{
    const char *name = f->log.path + sizeof folder;
    struct reading r = {f, sink, sm_log_series(sink, name, strlen(name) - (sizeof ending - 1))};
    struct sm_err err;
    sm_log_written(sink, f->log.mtime_us);
    bool more = sm_log_file_lines(&f->log, false, on_line, &r, &err);
    if (err.code)
        sm_log_problem(sink, f->log.path, -1, &err);
    return more;
}

/* All is read again. */
static void begin_again(struct sm_series_files *s, struct sm_log_sink *sink)
{
    sm_log_restart(sink);
    s->settings = (struct sm_table_settings){0};
    for (size_t i = 0; i < s->n; i++) {
        sm_log_file_clear(&s->files[i]->log);
        s->files[i]->named = false;
    }
}

bool sm_series_files_poll(struct sm_series_files *s, struct sm_log_sink *sink)
{
    bool more = false;
    struct sm_err err;
    list_folder(s, folder, 0);
    sm_table_settings_read(&s->settings, s->source, "", sink);
    for (size_t i = 0; i < s->n; i++) {
        struct series_file *f = s->files[i];
        enum sm_log_change change = sm_log_file_look(&f->log, &err);
        if (change == SM_LOG_ANEW || (change == SM_LOG_GONE && f->named)) {
            begin_again(s, sink);
            return true;
        }
        if (change == SM_LOG_GONE && err.code != SM_ERR_MISSING)
            sm_log_problem(sink, f->log.path, -1, &err);
        if (change == SM_LOG_GROWN)
            more = read_file(f, sink) || more;
    }
    if (s->failed) {
        sm_err_set(&err, SM_ERR_MEMORY, "no memory");
        sm_log_problem(sink, folder, -1, &err);
        s->failed = false;
    }
    return more;
}
