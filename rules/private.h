/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a rule set and its instances, shared by the files of the engine: run.c (steps,
 * statuses), stretch.c, set.c, message.c, attach.c, need.c, measure.c, evaluated.c, rule_at.c,
 * ahead.c, again.c, shard.c and similar_patterns.c. */
#ifndef SM_PRIVATE_H
#define SM_PRIVATE_H

#include "rules/expr/expr.h"
#include "rules/need.h"
#include "rules/run.h"

struct sm_measured;
struct sm_evaluated;
/* What a rule had found before the job was restarted. */
struct sm_rule_kept {
    uint64_t datapoints, violations, triggered;
    int64_t first_fired, last_fired;
    size_t n_findings;
    struct sm_skip skips[SM_RULE_SKIPS];
};
/* What it judges with: the definition, or the way of `rule auto`. */
struct sm_rule_how {
    const struct sm_rule_pick *picks;
    size_t state_size;
    bool keeps_state; /* from step to step */
    void (*judge)(struct sm_rule_at *x);
    void (*clear)(void *state);
};
struct sm_rule_private {
    struct sm_rule_how how;
    struct sm_rules *rules;
    int64_t known;  /* steps below it count, complete or not: they were judged before (again.c) */
    int64_t next;   /* the first step not judged yet */
    size_t at;      /* its index, when the lowest of all rules was looked for */
    int64_t by_one; /* steps below it are judged one by one (stretch.c) */
    size_t pause;   /* steps that are so judged after the next stretch that was refused */
    uint64_t stretched;            /* steps that were judged in stretches, for tests */
    bool begun;                    /* a step has been examined */
    bool resumed;                  /* it was disabled for some steps */
    bool behind;                   /* something was added to steps that it has judged */
    struct sm_rule_instance *twin; /* the same rule in the other set (again.c), or NULL */
    struct sm_rule_kept kept;
    struct sm_map reported; /* steps at which results that were replaced had fired */
    enum sm_rule_share share;
    char *similar;        /* cache of sm_rule_similar, NULL if no names are similar */
    uint64_t similar_key; /* changes when the trial gets new names; 0 if not computed yet */
    void *state;
    struct sm_need needs[SM_RULE_PICKS];
    size_t n_needs;
    struct sm_rule_item *items[SM_RULE_PICKS];
    size_t cap_items[SM_RULE_PICKS];
    struct sm_measured **measured; /* of the current step, in the order of the calls */
    size_t n_measured, cap_measured, asked;
    struct sm_evaluated **evaluated; /* the same for expressions */
    size_t n_evaluated, cap_evaluated, asked_evaluated;
    int64_t window_ns;   /* begin of the next window of time to judge; 0: none was judged */
    int64_t partial_ns;  /* the newest data when the last window was judged, if that was not full */
    uint64_t windows;    /* judged since its beginning */
    uint64_t restarted;  /* of these, when it last had to begin again for such a last window */
    uint64_t triggering; /* of the current window */
    struct sm_expr_memory memory; /* of its expressions, from step to step */
    struct sm_finding *notes;     /* of the current call of judge, as are the members below */
    size_t n_notes, cap_notes;
    uint64_t datapoints, violations;
    size_t tensors, violating;              /* different ones among them */
    const struct sm_rule_item *of, *bad_of; /* of the last datapoint, and the last violation */
    struct sm_skip skips[SM_RULE_SKIPS];
    struct sm_map remarked; /* (place in remarks, name, worker) of all remarks */
    char *failure;          /* NULL if none */
};
/* A value that was requested in advance. */
struct sm_rules_asked {
    uint64_t offset;
    uint32_t part;
    uint16_t value;
    uint8_t asked; /* ASKED_* of ahead.c; 0 in an empty slot */
};
struct sm_rules {
    struct sm_trial *trial;
    struct sm_fetch *fetch;
    struct sm_pool *pool;
    struct sm_rule_instance **items;
    size_t n, cap;
    bool finite, no_fallback, by_definition, by_guide;
    const struct sm_rule *const *candidates; /* rules of `rule auto`, ends with NULL; NULL if off */
    bool each;         /* call `fired` for every violation, and keep no findings */
    uint64_t auto_key; /* names at the last attempt to attach automatically */
    int64_t explain;
    bool waiting, busy, settled, answered; /* answered: a measure or expression has finished */
    bool polling;                          /* a rule called sm_rule_poll */
    int64_t pause_us, rest_until_us;       /* pause after each step; its end, monotonic */
    unsigned shard, shards;                /* part `shard`, from 0, of `shards`; undivided if < 2 */
    int64_t ahead;                         /* values up to this step were requested in advance */
    size_t sessions;                       /* sessions of the trial at the last pump */
    bool restarted;                        /* a session has started since the set was created */
    size_t late_seen;                      /* of sm_trial_late_step */
    size_t modes_at;                       /* steps of the trial when modes was computed */
    uint8_t modes;                         /* of the trial's steps: bit 1 << mode */
    bool as_it_is;                         /* incomplete steps count, too */
    bool behind;                           /* at least one rule is */
    bool takes_windows;                    /* a candidate judges windows of time */
    bool windows_unjudged;                 /* there are windows, or a profile is being read */
    bool windows_over;                     /* the last one, which is not full, was judged, too */
    uint64_t windows_version; /* of the profile, when windows were judged the last time */
    struct {
        bool any;
        uint64_t metrics, events;
    } windows_seen;            /* versions of the columns, when late data were looked for */
    size_t windows_rules;      /* rules of the set then */
    uint64_t windows_done;     /* judged by all rules, again, too; for tests */
    struct sm_rules *again;    /* judges rules that are behind; NULL if there are none */
    struct sm_rules *again_of; /* the set that this one is `again` of, or NULL */
    int64_t again_began_us, again_after_us; /* monotonic */
    struct sm_rule_entries ranges;
    uint64_t ahead_bytes;         /* payload bytes requested in advance at the current step */
    struct sm_rules_asked *asked; /* hash table of the values last requested in advance */
    uint64_t version;
    void (*fired)(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f);
    void *ctx;
};

