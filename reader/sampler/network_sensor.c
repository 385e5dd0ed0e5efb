/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/net/dev: bytes of all interfaces that have hardware behind them, together. */
#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 64, NAME_BYTES = 32 };

struct network {
    struct sm_sensor_file file;
    char hardware[MOST][NAME_BYTES]; /* interfaces; none: all but lo count */
    size_t n_hardware;
    int root;
    struct sm_counter received, sent;
};

static void find_hardware(void *ctx, const char *name)
{
    struct network *n = ctx;
    char path[NAME_BYTES + 32];
    struct stat st;
    if (strlen(name) >= NAME_BYTES || n->n_hardware == MOST)
        return;
    snprintf(path, sizeof path, "sys/class/net/%s/device", name);
    if (fstatat(n->root, path, &st, 0) == 0)
        snprintf(n->hardware[n->n_hardware++], NAME_BYTES, "%s", name);
}

/* net/dev is of the name space of whoever reads it; that of the host is its first process's. */
static bool open_file(struct network *n, const struct sm_sensor_place *place)
{
    return (place->of_host && sm_sensor_open(&n->file, place->root, "proc/1/net/dev")) ||
           sm_sensor_open(&n->file, place->root, "proc/net/dev");
}

static void *open_network(const struct sm_sensor_place *place)
{
    struct network *n = sm_alloc_zero(1, sizeof *n);
    if (!n || !open_file(n, place)) {
        sm_free(n);
        return NULL;
    }
    n->root = place->root;
    sm_sensor_list(place->root, "sys/class/net", 4096, find_hardware, n);
    return n;
}

static void close_network(void *state)
{
    struct network *n = state;
    sm_sensor_close(&n->file);
    sm_free(n);
}

static bool counts(const struct network *n, struct sm_text name)
{
    if (!n->n_hardware)
        return !sm_text_is(name, "lo");
    for (size_t i = 0; i < n->n_hardware; i++)
        if (sm_text_is(name, n->hardware[i]))
            return true;
    return false;
}

/* "  eth0:BYTES packets errs drop fifo frame compressed multicast BYTES ..." */
static bool read_interface(const struct network *n, struct sm_text line, uint64_t sums[2])
{
    const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
    struct sm_text head, name, rest;
    uint64_t f[9];
    if (!colon)
        return false;
    head = (struct sm_text){line.p, (size_t)(colon - line.p)};
    rest = (struct sm_text){colon + 1, line.n - head.n - 1};
    if (!sm_sensor_word(&head, &name) || !counts(n, name))
        return false;
    for (int i = 0; i < 9; i++)
        if (!sm_sensor_u64(&rest, &f[i]))
            return false;
    sums[0] += f[0];
    sums[1] += f[8];
    return true;
}

static void sample_network(void *state, struct sm_sensor_call *call)
{
    struct network *n = state;
    struct sm_text rest = sm_sensor_read(&n->file, call->buffer), line;
    uint64_t sums[2] = {0};
    bool any = false;
    while (sm_sensor_line(&rest, &line))
        any |= read_interface(n, line, sums);
    if (!any)
        return;
    sm_counter_rate(&n->received, sums[0], 1, call, "network", "ReceiveBytesPerSecond",
                    "Algorithm");
    sm_counter_rate(&n->sent, sums[1], 1, call, "network", "TransmitBytesPerSecond", "Algorithm");
}

const struct sm_sensor_kind sm_network_sensor = {
    .name = "network", .open = open_network, .sample = sample_network, .close = close_network};
