/* SPDX-License-Identifier: Apache-2.0 */
/* /sys/class/drm: GPUs of AMD and Intel. A card is one of ours if it says how busy it is, or, as
 * Intel's, for how long it was idle; displays and the GPUs of NVIDIA's driver say neither. */
#include "reader/base/mem.h"
#include "reader/sampler/gpu_reading.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 128 };

/* Files of a card, and what their numbers are to be multiplied by. The first that is there counts;
 * paths are below sys/class/drm/cardN. */
static const struct {
    enum sm_gpu_figure figure;
    double scale;
    const char *path;
} files[] = {
    {SM_GPU_BUSY, 1, "device/gpu_busy_percent"},
    {SM_GPU_USED_BYTES, 1, "device/mem_info_vram_used"},
    {SM_GPU_TOTAL_BYTES, 1, "device/mem_info_vram_total"},
    {SM_GPU_CLOCK_MHZ, 1, "gt_act_freq_mhz"},
    {SM_GPU_CLOCK_MHZ, 1, "device/tile0/gt0/freq0/act_freq"},
};
/* Paths below device/hwmon/hwmonN. */
static const struct {
    enum sm_gpu_figure figure;
    double scale;
    const char *path;
} monitors[] = {
    {SM_GPU_WATTS, 1e-6, "power1_average"},         {SM_GPU_WATTS, 1e-6, "power1_input"},
    {SM_GPU_CELSIUS, 1e-3, "temp1_input"},          {SM_GPU_CLOCK_MHZ, 1e-6, "freq1_input"},
    {SM_GPU_MEMORY_CLOCK_MHZ, 1e-6, "freq2_input"},
};
/* Milliseconds without work, of i915 and xe. */
static const char *const idle_files[] = {"gt/gt0/rc6_residency_ms", "power/rc6_residency_ms",
                                         "device/tile0/gt0/gtidle/idle_residency_ms"};

struct card {
    struct sm_sensor_file files[SM_GPU_FIGURES], idle, energy;
    double scale[SM_GPU_FIGURES];
    struct sm_counter idle_ms, energy_uj;
    struct sm_gpu_state state;
};
struct cards {
    int root;
    char card[PATH_BYTES]; /* folder of the one that is opened */
    struct card *items;
    size_t n;
};

/* ---- opening ---- */

static void open_figure(struct cards *c, struct card *card, enum sm_gpu_figure figure, double scale,
                        const char *folder, const char *path)
{
    if (card->files[figure].fd < 0 &&
        sm_sensor_open(&card->files[figure], c->root, "%s/%s%s", c->card, folder, path))
        card->scale[figure] = scale;
}

static void open_monitor(void *ctx, const char *name)
{
    struct cards *c = ctx;
    struct card *card = &c->items[c->n];
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "device/hwmon/%.64s/", name);
    for (size_t i = 0; i < sizeof monitors / sizeof *monitors; i++)
        open_figure(c, card, monitors[i].figure, monitors[i].scale, folder, monitors[i].path);
    if (card->energy.fd < 0)
        sm_sensor_open(&card->energy, c->root, "%s/%senergy1_input", c->card, folder);
}

static void close_card(struct card *card)
{
    for (int i = 0; i < SM_GPU_FIGURES; i++)
        sm_sensor_close(&card->files[i]);
    sm_sensor_close(&card->idle);
    sm_sensor_close(&card->energy);
}

static void open_card_files(struct cards *c, struct card *card)
{
    char folder[PATH_BYTES + 16];
    for (int i = 0; i < SM_GPU_FIGURES; i++)
        card->files[i].fd = -1;
    card->idle.fd = card->energy.fd = -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        open_figure(c, card, files[i].figure, files[i].scale, "", files[i].path);
    for (size_t i = 0; i < sizeof idle_files / sizeof *idle_files && card->idle.fd < 0; i++)
        sm_sensor_open(&card->idle, c->root, "%s/%s", c->card, idle_files[i]);
    snprintf(folder, sizeof folder, "%s/device/hwmon", c->card);
    sm_sensor_list(c->root, folder, SM_GPUS_MAX, open_monitor, c);
}

static bool all_digits(const char *p)
{
    return *p && strspn(p, "0123456789") == strlen(p);
}

/* card0, not its outputs: card0-DP-1 */
static void open_card(void *ctx, const char *name)
{
    struct cards *c = ctx;
    if (strncmp(name, "card", 4) != 0 || !all_digits(name + 4) || c->n == SM_GPUS_MAX)
        return;
    struct card *card = &c->items[c->n];
    snprintf(c->card, sizeof c->card, "sys/class/drm/%.32s", name);
    open_card_files(c, card);
    if (card->files[SM_GPU_BUSY].fd >= 0 || card->idle.fd >= 0)
        c->n++;
    else
        close_card(card);
}

static void close_cards(void *state)
{
    struct cards *c = state;
    for (size_t i = 0; i < c->n; i++)
        close_card(&c->items[i]);
    sm_free(c->items);
    sm_free(c);
}

static void *open_cards(const struct sm_sensor_place *place)
{
    struct cards *c = sm_alloc_zero(1, sizeof *c);
    if (!c)
        return NULL;
    c->root = place->root;
    c->items = sm_alloc_zero(SM_GPUS_MAX, sizeof *c->items);
    if (c->items)
        sm_sensor_list(place->root, "sys/class/drm", 4096, open_card, c);
    if (c->n)
        return c;
    close_cards(c);
    return NULL;
}

/* ---- one sample ---- */

/* A share from a number that grows while nothing runs. */
static void read_idle(struct card *card, struct sm_sensor_call *call, struct sm_gpu_reading *g)
{
    uint64_t ms, grown;
    if (g->known[SM_GPU_BUSY] || !sm_sensor_read_u64(&card->idle, call->buffer, &ms) ||
        !sm_counter_next(&card->idle_ms, ms, &grown) || call->seconds <= 0)
        return;
    double busy = 100 - 0.1 * (double)grown / call->seconds;
    sm_gpu_set(g, SM_GPU_BUSY, busy < 0 ? 0 : busy);
}

static void read_energy(struct card *card, struct sm_sensor_call *call, struct sm_gpu_reading *g)
{
    uint64_t uj, grown;
    if (!g->known[SM_GPU_WATTS] && sm_sensor_read_u64(&card->energy, call->buffer, &uj) &&
        sm_counter_next(&card->energy_uj, uj, &grown) && call->seconds > 0)
        sm_gpu_set(g, SM_GPU_WATTS, 1e-6 * (double)grown / call->seconds);
}

static void sample_cards(void *state, struct sm_sensor_call *call)
{
    struct cards *c = state;
    for (size_t i = 0; i < c->n; i++) {
        struct card *card = &c->items[i];
        struct sm_gpu_reading g = {0};
        uint64_t v;
        for (int k = 0; k < SM_GPU_FIGURES; k++)
            if (sm_sensor_read_u64(&card->files[k], call->buffer, &v))
                sm_gpu_set(&g, (enum sm_gpu_figure)k, card->scale[k] * (double)v);
        read_idle(card, call, &g);
        read_energy(card, call, &g);
        sm_gpu_add(&card->state, &g, call);
    }
}

const struct sm_sensor_kind sm_card_sensor = {
    .name = "card", .open = open_cards, .sample = sample_cards, .close = close_cards};
