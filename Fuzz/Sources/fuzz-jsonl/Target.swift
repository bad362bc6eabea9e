public import FuzzSupport
import WhereaboutsFormats

/// Reads bytes as JSON lines.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    let batch = readHoweverCut(input) { JSONLinesDecoder() }
    // Its numbers are taken as they stand, so that only their reading back is looked at.
    expectRoundTrips(batch.elements)
  }
}

/// The entry point of the program.
@_cdecl("fuzz_jsonl_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}
