// Decodes a file of NMEA 0183 from memory, and prints how long that takes.
//
// usage: NMEABench FILE [RUNS] [satellites]
//
// The file is read first and fed in chunks of 64 KiB; each run uses a new decoder and the same batch. Every checksum
// is verified. With `satellites` the satellites in view are decoded into elements too.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

let chunk = 65_536

/// Decodes everything; on its own so that a profiler can tell it apart: `--toggle-collect=*nmeaDecodeAll*`.
@inline(never)
func nmeaDecodeAll(_ start: UnsafeRawPointer, _ count: Int, _ satellites: Bool) -> Double {
  var options = NMEADecoder.Options()
  options.emitsSatellites = satellites
  var decoder = NMEADecoder(options: options)
  var batch = RecordingBatch()
  var fixes = 0, sum = 0.0, offset = 0
  func gather() {
    for element in batch.elements {
      guard case .fix(let fix) = element else { continue }
      fixes += 1
      sum += fix.coordinate.latitude + fix.coordinate.longitude
    }
    batch.removeAll()
  }
  while offset < count {
    let size = min(chunk, count - offset)
    decoder.decode(UnsafeRawBufferPointer(start: start + offset, count: size), into: &batch)
    gather()
    offset += size
  }
  decoder.finish(into: &batch)
  gather()
  sentences = decoder.statistics.sentences
  fixCount = fixes
  problems = batch.problems.total
  return sum
}

nonisolated(unsafe) var sentences = 0
nonisolated(unsafe) var fixCount = 0
nonisolated(unsafe) var problems = 0

func readFile(_ path: String) -> UnsafeMutableRawBufferPointer? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 64)
  return fread(buffer.baseAddress, 1, size, file) == size
    ? UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]) : nil
}

func decimal(_ value: Double, _ places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  return ((value * scale).rounded() / scale).description
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let file = readFile(arguments[1]), let start = file.baseAddress else {
  print("usage: NMEABench FILE [RUNS] [satellites]")
  exit(2)
}
let runs = arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5
let satellites = arguments.contains("satellites")

for _ in 0..<runs {
  let clock = ContinuousClock()
  let began = clock.now
  let sum = nmeaDecodeAll(start, file.count, satellites)
  let elapsed = began.duration(to: clock.now) / .seconds(1)
  print(
    "whereabouts  sentences \(sentences) fixes \(fixCount) problems \(problems) sum \(decimal(sum, 3))",
    " \(decimal(elapsed, 4)) s  \(Int(Double(sentences) / elapsed)) sentences/s",
    " \(decimal(Double(file.count) / elapsed / 1e6, 1)) MB/s",
    " \(decimal(elapsed * 1e9 / Double(max(sentences, 1)), 1)) ns/sentence", separator: "")
}
