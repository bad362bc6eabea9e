"""Prints the declarations of symbol graphs, a line each: the path, a tab, and the declaration.

usage: list-api.py GRAPH.json…   a graph that is not there is passed over
"""
import json
import os
import sys

lines = set()
for path in sys.argv[1:]:
    if not os.path.exists(path):
        continue
    with open(path) as file:
        graph = json.load(file)
    for symbol in graph["symbols"]:
        if symbol["accessLevel"] not in ("public", "open") or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
            continue
        declaration = "".join(fragment["spelling"] for fragment in symbol.get("declarationFragments", []))
        lines.add(".".join(symbol["pathComponents"]) + "\t" + " ".join(declaration.split()))
print("\n".join(sorted(lines)))
