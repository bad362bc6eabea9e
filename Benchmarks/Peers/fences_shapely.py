# Which circles contain a position, by shapely's STRtree of their boxes, asked for all positions at once; as FenceBench has them.
#
# usage: fences_shapely.py FENCES UPDATES MOST

import sys
import time

import numpy
import shapely

words = numpy.fromfile(sys.argv[1], dtype="f8")
circles = words[2:].reshape(-1, 3)
updates = numpy.fromfile(sys.argv[2], dtype="f8")[2:].reshape(-1, 3)[: int(sys.argv[3])]
began = time.process_time()
up = circles[:, 2] / 111195.08 * 1.000001
aside = up / numpy.cos(numpy.radians(numpy.abs(circles[:, 0]) + up))
tree = shapely.STRtree(
    shapely.box(circles[:, 1] - aside, circles[:, 0] - up, circles[:, 1] + aside, circles[:, 0] + up)
)
built = time.process_time()
at, key = tree.query(shapely.points(updates[:, 2], updates[:, 1]))
a, b = numpy.radians(updates[at, 1:]), numpy.radians(circles[key, :2])
h = numpy.sin((b[:, 0] - a[:, 0]) / 2) ** 2
h += numpy.cos(a[:, 0]) * numpy.cos(b[:, 0]) * numpy.sin((b[:, 1] - a[:, 1]) / 2) ** 2
inside = 2 * 6371008.8 * numpy.arcsin(numpy.sqrt(h)) <= circles[key, 2]
done = time.process_time()
print(
    f"shapely {shapely.__version__}, all at once, without counting: build {built - began:.3f} s,",
    f"{(done - built) / len(updates) * 1e9:.0f} ns an update, {inside.sum()} inside",
)
