#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The libraries of a release, static and position independent, compiled by zig for another libc or machine.
# Usage: libraries.sh TARGET SOURCES PREFIX LIBRARY...    in the order in which they need each other. TARGET: x86_64-linux-musl, aarch64-linux-gnu.2.28, ...
# ZIG says how zig is called. PREFIX/bin/cc, ar and ranlib are its compiler for TARGET. Logs are below PREFIX/build.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
target=$1 sources=$(realpath "$2")
mkdir -p "$3/lib" "$3/include" "$3/bin" "$3/build"
prefix=$(realpath "$3")
machine=${target%%-*} libc=gnu
case $target in *musl*) libc=musl ;; esac
for tool in cc ar ranlib; do
    case $tool in cc) call="cc -target $target" ;; *) call=$tool ;; esac
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$ZIG" "$call" > "$prefix/bin/$tool"
    chmod +x "$prefix/bin/$tool"
done
# The paths of the machine that builds are not kept in the objects: a release is built twice and compared.
export CC=$prefix/bin/cc AR=$prefix/bin/ar RANLIB=$prefix/bin/ranlib
export CFLAGS="-O2 -g0 -fPIC -fno-sanitize=all -fno-asynchronous-unwind-tables -fno-unwind-tables -ffunction-sections -fdata-sections -ffile-prefix-map=$prefix/build=."
HOST=$machine-linux-$libc

