/* Words of a command line: quotes, escapes, attached slices. Private to the parser of lines. */
#ifndef SM_WORD_H
#define SM_WORD_H

#include "commands/line.h"

/* What is being read: the line and how far. */
struct sm_reader {
    const char *p;
    size_t n, at;
    struct sm_arena *arena;
    const struct sm_users *users;        /* what people defined; NULL: nothing */
    const struct sm_cmd *cmd, *parent;   /* parent of a subcommand, else NULL */
    bool literal;                        /* after "--": no options and keywords */
};
bool sm_reader_blank(char c);
void sm_reader_skip(struct sm_reader *r);                  /* blanks */
struct sm_text sm_reader_keep(struct sm_arena *a, const char *p, size_t n);         /* a copy ended by 0 */
struct sm_text sm_reader_trim(const char *p, size_t n);
/* "..." or '...' at *at, appended without the quotes. */
bool sm_reader_quoted(struct sm_reader *r, struct sm_str *out, struct sm_err *err);
/* One word at *at. parens: blanks inside ( ) belong to it, for expressions. */
bool sm_reader_word(struct sm_reader *r, bool parens, struct sm_word *w, struct sm_err *err);
void sm_reader_join(struct sm_arena *a, struct sm_word *w);                         /* a slice becomes part of the text */

/* redirect.c: where free text ends, and what a line's last part says. */
bool sm_reader_redirect(const struct sm_reader *r, bool expression);                /* is one here? '>' may compare */
bool sm_reader_target(struct sm_reader *r, struct sm_line *out, struct sm_err *err);
/* The end of free text that begins at *at: a comment, a redirection, or an option that may follow. */
size_t sm_reader_text_end(const struct sm_reader *r, bool expression);
/* The option called exactly so, of the command or of every listing; NULL: none. */
const struct sm_option *sm_reader_option(const struct sm_cmd *cmd, const char *p, size_t n);
const struct sm_option *sm_reader_option_here(const struct sm_reader *r);           /* at the word at *at */

#endif
