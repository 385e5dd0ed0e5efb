/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/pickle/pickle.h"
#include "reader/pickle/zip_directory.h"

enum { LIMIT = 4 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Looks at every node, so that a sanitizer sees what does not belong to it. */
static uint64_t sum_of(const struct sm_pickle *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->n_nodes; i++) {
        const struct sm_pickle_node *node = sm_pickle_node(t, i);
        struct sm_text text = sm_pickle_text(t, i);
        for (size_t k = 0; k < text.n; k++)
            sum += (uint8_t)text.p[k];
        bool holds = node->kind >= SM_PICKLE_TUPLE && node->kind <= SM_PICKLE_DICT;
        for (uint32_t k = 0; holds && k < node->n; k++)
            sum += sm_pickle_kind(t, node->items[k]);
        if (node->kind == SM_PICKLE_OBJECT)
            sum += sm_pickle_kind(t, node->object->args) + sm_pickle_kind(t, node->object->state);
    }
    return sum;
}

static volatile uint64_t seen;

/* All pickles of a stream, as the old files of torch have them after one another. */
static void read_pickles(struct sm_byte_stream *stream)
{
    struct sm_pickle_input in = {.stream = stream};
    struct sm_pickle tree = {0};
    bool more = true;
    for (int i = 0; more && i < 8; i++) {
        more = sm_pickle_read(&tree, &in, LIMIT, NULL);
        seen += sum_of(&tree);
        sm_pickle_clear(&tree);
    }
    sm_pickle_input_clear(&in);
}

static void read_members(struct sm_file_span span)
{
    struct sm_byte_stream stream = {0};
    struct sm_zip zip;
    if (!sm_zip_open(&zip, span, NULL))
        return;
    for (size_t i = 0; i < zip.n_members && i < 16; i++) {
        if (sm_zip_find(&zip, zip.members[i].name) &&
            sm_zip_stream(&zip, &zip.members[i], &stream, NULL))
            read_pickles(&stream);
        sm_byte_stream_close(&stream);
    }
    sm_zip_close(&zip);
}

/* The input is pickles, or a zip file of them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_source *source = sm_source_mem_new(NULL);
    struct sm_byte_stream stream = {0};
    struct sm_file_span span;
    struct sm_file file = {0};
    sm_source_mem_put(source, "x", data, n);
    if (sm_file_open(&file, source, "x", NULL) && sm_span_of_file(&span, &file, NULL)) {
        if (sm_zip_begins(data, n))
            read_members(span);
        else if (sm_byte_stream_open(&stream, span, SM_PACKING_NONE, 0, NULL))
            read_pickles(&stream);
    }
    sm_byte_stream_close(&stream);
    sm_file_close(&file);
    sm_source_unref(source);
    return 0;
}
