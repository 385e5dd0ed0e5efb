#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rooms of the program against the table in doc/architecture.md.

Usage: tests/rooms.py includes BUILD        the #include lines, the folders, their headers, and references between the
                                            objects under BUILD/obj, as nm shows them; and who uses the network
       tests/rooms.py names [LIBRARY...]    functions, types, header guards and file names that exist twice

The table lists the rooms, lowest first. A room may include and call itself and the rooms before it, so neither
includes nor calls can form a cycle. Status 1 if something is wrong; exceptions in KNOWN are printed and do not count,
but one that is no longer needed does.
"""
import collections
import os
import re
import subprocess
import sys

TOP = ("reader", "plot", "rules", "commands", "tui")
MOST_FILES = 36  # .c files in a room
MOST_IN_CYCLE = 12  # .c files that all use one another, also in a round-about way
# Layers that do not see each other, although one is before the other in the table.
APART = {"reader": ("plot",), "rules": ("plot",)}
ONLY_TUI = re.compile(r"n?curses|readline")
# What opens connections or waits for them, and the one room that does (doc/promises.md).
NETWORK = re.compile(r"curl_\w+|socket|connect|bind|listen|accept4?|getaddrinfo|gethostby\w+|res_\w+")
ONLINE = "reader/s3"
# (room, room that it may not use), until they are gone
KNOWN = set()
# rooms that do not have their header yet
KNOWN_HEADERS = set()

problems = []
known = collections.Counter()


def problem(text):
    problems.append(text)


def rooms_of_doc():
    """{room: header} in the order of the table in doc/architecture.md."""
    rooms = {}
    with open("doc/architecture.md", encoding="utf-8") as file:
        for line in file:
            row = re.match(r"\| `([a-z0-9_/]+)/` \|.*\| `([a-z0-9_]+\.[ch])` \|$", line)
            if row:
                rooms[row.group(1)] = row.group(2)
    if not rooms:
        sys.exit("rooms: doc/architecture.md has no table of rooms")
    return rooms


def files(*endings):
    for top in TOP:
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if name.endswith(endings):
                    yield folder, os.path.join(folder, name)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def layer(room):
    return room.split("/")[0]


def wrong_way(order, user, used):
    """May this room use that one? Rooms that are not in the table are reported elsewhere."""
    if user == used or user not in order or used not in order:
        return False
    return order[used] > order[user] or layer(used) in APART.get(layer(user), ())


def report(user, used, text):
    if (user, used) in KNOWN:
        known[f"{user} uses {used}"] += 1
    else:
        problem(text)


def check_folders(rooms):
    count = collections.Counter(room for room, _ in files(".c"))
    for room, number in count.items():
        if room not in rooms:
            problem(f"{room}/: not in the table of doc/architecture.md")
        if number > MOST_FILES:
            problem(f"{room}/: {number} .c files, at most {MOST_FILES}")
    for room, header in rooms.items():
        path = os.path.join(room, header)
        if os.path.exists(path) and text_of(path).startswith("/*"):
            continue
        if room in KNOWN_HEADERS:
            known[f"{path} is not there yet"] += 1
        else:
            problem(f"{path}: the room's header does not exist or does not begin with a comment")


def check_includes(rooms):
    order = {room: place for place, room in enumerate(rooms)}
    for room, path in files(".c", ".h"):
        for number, line in enumerate(text_of(path).splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*["<]([^">]+)', line)
            if not include:
                continue
            used = os.path.dirname(include.group(1))
            text = f"{path}:{number}: {room} may not include {include.group(1)}"
            if wrong_way(order, room, used):
                report(room, used, text)
            elif layer(used) in TOP and used not in order:
                problem(f"{path}:{number}: {include.group(1)} is in no room of doc/architecture.md")
            elif layer(room) != "tui" and ONLY_TUI.match(include.group(1)):
                problem(text)


def symbols_of(objects):
    """(symbol -> the object that defines it, object -> the symbols that it uses)"""
    defined, used = {}, collections.defaultdict(set)
    out = subprocess.run(["nm", "-A", *objects], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    for line in out.splitlines():
        path, _, rest = line.partition(":")
        kind, name = rest.split()[-2:]
        if kind == "U":
            used[path].add(name)
        elif kind in "TDBRV":
            defined[name] = path
    return defined, used


def cycles(edges):
    """The groups of nodes that can be reached from one another (Tarjan's algorithm). edges: node -> nodes"""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    sys.setrecursionlimit(10000)
    for node in list(edges):
        if node not in number:
            visit(node)
    return found


def check_cycles(defined, used):
    edges = {path: {defined[name] for name in names if name in defined} - {path} for path, names in used.items()}
    for group in cycles(edges):
        if len(group) > MOST_IN_CYCLE:
            problem(f"{len(group)} files use one another, at most {MOST_IN_CYCLE}: {' '.join(sorted(group))}")


def check_calls(rooms, build):
    order = {room: place for place, room in enumerate(rooms)}
    room_of = {f"{build}/obj/{path[:-2]}.o": room for room, path in files(".c")}
    missing = [path for path in room_of if not os.path.exists(path)]
    if missing:
        sys.exit(f"rooms: {missing[0]} is not built")
    defined, used = symbols_of(sorted(room_of))
    for path in sorted(used):
        for symbol in sorted(used[path]):
            target = defined.get(symbol)
            if target and wrong_way(order, room_of[path], room_of[target]):
                source, to = (p[len(build) + 5:-2] + ".c" for p in (path, target))
                report(room_of[path], room_of[target], f"{source}: may not use {symbol} of {to}")
            elif NETWORK.fullmatch(symbol) and room_of[path] != ONLINE:
                problem(f"{path[len(build) + 5:-2]}.c: may not use {symbol}: only {ONLINE}/ uses the network")
    check_cycles(defined, used)


def twice(what, places):
    """places: name -> the files that have it"""
    for name, where in sorted(places.items()):
        if len(where) > 1:
            problem(f"{what} {name} is in {' and '.join(sorted(where))}")


def check_names(libraries):
    names, guards, types, functions = (collections.defaultdict(list) for _ in range(4))
    for _, path in files(".c", ".h"):
        text = text_of(path)
        names[os.path.basename(path)].append(path)
        guard = re.search(r"^#ifndef\s+(\w+)\s*\n#define\s+\1\b", text, re.M)
        if guard and path.endswith(".h"):
            guards[guard.group(1)].append(path)
        elif path.endswith(".h") and "#ifndef" in text:
            problem(f"{path}: no header guard")
        for kind in set(re.findall(r"^(?:typedef\s+)?((?:struct|enum|union)\s+sm_\w+)\s*\{", text, re.M)):
            types[kind.split()[1]].append(path)
    if libraries:
        out = subprocess.run(["nm", "-A", "--defined-only", *libraries], stdout=subprocess.PIPE, check=True,
                             encoding="utf-8").stdout
        for line in out.splitlines():
            where, _, rest = line.rpartition(":")
            words = rest.split()
            if len(words) == 3 and words[1] in "TDBR":
                functions[words[2]].append(where.split("/")[-1])
    twice("the file name", names)
    twice("the header guard", guards)
    twice("the type", types)
    twice("the symbol", functions)


def check_known(headers):
    for user, used in KNOWN:
        if f"{user} uses {used}" not in known:
            problem(f"{user} no longer uses {used}: remove the pair from KNOWN in tests/rooms.py")
    for room in KNOWN_HEADERS:
        if os.path.exists(os.path.join(room, headers[room])):
            problem(f"{room} has its header: remove it from KNOWN_HEADERS in tests/rooms.py")


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    what, arguments = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if what == "includes" and len(arguments) == 1:
        rooms = rooms_of_doc()
        check_folders(rooms)
        check_includes(rooms)
        check_calls(rooms, arguments[0])
        check_known(rooms)
        good = "includes: every room includes and calls only the rooms before it"
    elif what == "names":
        check_names(arguments)
        good = "symbols: no name is defined twice"
    else:
        sys.exit(__doc__)
    for text, number in sorted(known.items()):
        print(f"known: {text} ({number})")
    for text in problems:
        print(text)
    if not problems:
        print(good)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
