/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/step_files.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/logs/log_fresh.h"
#include "reader/tables/column_name.h"
#include "reader/tables/json_doc.h"
#include "reader/tables/table_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4 * 1024 * 1024, FILES_A_TURN = 1000, FILES_MAX = 1000000 };

struct step_file {
    int64_t step;
    char *name;
    uint64_t size_bytes, inode; /* as it was read */
    int64_t mtime_us;
    bool read, bad; /* whole; it is no object. Neither: it is to be read again */
};
struct sm_step_files {
    struct sm_source *source;
    char *folder; /* "" or with '/' at its end */
    char *prefix; /* up to the number, or the whole name of one file */
    bool one;
    struct step_file *files; /* in the order of steps */
    size_t n, cap, next;     /* next: to be looked at, in a poll */
    struct sm_map known;     /* steps */
    struct sm_stat listed;   /* of the folder, when it was listed */
    struct sm_json_row row;
    struct sm_table_settings settings;
    bool failed;
};

/* ---- names ---- */

static size_t word_at_end(const char *p, size_t n)
{
    static const char *const words[] = {"step", "iteration", "iter", "epoch"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t k = strlen(words[i]);
        if (n >= k && memcmp(p + n - k, words[i], k) == 0)
            return k;
    }
    return 0;
}

bool sm_step_file_name(const char *name, size_t *prefix_n, int64_t *step)
{
    const char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".json") != 0)
        return false;
    const char *digit = dot;
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    size_t n = (size_t)(digit - name), word = n;
    if (digit == dot || dot - digit > 15 || n == 0)
        return false;
    word -= n > 1 && strchr("-_=", name[n - 1]);
    size_t k = word_at_end(name, word);
    *prefix_n = n;
    *step = strtoll(digit, NULL, 10);
    return k && sm_is_metrics_file(name, word - k);
}

bool sm_step_files_is(const char *member)
{
    return sm_ends_with(member, "*.json") || sm_ends_with(member, ".json#step");
}

struct sm_step_files *sm_step_files_new(struct sm_source *source, const char *member)
{
    struct sm_step_files *s = sm_alloc_zero(1, sizeof *s);
    const char *slash = strrchr(member, '/'), *name = slash ? slash + 1 : member;
    if (!s)
        return NULL;
    s->source = source;
    s->one = sm_ends_with(member, "#step");
    s->folder = sm_strndup(member, (size_t)(name - member));
    s->prefix = sm_strndup(name, strcspn(name, s->one ? "#" : "*"));
    if (s->folder && s->prefix)
        return s;
    sm_step_files_free(s);
    return NULL;
}

void sm_step_files_free(struct sm_step_files *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        sm_free(s->files[i].name);
    sm_free(s->files);
    sm_free(s->folder);
    sm_free(s->prefix);
    sm_map_clear(&s->known);
    sm_json_row_clear(&s->row);
    sm_free(s);
}

/* ---- the files ---- */

static bool add_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct sm_step_files *s = ctx;
    size_t n, want = strlen(s->prefix);
    int64_t step;
    uint64_t once;
    (void)inode;
    if (is_dir || !sm_step_file_name(name, &n, &step) || strncmp(name, s->prefix, want) != 0 ||
        (s->one ? name[want] != 0 : n != want) || sm_map_get(&s->known, (uint64_t)step, &once))
        return true;
    char *copy = s->n < FILES_MAX && SM_VEC_ROOM(s->files, s->n, s->cap) ? sm_strdup(name) : NULL;
    if (!copy || !sm_map_put(&s->known, (uint64_t)step, 1)) {
        sm_free(copy);
        s->failed = true;
        return false;
    }
    s->files[s->n++] = (struct step_file){.step = step, .name = copy};
    return true;
}

static int by_step(const void *a, const void *b)
{
    const struct step_file *x = a, *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

/* Lists the folder if it has changed; the root of a source is "". */
static void list_files(struct sm_step_files *s, struct sm_log_sink *sink)
{
    struct sm_err err;
    struct sm_stat st;
    size_t n = strlen(s->folder);
    char *dir = sm_strndup(s->folder, n ? n - 1 : 0);
    if (!dir || !sm_source_stat(s->source, dir, &st, &err) ||
        (st.mtime_us && st.mtime_us == s->listed.mtime_us)) {
        sm_free(dir);
        return;
    }
    s->listed = st;
    if (!sm_source_list(s->source, dir, add_file, s, &err) && err.code != SM_ERR_MISSING)
        sm_log_problem(sink, *dir ? dir : ".", -1, &err);
    if (s->failed)
        s->listed = (struct sm_stat){0};
    s->failed = false;
    if (s->n)
        qsort(s->files, s->n, sizeof *s->files, by_step);
    sm_free(dir);
}

static void put_row(struct sm_step_files *s, const struct step_file *f, struct sm_log_sink *sink)
{
    for (size_t i = 0; i < s->row.n; i++)
        sm_json_row_point(&s->row, &s->row.items[i], sink, f->step, NAN);
}

static void read_file(struct sm_step_files *s, struct step_file *f, struct sm_log_sink *sink)
{
    struct sm_err err;
    struct sm_stat st = {0};
    struct sm_str path = {0}, text = {0};
    sm_str_printf(&path, "%s%s", s->folder, f->name);
    if (path.failed)
        return;
    bool ok = sm_source_load(s->source, sm_str_text(&path), FILE_BYTES_MAX, &text, &st, &err) &&
              sm_json_row_read(&s->row, sm_str_text(&text), text.len, &err);
    bool late = !ok && (err.code == SM_ERR_MEMORY || err.code == SM_ERR_MISSING ||
                        (err.code == SM_ERR_DATA && sm_is_fresh(st.mtime_us)));
    sm_log_written(sink, st.mtime_us);
    if (ok)
        put_row(s, f, sink);
    else if (!late || err.code == SM_ERR_MEMORY)
        sm_log_problem(sink, sm_str_text(&path), -1, &err);
    *f = (struct step_file){.step = f->step,
                            .name = f->name,
                            .size_bytes = st.size_bytes,
                            .inode = st.inode,
                            .mtime_us = st.mtime_us,
                            .read = ok,
                            /* without memory it is read again */ .bad =
                                !ok && err.code != SM_ERR_MEMORY};
    sm_str_clear(&path);
    sm_str_clear(&text);
}

/* Files are written once: those that could not be read, and the last ones, are looked at again. */
static bool has_changed(const struct sm_step_files *s, const struct step_file *f)
{
    struct sm_stat st;
    struct sm_err err;
    struct sm_str path = {0};
    if (!f->read && !f->bad)
        return true;
    if (f->read && f < s->files + s->n - 1)
        return false;
    sm_str_printf(&path, "%s%s", s->folder, f->name);
    bool changed =
        !path.failed && sm_source_stat(s->source, sm_str_text(&path), &st, &err) &&
        (st.size_bytes != f->size_bytes || st.inode != f->inode || st.mtime_us != f->mtime_us);
    sm_str_clear(&path);
    return changed;
}

bool sm_step_files_poll(struct sm_step_files *s, struct sm_log_sink *sink)
{
    size_t taken = 0;
    if (s->next == 0) {
        list_files(s, sink);
        sm_table_settings_read(&s->settings, s->source, s->folder, sink);
    }
    for (; s->next < s->n && taken < FILES_A_TURN; s->next++)
        if (has_changed(s, &s->files[s->next])) {
            read_file(s, &s->files[s->next], sink);
            taken++;
        }
    if (s->next < s->n)
        return true;
    s->next = 0;
    return false;
}
