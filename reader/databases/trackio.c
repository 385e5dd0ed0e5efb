/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/trackio.h"

#include <sqlite3.h>
#include <string.h>

static const struct sm_trial_traits traits = {
    .name = "trackio",
    .label = "trackio",
    .title = "trackio run",
    .files = "trackio's databases",
    .runs = true,
};

const struct sm_trial_kind sm_trial_kind_trackio =
    SM_LOG_KIND(traits, sm_trackio_format, sm_trackio_find);
