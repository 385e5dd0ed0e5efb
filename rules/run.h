/* SPDX-License-Identifier: Apache-2.0 */
/* The rules attached to a trial, and the engine that judges the steps in order.
 *
 * One set per trial. Nothing blocks: worker threads read and measure values, sm_rules_pump
 * continues with the results. All rules judge one step before the next, so each payload is read
 * once for all rules. Only complete steps are judged, each once. Statuses are those of the service
 * (doc/rules.md). */
#ifndef SM_RUN_H
#define SM_RUN_H

#include "rules/rule.h"

enum sm_rule_status {
    SM_RULE_IN_PROGRESS,
    SM_RULE_NO_ISSUES,
    SM_RULE_ISSUES,
    SM_RULE_ERROR,
    SM_RULE_STOPPED,
    SM_RULE_STATUSES
};
const char *sm_rule_status_name(enum sm_rule_status s); /* "InProgress" "NoIssuesFound" ... */

struct sm_finding {
    int64_t step, mode_step;
    enum sm_mode mode;
    bool violated;         /* false for a datapoint kept for `rule explain` */
    char *tensor, *worker; /* NULL if none */
    double value, limit;
    char *text;      /* "mean|g| = 3.1e-09 < 1e-07" */
    int64_t time_us; /* wall clock of the step's data */
    /* of a window of time of the profile: step is -1, mode_step the first step in it or -1 */
    int64_t from_ns, to_ns; /* 0: of a step */
    char *node;             /* NULL: none */
};
/* Something odd but harmless, of one or several tensors. */
struct sm_remark {
    const char *why;       /* a string literal */
    int64_t step;          /* at which it was first said */
    char *tensor, *worker; /* the first one; NULL if it is about no tensor */
    size_t n, known;       /* tensors (with a worker each); of how many, 0 if unknown */
};
struct sm_skip {
    const char *why;
    uint64_t count;
};
enum { SM_RULE_SKIPS = 8, SM_RULE_REMARKS = 8, SM_RULE_FINDINGS_MAX = 1000 };

struct sm_rule_instance {
    const struct sm_rule *rule;
    char *name;
    struct sm_arena arena; /* holds the parameters */
    const char **args;     /* as given */
    size_t n_args;
    struct sm_rule_value *values; /* NULL if the parameters were refused */
    enum sm_mode mode;            /* judge only steps of this mode; ANY: all */
    const char *workers;          /* NULL: the first with the tensor; "all"; or a name */
    int64_t start, end;           /* start <= step < end */
    bool continues;               /* keeps judging after it has fired */
    bool leniently;               /* judges as under `rule auto` (struct sm_rule_auto) */
    const char *actions;          /* as given: "print; log FILE", or NULL */
    enum sm_rule_status status;
    char *reason; /* of an error or a warning, or NULL */
    uint64_t datapoints, violations, triggered;
    int64_t first_fired, last_fired; /* steps, -1 if never, or in a window of time */
    int64_t first_fired_ns;          /* begin of the first window in which it fired, or 0 */
    int64_t last_tested;             /* the newest step with a datapoint, -1 if none */
    /* the first SM_RULE_FINDINGS_MAX */
    struct sm_finding *findings;
    size_t n_findings, cap_findings;
    struct sm_skip skips[SM_RULE_SKIPS];
    struct sm_remark remarks[SM_RULE_REMARKS]; /* up to the first without `why` */
    bool matched;                              /* at least one tensor was picked */
    bool fell_back;                            /* a fallback pattern replaces the default */
    bool automatic;                            /* attached by sm_rules_auto */
    struct sm_rule_private *own;
};

struct sm_rules;
struct sm_rules *sm_rules_new(struct sm_trial *t, struct sm_fetch *f, struct sm_pool *pool);
void sm_rules_free(struct sm_rules *r);
/* Attaches a rule. args: "name=value" for parameters of the rule, or of the engine: mode, workers,
 * start_step, end_step, policy, judge, action. instance: its name; NULL for the class name, with
 * _2, _3
 * ... appended if it is taken. Always returns an instance, owned by the set; with a bad parameter
 * its status is Error and err has the reason. */
