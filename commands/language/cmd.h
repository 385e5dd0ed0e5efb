/* SPDX-License-Identifier: Apache-2.0 */
/* Commands. A command is a constant record, struct sm_cmd, and a function that runs it. Parsing,
 * help, completion, apropos, the man page and doc/commands.md use the record. Each room lists its
 * commands in its feature (commands/session/feature.h); sm_cmd_set_new collects them.
 *
 * The parser turns a line into a struct sm_call, which has the arguments and options as the record
 * describes them. run reads them with sm_call_option, sm_call_keyword and so on, and fills a
 * struct sm_result. */
#ifndef SM_CMD_H
#define SM_CMD_H

#include "commands/answer/format.h"
#include "commands/session/session.h"
#include "commands/session/work.h"

enum sm_class {
    SM_CLASS_FILES,
    SM_CLASS_DATA,
    SM_CLASS_STATUS,
    SM_CLASS_RUNNING,
    SM_CLASS_STACK,
    SM_CLASS_BREAKPOINTS,
    SM_CLASS_RULES,
    SM_CLASS_SUPPORT,
    SM_CLASS_TUI,
    SM_CLASS_USER,
    SM_CLASS_ALIASES,
    SM_CLASS_COUNT
};
const char *sm_class_name(enum sm_class c); /* "files", "data", ..., "text-user-interface" */
const char *sm_class_help(enum sm_class c);

/* The kind of an argument or option value, for parsing, completion and messages. */
enum sm_arg_kind {
    SM_ARG_TEXT,
    SM_ARG_TENSOR /* a name with an optional slice */,
    SM_ARG_PATTERN,
    SM_ARG_COLLECTION,
    SM_ARG_STEP,
    SM_ARG_MODE,
    SM_ARG_WORKER,
    SM_ARG_NUMBER,
    SM_ARG_DURATION,
    SM_ARG_FILE,
    SM_ARG_COMMAND,
    SM_ARG_SETTING,
    SM_ARG_EXPR,
    SM_ARG_RULE,
    SM_ARG_RULE_PARAM /* NAME=VALUE */,
    SM_ARG_INSTANCE /* an attached rule */,
    SM_ARG_ANY_RULE /* an attached rule or a rule of the table */,
    SM_ARG_WORD /* one of .words */,
    SM_ARG_FLAG /* an option without a value */
};
struct sm_option {
    /* without the dash; all commands with SM_CMD_LISTING also have the output formats (-json ...)
     */
    const char *name;
    enum sm_arg_kind kind;
    const char *value;        /* its name in the usage ("N"); NULL for a FLAG */
    const char *help;         /* one line */
    const char *const *words; /* for SM_ARG_WORD */
    const char *initial;      /* the value without the option, as in the line; NULL: none */
    bool bare;                /* a FLAG that may be written without the dash, as gdb's "bt full" */
    const char *unit;         /* "columns"; or NULL */
};
/* The arguments: positional ones in order, and keyword arguments ("step S", "mode M"), which may be
 * anywhere after the first word. */
struct sm_arg {
    const char *name; /* "NAME", in the usage and in messages */
    enum sm_arg_kind kind;
    const char *keyword;      /* "step" for `step S`; NULL for a positional argument */
    bool required, repeats;   /* repeats: several values; only the last positional argument */
    const char *const *words; /* for SM_ARG_WORD */
    const char *help;         /* one line; NULL: that of its kind (parameter.h) */
    const char *initial;      /* the value without the argument; NULL: none */
    const char *unit;         /* or NULL */
    bool whole;               /* of a TENSOR: without a slice */
    bool may_lack;            /* of a WORD: another word is the next argument's */
};

enum sm_cmd_flags {
    SM_CMD_LISTING = 1,     /* has the options -json -jsonl -csv -tsv -field -0 */
    SM_CMD_NEEDS_TRIAL = 2, /* needs an open trial; the exec waits until its first scan is done */
    SM_CMD_NO_REPEAT = 4,   /* an empty line does not repeat it */
    SM_CMD_CONTINUES = 8,   /* an empty line continues it: run is called with call->again */
    SM_CMD_FORMAT = 16,     /* accepts /FMT */
    SM_CMD_RAW = 32,        /* the rest of the line is one raw argument: echo, shell, print, set */
    SM_CMD_SHELL = 64,      /* refused with --readonly, and in batch mode without --allow-shell */
    /* with RAW: the argument is a command line with its own redirection and comment: with, alias */
    SM_CMD_LINE = 128,
    SM_CMD_BODY = 256,  /* has a body: the lines up to "end" (commands/language/body.h) */
    SM_CMD_ELSE = 512,  /* has a body, which may contain an "else" */
    SM_CMD_TEXT = 1024, /* has a body, which is text and not commands */
    /* with a body: at the prompt run is also called before the body is typed, without a body, to
       refuse the command or to print instructions */
    SM_CMD_CHECK_FIRST = 2048,
    /* changes nothing, unlike other commands of its class: may run while another command runs */
    SM_CMD_READ_ONLY = 4096,
    /* with NEEDS_TRIAL: also runs if no trial is open, as its arguments may open one */
    SM_CMD_MAY_OPEN = 8192,
};

