/* SPDX-License-Identifier: Apache-2.0 */
/* record SCRIPT OUT.cast PROGRAM [ARG]...: runs a program on a pseudo-terminal, types the keys of a
 * script, and records the output as an asciicast of version 2. The first line of the script is the
 * size: "100x30"; each other line is the seconds to wait, a blank, and the keys with the escapes of
 * C. Ends when the program ends. */
#include "commands/language/command_line.h"
#include "reader/base/clock.h"
#include "reader/base/json.h"

#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct recorder {
    FILE *script, *out;
    int fd;
    int64_t since_us, next_us;   /* start; time of the next keys, INT64_MAX: none */
    struct sm_str keys, partial; /* held: the first bytes of an incomplete character */
};

static void write_event(struct recorder *r, const char *text, size_t n)
{
    struct sm_str line = {0};
    struct sm_json_writer *w = sm_json_writer_new(&line);
    sm_json_text(w, text, n);
    sm_json_writer_free(w);
    fprintf(r->out, "[%.3f, \"o\", %s]\n", (double)(sm_clock_mono_us() - r->since_us) / 1e6,
            sm_str_text(&line));
    sm_str_clear(&line);
}

/* The number of bytes up to the end of the last complete UTF-8 character. */
static size_t complete_bytes(const struct sm_str *s)
{
    for (size_t back = 1; back <= 3 && back <= s->len; back++) {
        unsigned char c = (unsigned char)s->data[s->len - back];
        size_t needs = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        if ((c & 0xc0) != 0x80)
            return needs > back ? s->len - back : s->len;
    }
    return s->len;
}

/* False: the program has ended. */
static bool read_output(struct recorder *r)
{
    char chunk[4096];
    ssize_t n = read(r->fd, chunk, sizeof chunk);
    if (n <= 0)
        return false;
    sm_str_addn(&r->partial, chunk, (size_t)n);
    size_t end = complete_bytes(&r->partial), left = r->partial.len - end;
    if (end)
        write_event(r, r->partial.data, end);
    memmove(r->partial.data, r->partial.data + end, left);
    sm_str_truncate(&r->partial, left);
    return true;
}

static void next_keys(struct recorder *r)
{
    char line[1024], *keys;
    r->next_us = INT64_MAX;
    while (fgets(line, sizeof line, r->script)) {
        double seconds = strtod(line, &keys);
        if (line[0] == '#' || keys == line)
            continue;
        keys += *keys == ' ';
        sm_str_truncate(&r->keys, 0);
        sm_line_unescape(&r->keys, keys, strcspn(keys, "\n"));
        r->next_us = sm_clock_mono_us() + (int64_t)(seconds * 1e6);
        return;
    }
}

static bool type_keys(struct recorder *r)
{
    bool ok = write(r->fd, sm_str_text(&r->keys), r->keys.len) == (ssize_t)r->keys.len;
    next_keys(r);
    return ok;
}

static void record(struct recorder *r)
{
    for (bool on = true; on;) {
        struct pollfd f = {.fd = r->fd, .events = POLLIN};
        int64_t left = r->next_us == INT64_MAX ? -1 : (r->next_us - sm_clock_mono_us()) / 1000;
        int ready = poll(&f, 1, r->next_us == INT64_MAX ? -1 : left < 0 ? 0 : (int)left + 1);
        if (ready > 0)
            on = read_output(r);
        if (on && sm_clock_mono_us() >= r->next_us)
            on = type_keys(r);
    }
}

int main(int argc, char **argv)
{
    struct recorder r = {0};
    struct winsize size = {0};
    pid_t pid;
    int status = 1;
    if (argc < 4 || !(r.script = fopen(argv[1], "r")) || !(r.out = fopen(argv[2], "w")) ||
        fscanf(r.script, "%hux%hu\n", &size.ws_col, &size.ws_row) != 2) {
        fprintf(stderr, "record SCRIPT OUT.cast PROGRAM [ARG]...\n");
        return 2;
    }
    fprintf(r.out,
            "{\"version\": 2, \"width\": %u, \"height\": %u, \"env\": {\"TERM\": "
            "\"xterm-256color\"}}\n",
            size.ws_col, size.ws_row);
    pid = forkpty(&r.fd, NULL, NULL, &size);
    if (pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        execv(argv[3], argv + 3);
        _exit(127);
    }
    r.since_us = sm_clock_mono_us();
    next_keys(&r);
    if (pid > 0) {
        record(&r);
        waitpid(pid, &status, 0);
    }
    fclose(r.script);
    sm_str_clear(&r.keys);
    sm_str_clear(&r.partial);
    if (status)
        fprintf(stderr, "%s: status %d\n", argv[3], status);
    return fclose(r.out) != 0 || status != 0;
}
