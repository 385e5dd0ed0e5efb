/* SPDX-License-Identifier: Apache-2.0 */
/* Builds .wandb files: chunks with checksums, and messages of protobuf. */
#ifndef SM_TEST_WANDB_FILE_H
#define SM_TEST_WANDB_FILE_H

#include "reader/base/bytes.h"
#include "reader/base/crc32.h"
#include "reader/base/str.h"
#include "reader/format/wire.h"

enum { WANDB_BLOCK = 32768 };

static inline void wandb_begin(struct sm_str *file)
{
    sm_str_addn(file, ":W&B\xe1\xbe\0", 7);
}

static inline void wandb_chunk(struct sm_str *file, uint8_t type, const char *p, size_t n)
{
    uint8_t head[7] = {0, 0, 0, 0, (uint8_t)n, (uint8_t)(n >> 8), type};
    sm_put_u32(head, sm_crc32_more(sm_crc32(&type, 1), p, n));
    sm_str_addn(file, head, sizeof head);
    sm_str_addn(file, p, n);
}

static inline void wandb_record(struct sm_str *file, const char *p, size_t n)
{
    for (bool first = true, last = false; !last; first = false) {
        size_t room = WANDB_BLOCK - file->len % WANDB_BLOCK;
        if (room < 7) {
            sm_str_fill(file, 0, room);
            room = WANDB_BLOCK;
        }
        size_t part = n < room - 7 ? n : room - 7;
        last = part == n;
        wandb_chunk(file, first ? (last ? 1 : 2) : last ? 4 : 3, p, part);
        p += part;
        n -= part;
    }
}

/* ---- messages ---- */

static inline void pb_bytes(struct sm_str *m, unsigned field, const char *p, size_t n)
{
    sm_wire_put(m, (uint64_t)field << 3 | 2);
    sm_wire_put(m, n);
    sm_str_addn(m, p, n);
}

static inline void pb_text(struct sm_str *m, unsigned field, const char *text)
{
    pb_bytes(m, field, text, strlen(text));
}

static inline void pb_int(struct sm_str *m, unsigned field, uint64_t v)
{
    sm_wire_put(m, (uint64_t)field << 3);
    sm_wire_put(m, v);
}

static inline void pb_double(struct sm_str *m, unsigned field, double v)
{
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &v, 8);
    sm_put_u64(bytes, bits);
    sm_wire_put(m, (uint64_t)field << 3 | 1);
    sm_str_addn(m, bytes, 8);
}

/* Appends `inner` as a field, and frees it. */
static inline void pb_message(struct sm_str *m, unsigned field, struct sm_str *inner)
{
    pb_bytes(m, field, sm_str_text(inner), inner->len);
    sm_str_clear(inner);
}

/* An item { nested_key..., value_json }; the names are separated by '>'. With '=' in front: key. */
static inline struct sm_str pb_item(const char *path, const char *json)
{
    struct sm_str item = {0};
    if (*path == '=') {
        pb_text(&item, 1, path + 1);
    } else {
        for (const char *end; *path; path = *end ? end + 1 : end) {
            end = strchr(path, '>');
            end = end ? end : path + strlen(path);
            pb_bytes(&item, 2, path, (size_t)(end - path));
        }
    }
    if (json)
        pb_text(&item, 16, json);
    return item;
}

/* "loss 0.5; a>b 1": items in field `field` of a message. */
static inline struct sm_str pb_items(unsigned field, const char *text)
{
    struct sm_str m = {0};
    while (*text) {
        const char *end = strstr(text, "; "), *blank = strchr(text, ' ');
        size_t n = end ? (size_t)(end - text) : strlen(text);
        struct sm_str path = {0}, json = {0};
        sm_str_addn(&path, text, (size_t)(blank - text));
        sm_str_addn(&json, blank + 1, n - (size_t)(blank + 1 - text));
        struct sm_str item = pb_item(sm_str_text(&path), sm_str_text(&json));
        pb_message(&m, field, &item);
        sm_str_clear(&path);
        sm_str_clear(&json);
        text += n + (end ? 2 : 0);
    }
    return m;
}

/* Appends a record of the type `field`; frees the message. */
static inline void wandb_message(struct sm_str *file, unsigned field, struct sm_str *message)
{
    struct sm_str record = {0};
    pb_message(&record, field, message);
    wandb_record(file, sm_str_text(&record), record.len);
    sm_str_clear(&record);
}

/* A history record. step < 0: none is stated. */
static inline void wandb_history(struct sm_str *file, int64_t step, const char *items)
{
    struct sm_str m = pb_items(1, items), s = {0};
    if (step > 0)
        pb_int(&s, 1, (uint64_t)step);
    if (step >= 0)
        pb_message(&m, 2, &s);
    wandb_message(file, 2, &m);
}

/* What define_metric writes. */
static inline void wandb_define(struct sm_str *file, const char *name, const char *glob,
                                const char *step_metric)
{
    struct sm_str m = {0};
    if (*name)
        pb_text(&m, 1, name);
    if (*glob)
        pb_text(&m, 2, glob);
    if (*step_metric)
        pb_text(&m, 4, step_metric);
    wandb_message(file, 12, &m);
}

#endif
