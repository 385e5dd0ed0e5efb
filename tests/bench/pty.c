/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/pty.h"

#include "tests/bench/bench.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TIMEOUT_SECONDS 10.0
enum { TEXT, ESCAPE, CONTROL, STRING, DESIGNATE };

/* ---- the program ---- */

static void run_child(char *const *command)
{
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("HOME", sm_bench_path("SCRATCH"), 1);
    setenv("INPUTRC", "/dev/null", 1);
    unsetenv("COLUMNS");
    unsetenv("LINES");
    unsetenv("SSH_CONNECTION");
    execvp(command[0], command);
    _exit(127);
}

void sm_bench_pty_run(struct sm_bench_pty *p, char *const *command, unsigned columns,
                      unsigned lines)
{
    struct winsize size = {.ws_row = (unsigned short)lines, .ws_col = (unsigned short)columns};
    *p = (struct sm_bench_pty){0};
    p->pid = forkpty(&p->fd, NULL, NULL, &size);
    if (p->pid == 0)
        run_child(command);
    if (p->pid < 0) {
        perror("forkpty");
        exit(2);
    }
}

void sm_bench_pty_start(struct sm_bench_pty *p, const char *trial)
{
    char *program = strdup(sm_bench_path("PROGRAM")), *path = strdup(trial);
    char options[][8] = {"-n", "--tui", "--wait"};
    char *command[] = {program, options[0], options[1], options[2], path, NULL};
    sm_bench_pty_run(p, command, 80, 24);
    free(program);
    free(path);
}

void sm_bench_pty_stop(struct sm_bench_pty *p)
{
    kill(p->pid, SIGKILL);
    waitpid(p->pid, NULL, 0);
    close(p->fd);
    sm_str_clear(&p->text);
}

double sm_bench_pty_cpu(const struct sm_bench_pty *p)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

long sm_bench_pty_peak_kib(const struct sm_bench_pty *p)
{
    char path[64], line[256];
    long kib = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)p->pid);
    FILE *f = fopen(path, "r");
    while (f && kib < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (f)
        fclose(f);
    return kib;
}

void sm_bench_pty_type(struct sm_bench_pty *p, const char *keys)
{
    size_t n = strlen(keys);
    if (write(p->fd, keys, n) != (ssize_t)n)
        perror("pseudo-terminal");
}

/* ---- its output ---- */

static int after_escape(char c)
{
    return c == '['               ? CONTROL
           : c == ']' || c == 'P' ? STRING
           : c == '(' || c == ')' ? DESIGNATE
                                  : TEXT;
}

static void parse_byte(struct sm_bench_pty *p, char c)
{
    switch (p->state) {
    case ESCAPE:
        p->state = after_escape(c);
        break;
    case CONTROL:
        if (c >= '@' && c <= '~') {
            if (c != 'm')
                sm_str_addc(&p->text, '\n');
            p->state = TEXT;
        }
        break;
    case STRING:
        if (c == '\a' || c == '\\')
            p->state = TEXT;
        break;
    case DESIGNATE:
        p->state = TEXT;
        break;
    default:
        if (c == '\033')
            p->state = ESCAPE;
        else
            sm_str_addc(&p->text, c);
    }
}

bool sm_bench_pty_read(struct sm_bench_pty *p, double seconds)
{
    char bytes[4096];
    struct pollfd f = {.fd = p->fd, .events = POLLIN};
    if (seconds < 0 || poll(&f, 1, (int)(seconds * 1e3 + 1)) <= 0)
        return false;
    ssize_t n = read(p->fd, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; i++)
        parse_byte(p, bytes[i]);
    p->bytes += n > 0 ? (uint64_t)n : 0;
    return n > 0;
}

double sm_bench_pty_wait_for(struct sm_bench_pty *p, const char *text, double since)
{
    while (!strstr(sm_str_text(&p->text), text))
        if (!sm_bench_pty_read(p, since + TIMEOUT_SECONDS - sm_bench_now()))
            return -1;
    return sm_bench_now() - since;
}

/* Dots of braille are U+2801 to U+28FF: e2 a0 81 to e2 a3 bf. */
bool sm_bench_pty_has_chart(struct sm_bench_pty *p)
{
    enum { CELLS = 40 };
    const uint8_t *text = (const uint8_t *)sm_str_text(&p->text);
    for (; p->looked + 3 <= p->text.len; p->looked++) {
        const uint8_t *c = text + p->looked;
        p->cells += c[0] == 0xe2 && c[1] >= 0xa0 && c[1] <= 0xa3 && (c[1] > 0xa0 || c[2] > 0x80);
    }
    return p->cells >= CELLS;
}

double sm_bench_pty_wait_for_chart(struct sm_bench_pty *p, double since)
{
    while (!sm_bench_pty_has_chart(p))
        if (!sm_bench_pty_read(p, since + TIMEOUT_SECONDS - sm_bench_now()))
            return -1;
    return sm_bench_now() - since;
}

void sm_bench_pty_read_for(struct sm_bench_pty *p, double seconds)
{
    double end = sm_bench_now() + seconds;
    while (sm_bench_pty_read(p, end - sm_bench_now()))
        ;
}

void sm_bench_pty_wait_quiet(struct sm_bench_pty *p, double quiet_seconds)
{
    while (sm_bench_pty_read(p, quiet_seconds))
        ;
}

void sm_bench_pty_clear_text(struct sm_bench_pty *p)
{
    sm_str_truncate(&p->text, 0);
    p->looked = p->cells = 0;
}
