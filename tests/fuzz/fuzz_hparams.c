/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/tensorboard/tensorboard.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The input as the event file of a folder that may be a session. */
static void look_at(const uint8_t *data, size_t n)
{
    struct sm_err err;
    uint32_t config;
    struct sm_source *files = sm_source_mem_new(&err);
    if (files && sm_source_mem_put(files, "hp/events.out.tfevents.1", data, n))
        sm_board_look_at(files, "hp", &config);
    sm_source_unref(files);
}

/* The input is the content of TensorBoard's plugin "hparams". */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_run_info info = {0};
    sm_board_take_hparams(&info, (struct sm_bytes){data, n});
    for (size_t i = 0; i < info.config.n; i++)
        if (!info.config.items[i].json[0])
            abort();
    sm_run_info_clear(&info);
    look_at(data, n);
    return 0;
}
