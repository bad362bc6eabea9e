// Reads a GPX file and prints how long that takes; or makes one to read.
//
// usage: GPXBench FILE [RUNS]
//        GPXBench make FILE MEGABYTES
//
// The file is read and fed in chunks of 64 KiB, so that memory stays the same whatever its size; reading it from the
// disk is part of the time. Each run uses a new decoder.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// The content of a file.
struct Found {
  var bytes = 0
  var points = 0
  var problems = 0
  /// Of latitudes and longitudes, so that nothing is left out and peers can be compared.
  var sum = 0.0

  mutating func add(_ elements: [RecordingElement]) {
    for element in elements {
      guard case .fix(let fix) = element else { continue }
      points += 1
      sum += fix.coordinate.latitude + fix.coordinate.longitude
    }
  }
}

/// Reads everything; on its own so that a profiler can tell it apart: `--toggle-collect=*gpxReadAll*`.
@inline(never)
func gpxReadAll(_ path: String) -> Found? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var decoder = GPXDecoder()
  var batch = RecordingBatch()
  var found = Found()
  withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 64) { chunk in
    while true {
      let count = fread(chunk.baseAddress, 1, chunk.count, file)
      guard count > 0 else { break }
      found.bytes += count
      decoder.decode(UnsafeRawBufferPointer(rebasing: chunk[..<count]), into: &batch)
      found.add(batch.elements)
      batch.removeAll()
    }
    decoder.finish(into: &batch)
    found.add(batch.elements)
  }
  found.problems = batch.problems.total
  return found
}

/// Writes tracks of an hour at 1 Hz with height and time, the shape of a logger's export.
func make(_ path: String, megabytes: Int) -> Bool {
  guard let file = fopen(path, "wb") else { return false }
  defer { fclose(file) }
  var writer = GPXWriter()
  var bytes: [UInt8] = []
  var written = 0
  var point = 0
  while written < megabytes * 1_000_000 {
    if point % 3600 == 0 { writer.write(.trackBegan(name: "Track \(point / 3600)"), to: &bytes) }
    let angle = Double(point) / 500
    let latitude = ((48 + 0.5 * sin(angle)) * 1e7).rounded() / 1e7
    let longitude = ((11 + 0.5 * cos(angle * 1.3)) * 1e7).rounded() / 1e7
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else { return false }
    let time = UTCTime(nanosecondsSince1970: Int64(1_714_543_200 + point) * 1_000_000_000)
    var fix = Fix(coordinate: place, time: time, source: .gpx)
    fix.heightAboveGeoid = ((520 + 40 * sin(angle * 7)) * 10).rounded() / 10
    writer.write(fix, to: &bytes)
    point += 1
    if bytes.count > 60_000 {
      written += fwrite(bytes, 1, bytes.count, file)
      bytes.removeAll(keepingCapacity: true)
    }
  }
  writer.finish(to: &bytes)
  fwrite(bytes, 1, bytes.count, file)
  return true
}

func decimal(_ value: Double, _ places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  return ((value * scale).rounded() / scale).description
}

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "make", let megabytes = Int(arguments[3]) {
  exit(make(arguments[2], megabytes: megabytes) ? 0 : 1)
}
guard arguments.count > 1 else {
  print("usage: GPXBench FILE [RUNS] | make FILE MEGABYTES")
  exit(2)
}
for _ in 0..<(arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5) {
  let clock = ContinuousClock()
  let began = clock.now
  guard let found = gpxReadAll(arguments[1]) else {
    print("could not read \(arguments[1])")
    exit(1)
  }
  let elapsed = began.duration(to: clock.now) / .seconds(1)
  print(
    "whereabouts  points \(found.points) problems \(found.problems) sum \(decimal(found.sum, 3))",
    " \(decimal(elapsed, 4)) s  \(decimal(Double(found.bytes) / elapsed / 1e6, 1)) MB/s",
    " \(decimal(elapsed * 1e9 / Double(max(found.points, 1)), 1)) ns/point", separator: "")
}
