/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/clock.h"
#include "reader/base/crc32c.h"
#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/databases/mlflow.h"
#include "reader/logs/log_file.h"
#include "reader/logs/log_json.h"

#include <stdlib.h>
#include <string.h>

/* LATE_US: so long after the end files may still come, on a network file system. */
enum { DEPTH_MAX = 16, TEXT_MAX = 1024 * 1024, LATE_US = 60 * 1000000 };

struct sm_mlflow_files {
    struct sm_source *source; /* borrowed */
    struct sm_names *known;   /* paths of metrics, params and tags */
    struct metric {
        char *path; /* "metrics/a/b" */
        struct sm_log_file file;
        uint64_t row;
        bool bad; /* one bad line was reported */
    } * metrics;
    size_t n_metrics, cap_metrics;
    struct sm_points points;
    struct sm_latest latest;
    struct sm_stat meta;         /* of meta.yaml when it was read */
    bool complete;               /* since then all was read, and the run has ended */
    uint32_t meta_sum, name_sum; /* of what was handed on */
    bool ended, no_memory;
    size_t bytes; /* of this turn */
};

struct sm_mlflow_files *sm_mlflow_files_new(struct sm_source *source)
{
    struct sm_mlflow_files *f = sm_alloc_zero(1, sizeof *f);
    if (f)
        f->source = source;
    if (f)
        f->points.per_second = 1e3;
    return f;
}

static void forget(struct sm_mlflow_files *f)
{
    for (size_t i = 0; i < f->n_metrics; i++) {
        sm_log_file_clear(&f->metrics[i].file);
        sm_free(f->metrics[i].path);
    }
    f->n_metrics = 0;
    sm_names_free(f->known);
    f->known = NULL;
    f->meta_sum = f->name_sum = 0;
}

void sm_mlflow_files_free(struct sm_mlflow_files *f)
{
    if (!f)
        return;
    forget(f);
    sm_free(f->metrics);
    sm_points_clear(&f->points);
    sm_latest_clear(&f->latest);
    sm_free(f);
}

/* ---- lines of a metric ---- */

static struct sm_text next_field(const char **p, const char *end)
{
    while (*p < end && (**p == ' ' || **p == '\t'))
        ++*p;
    const char *from = *p;
    while (*p < end && **p != ' ' && **p != '\t')
        ++*p;
    return (struct sm_text){from, (size_t)(*p - from)};
}

/* "TIME VALUE", "TIME VALUE STEP" or "TIME VALUE STEP DATASET DIGEST". */
bool sm_mlflow_line(const char *p, size_t n, uint64_t row, struct sm_point *out)
{
    const char *end = p + n;
    struct sm_text time = next_field(&p, end), value = next_field(&p, end),
                   step = next_field(&p, end);
    *out = (struct sm_point){.step = (int64_t)row};
    if (!sm_json_int(time.p, time.n, &out->time) || !sm_log_number(value.p, value.n, &out->value) ||
        (step.n && !sm_json_int(step.p, step.n, &out->step)))
        return false;
    out->time = sm_mlflow_time_ms(out->time);
    return true;
}

struct lines {
    struct sm_mlflow_files *f;
    struct metric *metric;
    struct sm_log_sink *sink;
};

static void on_line(void *ctx, const struct sm_log_line *line)
{
    struct lines *l = ctx;
    struct metric *m = l->metric;
    const char *name = m->path + strlen("metrics/");
    struct sm_point p;
    struct sm_err err;
    l->f->bytes += line->n + 1;
    if (sm_mlflow_line(line->p, line->n, m->row, &p)) {
        p.system = sm_mlflow_is_system(name, strlen(name));
        sm_points_add(&l->f->points, name, strlen(name), &p);
    } else if (line->whole && line->n && !m->bad) {
        sm_err_set(&err, SM_ERR_DATA, "expected milliseconds, a value and a step");
        sm_log_problem(l->sink, m->path, (int64_t)line->offset, &err);
        m->bad = true;
    }
    m->row += line->whole;
}

/* True: more can be read at once. anew: the whole run must be read from its beginning. */
static bool read_metric(struct sm_mlflow_files *f, struct metric *m, struct sm_log_sink *sink,
                        bool *anew)
{
    struct sm_err err = {0};
    struct lines l = {f, m, sink};
    m->file.path = m->path;
    enum sm_log_change change = sm_log_file_look(&m->file, &err);
    *anew = (change == SM_LOG_ANEW || change == SM_LOG_GONE) && m->row > 0;
    if (change == SM_LOG_GONE && err.code && err.code != SM_ERR_MISSING)
        sm_log_problem(sink, m->path, -1, &err);
    if (*anew || change == SM_LOG_SAME || change == SM_LOG_GONE)
        return false;
    bool more = sm_log_file_lines(&m->file, f->ended, on_line, &l, &err);
    if (err.code)
        sm_log_problem(sink, m->path, -1, &err);
    if (!sm_points_hand_on(&f->points, &f->latest, sink)) {
        sm_latest_keep_all(&f->latest);
        *anew = true;
    }
    return more;
}

