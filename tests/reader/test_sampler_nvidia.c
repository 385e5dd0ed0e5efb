/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs of NVIDIA: a library in the place of theirs, and lines of nvidia-smi. */
#include "reader/sampler/nvidia_smi.h"
#include "tests/reader/nvidia_places.h"

static void test_library(void **state)
{
    (void)state;
    struct machine m;
    char path[512];
    library_path(path);
    machine_open(&m, "proc_two_gpus", path, "");
    struct sm_text t = machine_take(&m, 0);
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "37.0");
    machine_expect(t, "gpu", "gpu0", "GPUMemoryUtilization", "25.0");
    machine_expect(t, "gpu", "gpu0", "MemoryUsedBytes", "21474836480.0");
    machine_expect(t, "gpu", "gpu0", "PowerWatts", "699.5");
    machine_expect(t, "gpu", "gpu0", "TemperatureCelsius", "81.0");
    machine_expect(t, "gpu", "gpu0", "ClockMegahertz", "1980.0");
    machine_expect(t, "gpu", "gpu0", "MemoryClockMegahertz", "2619.0");
    machine_expect(t, "gpu", "gpu1", "GPUUtilization", ""); /* not supported is not 0 */
    machine_expect(t, "gpu", "gpu1", "GPUMemoryUtilization", "50.0");
    machine_expect(t, "gpu", "gpu2", "GPUUtilization", "97.0"); /* cards of others come after them
                                                                 */
    machine_expect(t, "event", "gpu0", "SwPowerCap", "1.0");
    t = machine_take(&m, 1);
    machine_expect(t, "event", "gpu0", "SwPowerCap", "0.0");
    machine_expect(t, "event", "gpu0", "HwThermalSlowdown", "1.0");
    machine_expect(t, "event", "gpu1", "XidError", "79.0");
    t = machine_take(&m, 2);
    machine_expect(t, "event", "gpu0", "HwThermalSlowdown", "");
    machine_expect(t, "event", "gpu1", "XidError", "");
    machine_close(&m);
}

static void test_no_library(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, "proc_two_gpus", "/nonexistent/libnvidia-ml.so.1", "");
    machine_expect(machine_take(&m, 0), "gpu", "gpu0", "GPUUtilization", "97.0");
    machine_close(&m);
}

static void test_lines_of_smi(void **state)
{
    (void)state;
    struct sm_gpu_reading g;
    unsigned i;
    assert_true(sm_smi_parse(
        sm_text("3, 37, 1024, 81559, 71.50, 34, 1980, 2619, 0x0000000000000044\r"), &i, &g));
    assert_int_equal(i, 3);
    assert_true(g.figures[SM_GPU_BUSY] == 37 && g.figures[SM_GPU_USED_BYTES] == 1 << 30);
    assert_true(g.figures[SM_GPU_WATTS] == 71.5 && g.reasons_known && g.reasons == 0x44);
    assert_true(sm_smi_parse(sm_text("0, [N/A], 1024, 81559, [Not Supported], 34"), &i, &g));
    assert_false(g.known[SM_GPU_BUSY] || g.known[SM_GPU_WATTS] || g.reasons_known);
    assert_true(g.known[SM_GPU_CELSIUS]);
    assert_false(sm_smi_parse(sm_text("Field \"x\" is not a valid field to query."), &i, &g));
    assert_false(sm_smi_parse(sm_text(""), &i, &g));
    assert_false(sm_smi_parse(sm_text("64, 1"), &i, &g));
}

static void test_program(void **state)
{
    (void)state;
    struct machine m;
    char script[64];
    write_script(script, "#!/bin/sh\n[ \"$4\" = 1000 ] || exit 1\n"
                         "echo '0, 5, 1024, 2048, 71.50, 34, 1980, 2619, 0x4'\n"
                         "echo '1, 6, 1024, 2048, 71.50, 34, 1980, 2619, 0x0'\nexec sleep 1000\n");
    machine_open(&m, "proc_bare", "", script);
    struct sm_text t = take_until(&m, "gpu1");
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "5.0");
    machine_expect(t, "gpu", "gpu1", "GPUMemoryUtilization", "50.0");
    t = machine_take(&m, 3); /* three intervals are not too old, four are */
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "5.0");
    t = machine_take(&m, 4);
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "");
    machine_close(&m);
    unlink(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_no_library),
        cmocka_unit_test(test_lines_of_smi),
        cmocka_unit_test(test_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
