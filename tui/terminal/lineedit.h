/* SPDX-License-Identifier: Apache-2.0 */
/* readline for both front ends: history in the XDG state directory, completion, no signal handlers
 * of readline. lineedit.c is shared; tui/dashboard/prompt.c is the prompt inside curses. */
#ifndef SM_LINEEDIT_H
#define SM_LINEEDIT_H

#include "commands/support/complete.h"

/* rl_readline_name smdbg, completion, word breaks, history loaded */
void sm_lineedit_init(struct sm_session *s);
/* Tells readline the size of the terminal, on which it draws. */
void sm_lineedit_measure(void);
/* appends new lines to the history under a lock; ignores failures */
void sm_lineedit_save(struct sm_session *s);
/* drops repeats and lines that start with a blank */
void sm_lineedit_remember(struct sm_session *s, const char *line);
const struct sm_session *sm_lineedit_session(void); /* the one given to init */
/* "(smdbg) "; with `set prompt context on` "(smdbg run:conv0_weight@100) "; "> " for a continuation
 * line or inside a body, after one blank for each enclosing body. */
void sm_lineedit_prompt(const struct sm_session *s, bool partial, size_t bodies,
                        struct sm_str *out);

void sm_lineedit_abandon(void);
/* Ends an incremental search of readline, keeping the line that it has found. */
void sm_lineedit_end_search(void);
/* Gives a typed byte to readline, which gets complete characters and pastes only and so never waits
 * for more (lineedit_bytes.c). */
void sm_lineedit_byte(unsigned char byte);
void sm_lineedit_drop_bytes(void); /* what is not complete yet */
/* From now on readline reads these bytes. terminal: they come from the terminal of stdin. */
void sm_lineedit_take_bytes(bool terminal);

/* The prompt inside curses: it takes keys byte by byte and returns the text to draw. It calls
 * `line` with each finished line, also if empty, and stays open. Only one can be open, and not
 * while the plain prompt uses readline. */
void sm_prompt_open(void (*line)(void *ctx, const char *line /* NULL: Ctrl-D */), void *ctx);
void sm_prompt_close(void);
void sm_prompt_key(int byte); /* special keys as xterm sends them: "\033[A" is Up */
void sm_prompt_type(int key); /* a key of the screen, in bytes as above */
/* as for sm_lineedit_prompt; applies until the next call */
void sm_prompt_more(bool partial, size_t bodies);
void sm_prompt_set(const char *text); /* replaces the line being edited */
/* The text to draw: prompt, line (UTF-8, control characters escaped) and the cursor's column
 * counted from the start of the prompt. Valid until the next call of any of these. */
void sm_prompt_view(const char **prompt, const char **line, int *cursor_column);
/* Candidates to show after Tab was pressed twice, or NULL. Valid until the next key. */
const char *const *sm_prompt_candidates(size_t *n);

#endif
