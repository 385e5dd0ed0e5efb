/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parts of a command line: words with quotes, escapes and slices, options, values,
 * redirections. Used by the parser (command_line.c) and by commands that parse a raw argument. */
#ifndef SM_TOKENS_H
#define SM_TOKENS_H

#include "commands/language/command_line.h"

/* A line that is being read: p[0..n), and the current offset `at`. */
struct sm_reader {
    const char *p;
    size_t n, at;
    struct sm_arena *arena;
    const struct sm_cmd_set *set;      /* the commands of the program */
    const struct sm_cmd *cmd, *parent; /* the command; parent of a subcommand, else NULL */
    size_t after_word;                 /* the end of the last positional argument */
    bool literal;                      /* after "--": no more options and keywords */
    bool in_expression;                /* from `expression` on, -0 may be a number */
    size_t expression;
};
bool sm_reader_blank(char c);
/* True if the word has digits and otherwise only the punctuation of a step ("100", "+3", "1:5"). */
bool sm_reader_looks_like_step(const char *word);
void sm_reader_skip(struct sm_reader *r);                                   /* skips blanks */
struct sm_text sm_reader_keep(struct sm_arena *a, const char *p, size_t n); /* a copy, 0-terminated
                                                                             */
/* Without blanks at both ends; points into p. */
struct sm_text sm_reader_trim(const char *p, size_t n);
/* Reads "..." or '...' and appends the content. */
bool sm_reader_quoted(struct sm_reader *r, struct sm_str *out, struct sm_err *err);
/* Reads a word. parens: blanks inside ( ) belong to the word, for expressions. */
bool sm_reader_word(struct sm_reader *r, bool parens, struct sm_word *w, struct sm_err *err);
/* Reads a bookmark ("'a", without a closing quote) in place of a step. Returns false, without
 * moving, if it is something else. */
bool sm_reader_tick(struct sm_reader *r, struct sm_word *w);
void sm_reader_join(struct sm_arena *a, struct sm_word *w); /* appends the slice to the text */

/* ---- the parts of a line: line_format.c, line_value.c, line_option.c, line_words.c ---- */

/* Reads /FMT if there is one. */
bool sm_reader_format(struct sm_reader *r, struct sm_line *out, struct sm_err *err);
/* Replaces w by the word in `words` that it is a unique prefix of. what: for the message. */
bool sm_reader_one_of(const char *const *words, const char *what, struct sm_word *w,
                      struct sm_err *err);
/* Reads one value: a word, or an expression. With to_the_end an expression extends to the end of
 * the free text, otherwise (the value of an option) only across operators between blanks. */
bool sm_reader_value(struct sm_reader *r, enum sm_arg_kind kind, bool to_the_end, struct sm_word *w,
                     struct sm_err *err);
struct sm_word *sm_reader_new_word(struct sm_reader *r, struct sm_word w); /* a copy in the arena */
/* True if the next word is an option. A negative number, -inf and -nan are not, unless an option
 * has this name. */
bool sm_reader_at_option(const struct sm_reader *r);
/* Reads "-name value", "--name value" or "-name=value". */
bool sm_reader_read_option(struct sm_reader *r, struct sm_line *out, struct sm_err *err);
/* Reads all words, options and keyword arguments up to the end of the line. */
bool sm_reader_words(struct sm_reader *r, struct sm_line *out, struct sm_err *err);

/* ---- the end of a line: redirect.c ---- */

/* True if there is a redirection at the current offset, the start of a word. expression: '>' may be
 * a comparison. */
bool sm_reader_redirect(const struct sm_reader *r, bool expression);
/* Reads the redirection. expression: it follows an expression, so > "a" is refused. */
bool sm_reader_target(struct sm_reader *r, bool expression, struct sm_line *out,
                      struct sm_err *err);
/* The end of the free text that starts at the current offset: a comment, a redirection, or an
 * option after an expression or in a listing. */
size_t sm_reader_text_end(const struct sm_reader *r, bool expression);
/* The option with exactly this name, of the command or of all listings; or NULL. */
const struct sm_option *sm_reader_option(const struct sm_cmd *cmd, const char *p, size_t n);
/* The option that the next word is exactly, or NULL. */
const struct sm_option *sm_reader_option_here(const struct sm_reader *r);

#endif
