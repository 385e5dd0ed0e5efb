/* How the parts of the engine share an instance: run.c (steps, statuses), set.c,
 * message.c, attach.c, need.c, measure.c, at.c. */
#ifndef SM_PRIVATE_H
#define SM_PRIVATE_H

#include "rules/need.h"
#include "rules/run.h"

struct sm_measured;
struct sm_evaluated;
struct sm_rule_private {
    struct sm_rules *rules;
    int64_t next; /* the first step not judged yet */
    bool begun;   /* some step has been looked at */
    enum sm_rule_share share;
    char *similar;        /* names like those it looks for; NULL: none */
    uint64_t similar_key; /* of the names that were looked at */
    void *state;
    struct sm_need needs[SM_RULE_PICKS];
    size_t n_needs;
    struct sm_rule_item *items[SM_RULE_PICKS];
    size_t cap_items[SM_RULE_PICKS];
    struct sm_measured **measured; /* of the step in work, in the order of asking */
    size_t n_measured, cap_measured, asked;
    struct sm_evaluated **evaluated; /* the same of expressions */
    size_t n_evaluated, cap_evaluated, asked_evaluated;
    struct sm_finding *notes; /* of the call in work */
    size_t n_notes, cap_notes;
    uint64_t datapoints, violations;     /* of the call in work */
    struct sm_skip skips[SM_RULE_SKIPS]; /* of the call in work */
    char *failure;                       /* of the call in work; NULL: none */
};
struct sm_rules_asked { /* of a value */
    uint64_t offset;
    uint32_t part;
    uint16_t value;
    uint8_t asked; /* ASKED_* of ahead.c; 0: an empty slot */
};
struct sm_rules {
    struct sm_trial *trial;
    struct sm_fetch *fetch;
    struct sm_pool *pool;
    struct sm_rule_instance **items;
    size_t n, cap;
    bool finite, no_fallback;
    const struct sm_rule *const *candidates; /* of rule auto, NULL-terminated; NULL: off */
    bool each;                               /* violation of a firing is told, and none kept */
    uint64_t auto_key;                       /* the names that rule auto has checked */
    int64_t explain;
    bool waiting, busy, settled, answered; /* answered: a measure has finished */
    bool polling;                          /* a rule waits for something else */
    int64_t pause_us, rest_until_us;       /* between steps; monotonic */
    unsigned shard, shards; /* part `shard`, from 0, of so many; 0 and 1: the whole */
    int64_t ahead;          /* steps up to here have been asked for in advance */
    size_t sessions;        /* that the trial had the last time */
    bool restarted;         /* a session has begun since it is watched */
    struct sm_rule_entries places;
    uint64_t ahead_bytes;         /* of the payloads that were the last time */
    struct sm_rules_asked *asked; /* the last values that were */
    uint64_t version;
    void (*fired)(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f);
    void *ctx;
};

/* run.c */
bool sm_rule_by_steps(const struct sm_rule_instance *i);
/* a step of its mode */
bool sm_rule_takes(const struct sm_rule_instance *i, const struct sm_trial_step *step);
void sm_rule_at_step(struct sm_rules *r, struct sm_rule_instance *i,
                     const struct sm_trial_step *step, struct sm_rule_at *x);
/* restart.c */
void sm_rules_notice_restart(struct sm_rules *r);
/* left from before the restart, and judged then */
bool sm_rules_is_old(const struct sm_rules *r, int64_t step);
/* ahead.c */
/* at the steps behind that of index `at` */
void sm_rules_look_ahead(struct sm_rules *r, size_t at);
void sm_rule_ask_stats(struct sm_rule_at *x, const struct sm_entry *e);
void sm_rule_ask_tensor(struct sm_rule_at *x, struct sm_trial *t, const struct sm_entry *e);
/* measure.c */
void sm_measured_begin(struct sm_rule_private *p); /* a call begins */
/* forgets those asked from there on */
void sm_measured_drop(struct sm_rule_private *p, size_t from);
/* evaluated.c: the same of expressions */
void sm_evaluated_begin(struct sm_rule_private *p);
void sm_evaluated_drop(struct sm_rule_private *p, size_t from);
/* at.c */
void sm_rule_forget_notes(struct sm_rule_private *p);
void sm_finding_clear(struct sm_finding *f);
/* shard.c */
void sm_rules_divide(struct sm_rules *r); /* what has been attached since; the steps are known */
/* attach.c */
void sm_rule_detach(struct sm_rule_instance *i);
void sm_rules_attach_new(struct sm_rules *r); /* for `rule auto` */
void sm_rule_count_skip(struct sm_skip *skips, const char *why, uint64_t count);

#endif
