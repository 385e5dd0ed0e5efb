/* The one list of options; for options.c and options_*.c alone. */
#ifndef SM_OPTION_LIST_H
#define SM_OPTION_LIST_H

#include "tui/app/options.h"

/* X(ID, names, value, help) in the order of --help. */
#define OPTIONS(X)                                                                                 \
    X(COMMAND_FILE, "-x --command", "FILE", "run the commands in FILE (- is stdin)")               \
    X(COMMAND, "-ex --eval-command", "COMMAND", "run one command; in order with -x")               \
    X(EARLY_FILE, "-ix --init-command", "FILE", "like -x, before the trial is opened")             \
    X(EARLY, "-iex --init-eval-command", "COMMAND", "like -ex, before the trial is opened")        \
    X(ARGS, "--args", "ARG...", "all that follows: $arg0, $arg1 ... of -x and -ix files")          \
    X(NO_INIT, "-n --nx", NULL, "read no init file")                                               \
    X(NO_HOME_INIT, "--nh", NULL, "read no init file of the home directory")                       \
    X(BATCH, "-batch", NULL, "run the commands and exit: no prompt, pager, colour, questions")     \
    X(BATCH_SILENT, "-batch-silent", NULL, "the same without output, except to files")             \
    X(KEEP_GOING, "--keep-going", NULL,                                                            \
      "go on after a failed command; the first failure stays the status")                          \
    X(STOP_ON_ERROR, "--stop-on-error", NULL, "stop after a failed command (default in a batch)")  \
    X(QUIET, "-q --quiet", NULL, "no lines about the trial at the start")                          \
    X(TUI, "--tui", NULL, "the dashboard, also after -x or -ex")                                   \
    X(NO_TUI, "-nw --no-tui", NULL, "the prompt only")                                             \
    X(INTERPRETER, "-i --interpreter", "console|tui|json",                                         \
      "the same by name; json: requests and answers for a program")                                \
    X(STEPS, "--steps", "A:B[:S]", "only steps A to B (without B), every S-th")                    \
    X(MODE, "--mode", "MODE", "only steps of train, eval, predict or global")                      \
    X(WORKER, "--worker", "WORKER", "only what this worker wrote")                                 \
    X(FOLLOW, "--follow", NULL, "watch for new data (default)")                                    \
    X(NO_FOLLOW, "--no-follow", NULL, "read what is there once")                                   \
    X(WAIT, "--wait", NULL, "wait for a trial that does not exist yet")                            \
    X(RULES, "--rules", "auto|FILE",                                                               \
      "judge by rules; a batch prints what they found, status 3: one fired")                       \
    X(NO_RULES, "--no-rules", NULL, "the dashboard attaches no rules by itself")                   \
    X(JSON, "--json", NULL, "the verdict of --rules in a batch as JSON")                           \
    X(SHARD, "--shard", "I/N",                                                                     \
      "judge part I of N of a finished trial; \"report --merge\" joins the parts")                 \
    X(DELAY, "-d --delay", "TENTHS", "refresh period in tenths of a second, 1 to 100")             \
    X(NO_COLOR, "-C --no-color", NULL, "no colours")                                               \
    X(COLOR, "--color", "auto|always|never", "when to use colours")                                \
    X(ASCII, "-U --ascii", NULL, "draw with ASCII characters only")                                \
    X(SYMBOLS, "--symbols", "auto|braille|block|ascii", "what plots are drawn with")               \
    X(NO_MOUSE, "-M --no-mouse", NULL, "leave the mouse to the terminal (default)")                \
    X(MOUSE, "--mouse", NULL, "the dashboard takes the mouse")                                     \
    X(READONLY, "--readonly", NULL, "refuse whatever runs commands or signals processes")          \
    X(ALLOW_SHELL, "--allow-shell", NULL, "let a batch run shell commands")                        \
    X(CHECK, "--check", NULL, "read everything in the trial, report what is damaged, exit")        \
    X(INSPECT, "--inspect", NULL, "print a summary of the trial and exit")                         \
    X(REPLAY, "--replay", "SRC DST",                                                               \
      "write the trial SRC again into DST, step by step as it came")                               \
    X(DEMO, "--demo", "[NAME]",                                                                    \
      "watch a training with the fault NAME, or a healthy one; \"list\" names them")               \
    X(SEED, "--seed", "N", "for --demo: begin with other random numbers (default 1)")              \
    X(OUT, "--out", "DIR", "for --demo: write the trial into DIR and keep it")                     \
    X(SPEED, "--speed", "X", "for --replay and --demo: X times as fast")                           \
    X(INTERVAL, "--interval", "MS", "for --replay: a step every MS milliseconds")                  \
    X(THREADS, "--threads", "N", "worker threads, 0 to 64 (default 2, at low priority)")           \
    X(KEYS, "--keys", "FILE", "type the keys in FILE into the dashboard (for tests)")              \
    X(SIZE, "--size", "WxH", "the dashboard's size for --keys")                                    \
    X(VERSION, "--version", NULL, "print the version and exit")                                    \
    X(HELP, "-h --help", NULL, "print this text and exit")

enum option {
#define OPTION_ENUM(id, names, value, help) OPTION_##id,
    OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
        OPTION_COUNT
};

/* The arguments, and the options they become. */
struct sm_option_parse {
    int argc, at;
    char **argv;
    struct sm_options *out;
    struct sm_err *err;
};

/* options_value.c: what an option does */
bool sm_option_take_value(struct sm_option_parse *p, enum option option, const char *value);
void sm_option_take_flag(struct sm_options *o, enum option option);
/* says so; false */
bool sm_option_bad_value(struct sm_err *err, enum option option, const char *value);

#endif
