/* SPDX-License-Identifier: Apache-2.0 */
/* What a database says of a run besides its values, until it is known that it holds. */
#ifndef SM_NOTES_H
#define SM_NOTES_H

#include "reader/base/str.h"
#include "reader/logs/log_sink.h"

enum sm_note_what {
    SM_NOTE_NAME,
    SM_NOTE_CONFIG,      /* JSON */
    SM_NOTE_CONFIG_TEXT, /* a text; one that is wholly a number is that number */
    SM_NOTE_SUMMARY,     /* JSON */
    SM_NOTE_BEGAN,       /* number: seconds since 1970 */
    SM_NOTE_ENDED,       /* number: the exit status, or -1: it goes on */
    SM_NOTE_ALERT        /* key: the step, in decimal; number: seconds since 1970 */
};
struct sm_notes {
    struct sm_note {
        enum sm_note_what what;
        size_t key_at, key_n, value_at, value_n; /* in bytes */
        double number;
    } * items;
    size_t n, cap;
    struct sm_str bytes;
    bool no_memory;
};
void sm_notes_add(struct sm_notes *s, enum sm_note_what what, struct sm_text key,
                  struct sm_text value);
void sm_notes_add_number(struct sm_notes *s, enum sm_note_what what, double number);
void sm_notes_add_alert(struct sm_notes *s, struct sm_text text, int64_t step, double time);
/* A text as JSON. */
void sm_notes_add_string(struct sm_notes *s, enum sm_note_what what, struct sm_text key,
                         struct sm_text value);
uint32_t sm_notes_sum(const struct sm_notes *s); /* differs where the notes do */
void sm_notes_hand_on(struct sm_notes *s, struct sm_log_sink *sink); /* and empties them */
void sm_notes_clear(struct sm_notes *s);

#endif
