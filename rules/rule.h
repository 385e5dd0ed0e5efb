/* A rule is a constant record and one function; rules/rule_table.c lists the records once.
 * Commands, help, completion and doc/rules.md are made from the records.
 *
 * The function judges one step: it asks for numbers of the tensors picked for it and notes each of
 * them with its limit. A number that is not there yet leaves x->waiting set: what was noted is
 * forgotten and the function is called again, so a rule with a memory asks for everything first,
 * returns if x->waiting, and only then changes its state. Heavy work over a whole tensor is a
 * measure: a pure function that the worker threads run. Definitions: doc/rules.md. */
#ifndef SM_RULE_H
#define SM_RULE_H

#include "reader/fetch.h"

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
    const char *initial; /* as a person would type it; NULL: not given */
    double min, max;     /* numbers; both 0: any */
    const char *unit;    /* "%", "steps", or NULL */
    const char *help;    /* one line */
    bool required;
    const char *alias; /* another name it is known by, or NULL */
};
struct sm_rule_value {
    bool set, given;  /* has a value; the person gave it */
    double number;    /* NUMBER, INT, BOOL as 0 or 1, MODE as enum sm_mode (ANY: auto) */
    const char *text; /* as given; NULL: not set */
    const char **items;
    double *numbers; /* NUMBERS: n of them */
    size_t n;
};

/* ---- which tensors ---- */

enum { SM_RULE_PICKS = 3 };
struct sm_rule_pick {
    const char *collections; /* name of the parameter with collections, or NULL */
    const char *regex;       /* name of the parameter with patterns, or NULL */
    /* the rule's own: when neither is given, or always when `use` (a BOOL parameter) is true */
    const char *collection;
    const char *use;
    /* name of a TEXT parameter: if the trial has a tensor of this name, that one alone */
    const char *exact;
    const char *fallback; /* pattern for when the default pattern matches no tensor of the trial */
    const char *except;   /* ALL: without this collection */
    bool all, required;   /* neither given: all tensors; refused */
    bool optional;        /* the rule has something to do without these */
};
struct sm_rule_item {
    const struct sm_trial_tensor *tensor;
    const char *name;
    uint16_t worker;
    const struct sm_entry *value; /* NULL: only reductions or a shape were saved */
};

/* ---- judging a step ---- */

struct sm_rule_at {
    struct sm_fetch *fetch;
    struct sm_trial *trial;
    struct sm_trial_step step;
    const struct sm_rule_value *p; /* the parameters, in the record's order */
    void *state;                   /* rule->state_size bytes, zeroed at first */
    struct {
        const struct sm_rule_item *items; /* saved at this step, by name (bytes), then worker; until
                                             the function returns */
        size_t n, known;                  /* known: tensors picked, saved at this step or not */
    } picks[SM_RULE_PICKS];
    bool fell_back; /* a fallback pattern stands for the default */
    bool waiting;   /* a number has been asked for and is not there yet */
    bool ahead;     /* before its turn: whatever is asked for is not there yet (ahead.c) */
    struct sm_rule_instance *instance;
    struct sm_rules *rules;
};

/* What numpy makes of all elements: NaN if there is one, |x|'s mean is inf with infinities. The
 * value's if it was saved, else the saved reduction. False: waiting, or nothing like it (counted as
 * skipped). */
bool sm_rule_number(struct sm_rule_at *x, const struct sm_rule_item *it, int reduction,
                    double *out);
bool sm_rule_facts(struct sm_rule_at *x, const struct sm_rule_item *it,
                   const struct sm_facts **out);
/* one element, of any rank */
bool sm_rule_scalar(struct sm_rule_at *x, const struct sm_rule_item *it, double *out);
bool sm_rule_scalar_of(struct sm_rule_at *x, const struct sm_entry *e, double *out);

/* Pure, in a worker: from whole tensors of numbers (not strings) to numbers. v is sm_alloc'ed, NULL
 * for no memory. */
struct sm_numbers {
    double *v;
    size_t n;
};
enum { SM_MEASURE_ARGS = 6, SM_MEASURE_TENSORS = 2 };
typedef void sm_measure(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out);
/* The numbers stay until the step is done. False: waiting, or unreadable (counted). Ask in the same
 * order each time. */
bool sm_rule_measure(struct sm_rule_at *x, sm_measure *measure, const double *args, size_t n_args,
                     const struct sm_entry *const *entries, size_t n,
                     const struct sm_numbers **out);
/* The same of entries that belong to other trials. */
bool sm_rule_measure_across(struct sm_rule_at *x, sm_measure *measure, const double *args,
                            size_t n_args, struct sm_trial *const *trials,
                            const struct sm_entry *const *entries, size_t n,
                            const struct sm_numbers **out);
