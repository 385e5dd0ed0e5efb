/* SPDX-License-Identifier: Apache-2.0 */
/* What was read of a run so far, and its records. */
#ifndef SM_WANDB_RUN_H
#define SM_WANDB_RUN_H

#include "reader/logs/log_sink.h"
#include "reader/wandb/wandb_item.h"
#include "reader/wandb/wandb_keys.h"
#include "reader/wandb/wandb_media.h"
#include "reader/wandb/wandb_metrics.h"

struct sm_wandb_value {
    uint32_t key;
    double number;
};
struct sm_wandb_gathered {
    uint32_t key;
    struct sm_wandb_media media;
};
struct sm_wandb_run {
    struct sm_log_sink *sink; /* of the turn */
    struct sm_source *source; /* of the file */
    const char *file;
    struct sm_wandb_keys keys;
    struct sm_wandb_metrics metrics;
    uint64_t defined_to;  /* definitions before this offset are known: the file is read again */
    uint64_t reported_to; /* the same of problems */
    uint32_t checked;     /* the version of definitions that all points were compared with */
    unsigned bad_axes;    /* axes whose values are no steps */
    bool failed;          /* no memory */
    bool again; /* points have to go over another axis: the file must be read from its beginning */

    uint64_t records;   /* of history */
    int64_t next_step;  /* of a record that states none */
    uint64_t summed_to; /* records whose newest values are in the summary */
    bool has_config, has_summary, has_console;
    uint32_t *changed; /* keys whose summary is to be handed on */
    size_t n_changed, cap_changed;

    /* of the record that is being read */
    struct sm_wandb_value *values;
    size_t n_values, cap_values;
    struct sm_wandb_gathered *gathered; /* values that may be no numbers */
    size_t n_gathered, cap_gathered;
    struct sm_arena arena; /* of their fields */
    uint64_t offset;       /* of the record */
    double time;
    int64_t step;
    bool has_step, typed;
    struct sm_str scratch, name, json;
};

/* A record of the file, which stands at `offset`. */
void sm_wandb_take_record(struct sm_wandb_run *r, struct sm_bytes record, uint64_t offset);
void sm_wandb_take_history(struct sm_wandb_run *r, struct sm_bytes history);
void sm_wandb_take_summary(struct sm_wandb_run *r, struct sm_bytes summary);
/* Hands on what has changed of the summary. Where the logger writes none, the newest value of each
 * series is its summary. */
void sm_wandb_hand_summary(struct sm_wandb_run *r);
/* At the end of what is there: sets `again` if definitions came after points that they concern. */
void sm_wandb_check_axes(struct sm_wandb_run *r);
void sm_wandb_report(struct sm_wandb_run *r, uint64_t offset, const struct sm_err *err);
/* The file is read from its beginning again, with what is known of definitions. */
void sm_wandb_run_rewind(struct sm_wandb_run *r);
/* Appends what the run is called, if it is, by the first bytes of its file. False: more bytes may
 * tell. */
bool sm_wandb_find_name(struct sm_bytes head, struct sm_str *name);
/* Frees; the file stays. */
void sm_wandb_run_clear(struct sm_wandb_run *r);

#endif
