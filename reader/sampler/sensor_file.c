/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/sensor_file.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/sampler/sensor_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST_BYTES = 32 * 1024, MOST_BYTES = 4 * 1024 * 1024, PATH_BYTES = 512 };

bool sm_sensor_buffer_init(struct sm_sensor_buffer *b)
{
    *b = (struct sm_sensor_buffer){.bytes = sm_alloc(FIRST_BYTES), .cap = FIRST_BYTES};
    return b->bytes != NULL;
}

void sm_sensor_buffer_clear(struct sm_sensor_buffer *b)
{
    sm_free(b->bytes);
    *b = (struct sm_sensor_buffer){0};
}

static int open_path(int root, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
static int open_path(int root, const char *fmt, va_list ap)
{
    char path[PATH_BYTES];
    int n = vsnprintf(path, sizeof path, fmt, ap);
    return n > 0 && n < PATH_BYTES ? openat(root, path, O_RDONLY | O_CLOEXEC) : -1;
}

bool sm_sensor_open(struct sm_sensor_file *f, int root, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    f->fd = open_path(root, fmt, ap);
    va_end(ap);
    return f->fd >= 0;
}

void sm_sensor_close(struct sm_sensor_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

/* A text that fills the buffer may go on: it is read again with a larger one. */
struct sm_text sm_sensor_read(const struct sm_sensor_file *f, struct sm_sensor_buffer *b)
{
    for (;;) {
        ssize_t n = f->fd < 0 ? -1 : pread(f->fd, b->bytes, b->cap, 0);
        if (n <= 0)
            return (struct sm_text){b->bytes, 0};
        if ((size_t)n < b->cap || b->cap >= MOST_BYTES)
            return (struct sm_text){b->bytes, (size_t)n};
        char *larger = sm_realloc(b->bytes, b->cap, 2);
        if (!larger)
            return (struct sm_text){b->bytes, (size_t)n};
        b->bytes = larger;
        b->cap *= 2;
    }
}

bool sm_sensor_read_u64(const struct sm_sensor_file *f, struct sm_sensor_buffer *b, uint64_t *out)
{
    struct sm_text text = sm_sensor_read(f, b);
    return sm_sensor_u64(&text, out);
}

struct sm_text sm_sensor_read_once(struct sm_sensor_buffer *b, int root, const char *fmt, ...)
{
    struct sm_sensor_file f;
    va_list ap;
    va_start(ap, fmt);
    f.fd = open_path(root, fmt, ap);
    va_end(ap);
    struct sm_text text = sm_sensor_read(&f, b);
    sm_sensor_close(&f);
    return text;
}

/* ---- directories ---- */

struct names {
    char **items;
    size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
    return sm_natural_cmp(*(char *const *)a, *(char *const *)b);
}

static void read_names(DIR *d, size_t most, struct names *out)
{
    for (const struct dirent *e; out->n < most && (e = readdir(d));) {
        if (e->d_name[0] == '.' || !SM_VEC_ROOM(out->items, out->n, out->cap))
            continue;
        out->items[out->n] = sm_strdup(e->d_name);
        out->n += out->items[out->n] != NULL;
    }
}

void sm_sensor_list(int root, const char *path, size_t most,
                    void (*each)(void *ctx, const char *name), void *ctx)
{
    struct names names = {0};
    int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (d) {
        read_names(d, most, &names);
        closedir(d);
    } else if (fd >= 0) {
        close(fd);
    }
    if (names.n)
        qsort(names.items, names.n, sizeof *names.items, by_name);
    for (size_t i = 0; i < names.n; i++) {
        each(ctx, names.items[i]);
        sm_free(names.items[i]);
    }
    sm_free(names.items);
}
