/* What is known of a record, as bytes: an archive keeps it, also where it leaves the values out. */
#ifndef SM_FACTS_PACK_H
#define SM_FACTS_PACK_H

#include "reader/fetch.h"

/* With facts->dims and, unless NULL, facts->quantiles. Appends. */
void sm_facts_pack(const struct sm_facts *facts, struct sm_str *out);
/* dims and quantiles (SM_FACTS_QUANTILES of them) get what out points to. */
bool sm_facts_unpack(struct sm_bytes b, struct sm_facts *out, uint64_t dims[SM_DIMS_MAX],
                     double *quantiles, struct sm_err *err);

#endif
