// Enters and exits by libraries of C++, on the worlds that FenceBench makes.
//
// usage: fences ENGINE FENCES UPDATES [RUNS [MOST]]   ENGINE is boost, geos or s2
//
// Prints engine, seconds to build, bytes a fence, nanoseconds an update, enters, exits; as FenceBench does, in processor time. Circles are
// tested by haversine (s2: by its cap), polygons by each library's own predicate: planar in degrees for boost and geos, great
// circles for s2. Each index has bounding boxes, or what its library recommends; queries go the fastest way the library has.
//
// Debian: libboost-dev libgeos-dev libs2-dev; g++ -O3 -std=c++17 fences.cpp -lgeos_c -ls2 -labsl_... (see Benchmarks/run)

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#ifdef WITH_BOOST
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/polygon.hpp>
#include <boost/geometry/index/rtree.hpp>
#endif
#ifdef WITH_GEOS
#include <geos_c.h>
#endif
#ifdef WITH_S2
#include <s2/mutable_s2shape_index.h>
#include <s2/s2cap.h>
#include <s2/s2cell_index.h>
#include <s2/s2contains_point_query.h>
#include <s2/s2latlng.h>
#include <s2/s2lax_polygon_shape.h>
#include <s2/s2region_coverer.h>
#endif

using Keys = std::vector<uint32_t>;

static const double degree = M_PI / 180, radius_of_earth = 6371008.8;

struct Place { double latitude, longitude; };
struct Circle { Place center; double radius; };
struct Update { uint64_t device; Place place; };

struct World {
  std::vector<Circle> circles;
  std::vector<std::vector<Place>> polygons;
  std::vector<Update> updates;
  uint64_t devices = 0;
  size_t count() const { return circles.empty() ? polygons.size() : circles.size(); }
  bool round() const { return !circles.empty(); }
};
static World world;

static std::vector<uint64_t> words(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END);
  std::vector<uint64_t> all(ftell(file) / 8);
  rewind(file);
  if (fread(all.data(), 8, all.size(), file) != all.size()) exit(1);
  fclose(file);
  return all;
}
static double number(uint64_t word) { double d; memcpy(&d, &word, 8); return d; }

static void load(const char *fences, const char *updates, size_t most) {
  auto w = words(fences);
  size_t count = w[1];
  if (w[0] == 0) {
    for (size_t i = 0; i < count; i++)
      world.circles.push_back({{number(w[2 + 3 * i]), number(w[3 + 3 * i])}, number(w[4 + 3 * i])});
  } else {
    size_t at = 3 + count;
    for (size_t i = 0; i < count; i++) {
      std::vector<Place> ring;
      for (size_t k = 0; k < w[3 + i]; k++, at += 2) ring.push_back({number(w[at]), number(w[at + 1])});
      world.polygons.push_back(ring);
    }
  }
  w = words(updates);
  world.devices = w[0];
  for (size_t i = 0; i < std::min<size_t>(w[1], most); i++)
    world.updates.push_back({w[2 + 3 * i], {number(w[3 + 3 * i]), number(w[4 + 3 * i])}});
}

static double haversine(Place a, Place b) {
  double s = sin((b.latitude - a.latitude) * (degree / 2)), t = sin((b.longitude - a.longitude) * (degree / 2));
  double h = s * s + cos(a.latitude * degree) * cos(b.latitude * degree) * t * t;
  return 2 * radius_of_earth * asin(std::min(1.0, sqrt(h)));
}
static bool in_circle(uint32_t key, Place p) {
  const Circle &c = world.circles[key];
  return haversine(c.center, p) <= c.radius;
}

struct Box { double south, west, north, east; };
static Box box_of(uint32_t key) {
  if (world.round()) {
    const Circle &c = world.circles[key];
    double up = c.radius / (radius_of_earth * degree) * 1.000001;
    double aside = up / cos((fabs(c.center.latitude) + up) * degree);
    return {c.center.latitude - up, c.center.longitude - aside, c.center.latitude + up, c.center.longitude + aside};
  }
  Box box = {1e9, 1e9, -1e9, -1e9};
  for (Place p : world.polygons[key])
    box = {std::min(box.south, p.latitude), std::min(box.west, p.longitude), std::max(box.north, p.latitude),
           std::max(box.east, p.longitude)};
  return box;
}

