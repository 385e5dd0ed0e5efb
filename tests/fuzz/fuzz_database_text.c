/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/mlflow.h"
#include "reader/databases/trackio.h"
#include "reader/logs/log_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The input is a meta.yaml, a line of a metric, a row of trackio and a time. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *p = (const char *)data;
    struct sm_mlflow_meta meta = {0};
    struct sm_point point = {0};
    struct sm_points points = {.per_second = 1e6};
    struct sm_latest latest = {0};
    struct sm_notes notes = {0};
    struct sm_log_sink sink = {0};
    struct sm_err err;
    sm_mlflow_meta_parse(p, n, &meta);
    sm_mlflow_meta_clear(&meta);
    if (sm_mlflow_line(p, n, 3, &point))
        sm_points_add(&points, "x", 1, &point);
    point.time = sm_trackio_time_us(p, n);
    sm_trackio_add(&points, p, n, &point, &err);
    sm_points_hand_on(&points, &latest, &sink);
    sm_trackio_config(&notes, p, n, &err);
    sm_notes_hand_on(&notes, &sink);
    sm_points_clear(&points);
    sm_latest_clear(&latest);
    sm_notes_clear(&notes);
    sm_log_sink_clear(&sink);
    return 0;
}
