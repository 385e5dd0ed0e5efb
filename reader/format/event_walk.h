/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through an event message in place: what a list of scalars needs, without unpacking it. */
#ifndef SM_EVENT_WALK_H
#define SM_EVENT_WALK_H

#include "reader/format/event.h"

/* The parts of an event outside of its values. */
struct sm_event_outline {
    double wall_time; /* seconds since 1970 */
    int64_t step;
    struct sm_text file_version; /* "brain.Event:2" or empty */
    bool starts_session;
    bool has_graph; /* a graph_def or a meta_graph_def */
    struct sm_bytes summary;
};
/* False: not a message, or one that has a part twice; sm_event_parse decides. */
bool sm_event_outline(struct sm_bytes payload, struct sm_event_outline *out);

enum sm_walk_kind {
    SM_WALK_NONE,   /* the value has no content: a name, perhaps what a plugin says */
    SM_WALK_NUMBER, /* a real number: dtype and element are set */
    SM_WALK_OTHER,  /* to be parsed by sm_event_parse */
};
struct sm_walk_value {
    struct sm_text tag;
    struct sm_text plugin; /* empty if none */
    struct sm_bytes plugin_content;
    enum sm_walk_kind kind;
    enum sm_dtype dtype;
    uint8_t element[8]; /* as stored, little endian; the rest is 0 */
};
/* The next value of a summary, taken off its front. False: there is none, or *bad: the summary is
 * not valid. A NUMBER is what sm_event_parse gives as a scalar; that of a tensor without a shape,
 * which sm_event_parse refuses, too. */
bool sm_event_next_value(struct sm_bytes *rest, struct sm_walk_value *out, bool *bad);

#endif
