/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for NVIDIA's library and program in the tests of the sampler. */
#ifndef TESTS_READER_NVIDIA_PLACES_H
#define TESTS_READER_NVIDIA_PLACES_H

#include "tests/reader/machine_root.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside this program. */
static inline void library_path(char path[512])
{
    ssize_t n = readlink("/proc/self/exe", path, 400);
    assert_true(n > 0);
    path[n] = 0;
    strcpy(strrchr(path, '/'), "/fake_nvml.so");
}

static inline void write_script(char path[64], const char *text)
{
    strcpy(path, "/tmp/smdbg-smi-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
}

/* Samples until the other program has written. */
static inline struct sm_text take_until(struct machine *m, const char *name)
{
    struct sm_text t;
    do {
        poll(NULL, 0, 1);
        t = machine_take(m, 0);
    } while (!*machine_value(t, "gpu", name, "PowerWatts"));
    return t;
}

#endif
