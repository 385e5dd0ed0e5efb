/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a command line, without running it (doc/language.md).
 *
 * The record of the command determines the syntax: a raw argument, options, keyword arguments,
 * slices. All strings are terminated by 0 and allocated in the given arena. `@100`, `@eval:12` and
 * `@100/worker_1` become the keyword arguments step, mode and worker; a number after the name
 * becomes the keyword argument step. */
#ifndef SM_COMMAND_LINE_H
#define SM_COMMAND_LINE_H

#include "commands/language/cmd_set.h"

enum sm_redirect {
    SM_REDIRECT_NONE,
    SM_REDIRECT_WRITE /* > */,
    SM_REDIRECT_APPEND /* >> */,
    SM_REDIRECT_PIPE /* | */
};

enum { SM_LINE_MAX = 1 << 20 }; /* bytes; longer lines are refused */

struct sm_line {
    const struct sm_cmd *cmd;    /* NULL for an empty line or a comment */
    const struct sm_cmd *parent; /* of a subcommand, else NULL */
    bool forgiven;               /* starts with '-': an error is reported, then ignored */
    bool help;                   /* CMD -help */
    /* From here on as in struct sm_call. */
    struct sm_text raw;
    struct sm_format format;
    struct sm_word *words;
    size_t n_words;
    const struct sm_word **option_values, **keyword_values;
    enum sm_output output;
    const char *fields;
    enum sm_redirect redirect;
    const char *target; /* file or shell command */
};
/* Parses text[0..n). Returns false with a message that has the column where useful. set: the
 * commands of the program. */
bool sm_line_parse(const struct sm_cmd_set *set, const char *text, size_t n, struct sm_arena *arena,
                   struct sm_line *out, struct sm_err *err);

/* True if the line ends with an odd number of backslashes: the next line continues it. */
bool sm_line_continues(const char *text, size_t n);

/* -help, and the options of all commands with SM_CMD_LISTING; ends with name NULL. */
extern const struct sm_option sm_line_options[];

/* Reads the word at *at as the parser does, for completion. Skips blanks before it, and moves *at
 * to its end. Returns false if there are no more words, or, with err set, if a quote or bracket is
 * not closed. */
bool sm_line_word(const char *text, size_t n, size_t *at, struct sm_arena *arena,
                  struct sm_word *out, struct sm_err *err);

/* Appends p[0..n) with the escapes of C replaced. */
void sm_line_unescape(struct sm_str *out, const char *p, size_t n);

/* Appends p[0..n) so that a line reads it back as one word: unchanged, or in quotes if it contains
 * blanks, quotes or brackets or starts like an option, an expression or a redirection. */
void sm_line_quote(struct sm_str *out, const char *p, size_t n);

#endif
