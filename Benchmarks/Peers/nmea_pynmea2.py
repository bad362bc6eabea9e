#!/usr/bin/env python3
"""Decodes a file of NMEA 0183 with pynmea2, every checksum verified, and prints how long that takes.

usage: nmea_pynmea2.py FILE [RUNS]
"""
import sys
import time
from importlib.metadata import version

import pynmea2


def decode(lines):
    count = 0
    total = 0.0
    for line in lines:
        try:
            message = pynmea2.parse(line, check=True)
        except pynmea2.ParseError:
            continue  # A damaged sentence; the work of finding that out is done.
        count += 1
        if hasattr(message, "lat") and message.lat:
            total += message.latitude + message.longitude
    return count, total


def main():
    path = sys.argv[1]
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with open(path, "rb") as file:
        data = file.read()
    lines = data.decode("latin-1").split("\r\n")
    lines = [line for line in lines if line]
    for _ in range(runs):
        began = time.perf_counter()
        count, total = decode(lines)
        elapsed = time.perf_counter() - began
        print(
            f"pynmea2 {version('pynmea2')}  sentences {count} sum {total:.3f}  {elapsed:.4f} s"
            f"  {count / elapsed:.0f} sentences/s  {len(data) / elapsed / 1e6:.1f} MB/s"
            f"  {elapsed * 1e9 / count:.1f} ns/sentence"
        )


main()
