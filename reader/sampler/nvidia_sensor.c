/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs of NVIDIA: from its library, else from its program. */
#include "reader/base/mem.h"
#include "reader/sampler/nvidia_smi.h"
#include "reader/sampler/nvml.h"

struct nvidia {
    struct sm_nvml *library;
    struct sm_smi *program;
};

static void close_nvidia(void *state)
{
    struct nvidia *n = state;
    sm_nvml_close(n->library);
    sm_smi_close(n->program);
    sm_free(n);
}

static void *open_nvidia(const struct sm_sensor_place *place)
{
    struct nvidia *n = sm_alloc_zero(1, sizeof *n);
    if (!n)
        return NULL;
    n->library = place->nvml && !*place->nvml ? NULL : sm_nvml_open(place->nvml);
    if (!n->library && !(place->smi && !*place->smi))
        n->program = sm_smi_open(place->smi, place->interval_ms);
    if (n->library || n->program)
        return n;
    close_nvidia(n);
    return NULL;
}

static void sample_nvidia(void *state, struct sm_sensor_call *call)
{
    struct nvidia *n = state;
    if (n->library)
        sm_nvml_sample(n->library, call);
    else
        sm_smi_sample(n->program, call);
}

const struct sm_sensor_kind sm_nvidia_sensor = {
    .name = "nvidia", .open = open_nvidia, .sample = sample_nvidia, .close = close_nvidia};
