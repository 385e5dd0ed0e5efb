/* SPDX-License-Identifier: Apache-2.0 */
/* Rules: checks on the tensors of a trial. rules/ contains the engine that judges steps
 * (rules/run.h) and rules read from files (rules/custom.h); the built-in rules are in
 * rules/builtin/, the expression language in rules/expr/. It hands out statuses and findings: a
 * number, its limit and a message.
 *
 * A rule is a constant record and one function; rules/builtin/rule_list.h is their only list.
 * Commands, help, completion and doc/rules.md are made from the records.
 *
 * The function judges one step: it asks for numbers of the tensors picked for it and notes each
 * number with its limit. If a number is not available yet, x->waiting is set, the notes are
 * discarded and the function is called again later. A rule with state therefore asks for everything
 * first, returns if x->waiting, and only then changes its state. Heavy work over a whole tensor is
 * a measure: a pure function run by the worker threads. Definitions: doc/rules.md.
 *
 * A rule may instead judge windows of time of the trial's profile (on_windows): what machine and
 * framework did (reader/profile/profile.h). */
#ifndef SM_RULE_H
#define SM_RULE_H

#include "reader/fetch/fetch.h"
#include "reader/profile/profile.h"

/* ---- parameters ---- */

enum sm_rule_type {
    SM_RULE_NUMBER,
    SM_RULE_INT,
    SM_RULE_BOOL,
    SM_RULE_TEXT,
    SM_RULE_MODE,    /* train, eval, predict, global, auto */
    SM_RULE_PATTERN, /* a list of regular expressions, as Python's re.search */
    SM_RULE_NAMES,   /* a list of words */
    SM_RULE_NUMBERS  /* a list of numbers */
};
struct sm_rule_param {
    const char *name;
    enum sm_rule_type type;
    const char *initial; /* default as text, or NULL if none */
    double min, max;     /* of numbers; no limits if both are 0 */
    const char *unit;    /* "%", "steps", or NULL */
    const char *help;    /* one line */
    bool required;
    const char *alias; /* second name, or NULL */
};
struct sm_rule_value {
    bool set, given;  /* has a value; set by the user */
    double number;    /* NUMBER, INT, BOOL as 0 or 1, MODE as enum sm_mode (ANY: auto) */
    const char *text; /* as given, NULL if not set */
    const char **items;
    double *numbers; /* NUMBERS: n numbers */
    size_t n;
};

/* ---- which tensors ---- */

enum { SM_RULE_PICKS = 4 };
struct sm_rule_pick {
    const char *collections; /* name of the parameter with collections, or NULL */
    const char *regex;       /* name of the parameter with patterns, or NULL */
    /* the rule's own collection. Used if neither parameter is given; with `use` (name of a BOOL
     * parameter), whenever that parameter is true */
    const char *collection;
    const char *use;
    /* name of a TEXT parameter: if the trial has a tensor of this name, only that one is picked */
    const char *exact;
    const char *fallback; /* pattern used if the default pattern matches no tensor of the trial */
    const char *names;    /* pattern that no parameter can change */
    const char *except;   /* with `all`: leave out this collection */
    bool all;             /* pick all tensors if neither parameter is given */
    bool required;        /* an error if neither parameter is given */
    bool optional;        /* the rule can run without these tensors */
};
struct sm_rule_item {
    const struct sm_trial_tensor *tensor;
    const char *name;
    uint16_t worker;
    struct sm_entry value; /* none if only reductions or a shape were saved */
    size_t at;             /* its index in the tensor */
};

/* ---- judging a step ---- */

struct sm_rule_at {
    struct sm_fetch *fetch;
    struct sm_trial *trial;
    struct sm_trial_step step;
    const struct sm_rule_value *p; /* the parameters, in the record's order */
    void *state;                   /* rule->state_size bytes, initially zero */
    struct {
        /* saved at this step, sorted by name (bytes), then worker; valid until the function
         * returns */
        const struct sm_rule_item *items;
        size_t n, known; /* known: tensors picked, whether saved at this step or not */
    } picks[SM_RULE_PICKS];
    bool fell_back; /* a fallback pattern replaces the default */
    bool waiting;   /* a requested number is not available yet */
    bool ahead;     /* called in advance, only to request values; none is available (ahead.c) */
    struct sm_rule_instance *instance;
    struct sm_rules *rules;
    /* of rules that judge windows of time: [from_ns, to_ns) of the profile, which begins at
     * begin_ns; otherwise NULL and 0 */
    const struct sm_profile *profile;
    int64_t begin_ns, from_ns, to_ns;
    bool last_window;
    const char *node; /* what the next notes are about; NULL: no node */
};

/* The reduction over all elements, as numpy computes it: NaN if any element is NaN; the mean of |x|
 * is inf if an element is infinite. Computed from the value if it was saved, else the saved
 * reduction. False: waiting, or not available (counted as skipped). */
bool sm_rule_reduction(struct sm_rule_at *x, const struct sm_rule_item *it, int reduction,
                       double *out);
