/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/nvidia_smi.h"

#include "reader/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the order of sm_smi_parse; "throttle" is understood by old and new versions. */
static const char query[] = "--query-gpu=index,utilization.gpu,memory.used,memory.total,power.draw,"
                            "temperature.gpu,clocks.sm,clocks.mem,clocks_throttle_reasons.active";
static const struct {
    enum sm_gpu_figure figure;
    double scale;
} columns[] = {
    {SM_GPU_BUSY, 1},
    {SM_GPU_USED_BYTES, 1 << 20},
    {SM_GPU_TOTAL_BYTES, 1 << 20},
    {SM_GPU_WATTS, 1},
    {SM_GPU_CELSIUS, 1},
    {SM_GPU_CLOCK_MHZ, 1},
    {SM_GPU_MEMORY_CLOCK_MHZ, 1},
};
enum { COLUMNS = sizeof columns / sizeof *columns, LINE_BYTES = 512, STALE = 3 };

struct sm_smi {
    pid_t pid;
    int fd;
    int64_t stale_us;
    char line[LINE_BYTES]; /* the beginning of one */
    size_t n_line;
    bool too_long; /* the rest of this line is skipped */
    struct {
        struct sm_gpu_reading reading;
        struct sm_gpu_state state;
        int64_t at_us; /* 0: never */
    } gpus[SM_GPUS_MAX];
    unsigned n;
};

/* ---- lines ---- */

static struct sm_text next_cell(struct sm_text *line)
{
    const char *comma = line->n ? memchr(line->p, ',', line->n) : NULL;
    struct sm_text cell = {line->p, comma ? (size_t)(comma - line->p) : line->n};
    size_t used = cell.n + (comma != NULL);
    *line = (struct sm_text){line->n ? line->p + used : line->p, line->n - used};
    while (cell.n && (*cell.p == ' ' || *cell.p == '\t'))
        cell.p++, cell.n--;
    while (cell.n && strchr(" \t\r", cell.p[cell.n - 1]))
        cell.n--;
    return cell;
}

static bool parse_bits(struct sm_text cell, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    if (!sm_sensor_prefix(&cell, "0x") || !cell.n || cell.n > 16)
        return false;
    for (*out = 0; cell.n; cell.p++, cell.n--) {
        const char *digit = *cell.p ? strchr(digits, *cell.p | 0x20) : NULL;
        if (!digit)
            return false;
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

bool sm_smi_parse(struct sm_text line, unsigned *index, struct sm_gpu_reading *out)
{
    uint64_t number;
    double v;
    *out = (struct sm_gpu_reading){0};
    if (!sm_sensor_number(next_cell(&line), &number) || number >= SM_GPUS_MAX)
        return false;
    *index = (unsigned)number;
    for (size_t i = 0; i < COLUMNS; i++) {
        struct sm_text cell = next_cell(&line);
        if (sm_parse_decimal(cell.p, cell.n, &v))
            sm_gpu_set(out, columns[i].figure, columns[i].scale * v);
    }
    out->reasons_known = parse_bits(next_cell(&line), &out->reasons);
    return true;
}

static void take_line(struct sm_smi *s, int64_t now_us)
{
    struct sm_gpu_reading g;
    unsigned i;
    if (!s->too_long && sm_smi_parse((struct sm_text){s->line, s->n_line}, &i, &g)) {
        s->gpus[i].reading = g;
        s->gpus[i].at_us = now_us;
        s->n = i >= s->n ? i + 1 : s->n;
    }
    s->n_line = 0;
    s->too_long = false;
}

static void take_bytes(struct sm_smi *s, const char *p, size_t n, int64_t now_us)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\n')
            take_line(s, now_us);
        else if (s->n_line < LINE_BYTES)
            s->line[s->n_line++] = p[i];
        else
            s->too_long = true;
    }
}

void sm_smi_sample(struct sm_smi *s, struct sm_sensor_call *call)
{
    for (ssize_t n; (n = read(s->fd, call->buffer->bytes, call->buffer->cap)) > 0;)
        take_bytes(s, call->buffer->bytes, (size_t)n, call->mono_us);
    for (unsigned i = 0; i < s->n; i++) {
        if (s->gpus[i].at_us && call->mono_us - s->gpus[i].at_us <= s->stale_us)
            sm_gpu_add(&s->gpus[i].state, &s->gpus[i].reading, call);
        else
            call->gpus++;
    }
}

/* ---- the process ---- */

/* With the signals and the mask that programs usually begin with, and no messages on the
 * terminal. */
static bool spawn(struct sm_smi *s, const char *program, const char *period, int out)
{
    char *argv[] = {(char *)(uintptr_t)program,
                    (char *)(uintptr_t)query,
                    (char *)(uintptr_t) "--format=csv,noheader,nounits",
                    (char *)(uintptr_t) "-lms",
                    (char *)(uintptr_t)period,
                    NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, &none);
    int status = posix_spawnp(&s->pid, program, &files, &how, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return status == 0;
}

struct sm_smi *sm_smi_open(const char *program, int interval_ms)
{
    struct sm_smi *s = sm_alloc_zero(1, sizeof *s);
    char period[16];
    int ends[2];
    if (!s || pipe2(ends, O_CLOEXEC) != 0) {
        sm_free(s);
        return NULL;
    }
    snprintf(period, sizeof period, "%d", interval_ms);
    s->fd = ends[0];
    s->stale_us = (int64_t)STALE * 1000 * interval_ms;
    fcntl(s->fd, F_SETFL, O_NONBLOCK);
    bool ok = spawn(s, program ? program : "nvidia-smi", period, ends[1]);
    close(ends[1]);
    if (ok)
        return s;
    close(s->fd);
    sm_free(s);
    return NULL;
}

void sm_smi_close(struct sm_smi *s)
{
    if (!s)
        return;
    close(s->fd);
    kill(s->pid, SIGTERM);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    sm_free(s);
}