struct sm_call;
/* The record of a command: constant, one for each command, named sm_cmd_NAME. */
struct sm_cmd {
    const char *name;
    const char *parent;  /* "info" for a subcommand of info; NULL at the top level */
    const char *aliases; /* "p inspect"; they take precedence over prefixes; or NULL */
    enum sm_class cmd_class;
    const char *summary;             /* one line, <= 70 columns, no full stop */
    const char *help;                /* more paragraphs, or NULL */
    const char *example;             /* a line that works with the tutorial trial, or NULL */
    const char *see_also;            /* commands and subcommands, "stat, info trial"; or NULL */
    const struct sm_arg *args;       /* ends with name NULL */
    const struct sm_option *options; /* ends with name NULL; or NULL */
    const char *answer;        /* the shape of its tree (commands/answer/shape.h); NULL: none */
    const char *without_trial; /* the option with which it needs no trial, or NULL */
    unsigned flags;
    /* Runs the command and fills the result. Must not block: if data is missing, it requests the
     * data and returns false with SM_ERR_WAIT; it is then called again, with an empty result, when
     * there is new data. For other errors it returns false and sets err. */
    bool (*run)(struct sm_call *call, struct sm_result *out, struct sm_err *err);
};

/* One word of a line: an argument or the value of an option. */
struct sm_word {
    struct sm_text text;  /* without quotes and escapes */
    bool quoted;          /* started with a quote: not an option, keyword, step or pattern */
    size_t column;        /* in the line, from 1, for messages */
    struct sm_text slice; /* the slice after the name ("[0,:]"); n is 0 if there is none */
};

/* A running command. It exists from the parsing of its line until the result is printed, so `state`
 * is kept when run waits and is called again. */
struct sm_call {
    struct sm_session *session;
    const struct sm_cmd *cmd;
    struct sm_exec *exec;
    struct sm_arena arena; /* freed with the call */
    struct sm_word *words; /* the positional arguments, in order */
    size_t n_words;
    struct sm_text raw; /* everything after the name of the command and /FMT, as typed */
    struct sm_format format;
    const char *fields;        /* value of -field, or NULL */
    enum sm_output output;     /* a command may omit blocks that only text output needs */
    bool again;                /* run again by an empty line (SM_CMD_CONTINUES) */
    bool may_ask;              /* typed at a prompt, "set confirm on", and not confirmed yet */
    bool redirected;           /* the output goes to a file or a program */
    bool line_redirected;      /* by this line, not by an outer one */
    struct sm_body *body;      /* of a command with a body, else NULL */
    struct sm_body *otherwise; /* its lines after "else", or NULL */
    void *state;               /* for the command, in the arena of the call; initially NULL */
    struct sm_works works;     /* its computations */
    int64_t started_us;        /* monotonic */
    int64_t wake_us; /* a waiting command sets the time to be called again; 0: for new data only */
    /* Options and keyword arguments; use the functions below. NULL if not given. */
    const struct sm_word **option_values;  /* parallel to cmd->options; a flag is its own name */
    const struct sm_word **keyword_values; /* parallel to cmd->args */
};
/* The value of an option, or NULL if it is not given. */
const struct sm_word *sm_call_option(const struct sm_call *c, const char *name);
bool sm_call_flag(const struct sm_call *c, const char *name); /* true if the option is given */
/* The value of a keyword argument, or NULL if it is not given. */
const struct sm_word *sm_call_keyword(const struct sm_call *c, const char *keyword);
/* Parses an integer: 0x, the suffixes k and Ki, "unlimited" for max. Fails outside min to max. */
bool sm_call_int(const struct sm_word *w, int64_t min, int64_t max, int64_t *out,
                 struct sm_err *err);
bool sm_call_double(const struct sm_word *w, double *out, struct sm_err *err);
/* Parses a duration such as 500ms, in microseconds. */
bool sm_call_duration(const struct sm_word *w, int64_t *us, struct sm_err *err);
/* The next word of a raw argument, copied to the arena; moves *at to the start of the word after
 * it. "" at the end. */
const char *sm_call_next_word(struct sm_call *c, const char **at);

/* For the list of the commands of a room: a macro such as SM_VALUES_COMMANDS(X) with an
 * X(NAME) for each sm_cmd_NAME. */
#define SM_CMD_DECLARE(name) extern const struct sm_cmd sm_cmd_##name;
#define SM_CMD_ENTRY(name)   &sm_cmd_##name,

#endif
