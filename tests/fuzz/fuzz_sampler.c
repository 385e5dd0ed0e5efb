/* SPDX-License-Identifier: Apache-2.0 */
/* The sensors: any bytes in the place of the files of /proc, and a line of nvidia-smi. The first
 * half of the input is what is read first, all of it what is read then. */
#include "reader/base/mem.h"
#include "reader/sampler/nvidia_smi.h"
#include "reader/sampler/sampler.h"
#include "tests/remove_tree.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const files[] = {
    "proc/stat",
    "proc/meminfo",
    "proc/diskstats",
    "proc/net/dev",
    "proc/pressure/io",
    "proc/1/stat",
    "proc/1/io",
    "proc/1/task/1/children",
    "proc/1/cgroup",
    "sys/fs/cgroup/cpu.stat",
    "sys/fs/cgroup/memory.events",
};
enum { FILES = sizeof files / sizeof *files };
static char root[] = "/tmp/smdbg-fuzz-XXXXXX";

static void remove_root(void)
{
    remove_tree(root);
}

static void put(const uint8_t *data, size_t n)
{
    char path[128];
    for (size_t i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", root, files[i]);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || write(fd, data, n) != (ssize_t)n)
            abort();
        close(fd);
    }
}

static void make_root(void)
{
    static const char *const folders[] = {
        "proc", "proc/net", "proc/pressure", "proc/1",    "proc/1/task",  "proc/1/task/1",
        "sys",  "sys/fs",   "sys/fs/cgroup", "sys/block", "sys/block/vda"};
    if (!mkdtemp(root))
        abort();
    atexit(remove_root);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        if (mkdir(path, 0700) != 0)
            abort();
    }
}

static void check_lines(struct sm_text t)
{
    if (t.n && (t.p[0] != '{' || t.p[t.n - 1] != '\n' || memchr(t.p, 0, t.n)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_sampler_options o = {.root = root,
                                   .own_root = root,
                                   .node = "algo-1",
                                   .nvml = "",
                                   .smi = "",
                                   .interval_ms = 500};
    struct sm_sampler *s;
    struct sm_gpu_reading g;
    unsigned index;
    sm_smi_parse((struct sm_text){(const char *)data, n}, &index, &g);
    if (strstr(root, "XXXXXX"))
        make_root();
    put(data, n / 2);
    if (!sm_sampler_new(&o, &s, NULL))
        abort();
    sm_sampler_follow(s, 1);
    check_lines(sm_sampler_take(s, 1000000, 1000000));
    put(data, n);
    check_lines(sm_sampler_take(s, 3000000, 3000000));
    sm_sampler_free(s);
    return 0;
}