# build NAME MADE: runs make_NAME in a copy of the source, unless PREFIX/lib/MADE is there
build() {
    local name=$1 made=$prefix/lib/$2 work=$prefix/build/$1 start=$SECONDS
    [ ! -f "$made" ] || return 0
    rm -rf "$work" && cp -r "$sources/$name" "$work"
    if ! (cd "$work" && "make_${name//[-.]/_}") > "$prefix/build/$name.log" 2>&1 || [ ! -f "$made" ]; then
        tail -20 "$prefix/build/$name.log" >&2
        echo "release: $name was not built for $target, see $prefix/build/$name.log" >&2
        exit 1
    fi
    echo "  $name for $target: $((SECONDS - start)) s"
}
archive() { $CC $CFLAGS "${@:2}" && $AR rcs "$prefix/lib/$1" ./*.o; } # archive LIBRARY -c OPTIONS FILES
make_zlib() { CHOST=$HOST ./configure --static && make -j2 libz.a && cp libz.a "$prefix/lib" && cp zlib.h zconf.h "$prefix/include"; }
make_libpng1_6() {
    cp scripts/pnglibconf.h.prebuilt pnglibconf.h
    rm -f example.c pngtest.c
    archive libpng.a -c -I"$prefix/include" -DPNG_ARM_NEON_OPT=0 png*.c
    cp png.h pngconf.h pnglibconf.h "$prefix/include"
}
small() { CFLAGS="${CFLAGS/-O2/-Os}"; } # where the program spends no time: half a megabyte less
make_sqlite3() {
    small
    mkdir -p native && (cd native && CC=gcc CFLAGS=-O1 ../configure -q --disable-tcl --disable-readline && make sqlite3.c)
    archive libsqlite3.a -c -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_DQS=0 native/sqlite3.c
    cp native/sqlite3.h "$prefix/include"
}
make_libzstd() {
    make -j2 -C lib libzstd.a ZSTD_LEGACY_SUPPORT=0 ZSTD_NO_ASM=1 && cp lib/libzstd.a "$prefix/lib"
    cp lib/zstd.h lib/zstd_errors.h lib/zdict.h "$prefix/include"
}
make_protobuf_c() {
    mkdir -p "$prefix/include/protobuf-c" && cp protobuf-c/protobuf-c.h "$prefix/include/protobuf-c"
    archive libprotobuf-c.a -c -I. protobuf-c/protobuf-c.c
}
make_yajl() {
    mkdir -p "$prefix/include/yajl" && cd src
    sed 's/\${YAJL_MAJOR}/2/; s/\${YAJL_MINOR}/1/; s/\${YAJL_MICRO}/0/' api/yajl_version.h.cmake > api/yajl_version.h
    cp api/*.h "$prefix/include/yajl"
    archive libyajl.a -c -I"$prefix/include" -DNDEBUG ./*.c
}
make_libyaml() {
    cp include/yaml.h "$prefix/include" && cd src
    archive libyaml.a -c -I../include -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 \
        '-DYAML_VERSION_STRING="0.2.5"' ./*.c
}
make_pcre2() {
    ./configure -q --host="$HOST" --disable-shared --enable-jit=no --enable-unicode --disable-dependency-tracking
    make -j2 libpcre2-8.la && cp .libs/libpcre2-8.a "$prefix/lib" && cp src/pcre2.h "$prefix/include"
}
# The usual terminals are built in: a bare machine has no descriptions of them. tic and infocmp of the builder make them.
TERMINALS=xterm-256color,xterm,screen-256color,screen,tmux-256color,tmux,linux,vt100,vt220,rxvt-unicode-256color,alacritty,ansi,dumb
make_ncurses() {
    small
    ./configure -q --host="$HOST" --build=x86_64-linux-gnu --with-build-cc=gcc --without-shared --without-debug --without-ada \
        --without-cxx --without-cxx-binding --without-manpages --without-tests --without-progs --enable-widec --with-termlib=tinfo \
        --enable-ext-colors --disable-stripping --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo \
        --with-default-terminfo-dir=/usr/share/terminfo --with-fallbacks=$TERMINALS --with-tic-path=/usr/bin/tic \
        --with-infocmp-path=/usr/bin/infocmp
    make -j2 libs && make install.libs install.includes DESTDIR="$PWD/out"
    cp out/usr/lib/*.a "$prefix/lib" && cp -rL out/usr/include/* "$prefix/include"
    [ ! -d "$prefix/include/ncursesw" ] || cp "$prefix/include/ncursesw/"*.h "$prefix/include"
}
make_readline() {
    small
    CPPFLAGS="-I$prefix/include" bash_cv_termcap_lib=libtinfo ./configure -q --host="$HOST" --disable-shared --enable-static --with-curses
    make -j2 static && mkdir -p "$prefix/include/readline" && cp ./*.h "$prefix/include/readline" && cp libreadline.a "$prefix/lib"
}
# For musl it would read /dev/urandom, which a bare folder has not; __midipix__ makes it ask the kernel as with glibc.
# Of TLS what a client of today needs: 1.2, without ciphers that are broken or that nobody chooses, and without its own tests.
MBEDTLS_WITHOUT="SELF_TEST DEBUG_C CERTS_C VERSION_FEATURES SSL_SRV_C SSL_COOKIE_C SSL_CACHE_C SSL_TICKET_C SSL_CONTEXT_SERIALIZATION
    SSL_PROTO_DTLS SSL_DTLS_ANTI_REPLAY SSL_DTLS_HELLO_VERIFY SSL_DTLS_CLIENT_PORT_REUSE SSL_DTLS_BADMAC_LIMIT SSL_PROTO_TLS1
    SSL_PROTO_TLS1_1 SSL_CBC_RECORD_SPLITTING SSL_TRUNCATED_HMAC CAMELLIA_C BLOWFISH_C ARC4_C DES_C XTEA_C RIPEMD160_C PKCS5_C PKCS12_C
    KEY_EXCHANGE_PSK_ENABLED KEY_EXCHANGE_DHE_PSK_ENABLED KEY_EXCHANGE_ECDHE_PSK_ENABLED KEY_EXCHANGE_RSA_PSK_ENABLED ECDSA_DETERMINISTIC
    HMAC_DRBG_C GENPRIME CIPHER_MODE_CFB CIPHER_MODE_CTR CIPHER_MODE_OFB CIPHER_MODE_XTS"
make_mbedtls() {
    small
    patch -p1 < "$here/mbedtls_ip.patch"
    # shellcheck disable=SC2086
    sed -i -E "s,^#define MBEDTLS_($(printf '%s|' $MBEDTLS_WITHOUT)none)\$,// &," include/mbedtls/config.h
    make -j2 -C library CC="$CC" AR="$AR" CFLAGS="$CFLAGS -w -D__midipix__" static
    cp library/*.a "$prefix/lib" && cp -r include/mbedtls include/psa "$prefix/include"
}
# musl's malloc is slow with many threads and small blocks; linked first, this one takes its place. It replaces aligned_alloc
# only where glibc's header says that there is one.
make_mimalloc() { $CC $CFLAGS -w -DMI_MALLOC_OVERRIDE -D__USE_ISOC11=1 -DNDEBUG -Iinclude -c src/static.c -o "$prefix/lib/mimalloc.o"; }
# HTTP and HTTPS only, for s3://
make_curl() {
    small
    local off= p
    for p in ftp file ldap ldaps rtsp dict telnet tftp pop3 imap smb smtp gopher mqtt manual ntlm alt-svc hsts unix-sockets \
        cookies doh mime netrc dnsshuffle get-easy-options progress-meter websockets libcurl-option dependency-tracking shared; do off="$off --disable-$p"; done
    for p in libpsl libidn2 librtmp libssh2 brotli zstd nghttp2 zlib ca-bundle ca-path; do off="$off --without-$p"; done
    # shellcheck disable=SC2086
    ./configure -q --host="$HOST" --enable-static --with-mbedtls="$prefix" $off
    make -j2 -C lib && cp lib/.libs/libcurl.a "$prefix/lib" && cp -r include/curl "$prefix/include"
}
make_expat() {
    small
    cd expat/lib && touch expat_config.h && cp expat.h expat_external.h "$prefix/include"
    archive libexpat.a -c -I. -DXML_NS -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234 -DHAVE_GETRANDOM xml*.c
}
declare -A MADE=([zlib]=libz.a [libpng1.6]=libpng.a [sqlite3]=libsqlite3.a [libzstd]=libzstd.a [protobuf-c]=libprotobuf-c.a
    [yajl]=libyajl.a [libyaml]=libyaml.a [pcre2]=libpcre2-8.a [ncurses]=libncursesw.a [readline]=libreadline.a [mimalloc]=mimalloc.o
    [mbedtls]=libmbedtls.a [curl]=libcurl.a [expat]=libexpat.a)
for name in "${@:4}"; do build "$name" "${MADE[$name]}"; done
