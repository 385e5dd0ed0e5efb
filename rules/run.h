/* Rules attached to a trial, and the engine that judges its steps in their order.
 *
 * One set for a trial. Nothing waits: values are read and measured by the workers, sm_rules_pump
 * goes on with what has come. All rules work on one step before the next, so that a payload is read
 * once for all of them. Only complete steps are judged, none twice. Statuses are the service's
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
    bool violated;         /* false: a datapoint kept for `rule explain` */
    char *tensor, *worker; /* NULL: none */
    double value, limit;
    char *text;      /* "mean|g| = 3.1e-09 < 1e-07" */
    int64_t time_us; /* wall clock of the step's data */
};
struct sm_skip {
    const char *why;
    uint64_t count;
};
enum { SM_RULE_SKIPS = 8, SM_RULE_FINDINGS_MAX = 1000 };

struct sm_rule_instance {
    const struct sm_rule *rule;
    char *name;
    struct sm_arena arena; /* of the parameters */
    const char **args;     /* as given */
    size_t n_args;
    struct sm_rule_value *values; /* NULL: Error from the beginning */
    enum sm_mode mode;            /* only steps of this mode; ANY: all */
    const char *workers;          /* NULL: the first that has the tensor; "all"; or a name */
    int64_t start, end;           /* start <= step < end */
    bool continues;               /* goes on after it has fired */
    const char *actions;          /* as given: "print; log FILE", or NULL */
    enum sm_rule_status status;
    char *reason; /* of an Error or a warning; NULL: none */
    uint64_t datapoints, violations, triggered;
    int64_t first_fired, last_fired; /* -1: never */
    /* the first SM_RULE_FINDINGS_MAX; the worst step comes with all its violations */
    struct sm_finding *findings;
    size_t n_findings, cap_findings;
    struct sm_skip skips[SM_RULE_SKIPS];
    bool matched;   /* some tensor was picked */
    bool fell_back; /* a fallback pattern stands for the default */
    struct sm_rule_private *own;
};

struct sm_rules;
struct sm_rules *sm_rules_new(struct sm_trial *t, struct sm_fetch *f, struct sm_pool *pool);
void sm_rules_free(struct sm_rules *r);
/* Attaches. args are "name=value" of the rule, or of the engine: mode workers start_step end_step
 * policy action. instance NULL: the class name, with _2, _3 ... when taken. Always gives an
 * instance; with a bad parameter its status is Error and err says why. Borrowed. */
struct sm_rule_instance *sm_rules_add(struct sm_rules *r, const struct sm_rule *rule,
                                      const char *instance, const char *const *args, size_t n,
                                      struct sm_err *err);
void sm_rules_remove(struct sm_rules *r, size_t i);
/* from the next step on; off: Stopped */
void sm_rules_enable(struct sm_rules *r, size_t i, bool on);
/* every rule whose tensors exist, also those that come */
void sm_rules_auto(struct sm_rules *r, bool on);
bool sm_rules_is_auto(const struct sm_rules *r);
void sm_rules_fallback(struct sm_rules *r,
                       /* patterns of doc/rules.md for defaults that match nothing; at first on */
                       bool on);
/* What is on disk is all there will be: rules end when it has been judged, as at the end of the
 * job. */
void sm_rules_finite(struct sm_rules *r, bool on);
/* Rests for so long after each step, for machines that others use too; 0, as at first: never. */
void sm_rules_pause(struct sm_rules *r, int64_t us);
/* Judges part `index`, from 0, of a trial to which nothing is added: shard.c. Before rules are
 * attached. */
enum sm_rule_share {
    SM_SHARE_ALL,      /* not divided */
    SM_SHARE_RANGE,    /* the steps of this part */
    SM_SHARE_WHOLE,    /* all steps, as the rule remembers them */
    SM_SHARE_ELSEWHERE /* nothing: another part has the whole */
};
void sm_rules_shard(struct sm_rules *r, unsigned index, unsigned of);
unsigned sm_rules_shards(const struct sm_rules *r, unsigned *index); /* how many; 1: not divided */
enum sm_rule_share sm_rule_share(const struct sm_rule_instance *i);
/* it is done with all steps below this one */
int64_t sm_rule_judged(const struct sm_rule_instance *i);
bool sm_rule_begun(const struct sm_rule_instance *i);      /* some step has been looked at */
bool sm_rule_has_judged(const struct sm_rule_instance *i); /* a step, not the time; or it is over */
/* Keeps every datapoint of this step as a finding; -1: violations only. For `rule explain`. */
void sm_rules_explain(struct sm_rules *r, int64_t step);

size_t sm_rules_count(const struct sm_rules *r);
struct sm_rule_instance *sm_rules_item(const struct sm_rules *r, size_t i);
size_t sm_rules_find(const struct sm_rules *r, const char *instance); /* by name; count: none */
struct sm_trial *sm_rules_trial(const struct sm_rules *r);

/* Goes on for about this long. news: something was read or has come since. True: a status or a
 * count changed. */
bool sm_rules_pump(struct sm_rules *r, bool news, int64_t budget_us);
bool sm_rules_busy(const struct sm_rules *r);    /* pump again at once */
bool sm_rules_settled(const struct sm_rules *r); /* every complete step has been judged */
bool sm_rules_over(const struct sm_rules *r);    /* no rule is InProgress any more */
/* monotonic; for rules on the clock and rests */
int64_t sm_rules_deadline_us(const struct sm_rules *r);
size_t sm_rules_fired(const struct sm_rules *r); /* instances that have fired */
uint64_t sm_rules_version(const struct sm_rules *r);
/* Called for each firing, with the step's first violation. */
void sm_rules_on_fire(struct sm_rules *r,
                      void (*fired)(void *ctx, const struct sm_rule_instance *i,
                                    const struct sm_finding *f),
                      void *ctx);
/* The same with each violation of the step, in their order; no finding is kept then. */
void sm_rules_on_violation(struct sm_rules *r,
                           void (*violated)(void *ctx, const struct sm_rule_instance *i,
                                            const struct sm_finding *f),
                           void *ctx);

/* "VanishingGradient fired at step 500 (TRAIN 480) worker worker_1: gradient/fc1: mean|g| = ..." */
void sm_rule_message(const struct sm_rules *r, const struct sm_rule_instance *i,
                     const struct sm_finding *f, struct sm_str *out);
/* StatusDetails: the service's sentence, then ours. */
void sm_rule_reason(const struct sm_rules *r, const struct sm_rule_instance *i, struct sm_str *out);
/* Names like those that its patterns look for: "relu0_output_0, relu1_output_0". False: none. */
bool sm_rule_similar(const struct sm_rule_instance *i, const struct sm_trial *t,
                     struct sm_str *out);
/* Does the trial have tensors for the rule with these parameters? */
bool sm_rule_has_tensors(const struct sm_rule *rule, const struct sm_rule_value *values,
                         struct sm_trial *t);

#endif
