/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs of NVIDIA in a program that is linked statically: nothing is loaded, nvidia-smi is asked.
 * The Makefile links nvml.c as it is compiled for such a program. */
#include "reader/sampler/nvml.h"
#include "tests/reader/nvidia_places.h"

static void no_library_is_loaded(void **state)
{
    (void)state;
    assert_null(sm_nvml_open(NULL));
    char path[512];
    library_path(path);
    assert_int_equal(access(path, F_OK), 0);
    assert_null(sm_nvml_open(path));
    sm_nvml_close(NULL);
}

/* A library is named, and there is one; the figures are those of the program. */
static void the_program_is_asked(void **state)
{
    (void)state;
    struct machine m;
    char script[64];
    write_script(script, "#!/bin/sh\necho '0, 7, 512, 2048, 65.00, 41, 1980, 2619, 0x0'\n"
                         "exec sleep 1000\n");
    char path[512];
    library_path(path);
    machine_open(&m, "proc_bare", path, script);
    struct sm_text t = take_until(&m, "gpu0");
    machine_expect(t, "gpu", "gpu0", "GPUUtilization", "7.0");
    machine_expect(t, "gpu", "gpu0", "GPUMemoryUtilization", "25.0");
    machine_expect(t, "gpu", "gpu0", "PowerWatts", "65.0");
    machine_close(&m);
    unlink(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_library_is_loaded),
        cmocka_unit_test(the_program_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
