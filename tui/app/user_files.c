/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/user_files.h"

#include "commands/session/permission.h"
#include "reader/base/mem.h"
#include "reader/base/replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *user_path(const char *variable, const char *below_home, const char *name)
{
    const char *xdg = getenv(variable), *home = getenv("HOME");
    struct sm_str path = {0};
    if (xdg && xdg[0] == '/')
        sm_str_printf(&path, "%s/smdbg/%s", xdg, name);
    else if (home && home[0] == '/')
        sm_str_printf(&path, "%s/%s/smdbg/%s", home, below_home, name);
    return path.data;
}

char *sm_user_file_state(const char *name)
{
    return user_path("XDG_STATE_HOME", ".local/state", name);
}

char *sm_user_file_config(const char *name)
{
    return user_path("XDG_CONFIG_HOME", ".config", name);
}

bool sm_user_file_make(const struct sm_session *s, const char *path)
{
    struct sm_str dir = {0};
    const char *home = getenv("HOME");
    size_t n = home ? strlen(home) : 0;
    struct sm_err err;
    bool ok = sm_session_may(s, SM_DEED_WRITE, &err);
    if (!ok)
        errno = EROFS;
    /* HOME must exist already */
    size_t from = n && strncmp(path, home, n) == 0 && path[n] == '/' ? n + 1 : 0;
    for (const char *p = path + from; ok && (p = strchr(p, '/')); p++) {
        if (p == path)
            continue;
        sm_str_truncate(&dir, 0);
        sm_str_addn(&dir, path, (size_t)(p - path));
        ok = mkdir(sm_str_text(&dir), 0700) == 0 || errno == EEXIST;
    }
    sm_str_clear(&dir);
    return ok;
}

bool sm_user_file_read(const char *path, struct sm_str *out)
{
    char chunk[4096];
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0 && out->len < SM_USER_FILE_MAX;)
        sm_str_addn(out, chunk, n);
    fclose(f);
    return true;
}

bool sm_user_file_write(const struct sm_session *s, const char *path, const struct sm_str *text)
{
    return sm_user_file_make(s, path) && sm_replace_file(path, sm_str_text(text), text->len, 0600);
}
