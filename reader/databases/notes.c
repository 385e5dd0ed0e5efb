/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/notes.h"

#include "reader/base/crc32c.h"
#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>

static struct sm_note *new_note(struct sm_notes *s, enum sm_note_what what)
{
    if (!SM_VEC_ROOM(s->items, s->n, s->cap)) {
        s->no_memory = true;
        return NULL;
    }
    s->items[s->n] = (struct sm_note){.what = what};
    return &s->items[s->n++];
}

void sm_notes_add(struct sm_notes *s, enum sm_note_what what, struct sm_text key,
                  struct sm_text value)
{
    struct sm_note *note = new_note(s, what);
    if (!note)
        return;
    note->key_at = s->bytes.len;
    note->key_n = key.n;
    note->value_at = s->bytes.len + key.n;
    note->value_n = value.n;
    sm_str_addn(&s->bytes, key.p, key.n);
    sm_str_addn(&s->bytes, value.p, value.n);
    s->no_memory = s->no_memory || s->bytes.failed;
}

void sm_notes_add_number(struct sm_notes *s, enum sm_note_what what, double number)
{
    struct sm_note *note = new_note(s, what);
    if (note)
        note->number = number;
}

void sm_notes_add_alert(struct sm_notes *s, struct sm_text text, int64_t step, double time)
{
    struct sm_str number = {0};
    size_t n = s->n;
    sm_str_printf(&number, "%lld", (long long)step);
    sm_notes_add(s, SM_NOTE_ALERT, sm_text(sm_str_text(&number)), text);
    if (s->n > n)
        s->items[n].number = time;
    sm_str_clear(&number);
}

void sm_notes_add_string(struct sm_notes *s, enum sm_note_what what, struct sm_text key,
                         struct sm_text value)
{
    struct sm_str json = {0};
    struct sm_json_writer *w = sm_json_writer_new(&json);
    sm_json_text(w, value.p, value.n);
    sm_json_writer_free(w);
    s->no_memory = s->no_memory || json.failed;
    if (!json.failed)
        sm_notes_add(s, what, key, (struct sm_text){json.data, json.len});
    sm_str_clear(&json);
}

uint32_t sm_notes_sum(const struct sm_notes *s)
{
    uint32_t sum = sm_crc32c(s->bytes.data ? s->bytes.data : "", s->bytes.len);
    for (size_t i = 0; i < s->n; i++) {
        const struct sm_note *note = &s->items[i];
        double parts[4] = {(double)note->what, (double)note->key_n, (double)note->value_n,
                           note->number};
        sum = sum * 31 + sm_crc32c(parts, sizeof parts);
    }
    return sum;
}

static void hand_on(const struct sm_note *note, const char *bytes, struct sm_log_sink *sink)
{
    const char *key = bytes + note->key_at, *value = bytes + note->value_at;
    switch (note->what) {
    case SM_NOTE_NAME:
        sm_log_name(sink, value, note->value_n);
        break;
    case SM_NOTE_CONFIG:
        sm_log_config(sink, key, note->key_n, value, note->value_n);
        break;
    case SM_NOTE_CONFIG_TEXT:
        sm_log_config_text(sink, key, note->key_n, value, note->value_n);
        break;
    case SM_NOTE_SUMMARY:
        sm_log_summary(sink, key, note->key_n, value, note->value_n);
        break;
    case SM_NOTE_BEGAN:
        sm_log_began(sink, note->number);
        break;
    case SM_NOTE_ALERT:
        sm_log_alert(sink, value, note->value_n, strtoll(key, NULL, 10), note->number);
        break;
    case SM_NOTE_ENDED:
        sm_log_ended(sink, note->number >= 0, note->number >= 0 ? (int)note->number : 0);
        break;
    }
}

void sm_notes_hand_on(struct sm_notes *s, struct sm_log_sink *sink)
{
    for (size_t i = 0; !s->bytes.failed && i < s->n; i++)
        hand_on(&s->items[i], sm_str_text(&s->bytes), sink);
    s->n = 0;
    sm_str_truncate(&s->bytes, 0);
}

void sm_notes_clear(struct sm_notes *s)
{
    sm_free(s->items);
    sm_str_clear(&s->bytes);
    *s = (struct sm_notes){0};
}
