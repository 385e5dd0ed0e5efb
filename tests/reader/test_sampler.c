/* SPDX-License-Identifier: Apache-2.0 */
/* The sensors on machines of files: every figure by hand, and what is not there is not in the
 * lines. */
#include "tests/reader/machine_root.h"

#include <sys/stat.h>

static struct sm_text take_ticks(struct machine *m)
{
    machine_take(m, 0);
    machine_set_tick(m, 1);
    return machine_take(m, 1);
}

/* The whole text, once; the tests below say why its values are right. */
static void test_lines(void **state)
{
    (void)state;
    struct machine m;
    char want[16384];
    machine_open(&m, "proc_two_gpus", "", "");
    sm_sampler_follow(m.sampler, 100);
    struct sm_text got = take_ticks(&m);
    FILE *f = fopen("tests/samples/proc_two_gpus/second.jsonl", "r");
    assert_non_null(f);
    size_t n = fread(want, 1, sizeof want - 1, f);
    want[n] = 0;
    fclose(f);
    char *whole = sm_xstrndup(got.p, got.n);
    assert_string_equal(whole, want);
    sm_free(whole);
    machine_close(&m);
}

static void test_rates(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    sm_sampler_follow(m.sampler, 100);
    struct sm_text t = take_ticks(&m);
    machine_expect(t, "cpu", "cpu0", "CPUUtilization", "90.0"); /* 80 + 10 of 100 ticks */
    machine_expect(t, "cpu", "cpu0", "I/OWaitPercentage", "10.0");
    machine_expect(t, "cpu", "cpu1", "CPUUtilization", "0.0");
    machine_expect(t, "memory", "MemoryUsedPercent", "", "87.5");
    machine_expect(t, "memory", "SwapUsedPercent", "", "25.0");
    machine_expect(t, "i/o", "IOPS", "", "60.0"); /* the disk once: not its partition, not dm-0 */
    machine_expect(t, "i/o", "ReadThroughputInBytesPerSecond", "", "2048000.0");
    machine_expect(t, "i/o", "WriteThroughputInBytesPerSecond", "", "512000.0");
    machine_expect(t, "network", "ReceiveBytesPerSecond", "Algorithm", "500000.0"); /* eth0 only */
    machine_expect(t, "network", "TransmitBytesPerSecond", "Algorithm", "100000.0");
    machine_expect(t, "pressure", "cpu", "SomePercent", "12.5");
    machine_expect(t, "pressure", "io", "FullPercent", "5.0");
    machine_expect(t, "infiniband", "mlx5_0/1", "ReceiveBytesPerSecond", "500000.0"); /* words of 4
                                                                                       */
    machine_close(&m);
}

static void test_process_tree(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    sm_sampler_follow(m.sampler, 100);
    struct sm_text t = machine_take(&m, 0);
    machine_expect(t, "process", "tree", "CPUPercent", "");
    machine_expect(t, "process", "tree", "Processes", "3.0");
    machine_expect(t, "process", "tree", "Threads", "10.0");
    machine_expect(t, "process", "tree", "ResidentBytes", "184320000.0");
    machine_set_tick(&m, 1);
    t = machine_take(&m, 1);
    /* 102 is gone, and in its parent's counters with 350 ticks; 103 came */
    machine_expect(t, "process", "tree", "CPUPercent", "35.0");
    machine_expect(t, "process", "tree", "Processes", "3.0");
    machine_expect(t, "process", "tree", "ReadBytesPerSecond", "999000.0");
    machine_close(&m);
}

/* Its limits are set two levels apart, and its kills are counted at both. */
static void test_cgroup2(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    sm_sampler_follow(m.sampler, 100);
    struct sm_text t = machine_take(&m, 0);
    machine_expect(t, "event", "cgroup", "OomKills", "");
    machine_set_tick(&m, 1);
    t = machine_take(&m, 1);
    machine_expect(t, "cgroup", "cgroup", "ThrottledPercent", "40.0");
    machine_expect(t, "cgroup", "cgroup", "MemoryUsedPercent", "75.0");
    machine_expect(t, "event", "cgroup", "OomKills", "2.0");
    machine_close(&m);
}