bool sm_numbers_alloc(struct sm_numbers *out, size_t n);
/* The elements of a tensor as doubles, block by block; of complex ones both parts, one after the
 * other. */
enum { SM_BLOCK_ELEMENTS = 1024 };
struct sm_elements {
    enum sm_dtype dtype;
    const uint8_t *data;
    uint64_t n;
};
struct sm_elements sm_elements(const struct sm_tensor *t);
/* 0 at the end */
size_t sm_elements_read(const struct sm_elements *e, uint64_t at, double out[SM_BLOCK_ELEMENTS]);
/* Of FLOAT32 tensors, as they are. */
size_t sm_elements_floats(const struct sm_elements *e, uint64_t at, float out[SM_BLOCK_ELEMENTS]);
bool sm_same_shape(const struct sm_tensor *a, const struct sm_tensor *b);

/* The newest value of the tensor and worker at steps below `below` (number in the mode; ANY and
 * GLOBAL: global steps).
 */
const struct sm_entry *sm_rule_before(const struct sm_rule_at *x, const struct sm_rule_item *it,
                                      enum sm_mode mode, int64_t below);
/* its step there */
int64_t sm_rule_number_of(const struct sm_trial *t, const struct sm_entry *e, enum sm_mode mode);
int64_t sm_rule_here(const struct sm_rule_at *x, enum sm_mode mode);
/* TRAIN if the run has TRAIN steps, else ANY: for rules about training steps. */
enum sm_mode sm_rule_training(const struct sm_rule_at *x);

/* One datapoint: a number of a tensor beside its limit. The text of a violation is the middle of
 * the message. it may be NULL. */
void sm_rule_note(struct sm_rule_at *x, const struct sm_rule_item *it, double value, double limit,
                  bool violated, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void sm_rule_skip(struct sm_rule_at *x, const char *why); /* a literal; counted for `rule status` */
/* status Error */
void sm_rule_fail(struct sm_rule_at *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct sm_pool *sm_rule_pool(const struct sm_rule_at *x);
/* Not answered by values of this trial: call again soon. */
void sm_rule_again(struct sm_rule_at *x);

/* What a rule remembers of each tensor and worker: a zeroed record at first. In the rule's state.
 */
struct sm_memory {
    uint64_t *keys;
    void **items;
    size_t n, cap;
};
void *sm_memory_of(struct sm_memory *m, const struct sm_rule_item *it, size_t size);
void sm_memory_clear(struct sm_memory *m);

/* ---- the record ---- */

enum sm_rule_group { SM_RULE_DEBUGGER, SM_RULE_EXTRA, SM_RULE_CUSTOM };
struct sm_rule {
    const char *name, *class_name; /* "vanishing_gradient", "VanishingGradient" */
    enum sm_rule_group group;
    const char *summary; /* one line, <= 70 columns */
    const char *fires;   /* the definition: when it fires */
    const char *advice;  /* what to do then; one line */
    const char *saves;   /* what the hook must save: "gradients (500)" */
    /* parameters for `rule auto`, "" for none; NULL: not attached by itself */
    const char *automatic;
    const struct sm_rule_param *params; /* ends with name NULL */
    struct sm_rule_pick picks[SM_RULE_PICKS];
    size_t state_size;
    bool forgets;  /* what the state holds comes from no other step: steps may be judged apart */
    bool on_clock; /* judged with the clock while the job writes, not by steps */
    /* parameters that do not go together */
    bool (*check)(const struct sm_rule_value *p, struct sm_err *err);
    void (*judge)(struct sm_rule_at *x);
    void (*clear)(void *state);
};
extern const struct sm_rule *const sm_rule_table[]; /* NULL-terminated; the one list */

/* as either name; case, _ and - do not matter; NULL: none */
const struct sm_rule *sm_rule_find(const char *name);
size_t sm_rule_param_count(const struct sm_rule *r);
const char *sm_rule_type_name(enum sm_rule_type t);
const char *sm_rule_group_name(enum sm_rule_group g); /* "debugger" "extra" "custom" */

/* param.c: defaults, then one by one. Texts and lists go to the arena. */
struct sm_rule_value *sm_rule_values(const struct sm_rule *r, struct sm_arena *a);
bool sm_rule_set(const struct sm_rule *r, struct sm_rule_value *values, const char *name,
                 const char *text, struct sm_arena *a, struct sm_err *err);
bool sm_rule_check(const struct sm_rule *r, const struct sm_rule_value *values, struct sm_err *err);
const struct sm_rule_value *sm_rule_value(const struct sm_rule *r,
                                          const struct sm_rule_value *values, const char *name);

#endif
