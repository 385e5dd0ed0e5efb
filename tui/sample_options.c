/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of "smdbg-tui sample". */
#include "tui/sample.h"

#include "reader/sampler/sampler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { INTERVAL_MS = 500, NODE_MAX = 1000000 };

#define SAMPLE_OPTIONS(X)                                                                          \
    X(OUT, "-o --out", "DIR", "the profiler's directory (default ./profiler-output)")              \
    X(INTERVAL, "-i --interval", "MS", "milliseconds between samples, 100 to 60000 (default 500)") \
    X(PID, "-p --pid", "PID", "follow this process with its children, and stop when it ends")      \
    X(NODE, "-n --node", "N",                                                                      \
      "number of this machine, from 1 (default: from the environment of the job, else 1)")         \
    X(SENSORS, "--sensors", "DIR",                                                                 \
      "read DIR/proc and DIR/sys, for a container with those of its host")                         \
    X(HELP, "-h --help", NULL, "print this text and exit")

enum sample_option {
#define OPTION_ENUM(id, names, value, help) SAMPLE_##id,
    SAMPLE_OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
        SAMPLE_COUNT
};
const struct sm_option_row sm_sample_option_table[] = {
#define OPTION_ROW(id, names, value, help) {names, value, help},
    SAMPLE_OPTIONS(OPTION_ROW)
#undef OPTION_ROW
        {0},
};

/* ---- values ---- */

static bool parse_int(const char *text, int min, int max, int *out)
{
    char *end;
    long v = strtol(text, &end, 10);
    if (end == text || *end || v < min || v > max)
        return false;
    *out = (int)v;
    return true;
}

static bool set_int(enum sample_option option, const char *value, int min, int max, int *out,
                    struct sm_err *err)
{
    return parse_int(value, min, max, out) ||
           sm_err_set(err, SM_ERR_USAGE, "%s requires a number from %d to %d, not \"%s\"",
                      strrchr(sm_sample_option_table[option].names, ' ') + 1, min, max, value);
}

static bool set_option(struct sm_sample_options *o, enum sample_option option, const char *value,
                       struct sm_err *err)
{
    switch (option) {
    case SAMPLE_OUT:
        o->out = value;
        return *value || sm_err_set(err, SM_ERR_USAGE, "--out requires the name of a directory");
    case SAMPLE_INTERVAL:
        return set_int(option, value, SM_SAMPLE_MS_MIN, SM_SAMPLE_MS_MAX, &o->interval_ms, err);
    case SAMPLE_PID:
        return set_int(option, value, 1, INT_MAX, &o->pid, err);
    case SAMPLE_NODE:
        return set_int(option, value, 1, NODE_MAX, &o->node, err);
    case SAMPLE_SENSORS:
        o->root = value;
        return true;
    default:
        o->help = true;
        return true;
    }
}

/* ---- words ---- */

static bool is_name(const char *names, const char *arg, size_t n)
{
    for (const char *p = names; *p; p += strspn(p, " ")) {
        size_t length = strcspn(p, " ");
        if (length == n && strncmp(p, arg, n) == 0)
            return true;
        p += length;
    }
    return false;
}

static enum sample_option find_option(const char *arg, size_t n)
{
    size_t i = 0;
    while (i < SAMPLE_COUNT && !is_name(sm_sample_option_table[i].names, arg, n))
        i++;
    return (enum sample_option)i;
}

/* "-i 500", "--interval=500"; *at is moved behind it. */
static bool parse_option(int argc, char **argv, int *at, struct sm_sample_options *o,
                         struct sm_err *err)
{
    const char *arg = argv[(*at)++], *equals = strchr(arg, '=');
    size_t n = equals ? (size_t)(equals - arg) : strlen(arg);
    enum sample_option option = find_option(arg, n);
    if (option == SAMPLE_COUNT)
        return sm_err_set(err, SM_ERR_USAGE, "unknown option %.*s of sample", (int)n, arg);
    bool valued = sm_sample_option_table[option].value != NULL;
    if (!valued && equals)
        return sm_err_set(err, SM_ERR_USAGE, "%.*s takes no value", (int)n, arg);
    if (valued && !equals && *at >= argc)
        return sm_err_set(err, SM_ERR_USAGE, "%s requires a value: %s", arg,
                          sm_sample_option_table[option].value);
    return set_option(o, option, !valued ? "" : equals ? equals + 1 : argv[(*at)++], err);
}

/* The number of this machine as schedulers give it: SageMaker counts from 1, the others from 0. */
static int node_of_environment(void)
{
    static const char *const from_0[] = {"GROUP_RANK", "NODE_RANK", "SLURM_NODEID"};
    const char *host = getenv("SM_CURRENT_HOST");
    int node;
    if (host && strncmp(host, "algo-", 5) == 0 && parse_int(host + 5, 1, NODE_MAX, &node))
        return node;
    for (size_t i = 0; i < sizeof from_0 / sizeof *from_0; i++) {
        const char *value = getenv(from_0[i]);
        if (value && parse_int(value, 0, NODE_MAX - 1, &node))
            return node + 1;
    }
    return 1;
}

bool sm_sample_parse(int argc, char **argv, struct sm_sample_options *out, struct sm_err *err)
{
    *out = (struct sm_sample_options){
        .out = "profiler-output", .interval_ms = INTERVAL_MS, .node = node_of_environment()};
    int at = 1;
    while (at < argc && strcmp(argv[at], "--") != 0) {
        if (argv[at][0] != '-')
            return sm_err_set(err, SM_ERR_USAGE, "a program follows --, as in: sample -- %s",
                              argv[at]);
        if (!parse_option(argc, argv, &at, out, err))
            return false;
    }
    if (at + 1 < argc)
        out->argv = argv + at + 1;
    else if (at < argc)
        return sm_err_set(err, SM_ERR_USAGE, "-- requires a program");
    if (out->argv && out->pid)
        return sm_err_set(err, SM_ERR_USAGE, "sample follows --pid or a program, not both");
    return true;
}

void sm_sample_help(struct sm_str *out)
{
    sm_str_add(out, "Usage: smdbg-tui sample [OPTION]... [-- PROGRAM [ARG]...]\n\n"
                    "Records what this machine does as the system metrics of a profile: CPU, "
                    "memory, disks,\nnetwork, GPUs, pressure, limits, and the program with its "
                    "children. Without a program it\nrecords until SIGINT or SIGTERM.\n\n"
                    "Options:\n");
    for (const struct sm_option_row *row = sm_sample_option_table; row->names; row++)
        sm_option_row_help(out, row);
    sm_str_add(out, "\nExit status: that of the program, 128 + N if signal N has ended it; 127 if "
                    "it is not found.\n");
}