/* What starts a program may move it into the group of its limits. */
static void test_moved_to_another_cgroup(void **state)
{
    (void)state;
    struct machine m;
    char folder[128];
    machine_open(&m, "proc_two_gpus", "", "");
    snprintf(folder, sizeof folder, "%s/sys/fs/cgroup/moved", m.root);
    assert_int_equal(mkdir(folder, 0777), 0);
    machine_put(&m, "proc/100/cgroup", "0::/\n");
    sm_sampler_follow(m.sampler, 100);
    machine_take(&m, 0);
    machine_put(&m, "proc/100/cgroup", "0::/moved\n");
    machine_put(&m, "sys/fs/cgroup/moved/memory.current", "50\n");
    machine_put(&m, "sys/fs/cgroup/moved/memory.max", "100\n");
    machine_put(&m, "sys/fs/cgroup/moved/memory.events", "oom_kill 1\n");
    machine_expect(machine_take(&m, 1), "cgroup", "cgroup", "MemoryUsedPercent", "50.0");
    /* ended, and killed */
    machine_put(&m, "proc/100/cgroup", "");
    machine_put(&m, "sys/fs/cgroup/moved/memory.events", "oom_kill 2\n");
    machine_expect(machine_take(&m, 2), "event", "cgroup", "OomKills", "1.0");
    machine_close(&m);
}

static void test_amd(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    struct sm_text t = machine_take(&m, 0);
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "97.0");
    machine_expect(t, "gpu", "gpu0", "GPUMemoryUtilization", "50.0");
    machine_expect(t, "gpu", "gpu0", "PowerWatts", "250.0");
    machine_expect(t, "gpu", "gpu0", "TemperatureCelsius", "61.0");
    machine_expect(t, "gpu", "gpu0", "ClockMegahertz", "1700.0");
    machine_expect(t, "gpu", "gpu1", "GPUUtilization", "12.0");
    machine_expect(t, "gpu", "gpu1", "PowerWatts", "90.5");
    machine_expect(t, "gpu", "gpu2", "GPUUtilization", ""); /* card2 is a display */
    machine_close(&m);
}

/* Version 1 in a container, whose path is not below the mount; a GPU that says when it is idle. */
static void test_old_machine(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_cgroup1", "", "");
    sm_sampler_follow(m.sampler, 100);
    struct sm_text t = take_ticks(&m);
    machine_expect(t, "cgroup", "cgroup", "ThrottledPercent", "100.0");
    machine_expect(t, "cgroup", "cgroup", "MemoryUsedPercent", "90.0");
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "62.5");
    machine_expect(t, "gpu", "gpu0", "PowerWatts", "6.0");
    machine_expect(t, "gpu", "gpu0", "GPUMemoryUtilization", "");
    machine_expect(t, "cpu", "cpu1", "CPUUtilization", "");     /* is off line */
    machine_expect(t, "cpu", "cpu2", "CPUUtilization", "50.0"); /* its I/O wait went back by one */
    machine_expect(t, "cpu", "cpu2", "I/OWaitPercentage", "0.0");
    machine_expect(t, "network", "ReceiveBytesPerSecond", "Algorithm", "1000.0"); /* all but lo */
    machine_expect(t, "memory", "MemoryUsedPercent", "", "");
    machine_expect(t, "memory", "SwapUsedPercent", "", "");
    machine_expect(t, "pressure", "cpu", "SomePercent", "");
    machine_expect(t, "i/o", "IOPS", "", "");
    machine_expect(t, "process", "tree", "CPUPercent", "25.0");
    machine_expect(t, "process", "tree", "ReadBytesPerSecond", ""); /* of another user */
    machine_close(&m);
}

