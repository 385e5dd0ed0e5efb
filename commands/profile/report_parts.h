/* SPDX-License-Identifier: Apache-2.0 */
/* What the sections of a profiling report share: reading the tree of a rule's results, of which
 * every byte is untrusted, and the parts that several sections have. */
#ifndef SM_REPORT_PARTS_H
#define SM_REPORT_PARTS_H

#include "commands/profile/profile_report.h"

/* ---- the tree; nodes may be NULL or of any kind ---- */
double sm_report_number(const struct sm_node *x); /* NaN: it is none */
bool sm_report_is_map(const struct sm_node *x);
/* A member of a map that is a map; NULL: there is none. */
const struct sm_node *sm_report_member(const struct sm_node *map, const char *key);
double sm_report_value(const struct sm_node *map, const char *key); /* NaN: there is none */
const struct sm_node *sm_report_details(const struct sm_profile_report *r, const char *name);
double sm_report_triggered(const struct sm_profile_report *r, const char *name);

/* ---- parts ---- */
double sm_report_at_least_0(double v);
const char *sm_report_time_text(struct sm_sheet *o, double seconds); /* in the arena of o */
enum { SM_REPORT_BARS = 24 };
/* The numbers of a map as bars, the largest first; returns how many. */
size_t sm_report_fill_bars(const struct sm_node *map, struct sm_sheet_bar *bars);
/* The same, shown. */
void sm_report_put_shares(const struct sm_node *map, const char *caption, struct sm_sheet *o);
/* Times of the framework by class (PROFILER.md 6.4). */
void sm_report_put_breakdown(const struct sm_node *d, struct sm_sheet *o);
/* PROFILER.md 7.6 */
void sm_report_put_analysis(const struct sm_profile_report *r, struct sm_sheet *o);

#endif
