/* SPDX-License-Identifier: Apache-2.0 */
/* Files in memory, unsorted: for tests and fuzzing, a few files. */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/source/source.h"

#include <string.h>

struct file {
    char *path;
    char *bytes;
    size_t n;
    uint64_t inode;
};
struct source_mem {
    struct sm_source base;
    struct file *files;
    size_t n, cap;
    uint64_t inodes;
};

static struct file *find_memory_file(struct source_mem *m, const char *path)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->files[i].path, path) == 0)
            return &m->files[i];
    return NULL;
}

/* The name directly below dir that path passes through, or NULL. */
static const char *name_below(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    if (!n)
        return path;
    return strncmp(path, dir, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

static bool listed_before(const struct source_mem *m, size_t i, const char *dir, const char *name,
                          size_t len)
{
    for (size_t k = 0; k < i; k++) {
        const char *other = name_below(m->files[k].path, dir);
        if (other && strncmp(other, name, len) == 0 && (other[len] == '/' || other[len] == 0))
            return true;
    }
    return false;
}

static bool mem_list(struct sm_source *s, const char *dir,
                     bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                     void *ctx, struct sm_err *err)
{
    struct source_mem *m = (struct source_mem *)s;
    bool found = !*dir, more = true;
    for (size_t i = 0; i < m->n && more; i++) {
        const char *name = name_below(m->files[i].path, dir);
        size_t len = name ? strcspn(name, "/") : 0;
        found = found || name;
        if (!name || listed_before(m, i, dir, name, len))
            continue;
        char *copy = sm_strndup(name, len);
        if (!copy)
            return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", dir);
        more = each(ctx, copy, name[len] == '/' ? 0 : m->files[i].inode, name[len] == '/');
        sm_free(copy);
    }
    return found || sm_err_set(err, SM_ERR_MISSING, "%s: no such file", dir);
}

static bool mem_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    struct source_mem *m = (struct source_mem *)s;
    const struct file *f = find_memory_file(m, path);
    *out = (struct sm_stat){0};
    if (f) {
        out->size_bytes = f->n;
        out->inode = f->inode;
        return true;
    }
    for (size_t i = 0; i < m->n; i++)
        if (name_below(m->files[i].path, path))
            return out->is_dir = true;
    return sm_err_set(err, SM_ERR_MISSING, "%s: no such file", path);
}

static bool mem_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                     size_t *got, struct sm_err *err)
{
    const struct file *f = find_memory_file((struct source_mem *)s, path);
    if (!f)
        return sm_err_set(err, SM_ERR_MISSING, "%s: no such file", path);
    *got = offset >= f->n ? 0 : f->n - offset < n ? (size_t)(f->n - offset) : n;
    if (*got)
        memcpy(buf, f->bytes + offset, *got);
    return true;
}

static void mem_free(struct sm_source *s)
{
    struct source_mem *m = (struct source_mem *)s;
    for (size_t i = 0; i < m->n; i++) {
        sm_free(m->files[i].path);
        sm_free(m->files[i].bytes);
    }
    sm_free(m->files);
    sm_free(m);
}

struct sm_source *sm_source_mem_new(struct sm_err *err)
{
    static const struct sm_source_ops ops = {
        .list = mem_list, .stat = mem_stat, .read = mem_read, .free = mem_free};
    struct source_mem *m = sm_alloc_zero(1, sizeof *m);
    if (!m || !sm_source_init(&m->base, &ops, "memory")) {
        sm_free(m);
        sm_err_set(err, SM_ERR_MEMORY, "no memory");
        return NULL;
    }
    return &m->base;
}

bool sm_source_mem_put(struct sm_source *s, const char *path, const void *bytes, size_t n)
{
    struct source_mem *m = (struct source_mem *)s;
    char *copy = sm_strndup(n ? bytes : "", n);
    struct file *f = find_memory_file(m, path);
    if (!copy)
        return false;
    if (!f) {
        char *name = SM_VEC_ROOM(m->files, m->n, m->cap) ? sm_strdup(path) : NULL;
        if (!name) {
            sm_free(copy);
            return false;
        }
        f = &m->files[m->n++];
        *f = (struct file){.path = name};
    }
    sm_free(f->bytes);
    f->bytes = copy;
    f->n = n;
    f->inode = ++m->inodes;
    return true;
}

bool sm_source_mem_remove(struct sm_source *s, const char *path)
{
    struct source_mem *m = (struct source_mem *)s;
    struct file *f = find_memory_file(m, path);
    if (!f)
        return false;
    sm_free(f->path);
    sm_free(f->bytes);
    *f = m->files[--m->n];
    return true;
}
