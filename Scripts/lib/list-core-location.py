"""Lists the declarations of the stand-in of Core Location, each with the platforms that have it.

  list-core-location.py FOLDER     FOLDER/i, m, w, t and v hold the symbol graphs of the five platforms
"""
import json
import os
import sys

# A declaration's own words; attributes that the compiler adds say nothing about Apple's.
DROPPED = ("@objc ", "nonisolated ", "open ", "public ", "override ", "convenience ")


def declaration(symbol):
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    text = " ".join(text.split())
    while True:
        for word in DROPPED:
            if text.startswith(word):
                text = text[len(word):]
                break
        else:
            break
    return text.replace(" nonisolated ", " ")


def listing(folder):
    found = {}
    for platform in "imwtv":
        path = os.path.join(folder, platform, "CoreLocation.symbols.json")
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        synthesized = {symbol["identifier"]["precise"] for symbol in graph["symbols"]
                       if "::SYNTHESIZED::" in symbol["identifier"]["precise"]}
        for symbol in graph["symbols"]:
            if symbol["identifier"]["precise"] in synthesized:
                continue
            parts = symbol["pathComponents"]
            owner = ".".join(parts[:-1])
            line = f"{owner}: {declaration(symbol)}" if owner else declaration(symbol)
            found.setdefault(line, set()).add(platform)
    for line in sorted(found):
        letters = "".join(p if p in found[line] else "-" for p in "imwtv")
        print(f"{letters}  {line}")


listing(sys.argv[1])
