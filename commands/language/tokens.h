/* Words of a command line: quotes, escapes, attached slices. Private to the parser of lines. */
#ifndef SM_TOKENS_H
#define SM_TOKENS_H

#include "commands/language/command_line.h"

/* What is being read: the line and how far. */
struct sm_reader {
    const char *p;
    size_t n, at;
    struct sm_arena *arena;
    const struct sm_cmd_set *set;      /* the commands there are */
    const struct sm_cmd *cmd, *parent; /* parent of a subcommand, else NULL */
    bool literal;                      /* after "--": no options and keywords */
};
bool sm_reader_blank(char c);
/* digits, and what stands between them where a step is given */
bool sm_reader_looks_like_step(const char *word);
void sm_reader_skip(struct sm_reader *r);                                   /* blanks */
struct sm_text sm_reader_keep(struct sm_arena *a, const char *p, size_t n); /* a copy ended by 0 */
struct sm_text sm_reader_trim(const char *p, size_t n);
/* "..." or '...' at *at, appended without the quotes. */
bool sm_reader_quoted(struct sm_reader *r, struct sm_str *out, struct sm_err *err);
/* One word at *at. parens: blanks inside ( ) belong to it, for expressions. */
bool sm_reader_word(struct sm_reader *r, bool parens, struct sm_word *w, struct sm_err *err);
/* A step's: "'a" that is nowhere closed, the bookmark as the keys of the dashboard have it. False:
 * something else. */
bool sm_reader_tick(struct sm_reader *r, struct sm_word *w);
void sm_reader_join(struct sm_arena *a, struct sm_word *w); /* a slice becomes part of the text */

/* line_format.c, line_value.c, line_option.c, line_words.c: the parts of a line in turn */
bool sm_reader_format(struct sm_reader *r, struct sm_line *out, struct sm_err *err);
/* The word becomes the one of `words` that begins so. */
bool sm_reader_one_of(const char *const *words, const char *what, struct sm_word *w,
                      struct sm_err *err);
/* One value: an expression takes free text, the value of an option as far as operators join it;
 * everything else is a word. */
bool sm_reader_value(struct sm_reader *r, enum sm_arg_kind kind, bool to_the_end, struct sm_word *w,
                     struct sm_err *err);
struct sm_word *sm_reader_new_word(struct sm_reader *r, struct sm_word w); /* a copy in the arena */
/* Is the word at *at an option? A negative number, -inf and -nan are not, unless an option is
 * called so. */
bool sm_reader_at_option(const struct sm_reader *r);
/* "-name value", "--name value" or "-name=value" at *at. */
bool sm_reader_read_option(struct sm_reader *r, struct sm_line *out, struct sm_err *err);
bool sm_reader_words(struct sm_reader *r, struct sm_line *out, struct sm_err *err);

/* redirect.c: where free text ends, and what a line's last part says. */
/* is one here? '>' may compare */
bool sm_reader_redirect(const struct sm_reader *r, bool expression);
bool sm_reader_target(struct sm_reader *r, struct sm_line *out, struct sm_err *err);
/* The end of free text that begins at *at: a comment, a redirection, or an option that may follow.
 */
size_t sm_reader_text_end(const struct sm_reader *r, bool expression);
/* The option called exactly so, of the command or of every listing; NULL: none. */
const struct sm_option *sm_reader_option(const struct sm_cmd *cmd, const char *p, size_t n);
const struct sm_option *sm_reader_option_here(const struct sm_reader *r); /* at the word at *at */

#endif
