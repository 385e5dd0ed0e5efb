/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of a framework: files of trace events (Chrome's format), read in pieces into batches.
 *
 * A file is a list of objects, or an object with the list "traceEvents"; it may lack its end. An
 * event is complete ("X"), a pair ("B", "E": the last begin of a process ends first) or an instant
 * ("i"). Its phase is the name of its process, which an event "M" gave, before or after it: the
 * process is an id of a phase, of this file only. An event whose process has no name yet is held
 * back with those that follow, so that their order stays, up to 65536 of them; one that never gets
 * a name is "Unknown". Times are microseconds after the time that "M" gave for the file.
 */
#ifndef SM_PEVENTS_H
#define SM_PEVENTS_H

#include "reader/base/err.h"
#include "reader/base/map.h"

#include <stddef.h>

/* What wrote the file, as its name says. */
enum sm_pevents_kind {
    SM_PEVENTS_OTHER,
    SM_PEVENTS_PYTHON,
    SM_PEVENTS_MODEL,
    SM_PEVENTS_HOROVOD,
    SM_PEVENTS_DATAPARALLEL,
    SM_PEVENTS_TENSORFLOW,
    SM_PEVENTS_KINDS
};
/* One event: 40 bytes. */
struct sm_profile_event {
    int64_t start_ns, duration_ns; /* since 1970, if the file says since when */
    uint32_t name, phase;          /* ids of names */
    uint32_t detail; /* what launched it, or its arguments as written; NONE: nothing is kept */
    int32_t step;    /* within its mode; -1: none was given */
    uint32_t pid;    /* of the operating system, as its arguments say; 0: not given */
    uint16_t node;   /* number of the node; 0 in a batch */
    uint8_t kind : 7, instant : 1;
};
/* Zero-initialised it is empty. */
struct sm_event_batch {
    struct sm_names *names;
    struct sm_profile_event *events;
    size_t n, cap;
    uint64_t bad, bad_at; /* objects that are no events; offset of the first in the file */
    bool no_memory;
};
void sm_event_batch_clear(struct sm_event_batch *b);

struct sm_pevents; /* what is known of a file between its pieces */
/* base_ns: the time of a file that does not say its own. NULL: no memory. */
struct sm_pevents *sm_pevents_new(enum sm_pevents_kind kind, int64_t base_ns);
void sm_pevents_free(struct sm_pevents *t); /* may be NULL */
/* Reads whole events; returns the bytes used: the rest is the beginning of an event, and comes
 * again with the next piece. A rest longer than SM_PEVENTS_EVENT_MAX is skipped. */
size_t sm_pevents_read(struct sm_pevents *t, struct sm_event_batch *b, const char *p, size_t n);
enum { SM_PEVENTS_EVENT_MAX = 1024 * 1024 };
/* At the end of what is there: adds the events that were held back. growing: more may come, so
 * those of the last piece go on waiting for their names. */
void sm_pevents_end(struct sm_pevents *t, struct sm_event_batch *b, bool growing);

#endif
