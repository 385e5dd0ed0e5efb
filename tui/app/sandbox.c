/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the headers of Debian 12. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

enum { REFER_SINCE = 2, TRUNCATE_SINCE = 3 };

static const uint64_t creates =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/* What the kernel can deny, of what the sandbox denies. */
static uint64_t denied_by(long version)
{
    uint64_t all = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | creates;
    if (version >= REFER_SINCE)
        all |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= TRUNCATE_SINCE)
        all |= LANDLOCK_ACCESS_FS_TRUNCATE;
    return all;
}

static bool allow_devices(int ruleset, uint64_t denied)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = denied & (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE),
        .parent_fd = open("/dev", O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0)
        return true; /* then no device can be opened for writing */
    bool ok = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return ok;
}

bool sm_sandbox_enter(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return false;
    struct landlock_ruleset_attr rules = {.handled_access_fs = denied_by(version)};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0)
        return false;
    bool ok = allow_devices(ruleset, rules.handled_access_fs) &&
              prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return ok;
}
