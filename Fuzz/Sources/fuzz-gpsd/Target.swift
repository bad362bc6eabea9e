public import FuzzSupport
import WhereaboutsModel
import WhereaboutsFormats

/// The reports of gpsd as a recording, to be read like every other.
private struct GPSDRecording: RecordingDecoder {
  private var decoder = GPSDDecoder()
  private var said = GPSDBatch()

  mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    said.removeAll()
    decoder.decode(bytes, into: &said)
    batch.problems = said.problems
    for report in said.reports {
      switch report {
      case .fix(let fix, _): batch.elements.append(.fix(fix))
      case .heading(let heading, _): batch.elements.append(.heading(heading))
      case .satellites(let sky, _): batch.elements.append(.satellites(sky))
      case .poll(let poll): batch.elements += poll.fixes.map { .fix($0) }
      case .version, .devices, .device, .watch, .noPosition, .repetition, .failure: break
      }
    }
  }

  mutating func finish(into batch: inout RecordingBatch) {}
}

/// Reads bytes as gpsd's answers and as its clients' requests, and writes what was read for both kinds of clients.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    let batch = readHoweverCut(input) { GPSDRecording() }
    expectValidElements(batch.elements)
    expectRoundTrips(batch.elements)
    write(batch.elements)
    var requests = GPSDRequestReader()
    input.withUnsafeBytes { requests.read($0) { _ in } }
  }
}

/// Writes the elements and reads them back: no written line may be a problem.
private func write(_ elements: [RecordingElement]) {
  let gpsd = GPSDEncoder(device: "x", driver: "y")
  var nmea = NMEAEncoder()
  var lines: [UInt8] = []
  var sentences: [UInt8] = []
  for element in elements {
    switch element {
    case .fix(let fix):
      gpsd.append(fix, to: &lines)
      nmea.append(fix, to: &sentences)
    case .heading(let heading):
      gpsd.append(heading, to: &lines)
      nmea.append(heading, to: &sentences)
    case .satellites(let sky):
      gpsd.append(sky, nil, to: &lines)
      nmea.append(sky, to: &sentences)
    case .trackBegan, .segmentBegan, .waypoint, .routeBegan, .routePoint, .deviceBegan, .visit, .offset: break
    }
  }
  var decoder = GPSDDecoder()
  var said = GPSDBatch()
  decoder.decode(lines, into: &said)
  guard said.problems.total == 0 else { fatalError("written and not readable: \(said.problems)") }
  var reader = NMEADecoder()
  let read = reader.decodeAll(sentences)
  guard read.problems.counts.keys.allSatisfy({ $0 == .badNumber || $0 == .tooLong }) else {
    fatalError("written and not readable: \(read.problems)")
  }
}

/// The entry point of the program.
@_cdecl("fuzz_gpsd_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}
