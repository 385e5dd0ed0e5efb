/* SPDX-License-Identifier: Apache-2.0 */
/* What a logger says about a run besides its values: its name, configuration, summary, end, console
 * output, and metrics of the machine. A kind of trial fills it (sm_tail_changes.info), the trial
 * keeps it (sm_trial_info). */
#ifndef SM_RUN_INFO_H
#define SM_RUN_INFO_H

#include "reader/base/str.h"

#include <stdint.h>

/* A list of keys and values, in the order in which the keys came. Flat: nested names are joined by
 * '.'. Zero-initialised it is empty. */
struct sm_run_fields {
    struct sm_run_field {
        char *key;
        char *json; /* a JSON value: a number, a string, true, false, null, or an array; bare NaN,
                       Infinity and -Infinity may stand for numbers */
    } * items;
    size_t n, cap;
    struct sm_names *index; /* an id is the index in items */
};
/* Sets one key, which replaces what it had. False: no memory. */
bool sm_run_fields_set(struct sm_run_fields *f, const char *key, size_t n, const char *json,
                       size_t m);
/* NULL if there is no such key. */
const char *sm_run_fields_get(const struct sm_run_fields *f, const char *key);
bool sm_run_fields_add(struct sm_run_fields *to, const struct sm_run_fields *more);
void sm_run_fields_clear(struct sm_run_fields *f);

/* A sample of a machine's metric. */
struct sm_run_sample {
    uint32_t metric; /* id in sm_run_info.metrics */
    double time;     /* seconds since 1970 */
    double value;
};

/* What the program told those who watch it, as text without line ends. */
struct sm_run_alert {
    char *text;
    double time;  /* seconds since 1970; 0: not known */
    int64_t step; /* -1: of none */
};

struct sm_run_info {
    char *name; /* what the logger calls the run; NULL: nothing */
    struct sm_run_fields config, summary;
    /* Of a run that is logged twice, by scalar: the names of the kinds of its files, as a text. */
    struct sm_run_fields sources;
    bool ended;    /* the logger wrote that the run has ended */
    bool goes_on;  /* the logger wrote that it has not */
    int exit_code; /* of its program, if it has ended; 0 if not known */
    double began;  /* seconds since 1970; 0: not known */
    /* What the program printed, at most SM_RUN_CONSOLE_BYTES: the last of it. Untrusted, with
     * whatever escapes it had. */
    struct sm_str console;
    uint64_t console_dropped; /* bytes before it */
    unsigned tensor_files;  /* of files of tensors, a bit 1 << enum sm_tensor_files for each kind */
    unsigned damaged_files; /* the same of those of which nothing could be read */
    char *ignored; /* what its files have that is not shown: "graph, profile"; NULL: nothing */
    struct sm_names *metrics;      /* names of the machine's metrics; NULL: none */
    struct sm_run_sample *samples; /* in the order in which they came: the last of them */
    size_t n_samples, cap_samples;
    uint64_t samples_dropped;    /* before them */
    struct sm_run_alert *alerts; /* in the order in which they came; the first of them */
    size_t n_alerts, cap_alerts;
};
enum {
    SM_RUN_CONSOLE_BYTES = 4 * 1024 * 1024,
    SM_RUN_SAMPLES_MAX = 1000000,
    SM_RUN_ALERTS_MAX = 1000
};
/* Adds what is said later: keys replace those there are; console output and samples are appended.
 * What is in `more` already is not looked at again, so the cost is that of what is new. False: no
 * memory. */
bool sm_run_info_add(struct sm_run_info *to, const struct sm_run_info *more);
/* Appends what the program printed. Over the limit, the first half is dropped, up to a line. */
bool sm_run_info_print(struct sm_run_info *info, const char *p, size_t n);
/* Appends a sample. Over the limit, the first half is dropped. */
bool sm_run_info_sample(struct sm_run_info *info, const char *name, size_t n, double time,
                        double value);
/* Adds an alert that is not there yet; those over the limit are left out. Each line end in the text
 * becomes a blank. */
bool sm_run_info_alert(struct sm_run_info *info, const char *text, size_t n, double time,
                       int64_t step);
bool sm_run_info_ignore(struct sm_run_info *info, const char *word); /* once each */
void sm_run_info_clear(struct sm_run_info *info);
void sm_run_info_free(struct sm_run_info *info); /* from sm_alloc; may be NULL */

#endif
