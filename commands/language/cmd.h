/* A command is a constant record and one function (as in tmux); commands/language/cmd_table.c lists
 * the records once. Parsing, help, completion, apropos, the man page and doc/commands.md are made
 * from them. */
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

/* What stands at a place of the line, for completion and for messages. */
enum sm_arg_kind {
    SM_ARG_TEXT,
    SM_ARG_TENSOR /* name with optional slice */,
    SM_ARG_PATTERN,
    SM_ARG_COLLECTION,
    SM_ARG_STEP,
    SM_ARG_MODE,
    SM_ARG_WORKER,
    SM_ARG_NUMBER,
    SM_ARG_FILE,
    SM_ARG_COMMAND,
    SM_ARG_SETTING,
    SM_ARG_EXPR,
    SM_ARG_RULE,
    SM_ARG_RULE_PARAM /* NAME=VALUE */,
    SM_ARG_INSTANCE /* an attached rule */,
    SM_ARG_ANY_RULE /* it or one of the table */,
    SM_ARG_WORD /* one of .words */,
    SM_ARG_FLAG /* option without value */
};
struct sm_option {
    /* without the dash; the machine formats (-json ...) are given to all SM_CMD_LISTING */
    const char *name;
    enum sm_arg_kind kind;
    const char *value; /* "N" in usage; NULL for a FLAG */
    const char *help;
    const char *const *words;
};
/* Positional arguments in order. A keyword argument ("step S", "mode M") may come anywhere after
 * the first. */
struct sm_arg {
    const char *name; /* "NAME" in usage and call */
    enum sm_arg_kind kind;
    const char *keyword; /* "step": `step S`; NULL: by place */
    bool required, repeats;
    const char *const *words;
};

enum sm_cmd_flags {
    SM_CMD_LISTING = 1,     /* takes -json -jsonl -csv -tsv -field -0 */
    SM_CMD_NEEDS_TRIAL = 2, /* an open trial, first scan merged; the exec waits for it */
    SM_CMD_NO_REPEAT = 4,   /* an empty line does not repeat it */
    SM_CMD_CONTINUES = 8,   /* an empty line continues it: run is called with call->again */
    SM_CMD_FORMAT = 16,     /* takes /FMT */
    SM_CMD_RAW = 32,        /* the rest of the line is one raw argument: echo, shell, print, set */
    SM_CMD_SHELL = 64,      /* refused by --readonly, and in batch without --allow-shell */
    /* with RAW: the argument is a line of its own, redirection and comment too: with, alias */
    SM_CMD_LINE = 128,
    SM_CMD_BODY = 256,  /* lines up to "end" belong to it (commands/language/body.h) */
    SM_CMD_ELSE = 512,  /* the same; they may have an "else" between them */
    SM_CMD_TEXT = 1024, /* the same; they are text, not commands */
    /* with a body: at the prompt `run` is called before it is typed, too, without one: to refuse,
       or to say what is to be typed */
    SM_CMD_ASKS = 2048,
    /* changes nothing, whatever others of its class do: may run beside another command */
    SM_CMD_LOOKS = 4096,
};

struct sm_call;
struct sm_cmd {
    const char *name;
    const char *parent;  /* "info" for its subcommands; NULL: a command of its own */
    const char *aliases; /* "p inspect": fixed, win over ambiguity; NULL: none */
    enum sm_class cmd_class;
    const char *summary;             /* one line, <= 70 columns, no full stop */
    const char *help;                /* further paragraphs, or NULL */
    const char *example;             /* a line that works on the tutorial trial */
    const char *see_also;            /* "stat hist" */
    const struct sm_arg *args;       /* ends with name NULL */
    const struct sm_option *options; /* ends with name NULL; NULL: none */
    const char *without_trial;       /* NEEDS_TRIAL, but not with this option; NULL: always */
    unsigned flags;
    /* Fills the result. False with SM_ERR_WAIT: call again, with an empty result, when there is
     * news. Must not block. */
    bool (*run)(struct sm_call *call, struct sm_result *out, struct sm_err *err);
};

struct sm_word {
    struct sm_text text;  /* quotes and escapes undone */
    bool quoted;          /* stands for itself: no option, keyword, step, pattern */
    size_t column;        /* in the line, for messages */
    struct sm_text slice; /* "[0,:]" attached, or n == 0 */
};

/* One running command. Lives from the line's parse until its result is printed; state survives
 * WAIT. */
struct sm_call {
    struct sm_session *session;
    const struct sm_cmd *cmd;
    struct sm_exec *exec;
    struct sm_arena arena; /* the call's */
    /* positional ones, in order; keyword arguments and options are taken out */
    struct sm_word *words;
    size_t n_words;
    struct sm_text raw; /* everything after the command word(s) and /FMT, as typed */
    struct sm_format format;
    const char *fields; /* -field; NULL: not given */
    /* as -json and friends ask: a command may leave out what only text shows */
    enum sm_output output;
    bool again;           /* an empty line continues */
    bool redirected;      /* the answer goes to a file or a program */
    bool line_redirected; /* by this line itself */
    /* of a command with a body: its lines, those behind "else"; else NULL */
    struct sm_body *body, *otherwise;
    void *state;           /* the command's own, in the call's arena; NULL at first */
    struct sm_works works; /* what it computes */
    int64_t started_us;    /* monotonic */
    int64_t wake_us; /* a waiting command may ask to be called at this time; 0: on news only */
    /* options and keyword arguments: looked up by name with the functions below */
    const struct sm_word **option_values;  /* parallel to cmd->options; flags point to themselves */
    const struct sm_word **keyword_values; /* parallel to cmd->args */
};
/* NULL: not given */
const struct sm_word *sm_call_option(const struct sm_call *c, const char *name);
bool sm_call_flag(const struct sm_call *c, const char *name);
const struct sm_word *sm_call_keyword(const struct sm_call *c, const char *keyword);
/* 0x, k, Ki, unlimited = max */
bool sm_call_int(const struct sm_word *w, int64_t min, int64_t max, int64_t *out,
                 struct sm_err *err);
bool sm_call_double(const struct sm_word *w, double *out, struct sm_err *err);
/* The next word of a line that is taken raw; moves *at behind it and the blanks. */
const char *sm_call_take(struct sm_call *c, const char **at);
bool sm_call_duration(const struct sm_word *w, int64_t *us, struct sm_err *err);

/* For the list of a room's commands, SM_ROOM_COMMANDS(X) with a line X(NAME) for each sm_cmd_NAME.
 */
#define SM_CMD_DECLARE(name) extern const struct sm_cmd sm_cmd_##name;
#define SM_CMD_ENTRY(name)   &sm_cmd_##name,

#endif
