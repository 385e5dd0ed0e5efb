/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/terminal.h"

#include "reader/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

void sm_terminal_fill_standard_fds(void)
{
    /* stdin and stdout read-only: writing to a closed stdout must fail */
    static const int flags[] = {O_RDONLY, O_RDONLY, O_RDWR};
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", flags[fd]);
}

/* ---- capabilities ---- */

char *sm_terminal_lacks(void)
{
    const char *term = getenv("TERM");
    struct sm_str text = {0};
    int found = 0;
    if (!term || !*term)
        return sm_xstrdup("TERM is not set: using the prompt instead of the dashboard");
    bool known = strcmp(term, "dumb") != 0 && setupterm(term, STDOUT_FILENO, &found) == OK &&
                 tigetstr("cup") != NULL;
    if (known)
        return NULL;
    sm_str_add(&text, "TERM is \"");
    sm_str_add_escaped(&text, term, strlen(term));
    sm_str_add(&text, "\": using the prompt instead of the dashboard");
    return text.data;
}

/* ---- size ---- */

static int size_from_environment(const char *name)
{
    const char *text = getenv(name);
    char *end;
    long v = text ? strtol(text, &end, 10) : 0;
    return v > 0 && v < 100000 && !*end ? (int)v : 0;
}

void sm_terminal_measure(int *w, int *h)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    *w = size_from_environment("COLUMNS");
    *h = size_from_environment("LINES");
    *w = *w ? *w : size.ws_col;
    *h = *h ? *h : size.ws_row;
    *w = *w < SM_TERMINAL_MAX_W ? *w : SM_TERMINAL_MAX_W;
    *h = *h < SM_TERMINAL_MAX_H ? *h : SM_TERMINAL_MAX_H;
}

void sm_terminal_size(struct sm_session *s)
{
    struct winsize size = {0};
    sm_terminal_measure(&s->term.w, &s->term.h);
    bool known_size = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
    s->term.cell_w = known_size ? size.ws_xpixel / size.ws_col : 0;
    s->term.cell_h = known_size ? size.ws_ypixel / size.ws_row : 0;
}

/* ---- reading ---- */

int sm_terminal_open_keys(void)
{
    const char *name = ttyname(STDIN_FILENO);
    int fd = name ? open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    return fd < 0 ? STDIN_FILENO : fd;
}

void sm_terminal_close_keys(int fd)
{
    if (fd != STDIN_FILENO)
        close(fd);
}

/* ---- writing ---- */

bool sm_terminal_write(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (done < 0 && errno != EINTR) {
            return false;
        }
        if (done > 0) {
            text += done;
            n -= (size_t)done;
        }
    }
    return true;
}
