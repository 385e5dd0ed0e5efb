/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/diskstats: operations and bytes of all disks together. */
#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR_BYTES = 512, MOST_DISKS = 256, NAME_BYTES = 32 };

/* Counters of all disks; disks that come and go are found again. */
struct disks {
    struct sm_sensor_file file;
    int root;
    char seen[MOST_DISKS][NAME_BYTES]; /* names, and whether each is a disk */
    bool is_disk[MOST_DISKS];
    size_t n_seen;
    struct sm_counter operations, read_sectors, written_sectors;
};

static void *open_disks(const struct sm_sensor_place *place)
{
    struct disks *d = sm_alloc_zero(1, sizeof *d);
    if (!d || !sm_sensor_open(&d->file, place->root, "proc/diskstats")) {
        sm_free(d);
        return NULL;
    }
    d->root = place->root;
    return d;
}

static void close_disks(void *state)
{
    struct disks *d = state;
    sm_sensor_close(&d->file);
    sm_free(d);
}

/* Not partitions, which have no folder of their own, and not what lies on top of other disks. */
static bool look_at_disk(int root, const char *name)
{
    static const char *const layers[] = {"loop", "ram", "zram", "dm-", "md", "drbd", "sr", "nbd"};
    char path[NAME_BYTES + 16];
    struct stat st;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (strncmp(name, layers[i], strlen(layers[i])) == 0)
            return false;
    snprintf(path, sizeof path, "sys/block/%s", name);
    return fstatat(root, path, &st, 0) == 0;
}

static bool is_disk(struct disks *d, struct sm_text name)
{
    for (size_t i = 0; i < d->n_seen; i++)
        if (sm_text_is(name, d->seen[i]))
            return d->is_disk[i];
    if (d->n_seen == MOST_DISKS || name.n >= NAME_BYTES || memchr(name.p, '/', name.n))
        return false;
    memcpy(d->seen[d->n_seen], name.p, name.n);
    d->is_disk[d->n_seen] = look_at_disk(d->root, d->seen[d->n_seen]);
    return d->is_disk[d->n_seen++];
}

/* major minor NAME reads merged SECTORS ms writes merged SECTORS ms ... */
static bool read_disk(struct disks *d, struct sm_text line, uint64_t sums[3])
{
    struct sm_text name;
    uint64_t skipped, f[7];
    if (!sm_sensor_u64(&line, &skipped) || !sm_sensor_u64(&line, &skipped) ||
        !sm_sensor_word(&line, &name) || !is_disk(d, name))
        return false;
    for (int i = 0; i < 7; i++)
        if (!sm_sensor_u64(&line, &f[i]))
            return false;
    sums[0] += f[0] + f[4];
    sums[1] += f[2];
    sums[2] += f[6];
    return true;
}

static void sample_disks(void *state, struct sm_sensor_call *call)
{
    struct disks *d = state;
    struct sm_text rest = sm_sensor_read(&d->file, call->buffer), line;
    uint64_t sums[3] = {0};
    bool any = false;
    while (sm_sensor_line(&rest, &line))
        any |= read_disk(d, line, sums);
    if (!any)
        return;
    sm_counter_rate(&d->operations, sums[0], 1, call, "i/o", "IOPS", "");
    sm_counter_rate(&d->read_sectors, sums[1], SECTOR_BYTES, call, "i/o",
                    "ReadThroughputInBytesPerSecond", "");
    sm_counter_rate(&d->written_sectors, sums[2], SECTOR_BYTES, call, "i/o",
                    "WriteThroughputInBytesPerSecond", "");
}

const struct sm_sensor_kind sm_disk_sensor = {
    .name = "disk", .open = open_disks, .sample = sample_disks, .close = close_disks};
