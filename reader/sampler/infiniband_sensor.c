/* SPDX-License-Identifier: Apache-2.0 */
/* /sys/class/infiniband: bytes of each port. */
#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PORTS = 64, NAME_BYTES = 64, UNIT_BYTES = 4 };

struct port {
    char name[NAME_BYTES]; /* mlx5_0/1 */
    struct sm_sensor_file received_file, sent_file;
    struct sm_counter received, sent;
};
struct ports {
    int root;
    const char *device; /* while its ports are looked for */
    struct port items[MOST_PORTS];
    size_t n;
};

static void open_port(void *ctx, const char *number)
{
    struct ports *p = ctx;
    struct port *port = &p->items[p->n];
    if (p->n == MOST_PORTS || strlen(p->device) + strlen(number) + 2 > NAME_BYTES)
        return;
    snprintf(port->name, sizeof port->name, "%.40s/%.20s", p->device, number);
    bool received = sm_sensor_open(&port->received_file, p->root,
                                   "sys/class/infiniband/%s/ports/%s/counters/port_rcv_data",
                                   p->device, number);
    bool sent = sm_sensor_open(&port->sent_file, p->root,
                               "sys/class/infiniband/%s/ports/%s/counters/port_xmit_data",
                               p->device, number);
    p->n += received || sent;
}

static void open_device(void *ctx, const char *name)
{
    struct ports *p = ctx;
    char path[NAME_BYTES + 40];
    int n = snprintf(path, sizeof path, "sys/class/infiniband/%s/ports", name);
    p->device = name;
    if (n > 0 && (size_t)n < sizeof path)
        sm_sensor_list(p->root, path, MOST_PORTS, open_port, p);
}

static void *open_ports(const struct sm_sensor_place *place)
{
    struct ports *p = sm_alloc_zero(1, sizeof *p);
    if (!p)
        return NULL;
    p->root = place->root;
    sm_sensor_list(place->root, "sys/class/infiniband", MOST_PORTS, open_device, p);
    if (p->n)
        return p;
    sm_free(p);
    return NULL;
}

static void close_ports(void *state)
{
    struct ports *p = state;
    for (size_t i = 0; i < p->n; i++) {
        sm_sensor_close(&p->items[i].received_file);
        sm_sensor_close(&p->items[i].sent_file);
    }
    sm_free(p);
}

/* The counters are in words of four bytes. */
static void sample_ports(void *state, struct sm_sensor_call *call)
{
    struct ports *p = state;
    for (size_t i = 0; i < p->n; i++) {
        struct port *port = &p->items[i];
        uint64_t words;
        if (sm_sensor_read_u64(&port->received_file, call->buffer, &words))
            sm_counter_rate(&port->received, words, UNIT_BYTES, call, "infiniband", port->name,
                            "ReceiveBytesPerSecond");
        if (sm_sensor_read_u64(&port->sent_file, call->buffer, &words))
            sm_counter_rate(&port->sent, words, UNIT_BYTES, call, "infiniband", port->name,
                            "TransmitBytesPerSecond");
    }
}

const struct sm_sensor_kind sm_infiniband_sensor = {
    .name = "infiniband", .open = open_ports, .sample = sample_ports, .close = close_ports};