/* Type, shape and statistics of the value. False as above. */
bool sm_rule_facts(struct sm_rule_at *x, const struct sm_rule_item *it,
                   const struct sm_facts **out);
/* The value of a one-element tensor of any rank. False as above. */
bool sm_rule_scalar(struct sm_rule_at *x, const struct sm_rule_item *it, double *out);
bool sm_rule_scalar_of(struct sm_rule_at *x, const struct sm_entry *e, double *out);

/* The result of a measure. v: sm_alloc'ed, NULL if out of memory. */
struct sm_numbers {
    double *v;
    size_t n;
};
enum { SM_MEASURE_ARGS = 6, SM_MEASURE_TENSORS = 2 };
/* A pure function from whole numeric tensors (not strings) to numbers, run by a worker thread. */
typedef void sm_measure(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out);
/* *out stays valid until the step has been judged. False: waiting, or unreadable (counted as
 * skipped). Calls must come in the same order each time the step is judged. */
bool sm_rule_measure(struct sm_rule_at *x, sm_measure *measure, const double *args, size_t n_args,
                     const struct sm_entry *entries, size_t n, const struct sm_numbers **out);
/* The same for entries that may belong to other trials. */
bool sm_rule_measure_across(struct sm_rule_at *x, sm_measure *measure, const double *args,
                            size_t n_args, struct sm_trial *const *trials,
                            const struct sm_entry *entries, size_t n,
                            const struct sm_numbers **out);
bool sm_numbers_alloc(struct sm_numbers *out, size_t n);
/* The elements of a tensor as doubles, read in blocks; a complex element gives its real part, then
 * its imaginary part. */
enum { SM_BLOCK_ELEMENTS = 1024 };
struct sm_elements {
    enum sm_dtype dtype;
    const uint8_t *data;
    uint64_t n;
};
struct sm_elements sm_elements(const struct sm_tensor *t);
/* Reads the block that starts at element `at`. Returns its length, 0 at the end. */
size_t sm_elements_read(const struct sm_elements *e, uint64_t at, double out[SM_BLOCK_ELEMENTS]);
/* The same without conversion, for FLOAT32 tensors only. */
size_t sm_elements_floats(const struct sm_elements *e, uint64_t at, float out[SM_BLOCK_ELEMENTS]);
bool sm_same_shape(const struct sm_tensor *a, const struct sm_tensor *b);

/* The newest value of the tensor and worker before step `below`, counted in the mode (ANY and
 * GLOBAL: global steps). NULL if none. */
struct sm_entry sm_rule_previous_entry(const struct sm_rule_at *x, const struct sm_rule_item *it,
                                       enum sm_mode mode, int64_t below);
/* The step number of the entry, counted in the mode. */
int64_t sm_rule_entry_step(const struct sm_trial *t, const struct sm_entry *e, enum sm_mode mode);
/* The number of the current step, counted in the mode. */
int64_t sm_rule_current_step(const struct sm_rule_at *x, enum sm_mode mode);
/* TRAIN if the trial has TRAIN steps, else ANY. For rules about training steps. */
enum sm_mode sm_rule_training_mode(const struct sm_rule_at *x);

/* Whether the text of a note will be kept: what takes time to write is written only then. */
bool sm_rule_wants_text(const struct sm_rule_at *x, bool violated);
/* Notes one datapoint: a number of a tensor and its limit. The text becomes part of the message of
 * the finding. `it` may be NULL. */
