/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a record, as bytes: an archive keeps it, also where it leaves the values out.
 *
 * Statistics are packed by key: an archive lists its keys once, as columns, and each record has
 * the columns' values. What this program does not know is skipped, what the archive does not have
 * is marked in the statistics (struct sm_stats: lacks). Records of archives of version 1 have a
 * fixed set. */
#ifndef SM_FACTS_PACK_H
#define SM_FACTS_PACK_H

#include "reader/tensor/facts.h"

enum { SM_FACTS_COLUMNS_MAX = 128 };
struct sm_facts_columns {
    unsigned n;
    uint32_t crc;                       /* CRC-32C of the list; records have it too */
    uint8_t wire[SM_FACTS_COLUMNS_MAX]; /* protobuf's wire type */
    int8_t row[SM_FACTS_COLUMNS_MAX];   /* of statistic_list.h; -1: not known here */
};
/* Of what this program packs: all that is not derived. Valid forever. */
const struct sm_facts_columns *sm_facts_columns(void);
/* Their list, as an archive has it. Appends. */
void sm_facts_columns_put(struct sm_str *out);
/* The list of any version of the program; out is changed only if that succeeds. */
bool sm_facts_columns_get(struct sm_bytes list, struct sm_facts_columns *out, struct sm_err *err);

/* With facts->dims and, unless NULL, facts->quantiles. Appends. */
void sm_facts_pack(const struct sm_facts *facts, struct sm_str *out);
/* columns: of the archive, n == 0: its list was lost. dims and quantiles (SM_FACTS_QUANTILES of
 * them; NaN: not saved) get what out points to. */
bool sm_facts_unpack(struct sm_bytes b, const struct sm_facts_columns *columns,
                     struct sm_facts *out, uint64_t dims[SM_DIMS_MAX], double *quantiles,
                     struct sm_err *err);

#endif
