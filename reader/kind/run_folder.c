/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/run_folder.h"

#include "reader/base/mem.h"
#include "reader/base/utf16.h"
#include "reader/base/vec.h"
#include "reader/kind/trial_kind.h"

#include <stdlib.h>
#include <string.h>

enum { FINDS_MAX = 20000 };

struct sm_run_folder {
    struct sm_source *source;
    char *path, *own_name, *hidden;
    struct sm_run_item *items;
    size_t n, cap;
    const struct sm_trial_kind *kind; /* that is asked */
    struct sm_run_find *finds;
    size_t n_finds, cap_finds;
    const char *only;
    bool failed, cut;
};

static bool add_item(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct sm_run_folder *f = ctx;
    if (!f->only && *name == '.' && is_dir && !f->hidden)
        f->hidden = sm_strdup(name);
    if (f->only ? strcmp(name, f->only) != 0 : *name == '.')
        return true;
    f->cut = f->n >= SM_RUN_FOLDER_ITEMS;
    if (f->cut)
        return false;
    size_t n = is_dir ? strlen(name) : sm_source_plain_name(name);
    char *copy = SM_VEC_ROOM(f->items, f->n, f->cap) ? sm_strndup(name, n) : NULL;
    if (!copy)
        f->failed = true;
    else
        f->items[f->n++] = (struct sm_run_item){
            .name = copy, .inode = inode, .is_dir = is_dir, .packed = name[n] != 0};
    return copy;
}

static int compare_items(const void *a, const void *b)
{
    const struct sm_run_item *x = a, *y = b;
    int order = sm_natural_cmp(x->name, y->name);
    return order ? order : strcmp(x->name, y->name);
}

static int compare_stored(const void *a, const void *b)
{
    const struct sm_run_item *x = a, *y = b;
    int order = compare_items(a, b);
    return order ? order : x->packed - y->packed;
}

/* A file that is there plain and compressed is read plain. */
static void drop_doubles(struct sm_run_folder *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (n && f->items[i].packed && strcmp(f->items[i].name, f->items[n - 1].name) == 0)
            sm_free((char *)(uintptr_t)f->items[i].name);
        else
            f->items[n++] = f->items[i];
    }
    f->n = n;
}

/* The last part of the folder's path, or of where the source is. */
static char *name_of(const struct sm_source *source, const char *path)
{
    char *real = *path ? NULL : realpath(source->root, NULL);
    const char *whole = *path ? path : real ? real : source->root, *slash = strrchr(whole, '/');
    char *name = sm_strdup(slash && slash[1] ? slash + 1 : whole);
    free(real);
    return name;
}

struct sm_run_folder *sm_run_folder_new(struct sm_source *source, const char *path,
                                        const char *only, struct sm_err *err)
{
    struct sm_run_folder *f = sm_alloc_zero(1, sizeof *f);
    if (!f) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory to look for runs");
        return NULL;
    }
    f->source = sm_source_ref(source);
    f->path = sm_strdup(path);
    f->own_name = name_of(source, path);
    f->only = only;
    bool ok = f->path && f->own_name && sm_source_list(source, path, add_item, f, err);
    if (!ok || f->failed) {
        sm_run_folder_free(f);
        if (!err->code)
            sm_err_set(err, SM_ERR_MEMORY, "no memory to look for runs");
        return NULL;
    }
    if (f->n)
        qsort(f->items, f->n, sizeof *f->items, compare_stored);
    drop_doubles(f);
    return f;
}

void sm_run_folder_free(struct sm_run_folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        sm_free((char *)(uintptr_t)f->items[i].name);
    for (size_t i = 0; i < f->n_finds; i++) {
        sm_free(f->finds[i].member);
        sm_free(f->finds[i].name);
    }
    sm_source_unref(f->source);
    sm_free(f->items);
    sm_free(f->finds);
    sm_free(f->path);
    sm_free(f->own_name);
    sm_free(f->hidden);
    sm_free(f);
}

void sm_run_folder_ask(struct sm_run_folder *f, const struct sm_trial_kind *kind)
{
    f->kind = kind;
    if (kind->find)
        kind->find(f);
}

const struct sm_run_find *sm_run_folder_finds(const struct sm_run_folder *f, size_t *n)
{
    *n = f->n_finds;
    return f->finds;
}

const char *sm_run_folder_hidden(const struct sm_run_folder *f)
{
    return f->hidden;
}

bool sm_run_folder_is_cut(const struct sm_run_folder *f)
{
    return f->cut;
}

