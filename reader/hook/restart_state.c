/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps metadata.json beside the program's checkpoints, so that a restarted job continues its step
 * numbers (doc/formats.md "Restarts"). */
#include "reader/hook/hook_private.h"

#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/index_json.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_PATH "/opt/ml/input/config/checkpointconfig.json"
#define STATE_FILE  "metadata.json"
enum { DEPTH_MAX = 8 };

struct hook_state {
    char *dir;                   /* folder of the program's checkpoints */
    int64_t since_us;            /* time of the newest known checkpoint */
    int64_t run;                 /* number of earlier runs of the job */
    struct hook_progress *items; /* entries of the file */
    size_t n, cap;
};

/* ---- the file ---- */

struct state_reader {
    struct hook_state *state;
    struct hook_progress now;
    char key[32];
    unsigned depth;
    struct sm_err *err;
};

static const struct hook_progress no_progress = {.saved = -1, .last = {-1, -1, -1, -1, -1}};

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct state_reader *r = ctx;
    n = n < sizeof r->key - 1 ? n : sizeof r->key - 1;
    memcpy(r->key, p, n);
    r->key[n] = 0;
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct state_reader *r = ctx;
    int64_t v;
    if (!sm_json_int(digits, n, &v) || v < 0 || v > INT64_MAX / 2)
        return true;
    for (int mode = SMDBG_TRAIN; r->depth == 2 && mode <= SMDBG_GLOBAL; mode++)
        if (strcmp(r->key, sm_mode_name(mode)) == 0)
            r->now.last[mode] = v;
    if (r->depth != 1)
        return true;
    if (strcmp(r->key, "training-run") == 0)
        r->now.run = v;
    else if (strcmp(r->key, "latest-global-step-saved") == 0)
        r->now.saved = v;
    else if (strcmp(r->key, "latest-global-step-seen") == 0)
        r->now.last[0] = v;
    return true;
}

static bool on_start_map(void *ctx)
{
    struct state_reader *r = ctx;
    if (++r->depth == 1)
        r->now = no_progress;
    return true;
}

static bool add_progress(struct hook_state *s, const struct hook_progress *p, struct sm_err *err)
{
    if (!SM_VEC_ROOM(s->items, s->n, s->cap))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %s", STATE_FILE);
    s->items[s->n++] = *p;
    return true;
}

static bool on_end_map(void *ctx)
{
    struct state_reader *r = ctx;
    return --r->depth || r->now.last[0] < 0 || add_progress(r->state, &r->now, r->err);
}

static bool read_states(struct hook_state *s, const char *path, struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        .number = on_number, .key = on_key, .start_map = on_start_map, .end_map = on_end_map};
    struct state_reader r = {.state = s, .err = err};
    struct sm_str text = {0};
    if (access(path, F_OK) != 0)
        return true;
    bool ok = hook_config_text(path, &text, err);
    if (ok && !sm_json_parse(sm_str_text(&text), text.len, &ops, &r, err))
        ok = sm_err_prefix(err, "%s", path);
    sm_str_clear(&text);
    return ok;
}

static void add_json(struct sm_str *out, const struct hook_progress *p)
{
    static const int modes[] = {SMDBG_TRAIN, SMDBG_EVAL, SMDBG_PREDICT};
    sm_str_printf(out,
                  "{\"training-run\": %lld, \"latest-global-step-saved\": ", (long long)p->run);
    if (p->saved < 0)
        sm_str_add(out, "null");
    else
        sm_str_printf(out, "%lld", (long long)p->saved);
    sm_str_printf(out,
                  ", \"latest-global-step-seen\": %lld, \"latest-mode-step\": {\"GLOBAL\": %lld",
                  (long long)p->last[0], (long long)p->last[0]);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (p->last[modes[i]] >= 0)
            sm_str_printf(out, ", \"%s\": %lld", sm_mode_name(modes[i]),
                          (long long)p->last[modes[i]]);
    sm_str_add(out, "}}");
}

static bool write_states(struct hook_state *s, struct sm_err *err)
{
    struct sm_str text = {0};
    struct sm_writer *files = NULL;
    sm_str_addc(&text, '[');
    for (size_t i = 0; i < s->n; i++) {
        sm_str_add(&text, i ? ", " : "");
        add_json(&text, &s->items[i]);
    }
    sm_str_addc(&text, ']');
    bool ok = sm_writer_open(s->dir, "state", &files, err) &&
              sm_writer_file(files, STATE_FILE, &text, err);
    sm_writer_close(files);
    sm_str_clear(&text);
    return ok;
}

/* ---- checkpoints ---- */

static bool is_state_file(const char *name)
{
    return strncmp(name, STATE_FILE, strlen(STATE_FILE)) == 0;
}

/* The latest change of a subfolder at any depth, or of a file in the topmost folder. 0: none. */
static int64_t newest_us(int parent, const char *name, unsigned depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    int64_t newest = 0;
    const struct dirent *e;
    if (!d && fd >= 0)
        close(fd);
    while (d && (e = readdir(d))) {
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            is_state_file(e->d_name) || fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            (depth && !S_ISDIR(st.st_mode)))
            continue;
        int64_t here = (int64_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000;
        int64_t below =
            S_ISDIR(st.st_mode) && depth < DEPTH_MAX ? newest_us(fd, e->d_name, depth + 1) : 0;
        newest = here > newest ? here : newest;
        newest = below > newest ? below : newest;
    }
    if (d)
        closedir(d);
    return newest;
}

bool hook_state_update(struct hook_state *s, const struct hook_item *x, struct sm_err *err)
{
    struct hook_progress p;
    int64_t newest = newest_us(AT_FDCWD, s->dir, 0);
    if (newest <= s->since_us)
        return true;
    memcpy(&p, x->data, sizeof p);
    p.run = s->run;
    s->since_us = newest;
    return add_progress(s, &p, err) && write_states(s, err);
}

/* ---- creation ---- */

static void resume_steps(struct hook_state *s, int64_t *next)
{
    const struct hook_progress *last = NULL;
    for (size_t i = 0; i < s->n; i++)
        if (!last || s->items[i].last[0] >= last->last[0])
            last = &s->items[i];
    s->run = last ? last->run + 1 : 0;
    for (int i = 0; last && i <= SMDBG_GLOBAL; i++)
        next[i] = last->last[i] + 1;
}

struct hook_state *hook_state_new(int64_t *next, struct sm_err *err)
{
    struct hook_state *s = NULL;
    struct sm_str path = {0};
    char *dir = NULL;
    bool found;
    if (!hook_config_path("CHECKPOINT_CONFIG_FILE_PATH", CONFIG_PATH, &dir, &found, err) || !dir)
        return NULL;
    s = sm_alloc_zero(1, sizeof *s);
    if (!s) {
        sm_free(dir);
        sm_err_set(err, SM_ERR_MEMORY, "no memory for the state of a job");
        return NULL;
    }
    s->dir = dir;
    s->since_us = newest_us(AT_FDCWD, dir, 0);
    sm_str_printf(&path, "%s/" STATE_FILE, dir);
    if (!path.failed && read_states(s, sm_str_text(&path), err))
        resume_steps(s, next);
    sm_str_clear(&path);
    return s;
}

void hook_state_free(struct hook_state *s)
{
    if (!s)
        return;
    sm_free(s->items);
    sm_free(s->dir);
    sm_free(s);
}
