/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a history that are no numbers. wandb-core writes an item for each of their fields
 * ("h._type", "h.values"), older versions one object. */
#ifndef SM_WANDB_MEDIA_H
#define SM_WANDB_MEDIA_H

#include "reader/logs/log_source.h"
#include "reader/wandb/wandb_item.h"

enum sm_wandb_field {
    SM_WANDB_FIELD_NONE,
    SM_WANDB_FIELD_TYPE,
    SM_WANDB_FIELD_VALUES, /* of a histogram: counts */
    SM_WANDB_FIELD_BINS,   /* edges, one more than counts */
    SM_WANDB_FIELD_PACKED_MIN,
    SM_WANDB_FIELD_PACKED_SIZE, /* or edges by the first one and the width of a bin */
    SM_WANDB_FIELD_PATH,
    SM_WANDB_FIELD_NAMES, /* of several files */
    SM_WANDB_FIELD_WIDTH,
    SM_WANDB_FIELD_HEIGHT,
    SM_WANDB_FIELD_ROWS,
    SM_WANDB_FIELD_COLUMNS,
    SM_WANDB_FIELD_SIZE,
    SM_WANDB_FIELDS
};
struct sm_wandb_media {
    struct sm_text fields[SM_WANDB_FIELDS]; /* as JSON writes them, texts without quotes; p is NULL
                                               where there is none */
};
/* What the name of an item ends in; *owner: the length of the name without it. */
enum sm_wandb_field sm_wandb_field_of(struct sm_text name, size_t *owner);
/* The value of an item, as text. A number is written into the arena; other bytes are borrowed. */
struct sm_text sm_wandb_field_text(const struct sm_wandb_item *item, struct sm_arena *arena);

/* The value, whose files are below the folder `base` ("" or ending in '/'). sizes_only: files are
 * not read, zeros stand for their bytes. False with SM_ERR_USAGE: nothing that can be shown. */
bool sm_wandb_media_value(const struct sm_wandb_media *m, struct sm_source *files, const char *base,
                          bool sizes_only, struct sm_arena *arena, struct sm_event_value *out,
                          struct sm_err *err);
/* The operation `make` of the format (reader/logs/log_kind.h): `offset` is that of the record. */
sm_log_make sm_wandb_make_value;

#endif
