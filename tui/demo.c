/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/demo.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/demo/train.h"
#include "reader/hook/writer.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_US     50000                 /* per step, at speed 1 */
#define SPACE_BYTES ((uint64_t)256 << 20) /* several times the size of a demo's trial */

enum { RESULT_OK = '+', RESULT_FAILED = '-' }; /* the first character of the result */

/* ---- the training's process ---- */

struct trainer {
    const struct sm_demo *demo;
    int seed;
    const char *dir, *scratch; /* scratch: a directory to remove, or NULL */
    int fd;
    bool paced;
    int64_t step_us, next_us;
};

/* Waits for `us`, or without limit if -1. Returns false if the debugger has ended. */
static bool wait_for_debugger(int fd, int64_t us)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n = poll(&p, 1, us < 0 ? -1 : (int)((us + 999) / 1000));
    return n == 0 || (n < 0 && errno == EINTR);
}

static bool before_step(void *ctx, int64_t step)
{
    struct trainer *c = ctx;
    (void)step;
    int64_t now = sm_clock_mono_us(), left = c->paced && c->next_us > now ? c->next_us - now : 0;
    c->next_us = now + left + c->step_us;
    return wait_for_debugger(c->fd, left);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

static void send_result(const struct trainer *c, char how, const char *text)
{
    struct sm_str line = {0};
    sm_str_addc(&line, how);
    sm_str_add(&line, text);
    send(c->fd, sm_str_text(&line), line.len, MSG_NOSIGNAL);
    shutdown(c->fd, SHUT_WR);
    sm_str_clear(&line);
}

/* Keeps the trial until the debugger ends. */
static void exit_trainer(const struct trainer *c)
{
    while (wait_for_debugger(c->fd, -1))
        ;
    if (c->scratch)
        nftw(c->scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

static void on_stall(void *ctx)
{
    const struct trainer *c = ctx;
    char text[80];
    snprintf(text, sizeof text, "%s: stopped writing after %lld training steps", c->demo->name,
             (long long)c->demo->stall_at);
    send_result(c, RESULT_OK, text);
    exit_trainer(c);
}

/* The training must not read keys from the terminal. */
static void detach_from_terminal(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    setsid();
}

static void run_training(struct trainer *c)
{
    const struct sm_demo_run run = {.demo = c->demo,
                                    .seed = (uint64_t)c->seed,
                                    .dir = c->dir,
                                    .before_step = before_step,
                                    .stalled = on_stall,
                                    .ctx = c};
    struct sm_demo_result r;
    struct sm_err err = {0};
    char text[160];
    detach_from_terminal();
    if (!sm_demo_train(&run, &r, &err)) {
        send_result(c, RESULT_FAILED, err.msg);
        exit_trainer(c);
    }
    int n = snprintf(text, sizeof text, "%s, seed %d: %lld training steps", c->demo->name, c->seed,
                     (long long)r.steps);
    if (!isnan(r.accuracy))
        snprintf(text + n, sizeof text - (size_t)n, ", accuracy %.3f, loss %.4g", r.accuracy,
                 fabs(r.loss));
    send_result(c, RESULT_OK, text);
    exit_trainer(c);
}

/* ---- its directory ---- */

static bool has_space(const char *dir)
{
    struct statvfs v;
    return dir && dir[0] == '/' && access(dir, W_OK | X_OK) == 0 && statvfs(dir, &v) == 0 &&
           (uint64_t)v.f_bavail * v.f_frsize >= SPACE_BYTES;
}

static bool make_scratch(struct sm_str *out, struct sm_err *err)
{
    const char *const places[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR")};
    const char *place = "/tmp";
    for (size_t i = 2; i-- > 0;)
        if (has_space(places[i]))
            place = places[i];
    sm_str_printf(out, "%s/smdbg-demo-XXXXXX", place);
    return mkdtemp(out->data) != NULL || sm_err_errno(err, "%s", out->data);
}

static bool make_out(const char *dir, struct sm_err *err)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return sm_err_errno(err, "%s", dir);
    return sm_writer_dir_is_free(dir) ||
           sm_err_set(err, SM_ERR_REFUSED, "%s: directory is not empty", dir);
}

/* ---- the debugger's process ---- */

static bool fork_trainer(struct sm_training *t, struct trainer *c, struct sm_err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return sm_err_errno(err, "socketpair");
    t->pid = fork();
    if (t->pid == 0) {
        close(ends[0]);
        c->fd = ends[1];
        run_training(c);
    }
    close(ends[1]);
    t->fd = ends[0];
    if (t->pid > 0)
        return true;
    sm_err_errno(err, "fork");
    close(t->fd);
    return false;
}

bool sm_training_start(struct sm_training *t, const struct sm_options *o, bool paced,
                       struct sm_err *err)
{
    struct sm_str scratch = {0};
    struct trainer c = {.seed = o->seed < 0 ? 1 : o->seed,
                        .demo = *o->demo ? sm_demo_find(o->demo) : sm_demo_table,
                        .paced = paced,
                        .step_us = (int64_t)(STEP_US / o->speed)};
    *t = (struct sm_training){.fd = -1};
    bool ok = o->out ? make_out(o->out, err) : make_scratch(&scratch, err);
    if (o->out)
        sm_str_add(&t->dir, o->out);
    else
        sm_str_printf(&t->dir, "%s/%s", sm_str_text(&scratch), c.demo->name);
    c.dir = sm_str_text(&t->dir);
    c.scratch = o->out ? NULL : sm_str_text(&scratch);
    if (ok && !fork_trainer(t, &c, err)) {
        ok = false;
        if (c.scratch)
            rmdir(c.scratch);
    }
    if (!ok)
        sm_str_clear(&t->dir);
    sm_str_clear(&scratch);
    return ok;
}

bool sm_training_wait(struct sm_training *t, struct sm_str *out, struct sm_err *err)
{
    char chunk[256];
    ssize_t n;
    struct sm_str result = {0};
    while ((n = read(t->fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
        sm_str_addn(&result, chunk, n > 0 ? (size_t)n : 0);
    const char *text = sm_str_text(&result);
    bool ok = text[0] == RESULT_OK;
    if (ok)
        sm_str_add(out, text + 1);
    else
        sm_err_set(err, SM_ERR_IO, "%s", text[0] ? text + 1 : "the training process crashed");
    sm_str_clear(&result);
    return ok;
}

void sm_training_stop(struct sm_training *t)
{
    close(t->fd);
    while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    sm_str_clear(&t->dir);
}

/* ---- --demo ---- */

static int print_text(const struct sm_str *text)
{
    return sm_terminal_write(STDOUT_FILENO, sm_str_text(text), text->len) ? 0 : 1;
}

static int print_list(void)
{
    struct sm_str text = {0};
    for (const struct sm_demo *d = sm_demo_table; d->name; d++)
        sm_str_printf(&text, "%-28s%s\n", d->name, d->summary);
    int status = print_text(&text);
    sm_str_clear(&text);
    return status;
}

/* Returns true if the user or a program follows the training while it runs. */
static bool is_watched(const struct sm_options *o)
{
    bool program = o->interpreter && strcmp(o->interpreter, "json") == 0;
    return program || (o->batch && o->follow == SM_YES) || o->keys ||
           (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !o->batch && !o->inspect && !o->check);
}

static int print_error(const struct sm_err *err)
{
    fprintf(stderr, "smdbg: %s\n", err->msg);
    return 1;
}

/* Waits for the end of the training and prints its result. */
static bool wait_and_print(struct sm_training *t, const struct sm_options *o, struct sm_err *err)
{
    struct sm_str result = {0};
    bool ok = sm_training_wait(t, &result, err);
    sm_str_addc(&result, '\n');
    if (ok && !o->batch)
        print_text(&result);
    sm_str_clear(&result);
    return ok;
}

int sm_demo_run(const struct sm_options *o, int (*run)(const struct sm_options *o))
{
    struct sm_training t;
    struct sm_err err = {0};
    if (strcmp(o->demo, "list") == 0)
        return print_list();
    bool watched = is_watched(o);
    if (!sm_training_start(&t, o, watched, &err))
        return print_error(&err);
    struct sm_options shown = *o;
    struct sm_start_item report[] = {{.text = "report"}, {.text = "echo"}};
    const char *trial = sm_str_text(&t.dir);
    shown.trials = &trial;
    shown.n_trials = 1;
    shown.wait = true;
    if (!watched && !o->inspect && !o->check && !sm_options_have_commands(o, false)) {
        shown.inspect = true;
        shown.items = report;
        shown.n_items = 2;
    }
    int status = watched || wait_and_print(&t, o, &err) ? run(&shown) : print_error(&err);
    if (o->out && watched)
        fprintf(stderr, "smdbg: the trial is in %s\n", o->out);
    sm_training_stop(&t);
    return status;
}
