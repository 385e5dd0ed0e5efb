/* SPDX-License-Identifier: Apache-2.0 */
/* What an event of a timeline is to the loop of a training. */
#ifndef SM_LOOP_EVENT_H
#define SM_LOOP_EVENT_H

#include "reader/profile/event_store.h"

enum sm_loop_event {
    SM_LOOP_UNKNOWN, /* not looked at yet */
    SM_LOOP_NOTHING,
    SM_LOOP_STEP,
    SM_LOOP_OTHER_STEP, /* of another mode */
    SM_LOOP_WAIT,       /* PyTorch: the next batch is waited for, between two steps */
    SM_LOOP_ITERATOR,   /* TensorFlow: the same, from a file of its own */
    SM_LOOP_LOAD,       /* a process of the loader makes a batch */
    SM_LOOP_LOADER,     /* a loader begins; the arguments are its own */
    SM_LOOP_FORWARD,
    SM_LOOP_COMMUNICATION, /* hidden behind other work or not */
    SM_LOOP_OTHERS         /* the training itself waits for other workers */
};
/* The classes of names, by id, each found once. Zero-initialised it is empty. */
struct sm_loop_classes {
    uint8_t *of;
    size_t cap;
    enum sm_mode mode; /* of the steps that are SM_LOOP_STEP; ANY: all are */
};
/* By its phase; what communicates, and TensorFlow's iterator, by its name, too. Instants are
 * nothing. UNKNOWN: no memory. */
enum sm_loop_event sm_loop_event_of(struct sm_loop_classes *c, const struct sm_names *names,
                                    const struct sm_profile_event *e);
void sm_loop_classes_clear(struct sm_loop_classes *c);

#endif
