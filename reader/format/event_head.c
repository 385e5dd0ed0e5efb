/* The beginning of an event: what a value is and where its bytes lie, without the bytes. */
#include "reader/format/event.h"
#include "reader/format/wire.h"

static bool head_of_dim(struct sm_bytes b, uint64_t *size)
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

static bool head_of_shape(struct sm_bytes b, struct sm_event_value *v)
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
        if (!head_of_dim(dim, &size) || v->n_dims == SM_DIMS_MAX || size > INT64_MAX ||
            (size && v->n_elements > (uint64_t)INT64_MAX / size))
            return false;
        v->dims[v->n_dims++] = size;
        v->n_elements *= size;
    }
    return true;
}

static bool head_of_tensor(struct sm_bytes b, struct sm_event_value *v)
{
    bool shape = false;
    for (size_t at = 0; at < b.n;) {
        uint64_t key, n;
        struct sm_bytes inside = {0};
        if (!sm_wire_get(b, &at, &key))
            return false;
        if (key == (4 << 3 | 2)) { /* the content itself need not be in the prefix */
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
            if (shape || !head_of_shape(inside, v)) /* several would be joined */
                return false;
            shape = true;
        }
    }
    return false;
}

/* Goes into the message at the end of the path, however much of it is there. */
static bool descend(struct sm_bytes *b, unsigned field, struct sm_event_value *v, double *wall_time)
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
    return descend(&prefix, 5, out, wall_time) && descend(&prefix, 1, out, wall_time) &&
           descend(&prefix, 8, out, wall_time) && head_of_tensor(prefix, out);
}

/* Moves behind the key and the length of the next such field. */
static bool enter(struct sm_bytes b, size_t *at, unsigned field, uint64_t *length)
{
    struct sm_bytes inside;
    uint64_t key;
    while (*at < b.n && sm_wire_get(b, at, &key)) {
        if (key == ((uint64_t)field << 3 | 2))
            return sm_wire_get(b, at, length);
        if (!sm_wire_skip(b, at, key & 7, &inside))
            return false;
    }
    return false;
}

bool sm_event_content(struct sm_bytes prefix, uint64_t payload_bytes, uint64_t *out)
{
    enum { SUMMARY, VALUE, TENSOR, CONTENT, LEVELS };
    static const unsigned path[LEVELS] = {5, 1, 8, 4};
    uint64_t end = payload_bytes, length;
    size_t at = 0;
    for (int level = SUMMARY; level < LEVELS; level++) {
        if (!enter(prefix, &at, path[level], &length) || at > end || length > end - at)
            return false;
        if (level != TENSOR && length != end - at) /* something follows */
            return false;
        end = at + length;
    }
    *out = at;
    return true;
}

bool sm_event_is_rest(struct sm_bytes rest)
{
    struct sm_bytes inside;
    uint64_t key;
    for (size_t at = 0; at < rest.n;)
        if (!sm_wire_get(rest, &at, &key) || key != (9 << 3 | 2) ||
            !sm_wire_skip(rest, &at, 2, &inside))
            return false;
    return true;
}
