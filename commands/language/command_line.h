/* One command line taken apart, without running it (doc/language.md).
 *
 * The command's record decides how: raw rest, options, keyword arguments, slices. Everything ends
 * in 0 and lives in the given arena. `@100`, `@eval:12` and `@100/worker_1` arrive as the keyword
 * arguments step, mode and worker; a bare number after the name arrives as the keyword argument
 * step. */
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
    const struct sm_cmd *cmd;    /* NULL: nothing to do (blank or comment) */
    const struct sm_cmd *parent; /* of a subcommand, else NULL */
    bool forgiven;               /* began with '-': a failure is told and forgotten */
    bool help;                   /* CMD -help */
    struct sm_text raw;
    struct sm_format format;
    struct sm_word *words;
    size_t n_words;
    const struct sm_word **option_values, **keyword_values;
    enum sm_output output; /* -json and friends */
    const char *fields;    /* -field */
    enum sm_redirect redirect;
    const char *target; /* file or shell command */
};
/* False: err says what is wrong and in which column. set: the commands there are; NULL:
 * none. */
bool sm_line_parse(const struct sm_cmd_set *set, const char *text, size_t n, struct sm_arena *arena,
                   struct sm_line *out, struct sm_err *err);

/* True when the line ends in an odd number of backslashes: the next line belongs to it. */
bool sm_line_continues(const char *text, size_t n);

/* The options that every listing takes, and -help; ends with name NULL. */
extern const struct sm_option sm_line_options[];

/* One word as the parser sees it, for completion. Starts at *at (blanks are skipped); *at moves
 * behind the word. False: no more words, or an open quote or bracket (err set). */
bool sm_line_word(const char *text, size_t n, size_t *at, struct sm_arena *arena,
                  struct sm_word *out, struct sm_err *err);

/* The escapes of C undone. */
void sm_line_unescape(struct sm_str *out, const char *p, size_t n);

/* A text as a line takes it: as it is, or in quotes where blanks, quotes, brackets or a keyword's
 * look would change it. */
void sm_line_quote(struct sm_str *out, const char *p, size_t n);

#endif
