public import FuzzSupport
import WhereaboutsFormats

/// Reads bytes as what they are found to be, from their beginning.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    guard let format = RecordingFormat.detect(input) else { return }
    let beginning = Array(input.prefix(RecordingFormat.detectionLength))
    guard RecordingFormat.detect(beginning) == format else {
      fatalError("more bytes than are looked at make it no \(format)")
    }
    let batch = readHoweverCut(input) { format.makeDecoder() }
    if format != .jsonLines { expectValidElements(batch.elements) }
    expectRoundTrips(batch.elements)
  }
}

/// The entry point of the program.
@_cdecl("fuzz_detect_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}
