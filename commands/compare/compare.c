/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare.h"

#include "commands/compare/compare_live.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_COMPARE_COMMANDS(SM_CMD_ENTRY) NULL};

static void drop_comparison(struct sm_session *s, size_t i)
{
    (void)i;
    sm_compare_live_drop(s);
}

static bool pump_comparison(struct sm_session *s, bool news)
{
    (void)news;
    return sm_compare_live_pump(s);
}

static int64_t deadline_us(const struct sm_session *s)
{
    return sm_compare_live_busy(s) ? 0 : INT64_MAX;
}

const struct sm_feature sm_compare_feature = {
    .name = "compare",
    .commands = commands,
    .state = &sm_compare_state_kind,
    .clear = sm_compare_live_drop,
    .trial_closing = drop_comparison,
    .pump = pump_comparison,
    .deadline_us = deadline_us,
};
