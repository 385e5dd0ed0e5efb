/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the start of an event: what a value is and where its bytes are, without the bytes. */
#include "reader/format/event.h"
#include "reader/format/wire.h"

static bool parse_dim_head(struct sm_bytes b, uint64_t *size)
{
    *size = 0;
    for (size_t at = 0; at < b.n;) {
        uint64_t key;
        struct sm_bytes inside;
        if (!sm_wire_get(b, &at, &key) ||
            !(key == (1 << 3) ? sm_wire_get(b, &at, size) : sm_wire_skip(b, &at, key & 7, &inside)))
            return false;
    }
    return true;
}

static bool parse_shape_head(struct sm_bytes b, struct sm_event_value *v)
{
    v->n_dims = 0;
    v->n_elements = 1;
    for (size_t at = 0; at < b.n;) {
        uint64_t key, size;
        struct sm_bytes dim = {0};
        if (!sm_wire_get(b, &at, &key) || !sm_wire_skip(b, &at, key & 7, &dim))
            return false;
        if (key != (2 << 3 | 2))
            continue;
        if (!parse_dim_head(dim, &size) || v->n_dims == SM_DIMS_MAX || size > INT64_MAX ||
            (size && v->n_elements > (uint64_t)INT64_MAX / size))
            return false;
        v->dims[v->n_dims++] = size;
        v->n_elements *= size;
    }
    return true;
}

/* Fields whose bytes are those of the elements: tensor_content, and packed float_val and double_val
 * of their types. */
static bool is_content(uint64_t key, enum sm_dtype dtype)
{
    return key == (4 << 3 | 2) || (key == (5 << 3 | 2) && dtype == SM_DTYPE_FLOAT32) ||
           (key == (6 << 3 | 2) && dtype == SM_DTYPE_FLOAT64);
}

static bool parse_tensor_head(struct sm_bytes b, struct sm_event_value *v)
{
    bool shape = false;
    for (size_t at = 0; at < b.n;) {
        uint64_t key, n;
        struct sm_bytes inside = {0};
        if (!sm_wire_get(b, &at, &key))
            return false;
        if (is_content(key, v->dtype)) { /* the content itself may be beyond the prefix */
            size_t size = sm_dtype_info(v->dtype)->size_bytes;
            v->kind = SM_VALUE_TENSOR;
            v->content.n = sm_wire_get(b, &at, &n) ? (size_t)n : 0;
            return shape && size && v->content.n / size == v->n_elements &&
                   v->content.n % size == 0;
        }
        if (key == (1 << 3)) {
            if (!sm_wire_get(b, &at, &n))
                return false;
            v->proto_dtype = (int)n;
            v->dtype = sm_dtype_of_proto(v->proto_dtype);
        } else if (!sm_wire_skip(b, &at, key & 7, &inside)) {
            return false;
        } else if (key == (2 << 3 | 2)) {
            if (shape || !parse_shape_head(inside, v)) /* protobuf would merge several */
                return false;
            shape = true;
        }
    }
    return false;
}

/* Enters the message at the end of the path, even if only part of it is present. */
static bool enter_message(struct sm_bytes *b, unsigned field, struct sm_event_value *v,
                          double *wall_time)
{
    for (size_t at = 0; at < b->n;) {
        uint64_t key, n;
        struct sm_bytes inside = {0};
        if (!sm_wire_get(*b, &at, &key))
            return false;
        if (key == ((uint64_t)field << 3 | 2)) {
            if (!sm_wire_get(*b, &at, &n))
                return false;
            *b = (struct sm_bytes){b->p + at, n < b->n - at ? (size_t)n : b->n - at};
            return true;
        }
        if (!sm_wire_skip(*b, &at, key & 7, &inside))
            return false;
        if (field == 5 && key == (1 << 3 | 1)) {
            uint64_t bits = sm_get_u64(inside.p);
            memcpy(wall_time, &bits, 8);
        } else if (field == 8 && key == (1 << 3 | 2)) {
            v->tag = (struct sm_text){(const char *)inside.p, inside.n};
        }
    }
    return false;
}

bool sm_event_head(struct sm_bytes prefix, struct sm_event_value *out, double *wall_time)
{
    *out = (struct sm_event_value){.kind = SM_VALUE_OTHER};
    return enter_message(&prefix, 5, out, wall_time) && enter_message(&prefix, 1, out, wall_time) &&
           enter_message(&prefix, 8, out, wall_time) && parse_tensor_head(prefix, out);
}

/* Moves past the key and the length of the next field with one of these numbers. */
static bool enter_field(struct sm_bytes b, size_t *at, unsigned first, unsigned last,
                        uint64_t *length)
{
    struct sm_bytes inside;
    uint64_t key;
    while (*at < b.n && sm_wire_get(b, at, &key)) {
        if ((key & 7) == 2 && key >> 3 >= first && key >> 3 <= last)
            return sm_wire_get(b, at, length);
        if (!sm_wire_skip(b, at, key & 7, &inside))
            return false;
    }
    return false;
}

bool sm_event_content(struct sm_bytes prefix, uint64_t payload_bytes, uint64_t *out)
{
    enum { SUMMARY, VALUE, TENSOR, CONTENT, LEVELS };
    static const unsigned path[LEVELS] = {5, 1, 8, 4}, last[LEVELS] = {5, 1, 8, 6};
    uint64_t end = payload_bytes, length;
    size_t at = 0;
    for (int level = SUMMARY; level < LEVELS; level++) {
        if (!enter_field(prefix, &at, path[level], last[level], &length) || at > end ||
            length > end - at)
            return false;
        if (level != TENSOR && length != end - at) /* other fields follow */
            return false;
        end = at + length;
    }
    *out = at;
    return true;
}

bool sm_event_is_valid_tail(struct sm_bytes rest)
{
    struct sm_bytes inside;
    uint64_t key;
    for (size_t at = 0; at < rest.n;)
        if (!sm_wire_get(rest, &at, &key) || key != (9 << 3 | 2) ||
            !sm_wire_skip(rest, &at, 2, &inside))
            return false;
    return true;
}
