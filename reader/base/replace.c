/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/replace.h"

#include "reader/base/mem.h"
#include "reader/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 16, TRIES = 100 };

/* The names to remove when a signal ends the program. */
static _Atomic(char *) open_names[PLACES];

static unsigned register_name(char *name)
{
    for (unsigned i = 0; i < PLACES; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&open_names[i], &none, name))
            return i;
    }
    return PLACES;
}

static void unregister_name(unsigned place)
{
    if (place < PLACES)
        atomic_store(&open_names[place], NULL);
}

void sm_replacements_unlink(void)
{
    for (unsigned i = 0; i < PLACES; i++) {
        const char *name = atomic_load(&open_names[i]);
        if (name)
            unlink(name);
    }
}

/* Process numbers repeat in containers that share a folder, so the name is random. */
static char *temporary_name(const char *path)
{
    struct sm_str name = {0};
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = (uint64_t)getpid();
    sm_str_printf(&name, "%s.%08llx.tmp", path, (unsigned long long)(number & 0xffffffff));
    char *copy = name.failed ? NULL : sm_strdup(sm_str_text(&name));
    sm_str_clear(&name);
    return copy;
}

/* A name that exists is another writer's. */
static bool create_temporary(struct sm_replacement *r, mode_t mode)
{
    for (int i = 0; i < TRIES; i++) {
        r->temporary = temporary_name(r->path);
        if (!r->temporary)
            break;
        r->place = register_name(r->temporary);
        r->fd = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (r->fd >= 0)
            return true;
        unregister_name(r->place);
        sm_free(r->temporary);
        r->temporary = NULL;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool sm_replacement_begin(struct sm_replacement *r, const char *path, mode_t mode)
{
    *r = (struct sm_replacement){.fd = -1, .path = sm_strdup(path)};
    errno = ENOMEM;
    if (r->path && create_temporary(r, mode))
        return true;
    int why = errno;
    sm_free(r->path);
    errno = why;
    return false;
}

/* A file that is replaced gives its mode. */
static bool finish(struct sm_replacement *r)
{
    struct stat st;
    bool ok = stat(r->path, &st) != 0 || chmod(r->temporary, st.st_mode & 07777) == 0;
    int fd = r->fd;
    r->fd = -1;
    ok = (fd < 0 || close(fd) == 0) && ok;
    return ok && rename(r->temporary, r->path) == 0;
}

bool sm_replacement_end(struct sm_replacement *r, bool keep)
{
    bool ok = keep && finish(r);
    int why = errno;
    if (r->fd >= 0)
        close(r->fd);
    if (!ok)
        unlink(r->temporary);
    unregister_name(r->place);
    sm_free(r->temporary);
    sm_free(r->path);
    errno = why;
    return ok;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR)
            return false;
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

bool sm_replace_file(const char *path, const char *bytes, size_t n, mode_t mode)
{
    struct sm_replacement r;
    return sm_replacement_begin(&r, path, mode) &&
           sm_replacement_end(&r, write_all(r.fd, bytes, n));
}