void sm_rule_note(struct sm_rule_at *x, const struct sm_rule_item *it, double value, double limit,
                  bool violated, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* Notes what is odd but harmless: shown, but it neither fires nor counts. Several tensors with the
 * same remark are one, with their number. why: a string literal. known: the number of tensors it
 * could be said of, 0 if that means nothing. */
void sm_rule_remark(struct sm_rule_at *x, const struct sm_rule_item *it, size_t known,
                    const char *why);
/* For rules that judge windows of time, whose counts are not those of their notes: datapoints so
 * far, and what this window adds. It fires if it adds to triggered. */
void sm_rule_window_count(struct sm_rule_at *x, uint64_t datapoints, uint64_t violations,
                          uint64_t triggered);
/* Counts something that was not judged, for `rule status`. why must be a string literal. */
void sm_rule_skip(struct sm_rule_at *x, const char *why);
/* The rule ends with status Error and this reason. */
void sm_rule_fail(struct sm_rule_at *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends the index of the flat element of the tensor, for messages: "1,0,3". */
void sm_rule_add_index(struct sm_str *out, const struct sm_facts *f, uint64_t flat);
struct sm_pool *sm_rule_pool(const struct sm_rule_at *x);
/* Waits for something other than values of this trial: judge the step again soon. */
void sm_rule_poll(struct sm_rule_at *x);

/* A record of the rule for each tensor and worker, initially zero. Part of the rule's state. */
struct sm_rule_records {
    struct sm_map places; /* of (name, worker) in items */
    void **items;
    size_t n, cap;
};
void *sm_rule_record_of(struct sm_rule_records *m, const struct sm_rule_item *it, size_t size);
void sm_memory_clear(struct sm_rule_records *m);

/* ---- many steps at once ---- */

/* The entries [from, to) of a tensor that was picked: all it has at some steps. */
struct sm_rule_span {
    const struct sm_trial_tensor *tensor;
    size_t from, to;
    struct sm_calm calm;
};
/* Steps in a row, x->step is the first, at which all tensors of the first pick are calm
 * (reader/trial.h) or were not saved. */
struct sm_rule_stretch {
    size_t n_steps;
    int64_t last; /* the last step */
    const struct sm_rule_span *spans;
    size_t n;
};
/* For judge_stretch: counts datapoints without a violation. */
void sm_rule_count(struct sm_rule_at *x, uint64_t datapoints);

/* ---- the record ---- */

/* How a rule judges under `rule auto` (argument judge=auto), where that differs from its
 * definition: so that a run that learns stays quiet. */
struct sm_rule_auto {
    const char *differs;                      /* what differs; for help, explain and doc/rules.md */
    struct sm_rule_pick picks[SM_RULE_PICKS]; /* the first one empty: those of the rule */
    size_t state_size;
    void (*judge)(struct sm_rule_at *x);
    void (*clear)(void *state);
};

enum sm_rule_group { SM_RULE_DEBUGGER, SM_RULE_EXTRA, SM_RULE_CUSTOM, SM_RULE_PROFILER };
struct sm_json_writer;
struct sm_rule {
    const char *name, *class_name; /* "vanishing_gradient", "VanishingGradient" */
    enum sm_rule_group group;
    const char *summary; /* one line, <= 70 columns */
    const char *fires;   /* definition: the condition under which it fires */
    const char *advice;  /* what to do when it fires; one line */
    const char *saves;   /* what the hook must save: "gradients (500)" */
    /* parameters for `rule auto`, "" if none; NULL if `rule auto` does not attach it */
    const char *automatic;
    const struct sm_rule_param *params; /* ends with name NULL */
    struct sm_rule_pick picks[SM_RULE_PICKS];
    size_t state_size;
    bool forgets;  /* the state does not depend on other steps, so steps can be judged separately */
    bool fatal;    /* what it finds spoils the run from there on: worse than other findings */
    bool by_check; /* messages do not say of how many tensors it is true */
    bool on_clock; /* judged periodically while the job writes, not at each step */
    /* judged at windows of time of the profile, not at each step; a parameter scan_interval_us has
     * their length. Without a given policy it continues after it has fired */
    bool on_windows;
    bool whole; /* looks at the run as a whole: after a restart all steps are judged again */
    /* for `rule auto`: of the tensors of the first pick it needs one that this accepts; may be NULL
     */
    bool (*suits)(const struct sm_trial_tensor *t);
    /* reports parameters that contradict each other; may be NULL */
    bool (*check)(const struct sm_rule_value *p, struct sm_err *err);
    void (*judge)(struct sm_rule_at *x);
    /* Judges all steps of a stretch, with the result that `judge` has for one after the other, also
     * under `rule auto`. False: it has changed nothing, and they are judged so. May be NULL; only
     * of a rule with one pick */
    bool (*judge_stretch)(struct sm_rule_at *x, const struct sm_rule_stretch *s);
    void (*clear)(void *state);
    const struct sm_rule_auto *how_auto; /* NULL: `rule auto` judges by the definition */
    /* of a rule that judges windows: whether the profile has what it needs */
    bool (*suits_profile)(const struct sm_profile *p);
    /* writes what it found, one JSON object (PROFILER.md 6.3); may be NULL */
    void (*details)(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w);
    const char *preset_doc; /* parameters with which the service's guide documents it, or NULL */
};
/* Whether it is judged at each step of the trial. */
static inline bool sm_rule_has_steps(const struct sm_rule *r)
{
    return !r->on_clock && !r->on_windows;
}
size_t sm_rule_param_count(const struct sm_rule *r);
const char *sm_rule_type_name(enum sm_rule_type t);
const char *sm_rule_group_name(enum sm_rule_group g); /* "debugger" "extra" "custom" "profiler" */

/* param.c: sm_rule_values gives the defaults, sm_rule_set changes one parameter, sm_rule_check
 * checks them all. Texts and lists are allocated in the arena. */
struct sm_rule_value *sm_rule_values(const struct sm_rule *r, struct sm_arena *a);
bool sm_rule_set(const struct sm_rule *r, struct sm_rule_value *values, const char *name,
                 const char *text, struct sm_arena *a, struct sm_err *err);
bool sm_rule_check(const struct sm_rule *r, const struct sm_rule_value *values, struct sm_err *err);
const struct sm_rule_value *sm_rule_value(const struct sm_rule *r,
                                          const struct sm_rule_value *values, const char *name);

#endif