/* ---- which files there are ---- */

struct walk {
    struct sm_mlflow_files *f;
    struct sm_str path; /* of the folder */
    unsigned depth;
    uint32_t *fresh; /* ids of the paths that are new */
    size_t n_fresh, cap_fresh;
};

static bool walk_folder(struct walk *w);

static void note_file(struct walk *w)
{
    struct sm_mlflow_files *f = w->f;
    if (!f->known)
        f->known = sm_names_new();
    uint32_t n = f->known ? sm_names_count(f->known) : 0;
    uint32_t id = f->known ? sm_names_add(f->known, w->path.data, w->path.len) : SM_NAME_NONE;
    if (id == SM_NAME_NONE || !SM_VEC_ROOM(w->fresh, w->n_fresh, w->cap_fresh))
        f->no_memory = true;
    else if (id == n)
        w->fresh[w->n_fresh++] = id;
}

static bool on_entry(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct walk *w = ctx;
    size_t len = w->path.len;
    (void)inode;
    sm_str_addc(&w->path, '/');
    sm_str_add(&w->path, name);
    if (w->path.failed)
        w->f->no_memory = true;
    else if (is_dir)
        walk_folder(w);
    else
        note_file(w);
    sm_str_truncate(&w->path, len);
    return !w->f->no_memory;
}

static bool walk_folder(struct walk *w)
{
    struct sm_err err;
    if (w->depth == DEPTH_MAX)
        return true;
    w->depth++;
    bool ok = sm_source_list(w->f->source, w->path.data, on_entry, w, &err);
    w->depth--;
    return ok;
}

static int compare_paths(const void *a, const void *b, void *names)
{
    return sm_natural_cmp(sm_names_text(names, *(const uint32_t *)a),
                          sm_names_text(names, *(const uint32_t *)b));
}

/* Calls file for each that is new, in natural order. */
static void walk(struct sm_mlflow_files *f, const char *folder, struct sm_log_sink *sink,
                 void (*file)(struct sm_mlflow_files *f, const char *path,
                              struct sm_log_sink *sink))
{
    struct walk w = {.f = f};
    sm_str_add(&w.path, folder);
    if (!w.path.failed)
        walk_folder(&w);
    if (w.n_fresh)
        qsort_r(w.fresh, w.n_fresh, sizeof *w.fresh, compare_paths, f->known);
    for (size_t i = 0; i < w.n_fresh; i++)
        file(f, sm_names_text(f->known, w.fresh[i]), sink);
    sm_free(w.fresh);
    sm_str_clear(&w.path);
}

static void add_metric(struct sm_mlflow_files *f, const char *path, struct sm_log_sink *sink)
{
    (void)sink;
    char *copy = sm_strdup(path);
    if (!copy || !SM_VEC_ROOM(f->metrics, f->n_metrics, f->cap_metrics)) {
        f->no_memory = true;
        sm_free(copy);
        return;
    }
    f->metrics[f->n_metrics++] =
        (struct metric){.path = copy, .file = {.source = f->source, .path = copy}};
}

static bool slurp(struct sm_mlflow_files *f, const char *path, struct sm_str *out,
                  struct sm_log_sink *sink)
{
    struct sm_err err;
    if (sm_source_slurp(f->source, path, TEXT_MAX, out, &err))
        return true;
    if (err.code != SM_ERR_MISSING)
        sm_log_problem(sink, path, -1, &err);
    return false;
}

