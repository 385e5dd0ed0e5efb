/* readline as both front ends use it: history in the XDG state directory, completion, no signals of
 * its own. lineedit.c is what they share, prompt.c the prompt inside curses. */
#ifndef SM_LINEEDIT_H
#define SM_LINEEDIT_H

#include "commands/support/complete.h"

/* rl_readline_name smdbg, completion, word breaks, history loaded */
void sm_lineedit_init(struct sm_session *s);
/* appends what is new under a lock; failures are quiet */
void sm_lineedit_save(struct sm_session *s);
/* drops repeats and lines that start with a blank */
void sm_lineedit_remember(struct sm_session *s, const char *line);
const struct sm_session *sm_lineedit_session(void); /* the one given to init */
/* "(smdbg) ", with `set prompt context on` "(smdbg run:conv0_weight@100) "; "> " when a line is to
 * be continued or a body is open, behind a blank for each body around it. */
void sm_lineedit_prompt(const struct sm_session *s, bool partial, size_t bodies,
                        struct sm_str *out);

void sm_lineedit_abandon(void); /* leaves searches, counts and half-typed keys; empties the line */

/* The prompt inside curses: keys go in byte by byte, the text to draw comes out. It calls `line`
 * with each finished line, empty ones too, and stays open. One at a time; not while the plain
 * prompt uses readline. */
void sm_prompt_open(void (*line)(void *ctx, const char *line /* NULL: Ctrl-D */), void *ctx);
void sm_prompt_close(void);
void sm_prompt_key(int byte); /* special keys as xterm sends them: "\033[A" is Up */
void sm_prompt_type(int key); /* a key of the screen, in bytes as above */
/* as for sm_lineedit_prompt; until it is said again */
void sm_prompt_more(bool partial, size_t bodies);
void sm_prompt_set(const char *text); /* replaces the line being edited */
/* What to draw: prompt text, line (UTF-8, harmless for a terminal) and the cursor's column counted
 * from the prompt's begin. Valid until the next call of any of these. */
void sm_prompt_view(const char **prompt, const char **line, int *cursor_column);
/* Candidates to show after Tab was pressed twice, or NULL; until the next key. */
const char *const *sm_prompt_candidates(size_t *n);

#endif