static void test_bare_machine(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_bare", "", "");
    sm_sampler_follow(m.sampler, 100); /* there is none */
    struct sm_text t = take_ticks(&m);
    char *whole = sm_xstrndup(t.p, t.n);
    assert_string_equal(whole,
                        "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"CPUUtilization\","
                        "\"Value\":50.0,\"NodeId\":\"algo-1\",\"Timestamp\":1795457281.000250}\n"
                        "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"I/OWaitPercentage\","
                        "\"Value\":0.0,\"NodeId\":\"algo-1\",\"Timestamp\":1795457281.000250}\n");
    sm_free(whole);
    machine_close(&m);
}

/* From a container: the network is that of the host's first process, not that of who reads. */
static void test_host(void **state)
{
    (void)state;
    static const char net[] = "h1\nh2\n  eth0: %d 0 0 0 0 0 0 0 0 0\n";
    struct machine m;
    struct sm_err err;
    char text[128];
    machine_make(&m, "proc_two_gpus");
    snprintf(text, sizeof text, "mkdir -p %s/proc/1/net", m.root);
    assert_int_equal(system(text), 0);
    snprintf(text, sizeof text, net, 1000);
    machine_put(&m, "proc/1/net/dev", text);
    const struct sm_sampler_options o = {
        .root = m.root, .node = "algo-1", .nvml = "", .smi = "", .interval_ms = 500};
    assert_true(sm_sampler_new(&o, &m.sampler, &err));
    machine_take(&m, 0);
    snprintf(text, sizeof text, net, 1077);
    machine_put(&m, "proc/1/net/dev", text);
    machine_expect(machine_take(&m, 1), "network", "ReceiveBytesPerSecond", "Algorithm", "77.0");
    machine_close(&m);
}

/* A counter that begins anew is no rate. */
static void test_counter_begins_anew(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    machine_set_tick(&m, 1);
    machine_take(&m, 0);
    machine_set_tick(&m, 0);
    struct sm_text t = machine_take(&m, 1);
    machine_expect(t, "i/o", "IOPS", "", "");
    machine_expect(t, "network", "ReceiveBytesPerSecond", "Algorithm", "");
    machine_expect(t, "pressure", "cpu", "SomePercent", "");
    machine_close(&m);
}

static void test_steady_samples_allocate_nothing(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    sm_sampler_follow(m.sampler, 100);
    machine_take(&m, 0);
    machine_take(&m, 1);
    unsigned long before = sm_mem_count();
    for (int64_t s = 2; s < 10; s++)
        assert_true(machine_take(&m, s).n > 0);
    assert_int_equal(sm_mem_count(), before);
    machine_close(&m);
}

/* Files of a machine are untrusted when the root is given: what is no number is left out. */
static void test_nonsense(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "", "");
    sm_sampler_follow(m.sampler, 100);
    machine_put(&m, "proc/stat", "cpu0 \ncpu99999999999999999999 1 2 3 4\ncpu8191 1 2 3 4 5\ncpu");
    machine_put(&m, "proc/meminfo", "MemTotal: x kB\nMemAvailable:");
    machine_put(&m, "proc/diskstats", "1 2 nvme0n1 5\n\n1");
    machine_put(&m, "proc/net/dev", "eth0:\n:::\neth0: 1 2 3");
    machine_put(&m, "proc/100/stat", "100 (x");
    machine_put(&m, "sys/class/drm/card0/device/gpu_busy_percent", "-5\n");
    machine_take(&m, 0);
    struct sm_text t = machine_take(&m, 1);
    machine_expect(t, "cpu", "cpu0", "CPUUtilization", "");
    machine_expect(t, "memory", "MemoryUsedPercent", "", "");
    machine_expect(t, "i/o", "IOPS", "", "");
    machine_expect(t, "network", "ReceiveBytesPerSecond", "Algorithm", "");
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "");
    machine_expect(t, "gpu", "gpu0", "GPUMemoryUtilization", "50.0");
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_process_tree),
        cmocka_unit_test(test_cgroup2),
        cmocka_unit_test(test_moved_to_another_cgroup),
        cmocka_unit_test(test_amd),
        cmocka_unit_test(test_old_machine),
        cmocka_unit_test(test_bare_machine),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_counter_begins_anew),
        cmocka_unit_test(test_steady_samples_allocate_nothing),
        cmocka_unit_test(test_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
