/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: opens a file of 1,000 tensors and a model of 720 tensors in 30 shards, by the
 * program, and takes off the time for a file of one tensor; computes the statistics of all values
 * of two of 5 GiB each, compares the two, and computes the statistics of one tensor of 5 GiB. Those
 * files are sparse; two of 256 MiB differ in each element. Floor of the latter: reading the same
 * bytes once. Memory is that of the whole program. */
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 5, SMALL = 1000, SHARDS = 30, LAYERS = 80, LARGE = 40 };
enum { LARGE_BYTES = 128 << 20, APART_BYTES = 256 << 20 };

static char root[400];

static const char *below(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

/* A file of n tensors of bfloat16, numbered from `first`, without elements on the disk. */
static bool write_file(const char *name, int first, int n, unsigned rows, unsigned columns)
{
    size_t room = (size_t)n * 160 + 16, at = 0;
    unsigned long long bytes = 2ull * rows * columns;
    char *header = malloc(room);
    for (int i = 0; header && i < n; i++)
        at += (size_t)snprintf(
            header + at, room - at,
            "%s\"model.layers.%d.%d.weight\":{\"dtype\":\"BF16\",\"shape\":[%u,%u],"
            "\"data_offsets\":[%llu,%llu]}",
            i ? "," : "{", (first + i) / 9, (first + i) % 9, rows, columns, bytes * (unsigned)i,
            bytes * (unsigned)(i + 1));
    FILE *f = header ? fopen(below(name), "wb") : NULL;
    uint64_t length = at + 1;
    bool ok = f && fwrite(&length, 1, 8, f) == 8 && fwrite(header, 1, at, f) == at &&
              fputc('}', f) != EOF && fflush(f) == 0 &&
              ftruncate(fileno(f), (off_t)(8 + length + bytes * (unsigned)n)) == 0;
    if (f)
        fclose(f);
    free(header);
    return ok;
}

static bool write_shards(void)
{
    char name[64];
    bool ok = mkdir(below("shards"), 0700) == 0;
    FILE *index = ok ? fopen(below("shards/model.safetensors.index.json"), "w") : NULL;
    ok = index && fputs("{\"weight_map\":{", index) >= 0;
    for (int i = 0; ok && i < SHARDS; i++) {
        snprintf(name, sizeof name, "shards/model-%05d-of-%05d.safetensors", i + 1, SHARDS);
        ok = write_file(name, i * LAYERS * 9 / SHARDS, LAYERS * 9 / SHARDS, 8192, 8192);
        fprintf(index, "%s\"%d\":\"%s\"", i ? "," : "", i, name + strlen("shards/"));
    }
    return index && fputs("}}", index) >= 0 && fclose(index) == 0 && ok;
}

/* Writes the elements of a file of APART_BYTES: numbers between 1 and 2, whose last bit is changed
 * if `flip` is 1. */
static bool write_elements(const char *name, unsigned flip)
{
    static uint16_t row[8192];
    FILE *f = fopen(below(name), "r+b");
    uint64_t length = 0;
    uint32_t x = 1;
    bool ok = f && fread(&length, 1, 8, f) == 8 && fseek(f, (long)(8 + length), SEEK_SET) == 0;
    for (size_t i = 0; ok && i < APART_BYTES / sizeof row; i++) {
        for (size_t k = 0; k < 8192; k++) {
            x = x * 1664525 + 1013904223;
            row[k] = (uint16_t)((0x3f80 | x >> 25) ^ flip);
        }
        ok = fwrite(row, sizeof row, 1, f) == 1;
    }
    return f && fclose(f) == 0 && ok;
}

/* Two checkpoints, of which no element is the same. */
static bool write_apart(void)
{
    unsigned rows = APART_BYTES / 16 / 8192;
    return mkdir(below("apart"), 0700) == 0 && mkdir(below("apart/step_1"), 0700) == 0 &&
           mkdir(below("apart/step_2"), 0700) == 0 &&
           write_file("apart/step_1/model.safetensors", 0, 16, rows, 4096) &&
           write_file("apart/step_2/model.safetensors", 0, 16, rows, 4096) &&
           write_elements("apart/step_1/model.safetensors", 0) &&
           write_elements("apart/step_2/model.safetensors", 1);
}

static bool write_all(void)
{
    return mkdir(below("one"), 0700) == 0 && write_file("one/model.safetensors", 0, 1, 64, 64) &&
           mkdir(below("small"), 0700) == 0 &&
           write_file("small/model.safetensors", 0, SMALL, 64, 64) && write_shards() &&
           mkdir(below("large"), 0700) == 0 && mkdir(below("large/step_1"), 0700) == 0 &&
           mkdir(below("large/step_2"), 0700) == 0 &&
           write_file("large/step_1/model.safetensors", 0, LARGE, 4096, LARGE_BYTES / 8192) &&
           write_file("large/step_2/model.safetensors", 0, LARGE, 4096, LARGE_BYTES / 8192) &&
           mkdir(below("whole"), 0700) == 0 &&
           write_file("whole/model.safetensors", 0, 1, 4096, LARGE * (LARGE_BYTES / 8192)) &&
           write_apart();
}

static bool read_once(const char *name)
{
    static char bytes[1 << 20];
    int fd = open(below(name), O_RDONLY);
    ssize_t n = 1;
    while (fd >= 0 && n > 0)
        n = read(fd, bytes, sizeof bytes);
    close(fd);
    return n == 0;
}

/* Milliseconds of a command; the memory of the largest one in *mib. */
static double time_of(const char *command, const char *folder, double *mib, bool *ok)
{
    struct rusage use = {0};
    double start = sm_bench_now();
    *ok = sm_bench_run_program(command, below(folder), &use) && *ok;
    double ms = (sm_bench_now() - start) * 1e3;
    if (mib && (double)use.ru_maxrss / 1024 > *mib)
        *mib = (double)use.ru_maxrss / 1024;
    return ms;
}

static void report(const char *name, double *x, double *floors, double bar)
{
    sm_bench_report(&(struct sm_bench_figure){
        name, sm_bench_median(x, ROUNDS), floors ? sm_bench_median(floors, ROUNDS) : 0,
        floors ? SM_BENCH_RATIO_AT_MOST : SM_BENCH_VALUE_AT_MOST, bar});
}

static void remove_all(void)
{
    char command[500];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    if (system(command) != 0)
        fprintf(stderr, "%s stays\n", root);
}

int main(void)
{
    double small[ROUNDS], shards[ROUNDS], stats[ROUNDS], diffs[ROUNDS], whole[ROUNDS],
        floors[ROUNDS], halves[ROUNDS], apart[ROUNDS], apart_floors[ROUNDS], mib = 0;
    snprintf(root, sizeof root, "%s/checkpoints", sm_bench_path("SCRATCH"));
    bool ok = mkdir(root, 0700) == 0 && write_all();
    for (int i = 0; ok && i < ROUNDS; i++) {
        double one = time_of("info trial", "one", NULL, &ok);
        small[i] = time_of("info trial", "small", NULL, &ok) - one;
        shards[i] = time_of("info trial", "shards", NULL, &ok) - one;
        double start = sm_bench_now();
        ok = read_once("large/step_1/model.safetensors") &&
             read_once("large/step_2/model.safetensors") && ok;
        floors[i] = (sm_bench_now() - start) * 1e3;
        halves[i] = floors[i] / 2;
        stats[i] = time_of("tensors -stats", "large", &mib, &ok);
        diffs[i] = time_of("diff @1 @2", "large", &mib, &ok);
        apart[i] = time_of("diff @1 @2", "apart", &mib, &ok);
        start = sm_bench_now();
        ok = read_once("apart/step_1/model.safetensors") &&
             read_once("apart/step_2/model.safetensors") && ok;
        apart_floors[i] = (sm_bench_now() - start) * 1e3;
        whole[i] = time_of("tensors -stats", "whole", &mib, &ok);
    }
    if (ok) {
        report("ckpt_open_1000_ms", small, NULL, 10);
        report("ckpt_open_30_shards_ms", shards, NULL, 50);
        report("ckpt_stats_10gib_ms", stats, floors, 2);
        report("ckpt_diff_10gib_ms", diffs, floors, 2);
        report("ckpt_diff_apart_512mib_ms", apart, apart_floors, 6);
        report("ckpt_stats_one_tensor_5gib_ms", whole, halves, 4);
        sm_bench_report(
            &(struct sm_bench_figure){"ckpt_memory_mib", mib, 0, SM_BENCH_VALUE_AT_MOST, 256});
    }
    remove_all();
    return ok ? 0 : 1;
}
