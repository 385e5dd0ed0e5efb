/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a run's history and summary, joined by '.', each with what is known of it. */
#ifndef SM_WANDB_KEYS_H
#define SM_WANDB_KEYS_H

#include "reader/base/bytes.h"
#include "reader/base/map.h"
#include "reader/base/str.h"

enum sm_wandb_role {
    SM_WANDB_ROLE_VALUE,
    SM_WANDB_ROLE_STEP,     /* _step */
    SM_WANDB_ROLE_TIME,     /* _timestamp */
    SM_WANDB_ROLE_KIND,     /* NAME._type: NAME is a histogram, an image and the like */
    SM_WANDB_ROLE_INTERNAL, /* others with '_' in front */
    SM_WANDB_ROLE_TOO_LONG
};
struct sm_wandb_key {
    uint32_t parent;   /* the name without what `field` stands for; SM_NAME_NONE: it is no field */
    uint32_t series;   /* in the sink; SM_NAME_NONE: it has no points */
    uint32_t axis;     /* the key over which it goes; SM_NAME_NONE: the step */
    uint32_t defined;  /* the version of the definitions that `axis` is of */
    uint64_t seen;     /* the history record with its newest number; 0: none */
    uint64_t typed;    /* the newest history record in which it is no scalar */
    uint64_t gathered; /* the newest history record that has fields of it */
    size_t media;      /* in it: index of these fields */
    double number;     /* the newest */
    enum sm_wandb_role role;
    uint8_t field;      /* enum sm_wandb_field */
    bool no_axis;       /* it had a number that is no step */
    bool changed;       /* the summary is to be handed on */
    struct sm_str json; /* the summary */
};
/* Zero-initialised it is empty. */
struct sm_wandb_keys {
    struct sm_names *names; /* an id is an index in items */
    struct sm_wandb_key *items;
    size_t cap;
    struct sm_names *paths; /* fields of items as they stand, and the key of each */
    uint32_t *of_path;
    size_t cap_paths;
    struct sm_str text; /* scratch */
};
/* Both: SM_NAME_NONE if there is no memory. */
uint32_t sm_wandb_key_of(struct sm_wandb_keys *k, const char *name, size_t n);
uint32_t sm_wandb_key_of_path(struct sm_wandb_keys *k, struct sm_bytes path);
/* Whether a name in front of one of its last parts had a part `_type` in this record. */
bool sm_wandb_key_is_typed(const struct sm_wandb_keys *k, uint32_t key, uint64_t record);
void sm_wandb_keys_clear(struct sm_wandb_keys *k);

#endif
