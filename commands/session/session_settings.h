/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the session: format of output, limits of memory and threads. Every room may use
 * them. */
#ifndef SM_SESSION_SETTINGS_H
#define SM_SESSION_SETTINGS_H

#include "commands/session/feature.h"
#include "commands/session/setting.h"
#include "plot/grid/style.h"

struct sm_session;
/* The values, in the order of the names of the settings. */
struct sm_session_settings {
    int64_t background; /* index of the word */
    bool match_case;
    int64_t checksum; /* index of the word */
    int64_t color;    /* index of the word */
    bool confirm;
    int64_t height;
    char *log_patterns;   /* a file; reader/textlog/textlog_state.h has read it */
    int64_t memory_limit; /* bytes */
    int64_t niceness;
    bool pagination;
    int64_t print_edgeitems;
    int64_t print_linewidth;
    int64_t print_precision;
    int64_t print_precision_style; /* index of the word */
    int64_t print_threshold;
    double s3_follow_rate; /* lists a second */
    double s3_price_gb, s3_price_gets, s3_price_lists;
    int64_t s3_survey_limit; /* bytes */
    int64_t sessions;
    int64_t stall;        /* us; below 0: auto */
    int64_t survey_limit; /* bytes */
    int64_t symbols;      /* index of the word */
    int64_t threads;
    int64_t time_zone; /* index of the word */
    bool verbose;
    int64_t width;
    char *style[SM_STYLED_ROLES]; /* by enum sm_role */
};
extern const struct sm_setting sm_session_setting_rows[]; /* ends with name NULL */
const struct sm_session_settings *sm_session_settings(const struct sm_session *s);
extern const struct sm_feature sm_session_feature;

#endif
