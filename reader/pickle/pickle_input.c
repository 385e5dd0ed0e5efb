/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/pickle/pickle.h"

#include <inttypes.h>
#include <string.h>

void sm_pickle_input_clear(struct sm_pickle_input *in)
{
    sm_free(in->buffer);
    in->buffer = NULL;
    in->at = in->n = 0;
}

uint64_t sm_pickle_input_offset(const struct sm_pickle_input *in)
{
    return in->stream->position - (in->n - in->at);
}

/* Moves what is left to the front, and reads behind it. */
static bool fill(struct sm_pickle_input *in, struct sm_err *err)
{
    size_t left = in->n - in->at, got = 0;
    if (!in->buffer && !(in->buffer = sm_alloc(SM_PICKLE_PIECE)))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read a pickle");
    memmove(in->buffer, in->buffer + in->at, left);
    in->at = 0;
    in->n = left;
    bool ok = sm_byte_stream_read(in->stream, in->buffer + left, SM_PICKLE_PIECE - left, &got, err);
    in->n += got;
    return ok;
}

const uint8_t *sm_pickle_input_take(struct sm_pickle_input *in, size_t n, struct sm_err *err)
{
    if (in->n - in->at < n && !fill(in, err))
        return NULL;
    if (in->n - in->at < n) {
        sm_err_set(err, SM_ERR_DATA, "the pickle ends too early, at byte %" PRIu64,
                   in->stream->position);
        return NULL;
    }
    in->at += n;
    return in->buffer + in->at - n;
}

bool sm_pickle_input_line(struct sm_pickle_input *in, struct sm_text *out, struct sm_err *err)
{
    const uint8_t *end = NULL;
    if (in->n > in->at)
        end = memchr(in->buffer + in->at, '\n', in->n - in->at);
    if (!end) {
        if (!fill(in, err))
            return false;
        end = memchr(in->buffer, '\n', in->n);
    }
    if (!end)
        return sm_err_set(err, SM_ERR_DATA, "no line end in the pickle after byte %" PRIu64,
                          sm_pickle_input_offset(in));
    const uint8_t *p = in->buffer + in->at;
    *out = (struct sm_text){(const char *)p, (size_t)(end - p)};
    in->at += out->n + 1;
    return true;
}

bool sm_pickle_input_skip(struct sm_pickle_input *in, uint64_t n, struct sm_err *err)
{
    size_t left = in->n - in->at;
    if (n <= left) {
        in->at += (size_t)n;
        return true;
    }
    if (n - left > in->stream->size_bytes - in->stream->position)
        return sm_err_set(err, SM_ERR_DATA,
                          "the pickle ends too early: %" PRIu64 " bytes after byte %" PRIu64
                          ", of %" PRIu64,
                          n, sm_pickle_input_offset(in), in->stream->size_bytes);
    in->at = in->n;
    return sm_byte_stream_skip(in->stream, n - left, err);
}
