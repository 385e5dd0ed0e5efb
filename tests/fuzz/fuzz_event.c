#include "reader/base/mem.h"
#include "reader/histogram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* An event's payload: parsed whole, by its head, and as a tensor with its statistics. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_arena arena = {0};
    struct sm_event e;
    struct sm_event_value v;
    struct sm_err err;
    double time = 0;
    struct sm_str record = {0};
    sm_event_parse((struct sm_bytes){data, n}, &arena, &e, &err);
    sm_event_head((struct sm_bytes){data, n}, &v, &time);
    sm_frame_write(&record, (struct sm_bytes){data, n}, true);
    struct sm_tensor *t;
    struct sm_stats stats;
    if (sm_tensor_from_record((uint8_t *)record.data, record.len, true, &t, &err)) {
        sm_stats_of(t, &stats, &err);
        sm_tensor_unref(t);
    }
    sm_arena_clear(&arena);
    return 0;
}