struct sm_rule_instance *sm_rules_add(struct sm_rules *r, const struct sm_rule *rule,
                                      const char *instance, const char *const *args, size_t n,
                                      struct sm_err *err);
void sm_rules_remove(struct sm_rules *r, size_t i);
/* Off: status Stopped. On: continues with the next new step. */
void sm_rules_enable(struct sm_rules *r, size_t i, bool on);
/* Attaches every rule of the table whose tensors exist, now or later, with workers=all. The table
 * ends with NULL; NULL: no more rules are attached. */
void sm_rules_auto(struct sm_rules *r, const struct sm_rule *const *table);
/* Those that are attached from now on judge by their definitions, not as struct sm_rule_auto says.
 */
void sm_rules_auto_by_definition(struct sm_rules *r, bool on);
/* Those that are attached from now on have the parameters of the service's guide (preset_doc). */
void sm_rules_auto_by_guide(struct sm_rules *r, bool on);
bool sm_rules_is_auto(const struct sm_rules *r);
/* Attaches to r, a new set of another trial, what was attached to `like`: the same rules, with the
 * same names and arguments, and `rule auto`; and gives it the options of `like`, but not its part
 * of the steps. */
void sm_rules_attach_like(struct sm_rules *r, const struct sm_rules *like);
/* The arguments that `rule auto` gives to the rule, at most SM_RULE_AUTO_ARGS; texts are allocated
 * in the arena. Returns their number. */
enum { SM_RULE_AUTO_ARGS = 8 };
size_t sm_rule_auto_args(const struct sm_rule *rule, bool by_definition, struct sm_arena *a,
                         const char **out);
/* Allows fallback patterns (doc/rules.md) for defaults that match nothing; initially on. */
void sm_rules_fallback(struct sm_rules *r, bool on);
/* No more data will arrive: rules end when everything on disk has been judged, as at the end of the
 * job. */
void sm_rules_finite(struct sm_rules *r, bool on);
/* Pauses after each step, for shared machines. Initially 0: no pause. */
void sm_rules_pause(struct sm_rules *r, int64_t us);
/* The steps that a rule judges when the trial is divided among machines (shard.c). */
enum sm_rule_share {
    SM_SHARE_ALL,      /* not divided */
    SM_SHARE_RANGE,    /* the steps of this part */
    SM_SHARE_WHOLE,    /* all steps, because the rule keeps state between them */
    SM_SHARE_ELSEWHERE /* none: another part judges all of them */
};
/* Judges part `index`, from 0, of `of` parts of a finished trial. Call it before attaching rules.
 */
void sm_rules_shard(struct sm_rules *r, unsigned index, unsigned of);
/* The number of parts, 1 if not divided. */
unsigned sm_rules_shards(const struct sm_rules *r, unsigned *index);
enum sm_rule_share sm_rule_share(const struct sm_rule_instance *i);
/* All steps below the result have been judged. */
int64_t sm_rule_judged(const struct sm_rule_instance *i);
void *sm_rule_state(const struct sm_rule_instance *i);  /* rule->state_size bytes, or NULL */
bool sm_rule_started(const struct sm_rule_instance *i); /* a step has been examined */
/* It has examined a step (not only the clock), or it has ended. */
bool sm_rule_has_judged(const struct sm_rule_instance *i);
/* Keeps every datapoint of this step as a finding; -1: violations only. For `rule explain`. */
void sm_rules_explain(struct sm_rules *r, int64_t step);

size_t sm_rules_count(const struct sm_rules *r);
struct sm_rule_instance *sm_rules_item(const struct sm_rules *r, size_t i);
/* Index of the instance of this name; sm_rules_count if there is none. */
size_t sm_rules_find(const struct sm_rules *r, const char *instance);
/* The worst of those that have fired: fatal ones (struct sm_rule) before others, then the one that
 * fired at the lowest step. NULL: none has; *fired, if not NULL: how many have. */
const struct sm_rule_instance *sm_rules_worst(const struct sm_rules *r, size_t *fired);
struct sm_trial *sm_rules_trial(const struct sm_rules *r);

