/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/tensorboard/tensorboard.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The input is the content of TensorBoard's plugin "hparams". */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_run_info info = {0};
    sm_board_take_hparams(&info, (struct sm_bytes){data, n});
    for (size_t i = 0; i < info.config.n; i++)
        if (!info.config.items[i].json[0])
            abort();
    sm_run_info_clear(&info);
    return 0;
}
