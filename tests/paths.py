# SPDX-License-Identifier: Apache-2.0
"""Checks that every file of the project that a document names exists. Usage: tests/paths.py DOCUMENT..."""

import os
import re
import sys

missing = []
for document in sys.argv[1:]:
    with open(document, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for path in re.findall(r"`((?:tests|reader|rules|commands|plot|tui|screenshots)/[\w./-]*\w)`", line):
                if not os.path.exists(path):
                    missing.append(f"{document}:{number}: {path} does not exist")
print("\n".join(missing), end="\n" if missing else "")
sys.exit(bool(missing))
