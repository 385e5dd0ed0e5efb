/* SPDX-License-Identifier: Apache-2.0 */
/* The list of options; only for options.c and options_*.c. */
#ifndef SM_OPTION_LIST_H
#define SM_OPTION_LIST_H

#include "tui/app/options.h"

/* X(ID, names, value, help) in the order of --help. */
#define OPTIONS(X)                                                                                 \
    X(COMMAND_FILE, "-x --command", "FILE", "run the commands in FILE (- is stdin)")               \
    X(COMMAND, "-ex --eval-command", "COMMAND", "run one command; in order with -x")               \
    X(EARLY_FILE, "-ix --init-command", "FILE", "like -x, before the trial is opened")             \
    X(EARLY, "-iex --init-eval-command", "COMMAND", "like -ex, before the trial is opened")        \
    X(ARGS, "--args", "ARG...", "the remaining arguments: $arg0, $arg1 ... of -x and -ix files")   \
    X(NO_INIT, "-n --nx", NULL, "read no init file")                                               \
    X(NO_HOME_INIT, "--nh", NULL, "read no init file of the home directory")                       \
    X(BATCH, "-batch", NULL, "run the commands and exit: no prompt, pager, colour, questions")     \
    X(BATCH_SILENT, "-batch-silent", NULL, "like -batch, but print no output except to files")     \
    X(KEEP_GOING, "--keep-going", NULL,                                                            \
      "continue after a failed command; exit status of the first failure")                         \
    X(STOP_ON_ERROR, "--stop-on-error", NULL, "stop after a failed command (default in a batch)")  \
    X(QUIET, "-q --quiet", NULL, "do not describe the trial at the start")                         \
    X(TUI, "--tui", NULL, "use the dashboard, also with -x or -ex")                                \
    X(LAYOUT, "-layout --layout", "NAME", "begin with this layout of the dashboard")               \
    X(NO_TUI, "-nw --no-tui", NULL, "use the prompt, not the dashboard")                           \
    X(INTERPRETER, "-i --interpreter", "console|tui|json",                                         \
      "prompt, dashboard, or JSON requests and results for a program")                             \
    X(STEPS, "--steps", "A:B[:S]", "only steps A to B (without B), every S-th")                    \
    X(MODE, "--mode", "MODE", "only steps of train, eval, predict or global")                      \
    X(WORKER, "--worker", "WORKER", "only data written by this worker")                            \
    X(FOLLOW, "--follow", NULL, "watch for new data (default)")                                    \
    X(NO_FOLLOW, "--no-follow", NULL, "read the existing data once")                               \
    X(WAIT, "--wait", NULL, "wait for a trial that does not exist yet")                            \
    X(RULES, "--rules", "auto|FILE|NAME,...",                                                      \
      "evaluate rules; a batch prints a verdict, exit status 3 if a rule fired")                   \
    X(NO_RULES, "--no-rules", NULL, "do not attach rules automatically in the dashboard")          \
    X(JSON, "--json", NULL, "print the verdict of --rules in a batch as JSON")                     \
    X(SHARD, "--shard", "I/N",                                                                     \
      "judge part I of N of a trial, or of many runs; \"report --merge\" joins the parts")         \
    X(DELAY, "-d --delay", "TENTHS", "refresh period in tenths of a second, 1 to 100")             \
    X(NO_COLOR, "-C --no-color", NULL, "no colours")                                               \
    X(COLOR, "--color", "auto|always|never", "when to use colours")                                \
    X(ASCII, "-U --ascii", NULL, "draw with ASCII characters only")                                \
    X(SYMBOLS, "--symbols", "auto|braille|block|ascii", "characters for plots")                    \
    X(NO_MOUSE, "-M --no-mouse", NULL, "do not use the mouse (default)")                           \
    X(MOUSE, "--mouse", NULL, "use the mouse in the dashboard")                                    \
    X(READONLY, "--readonly", NULL,                                                                \
      "refuse to write files, run shell commands or signal processes")                             \
    X(ALLOW_SHELL, "--allow-shell", NULL, "allow shell commands in a batch")                       \
    X(CHECK, "--check", NULL, "read all of the trial, report damage, and exit")                    \
    X(INSPECT, "--inspect", NULL, "print a summary of the trial and exit")                         \
    X(REPLAY, "--replay", "SRC DST", "copy the trial SRC to DST step by step, with its timing")    \
    X(DEMO, "--demo", "[NAME]",                                                                    \
      "watch a training with the fault NAME, or none; \"list\" lists the names")                   \
    X(SEED, "--seed", "N", "for --demo: seed of the random numbers (default 1)")                   \
    X(OUT, "--out", "DIR", "for --demo: write the trial into DIR and keep it")                     \
    X(SPEED, "--speed", "X", "for --replay and --demo: X times as fast")                           \
    X(INTERVAL, "--interval", "MS", "for --replay: one step every MS milliseconds")                \
    X(THREADS, "--threads", "N", "worker threads, 0 to 64 (default 2, at low priority)")           \
    X(KEYS, "--keys", "FILE", "type the keys in FILE into the dashboard (for tests)")              \
    X(SIZE, "--size", "WxH", "size of the dashboard for --keys")                                   \
    X(VERSION, "--version", NULL, "print the version and exit")                                    \
    X(HELP, "-h --help", NULL, "print this text and exit")

enum option {
#define OPTION_ENUM(id, names, value, help) OPTION_##id,
    OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
        OPTION_COUNT
};

/* The state of parsing the command line. */
struct sm_option_parse {
    int argc, at;
    char **argv;
    struct sm_options *out;
    struct sm_err *err;
};

/* options_value.c: sets one option */
bool sm_option_set_value(struct sm_option_parse *p, enum option option, const char *value);
void sm_option_set_flag(struct sm_options *o, enum option option);
/* sets err; returns false */
bool sm_option_bad_value(struct sm_err *err, enum option option, const char *value);

#endif
