#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a wheel: the program, the hook's library and its Python modules; no setuptools, the same bytes each time.

Usage: wheel.py PROGRAM HOOK.so MODULES VERSION TAG FOLDER    TAG: manylinux_2_28_x86_64; SOURCE_DATE_EPOCH is its time

Format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""
import base64
import hashlib
import os
import sys
import time
import zipfile

SUMMARY = "A terminal debugger for machine-learning training"
EARLIEST = 315532800                     # 1980, the first year of zip


def contents(program, library, modules, version, tag):
    """(name, bytes, mode) of each file but the list of them."""
    def read(path):
        with open(path, "rb") as f:
            return f.read()

    info = f"smdbg_tui-{version}.dist-info"
    here = os.path.dirname(os.path.abspath(__file__))
    files = [(f"smdbg_tui-{version}.data/scripts/smdbg-tui", read(program), 0o755)]
    for folder, _, names in sorted(os.walk(modules)):
        inside = os.path.relpath(folder, modules)
        for name in sorted(n for n in names if n.endswith(".py")):
            files.append((os.path.normpath(os.path.join(inside, name)), read(os.path.join(folder, name)), 0o644))
    files.append(("smdbg/" + os.path.basename(library), read(library), 0o755))
    top = os.path.join(here, "..", "..")
    for name in ("LICENSE", "COPYING"):
        files.append((f"{info}/licenses/{name}", read(os.path.join(top, name)), 0o644))
    metadata = (f"Metadata-Version: 2.4\nName: smdbg-tui\nVersion: {version}\nSummary: {SUMMARY}\nRequires-Python: >=3.8\n"
                "License-Expression: Apache-2.0 AND GPL-3.0-or-later\nLicense-File: LICENSE\nLicense-File: COPYING\n"
                "Description-Content-Type: text/markdown\n\n").encode() + read(os.path.join(top, "README.md"))
    wheel = f"Wheel-Version: 1.0\nGenerator: smdbg-tui\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n"
    files += [(f"{info}/METADATA", metadata, 0o644), (f"{info}/WHEEL", wheel.encode(), 0o644)]
    return files, info


def record(files, info):
    def line(name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}\n"
    return "".join(line(n, d) for n, d, _ in files) + f"{info}/RECORD,,\n"


def main():
    program, library, modules, version, tag, out = sys.argv[1:]
    files, info = contents(program, library, modules, version, tag)
    files.append((f"{info}/RECORD", record(files, info).encode(), 0o644))
    when = time.gmtime(max(EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST))))[:6]
    path = os.path.join(out, f"smdbg_tui-{version}-py3-none-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
    print(path, os.path.getsize(path))


if __name__ == "__main__":
    main()
