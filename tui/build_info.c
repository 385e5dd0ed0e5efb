/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/build_info.h"

#include "commands/session/version.h"
#include "reader/s3/source_s3.h"

#include <curses.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <png.h>
#include <protobuf-c/protobuf-c.h>
#include <readline/readline.h>
#include <sqlite3.h>
#include <stdio.h>
#include <yajl/yajl_version.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

static void put_libc(struct sm_str *out)
{
#ifdef __GLIBC__
    sm_str_printf(out, "glibc %s", gnu_get_libc_version());
#else
    sm_str_add(out, "musl");
#endif
}

static void put_yajl(struct sm_str *out)
{
    int v = yajl_version();
    sm_str_printf(out, "yajl %d.%d.%d", v / 10000, v / 100 % 100, v % 100);
}

void sm_build_info(struct sm_str *out)
{
    const char *s3 = sm_s3_libraries();
    sm_str_add(out, "smdbg-tui " SMDBG_VERSION "\nbuilt with ");
#ifdef __clang__
    sm_str_printf(out, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    sm_str_add(out, "gcc " __VERSION__);
#endif
    sm_str_add(out, ", ");
    put_libc(out);
    sm_str_printf(out, "; %s, readline %s, zstd %s, protobuf-c %s, ", curses_version(),
                  rl_library_version, ZSTD_versionString(), protobuf_c_version());
    put_yajl(out);
    sm_str_printf(out, ", libyaml %s, pcre2 %d.%d, sqlite %s, libpng %s, zlib %s",
                  yaml_get_version_string(), PCRE2_MAJOR, PCRE2_MINOR, sqlite3_libversion(),
                  png_get_libpng_ver(NULL), zlibVersion());
    sm_str_printf(out, "%s %s\n", s3 ? "," : "; without", s3 ? s3 : "s3://");
    sm_str_add(out, "License: the project's files Apache-2.0; this program, which links GNU "
                    "readline, GPL-3.0-or-later.\nThis is free software; there is NO WARRANTY, to "
                    "the extent permitted by law.\n");
}
