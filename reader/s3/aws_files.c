/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/aws_files.h"

#include "reader/base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

struct parse {
    struct sm_aws_files *files;
    const char *section; /* NULL: before the first, or one that is not read */
    const char *parent;  /* of indented lines, or NULL */
};

static struct sm_text trim(struct sm_text t)
{
    while (t.n && strchr(" \t\r", t.p[0]))
        t = (struct sm_text){t.p + 1, t.n - 1};
    while (t.n && strchr(" \t\r", t.p[t.n - 1]))
        t.n--;
    return t;
}

/* A comment ends a line where '#' or ';' follows a blank, or is its first letter. */
static struct sm_text without_comment(struct sm_text t)
{
    for (size_t i = 0; i < t.n; i++) {
        if ((t.p[i] == '#' || t.p[i] == ';') && (i == 0 || strchr(" \t", t.p[i - 1])))
            return (struct sm_text){t.p, i};
    }
    return t;
}

static bool add_setting(struct parse *p, struct sm_text name, struct sm_text value)
{
    struct sm_aws_files *f = p->files;
    if (!SM_VEC_ROOM(f->items, f->n, f->cap))
        return false;
    char *n = p->parent ? sm_arena_alloc(&f->arena, strlen(p->parent) + name.n + 2)
                        : sm_arena_strndup(&f->arena, name.p, name.n);
    if (n && p->parent)
        snprintf(n, strlen(p->parent) + name.n + 2, "%s.%.*s", p->parent, (int)name.n, name.p);
    char *v = sm_arena_strndup(&f->arena, value.p, value.n);
    if (!n || !v)
        return false;
    f->items[f->n++] = (struct sm_aws_setting){p->section, n, v};
    return true;
}

static bool read_line(struct parse *p, struct sm_text line)
{
    bool indented = line.n && strchr(" \t", line.p[0]);
    line = trim(without_comment(line));
    if (!line.n)
        return true;
    if (line.p[0] == '[') {
        const char *end = memchr(line.p, ']', line.n);
        struct sm_text name =
            trim((struct sm_text){line.p + 1, end ? (size_t)(end - line.p) - 1 : line.n - 1});
        p->section = sm_arena_strndup(&p->files->arena, name.p, name.n);
        p->parent = NULL;
        return p->section;
    }
    const char *equals = memchr(line.p, '=', line.n);
    if (!p->section || !equals)
        return true;
    struct sm_text name = trim((struct sm_text){line.p, (size_t)(equals - line.p)});
    struct sm_text value =
        trim((struct sm_text){equals + 1, line.n - (size_t)(equals - line.p) - 1});
    if (!indented)
        p->parent = NULL;
    if (!add_setting(p, name, value))
        return false;
    if (!indented && !value.n)
        p->parent = p->files->items[p->files->n - 1].name;
    return true;
}

bool sm_aws_files_parse(struct sm_aws_files *f, const char *text, size_t n)
{
    struct parse p = {.files = f};
    for (size_t at = 0; at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t length = end ? (size_t)(end - text) - at : n - at;
        if (!read_line(&p, (struct sm_text){text + at, length}))
            return false;
        at += length + 1;
    }
    return true;
}

static bool read_file(struct sm_aws_files *f, const char *path, struct sm_err *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES ||
               sm_err_errno(err, "%s", path);
    char *text = sm_alloc(FILE_MAX);
    size_t n = text ? fread(text, 1, FILE_MAX, file) : 0;
    bool ok = text && sm_aws_files_parse(f, text, n);
    fclose(file);
    sm_free(text);
    return ok || sm_err_set(err, SM_ERR_MEMORY, "out of memory");
}

void sm_aws_files_path(enum sm_aws_file which, struct sm_str *out)
{
    static const struct {
        const char *variable, *name;
    } files[] = {[SM_AWS_CREDENTIALS] = {"AWS_SHARED_CREDENTIALS_FILE", "credentials"},
                 [SM_AWS_CONFIG] = {"AWS_CONFIG_FILE", "config"}};
    const char *home = getenv("HOME"), *given = getenv(files[which].variable);
    if (given && *given)
        sm_str_add(out, given);
    else if (home)
        sm_str_printf(out, "%s/.aws/%s", home, files[which].name);
}

bool sm_aws_files_read(struct sm_aws_files *f, struct sm_err *err)
{
    bool ok = true;
    for (enum sm_aws_file i = SM_AWS_CREDENTIALS; ok && i <= SM_AWS_CONFIG; i++) {
        struct sm_str path = {0};
        sm_aws_files_path(i, &path);
        ok = !path.len || read_file(f, sm_str_text(&path), err);
        sm_str_clear(&path);
    }
    return ok;
}

void sm_aws_files_clear(struct sm_aws_files *f)
{
    sm_free(f->items);
    sm_arena_clear(&f->arena);
    *f = (struct sm_aws_files){0};
}

const char *sm_aws_files_get(const struct sm_aws_files *f, const char *section, const char *name)
{
    for (size_t i = 0; i < f->n; i++) {
        if (strcmp(f->items[i].section, section) == 0 && strcmp(f->items[i].name, name) == 0)
            return f->items[i].value;
    }
    return NULL;
}

/* "profile NAME" with any number of blanks. */
static bool is_profile(const char *section, const char *profile)
{
    if (strcmp(section, profile) == 0)
        return true;
    if (strncmp(section, "profile", 7) != 0 || !strchr(" \t", section[7]))
        return false;
    return strcmp(section + 7 + strspn(section + 7, " \t"), profile) == 0;
}

const char *sm_aws_profile_get(const struct sm_aws_files *f, const char *profile, const char *name)
{
    for (size_t i = 0; i < f->n; i++) {
        if (is_profile(f->items[i].section, profile) && strcmp(f->items[i].name, name) == 0)
            return f->items[i].value;
    }
    return NULL;
}

bool sm_aws_profile_exists(const struct sm_aws_files *f, const char *profile)
{
    for (size_t i = 0; i < f->n; i++) {
        if (is_profile(f->items[i].section, profile))
            return true;
    }
    return false;
}