/* run.c */
bool sm_rule_by_steps(const struct sm_rule_instance *i);
/* whether the step is in the mode of the instance */
bool sm_rule_matches_mode(const struct sm_rule_instance *i, const struct sm_trial_step *step);
/* fills x with the tensors of the step */
void sm_rule_at_step(struct sm_rules *r, struct sm_rule_instance *i,
                     const struct sm_trial_step *step, struct sm_rule_at *x);
void sm_rule_set_status(struct sm_rules *r, struct sm_rule_instance *i, enum sm_rule_status status);
/* after a call of judge: the notes become findings; returns how many there were before */
size_t sm_rule_keep_notes(struct sm_rules *r, struct sm_rule_instance *i);
void sm_rule_fire(struct sm_rules *r, struct sm_rule_instance *i, int64_t step, size_t first_note);
/* updates the picked tensors, which grow with the trial */
void sm_rule_update_needs(struct sm_rules *r, struct sm_rule_instance *i);
/* x without the tensors of the step */
struct sm_rule_at sm_rule_at_begin(struct sm_rules *r, struct sm_rule_instance *i,
                                   const struct sm_trial_step *step);
/* stretch.c */
/* judges the step with index `at` and those after it at once, if the rule can; false: it has not */
bool sm_rule_judge_stretch(struct sm_rules *r, struct sm_rule_instance *i, size_t at);
/* windows.c */
/* judges windows of time until `end` of the monotonic clock; over: nothing more will come */
void sm_rules_judge_windows(struct sm_rules *r, int64_t end);
/* When the job stalls, so that the last window is judged: monotonic clock; INT64_MAX: never. */
int64_t sm_rules_windows_deadline_us(const struct sm_rules *r);
void sm_rules_notice_late_windows(struct sm_rules *r);
/* again.c */
void sm_rules_notice_restart(struct sm_rules *r);
/* a step left over from before a restart, which has been judged already */
bool sm_rules_is_old(const struct sm_rules *r, int64_t step);
/* marks the rules that are behind */
void sm_rules_notice_late(struct sm_rules *r);
bool sm_rules_is_behind(const struct sm_rules *r);
void sm_rule_mark_behind(struct sm_rules *r, struct sm_rule_instance *i);
/* ended: no more steps will come, so nothing is put off */
void sm_rules_pump_again(struct sm_rules *r, bool changed, bool ended, int64_t budget_us);
int64_t sm_rules_again_deadline_us(const struct sm_rules *r);
void sm_rule_forget_twin(struct sm_rule_instance *i);
/* ahead.c */
/* whether the step is judged now: it is complete, or nothing more is expected */
bool sm_rules_count_step(const struct sm_rules *r, const struct sm_trial_step *step);
/* requests values of the steps after the one with index `at` */
void sm_rules_request_ahead(struct sm_rules *r, size_t at);
void sm_rule_request_stats(struct sm_rule_at *x, const struct sm_entry *e);
void sm_rule_request_tensor(struct sm_rule_at *x, struct sm_trial *t, const struct sm_entry *e);
/* measure.c */
void sm_measured_begin(struct sm_rule_private *p); /* before each call of judge */
/* frees those from index `from` on */
void sm_measured_drop(struct sm_rule_private *p, size_t from);
/* evaluated.c: the same for expressions */
void sm_evaluated_begin(struct sm_rule_private *p);
void sm_evaluated_drop(struct sm_rule_private *p, size_t from);
/* rule_at.c */
void sm_rule_clear_notes(struct sm_rule_private *p);
void sm_finding_clear(struct sm_finding *f);
void sm_remark_clear(struct sm_remark *m);
/* shard.c */
/* assigns newly attached rules their share of the steps; the trial must be scanned */
void sm_rules_assign_shares(struct sm_rules *r);
/* attach.c */
bool sm_rule_pick_is_empty(const struct sm_rule_pick *pick);
void sm_rule_detach(struct sm_rule_instance *i);
/* for `rule auto`: attaches the rules whose tensors exist now */
void sm_rules_attach_new(struct sm_rules *r);
void sm_rule_count_skip(struct sm_skip *skips, const char *why, uint64_t count);

#endif
