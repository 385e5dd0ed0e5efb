/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_series.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/textlog/textlog_number.h"

struct sm_textlog_owner {
    uint8_t phase;          /* whose name it is alone; SM_TEXTLOG_PHASES: the name says its phase */
    bool epochs, line, bar; /* line, bar: which of them have the name */
    uint32_t ids[SM_TEXTLOG_PHASES][2]; /* by phase, and by whether epochs are counted */
};

/* ---- phases ---- */

static int phase_of_word(const char *p, size_t n)
{
    if (sm_textlog_in_words(" train training ", p, n))
        return SM_TEXTLOG_TRAIN;
    if (sm_textlog_in_words(
            " val valid validation validate validating eval evaluation evaluating dev ", p, n))
        return SM_TEXTLOG_VAL;
    if (sm_textlog_in_words(" test testing ", p, n))
        return SM_TEXTLOG_TEST;
    return -1;
}

enum sm_textlog_phase sm_textlog_phase_of(struct sm_text text, enum sm_textlog_phase none)
{
    enum sm_textlog_phase found = none;
    const char *p = text.p, *end = text.p + text.n;
    while (p < end) {
        const char *word = p;
        while (p < end && sm_textlog_is_letter(*p))
            p++;
        int phase = p - word < 3 ? -1 : phase_of_word(word, (size_t)(p - word));
        found = phase >= 0 ? (enum sm_textlog_phase)phase : found;
        p += p == word;
    }
    return found;
}

/* ---- series ---- */

static struct sm_textlog_owner *add_owner(struct sm_textlog_series *s, struct sm_text name,
                                          enum sm_textlog_phase phase, bool epochs)
{
    if (!SM_VEC_ROOM(s->owners, s->n, s->cap))
        return NULL;
    struct sm_textlog_owner *o = &s->owners[s->n++];
    bool says = sm_textlog_phase_of(name, SM_TEXTLOG_PHASES) != SM_TEXTLOG_PHASES;
    o->phase = (uint8_t)(says ? SM_TEXTLOG_PHASES : phase);
    o->epochs = epochs;
    o->line = o->bar = false;
    for (int i = 0; i < SM_TEXTLOG_PHASES; i++)
        o->ids[i][0] = o->ids[i][1] = UINT32_MAX;
    return o;
}

static bool has_control(struct sm_text t)
{
    size_t i = 0;
    while (i < t.n && (unsigned char)t.p[i] >= 0x20 && t.p[i] != 0x7f)
        i++;
    return i < t.n || t.n == 0;
}

static struct sm_textlog_owner *owner_of(struct sm_textlog_series *s, struct sm_text name,
                                         enum sm_textlog_phase phase, bool epochs)
{
    if (!s->names && !(s->names = sm_names_new()))
        return NULL;
    uint32_t id = sm_names_find(s->names, name.p, name.n);
    if (id != SM_NAME_NONE)
        return id < s->n ? &s->owners[id] : NULL;
    if (has_control(name) || s->n >= SM_TEXTLOG_NAMES_MAX ||
        sm_names_add(s->names, name.p, name.n) != s->n)
        return NULL;
    return add_owner(s, name, phase, epochs);
}

/* Whether the value of a bar counts. */
static bool bar_counts(struct sm_textlog_series *s, struct sm_text name)
{
    if (!s->bars && !(s->bars = sm_names_new()))
        return false;
    if (sm_names_count(s->bars) < SM_TEXTLOG_NAMES_MAX)
        sm_names_add(s->bars, name.p, name.n);
    return s->lines && sm_names_find(s->lines, name.p, name.n) == SM_NAME_NONE;
}

uint32_t sm_textlog_series_of(struct sm_textlog_series *s, const struct sm_textlog_out *out,
                              struct sm_text name, enum sm_textlog_phase phase,
                              enum sm_textlog_unit unit, bool bar)
{
    static const char *const words[] = {"train ", "val ", "test "};
    bool epochs = unit == SM_TEXTLOG_EPOCH;
    struct sm_textlog_owner *o =
        !bar || bar_counts(s, name) ? owner_of(s, name, phase, epochs) : NULL;
    if (!o)
        return UINT32_MAX;
    *(bar ? &o->bar : &o->line) = true;
    bool other_phase = o->phase != SM_TEXTLOG_PHASES && o->phase != phase;
    uint32_t *id = &o->ids[o->phase == SM_TEXTLOG_PHASES ? 0 : phase][epochs];
    if (*id != UINT32_MAX)
        return *id;
    sm_str_truncate(&s->text, 0);
    sm_str_add(&s->text, other_phase ? words[phase] : "");
    sm_str_addn(&s->text, name.p, name.n);
    if (o->epochs != epochs)
        sm_str_add(&s->text, epochs ? " (epoch)" : " (step)");
    if (!s->text.failed)
        *id = out->series(out->ctx, sm_str_text(&s->text), s->text.len);
    return *id;
}

/* Whether a value of a bar was left out although no line has its name, or the other way round. */
static bool is_wrong(const struct sm_textlog_series *s)
{
    for (size_t i = 0; s->lines && i < s->n; i++)
        if (s->owners[i].line && s->owners[i].bar)
            return true;
    for (uint32_t i = 0; !s->lines && s->bars && i < sm_names_count(s->bars); i++) {
        size_t n = sm_names_length(s->bars, i);
        if (!s->names || sm_names_find(s->names, sm_names_text(s->bars, i), n) == SM_NAME_NONE)
            return true;
    }
    return false;
}

struct sm_names *sm_textlog_series_lines(const struct sm_textlog_series *s)
{
    struct sm_names *lines = is_wrong(s) ? sm_names_new() : NULL;
    for (uint32_t i = 0; lines && s->lines && i < sm_names_count(s->lines); i++)
        sm_names_add(lines, sm_names_text(s->lines, i), sm_names_length(s->lines, i));
    for (uint32_t i = 0; lines && i < s->n; i++)
        if (s->owners[i].line)
            sm_names_add(lines, sm_names_text(s->names, i), sm_names_length(s->names, i));
    return lines;
}

void sm_textlog_series_clear(struct sm_textlog_series *s)
{
    sm_names_free(s->names);
    sm_names_free(s->bars);
    sm_names_free(s->lines);
    sm_free(s->owners);
    sm_str_clear(&s->text);
    *s = (struct sm_textlog_series){0};
}