/* Judges for about budget_us. changed: values or data arrived since the last call. True if a
 * status or a count changed, or nothing is left to judge now and something was before. */
bool sm_rules_pump(struct sm_rules *r, bool changed, int64_t budget_us);
/* Judges the windows of a rule up to the end of the one of `at`: for a rule that is made of others.
 */
void sm_rules_judge_until(struct sm_rule_instance *i, const struct sm_rule_at *at);
/* Whether all windows that the profile has now are judged. */
bool sm_rules_windows_judged(const struct sm_rules *r);
/* The instance that judges the same windows with the same parameters as `like`, all of them, so
 * that its results are those of `like`. NULL: none. */
struct sm_rule_instance *sm_rules_same(const struct sm_rules *r,
                                       const struct sm_rule_instance *like);
bool sm_rule_is_same(const struct sm_rule_instance *i, const struct sm_rule_instance *like);
struct sm_rules *sm_rule_set_of(const struct sm_rule_instance *i); /* that it is an item of */
bool sm_rules_busy(const struct sm_rules *r);                      /* pump again immediately */
bool sm_rules_all_judged(const struct sm_rules *r); /* every complete step has been judged */
bool sm_rules_finished(const struct sm_rules *r);   /* no rule is InProgress */
/* A rule that the user attached is judged by the clock, and has not fired yet. */
bool sm_rules_wait_for_clock(const struct sm_rules *r);
/* When to pump again even if nothing changed: monotonic clock, 0 now, INT64_MAX never. */
int64_t sm_rules_deadline_us(const struct sm_rules *r);
size_t sm_rules_fired(const struct sm_rules *r); /* instances that have fired */
/* Changes with what is attached, options and results. No two sets have the same. */
uint64_t sm_rules_version(const struct sm_rules *r);
/* Sets the function called for each firing, with the first violation of the step. */
void sm_rules_on_fire(struct sm_rules *r,
                      void (*fired)(void *ctx, const struct sm_rule_instance *i,
                                    const struct sm_finding *f),
                      void *ctx);
/* The same, called for each violation of the step in order; findings are then not kept. */
void sm_rules_on_violation(struct sm_rules *r,
                           void (*violated)(void *ctx, const struct sm_rule_instance *i,
                                            const struct sm_finding *f),
                           void *ctx);

/* "VanishingGradient fired at step 500 (TRAIN 480) worker worker_1: gradient/fc1: mean|g| = ..." */
void sm_rule_message(const struct sm_rules *r, const struct sm_rule_instance *i,
                     const struct sm_finding *f, struct sm_str *out);
/* "a normalisation layer's scale does not vary: CNN_bn.weight and 2 more (3 of 12)" */
void sm_rule_remark_text(const struct sm_remark *m, struct sm_str *out);
/* The steps on disk that the rule has not judged: they are incomplete, or it was stopped. 0 for a
 * rule that ended when it fired or with an error. */
uint64_t sm_rule_unjudged(const struct sm_rules *r, const struct sm_rule_instance *i);
/* Values that it should have judged and that could not be read. */
uint64_t sm_rule_unread(const struct sm_rule_instance *i);
/* The rule has ended and judged nothing, so its status says nothing about the run. */
bool sm_rule_judged_nothing(const struct sm_rule_instance *i);
/* Appends why: "15 steps wait for worker_1, which wrote nothing after step 6", and whether
 * values of other workers than the first were left out. Nothing if all was judged. Escape it for
 * display. */
void sm_rule_describe_unjudged(const struct sm_rules *r, const struct sm_rule_instance *i,
                               struct sm_str *out);
/* StatusDetails: the sentence of the service, then the message. Empty if there is none. */
void sm_rule_reason(const struct sm_rules *r, const struct sm_rule_instance *i, struct sm_str *out);
/* Tensor names similar to its patterns: "relu0_output_0, relu1_output_0". False if none. */
bool sm_rule_similar(const struct sm_rule_instance *i, const struct sm_trial *t,
                     struct sm_str *out);
/* True if the trial has tensors for the rule with these parameters. */
bool sm_rule_has_tensors(const struct sm_rule *rule, const struct sm_rule_value *values,
                         struct sm_trial *t);

#endif
