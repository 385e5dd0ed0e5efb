/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target on all files of the given folders, to test that fixed bugs stay fixed. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    size_t n = 0, cap = 1 << 20;
    uint8_t *data = malloc(cap);
    for (size_t got; data && (got = fread(data + n, 1, cap - n, f)) > 0;) {
        n += got;
        if (n == cap)
            data = realloc(data, cap *= 2);
    }
    fclose(f);
    uint8_t *exact = malloc(n ? n : 1); /* the sanitizer detects reads past its end */
    if (data && exact) {
        memcpy(exact, data, n);
        LLVMFuzzerTestOneInput(exact, n);
    }
    free(exact);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        for (const struct dirent *e; d && (e = readdir(d));) {
            if (e->d_name[0] == '.')
                continue;
            size_t n = strlen(argv[i]) + strlen(e->d_name) + 2;
            char *path = malloc(n);
            snprintf(path, n, "%s/%s", argv[i], e->d_name);
            files += run_file(path);
            free(path);
        }
        if (d)
            closedir(d);
    }
    printf("%s: %d inputs\n", argc > 1 ? argv[1] : "nothing", files);
    return files == 0;
}