#ifdef WITH_BOOST
namespace bg = boost::geometry;
struct Boost {
  using Point = bg::model::d2::point_xy<double>;
  using Rectangle = bg::model::box<Point>;
  using Value = std::pair<Rectangle, uint32_t>;
  using Tree = bg::index::rtree<Value, bg::index::rstar<16>>;
  std::unique_ptr<Tree> tree;
  std::vector<bg::model::polygon<Point>> polygons;
  std::vector<Value> hits;
  void build() {
    std::vector<Value> values;
    values.reserve(world.count());
    for (uint32_t key = 0; key < world.count(); key++) {
      Box b = box_of(key);
      values.emplace_back(Rectangle(Point(b.west, b.south), Point(b.east, b.north)), key);
    }
    polygons.resize(world.polygons.size());
    for (size_t i = 0; i < polygons.size(); i++) {
      for (Place p : world.polygons[i]) polygons[i].outer().emplace_back(p.longitude, p.latitude);
      bg::correct(polygons[i]);
    }
    tree.reset(new Tree(values.begin(), values.end()));
  }
  void query(Place p, Keys &keys) {
    Point point(p.longitude, p.latitude);
    hits.clear();
    tree->query(bg::index::intersects(point), std::back_inserter(hits));
    for (auto &hit : hits)
      if (world.round() ? in_circle(hit.second, p) : bg::covered_by(point, polygons[hit.second]))
        keys.push_back(hit.second);
  }
};
#endif

#ifdef WITH_GEOS
struct Geos {
  GEOSContextHandle_t context = GEOS_init_r();
  GEOSSTRtree *tree = nullptr;
  std::vector<GEOSGeometry *> shapes;
  std::vector<const GEOSPreparedGeometry *> prepared;
  GEOSCoordSequence *sequence(const std::vector<Place> &places) {
    auto *made = GEOSCoordSeq_create_r(context, places.size(), 2);
    for (size_t i = 0; i < places.size(); i++)
      GEOSCoordSeq_setXY_r(context, made, i, places[i].longitude, places[i].latitude);
    return made;
  }
  void build() {
    tree = GEOSSTRtree_create_r(context, 10);
    for (size_t key = 0; key < world.count(); key++) {
      if (world.round()) {
        Box b = box_of(key);
        auto *line = GEOSGeom_createLineString_r(context, sequence({{b.south, b.west}, {b.north, b.east}}));
        GEOSSTRtree_insert_r(context, tree, line, (void *)key);
        GEOSGeom_destroy_r(context, line);
        continue;
      }
      auto ring = world.polygons[key];
      ring.push_back(ring[0]);
      shapes.push_back(GEOSGeom_createPolygon_r(
          context, GEOSGeom_createLinearRing_r(context, sequence(ring)), nullptr, 0));
      prepared.push_back(GEOSPrepare_r(context, shapes[key]));
      GEOSSTRtree_insert_r(context, tree, shapes[key], (void *)key);
    }
    // The first question builds the tree, and the first of each shape its own index.
    auto *point = GEOSGeom_createPointFromXY_r(context, 10, 50);
    GEOSSTRtree_query_r(context, tree, point, [](void *, void *) {}, nullptr);
    for (auto *shape : prepared) GEOSPreparedIntersects_r(context, shape, point);
    GEOSGeom_destroy_r(context, point);
  }
  struct Question { Geos *engine; GEOSGeometry *point; Place place; Keys *keys; };
  void query(Place p, Keys &keys) {
    Question question = {this, GEOSGeom_createPointFromXY_r(context, p.longitude, p.latitude), p, &keys};
    GEOSSTRtree_query_r(context, tree, question.point, [](void *item, void *data) {
      auto &q = *(Question *)data;
      uint32_t key = (uintptr_t)item;
      if (world.round() ? in_circle(key, q.place)
                        : GEOSPreparedIntersects_r(q.engine->context, q.engine->prepared[key], q.point) == 1)
        q.keys->push_back(key);
    }, &question);
    GEOSGeom_destroy_r(context, question.point);
  }
};
#endif

