// The peer of GeodesicBench: GeographicLib's C++ on the same pairs.
//
//   g++ -O3 geodesic.cpp -o geodesic -lGeographicLib && ./geodesic [PAIRS [RUNS [FUNCTION [SET]]]]
//
// Prints what GeodesicBench prints: set, function, nanoseconds a call (median, least, most) and the sum of the results.

#include <GeographicLib/Geodesic.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Pair {
  double latitude1, longitude1, latitude2, longitude2;
};

// SplitMix64, as WhereaboutsTesting's SeededGenerator.
struct Random {
  uint64_t state;
  double unit() {
    state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
  }
};

static std::vector<Pair> makePairs(const std::string& set, size_t count) {
  const double degree = M_PI / 180;
  Random random{1};
  std::vector<Pair> pairs(count);
  for (Pair& pair : pairs) {
    pair.latitude1 = std::asin(2 * random.unit() - 1) / degree;
    pair.longitude1 = random.unit() * 360 - 180;
    if (set == "global") {
      pair.latitude2 = std::asin(2 * random.unit() - 1) / degree;
      pair.longitude2 = random.unit() * 360 - 180;
      continue;
    }
    if (std::fabs(pair.latitude1) > 85) pair.latitude1 *= 0.9;
    double distance = random.unit() * 1000, direction = random.unit() * 2 * M_PI;
    double north = distance * std::cos(direction) / 111700;
    double east = distance * std::sin(direction) / (111400 * std::cos(pair.latitude1 * degree));
    pair.latitude2 = pair.latitude1 + north;
    pair.longitude2 = std::remainder(pair.longitude1 + east, 360.0);
  }
  return pairs;
}

static const GeographicLib::Geodesic& wgs84 = GeographicLib::Geodesic::WGS84();

extern "C" __attribute__((noinline)) double sumOfDistances(const std::vector<Pair>& pairs) {
  double sum = 0;
  for (const Pair& p : pairs) {
    double distance;
    wgs84.Inverse(p.latitude1, p.longitude1, p.latitude2, p.longitude2, distance);
    sum += distance;
  }
  return sum;
}

extern "C" __attribute__((noinline)) double sumOfInverses(const std::vector<Pair>& pairs) {
  double sum = 0;
  for (const Pair& p : pairs) {
    double distance, azimuth1, azimuth2;
    wgs84.Inverse(p.latitude1, p.longitude1, p.latitude2, p.longitude2, distance, azimuth1, azimuth2);
    // Azimuths as ours, in [0, 360).
    sum += distance + (azimuth1 < 0 ? azimuth1 + 360 : azimuth1) + (azimuth2 < 0 ? azimuth2 + 360 : azimuth2);
  }
  return sum;
}

extern "C" __attribute__((noinline)) double sumOfDestinations(const std::vector<Pair>& pairs) {
  double sum = 0;
  for (const Pair& p : pairs) {
    double latitude, longitude;
    wgs84.Direct(p.latitude1, p.longitude1, p.longitude2, 500, latitude, longitude);
    sum += latitude + longitude;
  }
  return sum;
}

int main(int argc, char** argv) {
  size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200000;
  int runs = argc > 2 ? std::atoi(argv[2]) : 9;
  struct Function {
    const char* name;
    double (*run)(const std::vector<Pair>&);
  };
  const Function functions[] = {
      {"distance", sumOfDistances}, {"inverse", sumOfInverses}, {"destination", sumOfDestinations}};
  for (const char* set : {"global", "short"}) {
    if (argc > 4 && set != std::string(argv[4])) continue;
    std::vector<Pair> pairs = makePairs(set, count);
    for (const Function& function : functions) {
      if (argc > 3 && function.name != std::string(argv[3])) continue;
      std::vector<double> times;
      double sum = 0;
      for (int run = 0; run < runs; ++run) {
        auto begin = std::chrono::steady_clock::now();
        sum = function.run(pairs);
        std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
        times.push_back(time.count() / double(count));
      }
      std::sort(times.begin(), times.end());
      std::printf("%s %s %.1f %.1f %.1f %.17g\n", set, function.name, times[runs / 2], times[0], times[runs - 1], sum);
    }
  }
}
