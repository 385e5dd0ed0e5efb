/* SPDX-License-Identifier: Apache-2.0 */
/* What to read: large files in pieces, which the workers read at once. Only the headers of the
 * records are looked at here. */
#include "reader/base/vec.h"
#include "reader/format/event_walk.h"
#include "reader/format/tfrecord.h"
#include "reader/tensorboard/tensorboard.h"

enum { PIECE_BYTES = 2 << 20, WINDOW_BYTES = 256 << 10 };
/* In one list: the rest follows when this is merged. */
enum { LIST_BYTES = 64 << 20 };

struct cutting {
    struct sm_board *board;
    const struct sm_board_file *file;
    const char *path;
    struct sm_str window; /* bytes of the file from window_at on */
    uint64_t window_at;
    struct sm_board_piece piece;
    size_t left; /* bytes that this list may queue */
    bool ok;     /* there is memory */
};

static bool add_piece(struct cutting *c, uint64_t to)
{
    struct sm_board *b = c->board;
    c->piece.to = to;
    c->ok = c->ok && SM_VEC_ROOM(b->queue, b->n_queue, b->cap_queue);
    if (c->ok)
        b->queue[b->n_queue++] = c->piece;
    c->piece.from = to;
    return c->ok;
}

/* At least `want` bytes from `at` on, or those there are. */
static struct sm_bytes window_at(struct cutting *c, uint64_t at, size_t want)
{
    size_t got = 0;
    struct sm_err err;
    uint64_t skip = at - c->window_at;
    if (at >= c->window_at && skip <= c->window.len && c->window.len - skip >= want)
        return (struct sm_bytes){(const uint8_t *)c->window.data + skip, c->window.len - skip};
    sm_str_truncate(&c->window, 0);
    sm_str_fill(&c->window, 0, WINDOW_BYTES);
    if (c->window.failed || !sm_source_read(c->board->in->source, c->path, at, c->window.data,
                                            WINDOW_BYTES, &got, &err))
        got = 0;
    sm_str_truncate(&c->window, got);
    c->window_at = at;
    return (struct sm_bytes){(const uint8_t *)c->window.data, got};
}

/* The offset after the record at `at`; 0 if it is not whole. */
static uint64_t after_record(struct cutting *c, uint64_t at)
{
    uint64_t n, left = c->file->size_bytes - at;
    struct sm_bytes p = window_at(c, at, SM_FRAME_HEADER);
    if (left < SM_FRAME_OVERHEAD || !sm_frame_header(p, &n, NULL) || n > left - SM_FRAME_OVERHEAD)
        return 0;
    return at + n + SM_FRAME_OVERHEAD;
}

uint32_t sm_board_version(struct sm_text text)
{
    static const char start[] = "brain.Event:";
    enum { N = sizeof start - 1 };
    if (text.n > N && memcmp(text.p, start, N) == 0 && text.p[N] >= '0' && text.p[N] <= '9')
        return (uint32_t)(text.p[N] - '0');
    return UINT32_MAX;
}

/* The version that the first record of a file says. */
static uint32_t first_version(struct cutting *c, uint64_t end)
{
    enum { FIRST_MAX = 4096 };
    struct sm_bytes payload;
    struct sm_event_outline e;
    enum sm_crc crc;
    if (end > FIRST_MAX ||
        !sm_frame_parse(window_at(c, 0, (size_t)end), true, &payload, &crc, NULL))
        return 0;
    uint32_t version = crc != SM_CRC_BAD && sm_event_outline(payload, &e)
                           ? sm_board_version(e.file_version)
                           : UINT32_MAX;
    return version == UINT32_MAX ? 0 : version;
}

/* Returns whether there is more than may be queued. */
static bool cut_file(struct cutting *c)
{
    uint64_t at = c->piece.from, next;
    uint32_t version = c->file->version;
    while (c->ok && (next = after_record(c, at)) > 0) {
        if (!at)
            version = first_version(c, next);
        at = next;
        uint64_t n = at - c->piece.from;
        if (n < PIECE_BYTES || !add_piece(c, at))
            continue;
        c->piece.version = version;
        c->left -= n < c->left ? (size_t)n : c->left;
        if (!c->left)
            return at < c->file->size_bytes;
    }
    if (c->piece.from < c->file->size_bytes)
        add_piece(c, 0);
    return false;
}

/* A file that had a fault is read in one piece: how it goes on is not known. So is a compressed
 * one. */
static bool queue_file(struct cutting *c, uint32_t i)
{
    const struct sm_board_file *f = &c->board->files[i];
    c->file = f;
    c->path = sm_names_text(c->board->paths, i);
    c->window_at = 0;
    sm_str_truncate(&c->window, 0);
    c->piece = (struct sm_board_piece){.file = i, .version = f->version, .from = f->taken};
    uint64_t n = f->size_bytes > f->taken ? f->size_bytes - f->taken : 0;
    if (f->fault == SM_BOARD_NO_FAULT && n > PIECE_BYTES && !f->packed)
        return cut_file(c);
    if (f->fault == SM_BOARD_NO_FAULT)
        c->left -= n < c->left ? (size_t)n : c->left;
    add_piece(c, 0);
    return false;
}

bool sm_board_queue(struct sm_board *b, struct sm_tail_changes *n)
{
    struct cutting c = {.board = b, .left = LIST_BYTES, .ok = true};
    bool waits = false; /* an earlier file of the run has a rest: the order of records is kept */
    for (size_t k = 0; k < b->n_files && c.ok; k++) {
        struct sm_board_file *f = &b->files[b->order[k]];
        waits = waits && k && sm_board_same_run(b, b->order[k - 1], b->order[k]);
        if (!f->again)
            continue;
        if (waits || !c.left) {
            n->more = true;
            continue;
        }
        size_t before = b->n_queue;
        f->rest = waits = queue_file(&c, b->order[k]);
        n->more = n->more || waits;
        n->one_by_one = n->one_by_one || b->n_queue > before + 1 || f->guest;
    }
    sm_str_clear(&c.window);
    return c.ok;
}
