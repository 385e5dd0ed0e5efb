/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/bytes.h"
#include "reader/databases/mlflow.h"
#include "reader/databases/trackio.h"
#include "reader/logs/log_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_run(struct sm_source *source, const struct sm_log_format *format,
                     const char *member)
{
    struct sm_trial_input in = {.source = source, .options.member = member};
    struct sm_log_sink sink = {0};
    void *run = format->open(&in);
    for (int i = 0; run && i < 8 && format->poll(run, &sink); i++) {
        sm_batch_free(sink.batch);
        sink.batch = NULL;
        sm_log_sink_next(&sink);
    }
    if (run)
        format->close(run);
    sm_log_sink_clear(&sink);
}

/* Two lengths, then a database, its log and its journal. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_err err;
    struct sm_source *source = n >= 8 ? sm_source_mem_new(&err) : NULL;
    if (!source)
        return 0;
    size_t left = n - 8, db = sm_get_u32(data), wal = sm_get_u32(data + 4);
    db = db < left ? db : left;
    wal = wal < left - db ? wal : left - db;
    data += 8;
    if (sm_source_mem_put(source, "x.db", data, db) &&
        sm_source_mem_put(source, "x.db-wal", data + db, wal) &&
        sm_source_mem_put(source, "x.db-journal", data + db + wal, left - db - wal)) {
        read_run(source, &sm_mlflow_format, "x.db#a");
        read_run(source, &sm_trackio_format, "x.db#a");
    }
    sm_source_unref(source);
    return 0;
}