const char *sm_run_folder_path(const struct sm_run_folder *f)
{
    return f->path;
}

const char *sm_run_folder_name(const struct sm_run_folder *f)
{
    return f->own_name;
}

struct sm_source *sm_run_folder_source(const struct sm_run_folder *f)
{
    return f->source;
}

size_t sm_run_folder_count(const struct sm_run_folder *f)
{
    return f->n;
}

const struct sm_run_item *sm_run_folder_item(const struct sm_run_folder *f, size_t i)
{
    return &f->items[i];
}

bool sm_run_folder_is_given(const struct sm_run_folder *f)
{
    return f->only;
}

/* NULL if the folder does not have it. */
static struct sm_run_item *item_of(const struct sm_run_folder *f, const char *name)
{
    struct sm_run_item key = {.name = name};
    return f->n ? bsearch(&key, f->items, f->n, sizeof *f->items, compare_items) : NULL;
}

static bool has_item(const struct sm_run_folder *f, const char *name, bool is_dir)
{
    const struct sm_run_item *x = item_of(f, name);
    return x && !x->claimed && x->is_dir == is_dir;
}

bool sm_run_folder_has_file(const struct sm_run_folder *f, const char *name)
{
    return has_item(f, name, false);
}

bool sm_run_folder_has_dir(const struct sm_run_folder *f, const char *name)
{
    return has_item(f, name, true);
}

const char *sm_run_folder_join(const struct sm_run_folder *f, const char *name, struct sm_str *out)
{
    sm_str_truncate(out, 0);
    sm_str_printf(out, "%s%s%s", f->path, *f->path ? "/" : "", name);
    return sm_str_text(out);
}

size_t sm_run_folder_head(const struct sm_run_folder *f, const char *name, void *buf, size_t n)
{
    struct sm_str path = {0};
    struct sm_err err = {0};
    size_t got = 0;
    sm_run_folder_join(f, name, &path);
    if (path.failed || !sm_source_read(f->source, sm_str_text(&path), 0, buf, n, &got, &err))
        got = 0;
    sm_str_clear(&path);
    return got;
}

/* n characters of UTF-16, which are n bytes of UTF-8 or more, are 2 * n bytes. */
static size_t wide_head(const struct sm_run_folder *f, const char *name,
                        enum sm_text_encoding encoding, char *buf, size_t n)
{
    struct sm_str text = {0};
    char *raw = sm_alloc(2 * n);
    size_t got = raw ? sm_run_folder_head(f, name, raw, 2 * n) : 0;
    sm_text_decode(encoding, raw, got, &text);
    size_t taken = text.failed ? 0 : text.len < n ? text.len : n;
    memcpy(buf, sm_str_text(&text), taken);
    sm_str_clear(&text);
    sm_free(raw);
    return taken;
}

size_t sm_run_folder_text(const struct sm_run_folder *f, const char *name, char *buf, size_t n)
{
    size_t got = sm_run_folder_head(f, name, buf, n);
    enum sm_text_encoding encoding = sm_text_encoding_of(buf, got);
    return encoding == SM_TEXT_UTF8 ? got : wide_head(f, name, encoding, buf, n);
}

void sm_run_folder_claim(struct sm_run_folder *f, const char *name)
{
    struct sm_run_item *x = item_of(f, name);
    if (x)
        x->claimed = true;
}

void sm_run_folder_claim_all(struct sm_run_folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        f->items[i].claimed = true;
}

bool sm_run_folder_join_run(struct sm_run_folder *f)
{
    struct sm_run_find *run = NULL;
    size_t n = 0;
    for (size_t i = 0; i < f->n_finds; i++) {
        const struct sm_trial_traits *traits = f->finds[i].kind->traits;
        if (f->finds[i].kind->log || (traits && traits->runs && f->finds[i].kind->find)) {
            run = &f->finds[i];
            n++;
        }
    }
    if (n != 1 || run->beside)
        return false;
    run->beside = f->kind;
    return true;
}

void sm_run_folder_add(struct sm_run_folder *f, const char *member, const char *name)
{
    if (f->n_finds >= FINDS_MAX || !SM_VEC_ROOM(f->finds, f->n_finds, f->cap_finds))
        return;
    struct sm_run_find *x = &f->finds[f->n_finds++];
    *x = (struct sm_run_find){.kind = f->kind,
                              .member = member ? sm_strdup(member) : NULL,
                              .name = name ? sm_strdup(name) : NULL};
}
