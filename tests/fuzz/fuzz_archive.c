/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/archive/archive_steps.h"
#include "reader/archive/facts_pack.h"
#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/format/smdz.h"
#include "reader/tail.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { RECORD = 64 };

static void put_frame(struct sm_str *out, enum sm_smdz_kind kind, const uint8_t *p, size_t n)
{
    struct sm_str packed = {0};
    struct sm_err err;
    uint8_t head[SM_SMDZ_HEAD];
    if (!sm_smdz_pack((struct sm_bytes){p, n}, 1, &packed, &err))
        return;
    struct sm_smdz_head h = {kind, (uint32_t)packed.len, (uint32_t)n,
                             sm_crc32c(packed.data, packed.len)};
    sm_smdz_put_head(&h, head);
    sm_str_addn(out, head, sizeof head);
    sm_str_addn(out, packed.data, packed.len);
    sm_str_clear(&packed);
}

/* Adds a steps frame with one value in the event file "e", number 1. */
static void put_steps(struct sm_str *out)
{
    struct sm_batch *b = sm_batch_new(0, 0);
    struct sm_str plain = {0};
    uint32_t files[4] = {1, 1, 1, 1};
    struct sm_batch_part part = {.mode = SM_MODE_TRAIN,
                                 .worker = sm_names_add(b->names, "w", 1),
                                 .event_file = sm_names_add(b->names, "e", 1),
                                 .n_values = 1};
    struct sm_batch_value value = {.length = RECORD, .name = sm_names_add(b->names, "x", 1)};
    b->parts = &part;
    b->values = &value;
    b->n_parts = b->n_values = 1;
    sm_archive_put_steps(b, 0, 1, files, &plain);
    put_frame(out, SM_SMDZ_STEPS, (const uint8_t *)plain.data, plain.len);
    b->parts = NULL;
    b->values = NULL;
    sm_batch_free(b);
    sm_str_clear(&plain);
}

static void read_value(struct sm_source *s, uint64_t offset, unsigned value)
{
    struct sm_source_known known = {0};
    struct sm_facts facts;
    struct sm_err err;
    uint64_t dims[SM_DIMS_MAX];
    double quantiles[SM_FACTS_QUANTILES];
    uint8_t bytes[RECORD];
    size_t got;
    if (sm_source_stored_facts(s, "e", offset, RECORD, value, &known, &err) && known.bytes.len)
        sm_facts_unpack((struct sm_bytes){(const uint8_t *)known.bytes.data, known.bytes.len},
                        known.columns, &facts, dims, quantiles, &err);
    sm_source_read(s, "e", offset, bytes, sizeof bytes, &got, &err);
    sm_str_clear(&known.bytes);
}

static void open_archive(const char *path)
{
    struct sm_err err;
    struct sm_trial_options o = {0};
    struct sm_source *s = sm_archive_open(path, &err);
    struct sm_tail *tail = s ? sm_tail_new(s, &o, &err) : NULL;
    struct sm_tail_changes *news = tail ? sm_tail_list(tail) : NULL;
    for (size_t i = 0; news && i < news->n_files; i++)
        sm_batch_free(sm_tail_read(tail, i, i + 1));
    for (unsigned i = 0; s && i < 4; i++)
        read_value(s, i * RECORD / 2, i / 2);
    sm_tail_changes_free(news);
    sm_tail_free(tail);
    sm_source_unref(s);
}

/* The first byte chooses the kind of a frame, the others are its content; checksums are correct. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_str all = {0};
    uint8_t header[SM_SMDZ_HEADER], footer[SM_SMDZ_FOOTER];
    char path[32];
    int fd = memfd_create("archive", 0);
    enum sm_smdz_kind kind =
        n ? (enum sm_smdz_kind)(1 + data[0] % (SM_SMDZ_KINDS - 1)) : SM_SMDZ_TRIAL;
    sm_smdz_put_header(header);
    sm_str_addn(&all, header, sizeof header);
    put_steps(&all);
    size_t at = all.len;
    put_frame(&all, kind, n ? data + 1 : data, n ? n - 1 : 0);
    sm_smdz_put_footer(at, 1, footer);
    if (kind == SM_SMDZ_INDEX)
        sm_str_addn(&all, footer, sizeof footer);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd >= 0 && write(fd, all.data, all.len) == (ssize_t)all.len)
        open_archive(path);
    close(fd);
    sm_str_clear(&all);
    return 0;
}
