#!/usr/bin/env python3
"""Sums the steps of a GPX file's track with gpxpy, and prints the processor time that takes; reading the file is not timed.

usage: length_gpxpy.py FILE [RUNS]
"""
import statistics
import sys
import time
from importlib.metadata import version

import gpxpy


def main():
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with open(sys.argv[1]) as file:
        track = gpxpy.parse(file)
    count = track.get_points_no()
    times = []
    for _ in range(runs):
        began = time.process_time()
        length = track.length_2d()
        times.append((time.process_time() - began) * 1e9 / count)
    print(f"  gpxpy {version('gpxpy')} length_2d, a point: {statistics.median(times):.0f} ns ({count} points, {length:.0f} m)")


main()
