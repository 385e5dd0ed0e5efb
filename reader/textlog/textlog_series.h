/* SPDX-License-Identifier: Apache-2.0 */
/* The series of a log by name. A name that a log uses for two things (the loss of training and of
 * validation, of a step and of an epoch) is one series for the first, and gets a word for the
 * others. */
#ifndef SM_TEXTLOG_SERIES_H
#define SM_TEXTLOG_SERIES_H

#include "reader/textlog/textlog.h"
#include "reader/textlog/textlog_head.h"

enum sm_textlog_phase { SM_TEXTLOG_TRAIN, SM_TEXTLOG_VAL, SM_TEXTLOG_TEST, SM_TEXTLOG_PHASES };
/* The phase of the last word for one in a text; `none` if there is no such word. */
enum sm_textlog_phase sm_textlog_phase_of(struct sm_text text, enum sm_textlog_phase none);

struct sm_textlog_series {
    struct sm_names *names;
    struct sm_textlog_owner *owners; /* by the number of the name */
    size_t n, cap;
    struct sm_str text;
    struct sm_names *bars;  /* names of which bars have values */
    struct sm_names *lines; /* those that lines have, as an earlier parser found; NULL: not known */
};
enum { SM_TEXTLOG_NAMES_MAX = 20000 }; /* further names are left out */
/* The number of the series in `out`; UINT32_MAX: none. unit: EPOCH, or STEP. bar: the value is of
 * a bar, which counts if no line has the name, and it is known which names lines have. */
uint32_t sm_textlog_series_of(struct sm_textlog_series *s, const struct sm_textlog_out *out,
                              struct sm_text name, enum sm_textlog_phase phase,
                              enum sm_textlog_unit unit, bool bar);
/* The names that lines have, if values of bars were left out that count, or counted that do not;
 * NULL: none were, or there is no memory. The caller frees them. */
struct sm_names *sm_textlog_series_lines(const struct sm_textlog_series *s);
void sm_textlog_series_clear(struct sm_textlog_series *s);

#endif
