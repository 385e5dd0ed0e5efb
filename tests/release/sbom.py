#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what the static program and the wheel contain, as SPDX 2.3 JSON.

Usage: sbom.py VERSION VERSIONS    VERSIONS: lines "LIBRARY VERSION" of Debian's sources (sources.sh) and of zig's; SOURCE_DATE_EPOCH

Format: https://spdx.github.io/spdx-spec/v2.3/
"""
import datetime
import json
import os
import sys
from urllib.parse import quote

LICENCES = {
    "zlib": "Zlib", "libpng1.6": "libpng-2.0", "sqlite3": "blessing", "libzstd": "BSD-3-Clause", "protobuf-c": "BSD-2-Clause",
    "yajl": "ISC", "libyaml": "MIT", "pcre2": "BSD-3-Clause", "ncurses": "X11-distribute-modifications-variant",
    "readline": "GPL-3.0-or-later", "mimalloc": "MIT", "curl": "curl", "mbedtls": "Apache-2.0", "expat": "MIT", "musl": "MIT", "compiler-rt": "MIT",
}
HOOK = ("libzstd", "protobuf-c", "yajl", "pcre2", "compiler-rt")
OF_ZIG = ("musl", "compiler-rt")


def package(name, version, licence, where):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "downloadLocation": where,
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def relation(a, kind, b):
    return {"spdxElementId": f"SPDXRef-{a}", "relationshipType": kind, "relatedSpdxElement": f"SPDXRef-{b}"}


def main():
    version, versions = sys.argv[1], sys.argv[2]
    with open(versions, encoding="utf-8") as f:
        libraries = [line.split() for line in f]
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    packages = [package("smdbg-tui", version, "GPL-3.0-or-later", "NOASSERTION"),
                package("libsmdbg-hook", version, "Apache-2.0", "NOASSERTION")]
    relations = [relation("DOCUMENT", "DESCRIBES", "smdbg-tui"), relation("DOCUMENT", "DESCRIBES", "libsmdbg-hook")]
    for name, of in libraries:
        entry = package(name, of, LICENCES[name], "https://ziglang.org/download/" if name in OF_ZIG else f"https://tracker.debian.org/pkg/{name}")
        if name not in OF_ZIG:
            entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                      "referenceLocator": f"pkg:deb/debian/{quote(name)}@{quote(of)}?arch=source"}]
        packages.append(entry)
        relations.append(relation("smdbg-tui", "STATIC_LINK", name))
        if name in HOOK:
            relations.append(relation("libsmdbg-hook", "STATIC_LINK", name))
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"smdbg-tui-{version}",
               "documentNamespace": f"https://spdx.org/spdxdocs/smdbg-tui-{version}",
               "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: The smdbg-tui authors"]},
               "packages": packages, "relationships": relations}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
