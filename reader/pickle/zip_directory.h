/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a zip file, with which torch.save and numpy.savez write: stored and deflated
 * members, zip64, data descriptors, padding (APPNOTE.TXT of PKWARE, 4.3 and 4.5.3).
 *
 * Sizes are those of the central directory, because torch writes zeros into the local headers. All
 * are compared with the file before anything is allocated. */
#ifndef SM_ZIP_DIRECTORY_H
#define SM_ZIP_DIRECTORY_H

#include "reader/base/mem.h"
#include "reader/pickle/byte_stream.h"

enum { SM_ZIP_STORED = 0, SM_ZIP_DEFLATED = 8 };

struct sm_zip_member {
    struct sm_text name;   /* the directory's: untrusted, not 0-terminated */
    uint64_t header_at;    /* in the range of the zip file */
    uint64_t packed_bytes; /* as it stands */
    uint64_t size_bytes;
    uint32_t crc32;  /* of the bytes before packing; 0: not written, as torch may be told */
    uint16_t method; /* SM_ZIP_STORED, SM_ZIP_DEFLATED, or one that is not read */
    bool encrypted;
};

/* Zero-initialised is closed. */
struct sm_zip {
    struct sm_file_span span;
    struct sm_zip_member *members; /* in the order of the directory */
    size_t n_members;
    uint32_t *by_name; /* indices in the order of the names */
    char *directory;   /* its bytes */
    /* Of one without a directory, sm_zip_open_cut: the last member may be incomplete, and its
     * packed_bytes are those that there are. */
    bool cut, last_cut;
    size_t cap_members;
    struct sm_arena names;
};

/* Whether these are the first bytes of a zip file: at least 4. */
bool sm_zip_begins(const uint8_t *p, size_t n);
/* Whether the name of the first member, which its local header has, ends so. */
bool sm_zip_first_ends_with(const uint8_t *p, size_t n, const char *end);
/* Reads the directory of the zip file that a range of a file is. */
bool sm_zip_open(struct sm_zip *z, struct sm_file_span span, struct sm_err *err);
/* The same of a file whose end with the directory is missing: the members by their own headers,
 * from the beginning to where it is cut. Where a header does not have the size of a member, as
 * those of torch, size_of(ctx, name) may say it (SM_ZIP_NO_SIZE: it does not know), else what
 * follows the member is looked for in the next bytes, at most 64 MiB in all: members are listed as
 * far as their sizes are known. False: there is none. */
#define SM_ZIP_NO_SIZE UINT64_MAX
bool sm_zip_open_cut(struct sm_zip *z, struct sm_file_span span,
                     uint64_t (*size_of)(void *ctx, struct sm_text name), void *ctx,
                     struct sm_err *err);
void sm_zip_close(struct sm_zip *z);
/* The last one with this name, or NULL. */
const struct sm_zip_member *sm_zip_find(const struct sm_zip *z, struct sm_text name);
/* Says that the local headers of all members, and perhaps a few bytes behind them, are going to be
 * read (sm_source_ahead). */
void sm_zip_announce(const struct sm_zip *z);
/* The range of the file that the member's bytes are; reads its local header. A member that is
 * encrypted or packed in another way is SM_ERR_LIMIT. */
bool sm_zip_span(const struct sm_zip *z, const struct sm_zip_member *m, struct sm_file_span *out,
                 struct sm_err *err);
/* Opens a member for reading. */
bool sm_zip_stream(const struct sm_zip *z, const struct sm_zip_member *m,
                   struct sm_byte_stream *out, struct sm_err *err);
/* Reads the whole member for its checksum. False: it is another one than the directory says, which
 * is SM_ERR_DATA, or the member cannot be read. */
bool sm_zip_check(const struct sm_zip *z, const struct sm_zip_member *m, struct sm_err *err);
/* Appends the whole member; one of more than `limit` bytes is SM_ERR_LIMIT. */
bool sm_zip_load(const struct sm_zip *z, const struct sm_zip_member *m, size_t limit,
                 struct sm_str *out, struct sm_err *err);

#endif
