/* The terminal without curses: what it is, how large, writing to it, and giving it back after a
 * crash. */
#ifndef SM_TERMINAL_H
#define SM_TERMINAL_H

#include "commands/session/session.h"

#include <stddef.h>

/* Puts /dev/null where stdin, stdout or stderr are closed, so that no file of ours takes their
 * place. */
void sm_terminal_fill_standard_fds(void);
/* NULL: TERM can show the dashboard; else a warning that says why not ("TERM is \"dumb\" ..."), to
 * be freed with sm_free. */
char *sm_terminal_lacks(void);
/* LINES and COLUMNS where the person set them, else what the terminal says; 0: nothing does. */
void sm_terminal_measure(int *w, int *h);
void sm_terminal_size(struct sm_session *s); /* the same into term_w and term_h */
/* stdin's terminal once more, for reads that never wait: Ctrl-C takes back keys of which poll has
 * told already. stdin itself where that cannot be had. Given back with sm_terminal_close_keys. */
int sm_terminal_open_keys(void);
void sm_terminal_close_keys(int fd);
/* All of it, also when the other end is slow. False: it cannot be written (errno). */
bool sm_terminal_write(int fd, const char *text, size_t n);
/* Remembers the terminal's mode; a crash sets it again before the program dies. */
void sm_terminal_guard(void);

#endif
