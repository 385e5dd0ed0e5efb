/* SPDX-License-Identifier: Apache-2.0 */
/* What TensorBoard's plugin "hparams" says of a run: its configuration, and its end. */
#include "reader/base/json.h"
#include "reader/format/wire.h"
#include "reader/tensorboard/tensorboard.h"

#include <math.h>
#include <string.h>

enum { VARINT, FIXED64, BYTES, LIST_DEPTH = 8 };

static double as_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* ---- a google.protobuf.Value as JSON ---- */

static void put_number(struct sm_str *json, double v)
{
    char text[32];
    sm_format_shortest(v, false, text);
    sm_str_add(json, isnan(v) ? "NaN" : isinf(v) ? v > 0 ? "Infinity" : "-Infinity" : text);
}

static void put_text(struct sm_str *json, struct sm_bytes b)
{
    struct sm_json_writer *w = sm_json_writer_new(json);
    sm_json_text(w, (const char *)b.p, b.n);
    sm_json_writer_free(w);
}

static bool put_value(struct sm_str *json, struct sm_bytes value, unsigned depth);

static bool put_list(struct sm_str *json, struct sm_bytes list, unsigned depth)
{
    struct sm_wire_field f;
    bool first = true;
    sm_str_addc(json, '[');
    for (; sm_wire_next(&list, &f); first = false) {
        sm_str_add(json, first ? "" : ",");
        if (f.number != 1 || f.wire != BYTES || !depth || !put_value(json, f.bytes, depth - 1))
            return false;
    }
    sm_str_addc(json, ']');
    return !list.n;
}

/* False: of no kind that is known, like a nested structure. */
static bool put_value(struct sm_str *json, struct sm_bytes value, unsigned depth)
{
    struct sm_wire_field f;
    if (!value.n || !sm_wire_next(&value, &f) || value.n)
        return false;
    if (f.number == 1 && f.wire == VARINT)
        sm_str_add(json, "null");
    else if (f.number == 2 && f.wire == FIXED64)
        put_number(json, as_double(f.value));
    else if (f.number == 3 && f.wire == BYTES)
        put_text(json, f.bytes);
    else if (f.number == 4 && f.wire == VARINT)
        sm_str_add(json, f.value ? "true" : "false");
    else
        return f.number == 6 && f.wire == BYTES && put_list(json, f.bytes, depth);
    return true;
}

/* ---- the plugin's messages ---- */

/* An entry of the map of hyperparameters. False: no memory. */
static bool take_entry(struct sm_run_info *info, struct sm_bytes entry)
{
    struct sm_wire_field f;
    struct sm_bytes key = {0}, value = {0};
    struct sm_str json = {0};
    while (sm_wire_next(&entry, &f)) {
        if (f.number == 1 && f.wire == BYTES)
            key = f.bytes;
        else if (f.number == 2 && f.wire == BYTES)
            value = f.bytes;
    }
    bool ok = true;
    if (key.n && put_value(&json, value, LIST_DEPTH))
        ok = !json.failed && sm_run_fields_set(&info->config, (const char *)key.p, key.n,
                                               sm_str_text(&json), json.len);
    sm_str_clear(&json);
    return ok;
}

static bool take_start(struct sm_run_info *info, struct sm_bytes start)
{
    struct sm_wire_field f;
    bool ok = true;
    while (ok && sm_wire_next(&start, &f)) {
        if (f.number == 1 && f.wire == BYTES)
            ok = take_entry(info, f.bytes);
        else if (f.number == 5 && f.wire == FIXED64 && as_double(f.value) > 0)
            info->began = as_double(f.value);
    }
    return ok;
}

/* PyTorch and Lightning write an end without a time beside the beginning, before anything has
 * ended; TensorFlow's callback writes one with a time when the training ends. */
static void take_end(struct sm_run_info *info, struct sm_bytes end)
{
    enum { SUCCESS = 1, FAILURE = 2 };
    struct sm_wire_field f;
    uint64_t status = 0;
    bool timed = false;
    while (sm_wire_next(&end, &f)) {
        if (f.number == 1 && f.wire == VARINT)
            status = f.value;
        else if (f.number == 2 && f.wire == FIXED64)
            timed = as_double(f.value) > 0;
    }
    if (!timed || (status != SUCCESS && status != FAILURE))
        return;
    info->ended = true;
    info->exit_code = status == FAILURE;
}

bool sm_board_take_hparams(struct sm_run_info *info, struct sm_bytes content)
{
    enum { START = 3, END = 4 };
    struct sm_wire_field f;
    bool ok = true;
    while (ok && sm_wire_next(&content, &f)) {
        if (f.number == START && f.wire == BYTES)
            ok = take_start(info, f.bytes);
        else if (f.number == END && f.wire == BYTES)
            take_end(info, f.bytes);
    }
    return ok;
}
