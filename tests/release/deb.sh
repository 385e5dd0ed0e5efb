#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Debian packages from the source archive, with tests/release/debian. Usage: deb.sh SOURCE.tar.xz VERSION FOLDER
set -euo pipefail
source=$(realpath "$1") version=$2
mkdir -p "$3"
cd "$3"
rm -rf "smdbg-tui-$version"
cp "$source" "smdbg-tui_$version.orig.tar.xz"
tar -xf "$source"
cd "smdbg-tui-$version"
cp -r tests/release/debian .
sed -i "s/@VERSION@/$version/; s/@DATE@/$(date -u -R -d "@$SOURCE_DATE_EPOCH")/" debian/changelog
dpkg-buildpackage -us -uc -j"$(nproc)" > ../build.log 2>&1 || { tail -30 ../build.log >&2; exit 1; }
cd ..
rm -rf "smdbg-tui-$version"
ls ./*.deb