#ifdef WITH_S2
struct Sphere {
  S2CellIndex cells;
  std::vector<S2Cap> caps;
  MutableS2ShapeIndex shapes;
  std::unique_ptr<S2CellIndex::RangeIterator> ranges;
  std::unique_ptr<S2CellIndex::ContentsIterator> contents;
  std::unique_ptr<S2ContainsPointQuery<MutableS2ShapeIndex>> containing;
  static S2Point point(Place p) { return S2LatLng::FromDegrees(p.latitude, p.longitude).ToPoint(); }
  void build() {
    if (!world.round()) {
      for (auto &ring : world.polygons) {
        std::vector<std::vector<S2Point>> loops(1);
        for (Place p : ring) loops[0].push_back(point(p));
        shapes.Add(std::make_unique<S2LaxPolygonShape>(loops));
      }
      shapes.ForceBuild();
      containing.reset(new S2ContainsPointQuery<MutableS2ShapeIndex>(&shapes));
      return;
    }
    S2RegionCoverer::Options options;
    options.set_max_cells(8);
    S2RegionCoverer coverer(options);
    std::vector<S2CellId> covering;
    for (auto &c : world.circles) {
      caps.emplace_back(point(c.center), S1Angle::Radians(c.radius / radius_of_earth));
      coverer.GetCovering(caps.back(), &covering);
      for (S2CellId cell : covering) cells.Add(cell, caps.size() - 1);
    }
    cells.Build();
    ranges.reset(new S2CellIndex::RangeIterator(&cells));
    contents.reset(new S2CellIndex::ContentsIterator(&cells));
  }
  void query(Place place, Keys &keys) {
    S2Point p = point(place);
    if (!world.round()) {
      containing->VisitContainingShapes(p, [&](S2Shape *shape) { keys.push_back(shape->id()); return true; });
      return;
    }
    ranges->Seek(S2CellId(p));
    contents->Clear();
    for (contents->StartUnion(*ranges); !contents->done(); contents->Next())
      if (caps[contents->label()].Contains(p)) keys.push_back(contents->label());
  }
};
#endif

static double processor_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
static size_t heap() { struct mallinfo2 m = mallinfo2(); return m.uordblks + m.hblkhd; }

struct Crossings { uint64_t enters = 0, exits = 0; };

// The inside set of a device before and now, both ascending.
static void count(Keys &before, Keys &now, Crossings &crossings) {
  if (now.empty() && before.empty()) return;
  std::sort(now.begin(), now.end());
  size_t old = 0, neu = 0;
  while (old < before.size() || neu < now.size()) {
    if (neu == now.size() || (old < before.size() && before[old] < now[neu])) crossings.exits++, old++;
    else if (old == before.size() || now[neu] < before[old]) crossings.enters++, neu++;
    else old++, neu++;
  }
  if (before != now) before.assign(now.begin(), now.end());
}

template <class Engine> __attribute__((noinline)) void counted_updates(
    Engine &engine, std::vector<Keys> &inside, Crossings &crossings) {
  Keys now;
  for (const Update &update : world.updates) {
    now.clear();
    engine.query(update.place, now);
    count(inside[update.device], now, crossings);
  }
}

template <class Engine> static void run(const char *name, int runs) {
  size_t before = heap();
  double began = processor_time();
  auto *engine = new Engine;
  engine->build();
  double build = processor_time() - began;
  size_t bytes = (heap() - before) / world.count();
  std::vector<double> times;
  Crossings crossings;
  for (int i = 0; i < runs; i++) {
    std::vector<Keys> inside(world.devices);
    crossings = Crossings();
    began = processor_time();
    counted_updates(*engine, inside, crossings);
    times.push_back((processor_time() - began) / world.updates.size());
  }
  std::sort(times.begin(), times.end());
  printf("%s %.3f %zu %.1f %lu %lu\n", name, build / 1e9, bytes, times[runs / 2], crossings.enters, crossings.exits);
  fflush(stdout);
  _Exit(0);  // taking the trees down would take as long as building them
}

int main(int count, char **arguments) {
  if (count < 4) { fprintf(stderr, "usage: fences ENGINE FENCES UPDATES [RUNS [MOST]]\n"); return 2; }
  std::string engine = arguments[1];
  int runs = count > 4 ? atoi(arguments[4]) : 3;
  load(arguments[2], arguments[3], count > 5 ? atol(arguments[5]) : SIZE_MAX);
#ifdef WITH_BOOST
  if (engine == "boost") run<Boost>("boost", runs);
#endif
#ifdef WITH_GEOS
  if (engine == "geos") run<Geos>("geos", runs);
#endif
#ifdef WITH_S2
  if (engine == "s2") run<Sphere>("s2", runs);
#endif
  fprintf(stderr, "there is no engine %s here\n", arguments[1]);
  return 2;
}
