/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/trace_members.h"

#include <string.h>

struct member_name {
    const char *name;
    uint8_t length, member;
};
#define M(text, member)                                                                            \
    {                                                                                              \
        text, sizeof(text) - 1, member                                                             \
    }

static const struct member_name of_event[] = {
    M("name", SM_MEMBER_NAME), M("cat", SM_MEMBER_CAT), M("ph", SM_MEMBER_PH),
    M("pid", SM_MEMBER_PID),   M("tid", SM_MEMBER_TID), M("ts", SM_MEMBER_TS),
    M("dur", SM_MEMBER_DUR),
};
static const struct member_name of_args[] = {
    M("Seq", SM_MEMBER_SEQ),
    M("dtype", SM_MEMBER_DTYPE),
    M("Bytes", SM_MEMBER_BYTES),
    M("stream", SM_MEMBER_STREAM),
    M("Device Id", SM_MEMBER_DEVICE_ID),
    M("Group size", SM_MEMBER_GROUP_SIZE),
    M("External id", SM_MEMBER_EXTERNAL),
    M("external id", SM_MEMBER_EXTERNAL),
    M("correlation", SM_MEMBER_CORRELATION),
    M("Device Type", SM_MEMBER_DEVICE_TYPE),
    M("In msg nelems", SM_MEMBER_IN_ELEMS),
    M("Out msg nelems", SM_MEMBER_OUT_ELEMS),
    M("Total Reserved", SM_MEMBER_RESERVED),
    M("Total Allocated", SM_MEMBER_ALLOCATED),
    M("Collective name", SM_MEMBER_COLLECTIVE),
    M("Process Group Name", SM_MEMBER_GROUP),
    M("Process Group Ranks", SM_MEMBER_GROUP_RANKS),
    M("Process Group Description", SM_MEMBER_GROUP_DESCRIPTION),
};

/* Both tables are short and most keys differ in their length already. */
static int find_member(const struct member_name *t, size_t n, struct sm_text key)
{
    for (size_t i = 0; i < n; i++)
        if (t[i].length == key.n && memcmp(t[i].name, key.p, key.n) == 0)
            return t[i].member;
    return -1;
}

static void keep(struct sm_trace_members *m, int i, const struct sm_scan_value *v)
{
    if (i < 0)
        return;
    m->value[i] = *v;
    m->seen |= 1u << i;
}

/* The arguments, entered in place: they are not scanned twice. */
static enum sm_scan_result read_args(struct sm_scan *s, struct sm_trace_members *m)
{
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(s, '{');
    if (r == SM_SCAN_BAD)
        return sm_scan_value(s, &v); /* no map: it says nothing */
    while (r == SM_SCAN_ITEM) {
        r = sm_scan_key(s, &key, &v);
        if (r == SM_SCAN_ITEM)
            keep(m, find_member(of_args, sizeof of_args / sizeof *of_args, key), &v);
    }
    return r == SM_SCAN_DONE ? SM_SCAN_ITEM : r;
}

enum sm_scan_result sm_members_read(struct sm_scan *s, struct sm_trace_members *m)
{
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(s, '{');
    m->seen = 0;
    while (r == SM_SCAN_ITEM) {
        r = sm_scan_name(s, &key);
        if (r != SM_SCAN_ITEM)
            break;
        if (key.n == 4 && memcmp(key.p, "args", 4) == 0) {
            r = read_args(s, m);
            continue;
        }
        r = sm_scan_value(s, &v);
        if (r == SM_SCAN_ITEM)
            keep(m, find_member(of_event, sizeof of_event / sizeof *of_event, key), &v);
    }
    return r;
}

int64_t sm_members_int(const struct sm_trace_members *m, enum sm_trace_member i, int64_t other)
{
    int64_t v;
    return sm_members_have(m, i) && sm_scan_decimal(&m->value[i], 0, &v) ? v : other;
}

uint32_t sm_members_id(const struct sm_trace_members *m, enum sm_trace_member i)
{
    int64_t v = sm_members_int(m, i, -1);
    return v >= 0 && v < UINT32_MAX ? (uint32_t)v : SM_NAME_NONE;
}

enum sm_trace_cat sm_members_cat(const struct sm_trace_members *m)
{
    static const struct {
        const char *name;
        enum sm_trace_cat cat;
    } cats[] = {
        {"cpu_op", SM_TRACE_CPU_OP},
        {"python_function", SM_TRACE_PYTHON},
        {"kernel", SM_TRACE_KERNEL},
        {"cuda_runtime", SM_TRACE_RUNTIME},
        {"user_annotation", SM_TRACE_ANNOTATION},
        {"gpu_memcpy", SM_TRACE_MEMCPY},
        {"gpu_memset", SM_TRACE_MEMSET},
        {"gpu_user_annotation", SM_TRACE_GPU_ANNOTATION},
        {"cuda_driver", SM_TRACE_DRIVER},
        {"cuda_sync", SM_TRACE_SYNC},
        {"xpu_runtime", SM_TRACE_RUNTIME},
        {"xpu_driver", SM_TRACE_DRIVER},
        {"privateuse1_runtime", SM_TRACE_RUNTIME},
        {"privateuse1_driver", SM_TRACE_DRIVER},
        /* as they were called before */
        {"Operator", SM_TRACE_CPU_OP},
        {"Kernel", SM_TRACE_KERNEL},
        {"Memcpy", SM_TRACE_MEMCPY},
        {"Memset", SM_TRACE_MEMSET},
        {"Runtime", SM_TRACE_RUNTIME},
        {"Trace", SM_TRACE_SPAN},
    };
    if (!sm_members_have(m, SM_MEMBER_CAT))
        return SM_TRACE_OTHER;
    for (size_t i = 0; i < sizeof cats / sizeof *cats; i++)
        if (sm_text_is(m->value[SM_MEMBER_CAT].text, cats[i].name))
            return cats[i].cat;
    return SM_TRACE_OTHER;
}