static void add_param(struct sm_mlflow_files *f, const char *path, struct sm_log_sink *sink)
{
    struct sm_str text = {0};
    const char *key = path + strlen("params/");
    if (slurp(f, path, &text, sink))
        sm_log_config_text(sink, key, strlen(key), sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

static void summarize(const char *key, struct sm_text value, struct sm_log_sink *sink)
{
    struct sm_notes notes = {0};
    sm_notes_add_string(&notes, SM_NOTE_SUMMARY, sm_text(key), value);
    sm_notes_hand_on(&notes, sink);
    sm_notes_clear(&notes);
}

static void add_tag(struct sm_mlflow_files *f, const char *path, struct sm_log_sink *sink)
{
    struct sm_str text = {0}, key = {0};
    if (strncmp(path, "tags/mlflow.", 12) != 0 && slurp(f, path, &text, sink)) {
        sm_str_printf(&key, "tags.%s", path + strlen("tags/"));
        summarize(sm_str_text(&key), (struct sm_text){sm_str_text(&text), text.len}, sink);
    }
    sm_str_clear(&text);
    sm_str_clear(&key);
}

/* ---- the run as a whole ---- */

static uint32_t sum_of(const struct sm_str *s)
{
    return sm_crc32c(sm_str_text(s), s->len) | 1;
}

static void hand_meta_on(struct sm_mlflow_files *f, const struct sm_mlflow_meta *m,
                         struct sm_log_sink *sink)
{
    struct sm_text word = {sm_str_text(&m->status), m->status.len};
    struct sm_mlflow_status status = sm_mlflow_status(word);
    f->ended = status.ended;
    sm_log_ended(sink, status.ended, status.exit_code);
    if (m->start_ms > 0)
        sm_log_began(sink, (double)sm_mlflow_time_ms(m->start_ms) / 1000);
    static const char *const words[] = {"RUNNING", "SCHEDULED", "FINISHED", "FAILED", "KILLED"};
    if (word.n == 1 && *word.p >= '1' && *word.p <= '5')
        word = sm_text(words[*word.p - '1']);
    summarize("status", word, sink);
}

/* The tag is what MLflow shows; old versions have no name in meta.yaml. */
static void hand_name_on(struct sm_mlflow_files *f, const struct sm_mlflow_meta *m,
                         struct sm_log_sink *sink)
{
    struct sm_str name = {0};
    struct sm_err err;
    if (!sm_source_slurp(f->source, "tags/mlflow.runName", TEXT_MAX, &name, &err) || !name.len)
        sm_str_addn(&name, sm_str_text(&m->name), m->name.len);
    if (!name.len)
        sm_str_addn(&name, sm_str_text(&m->run_id), m->run_id.len);
    if (sum_of(&name) != f->name_sum && !name.failed && name.len)
        sm_log_name(sink, name.data, name.len);
    f->name_sum = sum_of(&name);
    sm_str_clear(&name);
}

static void read_meta(struct sm_mlflow_files *f, struct sm_log_sink *sink)
{
    struct sm_str text = {0};
    struct sm_mlflow_meta meta = {0};
    if (slurp(f, "meta.yaml", &text, sink)) {
        sm_mlflow_meta_parse(sm_str_text(&text), text.len, &meta);
        if (sum_of(&text) != f->meta_sum)
            hand_meta_on(f, &meta, sink);
        f->meta_sum = sum_of(&text);
        hand_name_on(f, &meta, sink);
    }
    sm_mlflow_meta_clear(&meta);
    sm_str_clear(&text);
}

/* A run that ended some time ago and was read whole: until meta.yaml says that it goes on. */
static bool is_over(struct sm_mlflow_files *f)
{
    struct sm_stat st;
    struct sm_err err;
    bool same = sm_source_stat(f->source, "meta.yaml", &st, &err) && st.inode == f->meta.inode &&
                st.mtime_us == f->meta.mtime_us && st.size_bytes == f->meta.size_bytes;
    f->complete = f->complete && same;
    f->meta = same ? f->meta : st;
    return f->complete && sm_clock_wall_us() - st.mtime_us > LATE_US;
}

bool sm_mlflow_files_poll(struct sm_mlflow_files *f, struct sm_log_sink *sink)
{
    bool more = false, anew = false;
    if (is_over(f))
        return false;
    f->bytes = 0;
    read_meta(f, sink);
    walk(f, "params", sink, add_param);
    walk(f, "tags", sink, add_tag);
    walk(f, "metrics", sink, add_metric);
    for (size_t i = 0; i < f->n_metrics && !anew; i++) {
        if (f->bytes >= SM_LOG_TURN_BYTES)
            return true;
        more = read_metric(f, &f->metrics[i], sink, &anew) || more;
    }
    if (f->no_memory || f->points.no_memory) {
        struct sm_err err;
        sm_err_set(&err, SM_ERR_MEMORY, "no memory");
        sm_log_problem(sink, ".", -1, &err);
        f->no_memory = f->points.no_memory = false;
        anew = true;
    }
    if (anew) { /* a file was written anew, or its steps went back */
        bool keeps_all = f->latest.keeps_all;
        forget(f);
        sm_latest_clear(&f->latest);
        f->latest.keeps_all = keeps_all;
        f->points.n = 0;
        sm_log_restart(sink);
    }
    f->complete = f->ended && !more && !anew;
    return more || anew;
}
