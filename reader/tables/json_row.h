/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON object of a log, as a list of its values, and what is known of their names. */
#ifndef SM_JSON_ROW_H
#define SM_JSON_ROW_H

#include "reader/base/map.h"
#include "reader/logs/log_json.h"
#include "reader/logs/log_sink.h"
#include "reader/tables/bad_steps.h"

/* What is known of a name; kept from row to row. */
struct sm_json_key {
    uint32_t series;
    uint8_t rank;   /* sm_step_rank */
    bool listed;    /* series is set: numbers of that name were handed on */
    bool not_step;  /* a value of it was no step */
    bool time;      /* sm_is_time, by its name */
    bool setting;   /* below config, args, hparams */
    bool told;      /* a setting that was handed on */
    bool phase;     /* sm_is_phase_name */
    uint8_t phases; /* of the rows that had numbers of that name: sm_phase_divides */
    struct sm_step_doubt doubt;
};
struct sm_json_item {
    uint32_t key;
    enum sm_log_leaf type;
    double number;
    size_t text, text_n; /* in texts: TEXT decoded, ARRAY and others as they are written */
};
/* Begin with {0}. */
struct sm_json_row {
    struct sm_names *names; /* an id is the index in keys */
    struct sm_json_key *keys;
    size_t cap_keys;
    struct sm_json_item *items; /* of the row */
    size_t n, cap;
    struct sm_str texts;
    bool failed;      /* no memory */
    bool keeps_texts; /* set by the caller: long texts and lists are not cut */
};
enum { SM_JSON_TEXT_MAX = 4096 }; /* longer texts are cut, unless keeps_texts */

/* The key of a name, new or existing; SM_NAME_NONE: no memory. */
uint32_t sm_json_row_key(struct sm_json_row *r, const char *name, size_t n);
/* Takes the values of an object, nested names joined by '/'. False: it is no object, or memory is
 * short. */
bool sm_json_row_read(struct sm_json_row *r, const char *p, size_t n, struct sm_err *err);
void sm_json_row_clear(struct sm_json_row *r);
/* The number of an item: NUMBER, or a text like "NaN" of a name that had numbers. */
bool sm_json_row_number(const struct sm_json_row *r, const struct sm_json_item *x, double *out);
/* Hands on an item as a point of its series, if it is a number. True: it was. */
bool sm_json_row_point(struct sm_json_row *r, const struct sm_json_item *x,
                       struct sm_log_sink *sink, int64_t step, double time);
/* Hands on an item as configuration, nested names joined by '.', without the first part `config`
 * of a name. True: it was; long texts are not. */
bool sm_json_row_setting(struct sm_json_row *r, const struct sm_json_item *x,
                         struct sm_log_sink *sink);

#endif
