#include "reader/base/replace.h"

#include "reader/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool write_temporary(int fd, const char *path, const char *bytes, size_t n)
{
    struct stat st;
    bool ok =
        write_all(fd, bytes, n) && (stat(path, &st) != 0 || fchmod(fd, st.st_mode & 07777) == 0);
    int why = errno;
    if (close(fd) != 0 && ok)
        return false;
    errno = why;
    return ok;
}

bool sm_replace_file(const char *path, const char *bytes, size_t n, mode_t mode)
{
    struct sm_str name = {0};
    sm_str_printf(&name, "%s.%ld.tmp", path, (long)getpid());
    int fd = open(sm_str_text(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    bool ok =
        fd >= 0 && write_temporary(fd, path, bytes, n) && rename(sm_str_text(&name), path) == 0;
    int why = errno;
    if (fd >= 0 && !ok)
        unlink(sm_str_text(&name));
    sm_str_clear(&name);
    errno = why;
    return ok;
}
